#pragma once

#include "core/access/session.h"
#include "core/base/clock.h"
#include "core/operators/tokens.h"
#include "core/store/sessionstore.h"

#include <QHash>
#include <QMutex>
#include <memory>
#include <optional>

namespace junban {

// What a master's engines remember of sessions, so that one that was ended here is at once unknown to all of them. Threads: any.
class KnownSessions
{
public:
    struct Known {
        Session session;
        qint64 usedAt_ms = 0;
        qint64 readAt_ms = 0;      // of Clock::monotonic_ms()
    };
    std::optional<Known> find(const QByteArray &key) const;
    void put(const QByteArray &key, const Known &known);
    void used(const QByteArray &key, qint64 at_ms);
    void remove(const QList<QByteArray> &keys);

private:
    mutable QMutex m_mutex;
    QHash<QByteArray, Known> m_known;
};

// What a person may do with a token: what it gives to programs is left out.
std::shared_ptr<const Grant> grantOfPerson(const std::shared_ptr<const Grant> &grant);

// Sessions of people who signed in with a token. They are read from Redis once a second while they are used, so any master takes them, and
// one that was ended elsewhere ends within a second. While Redis is away, those that are known go on. A session ends with its token.
// Threads: the engine's.
class Sessions
{
public:
    // Store, tokens and clock must outlive it. Without a pepper there are no sessions, as there are no tokens.
    Sessions(SessionStore &store, Tokens &tokens, const Clock &clock, std::shared_ptr<const Pepper> pepper, SessionTimes times,
        std::shared_ptr<KnownSessions> known);
    Sessions(const Sessions &) = delete;
    Sessions &operator=(const Sessions &) = delete;

    // Tells the sessions of this namespace from those of others on the same host; hexadecimal. Empty without a pepper.
    const QByteArray &mark() const { return m_mark; }
    const SessionTimes &times() const { return m_times; }

    // Whether find() can be asked: nothing newer is in Redis, but for what another master did within a second.
    bool isFresh(const QByteArray &text) const;
    // Reads it. An error when nothing is known of it because Redis does not answer.
    void look(const QByteArray &text, Callback<Done> callback);

    struct Found {
        QByteArray key;
        Session session;
        std::shared_ptr<const Grant> grant; // what the token may do, without the roles of programs
    };
    // The session in force with this text, which counts as used by that, with its token. Nothing: there is none, or it has ended.
    std::optional<Found> find(const QByteArray &text);
    // Whether it is in force still; it is read again when that is due, and does not count as used.
    bool isInForce(const QByteArray &key);

    struct Opened {
        QByteArray text;
        Session session;
    };
    // Also ends those of this token that are over, or too many.
    void open(const Token &token, Callback<Opened> callback);
    void close(const QByteArray &text, Callback<Done> callback);
    void closeAllOf(const QByteArray &token, Callback<Done> callback);

private:
    bool goesOn(const KnownSessions::Known &known, qint64 now_ms) const;
    void read(const QByteArray &key, Callback<Done> callback);
    // Removes what is over, or too many of this session's token besides the one that was just made.
    void sweep(const QList<SessionStore::Row> &rows, const QByteArray &made, const Session &session);
    void remove(QList<QByteArray> keys, Callback<Done> callback);
    // The rows of this token whose seal is right, the one that was used last first.
    QList<QPair<QByteArray, KnownSessions::Known>> ofToken(const QList<SessionStore::Row> &rows, const QByteArray &token) const;

    SessionStore &m_store;
    Tokens &m_tokens;
    const Clock &m_clock;
    std::shared_ptr<const Pepper> m_pepper;
    const SessionTimes m_times;
    std::shared_ptr<KnownSessions> m_known;
    QByteArray m_mark;
    const std::shared_ptr<int> m_life = std::make_shared<int>(); // expires with this
};

} // namespace junban
