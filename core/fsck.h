#pragma once

#include "core/limits.h"
#include "core/result.h"

#include <QByteArray>
#include <QList>

namespace junban {

// One breach of an invariant of a namespace (I1 … I17).
struct Violation {
    QByteArray invariant;          // "I3"
    QByteArray key;                // where, without the namespace's prefix; `j:` is followed by the job's id
    QByteArray text;
    bool repaired = false;
};
struct FsckReport {
    qint64 checked = 0;            // jobs and entries of indexes
    qint64 found = 0;
    qint64 repaired = 0;
    QList<Violation> violations;   // the first limits::fsck_violations_max of them
    QByteArray next;               // where look() goes on; empty: all was looked at
};

enum class Repair { No, Yes };

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
