#pragma once

#include <QByteArray>
#include <QVarLengthArray>
#include <QtEndian>
#include <bit>
#include <concepts>
#include <type_traits>

// How values are packed for Redis. Numbers, also negative ones, are short when they are small; texts have their length before them. A
// packed value begins with the version of its layout, one byte.
//
// The fields of a type are listed once, by a function `fields(archive, value)` that works for both directions: Packer reads the fields
// that it is given, Unpacker sets them.
namespace junban::engine {

class Packer
{
public:
    static constexpr bool unpacks = false;

    explicit Packer(quint8 version) { m_bytes.append(char(version)); }

    template<typename... Field>
    void operator()(const Field &...field)
    {
        (put(field), ...);
    }
    QByteArray bytes() const { return QByteArray(m_bytes.constData(), m_bytes.size()); }

private:
    template<typename Number>
        requires std::integral<Number> || std::is_enum_v<Number>
    void put(Number number)
    {
        const auto whole = static_cast<qint64>(number);
        quint64 left = (static_cast<quint64>(whole) << 1) ^ static_cast<quint64>(whole >> 63); // 0, -1, 1, -2, … are 0, 1, 2, 3, …
        for (; left >= 0x80; left >>= 7)
            m_bytes.append(char(0x80 | (left & 0x7f)));
        m_bytes.append(char(left));
    }
    void put(double real)
    {
        const quint64 little = qToLittleEndian(std::bit_cast<quint64>(real));
        m_bytes.append(reinterpret_cast<const char *>(&little), sizeof little);
    }
    void put(const QByteArray &text)
    {
        put(text.size());
        m_bytes.append(text.constData(), text.size());
    }

    QVarLengthArray<char, 512> m_bytes; // most values are shorter, and take one piece of memory then
};

// After the bytes have run out, or a number was no number, all further fields are 0 or empty and complete() is false.
class Unpacker
{
public:
    static constexpr bool unpacks = true;

    // `bytes` must outlive it.
    explicit Unpacker(QByteArrayView bytes) : m_left(bytes) { m_version = static_cast<quint8>(m_left.isEmpty() ? 0 : taken(1)[0]); }

    quint8 version() const { return m_version; }
    template<typename... Field>
    void operator()(Field &...field)
    {
        (get(field), ...);
    }
    // Everything could be read, and nothing is left.
    bool complete() const { return m_ok && m_left.isEmpty(); }
    bool ok() const { return m_ok; }
    // Some field has a value that it cannot have.
    void refuse() { m_ok = false; }

private:
    QByteArrayView taken(qsizetype count)
    {
        m_ok = m_ok && count >= 0 && count <= m_left.size();
        if (!m_ok)
            return {};
        const QByteArrayView front = m_left.first(count);
        m_left = m_left.sliced(count);
        return front;
    }
    qint64 number()
    {
        quint64 read = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            const QByteArrayView byte = taken(1);
            if (byte.isEmpty())
                return 0;
            read |= static_cast<quint64>(byte[0] & 0x7f) << shift;
            if ((byte[0] & 0x80) == 0)
                return static_cast<qint64>(read >> 1) ^ -static_cast<qint64>(read & 1);
        }
        m_ok = false;
        return 0;
    }
    template<typename Number>
        requires std::integral<Number> || std::is_enum_v<Number>
    void get(Number &field)
    {
        const qint64 read = number();
        field = static_cast<Number>(read);
        m_ok = m_ok && static_cast<qint64>(field) == read;
    }
    void get(double &real)
    {
        const QByteArrayView bytes = taken(sizeof(quint64));
        real = bytes.isEmpty() ? 0 : std::bit_cast<double>(qFromLittleEndian<quint64>(bytes.data()));
    }
    void get(QByteArray &text) { text = taken(static_cast<qsizetype>(number())).toByteArray(); }

    QByteArrayView m_left;
    quint8 m_version = 0;
    bool m_ok = true;
};

} // namespace junban::engine
