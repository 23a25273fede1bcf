// Steps 15, 16 and 19: what a leader does after a break, a refusal or FENCED.
#include "core/journal/bounds.h"
#include "core/journal/protocol.h"

namespace junban::journal {

// Step 15 begins: `lead` is read again. What is under way has been fenced or refused, or will be; only `lead` says what came in.
void Protocol::beginHeal(qint64 now_ms, qint64 pause_ms)
{
    m_phase = Phase::Heal;
    for (Awaited &awaited : m_awaited)
        awaited.counts = false;
    if (m_stuckSince_ms < 0)
        m_stuckSince_ms = now_ms;
    m_readAt_ms = now_ms + pause_ms;
    if (m_up && pause_ms == 0)
        readLead(now_ms);
}

// Step 15, row by row. It is safe because (id, n) names one content, and each batch that is sent again is compared: if anybody has taken
// meanwhile, it is fenced.
void Protocol::heal(const Lead &lead, qint64 now_ms)
{
    const bool mine = lead.id == m_id;
    // The take itself was lost: the usual case after a quick second fault. A `lead` that was missing is never taken for it (step 16).
    const bool before = !m_before.isMissing() && lead.id == m_before.id && lead.n == m_before.n;
    if (isNewer(lead) || lead.isMissing() || (!mine && !before) || lead.n > m_ring.last()) {
        lose(lead, now_ms);
    } else if (!m_ring.reaches(lead.n + 1)) {
        takeAnew(lead, m_answered - lead.n, now_ms);
    } else if (mine) {
        resume(lead.n, now_ms);
    } else {
        sendTake(lead, now_ms); // with the same id, as the numbers keep their contents
    }
}

// Redis has the batches up to n: sends those behind it.
void Protocol::resume(qint64 n, qint64 now_ms)
{
    m_phase = Phase::Lead;
    if (n < m_answered) {
        m_healFrom = m_healTo > 0 ? std::min(m_healFrom, n) : n;
        m_healTo = m_answered;
        m_healSince_ms = m_stuckSince_ms;
    }
    m_confirmed = m_sent = n;
    m_underWay_bytes = 0;
    m_answered = std::max(m_answered, n);
    m_answers.release(m_confirmed, m_unitConfirmed, m_out.answers);
    pump(now_ms);
    if (m_refusal && m_sent == m_confirmed)
        sendBeat(now_ms); // nothing else would show soon that Redis takes changes again
    mayLeave(now_ms);
}

// Redis is further back than the ring. A new id: else the numbers would get second contents.
void Protocol::takeAnew(const Lead &lead, qint64 lost, qint64 now_ms)
{
    forget();
    tell({Event::Kind::Rollback, Event::Why::OlderThanRing, lost});
    if (m_leaving)
        follow(now_ms);
    else
        take(lead, now_ms);
}

// Another leads, or `lead` is missing: somebody emptied or restored the data, which is never healed (step 16).
void Protocol::lose(const Lead &lead, qint64 now_ms)
{
    const qint64 answered = m_answered;
    const bool direct = !lead.isMissing() && lead.term == m_term + 1; // `base` is what it found of this leadership
    forget();
    if (lead.isMissing())
        tell({Event::Kind::Rollback, Event::Why::Emptied, answered});
    else if (!direct || lead.base < answered)
        tell({Event::Kind::Rollback, Event::Why::AnotherLed, direct ? answered - lead.base : -1});
    tell({Event::Kind::Follows});
    follow(now_ms);
    m_watch.saw(lead, now_ms);
}

} // namespace junban::journal
