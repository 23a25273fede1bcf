#pragma once

#include "core/jobs/job.h"
#include "core/limits/constraint.h"

#include <QList>

namespace junban {

// One bucket that a job carries: a constraint's state for one key.
struct CarriedBucket {
    int constraint = 0;              // the constraint's number in this namespace
    QByteArray key;                  // as operators see it, e.g. "eu"; at most limits::bucket_key_bytes_max
    int cost = 1;                    // from 1
    QByteArray identity = {};        // distinguishes keys with the same text (1 and "1"); empty: the key is enough
    friend bool operator==(const CarriedBucket &, const CarriedBucket &) = default;
};

// "<constraint's number>.<hash of its identity>": the name of a bucket in Redis.
QByteArray bucketId(const CarriedBucket &bucket);
// The buckets of a job as the scripts take them: the same list always gives the same bytes. Empty for none. More than
// limits::job_buckets_max become one bucket of constraint 0, which admits no job.
QByteArray packBuckets(QList<CarriedBucket> buckets);

// What the matchers give to a job.
struct Reading {
    QList<CarriedBucket> buckets;
    SetParameters set = {};          // what its own fields are replaced with
};

// Decides by the matchers in force which buckets a job carries. The store asks before every enqueue, and again for jobs that were
// classified by older matchers. Threads: the engine's.
class Classifier
{
public:
    Classifier() = default;
    Classifier(const Classifier &) = delete;
    Classifier &operator=(const Classifier &) = delete;
    virtual ~Classifier() = default;

    // Grows with every change that may change a job's buckets; 0 while there was no matcher.
    virtual qint64 epoch() const = 0;
    virtual QList<CarriedBucket> buckets(const JobSpec &spec) const = 0;
    // The same, and the fields that `set` constraints replace. The job must be as it was pushed.
    virtual Reading read(const JobSpec &spec) const { return {buckets(spec), {}}; }
    // The matcher that has this constraint, for messages; empty when it is not known.
    virtual QByteArray matcherOf(int /*constraint*/) const { return {}; }
    // The store met a newer epoch: loads the matchers in force.
    virtual void reload(Callback<Done> callback) = 0;
};

// A job after it was classified, or classified again: its buckets, and its fields as pushed with what `set` replaces.
struct ReadJob {
    QList<CarriedBucket> buckets;
    JobSpec spec;
};
// Without a classifier it has no buckets and stays as it is.
ReadJob readBy(const Classifier *classifier, const JobSpec &spec);

} // namespace junban
