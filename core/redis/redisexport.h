#pragma once

#include "core/redis/archive.h"
#include "core/redis/link.h"

namespace junban::redis {

// The result of an export or an import.
struct Moved {
    qint64 keys = 0;
    ArchiveHeader header;
};

// How many engine threads of masters have swept the namespace within the last limits::engine_seen_s. The link must outlive the callback.
void countEngines(Link &link, const QByteArray &namespaceName, Callback<qint64> callback);

// Writes a whole namespace into a file (core/redis/archive.h) that is open for writing. No master may be running: when something changed
// meanwhile, the answer is Conflict and the file is useless. Keys that are only about running masters are left out.
// Threads: one. Link and device must outlive the callback, which comes once, later. Errors: NotFound when the namespace does not exist,
// Conflict, those of the link, and Internal when the file cannot be written.
void exportNamespace(Link &link, const QByteArray &namespaceName, QIODevice &device, Callback<Moved> callback);

} // namespace junban::redis
