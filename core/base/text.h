#pragma once

#include "core/base/result.h"

#include <optional>

namespace junban {

// Makes any bytes fit for an error message: UTF-8 of at most `bytes_max` bytes (3 or more). Bytes that are not UTF-8 and control
// characters become U+FFFD. A longer text is cut between two characters and ends in an ellipsis.
QByteArray shown(QByteArrayView bytes, qsizetype bytes_max);

// Whether the text has a C0 character (line ends are such), DEL or a C1 character.
bool hasControlCharacters(QByteArrayView utf8);

// Why the text of a field cannot be a name, apart from its length; nothing: it can. Two names that look the same are the same bytes: they
// are in Unicode's form NFC, and have no character that is not seen and no white space at an end.
std::optional<Error> whyNoName(QByteArrayView utf8, QByteArrayView field);

// Whether the text is UTF-8 without control characters, and 1 to `bytes_max` bytes long.
bool isPlainText(QByteArrayView text, qsizetype bytes_max);

} // namespace junban
