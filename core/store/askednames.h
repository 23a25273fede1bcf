#pragma once

#include "core/limits.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QHash>
#include <QList>
#include <optional>

namespace junban {

// The job names that the workers of one engine ask for. It is kept in Redis for the explanations of all masters.
struct AskedNames {
    struct Name {
        QByteArray name;           // empty: jobs of all names
        qint64 askedAt_ms = 0;     // when the last claim asked for it, on Redis' clock
        qint64 waiting = 0;        // claims that wait for it now
    };
    QList<Name> names;
    bool complete = true;          // false: names that were asked for a short time ago have been forgotten for lack of room

    QByteArray packed() const;     // empty when there are no names
    static AskedNames fromPacked(QByteArrayView packed);
};

// What all engines together say about one name.
struct AskedFor {
    qint64 waiting = 0;            // waiting claims that accept it
    qint64 askedAt_ms = 0;         // the last claim that accepts it, on Redis' clock; 0: none is known
    bool complete = true;          // false: there may have been one that was forgotten
};
AskedFor askedFor(const QList<AskedNames> &all, const QByteArray &name);

// Remembers which names the workers of an engine ask for, and when they last did. It keeps limits::asked_names_max names (the oldest are
// forgotten first) for limits::asked_kept_s. Noting a claim for known names allocates no memory. Times are on Clock::monotonic_ms()
// unless a comment says otherwise. Threads: the engine's.
class AskedNamesLog
{
public:
    // A claim asks for these names; an empty list means all names.
    void note(const QList<QByteArray> &names, qint64 now_ms);
    // What to store in Redis; nothing when the one that was returned last is still true. `waiting` is the number of waiting claims
    // by name, and `clock_ms` is the same moment as `now_ms` on Redis' clock.
    std::optional<AskedNames> news(const QHash<QByteArray, qint64> &waiting, qint64 now_ms, qint64 clock_ms);
    // What news() returned could not be stored: the next news() returns one in any case.
    void tellAgain() { m_news = true; }

private:
    void noteName(const QByteArray &name, qint64 now_ms);
    void forgetOldest();

    QHash<QByteArray, qint64> m_askedAt_ms;  // grows to twice asked_names_max, so that the oldest are rarely looked for
    std::optional<qint64> m_forgotAt_ms;     // when the youngest name that was forgotten for lack of room was last asked for, at most
    bool m_news = false;
    bool m_toldWaiting = false;
    bool m_toldComplete = true;
};

} // namespace junban
