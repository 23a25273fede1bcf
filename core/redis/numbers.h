#pragma once

#include <QByteArray>
#include <charconv>

// Numbers as texts, for the arguments of scripts.
namespace junban::redis {

inline QByteArray number(qint64 value)
{
    char digits[20];
    return QByteArray(digits, std::to_chars(digits, digits + sizeof digits, value).ptr - digits);
}

inline QByteArray fraction(double value)
{
    return QByteArray::number(value, 'g', 12);
}

} // namespace junban::redis
