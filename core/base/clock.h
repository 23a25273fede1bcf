#pragma once

#include <QtGlobal>

namespace junban {

// An estimate of Redis' clock, for ids and for dates that are shown. It is a little late, and not ahead unless Redis' clock was set back by
// less than a second, or runs slower than this machine's. Decisions do not use it: scripts read Redis' TIME themselves.
// The offset is learnt from the reply of every script; before the first reply this is the machine's clock. One for each engine thread;
// not safe for use by several threads.
class Clock
{
public:
    // Milliseconds since the epoch on Redis' clock, estimated.
    qint64 now_ms() const;
    // A reply has just come, and it was written when Redis' clock showed `redis_ms` (since the epoch). `sent_ms`: when its request was
    // sent, by monotonic_ms(). The reply with the smallest delay determines the offset. A reply may be read late, because this process or
    // machine was stopped: Redis' clock was set back only if the time of sending says so, too.
    void learn(qint64 redis_ms, qint64 sent_ms);

    // Milliseconds of a clock that never goes back, for deadlines and durations. Its zero is arbitrary.
    static qint64 monotonic_ms();
    // This machine's clock, milliseconds since the epoch. The engine uses it for log lines, and for dates until Redis' clock is known.
    static qint64 machine_ms();

private:
    qint64 m_offset_ms = 0;
    bool m_learnt = false;
};

} // namespace junban
