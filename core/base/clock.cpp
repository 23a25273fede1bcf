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

void Clock::learn(qint64 redis_ms, qint64 sent_ms)
{
    const qint64 least = redis_ms - monotonic_ms() - 1; // both clocks are rounded down, so without the 1 it could be a millisecond ahead
    const qint64 most = redis_ms - sent_ms;
    // Every reply is a little late, which makes its least offset too small: the largest one is the best.
    if (!m_learnt || least > m_offset_ms || m_offset_ms - most > 1'000)
        m_offset_ms = least;
    m_learnt = true;
}

} // namespace junban
