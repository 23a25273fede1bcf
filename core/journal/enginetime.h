#pragma once

#include <QtGlobal>
#include <algorithm>

namespace junban::journal {

// Step 6: the time that the engine is given. It is Redis' clock, as far as the replies of `apply` tell, and it never goes back, neither
// within a leadership nor from one to the next. Monotonic times are those of Clock::monotonic_ms(); all are milliseconds.
class EngineTime
{
public:
    // A leadership begins: not before `at_ms`, the time of the last batch.
    void begin(qint64 at_ms) { m_last_ms = std::max(m_last_ms, at_ms); }
    // Redis showed `redis_ms` (since the epoch) at some time between the two monotonic ones.
    void learn(qint64 redis_ms, qint64 sent_ms, qint64 answered_ms)
    {
        const qint64 least = redis_ms - answered_ms;
        const qint64 most = redis_ms - sent_ms;
        m_offset_ms = m_learnt ? std::clamp(m_offset_ms, least, most) : least;
        m_learnt = true;
    }
    // Milliseconds since the epoch.
    qint64 now_ms(qint64 monotonic_ms) { return m_last_ms = std::max(m_last_ms, monotonic_ms + m_offset_ms); }
    // The last time that was given.
    qint64 last_ms() const { return m_last_ms; }

private:
    qint64 m_offset_ms = 0;
    qint64 m_last_ms = 0;
    bool m_learnt = false;
};

} // namespace junban::journal
