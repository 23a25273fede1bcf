#include "core/store/rollback.h"

#include <QDateTime>
#include <QtGlobal>
#include <algorithm>

namespace junban {

namespace {

constexpr qint64 sameEvent_ms = 10'000;

} // namespace

Rollback RollbackNotice::rollback() const
{
    return {m_seenAt_ms, m_lost};
}

void RollbackNotice::noteRollback(qint64 lost, qint64 now_ms)
{
    const bool same = now_ms - m_seenAt_ms <= sameEvent_ms;
    if (!same || lost > m_lost)
        qCritical("redis: it came back without at least %lld transactions that it had acknowledged", static_cast<long long>(lost));
    m_lost = same ? std::max(lost, m_lost.load()) : lost;
    m_seenAt_ms = now_ms;
}

void RollbackNotice::Watch::note(qint64 transaction)
{
    if (transaction <= 0)
        return;
    if (m_notice && transaction <= m_last)
        m_notice->noteRollback(m_last - transaction + 1, QDateTime::currentMSecsSinceEpoch());
    m_last = transaction;
}

} // namespace junban
