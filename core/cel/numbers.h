#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <optional>

namespace junban::cel {

// The double that the whole text spells. A number that is too small gives zero, one that is too large gives nothing.
std::optional<double> parseReal(QByteArrayView text);
// The shortest text that parseReal() reads as the same number; "NaN", "Infinity", "-Infinity".
QByteArray realText(double number);

} // namespace junban::cel
