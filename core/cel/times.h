#pragma once

#include "core/cel/value.h"

#include <QByteArray>
#include <optional>

// Timestamps and durations of the matcher language: their texts, arithmetic and parts. A function returns nothing when the text is invalid
// or the result is out of range.
namespace junban::cel::times {

// RFC 3339: 2009-02-13T23:31:30.25Z, 1972-01-01T10:00:20-05:00. Years 1 to 9999.
std::optional<Value> parseTimestamp(QByteArrayView text);
// Signed decimal numbers with the units h, m, s, ms, us, ns: 1h30m, -1.5s, 0. In the range of 64 bits of nanoseconds (about 292 years).
std::optional<Value> parseDuration(QByteArrayView text);

std::optional<Value> timestampAt(qint64 seconds, qint64 nanoseconds);
// The timestamp plus the duration or, with sign −1, minus it; nothing beyond the years 1 to 9999.
std::optional<Value> shifted(const Value &timestamp, const Value &duration, int sign);
std::optional<Value> between(const Value &later, const Value &earlier);

QByteArray timestampText(const Value &timestamp);
QByteArray durationText(const Value &duration);

enum class Part { FullYear, Month, DayOfYear, DayOfMonth, Date, DayOfWeek, Hours, Minutes, Seconds, Milliseconds };
// A part of the local time in `zone`: "UTC", a name of the time zone database or [+-]hh:mm. Nothing when there is no such zone.
std::optional<qint64> part(const Value &timestamp, Part part, QByteArrayView zone);
// Hours, Minutes and Seconds of a duration are the whole duration in that unit; Milliseconds are the part below a second.
qint64 durationPart(const Value &duration, Part part);

// How many seconds `zone` is ahead of UTC at a time (seconds since the epoch); nothing when there is no such zone.
std::optional<qint64> zoneOffset_s(QByteArrayView zone, qint64 at_s);

} // namespace junban::cel::times
