#pragma once

#include "core/engine/limiter.h"
#include "core/engine/writes.h"
#include "core/limits/constraint.h"

#include <map>
#include <set>

// The constraints in force, and their buckets.
namespace junban::engine {

struct ActiveConstraint;
struct Bucket;
struct JobEntry;
struct Lane;
class LaneSet;

struct ByLaneHead {
    bool operator()(const Lane *a, const Lane *b) const;
};

// Lanes of one name (lanes.h) that hang at one bucket, where they have the same cost. A group that is open stands in the order of its set.
struct LaneGroup {
    LaneSet *set = nullptr;
    Bucket *bucket = nullptr;            // null: lanes without charges, which nothing holds
    qint64 cost = 0;
    std::set<Lane *, ByLaneHead> lanes = {};
    JobEntry *head = nullptr;            // of the first lane; null: there is none
    qint64 jobs = 0;                     // in all its lanes
    bool open = false;                   // the bucket admitted its cost when it was looked at last
};

// One constraint's state for one key. It outlives edits of limits and expressions.
struct Bucket {
    ActiveConstraint *constraint = nullptr;
    QByteArray identity;                 // the key (core/limits/bucketkey.h)
    QByteArray text;                     // the key as operators see it
    std::unique_ptr<Limiter> limiter;
    qint64 used = 0;                     // the cost of the running jobs that are charged here
    int running = 0;                     // how many these are
    qint64 ready = 0;                    // ready jobs that carry it, as far as the present matchers have read them
    qint64 lacks = 0;                    // Limiter::lacks(), which ActiveConstraint::lacking has in its sum
    qint64 wouldHold = 0;                // jobs that started though it would have held them if it did not only observe
    int lanes = 0;                       // that carry it
    qint64 wakesAt_ms = 0;               // when it is looked at because time may have opened it; 0: never
    qint64 idleAt_ms = 0;                // when it is looked at because no job has it; 0: never
    bool stored = false;                 // Redis has its field
    bool changed = false;                // the present call has to write it
    std::map<std::pair<qint64, quint64>, LaneGroup> groups; // by cost and LaneSet::number
};

struct ActiveConstraint {
    int number = 0;                      // in this namespace, from 1; 0: admits no job
    Constraint value;
    const LimiterKind *kind = nullptr;
    qint64 savedAt_ms = 0;               // when it, or another constraint of its matcher, was edited last
    bool retired = false;                // it was deleted; lanes that no new matcher has read yet still carry its buckets
    std::shared_ptr<const Parameters> parameters; // of all keys without an override
    std::map<QByteArray, Bucket> buckets;         // by identity
    qint64 used = 0, lacking = 0;        // the sums of these, where keys share
};

// What a job is charged in one bucket while it runs.
struct Charge {
    Bucket *bucket = nullptr;
    qint64 cost = 1;
    bool counted = false;                // the limiter has counted this start, so it can be given back

    // Whether the same bucket is charged alike.
    friend bool operator==(const Charge &a, const Charge &b) { return a.bucket == b.bucket && a.cost == b.cost; }
    friend auto operator<=>(const Charge &a, const Charge &b)
    {
        return std::pair(reinterpret_cast<quintptr>(a.bucket), a.cost) <=> std::pair(reinterpret_cast<quintptr>(b.bucket), b.cost);
    }
};
using Charges = std::vector<Charge>;     // each bucket once, in the order in which a claim asks them

// Whether a bucket lets a job start, by its constraint's mode.
struct Admitted {
    bool admits = true;
    bool observed = false;               // it would not if its constraint did not only observe
    qint64 opensAt_ms = 0;               // as Verdict's
    qint64 ofAllKeys = 0;                // as Verdict's
};

class Buckets
{
public:
    // Both must outlive it.
    Buckets(const qint64 &now_ms, Writes &writes);
    Buckets(const Buckets &) = delete;
    Buckets &operator=(const Buckets &) = delete;
    ~Buckets();

    // Puts a constraint into force, or its new parameters. Precondition: limiterKind() has its kind, which never changes for a number.
    ActiveConstraint &put(int number, const Constraint &constraint, qint64 savedAt_ms);
    void retire(int number);
    ActiveConstraint *find(int number);
    const ActiveConstraint *find(int number) const { return const_cast<Buckets *>(this)->find(number); }
    ActiveConstraint *find(const QByteArray &id);
    const std::map<int, ActiveConstraint> &constraints() const { return m_constraints; }
    // The bucket with this key, which is made if there is none.
    Bucket &bucket(ActiveConstraint &constraint, const QByteArray &identity);
    Bucket &bucket(ActiveConstraint &constraint, const QByteArray &identity, const QByteArray &text);

    Admitted admits(const Bucket &bucket, qint64 cost) const;
    // For those who watch: whether it holds jobs of this cost back, also a rate that admits one of very many at this moment.
    Admitted holdsBack(const Bucket &bucket, qint64 cost) const;
    void charge(Charge &charge);
    // The attempt ends, or the running job loses the charge (AttemptEnd::Other).
    void uncharge(const Charge &charge, qint64 startedAt_ms, AttemptEnd how, qint64 retryAfter_ms = 0);
    // A running job gets a charge that it did not start with; or, at a load, had it before.
    void addRunning(const Charge &charge);
    // By hand. Precondition: the constraint is a breaker. Opens for so long; nothing: as long as its parameters say. Returns until when.
    qint64 trip(Bucket &bucket, std::optional<qint64> openFor_ms);
    void reset(Bucket &bucket);
    void noteWouldHold(Bucket &bucket);
    // So many ready jobs more carry it.
    void countReady(Bucket &bucket, qint64 by);
    // The next constraint whose keys share, and of which any bucket may have opened; null: none.
    ActiveConstraint *nextReopened();
    // No lane carries the bucket any more, or one less: it may be forgotten.
    void released(Bucket &bucket);

    // The bucket is to be looked at again at this time.
    void wakeAt(Bucket &bucket, qint64 at_ms);
    // The first bucket whose time has come, which is taken from the order; null: none.
    Bucket *nextAwake();
    qint64 nextWake_ms() const { return m_wakes.empty() ? 0 : m_wakes.begin()->first; }
    // Forgets buckets that no job has and whose state has no effect any more.
    void forgetIdle(bool &more);

    // Writes the buckets that this call has changed.
    void writeChanges();
    // For loads: the fields of a constraint's key. Returns the field that cannot be read; empty: all could.
    QByteArray load(ActiveConstraint &constraint, const QList<Stored::Field> &fields);
    // The first bucket in which two differ, as "buckets.<number>.<key>"; empty: none.
    friend QByteArray differenceOfBuckets(const Buckets &a, const Buckets &b);

private:
    Question question(const Bucket &bucket, qint64 cost) const;
    void giveParameters(Bucket &bucket);
    void noteChange(Bucket &bucket);
    void use(Bucket &bucket, qint64 cost);
    void countLack(Bucket &bucket);
    void changed(Bucket &bucket);
    void forget(Bucket &bucket);
    void write(Bucket &bucket);

    const qint64 &m_now_ms;
    Writes &m_writes;
    std::map<int, ActiveConstraint> m_constraints;
    std::map<QByteArray, int> m_numbers;          // by the constraint's id
    std::set<std::pair<qint64, Bucket *>> m_wakes, m_idle;
    std::vector<Bucket *> m_changed;
    std::set<ActiveConstraint *> m_reopened;
};

QByteArray constraintKey(int number);             // "c:12"

} // namespace junban::engine
