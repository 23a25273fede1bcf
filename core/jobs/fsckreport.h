#pragma once

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

} // namespace junban
