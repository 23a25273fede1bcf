#include "server/api/failedlogins.h"

#include "core/limits.h"

namespace junban::api {

namespace {

constexpr qint64 window_ms = limits::failed_logins_s * 1000;

// An IPv6 host has 2^64 addresses of its own; one IPv4 address may come as either kind.
QHostAddress counted(const QHostAddress &address)
{
    bool isV4 = false;
    const quint32 v4 = address.toIPv4Address(&isV4);
    if (isV4)
        return QHostAddress(v4);
    Q_IPV6ADDR bytes = address.toIPv6Address();
    std::fill(&bytes.c[8], &bytes.c[16], quint8(0));
    return QHostAddress(bytes);
}

} // namespace

qint64 FailedLogins::add(const QHostAddress &address, qint64 now_ms)
{
    const QMutexLocker locker(&m_mutex);
    if (now_ms - m_since_ms >= window_ms || m_counts.isEmpty()) {
        m_counts.clear();
        m_since_ms = now_ms;
    }
    const qint64 left_ms = m_since_ms + window_ms - now_ms;
    const auto found = m_counts.find(counted(address));
    if (found != m_counts.end())
        return ++*found > limits::failed_logins_max ? left_ms : 0;
    // Who cannot be counted any more waits, too: nobody is kept out by that who has a token.
    if (m_counts.size() >= limits::failed_addresses_max)
        return left_ms;
    m_counts.insert(counted(address), 1);
    return 0;
}

} // namespace junban::api
