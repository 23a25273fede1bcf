#pragma once

#include <QByteArray>
#include <QRandomGenerator>

namespace junban::redis {

// A name nobody else makes: so many random bytes, two hexadecimal digits each.
inline QByteArray randomHex(int bytes)
{
    QByteArray random(bytes, Qt::Uninitialized);
    for (char &byte : random)
        byte = char(QRandomGenerator::system()->bounded(256));
    return random.toHex();
}

} // namespace junban::redis
