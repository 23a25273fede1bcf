#include "core/redis/lanepieces.h"

#include "core/redis/numbers.h"
#include "core/redis/replies.h"

namespace junban::redis {

QList<LanePiece<StoredJob>> lanePiecesOf(const Reply &reply)
{
    QList<LanePiece<StoredJob>> pieces;
    for (qsizetype i = 0; i < reply.size(); ++i)
        pieces.append({reply[i][0].bytes(), storedJobsOf(reply[i][3]), reply[i][1].integer(), reply[i][2].integer()});
    return pieces;
}

QList<QByteArray> relaneArguments(const QList<LanePiece<JobBuckets>> &pieces)
{
    QList<QByteArray> arguments;
    for (const LanePiece<JobBuckets> &piece : pieces) {
        arguments << piece.lane << number(piece.mark) << number(piece.behind) << number(piece.jobs.size());
        for (const JobBuckets &job : piece.jobs)
            arguments << job.id.bytes() << packBuckets(job.buckets) << job.digest << job.record;
    }
    return arguments;
}

} // namespace junban::redis
