#pragma once

#include "core/redis/redisexport.h"

namespace junban::redis {

// Whether the keys of an interrupted import may be removed.
enum class Leftovers { Keep, Remove };

// Writes the content of a file (core/redis/archive.h) into an empty namespace. The whole file is checked before anything is written. During
// the import the namespace has a layout that masters refuse. An import that fails removes what it wrote. One that was killed leaves a mark:
// the next import is then refused, or first removes what is there (`leftovers`). At the end an older layout is brought up to date.
// Threads: one. Link and device (open for reading, not sequential) must outlive the callback, which comes once, later. Errors: Malformed
// for another file or a damaged one, Conflict for one of a newer version or a namespace that is not empty, and those of the link.
void importNamespace(Link &link, const QByteArray &namespaceName, QIODevice &device, Leftovers leftovers, Callback<Moved> callback);

} // namespace junban::redis
