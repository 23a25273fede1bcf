#pragma once

#include "core/constraintstore.h"
#include "core/redis/reply.h"

// Jobs on their way to the matchers and back: what lib/reading.lua gives, and what relane.lua takes of it. Only the files of this room use
// these.
namespace junban::redis {

QList<LanePiece<StoredJob>> lanePiecesOf(const Reply &reply);
QList<QByteArray> relaneArguments(const QList<LanePiece<JobBuckets>> &pieces);

} // namespace junban::redis
