#include "core/jobs/jobid.h"

#include <algorithm>

namespace junban {

namespace {

int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

constexpr bool dashAt(int position)
{
    return position == 8 || position == 13 || position == 18 || position == 23;
}

} // namespace

std::optional<JobId> JobId::fromBytes(QByteArrayView bytes)
{
    if (bytes.size() != size)
        return {};
    JobId id;
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char *>(id.m_bytes.data()));
    return id;
}

std::optional<JobId> JobId::fromText(QByteArrayView text)
{
    if (text.size() != 36)
        return {};
    JobId id;
    size_t nibble = 0;
    for (int i = 0; i < 36; ++i) {
        if (dashAt(i)) {
            if (text[i] != '-')
                return {};
            continue;
        }
        const int digit = hexDigit(text[i]);
        if (digit < 0)
            return {};
        quint8 &byte = id.m_bytes[nibble / 2];
        byte = static_cast<quint8>(nibble % 2 == 0 ? digit << 4 : byte | digit);
        ++nibble;
    }
    return id;
}

QByteArray JobId::text() const
{
    static constexpr char digits[] = "0123456789abcdef";
    QByteArray text(36, '-');
    char *out = text.data();
    size_t nibble = 0;
    for (int i = 0; i < 36; ++i) {
        if (dashAt(i))
            continue;
        const quint8 byte = m_bytes[nibble / 2];
        out[i] = digits[nibble % 2 == 0 ? byte >> 4 : byte & 15];
        ++nibble;
    }
    return text;
}

qint64 JobId::created_ms() const
{
    qint64 time = 0;
    for (size_t i = 0; i < 6; ++i)
        time = (time << 8) | m_bytes[i];
    return time;
}

IdMaker::IdMaker()
    : m_random(QRandomGenerator64::securelySeeded())
{
}

JobId IdMaker::make(qint64 now_ms)
{
    if (now_ms > m_last_ms) {
        m_last_ms = now_ms;
        m_counter = 0;
    } else if (++m_counter > 0xfff) {
        ++m_last_ms; // more than 4,096 ids in one millisecond: they run ahead of the clock for a moment
        m_counter = 0;
    }
    JobId id;
    for (size_t i = 0; i < 6; ++i)
        id.m_bytes[i] = static_cast<quint8>(m_last_ms >> (40 - 8 * i));
    id.m_bytes[6] = static_cast<quint8>(0x70 | (m_counter >> 8));
    id.m_bytes[7] = static_cast<quint8>(m_counter);
    const quint64 random = m_random.generate();
    for (size_t i = 0; i < 8; ++i)
        id.m_bytes[8 + i] = static_cast<quint8>(random >> (8 * i));
    id.m_bytes[8] = static_cast<quint8>(0x80 | (id.m_bytes[8] & 0x3f));
    return id;
}

} // namespace junban
