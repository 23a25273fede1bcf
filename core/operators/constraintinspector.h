#pragma once

#include "core/operators/matchers.h"

#include <QList>
#include <optional>

namespace junban {

// Shows how constraints work now: what is used, which jobs they hold, and why a job does not run. It changes nothing, and the work for each
// answer is bounded. Threads: the engine's. Callbacks that are still due when it is destroyed are dropped. Errors as for Store.
class ConstraintInspector
{
public:
    // All must outlive it.
    ConstraintInspector(Store &jobs, ConstraintStore &store, Matchers &matchers);

    // A constraint and its matcher; both belong to the set `of`, which keeps them alive. Null pointers: there is none.
    struct Place {
        std::shared_ptr<const MatcherSet> of;
        const JobMatcher *matcher = nullptr;
        const Constraint *constraint = nullptr;
    };
    struct Live {
        Place place;
        qint64 buckets = 0, used = 0, waiting = 0, wouldHold = 0, closed = 0;
        qint64 opensAt_ms = 0;     // when the first closed bucket opens by itself; 0: none does
        bool complete = true;      // false: it has too many buckets, and these are the sums of some of them
    };
    struct List {
        QList<Live> constraints;   // by id
        bool end = true;
    };
    // The constraints whose id is greater than `after` (empty: from the first).
    void list(int limit, QByteArray after, Callback<List> callback);

    struct BucketPage {
        Place place;
        QList<BucketState> buckets;
        quint64 next = 0;          // 0: this was the last page
    };
    // A page of a constraint's buckets; the first cursor is 0. NotFound.
    void buckets(QByteArray constraint, quint64 cursor, Callback<BucketPage> callback);

    struct HeldRow {
        Place place;
        HeldBucket bucket;
    };
    struct Held {
        QList<HeldRow> rows;       // those that hold most jobs first
        bool complete = true;      // false: there were too many buckets to look at all
    };
    // The buckets that hold jobs back, of all constraints.
    void held(int limit, Callback<Held> callback);

    // The workers for a job, at all masters.
    struct Workers {
        qint64 waiting = 0;        // waiting claims that accept its name
        qint64 askedAt_ms = 0;     // when a worker last asked for it, as far as is known; 0: never
        bool there = false;        // a claim waits, or a worker asked within limits::asked_lately_s
    };
    struct Explained {
        Job job;
        JobGates explanation;   // its gates in the order of a claim
        QList<Place> places;       // of each gate; one without a constraint: the job has more buckets than limits::job_buckets_max
        bool wouldRun = false;     // ready, and every gate admits it; whether a worker is there does not count
        std::optional<Workers> workers = {}; // of a ready or scheduled job, if it is known
        std::optional<qint64> estimate_ms = {}; // when it can start, if only time holds it; workers do not count
    };
    // Why a job runs or does not run. NotFound.
    void explain(JobId id, Callback<Explained> callback);

private:
    struct Listing;
    void listOn(std::shared_ptr<Listing> listing);
    Place placeOf(int number) const;
    Explained arranged(Job job, JobGates explanation) const;

    Store &m_jobs;
    ConstraintStore &m_store;
    Matchers &m_matchers;
    std::shared_ptr<int> m_life = std::make_shared<int>();
};

// The limit with which a bucket's `used` is compared, in the same unit; nothing when its kind has no limit.
std::optional<qint64> limitOf(const Constraint &constraint, const QByteArray &key);

} // namespace junban
