#include "core/msgpack/decoder.h"

#include "core/base/isotime.h"
#include "core/base/reasons/client.h"
#include "core/base/reasons/fields.h"
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

QByteArrayView PackedValue::raw() const
{
    if (m_bytes == 0) {
        payload::Reader reader(m_from);
        if (!reader.skip())
            return {};
        m_bytes = reader.offset();
    }
    return m_from.first(m_bytes);
}

bool Decoder::begin(payload::Reader &reader, PackedValue &value)
{
    value.m_from = reader.left();
    const qsizetype start = reader.offset();
    if (!reader.read(value.head))
        return false;
    value.m_head_bytes = reader.offset() - start;
    if (value.head.count == 0)
        value.m_bytes = value.m_head_bytes;
    return true;
}

bool Decoder::end(payload::Reader &reader, const PackedValue &value)
{
    if (value.head.count == 0)
        return true;
    if (value.raw().isEmpty())
        return false;
    reader.moveTo(reader.bytes().size() - value.m_from.size() + value.m_bytes);
    return true;
}

bool Decoder::isOneValue(QByteArrayView body)
{
    payload::Reader reader(body);
    return reader.skip() && reader.atEnd();
}

std::optional<PackedValue> Decoder::root(QByteArrayView body)
{
    payload::Reader reader(body);
    PackedValue value;
    if (isOneValue(body) && begin(reader, value)) {
        value.m_bytes = body.size();
        return value;
    }
    malformed();
    return {};
}

bool Decoder::missing(const FieldPath &parent, QByteArrayView key)
{
    const FieldPath path{&parent, key, -1};
    return lenient() ? refuse(reasons::answerFieldMissing(path.text())) : fail(path, reasons::fieldRequired);
}

bool Decoder::useless(const FieldPath &path)
{
    return refuse(reasons::answerFieldUseless(path.text()));
}

bool Decoder::noMap(const PackedValue &value)
{
    return expected(value, reasons::mapExpected);
}

bool Decoder::noArray(const PackedValue &value)
{
    return expected(value, reasons::arrayExpected);
}

bool Decoder::tooLong(const PackedValue &array, qsizetype elements_max)
{
    return fail(array.path, reasons::arrayTooLong, elements_max, array.head.count);
}

bool Decoder::unnamedKey(const FieldPath &path)
{
    return fail(path, reasons::keyNotString);
}

bool Decoder::givenTwice(const FieldPath &path)
{
    return fail(path, reasons::fieldGivenTwice);
}

bool Decoder::unknown(const FieldPath &path)
{
    return fail(path, reasons::fieldUnknown);
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
        m_error = reasons::msgpackIncomplete();
    return false;
}

bool Decoder::text(const PackedValue &value, QByteArray &out, qsizetype bytes_max)
{
    if (value.head.type != payload::Type::String)
        return expected(value, reasons::stringExpected);
    if (!lenient() && value.head.bytes.size() > bytes_max)
        return fail(value.path, reasons::textTooLong, bytes_max, value.head.bytes.size());
    if (!value.head.bytes.isValidUtf8())
        return fail(value.path, reasons::fieldNotUtf8);
    out = value.head.bytes.toByteArray();
    return true;
}

bool Decoder::caption(const PackedValue &value, QByteArray &out, qsizetype bytes_max)
{
    if (!text(value, out, bytes_max))
        return false;
    if (out.isEmpty())
        return fail(value.path, reasons::fieldEmpty);
    return !hasControlCharacters(out) || fail(value.path, reasons::fieldHasControlCharacters);
}

bool Decoder::name(const PackedValue &value, QByteArray &out, qsizetype bytes_max)
{
    if (!caption(value, out, bytes_max))
        return false;
    // Older versions took other names, too.
    return m_of == Of::Stored || !whyNoName(out, {}) || refuse(*whyNoName(out, value.path.text()));
}

bool Decoder::integerIn(const PackedValue &value, qint64 &out, qint64 min, qint64 max)
{
    if (value.head.type != payload::Type::Int && value.head.type != payload::Type::UInt)
        return expected(value, reasons::integerExpected);
    if (value.head.type == payload::Type::UInt)
        return outOfRange(value, min, max, double(value.head.unsignedInteger));
    if (value.head.integer < min || value.head.integer > max)
        return outOfRange(value, min, max, value.head.integer);
    out = value.head.integer;
    return true;
}

// What is not bounded in practice has no upper bound in its sentence.
bool Decoder::outOfRange(const PackedValue &value, ReasonNumber min, ReasonNumber max, ReasonNumber number)
{
    return max.isVast() ? fail(value.path, reasons::numberTooSmall, min, number)
                        : fail(value.path, reasons::numberOutOfRange, min, max, number);
}

bool Decoder::numberIn(const PackedValue &value, double &out)
{
    switch (value.head.type) {
    case payload::Type::Int: out = double(value.head.integer); break;
    case payload::Type::UInt: out = double(value.head.unsignedInteger); break;
    case payload::Type::Float32:
    case payload::Type::Float64: out = value.head.real; break;
    default: return expected(value, reasons::numberExpected);
    }
    if (std::isnan(out) || (lenient() && std::isinf(out)))
        return fail(value.path, reasons::numberExpected, "nan");
    return true;
}

bool Decoder::real(const PackedValue &value, double &out, double min, double max)
{
    double number = 0;
    if (!numberIn(value, number))
        return false;
    if (!lenient() && (number < min || number > max))
        return outOfRange(value, min, max, number);
    out = number;
    return true;
}

bool Decoder::duration(const PackedValue &value, qint64 &out_ms, double min_s, double max_s)
{
    double seconds = 0;
    if (!numberIn(value, seconds))
        return false;
    if (!lenient() && (seconds < min_s || seconds > max_s))
        return fail(value.path, reasons::secondsOutOfRange, min_s, max_s, seconds);
    out_ms = std::llround(lenient() ? std::clamp(seconds * 1000, 0.0, 9e15) : seconds * 1000);
    return true;
}

bool Decoder::boolean(const PackedValue &value, bool &out)
{
    if (value.head.type != payload::Type::Boolean)
        return expected(value, reasons::booleanExpected);
    out = value.head.boolean;
    return true;
}

bool Decoder::any(const PackedValue &value, QByteArray &out, qint64 bytes_max)
{
    if (lenient()) {
        out = value.raw().toByteArray();
        return true;
    }
    const Result<qsizetype> size = payload::validateFirst(value.m_from);
    const qsizetype size_bytes = size.ok() ? *size : value.raw().size();
    if (size_bytes > bytes_max)
        return fail(value.path, reasons::valueTooLarge, bytes_max, size_bytes);
    if (!size.ok()) {
        if (!m_error)
            m_error = Error{size.error().code, size.error().reason, value.path.text()};
        return false;
    }
    value.m_bytes = *size;
    out = value.raw().toByteArray();
    return true;
}

bool Decoder::isoTime(const PackedValue &value, qint64 &out_ms)
{
    if (value.head.type != payload::Type::String && !lenient())
        return expected(value, reasons::stringExpected);
    const QByteArrayView text = value.head.type == payload::Type::String ? value.head.bytes : QByteArrayView();
    const SentTime time = m_of == Of::Request ? readTime(text) : SentTime{fromIsoTime(text)};
    if (!time.at_ms)
        return time.refusal && fail(value.path, time.refusal);
    out_ms = *time.at_ms;
    return true;
}

} // namespace junban
