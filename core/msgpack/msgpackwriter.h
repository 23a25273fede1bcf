#pragma once

#include "core/base/append.h"

#include <QtEndian>
#include <bit>
#include <msgpack.hpp>

namespace junban {

// Builds MessagePack with msgpack-c's packer; values that are MessagePack already are inserted unchanged. Calls can be chained. The caller
// must write as many elements as it announced with array() and map().
class MsgpackWriter
{
public:
    MsgpackWriter() : m_packer(m_buffer) { m_buffer.bytes.reserve(usual_bytes); }

    MsgpackWriter &map(qsizetype pairs) { m_packer.pack_map(static_cast<uint32_t>(pairs)); return *this; }
    MsgpackWriter &array(qsizetype elements) { m_packer.pack_array(static_cast<uint32_t>(elements)); return *this; }
    // UTF-8 text as a MessagePack string.
    MsgpackWriter &text(QByteArrayView utf8)
    {
        m_packer.pack_str(static_cast<uint32_t>(utf8.size()));
        m_packer.pack_str_body(utf8.data(), static_cast<uint32_t>(utf8.size()));
        return *this;
    }
    MsgpackWriter &binary(QByteArrayView bytes)
    {
        m_packer.pack_bin(static_cast<uint32_t>(bytes.size()));
        m_packer.pack_bin_body(bytes.data(), static_cast<uint32_t>(bytes.size()));
        return *this;
    }
    MsgpackWriter &integer(qint64 value) { m_packer.pack_int64(value); return *this; }
    MsgpackWriter &unsignedInteger(quint64 value) { m_packer.pack_uint64(value); return *this; }
    // Always a float64. msgpack-c's pack_double() writes whole numbers (-0.0 too) as integers, which changes the type.
    MsgpackWriter &real(double value)
    {
        char bytes[9] = {'\xcb'};
        qToBigEndian(std::bit_cast<quint64>(value), bytes + 1);
        m_buffer.write(bytes, sizeof bytes);
        return *this;
    }
    MsgpackWriter &boolean(bool value) { value ? m_packer.pack_true() : m_packer.pack_false(); return *this; }
    MsgpackWriter &nil() { m_packer.pack_nil(); return *this; }
    MsgpackWriter &extension(qint8 type, QByteArrayView bytes)
    {
        m_packer.pack_ext(static_cast<size_t>(bytes.size()), type);
        m_packer.pack_ext_body(bytes.data(), static_cast<uint32_t>(bytes.size()));
        return *this;
    }
    // One complete MessagePack value, as it is.
    MsgpackWriter &raw(QByteArrayView value) { m_buffer.write(value.data(), static_cast<size_t>(value.size())); return *this; }

    qsizetype size() const { return m_buffer.bytes.size(); }
    QByteArray take() { return std::move(m_buffer.bytes); }

private:
    static constexpr qsizetype usual_bytes = 256;
    struct Buffer {
        QByteArray bytes;
        void write(const char *data, size_t size) { append(bytes, QByteArrayView(data, static_cast<qsizetype>(size))); }
    };
    Buffer m_buffer;
    msgpack::packer<Buffer> m_packer;
};

} // namespace junban
