#pragma once

#include "core/redis/reply.h"
#include "core/store/constraintstore.h"

// The replies and arguments of the scripts by which matchers read jobs again: pieces/reading.lua and unread.lua send the jobs, relane.lua
// takes the result. Only the files of this room use these.
namespace junban::redis {

// Jobs from their ids and the lists of their records (pieces/bulk.lua). There may be fewer records than ids: those of the first ids.
QList<StoredJob> storedJobsOf(const Reply &ids, const Reply &lists);
QList<LanePiece<StoredJob>> lanePiecesOf(const Reply &reply);
QList<QByteArray> relaneArguments(const QList<LanePiece<JobBuckets>> &pieces);

} // namespace junban::redis
