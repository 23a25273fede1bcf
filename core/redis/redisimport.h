#pragma once

#include "core/redis/redisexport.h"

namespace junban::redis {

// Whether what a broken-off import left may be thrown away.
enum class Leftovers { Keep, Remove };

// Puts a file's content (core/redis/archive.h) into a namespace that is empty. The whole file is read and found whole before anything is
// written. While it goes on the namespace has a layout that masters refuse; an import that fails takes back what it wrote, and one that
// was killed leaves a mark, by which the next is refused, or removes what is there (`leftovers`). An older layout is brought up to date
// at the end.
// Threads: one. Link and device (open for reading, not sequential) must outlive the callback, which comes once, later. Errors: Malformed
// for a foreign or damaged file, Conflict for a newer one or a namespace that is not empty, and those of the link.
void importNamespace(Link &link, const QByteArray &namespaceName, QIODevice &device, Leftovers leftovers, Callback<Moved> callback);

} // namespace junban::redis
