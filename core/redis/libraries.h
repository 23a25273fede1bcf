#pragma once

#include "core/redis/caller.h"
#include "core/redis/scripts.h"

#include <QObject>
#include <QTimer>
#include <deque>

namespace junban::redis {

// Keeps the libraries of this program's scripts in Redis: loads those that are missing whenever the link comes up and once an hour, so that
// they are there before Redis is full. It notes that this version uses them, and deletes those that no master of this namespace used for
// limit.library_kept_ms: they are of another version. Whoever calls a function of a library that was deleted loads it again (Calls).
// Threads: one, the link's. Replies that come after its destruction are ignored.
class Libraries : public QObject
{
    Q_OBJECT

public:
    // Link and clock must outlive it.
    Libraries(Link &link, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock = ScriptClock::Redis,
        QObject *parent = nullptr);

    // Does all of that now, unless it is under way.
    void look();

Q_SIGNALS:
    // A look has ended. `loaded`: how many were missing and are there now; `deleted`: how many were of no use.
    void looked(int loaded, int deleted);

private:
    void loadMissing(const Reply &known);
    void loadNext();
    void note();
    void drop(QList<QByteArray> unused);
    void end();

    Link &m_link;
    Caller m_caller;
    ScriptClock m_scriptClock;
    Script m_note;
    QTimer m_timer;
    std::deque<std::shared_ptr<const Library>> m_missing;
    QList<QByteArray> m_used;      // the libraries of this program
    int m_loaded = 0;
    int m_deleted = 0;
    bool m_looking = false;
};

} // namespace junban::redis
