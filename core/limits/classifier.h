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
    QByteArray identity = {};        // tells keys apart whose texts are alike (1 and "1"); empty: the key does
    friend bool operator==(const CarriedBucket &, const CarriedBucket &) = default;
};

// "<number>.<hash of what tells it apart>": what Redis calls a bucket.
QByteArray bucketId(const CarriedBucket &bucket);
// The buckets of a job as the scripts take them: the same list always gives the same bytes. Empty for none. More than
// limits::job_buckets_max are one bucket of constraint 0, which nothing passes.
QByteArray packBuckets(QList<CarriedBucket> buckets);

// What the matchers say of a job.
struct Reading {
    QList<CarriedBucket> buckets;
    SetParameters set = {};          // what its own fields are replaced with
};

// Which buckets a job carries by the matchers in force. The store asks before every enqueue, and for jobs that were read by older
// matchers. Threads: the engine's.
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
    // The same, and what `set` constraints make of the job, which must be as it was pushed.
    virtual Reading read(const JobSpec &spec) const { return {buckets(spec), {}}; }
    // The matcher whose constraint this is, for those who are told that it refuses; empty when it is not known.
    virtual QByteArray matcherOf(int /*constraint*/) const { return {}; }
    // The store met a newer epoch: loads the matchers in force.
    virtual void reload(Callback<Done> callback) = 0;
};

// A job after it was read, or read anew: what it carries, and what it is by `set` from its fields as they were pushed.
struct ReadJob {
    QList<CarriedBucket> buckets;
    JobSpec spec;
};
// Without a classifier nothing reads it.
ReadJob readBy(const Classifier *classifier, const JobSpec &spec);

} // namespace junban
