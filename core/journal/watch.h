#pragma once

#include "core/journal/lead.h"

namespace junban::journal {

// Steps 1 and 2: what a master that does not lead has seen of `lead`, and whether it may take. Taking early is never unsafe, as each unit
// compares; it only costs a load. Times are milliseconds on Clock::monotonic_ms().
class Watch
{
public:
    // Begins anew: nothing that was seen counts any more.
    void restart() { m_reads = 0, m_moves = false; }
    // An answered read.
    void saw(const Lead &lead, qint64 now_ms);
    // A connection to the leader's address was refused: nothing listens there.
    void refused(const QByteArray &address) { m_refused = m_refused || (m_reads > 0 && m_lead.address == address); }
    // Whether it is worth trying the leader's address: the last two reads show the same.
    bool mayProbe() const { return m_reads >= probe_reads && !m_refused && !m_lead.address.isEmpty(); }
    // As of the last read.
    bool mayTake() const;
    // Whether the leader was seen to write or beat, and did so lately.
    bool leads() const { return m_moves && m_reads < silent_reads; }
    const Lead &lead() const { return m_lead; }

private:
    static constexpr int probe_reads = 2;
    static constexpr int silent_reads = 4;

    Lead m_lead;
    int m_reads = 0;             // that showed the same, in a row
    qint64 m_first_ms = 0;       // when the first of these was answered
    qint64 m_last_ms = 0;
    bool m_refused = false;
    bool m_moves = false;        // two reads in a row have shown different numbers of this leader
};

} // namespace junban::journal
