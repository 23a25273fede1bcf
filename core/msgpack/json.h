#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QByteArrayView>

// The reversible mapping between MessagePack and JSON (openapi/master.yaml, "Encoding"):
//   integers of 64 bits exactly · bin {"$bin": base64} · ext {"$ext": [type, base64]} · maps with other than string keys, or with keys
//   that begin with '$' or stand there twice, {"$map": [[key, value], …]} · NaN and infinities {"$float": "NaN" | "Infinity" | "-Infinity"}
//   · strings that are not UTF-8 {"$str": base64}. A float32 comes back as a float64 of the same value.
namespace junban::json {

// Errors: Malformed (not JSON, trailing text), InvalidField (a "$…" object that is none of the above, a key twice, an integer
// beyond 64 bits; `field` is the path to it), TooLarge (nested too deep). Memory is a small multiple of the text's size.
Result<QByteArray> toMsgpack(QByteArrayView json);

// `msgpack` is one complete value. UTF-8, on one line, without a line end.
QByteArray fromMsgpack(QByteArrayView msgpack);

} // namespace junban::json
