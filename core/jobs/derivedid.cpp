#include "core/jobs/derivedid.h"

#include <QCryptographicHash>

namespace junban {

// The order is in the first eight bytes, as in the ids of an IdMaker: the time, the version, 12 bits for the order within a millisecond.
JobId derivedId(const JobId &first, qsizetype index)
{
    if (index == 0)
        return first;
    constexpr int counter_bits = 12;
    constexpr qint64 counter_max = (1 << counter_bits) - 1;
    QByteArray bytes = first.bytes();
    const qint64 counter = (qint64(quint8(bytes[6]) & 0x0f) << 8 | quint8(bytes[7])) + index;
    const qint64 time_ms = first.created_ms() + (counter >> counter_bits);
    const qint64 place = time_ms << 16 | 0x7000 | (counter & counter_max);
    const QByteArray hash = QCryptographicHash::hash(bytes + QByteArray::number(index), QCryptographicHash::Sha256);
    for (int i = 0; i < 8; ++i) {
        bytes[i] = char(place >> (56 - 8 * i));
        bytes[8 + i] = hash[i];
    }
    bytes[8] = char(0x80 | (bytes[8] & 0x3f)); // the variant of a UUID
    return JobId::fromBytes(bytes).value();
}

} // namespace junban
