#pragma once

#include "core/redis/redisfsck.h"

#include <functional>
#include <memory>

namespace junban::redis {

// Which records a store's scripts read: jobs with their states, lanes and totals; operations with their views. One that is no MessagePack,
// no job's record, or no number where a script counts makes a whole script fail, for all others too. So does a key of another type of
// Redis or a counter that is no number (core/redis/damagedkeys.h).
enum class Mends { KeysAlone, Jobs, Matchers, Schedules, Operations };

// Makes such records readable for the scripts again, as records that C++ cannot read: so each is closed by itself, with its bytes as they
// were, until an operator mends it. `done` is told how many it touched. It looks at all records of its kind, in steps, so the caller asks
// only after a script has failed, and not for all failures of a moment. A script that failed on a job may have taken other jobs out of
// their places, so fsck puts these back.
class Mending
{
public:
    Mending(Link &link, QByteArray namespaceName, Mends what);

    // Whether it makes sense to look now.
    bool mayHelp() const;
    // Whether a reply that C++ cannot read may be mended, too.
    bool mendsAnswers() const { return m_what == Mends::Matchers || m_what == Mends::Operations; }
    void look(std::function<void(qint64 touched)> done);

private:
    struct Looking;
    void step(const std::shared_ptr<Looking> &looking, const QByteArray &cursor);
    void finish(const std::shared_ptr<Looking> &looking);
    void putBack(qint64 touched);
    void end(qint64 touched);

    Link &m_link;
    const QByteArray m_namespace, m_prefix;
    std::unique_ptr<RedisFsck> m_fsck;
    const Mends m_what;
    qint64 m_lookedAt_ms;                 // Clock::monotonic_ms()
    QList<std::function<void(qint64)>> m_waiting;
    std::shared_ptr<int> m_life = std::make_shared<int>();
};

} // namespace junban::redis
