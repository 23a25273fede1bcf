#pragma once

#include <QHash>
#include <QHostAddress>
#include <QMutex>

namespace junban::api {

// How often callers from an address gave a token that is not known, in this minute. Threads: any; a master's engines share it.
class FailedLogins
{
public:
    // Counts one more at `now_ms` (of Clock::monotonic_ms()). 0 while there are few; else how long until the next minute.
    qint64 add(const QHostAddress &address, qint64 now_ms);

private:
    QMutex m_mutex;
    qint64 m_since_ms = 0;
    QHash<QHostAddress, int> m_counts;
};

} // namespace junban::api
