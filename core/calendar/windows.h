#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

namespace junban {

// The part of a day, on some days of the week, in which something may start: {from: "22:00", to: "06:00", tz, days}.
//
// On each of its days (the day it opens on) a window is one span of real time: it opens at the first moment at which the wall clock
// shows `from` or later, and it closes at the moment from which on the wall clock never shows less than `to`. So a time that is skipped
// stands for the end of the gap, of a time that comes twice the first opens and the last closes, and a window that lies within a gap
// does not open on that day. `to` ≤ `from` means overnight; `to` == `from` is a whole day from then on. Windows of a list are one
// union: what adjoins or overlaps is one opening.
struct Window {
    int from_min = 0;                // after midnight, 0 … 1439
    int to_min = 1'440;              // 0 … 1440
    QByteArray tz = "UTC";           // of the IANA database
    quint8 days = 0x7f;              // bit 0 is Monday

    friend bool operator==(const Window &, const Window &) = default;
};

// Reads a list as the API has it, a MessagePack array of maps {from, to, tz?, days?} with "HH:MM" ("24:00" may be an end) and days of
// "mon" … "sun". Errors: InvalidField with the path below `field`, e.g. "windows[1].tz"; TooLarge beyond limits::windows_max; Malformed.
Result<QList<Window>> windowsFromMsgpack(QByteArrayView array, const QByteArray &field);
// The same list back, everything spelled out.
QByteArray windowsToMsgpack(const QList<Window> &windows);

// What follows takes windows that were read as above, and moments as milliseconds since the epoch. A zone that this machine's database
// does not have, though another machine's had it, counts as UTC. An empty list is always open.
bool isOpen(const QList<Window> &windows, qint64 at_ms);

// `at_ms` itself while it is open, else the next opening.
qint64 nextOpening_ms(const QList<Window> &windows, qint64 at_ms);

// The next `count` moments after `from_ms` at which the union opens or closes, in turns: the first one closes it when it is open at
// `from_ms`. Fewer when it never changes again (always open).
QList<qint64> boundaries_ms(const QList<Window> &windows, qint64 from_ms, int count);

} // namespace junban
