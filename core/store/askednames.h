#pragma once

#include "core/limits.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QHash>
#include <QList>
#include <optional>

namespace junban {

// The names that the workers of one engine ask for, as explanations are told.
struct AskedNames {
    struct Name {
        QByteArray name;           // empty: jobs of all names
        qint64 askedAt_ms = 0;     // when a claim asked for it last, on Redis' clock
        qint64 waiting = 0;        // claims that wait for it
    };
    QList<Name> names;
    bool complete = true;          // false: of late, more names were asked for than are remembered

    QByteArray packed() const;     // empty when there is nothing to tell
    static AskedNames fromPacked(QByteArrayView packed);
};

// What all engines together say of one name.
struct AskedFor {
    qint64 waiting = 0;            // claims that accept it
    qint64 askedAt_ms = 0;         // 0: not that anybody knew
    bool complete = true;          // false: it may have been asked for and forgotten
};
AskedFor askedFor(const QList<AskedNames> &all, const QByteArray &name);

// Which names the workers of an engine ask for, and when they last did. Noting a claim for known names allocates nothing. What is over
// limits::asked_names_max is forgotten, oldest first, and so is what is older than limits::asked_kept_s. Times are on
// Clock::monotonic_ms unless said otherwise. Threads: the engine's.
class AskedNamesLog
{
public:
    // A claim asks for these; none: all.
    void note(const QList<QByteArray> &names, qint64 now_ms);
    // What to tell when these claims (by name), noted before, wait; nothing while what was told last still holds. `clock_ms` is `now_ms`
    // on Redis' clock.
    std::optional<AskedNames> news(const QHash<QByteArray, qint64> &waiting, qint64 now_ms, qint64 clock_ms);
    // What news() said was not told.
    void tellAgain() { m_news = true; }

private:
    void noteName(const QByteArray &name, qint64 now_ms);
    void forgetOldest();

    QHash<QByteArray, qint64> m_askedAt_ms;  // up to twice asked_names_max, so that few new names have to look for the oldest
    std::optional<qint64> m_forgotAt_ms;     // no name that was forgotten for want of room was asked for after this
    bool m_news = false;
    bool m_toldWaiting = false;
    bool m_toldComplete = true;
};

} // namespace junban
