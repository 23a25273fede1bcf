#pragma once

#include "core/base/result.h"
#include "core/jobs/fsckreport.h"
#include "core/limits.h"

namespace junban {

// Checks the invariants of a whole namespace while masters work with it, in bounded slices. One script call checks a suspicious entry and
// repairs it, so a change under way is never reported. Repairs are idempotent, and are written to the stream `audit`.
//
// Threads: one, the engine's. Callbacks: once, later, on that thread. Errors: those of the store, and Conflict for a namespace of a newer
// layout; repairs made before an error stay.
class Fsck
{
public:
    Fsck() = default;
    Fsck(const Fsck &) = delete;
    Fsck &operator=(const Fsck &) = delete;
    virtual ~Fsck() = default;

    // Checks a part: at most limits::fsck_calls_max script calls, from a cursor on (empty: from the beginning; then FsckReport::next).
    // InvalidField for "cursor" when it is not one that a report gave.
    virtual void look(Repair repair, QByteArray cursor, Callback<FsckReport> callback) = 0;
    // Checks everything.
    virtual void run(Repair repair, Callback<FsckReport> callback) = 0;
};

} // namespace junban
