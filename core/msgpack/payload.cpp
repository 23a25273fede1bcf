#include "core/msgpack/payload.h"

#include "core/base/reasons/json.h"
#include "core/limits.h"
#include "core/msgpack/msgpackwriter.h"

#include <QtEndian>
#include <algorithm>
#include <bit>
#include <vector>

namespace junban::payload {

namespace {

template<typename T>
T bigEndian(QByteArrayView bytes, qsizetype offset)
{
    return qFromBigEndian<T>(bytes.data() + offset);
}

Token integerToken(qint64 value)
{
    Token token;
    token.type = Type::Int;
    token.integer = value;
    token.unsignedInteger = value >= 0 ? static_cast<quint64>(value) : 0;
    return token;
}

Token unsignedToken(quint64 value)
{
    if (value <= static_cast<quint64>(std::numeric_limits<qint64>::max()))
        return integerToken(static_cast<qint64>(value));
    Token token;
    token.type = Type::UInt;
    token.unsignedInteger = value;
    return token;
}

Token realToken(Type type, double value)
{
    Token token;
    token.type = type;
    token.real = value;
    return token;
}

// How many bytes of a head follow its first byte, for the first bytes 0xc0 to 0xdf. They hold the length, the count or the number.
constexpr int headBytes[32] = {
    0, -1, 0, 0, 1, 2, 4, 1, // nil, never used, false, true, bin8 bin16 bin32, ext8
    2, 4, 4, 8, 1, 2, 4, 8,  // ext16 ext32, float32 float64, uint8 uint16 uint32 uint64
    1, 2, 4, 8, 0, 0, 0, 0,  // int8 int16 int32 int64, fixext 1 2 4 8
    0, 1, 2, 4, 2, 4, 2, 4,  // fixext16, str8 str16 str32, array16 array32, map16 map32
};

quint32 lengthAt(QByteArrayView bytes, qsizetype offset, int width)
{
    switch (width) {
    case 1: return static_cast<quint8>(bytes[offset]);
    case 2: return bigEndian<quint16>(bytes, offset);
    default: return bigEndian<quint32>(bytes, offset);
    }
}

// The first bytes of a value: the whole of a scalar, else the length of the content or the number of elements that follow.
struct Head {
    Token token;
    qsizetype size = 0;    // bytes; 0: this is not MessagePack, or it is cut off
    quint32 content = 0;   // bytes that follow, of a string, binary or extension
};

Head headOf(Token token, qsizetype size = 1)
{
    return {token, size, 0};
}

Head headOf(Type type, quint32 length, qsizetype size = 1)
{
    Head head{{}, size, 0};
    head.token.type = type;
    (type == Type::Map || type == Type::Array ? head.token.count : head.content) = length;
    return head;
}

// `at` is the position of the byte with the extension's type.
Head extensionHead(QByteArrayView bytes, qsizetype at, quint32 length, qsizetype size)
{
    if (at >= bytes.size())
        return {};
    Head head = headOf(Type::Extension, length, size + 1);
    head.token.extension = static_cast<qint8>(bytes[at]);
    return head;
}

// A head of several bytes; its first one is 0xc0 to 0xdf.
Head longHeadAt(QByteArrayView bytes, qsizetype at)
{
    const auto first = static_cast<quint8>(bytes[at++]);
    const int width = headBytes[first - 0xc0];
    if (width < 0 || width > bytes.size() - at)
        return {};
    const qsizetype size = 1 + width;
    switch (first) {
    case 0xc0: return headOf(Token{}, size);
    case 0xc2:
    case 0xc3: {
        Token token;
        token.type = Type::Boolean;
        token.boolean = first == 0xc3;
        return headOf(token, size);
    }
    case 0xc4:
    case 0xc5:
    case 0xc6: return headOf(Type::Binary, lengthAt(bytes, at, width), size);
    case 0xc7:
    case 0xc8:
    case 0xc9: return extensionHead(bytes, at + width, lengthAt(bytes, at, width), size);
    case 0xca: return headOf(realToken(Type::Float32, double(std::bit_cast<float>(bigEndian<quint32>(bytes, at)))), size);
    case 0xcb: return headOf(realToken(Type::Float64, std::bit_cast<double>(bigEndian<quint64>(bytes, at))), size);
    case 0xcc: return headOf(unsignedToken(bigEndian<quint8>(bytes, at)), size);
    case 0xcd: return headOf(unsignedToken(bigEndian<quint16>(bytes, at)), size);
    case 0xce: return headOf(unsignedToken(bigEndian<quint32>(bytes, at)), size);
    case 0xcf: return headOf(unsignedToken(bigEndian<quint64>(bytes, at)), size);
    case 0xd0: return headOf(integerToken(bigEndian<qint8>(bytes, at)), size);
    case 0xd1: return headOf(integerToken(bigEndian<qint16>(bytes, at)), size);
    case 0xd2: return headOf(integerToken(bigEndian<qint32>(bytes, at)), size);
    case 0xd3: return headOf(integerToken(bigEndian<qint64>(bytes, at)), size);
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8: return extensionHead(bytes, at, 1u << (first - 0xd4), size);
    case 0xd9:
    case 0xda:
    case 0xdb: return headOf(Type::String, lengthAt(bytes, at, width), size);
    case 0xdc:
    case 0xdd: return headOf(Type::Array, lengthAt(bytes, at, width), size);
    default: return headOf(Type::Map, lengthAt(bytes, at, width), size); // 0xde, 0xdf
    }
}

// A head of one byte.
Head shortHead(quint8 first)
{
    if (first < 0x80)
        return headOf(integerToken(first));
    if (first >= 0xe0)
        return headOf(integerToken(static_cast<qint8>(first)));
    if (first < 0x90)
        return headOf(Type::Map, first & 0x0f);
    if (first < 0xa0)
        return headOf(Type::Array, first & 0x0f);
    return headOf(Type::String, first & 0x1f);
}

} // namespace

std::optional<Token> Reader::next()
{
    Token token;
    return read(token) ? std::optional(token) : std::nullopt;
}

bool Reader::read(Token &token)
{
    if (m_failed || m_offset >= m_bytes.size())
        return false;
    const auto first = static_cast<quint8>(m_bytes[m_offset]);
    Head head = first >= 0xc0 && first < 0xe0 ? longHeadAt(m_bytes, m_offset) : shortHead(first);
    if (head.size == 0 || head.content > static_cast<quint64>(m_bytes.size() - m_offset - head.size)) {
        m_failed = true;
        return false;
    }
    token = head.token;
    m_offset += head.size;
    if (token.type == Type::String || token.type == Type::Binary || token.type == Type::Extension) {
        token.bytes = m_bytes.sliced(m_offset, head.content);
        m_offset += head.content;
    }
    return true;
}

std::optional<QByteArrayView> Reader::skip()
{
    const qsizetype start = m_offset;
    // `heads` is how many values are still to come. Each takes at least one byte, so the loop ends with the bytes, whatever the counts say.
    for (quint64 heads = 1; heads > 0; --heads) {
        Token token;
        if (!read(token)) {
            m_failed = true;
            return {};
        }
        heads += token.type == Type::Map ? 2ULL * token.count : token.count;
    }
    return m_bytes.sliced(start, m_offset - start);
}

QByteArrayView typeWord(Type type)
{
    switch (type) {
    case Type::Nil: return "nil";
    case Type::Boolean: return "boolean";
    case Type::Int:
    case Type::UInt: return "integer";
    case Type::Float32:
    case Type::Float64: return "float";
    case Type::String: return "string";
    case Type::Binary: return "bytes";
    case Type::Array: return "array";
    case Type::Map: return "map";
    case Type::Extension: return "ext";
    }
    return "ext";
}

Result<Done> validate(QByteArrayView bytes)
{
    const Result<qsizetype> first = validateFirst(bytes);
    if (!first.ok())
        return first.error();
    return *first == bytes.size() ? Result<Done>(Done{}) : reasons::msgpackTrailingBytes();
}

Result<qsizetype> validateFirst(QByteArrayView bytes)
{
    Reader reader(bytes);
    quint64 left[limits::msgpack_depth_max + 1]; // values still to come at each level
    int depth = 0;
    quint64 elements = 0;
    left[0] = 1;
    while (true) {
        while (left[depth] == 0) {
            if (depth == 0)
                return reader.offset();
            --depth;
        }
        --left[depth];
        if (++elements > limits::msgpack_elements_max)
            return reasons::msgpackTooLong(limits::msgpack_elements_max);
        Token token;
        if (!reader.read(token))
            return reasons::msgpackValueIncomplete();
        if (token.type == Type::Array || token.type == Type::Map) {
            if (depth == limits::msgpack_depth_max)
                return reasons::msgpackTooDeep(limits::msgpack_depth_max);
            left[++depth] = token.type == Type::Map ? 2ULL * token.count : token.count;
        }
    }
}

std::optional<QByteArrayView> find(QByteArrayView value, std::span<const Step> path)
{
    for (const Step &step : path) {
        Reader reader(value);
        const std::optional<Token> head = reader.next();
        if (!head)
            return {};
        std::optional<QByteArrayView> found;
        if (step.key) {
            if (head->type != Type::Map)
                return {};
            for (quint32 i = 0; i < head->count && !found; ++i) {
                const qsizetype keyStart = reader.offset();
                if (!reader.skip())
                    return {};
                const std::optional<Token> key = Reader(value.sliced(keyStart, reader.offset() - keyStart)).next();
                const bool wanted = key && key->type == Type::String && key->bytes == *step.key;
                const std::optional<QByteArrayView> content = reader.skip();
                if (!content)
                    return {};
                if (wanted)
                    found = content;
            }
        } else {
            if (head->type != Type::Array || step.index < 0 || step.index >= qsizetype(head->count))
                return {};
            for (qsizetype i = 0; i <= step.index; ++i) {
                found = reader.skip();
                if (!found)
                    return {};
            }
        }
        if (!found)
            return {};
        value = *found;
    }
    return value;
}

namespace {

bool putCanonical(Reader &reader, int depth, MsgpackWriter &out);

// Writes the entries that follow a map's head, sorted by their keys.
bool putEntries(Reader &reader, quint32 pairs, int depth, MsgpackWriter &out)
{
    struct Entry {
        qsizetype start, keyEnd, end;
    };
    std::vector<Entry> entries; // grows with the entries that are read; the count in the head may be false
    MsgpackWriter asSent;
    for (quint32 i = 0; i < pairs; ++i) {
        Entry entry{asSent.size(), 0, 0};
        if (!putCanonical(reader, depth, asSent))
            return false;
        entry.keyEnd = asSent.size();
        if (!putCanonical(reader, depth, asSent))
            return false;
        entry.end = asSent.size();
        entries.push_back(entry);
    }
    const QByteArray bytes = asSent.take();
    const auto key = [all = QByteArrayView(bytes)](const Entry &entry) { return all.sliced(entry.start, entry.keyEnd - entry.start); };
    std::stable_sort(entries.begin(), entries.end(), [&key](const Entry &a, const Entry &b) { return key(a) < key(b); });
    for (const Entry &entry : entries)
        out.raw(QByteArrayView(bytes).sliced(entry.start, entry.end - entry.start));
    return true;
}

// Appends the next value to `out` in canonical form; false when it is not complete or is nested too deeply. `depth` is the number of
// containers around it. The writer always uses the shortest heads and integers.
bool putCanonical(Reader &reader, int depth, MsgpackWriter &out)
{
    const std::optional<Token> token = reader.next();
    if (!token)
        return false;
    switch (token->type) {
    case Type::Nil: out.nil(); return true;
    case Type::Boolean: out.boolean(token->boolean); return true;
    case Type::Int: out.integer(token->integer); return true;
    case Type::UInt: out.unsignedInteger(token->unsignedInteger); return true;
    case Type::Float32:
    case Type::Float64: out.real(token->real); return true;
    case Type::String: out.text(token->bytes); return true;
    case Type::Binary: out.binary(token->bytes); return true;
    case Type::Extension: out.extension(token->extension, token->bytes); return true;
    case Type::Array:
    case Type::Map: break;
    }
    if (depth == limits::msgpack_depth_max)
        return false;
    if (token->type == Type::Map) {
        out.map(token->count);
        return putEntries(reader, token->count, depth + 1, out);
    }
    out.array(token->count);
    for (quint32 i = 0; i < token->count; ++i) {
        if (!putCanonical(reader, depth + 1, out))
            return false;
    }
    return true;
}

} // namespace

QByteArray canonical(QByteArrayView value)
{
    Reader reader(value);
    MsgpackWriter out;
    return putCanonical(reader, 0, out) && reader.atEnd() ? out.take() : value.toByteArray();
}

} // namespace junban::payload
