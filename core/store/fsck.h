#pragma once

#include "core/base/result.h"
#include "core/jobs/fsckreport.h"
#include "core/limits.h"

namespace junban {

// Looks at a whole namespace beside live masters, in bounded slices. Each suspect is looked at, and repaired, by one script, so nothing
// is found that is only under way. Repairs are idempotent and told in the stream `audit`.
//
// Threads: one, the engine's. Callbacks: once, later, on that thread. Errors: those of the store, and Conflict for a namespace of a newer
// layout; what was repaired by then stays so.
class Fsck
{
public:
    Fsck() = default;
    Fsck(const Fsck &) = delete;
    Fsck &operator=(const Fsck &) = delete;
    virtual ~Fsck() = default;

    // A part of it, at most limits::fsck_calls_max script calls, from a cursor (empty: from the beginning). InvalidField with field
    // "cursor" when the cursor is not one of ours.
    virtual void look(Repair repair, QByteArray cursor, Callback<FsckReport> callback) = 0;
    // All of it.
    virtual void run(Repair repair, Callback<FsckReport> callback) = 0;
};

} // namespace junban
