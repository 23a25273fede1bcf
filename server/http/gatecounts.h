#pragma once

#include <QHash>
#include <QHostAddress>
#include <QMutex>

namespace junban::http {

// Counts the open connections of all servers that share it, in total and for each peer. Threads: any.
class ConnectionCounts
{
public:
    // Counts a new connection of the peer; false, without counting it, when there are too many. A maximum of 0 means no limit.
    bool enter(const QHostAddress &peer, int all_max, int peer_max);
    void leave(const QHostAddress &peer);
    // The same for those of them that become WebSockets.
    bool enterSocket(int max);
    void leaveSocket();

private:
    QMutex m_mutex;
    int m_all = 0;
    int m_sockets = 0;
    QHash<QHostAddress, int> m_byPeer;
};

} // namespace junban::http
