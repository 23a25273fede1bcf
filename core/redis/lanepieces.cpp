#include "core/redis/lanepieces.h"

#include "core/redis/numbers.h"
#include "core/redis/replies.h"

#include <QCryptographicHash>

namespace junban::redis {

QList<StoredJob> storedJobsOf(const Reply &ids, const Reply &lists)
{
    QList<StoredJob> jobs;
    eachRecord(lists, [&](qsizetype at, const Reply &record) {
        jobs.append({JobId::fromBytes(ids[at].view()).value_or(JobId()),
            unpackRecord(record.view()).value_or(JobSpec()), QCryptographicHash::hash(record.bytes(), QCryptographicHash::Sha1).toHex()});
    });
    return jobs;
}

QList<LanePiece<StoredJob>> lanePiecesOf(const Reply &reply)
{
    QList<LanePiece<StoredJob>> pieces;
    for (qsizetype i = 0; i < reply.size(); ++i) {
        const Reply piece = reply[i];
        pieces.append({piece[0].bytes(), storedJobsOf(piece[3], piece[4]), piece[1].integer(), piece[2].integer()});
    }
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
