#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QList>
#include <optional>

namespace junban {

// A part of the day, on some days of the week, in which something may start: {from: "22:00", to: "06:00", tz, days}.
//
// On each of its days (the days it opens on) a window is one span of real time. It opens when the wall clock first shows `from` or later
// (TimeZone::firstAt_ms), and closes when the clock will never again show a time before `to` (TimeZone::settledAt_ms). So a skipped time
// means the end of the gap; of a time that comes twice, the first opens and the second closes; and a window within a gap does not open
// on that day. `to` < `from` means overnight, `to` == `from` 24 hours of the wall clock. The windows of a list are a union: windows that
// touch or overlap are one opening.
struct Window {
    int from_min = 0;                // after midnight, 0 … 1439
    int to_min = 1'440;              // 0 … 1440
    QByteArray tz = "UTC";           // of the IANA database
    quint8 days = 0x7f;              // bit 0 is Monday

    friend bool operator==(const Window &, const Window &) = default;
};

// Reads a list as the API has it: a MessagePack array of maps {from, to, tz?, days?}, with times "HH:MM" (`to` may be "24:00") and days
// "mon" … "sun". Errors: InvalidField with the path below `field`, e.g. "windows[1].tz"; TooLarge for more than limits::windows_max;
// Malformed.
enum class Zones {
    Checked, // each must be in this machine's database: a request
    Any,     // they were checked before, perhaps by a machine with another database
};
Result<QList<Window>> windowsFromMsgpack(QByteArrayView array, const QByteArray &field, Zones zones = Zones::Checked);
// One of them.
Result<Window> windowFromMsgpack(QByteArrayView map, const QByteArray &field);
// Writes the list as it is read, with all fields.
QByteArray windowsToMsgpack(const QList<Window> &windows);

// The first zone of a list that this machine's database does not have; nothing when it has all of them.
std::optional<QByteArray> lostZone(const QList<Window> &windows);

// The functions below take windows as they were read above, and moments in milliseconds since the epoch. With a zone that this machine's
// database does not have (another machine may have read the list) nobody knows when they are open: they count as closed, and have no
// boundaries. An empty list is always open.
bool isOpen(const QList<Window> &windows, qint64 at_ms);

// `at_ms` itself when the union is open then, else the next opening.
qint64 nextOpening_ms(const QList<Window> &windows, qint64 at_ms);

// The next `count` moments after `from_ms` at which the union opens or closes. They alternate; the first one is a closing when the union
// is open at `from_ms`. Fewer than `count` when it never changes again, as it stays open.
QList<qint64> boundaries_ms(const QList<Window> &windows, qint64 from_ms, int count);

} // namespace junban
