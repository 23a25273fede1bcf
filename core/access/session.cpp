#include "core/access/session.h"

#include "core/limits.h"

#include <algorithm>

namespace junban {

namespace {

constexpr char prefix[] = "js_";
constexpr qsizetype text_bytes = 46;
constexpr qsizetype seal_bytes = 32;

QByteArray sealed(QByteArrayView key, QByteArrayView fields)
{
    return "session:" + key.toByteArray() + ' ' + fields.toByteArray();
}

constexpr Field signInFields[] = {field::text<&SignIn::token>("token", limits::session_token_bytes_max).needed()};

constexpr Field callersRoles()
{
    Field field = field::listOf<&SessionView::roles, codecs::word<Role>>("roles").atMost(int(roleWords.size())).needed();
    field.words = roleWords;
    return field;
}
constexpr Field viewFields[] = {
    field::text<&SessionView::who>("who").needed(),
    field::text<&SessionView::note>("note").rare(),
    callersRoles(),
    field::boolean<&SessionView::allJobs>("all_jobs").needed(),
    field::boolean<&SessionView::signedIn>("signed_in").needed(),
    field::time<&SessionView::expiresAt_ms>("expires_at").rare(),
    field::duration<&SessionView::idle_ms>("idle", limits::session_s_min, limits::session_s_max).rare(),
};

} // namespace

const TableOf<SignIn> signInTable{"SignIn", signInFields};
const TableOf<SessionView> sessionTable{"Session", viewFields};

QByteArray makeSessionText()
{
    return prefix + makeTokenText().mid(qsizetype(qstrlen(prefix)));
}

bool mayBeSessionText(QByteArrayView text)
{
    return text.size() == text_bytes && text.startsWith(prefix)
        && std::all_of(text.begin(), text.end(), [](char c) { return isalnum(uchar(c)) || c == '_' || c == '-'; });
}

QByteArray sessionKey(const Pepper &pepper, QByteArrayView text)
{
    return pepper.hash("session:" + text.toByteArray()).toHex();
}

QByteArray packSession(const Pepper &pepper, QByteArrayView key, const Session &session)
{
    const QByteArray fields = session.token + ' ' + QByteArray::number(session.createdAt_ms) + ' ' + QByteArray::number(session.endsAt_ms);
    return pepper.seal(sealed(key, fields)) + fields;
}

std::optional<Session> unpackSession(const Pepper &pepper, QByteArrayView key, QByteArrayView record)
{
    if (record.size() <= seal_bytes)
        return {};
    const QByteArrayView fields = record.sliced(seal_bytes);
    if (!sameSecret(pepper.seal(sealed(key, fields)), record.first(seal_bytes)))
        return {};
    const QList<QByteArray> parts = fields.toByteArray().split(' ');
    if (parts.size() != 3)
        return {};
    return Session{parts[0], parts[1].toLongLong(), parts[2].toLongLong()};
}

} // namespace junban
