#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <optional>

namespace junban::cel {

// The double a whole text spells. Too small a number is zero, too large a one is none.
std::optional<double> parseReal(QByteArrayView text);
// The shortest text that reads back the same; NaN, Infinity, -Infinity.
QByteArray realText(double number);

} // namespace junban::cel
