#pragma once

#include "core/base/result.h"
#include "core/base/text.h"
#include "core/msgpack/payload.h"

#include <QByteArray>
#include <QVarLengthArray>
#include <concepts>
#include <optional>

namespace junban::api {

// Where a value stands in a request, for the errors: "jobs[3].backoff.base". Made into text only when something is wrong.
struct Path {
    const Path *parent = nullptr;
    QByteArrayView key = {};
    qsizetype index = -1;

    QByteArray text() const;
};

// One value of a request, in place.
struct Value {
    payload::Token head;
    QByteArrayView raw;
    Path path;
};

// Reads a request's MessagePack straight into our own types. Each function returns whether it went well; the first thing that is
// wrong stays in error(), with the field's path, and everything after it fails too. Slices keep the body alive only as copies.
class Decoder
{
public:
    // The one value that `body` must be; nothing (and an error) when it is not.
    std::optional<Value> root(QByteArrayView body);

    // Calls `take(key, value)` for each field; it returns false for a field it does not know, or after an error.
    template<typename Take>
    bool map(const Value &value, Take take)
    {
        if (value.head.type != payload::Type::Map)
            return fail(value.path, "must be a map");
        payload::Reader reader(value.raw);
        reader.next();
        QVarLengthArray<QByteArrayView, 24> seen;
        for (quint32 i = 0; i < value.head.count; ++i) {
            const std::optional<payload::Token> key = reader.next();
            if (!key || key->type != payload::Type::String)
                return fail(value.path, "has a key that is not a string");
            const std::optional<Value> field = valueAt(reader, {&value.path, key->bytes, -1});
            if (!field)
                return malformed();
            for (const QByteArrayView &earlier : std::as_const(seen)) {
                if (earlier == key->bytes)
                    return fail(field->path, "stands there twice");
            }
            seen.append(key->bytes);
            if (!take(key->bytes, *field))
                return m_error ? false : fail(field->path, "is not a field of this request");
            if (m_error)
                return false;
        }
        return true;
    }
    // Calls `take(value)` for each element.
    template<typename Take>
    bool array(const Value &value, qsizetype elements_max, Take take)
    {
        if (value.head.type != payload::Type::Array)
            return fail(value.path, "must be an array");
        if (value.head.count > quint64(elements_max))
            return fail(value.path, "has more than " + QByteArray::number(elements_max) + " elements", ErrorCode::TooLarge);
        payload::Reader reader(value.raw);
        reader.next();
        for (quint32 i = 0; i < value.head.count; ++i) {
            const std::optional<Value> element = valueAt(reader, {&value.path, {}, qsizetype(i)});
            if (!element)
                return malformed();
            if (!take(*element) || m_error)
                return false;
        }
        return true;
    }

    // UTF-8 without control characters, 1…bytes_max bytes.
    bool name(const Value &value, QByteArray &out, qsizetype bytes_max);
    // Any UTF-8 up to bytes_max bytes.
    bool text(const Value &value, QByteArray &out, qsizetype bytes_max);
    template<std::integral T>
    bool integer(const Value &value, T &out, qint64 min, qint64 max)
    {
        qint64 number = 0;
        if (!integerIn(value, number, min, max))
            return false;
        out = static_cast<T>(number);
        return true;
    }
    bool real(const Value &value, double &out, double min, double max);
    // A duration: seconds on the wire, milliseconds inside.
    bool duration(const Value &value, qint64 &out_ms, double min_s, double max_s);
    bool boolean(const Value &value, bool &out);
    // One MessagePack value, its bytes unchanged; within the limits of depth and elements.
    bool any(const Value &value, QByteArray &out, qint64 bytes_max);
    bool isoTime(const Value &value, qint64 &out_ms);

    bool fail(const Path &path, const QByteArray &what, ErrorCode code = ErrorCode::InvalidField);
    bool missing(const Path &parent, const char *key);
    // What somebody else found wrong, its field's path included.
    bool refuse(const Error &error);
    const Error &error() const { return *m_error; }

private:
    static std::optional<Value> valueAt(payload::Reader &reader, Path path);
    bool integerIn(const Value &value, qint64 &out, qint64 min, qint64 max);
    bool malformed();

    std::optional<Error> m_error;
};

bool isUtf8(QByteArrayView text);

} // namespace junban::api
