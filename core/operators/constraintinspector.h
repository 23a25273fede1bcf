#pragma once

#include "core/base/clock.h"
#include "core/limits/limitanswers.h"
#include "core/operators/matchers.h"

#include <memory>

namespace junban {

// Shows how constraints work now: what is used, which jobs they hold, and why a job does not run. It changes nothing, and the work for each
// answer is bounded. Threads: the engine's. Callbacks that are still due when it is destroyed are dropped. Errors as for Store.
class ConstraintInspector
{
public:
    // All must outlive it.
    ConstraintInspector(Store &jobs, ConstraintStore &store, Matchers &matchers, Clock &clock);

    // The constraints whose id is greater than `after` (empty: from the first).
    void list(int limit, QByteArray after, Callback<answers::ConstraintPage> callback);
    // A page of a constraint's buckets; the first cursor is 0. NotFound.
    void buckets(QByteArray constraint, quint64 cursor, Callback<answers::BucketPage> callback);
    // The buckets that hold jobs back, of all constraints; those that hold most jobs first.
    void held(int limit, Callback<answers::HeldList> callback);
    // Says of the ready jobs of a page what keeps them from starting.
    void markHeld(JobPage page, Callback<JobPage> callback);
    // Why a job runs or does not run. NotFound.
    void explain(JobId id, Callback<answers::Explanation> callback);

private:
    // Replaces what the buckets of rates have used by what has started in their periods, and goes on. `Bucket`: with `constraint` (its
    // number), `key`, `id` and `used`.
    template<typename Bucket>
    void countStarts(std::shared_ptr<QList<Bucket>> buckets, Callback<Done> goOn);
    std::optional<RateBucket> rateBucket(const Constraint *constraint, const QByteArray &key, const QByteArray &id) const;
    struct Listing;
    void listOn(std::shared_ptr<Listing> listing);
    JobHold holdOf(const ConstraintStore::Hold &hold) const;
    answers::Held heldRow(const HeldBucket &bucket) const;
    answers::Explanation explanationOf(const Job &job, JobGates gates) const;

    Store &m_jobs;
    ConstraintStore &m_store;
    Matchers &m_matchers;
    Clock &m_clock;
    std::shared_ptr<int> m_life = std::make_shared<int>();
};

} // namespace junban
