#pragma once

#include <QtGlobal>

namespace junban {

// What a master with the engine in memory keeps of what it has written, to write it again if Redis loses it.
struct JournalNow {
    qint64 reach_ms = 0;       // how long ago the oldest write of it was sent; 0: nothing is kept, as no crash of one server can lose any
    qint64 bytes = 0;
    qint64 healed = 0;         // answered batches that Redis had lost and has again, since the start
    qint64 leadsSince_ms = 0;  // by this machine's clock; 0: this master does not lead, and has no figures of the namespace
};

} // namespace junban
