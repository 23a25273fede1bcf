#pragma once

#include <QHash>
#include <QHostAddress>
#include <QMutex>

namespace junban::http {

// Counts the open connections of all servers that share it, together and by peer. Threads: any.
class ConnectionCounts
{
public:
    // Counts a connection of the peer in, unless there are too many; a maximum of 0 is none.
    bool enter(const QHostAddress &peer, int all_max, int peer_max);
    void leave(const QHostAddress &peer);

private:
    QMutex m_mutex;
    int m_all = 0;
    QHash<QHostAddress, int> m_byPeer;
};

} // namespace junban::http
