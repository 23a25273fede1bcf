#include "core/limits/kinds/kind.h"

#include "core/base/reasons/fields.h"
#include "core/base/reasons/matchers.h"
#include "core/base/text.h"
#include "core/calendar/timezone.h"
#include "core/limits.h"
#include "core/msgpack/msgpackwriter.h"

#include <cmath>

namespace junban {

namespace {

bool readNumber(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    return in.real(value, *static_cast<double *>(member), field.min, field.max);
}
void writeNumber(MsgpackWriter &out, const void *member, const Field &, Written)
{
    const double number = *static_cast<const double *>(member);
    if (number > -1e15 && number < 1e15 && double(qint64(number)) == number)
        out.integer(qint64(number));
    else
        out.real(number);
}

bool readNothing(Decoder &, const PackedValue &, void *, const Field &)
{
    return false;
}
void writeMilliseconds(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.integer(std::llround(*static_cast<const double *>(member) * 1000));
}

bool isLine(QByteArrayView text)
{
    return text.isValidUtf8() && !hasControlCharacters(text);
}
bool isLines(QByteArrayView text)
{
    QByteArray inLine = text.toByteArray();
    for (const char lineEnd : {'\n', '\r', '\t'})
        inLine.replace(lineEnd, ' ');
    return isLine(inLine);
}

template<bool (*valid)(QByteArrayView)>
bool readPlain(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    const qsizetype bytes_max = std::isfinite(field.max) ? qsizetype(field.max) : std::numeric_limits<qsizetype>::max();
    QByteArray text;
    if (!in.text(value, text, bytes_max))
        return false;
    if (!in.lenient() && !valid(text))
        return in.fail(value.path, reasons::fieldHasControlCharacters);
    *static_cast<QByteArray *>(member) = text;
    return true;
}
void writePlain(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.text(*static_cast<const QByteArray *>(member));
}

bool readAmount(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    Amount amount;
    if (value.head.type != payload::Type::String) {
        if (!in.integer(value, amount.number, 1, qint64(field.max)))
            return false;
    } else {
        const Field text{.name = field.name, .codec = nullptr, .memberOf = nullptr, .max = limits::matcher_text_bytes_max};
        if (!readPlain<isLines>(in, value, &amount.expression, text))
            return false;
        if (amount.expression.trimmed().isEmpty())
            return in.fail(value.path, reasons::constraintExpressionEmpty);
    }
    *static_cast<Amount *>(member) = amount;
    return true;
}
void writeAmount(MsgpackWriter &out, const void *member, const Field &, Written)
{
    const Amount &amount = *static_cast<const Amount *>(member);
    amount.expression.isEmpty() ? out.integer(amount.number) : out.text(amount.expression);
}

bool readZone(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    QByteArray name;
    if (!in.text(value, name, limits::time_zone_bytes_max))
        return false;
    const Result<TimeZone> zone = TimeZone::named(name, value.path.text());
    if (!zone.ok() && in.checksZones())
        return in.refuse(zone.error());
    *static_cast<QByteArray *>(member) = name;
    return true;
}

} // namespace

namespace codecs {
constinit const Codec number{readNumber, writeNumber, same<double>, "number"};
constinit const Codec milliseconds{readNothing, writeMilliseconds, same<double>, "milliseconds"};
constinit const Codec amount{readAmount, writeAmount, same<Amount>, "amount"};
constinit const Codec line{readPlain<isLine>, writePlain, same<QByteArray>, "text"};
constinit const Codec lines{readPlain<isLines>, writePlain, same<QByteArray>, "text"};
constinit const Codec zone{readZone, writePlain, same<QByteArray>, "text"};
} // namespace codecs

bool fewEnough(Decoder &in, const PackedValue &value, int count_max)
{
    return in.lenient() || value.head.count <= quint32(count_max)
        || in.fail(value.path, reasons::constraintListTooLong, count_max, value.head.count);
}

bool readTexts(Decoder &in, const PackedValue &value, QList<QByteArray> &texts, int count_max, bool (*valid)(QByteArrayView),
    Error (*wrong)(QByteArrayView field))
{
    texts.clear();
    if (value.head.type == payload::Type::Array && !fewEnough(in, value, count_max))
        return false;
    return in.array(value, count_max, [&](const PackedValue &element) {
        if (element.head.type == payload::Type::String && (in.lenient() || valid(element.head.bytes)))
            texts.append(element.head.bytes.toByteArray());
        else
            return in.lenient() || in.fail(value.path, wrong);
        return true;
    });
}

bool readKeyed(Decoder &in, const PackedValue &value, int count_max, const std::function<bool(QByteArrayView, const PackedValue &)> &take)
{
    if (value.head.type == payload::Type::Map && !fewEnough(in, value, count_max))
        return false;
    return in.map(value, [&](QByteArrayView key, const PackedValue &entry) {
        if (!in.lenient() && !isPlainText(key, limits::name_bytes_max))
            return in.fail(value.path, reasons::constraintKeysExpected, limits::name_bytes_max);
        return take(key, entry);
    });
}

} // namespace junban
