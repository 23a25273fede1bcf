#include "core/limits/bucketkey.h"

#include "core/cel/times.h"
#include "core/limits.h"
#include "core/msgpack/json.h"
#include "core/msgpack/msgpackwriter.h"

#include <QCryptographicHash>
#include <QList>
#include <cmath>

namespace junban::bucketkey {

namespace {

constexpr qint8 missing_type = 0; // of the extension that stands for a missing value

QByteArray hashed(QByteArrayView content)
{
    return "sha256:" + QCryptographicHash::hash(content.toByteArray(), QCryptographicHash::Sha256).toHex();
}

QByteArray real(double number)
{
    // As an integer where it is one, so that 1 and 1.0 are one key.
    if (number >= -0x1p63 && number < 0x1p63 && double(qint64(number)) == number)
        return MsgpackWriter().integer(qint64(number)).take();
    if (number >= 0 && number < 0x1p64 && double(quint64(number)) == number)
        return MsgpackWriter().unsignedInteger(quint64(number)).take();
    return MsgpackWriter().real(number).take();
}

} // namespace

std::optional<QByteArray> element(const cel::Value &value)
{
    MsgpackWriter writer;
    switch (value.type()) {
    case cel::ValueType::Null: return writer.nil().take();
    case cel::ValueType::Bool: return writer.boolean(value.toBool()).take();
    case cel::ValueType::Int: return writer.integer(value.toInt()).take();
    case cel::ValueType::UInt: return writer.unsignedInteger(value.toUInt()).take();
    case cel::ValueType::Double:
        if (std::isnan(value.toDouble()))
            return {};
        return real(value.toDouble());
    case cel::ValueType::String:
        return writer.text(value.view().size() <= limits::name_bytes_max ? value.view().toByteArray() : hashed(value.view())).take();
    case cel::ValueType::Bytes:
        return writer.binary(value.view().size() <= limits::name_bytes_max ? value.view().toByteArray() : hashed(value.view())).take();
    case cel::ValueType::Timestamp: return writer.text(cel::times::timestampText(value)).take();
    case cel::ValueType::Duration: return writer.text(cel::times::durationText(value)).take();
    default: return {};
    }
}

QByteArray missing()
{
    return MsgpackWriter().extension(missing_type, {}).take();
}

QByteArray key(std::span<const QByteArray> elements)
{
    MsgpackWriter writer;
    writer.array(qsizetype(elements.size()));
    for (const QByteArray &each : elements)
        writer.raw(each);
    return writer.take();
}

QByteArray text(QByteArrayView key)
{
    payload::Reader reader(key);
    const auto head = reader.next();
    if (!head || head->type != payload::Type::Array || head->count == 0)
        return {};
    QList<QByteArray> parts;
    for (quint32 i = 0; i < head->count; ++i) {
        const auto part = reader.skip();
        if (!part)
            return {};
        const auto token = payload::Reader(*part).next();
        if (*part == missing())
            parts.append(head->count == 1 ? "(missing)" : "\"(missing)\"");
        else if (head->count == 1 && token->type == payload::Type::String && token->bytes.isValidUtf8())
            parts.append(token->bytes.toByteArray());
        else
            parts.append(json::fromMsgpack(*part));
    }
    return parts.size() == 1 ? parts[0] : '[' + parts.join(',') + ']';
}

} // namespace junban::bucketkey
