#pragma once

#include "core/cel/value.h"

#include <QByteArray>
#include <QByteArrayView>
#include <optional>
#include <span>

// The key of a bucket: the values of a constraint's `by` for one job, as a MessagePack array in one spelling only, so that equal values
// are equal bytes. Numbers that are equal are written alike, whatever their type.
namespace junban::bucketkey {

// One value. Nothing when a value makes no key: an error, a NaN, a list, a map, a type. Texts beyond limits::name_bytes_max stand there by
// their hash.
std::optional<QByteArray> element(const cel::Value &value);
// What stands in the key for a value that is missing, where missing values share a bucket.
QByteArray missing();
// The key made of elements. No elements (no `by`): the one key of the only bucket.
QByteArray key(std::span<const QByteArray> elements);

// For people, and for the names of overrides and shares: a single text as it is, a single other value as JSON, several as a JSON array,
// and nothing for the only bucket.
QByteArray text(QByteArrayView key);

} // namespace junban::bucketkey
