#pragma once

#include "core/redis/reply.h"
#include "core/store/constraintstore.h"

// Jobs on their way to the matchers and back: what pieces/reading.lua and unread.lua give, and what relane.lua takes of it. Only the
// files of this room use these.
namespace junban::redis {

// Of ids and the lists of their records (pieces/bulk.lua), which may be those of the first of them.
QList<StoredJob> storedJobsOf(const Reply &ids, const Reply &lists);
QList<LanePiece<StoredJob>> lanePiecesOf(const Reply &reply);
QList<QByteArray> relaneArguments(const QList<LanePiece<JobBuckets>> &pieces);

} // namespace junban::redis
