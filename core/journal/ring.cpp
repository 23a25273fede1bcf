#include "core/journal/ring.h"

#include "core/journal/bounds.h"

namespace junban::journal {

void Ring::begin(qint64 last)
{
    m_batches.clear();
    m_last = last;
    m_bytes = 0;
}

void Ring::add(Batch batch)
{
    Q_ASSERT(batch.n == m_last + 1);
    m_last = batch.n;
    m_bytes += batch.bytes;
    m_batches.push_back(std::move(batch));
}

void Ring::trim(qint64 now_ms, qint64 confirmed, qint64 covered)
{
    while (!m_batches.empty()) {
        const Batch &oldest = m_batches.front();
        const bool needed = oldest.n > covered && now_ms - oldest.sent_ms < bounds::ring_ms && m_bytes <= bounds::ring_bytes_max;
        if (oldest.n > confirmed || needed)
            return;
        m_bytes -= oldest.bytes;
        m_batches.pop_front();
    }
}

qint64 Ring::bytesAbove(qint64 n) const
{
    qint64 sum = 0;
    for (auto batch = m_batches.rbegin(); batch != m_batches.rend() && batch->n > n; ++batch)
        sum += batch->bytes;
    return sum;
}

} // namespace junban::journal
