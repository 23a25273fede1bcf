#include "core/journal/watch.h"

#include "core/journal/bounds.h"

namespace junban::journal {

void Watch::saw(const Lead &lead, qint64 now_ms)
{
    const bool same = m_reads > 0 && lead.showsTheSame(m_lead) && now_ms - m_last_ms <= bounds::read_gap_ms_max;
    m_moves = m_reads > 0 && lead.id == m_lead.id && !lead.gone && (m_moves || lead.n != m_lead.n || lead.beat != m_lead.beat);
    m_reads = same ? m_reads + 1 : 1;
    m_refused = same && m_refused;
    m_first_ms = same ? m_first_ms : now_ms;
    m_last_ms = now_ms;
    m_lead = lead;
}

bool Watch::mayTake() const
{
    if (m_reads == 0)
        return false;
    if (m_lead.isMissing() || m_lead.gone)
        return true;
    const qint64 alike_ms = m_last_ms - m_first_ms;
    if (m_refused && m_reads >= bounds::refusing_reads && alike_ms >= bounds::refusing_ms)
        return true;
    return m_reads >= bounds::alike_reads && alike_ms >= bounds::alike_ms;
}

} // namespace junban::journal
