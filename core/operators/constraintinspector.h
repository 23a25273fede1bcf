#pragma once

#include "core/operators/matchers.h"

#include <QList>
#include <optional>

namespace junban {

// Looks at constraints as they work now: their use, what they hold, and why a job does not run. It changes nothing, and every answer is
// bounded. Threads: the engine's. Callbacks that are pending when it is destroyed are dropped.
class ConstraintInspector
{
public:
    // All must outlive it.
    ConstraintInspector(Store &jobs, ConstraintStore &store, Matchers &matchers);

    // A constraint as it stands in the set `of`, which keeps it alive.
    struct Place {
        std::shared_ptr<const MatcherSet> of;
        const JobMatcher *matcher = nullptr;
        const Constraint *constraint = nullptr;
    };
    struct Live {
        Place place;
        qint64 buckets = 0, used = 0, waiting = 0, wouldHold = 0, closed = 0;
        qint64 opensAt_ms = 0;     // when the first closed bucket opens by itself; 0: none does
        bool complete = true;      // false: these are the sums of some of its buckets
    };
    struct List {
        QList<Live> constraints;   // by id
        bool end = true;
    };
    void list(int limit, QByteArray after, Callback<List> callback);

    struct BucketPage {
        Place place;
        QList<BucketState> buckets;
        quint64 next = 0;          // 0: that was all
    };
    // NotFound.
    void buckets(QByteArray constraint, quint64 cursor, Callback<BucketPage> callback);

    struct HeldRow {
        Place place;
        HeldBucket bucket;
    };
    struct Held {
        QList<HeldRow> rows;       // most jobs first
        bool complete = true;
    };
    void held(int limit, Callback<Held> callback);

    // Whether there are workers for a job, at all masters together.
    struct Workers {
        qint64 waiting = 0;        // claims that wait and accept its name
        qint64 askedAt_ms = 0;     // when the last one asked, as far as known; 0: none did
        bool there = false;        // one waits, or asked within limits::asked_lately_s
    };
    struct Explained {
        Job job;
        JobGates explanation;      // its gates in the order of a claim
        QList<Place> places;       // of each gate; without a constraint: the job has more buckets than limits::job_buckets_max
        bool wouldRun = false;     // ready, and every gate admits it
        std::optional<Workers> workers = {}; // of a ready or scheduled job, when it is known; wouldRun and estimate do not ask for it
        std::optional<qint64> estimate_ms = {}; // when it may start, as far as time alone decides
    };
    // NotFound.
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

// The limit of a bucket in its own unit, where its kind has one: what `used` is held against.
std::optional<qint64> limitOf(const Constraint &constraint, const QByteArray &key);

} // namespace junban
