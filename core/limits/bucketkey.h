#pragma once

#include "core/cel/value.h"

#include <QByteArray>
#include <QByteArrayView>
#include <optional>
#include <span>

// The key of a bucket: the values of a constraint's `by` for one job, as a MessagePack array. The encoding is canonical: equal values
// give equal bytes, and equal numbers do so whatever their type.
namespace junban::bucketkey {

// One value. Nothing when it cannot be a key: an error, a NaN, a list, a map, a type. A text longer than limits::name_bytes_max is replaced
// by its hash.
std::optional<QByteArray> element(const cel::Value &value);
// The element for a missing value, where jobs with missing values share a bucket.
QByteArray missing();
// The key made of elements. Without elements (no `by`) it is the key of the only bucket.
QByteArray key(std::span<const QByteArray> elements);

// For people, and for the names of overrides and shares: a single text as it is, a single other value as JSON, several as a JSON array,
// and nothing for the only bucket.
QByteArray text(QByteArrayView key);

} // namespace junban::bucketkey
