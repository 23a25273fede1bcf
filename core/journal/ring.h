#pragma once

#include "core/journal/batch.h"

#include <deque>

namespace junban::journal {

// Step 14: the last batches of a leadership, from which Redis is healed when it comes back without some of them. They have consecutive
// numbers. Times are milliseconds on Clock::monotonic_ms().
class Ring
{
public:
    // Forgets everything; the next batch is last + 1.
    void begin(qint64 last);
    void add(Batch batch);
    // Whether all batches from this number on are here: none, when it is the next one.
    bool reaches(qint64 n) const { return n >= first() && n <= m_last + 1; }
    // Precondition: the batch is here.
    Batch &at(qint64 n) { return m_batches[size_t(n - first())]; }
    // Drops what is not needed any more. Batches above `confirmed` are always kept, as are those that were sent in the last minute, unless
    // they are on disk and on all servers that may take over (`covered`), or take more than 256 MiB together.
    void trim(qint64 now_ms, qint64 confirmed, qint64 covered);

    qint64 first() const { return m_batches.empty() ? m_last + 1 : m_batches.front().n; }
    qint64 last() const { return m_last; }
    qint64 bytes() const { return m_bytes; }
    // How many bytes the batches above this number take.
    qint64 bytesAbove(qint64 n) const;
    // How far it reaches back: the age of its oldest batch.
    qint64 kept_ms(qint64 now_ms) const { return m_batches.empty() ? 0 : now_ms - m_batches.front().sent_ms; }

private:
    std::deque<Batch> m_batches;
    qint64 m_last = 0;
    qint64 m_bytes = 0;
};

} // namespace junban::journal
