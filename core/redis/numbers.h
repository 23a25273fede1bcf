#pragma once

#include <QByteArray>

// Numbers as texts, for the arguments of scripts.
namespace junban::redis {

inline QByteArray number(qint64 value)
{
    return QByteArray::number(value);
}

inline QByteArray fraction(double value)
{
    return QByteArray::number(value, 'g', 12);
}

} // namespace junban::redis
