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

// Where a value stands in what is read, for the errors: "jobs[3].backoff.base". Made into text only when something is wrong.
struct FieldPath {
    const FieldPath *parent = nullptr;
    QByteArrayView key = {};
    qsizetype index = -1;

    QByteArray text() const;
};

// One value of what is read, in place.
struct PackedValue {
    payload::Token head;
    QByteArrayView raw;
    FieldPath path;
};

// Reads MessagePack straight into our own types. Each function returns whether it went well; the first thing that is wrong stays in
// error(), with the field's path, and everything after it fails too. Slices keep the body alive only as copies.
class Decoder
{
public:
    // What is asked of a master is checked to the last field. What a master answers may be of a newer version: what is not known is passed
    // over, and what makes no sense is as if it was not there.
    enum class Of { Request, Answer };
    explicit Decoder(Of of = Of::Request) : m_of(of) {}
    bool lenient() const { return m_of == Of::Answer; }

    // The one value that `body` must be; nothing (and an error) when it is not.
    std::optional<PackedValue> root(QByteArrayView body);

    // Calls `take(key, value)` for each field; it returns false for a field it does not know, or after an error.
    template<typename Take>
    bool map(const PackedValue &value, Take take)
    {
        if (value.head.type != payload::Type::Map)
            return fail(value.path, "must be a map");
        payload::Reader reader(value.raw);
        reader.next();
        QVarLengthArray<QByteArrayView, 32> seen;
        for (quint32 i = 0; i < value.head.count; ++i) {
            const std::optional<payload::Token> key = reader.next();
            const bool named = key && key->type == payload::Type::String;
            if (!named && !lenient())
                return fail(value.path, "has a key that is not a string");
            const std::optional<PackedValue> field = valueAt(reader, {&value.path, named ? key->bytes : QByteArrayView(), -1});
            if (!field)
                return malformed();
            for (const QByteArrayView &earlier : std::as_const(seen)) {
                if (earlier == key->bytes)
                    return fail(field->path, "stands there twice");
            }
            seen.append(key->bytes);
            if (named && !take(key->bytes, *field) && !lenient())
                return m_error ? false : fail(field->path, "is not a field of this request");
            if (m_error)
                return false;
        }
        return true;
    }
    // Calls `take(value)` for each element.
    template<typename Take>
    bool array(const PackedValue &value, qsizetype elements_max, Take take)
    {
        if (value.head.type != payload::Type::Array)
            return fail(value.path, "must be an array");
        if (!lenient() && value.head.count > quint64(elements_max))
            return fail(value.path, "has more than " + QByteArray::number(elements_max) + " elements", ErrorCode::TooLarge);
        payload::Reader reader(value.raw);
        reader.next();
        for (quint32 i = 0; i < value.head.count; ++i) {
            const std::optional<PackedValue> element = valueAt(reader, {&value.path, {}, qsizetype(i)});
            if (!element)
                return malformed();
            if (!take(*element) || m_error)
                return false;
        }
        return true;
    }

    // UTF-8 without control characters, 1…bytes_max bytes.
    bool name(const PackedValue &value, QByteArray &out, qsizetype bytes_max);
    // Any UTF-8 up to bytes_max bytes.
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
    // One MessagePack value, its bytes unchanged; within the limits of depth and elements.
    bool any(const PackedValue &value, QByteArray &out, qint64 bytes_max);
    bool isoTime(const PackedValue &value, qint64 &out_ms);

    bool fail(const FieldPath &path, const QByteArray &what, ErrorCode code = ErrorCode::InvalidField);
    bool missing(const FieldPath &parent, QByteArrayView key);
    // Of an answer that cannot be used.
    bool useless(const FieldPath &path, const QByteArray &what);
    bool failed() const { return m_error.has_value(); }
    // What somebody else found wrong, its field's path included.
    bool refuse(const Error &error);
    const Error &error() const { return *m_error; }

private:
    static std::optional<PackedValue> valueAt(payload::Reader &reader, FieldPath path);
    bool integerIn(const PackedValue &value, qint64 &out, qint64 min, qint64 max);
    bool malformed();

    Of m_of;
    std::optional<Error> m_error;
};

} // namespace junban
