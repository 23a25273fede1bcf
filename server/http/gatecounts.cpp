#include "server/http/gatecounts.h"

#include <QMutexLocker>

namespace junban::http {

namespace {

// The address by which a peer is counted: an IPv4 address (also if it is mapped into IPv6), or a /64 of IPv6, which is what one customer of
// a network gets.
QHostAddress countedAs(const QHostAddress &peer)
{
    bool isV4 = false;
    const quint32 v4 = peer.toIPv4Address(&isV4);
    if (isV4)
        return QHostAddress(v4);
    Q_IPV6ADDR address = peer.toIPv6Address();
    if (!peer.isLoopback()) {
        for (int i = 8; i < 16; ++i)
            address[i] = 0;
    }
    return QHostAddress(address);
}

} // namespace

bool ConnectionCounts::enter(const QHostAddress &peer, int all_max, int peer_max)
{
    const QHostAddress key = countedAs(peer);
    const QMutexLocker lock(&m_mutex);
    if (all_max > 0 && m_all >= all_max)
        return false;
    int &count = m_byPeer[key];
    if (peer_max > 0 && count >= peer_max)
        return false;
    ++count;
    ++m_all;
    return true;
}

void ConnectionCounts::leave(const QHostAddress &peer)
{
    const QMutexLocker lock(&m_mutex);
    --m_all;
    const auto found = m_byPeer.find(countedAs(peer));
    if (found != m_byPeer.end() && --*found <= 0)
        m_byPeer.erase(found);
}

bool ConnectionCounts::enterSocket(int max)
{
    const QMutexLocker lock(&m_mutex);
    if (m_sockets >= max)
        return false;
    ++m_sockets;
    return true;
}

void ConnectionCounts::leaveSocket()
{
    const QMutexLocker lock(&m_mutex);
    --m_sockets;
}

} // namespace junban::http
