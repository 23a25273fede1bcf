#pragma once

#include "core/cel/evaluation.h"
#include "core/jobs/job.h"
#include "core/limits/matcher.h"
#include "core/limits/tieexample.h"

#include <QHash>
#include <QList>
#include <memory>
#include <optional>

namespace junban {

// A bucket that a job is in.
struct BucketHit {
    QByteArray constraint;       // its id
    ConstraintKind kind = ConstraintKind::Concurrency;
    ConstraintMode mode = ConstraintMode::Enforce;
    QByteArray key;              // core/limits/bucketkey.h
    qint64 amount = 1;           // what it costs there; fair: the weight of its key
    friend bool operator==(const BucketHit &, const BucketHit &) = default;
};

// An expression that failed for a job, and so did not match.
struct MatcherFault {
    QByteArray matcher;
    cel::Cause cause = cel::Cause::NoSuchField;
    friend bool operator==(const MatcherFault &, const MatcherFault &) = default;
};

// What the matchers decide for one job.
struct Classification {
    QList<QByteArray> matchers;  // that match, by id
    QList<BucketHit> buckets;    // by constraint id; at most limits::job_buckets_max
    bool tooMany = false;        // there were more: the job is held, with this reason
    SetParameters set;           // what the job's own fields are replaced with
    // The matchers that do so, for the fields that an operator can edit; null: none. They live as long as the set.
    struct SetBy {
        const JobMatcher *priority = nullptr, *timeout = nullptr, *maxRetry = nullptr;
    };
    SetBy setBy;
    QList<MatcherFault> faults;
    QList<QByteArray> closed;    // matchers that cannot be read and may match: the job is held, with this reason
};

// All matchers of a namespace, compiled once, for classifying jobs. Immutable, shared between threads; each thread brings a
// cel::Evaluation of its own. Only the matchers that can match a job's name are evaluated.
class MatcherSet
{
public:
    MatcherSet() = default;
    // Errors: InvalidField when two matchers or two constraints have one id.
    static Result<std::shared_ptr<const MatcherSet>> make(QList<std::shared_ptr<const CompiledMatcher>> matchers);

    Classification classify(const JobSpec &spec, QByteArrayView pusher, cel::Evaluation &evaluation) const;
    // Whether any matcher could match a job of this name: without one there is nothing to classify.
    bool concerns(const QByteArray &name) const { return !candidates(name).isEmpty(); }

    const QList<std::shared_ptr<const CompiledMatcher>> &matchers() const { return m_matchers; } // by id
    std::shared_ptr<const CompiledMatcher> matcher(QByteArrayView id) const;
    // The constraint with this id, in its matcher; null when there is none. It lives as long as this set.
    const Constraint *constraint(const QByteArray &id) const;
    // The matcher that has it; null when there is none.
    const JobMatcher *matcherOf(const QByteArray &constraint) const;

    // The matchers that are evaluated for a job of this name, as indexes in matchers(), in order.
    QList<qsizetype> candidates(const QByteArray &name) const;

private:
    struct Place {
        qsizetype matcher = 0;
        qsizetype constraint = 0;
    };
    void index(qsizetype at);
    // `parts`: whether the job's argument is a map or a list.
    void hits(const CompiledMatcher &compiled, const cel::Bindings &bindings, bool parts, cel::Evaluation &evaluation,
        QList<BucketHit> &into) const;

    QList<std::shared_ptr<const CompiledMatcher>> m_matchers;
    QHash<QByteArray, Place> m_constraints;
    QHash<QByteArray, QList<qsizetype>> m_byName;
    QHash<QByteArray, QList<qsizetype>> m_byPrefix;
    QList<qsizetype> m_prefixLengths; // of m_byPrefix, each once
    QList<qsizetype> m_rest;          // any name
};

// The job as it was pushed, before `set` constraints changed it.
JobSpec asPushed(JobSpec spec);
// The job as `set` constraints change it; it remembers what was pushed.
JobSpec withSet(JobSpec spec, const SetParameters &set);

// Two `set` constraints of the same rank that set a field of one job differently: nothing says which of them wins.
struct SetTie {
    QByteArray first;     // constraints
    QByteArray second;
    bool own = false;     // both belong to one matcher, and so tie for all its jobs
    std::optional<TieExample> example; // a job that both matchers match; none was found: there may be one all the same
};
// Ties within `matcher` and with the others of the set, except its own older revision. A tie of two matchers without an example is only
// possible, because the search does not understand every expression (core/limits/tieexample.h). Constraints that are not enforced, or
// that one of the two matchers exempts its jobs from, do not tie.
QList<SetTie> setTies(const MatcherSet &set, const CompiledMatcher &matcher);

} // namespace junban
