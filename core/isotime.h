#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <optional>

namespace junban {

// Milliseconds since the epoch as ISO 8601 UTC with milliseconds: "2026-01-02T03:04:05.678Z", the form of every time on the wire.
QByteArray isoTime(qint64 at_ms);

// Any ISO 8601 date and time with 'Z' or an offset; nothing when it is anything else, a time without a zone included.
std::optional<qint64> fromIsoTime(QByteArrayView text);

} // namespace junban
