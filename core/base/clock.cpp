#include "core/base/clock.h"

#include <chrono>

namespace junban {

qint64 Clock::machine_ms()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

qint64 Clock::monotonic_ms()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

qint64 Clock::now_ms() const
{
    // On the monotonic clock, so that a step of this machine's date moves nothing once the offset is known.
    return m_learnt ? monotonic_ms() + m_offset_ms : machine_ms();
}

void Clock::learn(qint64 redis_ms)
{
    const qint64 offset = redis_ms - monotonic_ms();
    // A reply is at most one trip late, so the largest offset seen is the nearest; a step of Redis' clock is followed at once.
    if (!m_learnt || offset > m_offset_ms || m_offset_ms - offset > 1'000)
        m_offset_ms = offset;
    m_learnt = true;
}

} // namespace junban
