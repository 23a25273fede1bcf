#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <optional>
#include <span>

// MessagePack bytes read in place: a job's argument is never decoded as a whole, never re-encoded and never changed.
namespace junban::payload {

// One value's kind. Integers are told apart by sign of the encoding, so that all 64-bit values stay exact.
enum class Type { Nil, Boolean, Int, UInt, Float32, Float64, String, Binary, Array, Map, Extension };

// One value's head. `raw` is the whole value as it stands in the buffer, nested values included once skipped over.
struct Token {
    Type type = Type::Nil;
    bool boolean = false;
    qint64 integer = 0;            // Int: the value; UInt: the value when it fits
    quint64 unsignedInteger = 0;   // Int and UInt ≥ 0: the value (UInt only above 2^63−1)
    double real = 0;               // Float32, Float64
    QByteArrayView bytes;          // String, Binary, Extension: the content
    qint8 extension = 0;           // Extension: its type (−1 is a timestamp)
    quint32 count = 0;             // Array: elements; Map: pairs
};

// Reads values one head after another. It never allocates; it stops at the first malformed byte and stays there.
class Reader
{
public:
    explicit Reader(QByteArrayView bytes) : m_bytes(bytes) {}

    // The next head; nothing at the end or when malformed (see failed()). A container's elements follow it.
    std::optional<Token> next();
    // Passes over one whole value and returns its bytes; nothing when malformed or cut short.
    std::optional<QByteArrayView> skip();

    bool atEnd() const { return m_offset >= m_bytes.size(); }
    bool failed() const { return m_failed; }
    qsizetype offset() const { return m_offset; }
    QByteArrayView bytes() const { return m_bytes; }

private:
    QByteArrayView m_bytes;
    qsizetype m_offset = 0;
    bool m_failed = false;
};

// Checks that `bytes` is exactly one complete value within the limits of depth and elements (core/limits.h). Errors: Malformed,
// TooLarge (depth, elements). Work and memory are bounded by the bytes that are there, whatever lengths they claim.
Result<Done> validate(QByteArrayView bytes);

// One step of a path: a map's key (a string) or an array's index.
struct Step {
    std::optional<QByteArrayView> key = {};
    qsizetype index = -1;
};

// The bytes of the value at `path` inside `value`; nothing when there is none. Reads only what stands before it.
std::optional<QByteArrayView> find(QByteArrayView value, std::span<const Step> path);

// The canonical form of `value`, the same bytes for whatever decodes to the same, so that values can be compared or hashed by what
// they mean: integers and heads as short as can be, floats as float64 (1 and 1.0 stay two values), arrays in their order, maps in the order
// of their keys' canonical bytes (entries of equal keys as they stood). Only for comparing: what is kept and handed on is the value as it
// was sent. Bytes that validate() would refuse for their form or their depth come back as they are.
QByteArray canonical(QByteArrayView value);

// nil, the default argument.
inline constexpr char nil[] = "\xc0";

} // namespace junban::payload
