#pragma once

#include "core/base/reason.h"

#include <QByteArray>
#include <QList>

namespace junban {

// One violation of an invariant of a namespace (docs/semantics.md, I1 … I17).
struct Violation {
    QByteArray invariant;          // "I3"
    QByteArray key;                // the Redis key without the namespace's prefix; ids are in text form
    Reason reason;                 // its sentence is `text`
    bool repaired = false;
};
struct FsckReport {
    qint64 checked = 0;            // jobs and entries of indexes
    qint64 found = 0;
    qint64 repaired = 0;
    QList<Violation> violations;   // the first limits::fsck_violations_max of them
    QByteArray next;               // the cursor for the next look(); empty: everything was checked
};

enum class Repair { No, Yes };

} // namespace junban
