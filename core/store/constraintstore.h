#pragma once

#include "core/limits/classifier.h"
#include "core/store/store.h"

#include <optional>

namespace junban {

// A constraint's parameters as the scripts take them (core/lua/schema.lua names them); empty deletes it.
struct ConstraintParameters {
    int number = 0;
    QByteArray packed;
};
enum class EpochChange { Keep, New };

// A job as its record says, and the record's SHA-1: it may have been written by another release, otherwise than this one would.
struct StoredJob {
    JobId id;
    JobSpec spec;
    QByteArray digest = {};
};

struct JobBuckets {
    JobId id;
    QList<CarriedBucket> buckets;
    // relane() only: the digest of the record that was read, so that a job that was edited meanwhile is read again (empty: whatever it is
    // now), and what the record becomes by `set` (empty: as it is).
    QByteArray digest = {};
    QByteArray record = {};
};
// Jobs of one stale lane that the matchers in force must read (StoredJob), or have read (JobBuckets).
template<typename Job>
struct LanePiece {
    QByteArray lane;
    QList<Job> jobs;               // at least one
    qint64 mark = -1;              // how many of the lane's jobs were unread, if that was noted
    qint64 behind = -1;            // how many are unread behind these; −1: these are its first, and a claim waits for them
};
// What the matchers in force say of it.
JobBuckets readAgain(const Classifier &classifier, const StoredJob &job);
// As far as they go to limits::read_lanes_max lanes; what is left out is told to be unread.
QList<LanePiece<JobBuckets>> readAgain(const Classifier &classifier, const QList<LanePiece<StoredJob>> &pieces);

// One of a job's buckets, and whether it lets the job through.
struct BucketGate {
    int constraint = 0;
    QByteArray key;
    int cost = 1;
    bool admits = true;            // a claim would pass it now, were there no other
    bool observed = false;         // it would hold, but only observes
    qint64 used = 0;               // cost of the jobs that run, and what is kept for others if that is what holds
    qint64 waiting = 0;            // ready jobs that carry it
    qint64 opensAt_ms = 0;         // 0: not by time alone, or open
    QList<JobId> holders;          // jobs that run and carry it, the first few
    bool ofAllKeys = false;        // a share that its capacity holds: `used` is that of all keys together
};
// All that an explanation of a job is made of.
struct JobGates {
    bool stale = false;            // the matchers have not read the job since they were changed; the gates are those of a claim now
    QList<BucketGate> gates;       // in the order in which a claim asks them
    qint64 position = -1;          // how many jobs that carry the same stand before it; −1: it is not ready
    qint64 now_ms = 0;
    QList<AskedNames> asked;      // of each engine that is there
};

enum class BreakerState { Closed, Open, HalfOpen };

// A bucket as operators see it.
struct BucketState {
    int constraint = 0;
    QByteArray key;
    qint64 used = 0, waiting = 0, wouldHold = 0;
    bool open = true;              // a job of cost 1 may start
    qint64 opensAt_ms = 0;
    QList<JobId> holders;
    BreakerState breaker = BreakerState::Closed; // of a breaker
};

// What somebody does to a breaker by hand.
struct BreakerSwitch {
    BreakerState to = BreakerState::Open;        // or Closed
    std::optional<QByteArray> key = {};          // of buckets with this text; nothing: of all there are
    std::optional<qint64> openFor_ms = {};       // nothing: as long as its next opening takes by its parameters
    std::optional<CarriedBucket> only = {};      // made and opened when it is not there: that of a constraint without `by`
    QByteArray who = {}, id = {};                // who did it, and the constraint's id: for the audit
};

// A bucket that holds jobs back.
struct HeldBucket {
    int constraint = 0;
    QByteArray key;
    qint64 jobs = 0;               // ready jobs that it holds, as far as can be told in bounded work
    qint64 used = 0;               // as a BucketGate's, for the least cost that it holds
    qint64 opensAt_ms = 0;         // 0: not by time alone
    bool ofAllKeys = false;        // as a BucketGate's
    qint64 oldestAt_ms = 0;        // when the oldest of the first that wait was made
};

// What the scripts know of constraints (docs/decisions/claiming.md, docs/decisions/epochs.md). Threads, callbacks and errors as Store's.
class ConstraintStore
{
public:
    ConstraintStore() = default;
    ConstraintStore(const ConstraintStore &) = delete;
    ConstraintStore &operator=(const ConstraintStore &) = delete;
    virtual ~ConstraintStore() = default;

    // In force with the reply, which says the epoch. RevisionMismatch when the epoch is not `madeAt` any more (−1: any).
    virtual void setConstraints(QList<ConstraintParameters> parameters, qint64 madeAt, EpochChange change, Callback<qint64> callback) = 0;
    // Running or awaiting jobs that the matchers in force have not charged, from a cursor (0 at first) on.
    struct Unread {
        qint64 epoch = 0;
        QList<StoredJob> jobs; // about limits::script_items_max
        quint64 next = 0;
        bool end = true;
    };
    enum class WhichJobs { Running, Awaiting };
    virtual void unread(WhichJobs which, quint64 cursor, Callback<Unread> callback) = 0;
    // They carry these buckets from now on. RevisionMismatch when the epoch is another. `All`: nothing else that runs is unread.
    enum class Recharged { Some, All };
    virtual void recharge(qint64 epoch, QList<JobBuckets> jobs, Recharged recharged, Callback<Done> callback) = 0;
    // Jobs of stale lanes that the matchers must read again; at most limits::read_jobs_max.
    struct Stale {
        qint64 epoch = 0;
        QList<LanePiece<StoredJob>> lanes; // of some of them; empty: none is stale
        qint64 left = 0;           // about how many jobs are unread
        qint64 recharged = 0;      // the epoch at which all that runs was charged last
    };
    virtual void stale(Callback<Stale> callback) = 0;
    // Those that carry other buckets than before move to where they belong. RevisionMismatch when the epoch is another.
    virtual void relane(qint64 epoch, QList<LanePiece<JobBuckets>> pieces, Callback<Done> callback) = 0;
    // `buckets` are those of the job by the matchers in force.
    virtual void explain(JobId id, QList<CarriedBucket> buckets, Callback<JobGates> callback) = 0;
    // Buckets of one constraint, in no order, from a cursor (0 at first); the next one is 0 at the end.
    struct Buckets {
        QList<BucketState> buckets;
        quint64 next = 0;
    };
    virtual void buckets(int constraint, quint64 cursor, Callback<Buckets> callback) = 0;
    // A slice of its buckets from a cursor (0 at first) on, in force with the reply. NotFound, or Conflict when it is no breaker.
    struct Switched {
        int buckets = 0;
        qint64 opensAt_ms = 0;     // the latest of them
        quint64 next = 0;          // 0: those were all
    };
    virtual void switchBreaker(int constraint, BreakerSwitch what, quint64 cursor, Callback<Switched> callback) = 0;
    // Of these constraints, in no order; at most `buckets_max` are looked at.
    struct Held {
        QList<HeldBucket> buckets;
        bool complete = true;
    };
    virtual void held(QList<int> constraints, int buckets_max, Callback<Held> callback) = 0;
};

} // namespace junban
