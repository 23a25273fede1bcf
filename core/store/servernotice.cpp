#include "core/store/servernotice.h"

namespace junban {

ServerNow ServerNotice::now() const
{
    const std::lock_guard lock(m_mutex);
    return m_now;
}

void ServerNotice::noteServer(qint64 startedAt_ms, qint64 usedBytes, qint64 maxBytes)
{
    const std::lock_guard lock(m_mutex);
    m_now.startedAt_ms = startedAt_ms;
    m_now.usedBytes = usedBytes;
    m_now.maxBytes = maxBytes;
}

void ServerNotice::noteReturn(qint64 at_ms, qint64 away_ms, bool restarted)
{
    qWarning("redis: it answers again after %.1f s%s", double(away_ms) / 1000, restarted ? "; it was restarted, or is another server" : "");
    const std::lock_guard lock(m_mutex);
    m_now.backAt_ms = at_ms;
    m_now.away_ms = away_ms;
    m_now.restarted = restarted;
}

} // namespace junban
