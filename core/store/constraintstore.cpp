#include "core/store/constraintstore.h"

#include "core/limits.h"

#include <QSet>
#include <utility>

namespace junban {

JobBuckets readAgain(const Classifier &classifier, const StoredJob &job)
{
    if (job.spec.name.isEmpty())
        return {job.id, {}, job.digest, {}}; // its record cannot be read, and must stay as it is; a claim puts it off
    ReadJob read = readBy(&classifier, job.spec);
    return {job.id, std::move(read.buckets), job.digest, read.spec == job.spec ? QByteArray() : packRecord(read.spec)};
}

QList<LanePiece<JobBuckets>> readAgain(const Classifier &classifier, const QList<LanePiece<StoredJob>> &pieces)
{
    QList<LanePiece<JobBuckets>> read;
    QSet<QByteArray> lanes;
    for (const LanePiece<StoredJob> &piece : pieces) {
        LanePiece<JobBuckets> part{piece.lane, {}, piece.mark, piece.behind};
        for (const StoredJob &job : piece.jobs) {
            JobBuckets buckets = readAgain(classifier, job);
            lanes.insert(job.spec.name + '\0' + packBuckets(buckets.buckets));
            if (lanes.size() > limits::read_lanes_max)
                break;
            part.jobs.append(std::move(buckets));
        }
        if (part.behind >= 0)
            part.behind += piece.jobs.size() - part.jobs.size();
        if (!part.jobs.isEmpty())
            read.append(std::move(part));
        if (lanes.size() > limits::read_lanes_max)
            break;
    }
    return read;
}

} // namespace junban
