#pragma once

#include "core/base/result.h"

#include <optional>

namespace junban {

// Milliseconds since the epoch as ISO 8601 UTC with milliseconds: "2026-01-02T03:04:05.678Z", the form of every time on the wire. For the
// years 0 to 9999.
QByteArray isoTime(qint64 at_ms);

// Milliseconds since the epoch, of a date and time in the extended form of ISO 8601 with 'Z' or an offset (RFC 3339, where seconds may be
// left out; 24:00 is the end of the day). Nothing for any other text, also for a time without a zone and for a leap second.
std::optional<qint64> fromIsoTime(QByteArrayView text);

// A time as somebody sent it. Every time that a master is sent is read by readTime().
struct SentTime {
    std::optional<qint64> at_ms;   // nothing: it is refused
    Error (*refusal)(QByteArrayView field) = nullptr; // why
};
enum class Zone { Needed, MayBeLeftOut };
// Within limits::time_ms_min and limits::time_ms_max. With Zone::MayBeLeftOut in any form that ISO 8601 has.
SentTime readTime(QByteArrayView text, Zone zone = Zone::Needed);

// Whether it is a day of the same range, as "2026-01-02".
bool isDay(QByteArrayView text);

// As fromIsoTime(), but every form that ISO 8601 has for a day or a time of a day: extended or basic; by month, by week ("2026-W01-1") or
// by day of the year ("2026-002"); without its last parts; with a fraction of its last part behind '.' or ','; with any form of offset.
// A time without a zone is taken as UTC, a leap second as the second after it.
std::optional<qint64> fromAnyIsoTime(QByteArrayView text);

} // namespace junban
