#include "core/msgpack/decoder.h"

#include "core/base/isotime.h"
#include "core/base/text.h"
#include "core/limits.h"

#include <algorithm>
#include <cmath>

namespace junban {

QByteArray FieldPath::text() const
{
    QByteArray text = parent ? parent->text() : QByteArray();
    if (index >= 0)
        return text + '[' + QByteArray::number(index) + ']';
    if (!text.isEmpty() && !key.isEmpty())
        text += '.';
    return text + shown(key, limits::shown_bytes_max);
}

std::optional<PackedValue> Decoder::valueAt(payload::Reader &reader, FieldPath path)
{
    const qsizetype start = reader.offset();
    const std::optional<QByteArrayView> raw = reader.skip();
    if (!raw)
        return {};
    return PackedValue{*payload::Reader(reader.bytes().sliced(start)).next(), *raw, path};
}

std::optional<PackedValue> Decoder::root(QByteArrayView body)
{
    payload::Reader reader(body);
    const std::optional<PackedValue> value = valueAt(reader, {});
    if (value && reader.atEnd())
        return value;
    malformed();
    return {};
}

bool Decoder::fail(const FieldPath &path, const QByteArray &what, ErrorCode code)
{
    if (!m_error && !lenient()) {
        const QByteArray field = path.text();
        const QByteArray subject = field.isEmpty() ? QByteArray("The request") : '\'' + field + '\'';
        m_error = Error{code, subject + ' ' + what + '.', field};
    }
    return false;
}

bool Decoder::missing(const FieldPath &parent, QByteArrayView key)
{
    const FieldPath path{&parent, key, -1};
    return lenient() ? useless(path, "is missing") : fail(path, "is required");
}

bool Decoder::useless(const FieldPath &path, const QByteArray &what)
{
    if (!m_error)
        m_error = Error{ErrorCode::Malformed, "The answer is not what this client expects: '" + path.text() + "' " + what + '.'};
    return false;
}

bool Decoder::refuse(const Error &error)
{
    if (!m_error)
        m_error = error;
    return false;
}

bool Decoder::malformed()
{
    if (!m_error)
        m_error = Error{ErrorCode::Malformed, "The body is not one complete MessagePack value."};
    return false;
}

bool Decoder::text(const PackedValue &value, QByteArray &out, qsizetype bytes_max)
{
    if (value.head.type != payload::Type::String)
        return fail(value.path, "must be a string");
    if (!lenient() && value.head.bytes.size() > bytes_max)
        return fail(value.path, "is longer than " + QByteArray::number(bytes_max) + " bytes");
    if (!value.head.bytes.isValidUtf8())
        return fail(value.path, "is not UTF-8");
    out = value.head.bytes.toByteArray();
    return true;
}

bool Decoder::caption(const PackedValue &value, QByteArray &out, qsizetype bytes_max)
{
    if (!text(value, out, bytes_max))
        return false;
    if (out.isEmpty())
        return fail(value.path, "must not be empty");
    return !hasControlCharacters(out) || fail(value.path, "has control characters");
}

bool Decoder::name(const PackedValue &value, QByteArray &out, qsizetype bytes_max)
{
    if (!caption(value, out, bytes_max))
        return false;
    const QByteArray fault = whyNoName(out);
    return fault.isEmpty() || fail(value.path, fault);
}

bool Decoder::integerIn(const PackedValue &value, qint64 &out, qint64 min, qint64 max)
{
    if (value.head.type != payload::Type::Int || value.head.integer < min || value.head.integer > max)
        return fail(value.path, "must be an integer from " + QByteArray::number(min) + " to " + QByteArray::number(max));
    out = value.head.integer;
    return true;
}

bool Decoder::real(const PackedValue &value, double &out, double min, double max)
{
    double number = std::nan("");
    if (value.head.type == payload::Type::Int)
        number = double(value.head.integer);
    else if (value.head.type == payload::Type::Float32 || value.head.type == payload::Type::Float64)
        number = value.head.real;
    if (lenient() ? !std::isfinite(number) : !(number >= min && number <= max)) // NaN too
        return fail(value.path, "must be a number from " + QByteArray::number(min) + " to " + QByteArray::number(max, 'g', 10));
    out = number;
    return true;
}

bool Decoder::duration(const PackedValue &value, qint64 &out_ms, double min_s, double max_s)
{
    double seconds = 0;
    if (!real(value, seconds, min_s, max_s))
        return false;
    out_ms = std::llround(lenient() ? std::clamp(seconds * 1000, 0.0, 9e15) : seconds * 1000);
    return true;
}

bool Decoder::boolean(const PackedValue &value, bool &out)
{
    if (value.head.type != payload::Type::Boolean)
        return fail(value.path, "must be true or false");
    out = value.head.boolean;
    return true;
}

bool Decoder::any(const PackedValue &value, QByteArray &out, qint64 bytes_max)
{
    if (lenient()) {
        out = value.raw.toByteArray();
        return true;
    }
    if (value.raw.size() > bytes_max)
        return fail(value.path, "is larger than " + QByteArray::number(bytes_max) + " bytes", ErrorCode::TooLarge);
    const Result<Done> valid = payload::validate(value.raw);
    if (!valid.ok()) {
        if (!m_error)
            m_error = Error{valid.error().code, valid.error().message, value.path.text()};
        return false;
    }
    out = value.raw.toByteArray();
    return true;
}

bool Decoder::isoTime(const PackedValue &value, qint64 &out_ms)
{
    const QByteArrayView text = value.head.type == payload::Type::String ? value.head.bytes : QByteArrayView();
    const SentTime time = lenient() ? SentTime{fromIsoTime(text)} : readTime(text);
    if (!time.at_ms)
        return fail(value.path, time.refusal);
    out_ms = *time.at_ms;
    return true;
}

} // namespace junban
