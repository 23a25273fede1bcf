#pragma once

#include "core/operators/inspector.h"
#include "core/operators/matchers.h"
#include "core/operators/rereader.h"
#include "core/store/servernotice.h"
#include "core/store/unreadable.h"

#include <functional>
#include <memory>

namespace junban {

// Why jobs do not run, for the overview: the pauses in force, what holds ready jobs, which breakers are open, which backlogs are full,
// which names no worker asks for, how old the jobs of each priority are; and what is known of the server. It looks only when it is asked,
// and at most every limits::situation_ms, however many operators ask. Threads: the engine's. Callbacks that are still due when it is
// destroyed are dropped.
class Situation
{
public:
    // All must outlive it.
    Situation(Inspector &inspector, ConstraintStore &store, Matchers &matchers, const Rereader &rereader,
              const UnreadableRecords &records);

    // Optional. It must outlive this.
    void setServerNotice(const ServerNotice *notice) { m_server = notice; }
    // Errors are those of the counts. When only the rest cannot be read, the answer has what was read before.
    void overview(Callback<Overview> callback);

private:
    struct Looking;
    void look();
    void lookAtHeld();
    HeldNow heldNow(const ConstraintStore::Held &held);
    struct Bounds {
        qint64 least = 0, most = 0;
    };
    Bounds boundsOf(const QList<HeldBy> &by, const QHash<QByteArray, qint64> &parked) const;
    void linger(HeldNow &now, const QHash<QByteArray, qint64> &parked);
    void lookAtBuckets(const std::shared_ptr<Looking> &looking);
    void takeBacklog(const Matchers::Place &place, const QList<BucketState> &buckets);
    void lookAtWaiting();
    void takeWaiting(ConstraintStore::Waiting waiting);
    void looked();
    bool isExact(bool now);
    Overview described(Overview counts);

    Inspector &m_inspector;
    ConstraintStore &m_store;
    Matchers &m_matchers;
    const Rereader &m_rereader;
    const UnreadableRecords &m_records;
    const ServerNotice *m_server = nullptr;
    QList<std::function<void()>> m_waiting; // for the look under way
    bool m_looking = false;
    qint64 m_lookedAt_ms = -limits::situation_ms; // Clock::monotonic_ms()
    HeldNow m_held;
    qint64 m_inexactAt_ms = -limits::held_lingers_ms; // Clock::monotonic_ms(); when the sum was last not exact
    // What held jobs at one of the last looks, by the constraint's id.
    struct Lately {
        HeldBy by;
        qint64 parked = 0;
        qint64 revision = 0;   // of the constraint
        qint64 seen_ms = 0;    // Clock::monotonic_ms()
        qint64 all = 0;        // jobs that all limits held at that look
    };
    QHash<QByteArray, Lately> m_heldLately;
    QList<OpenBreaker> m_breakers;
    // What was full at one of the last looks.
    struct Filled {
        FullBacklog backlog;
        qint64 revision = 0;   // of the constraint
        qint64 seen_ms = 0;    // Clock::monotonic_ms()
    };
    QList<Filled> m_backlogs;
    QList<PriorityNow> m_priorities;
    UnaskedNow m_unasked;
    std::shared_ptr<int> m_life = std::make_shared<int>();
};

} // namespace junban
