#pragma once

#include <QtGlobal>

namespace junban {

// Redis' clock as seen from here. No decision is made on it (scripts read Redis' TIME themselves): it makes ids and dates.
// The offset is learnt from every script's reply; until the first one it is this machine's clock. One per engine thread.
class Clock
{
public:
    // Milliseconds since the epoch on Redis' clock, estimated.
    qint64 now_ms() const;
    // A reply said that Redis' clock stood at `redis_ms` at most one trip ago: the least delayed reply counts.
    void learn(qint64 redis_ms);

    // Milliseconds that only grow, for deadlines and measuring; no relation to the date.
    static qint64 monotonic_ms();
    // This machine's clock, milliseconds since the epoch; for log lines only.
    static qint64 machine_ms();

private:
    qint64 m_offset_ms = 0;
    bool m_learnt = false;
};

} // namespace junban
