#pragma once

#include <QByteArray>
#include <QRandomGenerator>

namespace junban::redis {

// A unique name: `bytes` random bytes in hexadecimal digits.
inline QByteArray randomHex(int bytes)
{
    QByteArray random(bytes, Qt::Uninitialized);
    for (char &byte : random)
        byte = char(QRandomGenerator::system()->bounded(256));
    return random.toHex();
}

} // namespace junban::redis
