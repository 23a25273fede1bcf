#include "core/operators/sessions.h"

#include "core/limits.h"

#include <QMutexLocker>
#include <algorithm>
#include <utility>

namespace junban {

namespace {

constexpr qsizetype mark_digits = 12;

bool isForPeople(Role role)
{
    return role != Role::Pusher && role != Role::Worker;
}

} // namespace

std::shared_ptr<const Grant> grantOfPerson(const std::shared_ptr<const Grant> &grant)
{
    const QList<Role> &roles = grant->token.spec.roles;
    if (std::all_of(roles.begin(), roles.end(), isForPeople))
        return grant;
    Grant own = *grant;
    own.token.spec.roles.removeIf([](Role role) { return !isForPeople(role); });
    return std::make_shared<const Grant>(std::move(own));
}

std::optional<KnownSessions::Known> KnownSessions::find(const QByteArray &key) const
{
    const QMutexLocker locker(&m_mutex);
    const auto found = m_known.find(key);
    return found == m_known.end() ? std::nullopt : std::optional(*found);
}

void KnownSessions::put(const QByteArray &key, const Known &known)
{
    const QMutexLocker locker(&m_mutex);
    if (m_known.size() >= limits::sessions_known_max)
        m_known.clear(); // those in use are read again
    m_known.insert(key, known);
}

void KnownSessions::used(const QByteArray &key, qint64 at_ms)
{
    const QMutexLocker locker(&m_mutex);
    if (const auto found = m_known.find(key); found != m_known.end())
        found->usedAt_ms = at_ms;
}

void KnownSessions::remove(const QList<QByteArray> &keys)
{
    const QMutexLocker locker(&m_mutex);
    for (const QByteArray &key : keys)
        m_known.remove(key);
}

Sessions::Sessions(SessionStore &store, Tokens &tokens, const Clock &clock, std::shared_ptr<const Pepper> pepper, SessionTimes times,
    std::shared_ptr<KnownSessions> known)
    : m_store(store)
    , m_tokens(tokens)
    , m_clock(clock)
    , m_pepper(std::move(pepper))
    , m_times(times)
    , m_known(std::move(known))
    , m_mark(m_pepper ? m_pepper->hash("session-cookie").toHex().first(mark_digits) : QByteArray())
{
}

bool Sessions::goesOn(const KnownSessions::Known &known, qint64 now_ms) const
{
    return now_ms < known.session.endsAt_ms && now_ms - known.usedAt_ms < m_times.idle_ms;
}

bool Sessions::isFresh(const QByteArray &text) const
{
    if (!m_pepper || !mayBeSessionText(text))
        return true;
    const std::optional<KnownSessions::Known> known = m_known->find(sessionKey(*m_pepper, text));
    return known && Clock::monotonic_ms() - known->readAt_ms < limits::tokens_look_ms;
}

void Sessions::look(const QByteArray &text, Callback<Done> callback)
{
    read(sessionKey(*m_pepper, text), std::move(callback));
}

void Sessions::read(const QByteArray &key, Callback<Done> callback)
{
    m_store.get(key, [this, key, callback = std::move(callback), alive = std::weak_ptr(m_life)](const Result<SessionStore::Row> &row) {
        if (alive.expired())
            return;
        const std::optional<KnownSessions::Known> known = m_known->find(key);
        if (!row.ok()) {
            callback(known ? Result<Done>(Done{}) : Result<Done>(row.error()));
            return;
        }
        if (const std::optional<Session> session = unpackSession(*m_pepper, key, row->record))
            m_known->put(key, {*session, std::max({session->createdAt_ms, row->usedAt_ms, known ? known->usedAt_ms : 0}),
                Clock::monotonic_ms()});
        else
            m_known->remove({key});
        callback(Done{});
    });
}

std::optional<Sessions::Found> Sessions::find(const QByteArray &text)
{
    if (!m_pepper || !mayBeSessionText(text))
        return {};
    const QByteArray key = sessionKey(*m_pepper, text);
    const std::optional<KnownSessions::Known> known = m_known->find(key);
    const qint64 now_ms = m_clock.now_ms();
    if (!known || !goesOn(*known, now_ms))
        return {};
    const std::shared_ptr<const Grant> grant = m_tokens.grantOf(known->session.token);
    if (!grant)
        return {};
    if (now_ms - known->usedAt_ms >= std::min(qint64(limits::session_used_s * 1000), m_times.idle_ms / 10)) {
        m_known->used(key, now_ms);
        m_store.touch(key, now_ms, [](const Result<Done> &) {});
    }
    return Found{key, known->session, grantOfPerson(grant)};
}

bool Sessions::isInForce(const QByteArray &key)
{
    const std::optional<KnownSessions::Known> known = m_known->find(key);
    if (!known || !goesOn(*known, m_clock.now_ms()) || !m_tokens.isInForce(known->session.token))
        return false;
    if (Clock::monotonic_ms() - known->readAt_ms >= limits::tokens_look_ms)
        read(key, [](const Result<Done> &) {});
    return true;
}

QList<QPair<QByteArray, KnownSessions::Known>> Sessions::ofToken(const QList<SessionStore::Row> &rows, const QByteArray &token) const
{
    QList<QPair<QByteArray, KnownSessions::Known>> found;
    for (const SessionStore::Row &row : rows) {
        const std::optional<Session> session = unpackSession(*m_pepper, row.key, row.record);
        if (session && session->token == token)
            found.append({row.key, {*session, std::max(session->createdAt_ms, row.usedAt_ms), 0}});
    }
    std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.second.usedAt_ms > b.second.usedAt_ms; });
    return found;
}

void Sessions::open(const Token &token, Callback<Opened> callback)
{
    const qint64 now_ms = m_clock.now_ms();
    Opened opened{makeSessionText(), {token.id, now_ms, now_ms + m_times.length_ms}};
    if (token.spec.expiresAt_ms != 0)
        opened.session.endsAt_ms = std::min(opened.session.endsAt_ms, token.spec.expiresAt_ms);
    const QByteArray key = sessionKey(*m_pepper, opened.text);
    m_store.save({key, packSession(*m_pepper, key, opened.session)},
        [this, key, opened, callback = std::move(callback), alive = std::weak_ptr(m_life)](const Result<Done> &saved) {
            if (alive.expired())
                return;
            if (!saved.ok()) {
                callback(saved.error());
                return;
            }
            m_known->put(key, {opened.session, opened.session.createdAt_ms, Clock::monotonic_ms()});
            callback(opened);
            m_store.list([this, key, session = opened.session, alive](const Result<QList<SessionStore::Row>> &rows) {
                if (!alive.expired() && rows.ok())
                    sweep(*rows, key, session);
            });
        });
}

void Sessions::sweep(const QList<SessionStore::Row> &rows, const QByteArray &made, const Session &session)
{
    QList<QByteArray> over;
    for (const SessionStore::Row &row : rows) {
        const std::optional<Session> kept = unpackSession(*m_pepper, row.key, row.record);
        if (!kept || !goesOn({*kept, std::max(kept->createdAt_ms, row.usedAt_ms), 0}, session.createdAt_ms))
            over.append(row.key);
    }
    int beside = 0;
    for (const auto &[key, known] : ofToken(rows, session.token)) {
        if (key != made && ++beside >= limits::sessions_of_token_max)
            over.append(key);
    }
    remove(std::move(over), [](const Result<Done> &) {});
}

void Sessions::close(const QByteArray &text, Callback<Done> callback)
{
    remove({sessionKey(*m_pepper, text)}, std::move(callback));
}

void Sessions::closeAllOf(const QByteArray &token, Callback<Done> callback)
{
    m_store.list([this, token, callback = std::move(callback), alive = std::weak_ptr(m_life)](
        const Result<QList<SessionStore::Row>> &rows) {
        if (alive.expired())
            return;
        if (!rows.ok()) {
            callback(rows.error());
            return;
        }
        QList<QByteArray> keys;
        for (const auto &[key, known] : ofToken(*rows, token))
            keys.append(key);
        remove(std::move(keys), callback);
    });
}

void Sessions::remove(QList<QByteArray> keys, Callback<Done> callback)
{
    if (keys.isEmpty()) {
        callback(Done{});
        return;
    }
    m_store.remove(keys, [this, keys, callback = std::move(callback), alive = std::weak_ptr(m_life)](const Result<Done> &removed) {
        if (alive.expired())
            return;
        if (removed.ok())
            m_known->remove(keys);
        callback(removed);
    });
}

} // namespace junban
