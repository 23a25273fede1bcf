#include "core/base/reasons/api.h"
#include "server/api/auditing.h"
#include "server/api/handlers.h"
#include "server/api/sessioncookie.h"

#include <utility>

// Signing in and out.
namespace junban::api {

namespace {

SessionView viewOf(const Parts &parts, const Caller &caller)
{
    SessionView view{caller.actor(), {}, caller.roles(), !caller.isScoped(), !caller.session.isEmpty()};
    if (!caller.grant)
        return view;
    const TokenSpec &spec = caller.grant->token.spec;
    view.note = spec.note;
    view.expiresAt_ms = view.signedIn ? caller.sessionEnds_ms : spec.expiresAt_ms;
    view.idle_ms = view.signedIn ? parts.sessions.times().idle_ms : 0;
    return view;
}

void open(const Parts &parts, const Call &call)
{
    parts.sessions.open(call.caller.grant->token, [&parts, call](const Result<Sessions::Opened> &opened) {
        if (!opened.ok()) {
            call.fail(opened.error());
            return;
        }
        Call signedIn = call;
        signedIn.caller.session = opened->text;
        signedIn.caller.sessionEnds_ms = opened->session.endsAt_ms;
        const qint64 length_s = (opened->session.endsAt_ms - opened->session.createdAt_ms) / 1000;
        call.reply(201, pack(sessionTable, viewOf(parts, signedIn.caller)),
            sessioncookie::setting(call.exchange().request(), parts.sessions.mark(), opened->text, length_s));
    });
}

// The call itself needs no role: who makes it is known by the token in its body, which then may be in the audit.
void signIn(const Parts &parts, const Call &call)
{
    const std::optional<SignIn> sent = bodyOf(call, signInTable);
    if (!sent)
        return;
    Call known = call;
    const std::optional<Auth::Refusal> refusal = parts.auth.signIn(sent->token, known.caller);
    parts.auditing.begin(known, refusal ? Auditing::Attempt::Refused : Auditing::Attempt::Allowed);
    if (!Auditing::readReason(known))
        return;
    if (refusal) {
        known.problem(refusal->reason, refusal->fields);
        return;
    }
    // One browser has one session.
    const std::optional<QByteArray> before = sessioncookie::in(call.exchange().request(), parts.sessions.mark());
    if (!before || !mayBeSessionText(*before))
        open(parts, known);
    else
        parts.sessions.close(*before, [&parts, known](const Result<Done> &closed) {
            if (closed.ok())
                open(parts, known);
            else
                known.fail(closed.error());
        });
}

void getSession(const Parts &parts, const Call &call)
{
    call.reply(200, pack(sessionTable, viewOf(parts, call.caller)));
}

void signOut(const Parts &parts, const Call &call)
{
    const Result<bool> everywhere = call.flag("everywhere");
    if (!areRead(call, everywhere) || !hasNoBody(call))
        return;
    if (!call.caller.grant || (!*everywhere && call.caller.session.isEmpty())) {
        call.fail(reasons::sessionNone());
        return;
    }
    const auto ended = [&parts, call](const Result<Done> &done) {
        if (done.ok())
            call.replyEmpty(sessioncookie::clearing(call.exchange().request(), parts.sessions.mark()));
        else
            call.fail(done.error());
    };
    const std::optional<QByteArray> text = sessioncookie::in(call.exchange().request(), parts.sessions.mark());
    if (*everywhere)
        parts.sessions.closeAllOf(call.caller.grant->token.id, ended);
    else
        parts.sessions.close(text.value_or(QByteArray()), ended);
}

constexpr Operation sessionHandlers[] = {here("signIn", signIn), here("getSession", getSession), here("signOut", signOut)};

} // namespace

const std::span<const Operation> sessionOperations = sessionHandlers;

} // namespace junban::api
