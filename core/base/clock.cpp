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
    // The monotonic clock, so that a change of this machine's date has no effect once the offset is known.
    return m_learnt ? monotonic_ms() + m_offset_ms : machine_ms();
}

void Clock::learn(qint64 redis_ms)
{
    const qint64 offset = redis_ms - monotonic_ms() - 1; // both clocks are rounded down, so without the 1 it could be a millisecond ahead
    // Every reply is a little late, which makes its offset too small: the largest offset is the best one. A much smaller one means that
    // Redis' clock was set back.
    if (!m_learnt || offset > m_offset_ms || m_offset_ms - offset > 1'000)
        m_offset_ms = offset;
    m_learnt = true;
}

} // namespace junban
