#pragma once

#include <QByteArray>

// Numbers as scripts take them.
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
