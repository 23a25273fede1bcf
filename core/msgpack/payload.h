#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <optional>
#include <span>

// Reads MessagePack in place: a job's argument is never decoded as a whole, never encoded again and never changed.
namespace junban::payload {

// A value's type. UInt is for integers above 2^63−1 only, so that all 64-bit values stay exact.
enum class Type { Nil, Boolean, Int, UInt, Float32, Float64, String, Binary, Array, Map, Extension };
QByteArrayView typeWord(Type type); // a word of the catalogue of reasons

// One value, or the head of a container: its elements are the next tokens. Valid as long as the bytes it was read from.
struct Token {
    Type type = Type::Nil;
    bool boolean = false;
    qint64 integer = 0;            // Int: the value
    quint64 unsignedInteger = 0;   // UInt, and Int ≥ 0: the value
    double real = 0;               // Float32, Float64
    QByteArrayView bytes;          // String, Binary, Extension: the content
    qint8 extension = 0;           // Extension: its type (−1 is a timestamp)
    quint32 count = 0;             // Array: elements; Map: pairs
};

// Reads one token after another. It never allocates. At the first malformed byte it fails, and it stays failed. The bytes must outlive it.
class Reader
{
public:
    explicit Reader(QByteArrayView bytes, qsizetype offset = 0) : m_bytes(bytes), m_offset(offset) {}

    // The next token; nothing at the end, or when the bytes are malformed (see failed()).
    std::optional<Token> next();
    // The same into `token`, which is as it was made. Whether there was one.
    bool read(Token &token);
    // Passes over one whole value and returns its bytes; nothing when malformed or cut short.
    std::optional<QByteArrayView> skip();

    bool atEnd() const { return m_offset >= m_bytes.size(); }
    bool failed() const { return m_failed; }
    qsizetype offset() const { return m_offset; }
    QByteArrayView bytes() const { return m_bytes; }
    QByteArrayView left() const { return m_bytes.sliced(m_offset); }
    // To a place that was found earlier, not behind the end.
    void moveTo(qsizetype offset) { m_offset = offset; }

private:
    QByteArrayView m_bytes;
    qsizetype m_offset = 0;
    bool m_failed = false;
};

// Checks that `bytes` is exactly one complete value within limits::msgpack_depth_max and msgpack_elements_max. Errors: Malformed, TooLarge.
// Time and memory depend on the number of bytes only, whatever lengths they announce.
Result<Done> validate(QByteArrayView bytes);
// The same of the first value there; returns how many bytes it has.
Result<qsizetype> validateFirst(QByteArrayView bytes);

// One step of a path: a map's key (a string) or an array's index.
struct Step {
    std::optional<QByteArrayView> key = {};
    qsizetype index = -1;
};

// The bytes of the value at `path` inside `value`; nothing when there is none. It reads no further than that value.
std::optional<QByteArrayView> find(QByteArrayView value, std::span<const Step> path);

// The canonical form of `value`: values that decode to the same have the same bytes, so that they can be compared or hashed. Integers and
// heads are as short as possible, floats are float64 (1 and 1.0 stay different), arrays keep their order, and maps are sorted by the
// canonical bytes of their keys (entries with equal keys keep their order). Use it for comparing only: values are stored and handed on as
// they were sent. Bytes that validate() refuses for their form or depth are returned unchanged.
QByteArray canonical(QByteArrayView value);

// nil, the default argument.
inline constexpr char nil[] = "\xc0";

} // namespace junban::payload
