#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <optional>

namespace junban {

// Milliseconds since the epoch as ISO 8601 UTC with milliseconds: "2026-01-02T03:04:05.678Z", the form of every time on the wire.
QByteArray isoTime(qint64 at_ms);

// Any ISO 8601 date and time with 'Z' or an offset; nothing when it is anything else, a time without a zone included.
std::optional<qint64> fromIsoTime(QByteArrayView text);

// The same, and every other form of ISO 8601 for a day or a time of a day: extended or basic, by month, week ("2026-W01-1") or day of the
// year ("2026-002"), its last parts left out, a fraction of its last part behind '.' or ',', any form of offset. Without a zone it is taken
// as UTC, a leap second as the second after.
std::optional<qint64> fromAnyIsoTime(QByteArrayView text);

} // namespace junban
