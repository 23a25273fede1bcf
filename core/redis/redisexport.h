#pragma once

#include "core/redis/archive.h"
#include "core/redis/link.h"

namespace junban::redis {

// What an export or an import did.
struct Moved {
    qint64 keys = 0;
    ArchiveHeader header;
};

// Writes everything of a namespace into a file (core/redis/archive.h) that is open for writing. No master may be at work: when something
// changed meanwhile, the answer is Conflict and what was written is worth nothing. Left out is what is only about masters that run.
// Threads: one. Link and device must outlive the callback, which comes once, later. Errors: NotFound for a namespace that is not there,
// Conflict, those of the link, and Internal when the file cannot be written.
void exportNamespace(Link &link, const QByteArray &namespaceName, QIODevice &device, Callback<Moved> callback);

} // namespace junban::redis
