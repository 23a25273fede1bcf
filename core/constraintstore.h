#pragma once

#include "core/classifier.h"
#include "core/store.h"

namespace junban {

// A constraint's parameters as the scripts take them (core/lua/lib/kinds.lua names the keys); empty deletes it.
struct ConstraintParameters {
    int number = 0;
    QByteArray packed;
};
enum class EpochChange { Keep, New };

struct JobBuckets {
    JobId id;
    QList<CarriedBucket> buckets;
    // relane() only: the SHA-1 of the record that was read, so that a job that was edited meanwhile is read again (empty: whatever it is
    // now), and what the record becomes by `set` (empty: as it is).
    QByteArray digest = {};
    QByteArray record = {};
};

// One of a job's buckets as an explanation shows it.
struct Gate {
    int constraint = 0;
    QByteArray key;
    int cost = 1;
    bool admits = true;            // a claim would pass it now, were there no other
    bool observed = false;         // it would hold, but only observes
    qint64 used = 0;               // cost of the jobs that run
    qint64 waiting = 0;            // ready jobs that carry it
    qint64 opensAt_ms = 0;         // 0: not by time alone, or open
    QList<JobId> holders;          // jobs that run and carry it, the first few
};
struct Explanation {
    Job job;
    bool stale = false;            // the matchers have not read the job since they were changed; the gates are those of a claim now
    QList<Gate> gates;             // in the order in which a claim asks them
    qint64 position = -1;          // how many jobs of its lane stand before it; −1: it is not ready
    qint64 now_ms = 0;
};

// A bucket as operators see it.
struct BucketState {
    int constraint = 0;
    QByteArray key;
    qint64 used = 0, waiting = 0, wouldHold = 0;
    bool open = true;              // a job of cost 1 may start
    qint64 opensAt_ms = 0;
    QList<JobId> holders;
};

// What the scripts know of constraints (constraints.md §3, §4). Threads, callbacks and errors as Store's.
class ConstraintStore
{
public:
    ConstraintStore() = default;
    ConstraintStore(const ConstraintStore &) = delete;
    ConstraintStore &operator=(const ConstraintStore &) = delete;
    virtual ~ConstraintStore() = default;

    // In force with the reply, which says the epoch. RevisionMismatch when the epoch is not `madeAt` any more (−1: any).
    virtual void setConstraints(QList<ConstraintParameters> parameters, qint64 madeAt, EpochChange change, Callback<qint64> callback) = 0;
    // Running and awaiting jobs carry these buckets from now on. RevisionMismatch when the epoch is another.
    virtual void recharge(qint64 epoch, QList<JobBuckets> jobs, Callback<Done> callback) = 0;
    // Jobs of stale lanes that the matchers must read again, and those lanes; at most limits::script_items_max.
    struct Stale {
        qint64 epoch = 0;
        QByteArray lane;           // empty: none is stale
        QList<QPair<JobId, JobSpec>> jobs;
        qint64 left = 0;           // about how many jobs stand in stale lanes
    };
    virtual void stale(Callback<Stale> callback) = 0;
    virtual void relane(qint64 epoch, QByteArray lane, QList<JobBuckets> jobs, Callback<Done> callback) = 0;
    // `buckets` are those of the job by the matchers in force. NotFound.
    virtual void explain(JobId id, QList<CarriedBucket> buckets, Callback<Explanation> callback) = 0;
    // Buckets of one constraint, in no order, from a cursor (0 at first); the next one is 0 at the end.
    struct Buckets {
        QList<BucketState> buckets;
        quint64 next = 0;
    };
    virtual void buckets(int constraint, quint64 cursor, Callback<Buckets> callback) = 0;
};

} // namespace junban
