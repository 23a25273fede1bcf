#pragma once

#include "core/limits/classifier.h"
#include "core/store/store.h"

#include <optional>

namespace junban {

// A constraint's parameters as the scripts take them (core/lua/schema.lua names the fields); empty parameters delete the constraint.
struct ConstraintParameters {
    int number = 0;
    QByteArray packed;
};
enum class EpochChange { Keep, New };

// A job as it is stored, and the SHA-1 of its record. The digest is needed because another release may write the same job in other bytes.
struct StoredJob {
    JobId id;
    JobSpec spec;
    QByteArray digest = {};
};

struct JobBuckets {
    JobId id;
    QList<CarriedBucket> buckets;
    // For relane() only. The digest of the record that was read: a job that was edited since is left for another reading (empty: not
    // checked). The record with the values of `set` constraints (empty: it stays as it is).
    QByteArray digest = {};
    QByteArray record = {};
};
// Jobs of one stale lane that the current matchers must read (StoredJob) or have read (JobBuckets).
template<typename Job>
struct LanePiece {
    QByteArray lane;
    QList<Job> jobs;               // at least one
    qint64 mark = -1;              // how many of the lane's jobs were unread, if it was noted; else −1
    qint64 behind = -1;            // how many unread jobs follow these; −1: these are the lane's first, and a claim waits for them
};
// The job's buckets by the current matchers.
JobBuckets readAgain(const Classifier &classifier, const StoredJob &job);
// The same for lanes, up to limits::read_lanes_max lanes that the jobs go to. Jobs beyond are left out and stay unread.
QList<LanePiece<JobBuckets>> readAgain(const Classifier &classifier, const QList<LanePiece<StoredJob>> &pieces);

// One of a job's buckets, and whether it lets the job through.
struct BucketGate {
    int constraint = 0;
    QByteArray key;
    int cost = 1;
    bool admits = true;            // this bucket alone would let the job start now
    bool observed = false;         // it would hold the job, but its constraint only observes
    qint64 used = 0;               // the cost of the running jobs, plus what is kept for other keys when that holds the job
    qint64 waiting = 0;            // ready jobs that carry it
    qint64 opensAt_ms = 0;         // when it opens by itself; 0: it is open, or something other than time opens it
    QList<JobId> holders;          // the first few running jobs that carry it
    bool paces = false;            // it admits the job, but of those that wait only the next one
    bool ofAllKeys = false;        // a share that is held by its total capacity: `used` is that of all keys together
    QByteArray id = {};            // of the bucket, as the store has it
};
// All that an explanation of a job is made of.
struct JobGates {
    bool stale = false;            // the matchers have changed and have not read the job again; the gates are by the current ones
    QList<BucketGate> gates;             // in the order in which a claim checks them
    qint64 position = -1;          // how many jobs with the same buckets are before it; −1: it is not ready
    qint64 now_ms = 0;             // Redis' clock
    QList<AskedNames> asked;      // of each living engine
    std::optional<JobId> ahead = {}; // the job that has the unique key, for whose end this one waits or has waited
};

enum class BreakerState { Closed, Open, HalfOpen };

// A bucket as operators see it.
struct BucketState {
    int constraint = 0;
    QByteArray key;
    QByteArray id = {};            // of the bucket, as the store has it
    qint64 used = 0, waiting = 0, wouldHold = 0;
    bool open = true;              // it holds no job of cost 1 back
    qint64 opensAt_ms = 0;
    QList<JobId> holders;
    BreakerState breaker = BreakerState::Closed; // only of a breaker
};

// How an operator switches a breaker.
struct BreakerSwitch {
    BreakerState to = BreakerState::Open;        // or Closed
    std::optional<QByteArray> key = {};          // only the buckets with this key's text; nothing: all buckets that exist
    std::optional<qint64> openFor_ms = {};       // nothing: as long as the parameters say for its next opening
    std::optional<CarriedBucket> only = {};      // of a constraint without `by`: its one bucket, which is made if it does not exist
};

// A bucket that holds jobs back.
struct HeldBucket {
    int constraint = 0;
    QByteArray key;
    qint64 jobs = 0;               // ready jobs that it holds, as far as a bounded count can tell
    qint64 used = 0;               // as BucketGate::used, for the smallest cost that it holds
    qint64 opensAt_ms = 0;         // when it opens by itself; 0: something other than time opens it
    bool ofAllKeys = false;        // as BucketGate::ofAllKeys
    qint64 oldestAt_ms = 0;        // creation time of the oldest job at the head of a waiting lane
    qint64 parked = 0;             // those of `jobs` that no other bucket counts as parked
    QByteArray id = {};            // of the bucket, as the store has it
};
// A bucket of a rate, and when its present period began. Of a sliding rate the period ends now.
struct RateBucket {
    QByteArray id;
    qint64 since_ms = 0;
    bool sliding = false;
};

// Constraints as the scripts know them (docs/decisions/claiming.md, docs/decisions/epochs.md). Threads, callbacks and errors as for Store.
class ConstraintStore
{
public:
    ConstraintStore() = default;
    ConstraintStore(const ConstraintStore &) = delete;
    ConstraintStore &operator=(const ConstraintStore &) = delete;
    virtual ~ConstraintStore() = default;

    // The parameters apply when the callback is called, with the epoch that is then current. RevisionMismatch when the epoch is no longer
    // `madeAt` (−1: not checked).
    virtual void setConstraints(QList<ConstraintParameters> parameters, qint64 madeAt, EpochChange change, Callback<qint64> callback) = 0;
    // Running or awaiting jobs whose buckets are not those of the current matchers, in pages; the first cursor is 0.
    struct Unread {
        qint64 epoch = 0;
        QList<StoredJob> jobs; // about limits::script_items_max
        quint64 next = 0;
        bool end = true;
    };
    enum class WhichJobs { Running, Awaiting };
    virtual void unread(WhichJobs which, quint64 cursor, Callback<Unread> callback) = 0;
    // Gives running or awaiting jobs these buckets. RevisionMismatch when the epoch has changed. `All`: no other running job is unread.
    enum class Recharged { Some, All };
    virtual void recharge(qint64 epoch, QList<JobBuckets> jobs, Recharged recharged, Callback<Done> callback) = 0;
    // Ready jobs that the current matchers must read again; at most limits::read_jobs_max.
    struct Stale {
        qint64 epoch = 0;
        QList<LanePiece<StoredJob>> lanes; // of some stale lanes; empty: there is none
        qint64 left = 0;           // about how many jobs are unread
        qint64 recharged = 0;      // the last epoch at which all running jobs were recharged
    };
    virtual void stale(Callback<Stale> callback) = 0;
    // Moves jobs whose buckets have changed to their new lanes. RevisionMismatch when the epoch has changed.
    virtual void relane(qint64 epoch, QList<LanePiece<JobBuckets>> pieces, Callback<Done> callback) = 0;
    // Why a job runs or does not run. `buckets` are the job's buckets by the current matchers. NotFound when there is no such job.
    virtual void explain(JobId id, QList<CarriedBucket> buckets, Callback<JobGates> callback) = 0;
    // The buckets of one constraint in pages, unordered. The first cursor is 0; `next` is 0 after the last page.
    struct Buckets {
        QList<BucketState> buckets;
        quint64 next = 0;
    };
    virtual void buckets(int constraint, quint64 cursor, Callback<Buckets> callback) = 0;
    // Switches a slice of a breaker's buckets; the first cursor is 0. NotFound; Conflict when the constraint is not a breaker.
    struct Switched {
        int buckets = 0;           // that were switched
        qint64 opensAt_ms = 0;     // the latest time at which one of them lets probes through
        quint64 next = 0;          // 0: that was the last slice
    };
    virtual void switchBreaker(int constraint, BreakerSwitch what, quint64 cursor, Callback<Switched> callback) = 0;
    // The buckets of these constraints that hold jobs back, unordered. At most `buckets_max` buckets are looked at.
    struct Held {
        QList<HeldBucket> buckets;
        bool complete = true;
        qint64 unmet = 0;          // jobs that one of their buckets holds, though their lanes do not wait at a bucket that does
    };
    virtual void held(QList<int> constraints, int buckets_max, Callback<Held> callback) = 0;
    // The cost of what has started in the periods of these buckets, one number for each. What another algorithm of the rate counted before
    // a change of it is left out until the next start.
    virtual void started(QList<RateBucket> buckets, Callback<QList<qint64>> callback) = 0;
    // The ready jobs of the limits::ready_names_max names that were made last.
    struct Waiting {
        struct Name {
            QByteArray name;
            qint64 jobs = 0;
            qint64 oldestAt_ms = 0;    // when the oldest was made; 0: not known
        };
        QList<Name> names;             // those that have some, unordered
        QList<PriorityNow> priorities; // unordered
        QList<AskedNames> asked;       // of each living engine
        bool complete = true;          // all ready jobs were looked at
        qint64 now_ms = 0;             // Redis' clock
    };
    virtual void waiting(Callback<Waiting> callback) = 0;
    // What keeps each of these jobs from starting, one for each id; the first of its buckets that does.
    struct Hold {
        int constraint = -1;       // −1: nothing does, or the job is not ready
        QByteArray key = {};
        qint64 opensAt_ms = 0;     // 0: not known
    };
    virtual void holds(QList<JobId> ids, Callback<QList<Hold>> callback) = 0;
};

} // namespace junban
