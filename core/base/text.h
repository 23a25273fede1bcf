#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace junban {

// Any bytes as something that can stand in an error: UTF-8 of at most `bytes_max` bytes. What is not UTF-8, and control characters,
// become U+FFFD; a longer text is cut at a character and ends in an ellipsis.
QByteArray shown(QByteArrayView bytes, qsizetype bytes_max);

// C0 (line ends too), DEL and C1.
bool hasControlCharacters(QByteArrayView utf8);

// Whether it is UTF-8 without control characters, of 1 to `bytes_max` bytes.
bool isPlainText(QByteArrayView text, qsizetype bytes_max);

} // namespace junban
