#pragma once

#include "core/base/result.h"
#include "core/base/text.h"
#include "core/msgpack/payload.h"

#include <QByteArray>
#include <QVarLengthArray>
#include <concepts>
#include <limits>
#include <optional>

namespace junban {

// The path of a value in what is read, for error messages: "jobs[3].backoff.base". It becomes text only when there is an error. It refers
// to the paths of the containers around it, which must outlive it.
struct FieldPath {
    const FieldPath *parent = nullptr;
    QByteArrayView key = {};
    qsizetype index = -1;

    QByteArray text() const;
};

// One value of what is read; it points into the body. Where a container ends is found out by who reads it to its end, so that a body is
// walked over once.
class PackedValue
{
public:
    payload::Token head = {};
    FieldPath path = {};

    // All of its bytes; empty when it is malformed or cut short.
    QByteArrayView raw() const;

private:
    friend class Decoder;
    payload::Reader inside() const { return payload::Reader(m_from, m_head_bytes); }
    void endAt(const payload::Reader &reader) const { m_bytes = reader.offset(); } // `reader` is one of inside()

    QByteArrayView m_from;             // from its first byte to the end of the body
    qsizetype m_head_bytes = 0;        // without the elements of a container
    mutable qsizetype m_bytes = 0;     // of all of it; 0: that is not known yet
};

// Reads MessagePack into C++ types. Each function returns whether it succeeded. The first error is kept in error(), with the field's
// path; after it the caller must stop reading. What is read into a QByteArray is a copy; a PackedValue is valid as long as the body.
// One thread at a time.
class Decoder
{
public:
    // A request is checked strictly. An answer may come from a newer master, so it is read leniently: unknown fields are skipped, and
    // bounds are not checked. An unknown word of an enumeration makes it useless: any other word would be shown, and saved again, instead.
    // What was stored is read as strictly as a request, for a limit that is read in part would not be kept; only what depends on the
    // machine, as its time zones, is not checked again.
    enum class Of { Request, Answer, Stored };
    explicit Decoder(Of of = Of::Request) : m_of(of) {}
    bool lenient() const { return m_of == Of::Answer; }
    // Whether time zones must be in this machine's database.
    bool checksZones() const { return m_of == Of::Request; }

    // The value that `body` consists of; nothing, and the error Malformed, when it is not exactly one.
    std::optional<PackedValue> root(QByteArrayView body);
    // The same, and reads the value by `read(value)` in one walk over the body. A malformed body gets Malformed, whatever else is wrong.
    template<typename Read>
    bool whole(QByteArrayView body, Read read)
    {
        payload::Reader reader(body);
        PackedValue value;
        if (begin(reader, value) && read(std::as_const(value)) && end(reader, value) && reader.atEnd())
            return true;
        if (!isOneValue(body))
            return m_error.reset(), malformed();
        return false;
    }

    // Calls `take(key, value)` for each field. `take` returns false for an unknown field, or after an error.
    template<typename Take>
    bool map(const PackedValue &value, Take take)
    {
        if (value.head.type != payload::Type::Map)
            return noMap(value);
        payload::Reader reader = value.inside();
        QVarLengthArray<QByteArrayView, 32> seen;
        for (quint32 i = 0; i < value.head.count; ++i) {
            PackedValue key;
            if (!begin(reader, key))
                return malformed();
            const bool named = key.head.type == payload::Type::String;
            if (!named && !lenient())
                return unnamedKey(value.path);
            PackedValue field;
            field.path = {&value.path, key.head.bytes, -1};
            if (!end(reader, key) || !begin(reader, field))
                return malformed();
            if (named) {
                for (const QByteArrayView &earlier : std::as_const(seen)) {
                    if (earlier == key.head.bytes)
                        return givenTwice(field.path);
                }
                seen.append(key.head.bytes);
                if (!take(key.head.bytes, std::as_const(field)) && !lenient())
                    return m_error ? false : unknown(field.path);
                if (m_error)
                    return false;
            }
            if (!end(reader, field))
                return malformed();
        }
        value.endAt(reader);
        return true;
    }
    // Calls `take(value)` for each element until it returns false.
    template<typename Take>
    bool array(const PackedValue &value, qsizetype elements_max, Take take)
    {
        if (value.head.type != payload::Type::Array)
            return noArray(value);
        if (!lenient() && value.head.count > quint64(elements_max))
            return tooLong(value, elements_max);
        payload::Reader reader = value.inside();
        for (quint32 i = 0; i < value.head.count; ++i) {
            PackedValue element;
            element.path = {&value.path, {}, qsizetype(i)};
            if (!begin(reader, element))
                return malformed();
            if (!take(std::as_const(element)) || m_error)
                return false;
            if (!end(reader, element))
                return malformed();
        }
        value.endAt(reader);
        return true;
    }

    // UTF-8 of 1 to `bytes_max` bytes that can be a name (whyNoName()).
    bool name(const PackedValue &value, QByteArray &out, qsizetype bytes_max);
    // UTF-8 without control characters, 1 to `bytes_max` bytes.
    bool caption(const PackedValue &value, QByteArray &out, qsizetype bytes_max);
    // Any UTF-8 of at most `bytes_max` bytes.
    bool text(const PackedValue &value, QByteArray &out, qsizetype bytes_max);
    template<std::integral T>
    bool integer(const PackedValue &value, T &out, qint64 min, qint64 max)
    {
        qint64 number = 0;
        if (!integerIn(value, number, lenient() ? std::numeric_limits<T>::min() : min, lenient() ? std::numeric_limits<T>::max() : max))
            return false;
        out = static_cast<T>(number);
        return true;
    }
    bool real(const PackedValue &value, double &out, double min, double max);
    // A duration: seconds on the wire, milliseconds inside.
    bool duration(const PackedValue &value, qint64 &out_ms, double min_s, double max_s);
    bool boolean(const PackedValue &value, bool &out);
    // Any MessagePack value within limits::msgpack_depth_max and msgpack_elements_max; its bytes are copied unchanged.
    bool any(const PackedValue &value, QByteArray &out, qint64 bytes_max);
    bool isoTime(const PackedValue &value, qint64 &out_ms);

    // These keep an error (unless there is one already) and return false. In an answer, fail() keeps none: the field then counts as
    // missing.
    // `made` is a function of the namespace `reasons`; it gets the field's path, and then `values`.
    template<typename... Parameters, typename... Values>
    bool fail(const FieldPath &path, Error (*made)(QByteArrayView field, Parameters...), const Values &...values)
    {
        if (!m_error && !lenient())
            m_error = made(path.text(), values...);
        return false;
    }
    // A value of another type; `made` is a reason that says so.
    bool noMap(const PackedValue &value);
    bool expected(const PackedValue &value, Error (*made)(QByteArrayView field, QByteArrayView given))
    {
        return fail(value.path, made, payload::typeWord(value.head.type));
    }
    bool missing(const FieldPath &parent, QByteArrayView key);
    // For an answer that a client cannot use.
    bool useless(const FieldPath &path);
    bool failed() const { return m_error.has_value(); }
    // Keeps an error that was found elsewhere; it has the field's path already.
    bool refuse(const Error &error);
    // Precondition: failed().
    const Error &error() const { return *m_error; }

private:
    bool noArray(const PackedValue &value);
    bool tooLong(const PackedValue &array, qsizetype elements_max);
    bool unnamedKey(const FieldPath &path);
    bool givenTwice(const FieldPath &path);
    bool unknown(const FieldPath &path);
    bool numberIn(const PackedValue &value, double &out);
    bool outOfRange(const PackedValue &value, ReasonNumber min, ReasonNumber max, ReasonNumber number);
    // Reads the head of the next value, and passes over the rest of it.
    static bool begin(payload::Reader &reader, PackedValue &value);
    static bool end(payload::Reader &reader, const PackedValue &value);
    static bool isOneValue(QByteArrayView body);
    bool integerIn(const PackedValue &value, qint64 &out, qint64 min, qint64 max);
    bool malformed();

    Of m_of;
    std::optional<Error> m_error;
};

} // namespace junban
