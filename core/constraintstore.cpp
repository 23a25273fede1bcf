#include "core/constraintstore.h"

namespace junban {

JobBuckets readAgain(const Classifier &classifier, const StoredJob &job)
{
    ReadJob read = readBy(&classifier, job.spec);
    return {job.id, std::move(read.buckets), job.digest, read.spec == job.spec ? QByteArray() : packRecord(read.spec)};
}

} // namespace junban
