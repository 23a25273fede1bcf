#include "core/constraintstore.h"

namespace junban {

JobBuckets readAgain(const Classifier &classifier, const StoredJob &job)
{
    ReadJob read = readBy(&classifier, job.spec);
    return {job.id, std::move(read.buckets), job.digest, read.spec == job.spec ? QByteArray() : packRecord(read.spec)};
}

QList<LanePiece<JobBuckets>> readAgain(const Classifier &classifier, const QList<LanePiece<StoredJob>> &pieces)
{
    QList<LanePiece<JobBuckets>> read;
    for (const LanePiece<StoredJob> &piece : pieces) {
        read.append({piece.lane, {}, piece.mark, piece.behind});
        for (const StoredJob &job : piece.jobs)
            read.last().jobs.append(readAgain(classifier, job));
    }
    return read;
}

} // namespace junban
