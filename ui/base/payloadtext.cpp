#include "ui/base/payloadtext.h"

#include "core/limits.h"
#include "core/msgpack/payload.h"
#include "ui/base/text.h"

#include <QDateTime>
#include <QLocale>
#include <QTimeZone>
#include <QtEndian>
#include <cmath>
#include <nlohmann/json.hpp>

namespace junban::ui {

namespace {

using payload::Reader;
using payload::Token;
using payload::Type;
using Json = nlohmann::ordered_json;

QString number(double value, QLocale::FloatingPointPrecisionOption precision = QLocale::FloatingPointShortest)
{
    Q_UNUSED(precision)
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("Infinity") : QStringLiteral("-Infinity");
    const QString text = QString::number(value, 'g', QLocale::FloatingPointShortest);
    return text.contains(QLatin1Char('.')) || text.contains(QLatin1Char('e')) ? text : text + QStringLiteral(".0");
}

QString floatText(const Token &token)
{
    // A float32 is shown with the fewest digits that are the same float32, not those of the double it is read into.
    if (token.type == Type::Float32 && std::isfinite(token.real)) {
        for (int digits = 6; digits <= 9; ++digits) {
            const QString text = QString::number(token.real, 'g', digits);
            if (text.toFloat() == float(token.real))
                return text.contains(QLatin1Char('.')) || text.contains(QLatin1Char('e')) ? text : text + QStringLiteral(".0");
        }
    }
    return number(token.real);
}

// The three forms of the timestamp extension.
std::optional<QString> timestampText(const Token &token)
{
    if (token.type != Type::Extension || token.extension != -1)
        return {};
    qint64 seconds = 0;
    quint32 nanoseconds = 0;
    if (token.bytes.size() == 4) {
        seconds = qFromBigEndian<quint32>(token.bytes.data());
    } else if (token.bytes.size() == 8) {
        const auto both = qFromBigEndian<quint64>(token.bytes.data());
        nanoseconds = quint32(both >> 34);
        seconds = qint64(both & 0x3ffffffffULL);
    } else if (token.bytes.size() == 12) {
        nanoseconds = qFromBigEndian<quint32>(token.bytes.data());
        seconds = qFromBigEndian<qint64>(token.bytes.data() + 4);
    } else {
        return {};
    }
    const QDateTime date = QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC);
    if (nanoseconds > 999'999'999 || !date.isValid() || seconds > 253'402'300'799 || seconds < -62'135'596'800)
        return {};
    return date.toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss")) + QStringLiteral(".%1Z").arg(nanoseconds, 9, 10, QLatin1Char('0'));
}

QString hexText(QByteArrayView bytes, qsizetype characters_max)
{
    const qsizetype count = std::min(bytes.size(), std::max<qsizetype>(1, characters_max / 2));
    const QString hex = QString::fromLatin1(bytes.first(count).toByteArray().toHex());
    return count < bytes.size() ? hex + QChar(0x2026) : hex;
}

QString stringText(QByteArrayView bytes, qsizetype characters_max)
{
    // A character has at most four bytes, so what is cut off here would not be shown.
    QByteArrayView head = bytes.first(std::min(bytes.size(), characters_max * 4 + 4));
    // A character that is cut in two would make the whole text look malformed.
    if (head.size() < bytes.size()) {
        while (!head.isEmpty() && (static_cast<uchar>(bytes[head.size()]) & 0xc0) == 0x80)
            head.chop(1);
    }
    QString text = shown(head);
    if (head.size() < bytes.size())
        text += QChar(0x2026);
    return clipped(text, characters_max);
}

QString scalarText(const Token &token, qsizetype characters_max)
{
    switch (token.type) {
    case Type::Nil: return QStringLiteral("nil");
    case Type::Boolean: return token.boolean ? QStringLiteral("true") : QStringLiteral("false");
    case Type::Int: return QString::number(token.integer);
    case Type::UInt: return QString::number(token.unsignedInteger);
    case Type::Float32:
    case Type::Float64: return floatText(token);
    case Type::String: return stringText(token.bytes, characters_max);
    case Type::Binary: return hexText(token.bytes, characters_max);
    case Type::Extension:
        if (const auto timestamp = timestampText(token))
            return *timestamp;
        return hexText(token.bytes, characters_max);
    case Type::Array: return QStringLiteral("[%1]").arg(token.count);
    case Type::Map: return QStringLiteral("{%1}").arg(token.count);
    }
    return {};
}

// Appends one value to `out`; false when the line is full or the bytes end.
bool preview(Reader &reader, QString &out, qsizetype characters_max, int depth)
{
    const std::optional<Token> token = reader.next();
    if (!token || out.size() >= characters_max || depth > limits::msgpack_depth_max)
        return false;
    if (token->type == Type::Array) {
        out += QLatin1Char('[');
        for (quint32 i = 0; i < token->count; ++i) {
            if (i > 0)
                out += QStringLiteral(", ");
            if (!preview(reader, out, characters_max, depth + 1))
                return false;
        }
        out += QLatin1Char(']');
        return true;
    }
    if (token->type == Type::Map) {
        out += QLatin1Char('{');
        for (quint32 i = 0; i < token->count; ++i) {
            if (i > 0)
                out += QStringLiteral(", ");
            const qsizetype start = reader.offset();
            const std::optional<QByteArrayView> key = reader.skip();
            if (!key)
                return false;
            const std::optional<Token> name = Reader(*key).next();
            if (name && name->type == Type::String) {
                out += stringText(name->bytes, characters_max);
            } else {
                Reader inner(reader.bytes().sliced(start));
                if (!preview(inner, out, characters_max, depth + 1))
                    return false;
            }
            out += QStringLiteral(": ");
            if (!preview(reader, out, characters_max, depth + 1))
                return false;
        }
        out += QLatin1Char('}');
        return true;
    }
    const QString text = scalarText(*token, characters_max);
    if (token->type == Type::String)
        out += QLatin1Char('"') + text + QLatin1Char('"');
    else if (token->type == Type::Binary)
        out += QStringLiteral("h'%1'").arg(text);
    else
        out += text;
    return out.size() < characters_max;
}

std::string base64(QByteArrayView bytes)
{
    return bytes.toByteArray().toBase64().toStdString();
}

std::string textOf(QByteArrayView bytes)
{
    return std::string(bytes.data(), size_t(bytes.size()));
}

Json scalarJson(const Token &token)
{
    switch (token.type) {
    case Type::Boolean: return token.boolean;
    case Type::Int: return token.integer;
    case Type::UInt: return token.unsignedInteger;
    case Type::Float32:
    case Type::Float64:
        if (!std::isfinite(token.real))
            return Json{{"$float", number(token.real).toStdString()}};
        return token.real;
    case Type::String:
        if (!token.bytes.isValidUtf8())
            return Json{{"$str", base64(token.bytes)}};
        return textOf(token.bytes);
    case Type::Binary: return Json{{"$bin", base64(token.bytes)}};
    case Type::Extension: return Json{{"$ext", Json::array({int(token.extension), base64(token.bytes)})}};
    default: return nullptr;
    }
}

// Whether every key of the map that begins at `reader` can be a key of a JSON object.
bool plainKeys(Reader reader, quint32 count)
{
    QSet<QByteArrayView> seen;
    for (quint32 i = 0; i < count; ++i) {
        const std::optional<QByteArrayView> key = reader.skip();
        const std::optional<Token> name = key ? Reader(*key).next() : std::nullopt;
        if (!name || name->type != Type::String || name->bytes.startsWith('$') || !name->bytes.isValidUtf8()
            || seen.contains(name->bytes) || !reader.skip())
            return false;
        seen.insert(name->bytes);
    }
    return true;
}

std::optional<Json> json(Reader &reader, int depth)
{
    const std::optional<Token> token = reader.next();
    if (!token || depth > limits::msgpack_depth_max)
        return {};
    if (token->type == Type::Array) {
        Json list = Json::array();
        for (quint32 i = 0; i < token->count; ++i) {
            std::optional<Json> element = json(reader, depth + 1);
            if (!element)
                return {};
            list.push_back(std::move(*element));
        }
        return list;
    }
    if (token->type != Type::Map)
        return scalarJson(*token);
    const bool plain = plainKeys(reader, token->count);
    Json whole = plain ? Json::object() : Json::array();
    for (quint32 i = 0; i < token->count; ++i) {
        std::optional<Json> key = json(reader, depth + 1);
        std::optional<Json> value = key ? json(reader, depth + 1) : std::nullopt;
        if (!value)
            return {};
        if (plain)
            whole[key->get<std::string>()] = std::move(*value);
        else
            whole.push_back(Json::array({std::move(*key), std::move(*value)}));
    }
    if (plain)
        return whole;
    return Json{{"$map", std::move(whole)}};
}

} // namespace

QString payloadPreview(QByteArrayView value, qsizetype characters_max)
{
    Reader reader(value);
    QString out;
    if (!preview(reader, out, characters_max, 0) && !out.endsWith(QChar(0x2026)))
        out += QChar(0x2026);
    return clipped(out, characters_max);
}

QByteArray payloadJson(QByteArrayView value, int indent)
{
    Reader reader(value);
    const std::optional<Json> whole = json(reader, 0);
    if (!whole)
        return {};
    // All strings were checked to be UTF-8, so nothing is replaced here; with `replace`, dump() never throws.
    return QByteArray::fromStdString(whole->dump(indent, ' ', false, Json::error_handler_t::replace));
}

QString payloadType(QByteArrayView value)
{
    const std::optional<Token> token = Reader(value).next();
    if (!token)
        return QStringLiteral("?");
    const auto first = static_cast<quint8>(value[0]);
    switch (token->type) {
    case Type::Nil: return QStringLiteral("nil");
    case Type::Boolean: return QStringLiteral("bool");
    case Type::Int:
    case Type::UInt:
        if (first >= 0xcc && first <= 0xcf)
            return QStringLiteral("uint%1").arg(8 << (first - 0xcc));
        if (first >= 0xd0 && first <= 0xd3)
            return QStringLiteral("int%1").arg(8 << (first - 0xd0));
        return QStringLiteral("int");
    case Type::Float32: return QStringLiteral("float32");
    case Type::Float64: return QStringLiteral("float64");
    case Type::String: return QStringLiteral("str");
    case Type::Binary: return QStringLiteral("bin");
    case Type::Array: return QStringLiteral("array");
    case Type::Map: return QStringLiteral("map");
    case Type::Extension:
        if (timestampText(*token))
            return QStringLiteral("timestamp");
        return QStringLiteral("ext %1").arg(token->extension);
    }
    return {};
}

QString payloadScalar(QByteArrayView value, qsizetype characters_max)
{
    const std::optional<Token> token = Reader(value).next();
    return token ? scalarText(*token, characters_max) : QString();
}

} // namespace junban::ui
