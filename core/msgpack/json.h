#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QByteArrayView>

// The reversible mapping between MessagePack and JSON (openapi/master.yaml, "Encoding"):
//   * 64-bit integers stay exact.
//   * bin: {"$bin": base64}; ext: {"$ext": [type, base64]}; strings that are not UTF-8: {"$str": base64}.
//   * A map with keys that are not strings, that begin with '$' or that repeat: {"$map": [[key, value], …]}.
//   * NaN and infinities: {"$float": "NaN" | "Infinity" | "-Infinity"}.
// A float32 comes back as a float64 of the same value.
namespace junban::json {

// The text may be anything. Errors: Malformed (not JSON, or text follows it), InvalidField (a "$…" object that is none of the above, a
// repeated key, an integer beyond 64 bits; `field` is its path), TooLarge (nested too deeply). Needs a small multiple of the text's size
// in memory.
Result<QByteArray> toMsgpack(QByteArrayView json);

// JSON in UTF-8, on one line, without a line end. `msgpack` must be one complete value, as payload::validate() checks it.
QByteArray fromMsgpack(QByteArrayView msgpack);

} // namespace junban::json
