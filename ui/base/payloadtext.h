#pragma once

#include <QByteArrayView>
#include <QString>

namespace junban::ui {

// One MessagePack value as one line, for a table's cell: {tenant: 42, to: "a@example.com", …}. Reads no more than it shows.
QString payloadPreview(QByteArrayView value, qsizetype characters_max);

// One MessagePack value as the API's JSON, from which the same value can be made again: exact integers of 64 bits, {"$bin": base64},
// {"$ext": [type, base64]}, {"$map": [[key, value]…]} for keys that are no strings, {"$float": "NaN"}. `indent` < 0: one line.
// Empty when the value is malformed.
QByteArray payloadJson(QByteArrayView value, int indent);
inline constexpr int payloadIndent = 2; // of what is copied, shown and saved

// The kind of a value as MessagePack encodes it: "uint8", "int", "float32", "str", "map", "timestamp", "ext 5".
QString payloadType(QByteArrayView value);

// A scalar as it is shown: strings without quotes, escaped; binary in hex; a timestamp as ISO 8601 UTC with nanoseconds. Long
// values are cut at `characters_max`.
QString payloadScalar(QByteArrayView value, qsizetype characters_max);

} // namespace junban::ui
