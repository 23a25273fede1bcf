#include "core/cel/numbers.h"

#include <charconv>
#include <cmath>

namespace junban::cel {

namespace {

// Whether a decimal number that is beyond the range of a double is too small (and not too large).
bool isTiny(QByteArrayView text)
{
    const qsizetype mark = std::max(text.indexOf('e'), text.indexOf('E'));
    const QByteArrayView digits = mark < 0 ? text : text.first(mark);
    qint64 magnitude = 0; // digits before the point, or zeros behind it
    bool behindPoint = false;
    bool leading = true;
    for (const char c : digits) {
        if (c == '.') {
            behindPoint = true;
        } else if (c >= '0' && c <= '9') {
            leading = leading && c == '0';
            if (!leading && !behindPoint)
                ++magnitude;
            else if (leading && behindPoint)
                --magnitude;
        }
    }
    // An exponent beyond 64 bits decides, whatever the digits are.
    const QByteArray exponent = mark < 0 ? QByteArray("0") : text.sliced(mark + 1).toByteArray();
    bool fits = false;
    const qint64 shift = exponent.toLongLong(&fits);
    return fits ? magnitude + qBound(qint64(-1'000'000), shift, qint64(1'000'000)) < 0 : exponent.startsWith('-');
}

} // namespace

std::optional<double> parseReal(QByteArrayView text)
{
    if (text.size() > 1 && text.startsWith('+') && text[1] != '-')
        text = text.sliced(1);
    double number = 0;
    const auto [end, problem] = std::from_chars(text.begin(), text.end(), number);
    if (text.isEmpty() || end != text.end() || problem == std::errc::invalid_argument)
        return {};
    if (problem == std::errc::result_out_of_range)
        return isTiny(text) ? std::optional(text.startsWith('-') ? -0.0 : 0.0) : std::nullopt;
    return number;
}

QByteArray realText(double number)
{
    if (std::isnan(number))
        return "NaN";
    if (std::isinf(number))
        return number < 0 ? "-Infinity" : "Infinity";
    char digits[32];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
    return QByteArray(digits, end - digits);
}

} // namespace junban::cel
