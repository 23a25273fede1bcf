#include "server/api/auditing.h"

#include "core/base/reasons/api.h"
#include "core/base/text.h"
#include "core/limits.h"
#include "server/api/auditrecord.h"
#include "server/api/call.h"

#include <algorithm>

namespace junban::api {

namespace {

constexpr char reasonField[] = "junban-reason";

QByteArray addressOf(const Caller &caller)
{
    bool isV4 = false;
    const quint32 v4 = caller.address.toIPv4Address(&isV4); // one of IPv4 may come as one of IPv6
    return (isV4 ? QHostAddress(v4) : caller.address).toString().toUtf8();
}

// A field of HTTP may come percent-encoded, as browsers do not send other letters than those of Latin-1. A sign of per cent that begins no
// code is one.
QByteArray decoded(const QByteArray &text)
{
    QByteArray out;
    for (qsizetype i = 0; i < text.size(); ++i) {
        bool ok = false;
        const int byte = text[i] == '%' && i + 2 < text.size() ? text.sliced(i + 1, 2).toInt(&ok, 16) : 0;
        out += ok ? char(byte) : text[i];
        i += ok ? 2 : 0;
    }
    return out;
}

} // namespace

AuditEntry auditEntryOf(const Call &call, int status)
{
    const Caller &caller = call.caller;
    AuditEntry entry{0, caller.who.isEmpty() ? QByteArray("unknown") : caller.actor()};
    if (caller.grant)
        entry.note = caller.grant->token.spec.note;
    entry.address = addressOf(caller);
    entry.roles = caller.roles();
    entry.action = call.match().route->operation;
    entry.target = call.match().parameters.join('/');
    entry.result = status;
    return entry;
}

void Auditing::begin(Call &call, Attempt attempt) const
{
    if (!call.match().route->audited)
        return;
    const Caller &caller = call.caller;
    const QList<Role> roles = caller.roles();
    // A sign-in needs no role. That of a viewer counts too, as a person came; without a token nobody is known yet.
    const bool isSignIn = call.match().route->roles.isEmpty() && caller.grant;
    if (attempt == Attempt::Refused ? m_refused->add(caller.address, Clock::monotonic_ms()) > 0
                                    : !isSignIn && !roles.contains(Role::Operator) && !roles.contains(Role::Admin))
        return;
    call.record = std::make_shared<AuditRecord>(m_auditor, auditEntryOf(call, 0));
}

bool Auditing::readReason(Call &call)
{
    const QByteArray text = call.exchange().request().field(reasonField);
    if (text.isEmpty())
        return true;
    const QByteArray reason = decoded(text);
    if (!isPlainText(reason, limits::audit_text_bytes_max)) {
        call.fail(reasons::parameterNotText("Junban-Reason", limits::audit_text_bytes_max));
        return false;
    }
    call.reason = reason;
    if (call.record)
        call.record->entry.reason = reason;
    return true;
}

} // namespace junban::api
