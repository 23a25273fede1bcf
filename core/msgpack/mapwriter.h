#pragma once

#include "core/msgpack/msgpackwriter.h"

namespace junban {

// Writes a map whose number of fields is known only at its end, so that fields can be left out.
class MapWriter
{
public:
    // Write the key's value with the writer that is returned.
    MsgpackWriter &key(QByteArrayView name)
    {
        ++m_pairs;
        return m_content.text(name);
    }
    MapWriter &text(QByteArrayView name, QByteArrayView value)
    {
        key(name).text(value);
        return *this;
    }
    MapWriter &integer(QByteArrayView name, qint64 value)
    {
        key(name).integer(value);
        return *this;
    }
    MapWriter &boolean(QByteArrayView name, bool value)
    {
        key(name).boolean(value);
        return *this;
    }
    MapWriter &raw(QByteArrayView name, QByteArrayView packed)
    {
        key(name).raw(packed);
        return *this;
    }
    MapWriter &real(QByteArrayView name, double value)
    {
        key(name).real(value);
        return *this;
    }
    // Writes a whole number as an integer, which is how people write it.
    MapWriter &number(QByteArrayView name, double value)
    {
        const bool whole = value > -1e15 && value < 1e15 && double(qint64(value)) == value;
        return whole ? integer(name, qint64(value)) : real(name, value);
    }
    MapWriter &seconds(QByteArrayView name, qint64 value_ms)
    {
        return value_ms % 1000 == 0 ? integer(name, value_ms / 1000) : real(name, double(value_ms) / 1000);
    }
    QByteArray take() { return MsgpackWriter().map(m_pairs).raw(m_content.take()).take(); }

private:
    MsgpackWriter m_content;
    qsizetype m_pairs = 0;
};

} // namespace junban
