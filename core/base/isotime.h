#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <optional>

namespace junban {

// Milliseconds since the epoch as ISO 8601 UTC with milliseconds: "2026-01-02T03:04:05.678Z", the form of every time on the wire. For the
// years 0 to 9999.
QByteArray isoTime(qint64 at_ms);

// Milliseconds since the epoch, of an ISO 8601 date and time with 'Z' or an offset. Nothing for any other text, also for a time without a
// zone.
std::optional<qint64> fromIsoTime(QByteArrayView text);

// As fromIsoTime(), but every form that ISO 8601 has for a day or a time of a day: extended or basic; by month, by week ("2026-W01-1") or
// by day of the year ("2026-002"); without its last parts; with a fraction of its last part behind '.' or ','; with any form of offset.
// A time without a zone is taken as UTC, a leap second as the second after it.
std::optional<qint64> fromAnyIsoTime(QByteArrayView text);

} // namespace junban
