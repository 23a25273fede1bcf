#include "core/json.h"

#include "core/limits.h"
#include "core/msgpackwriter.h"
#include "core/payload.h"

#include <QList>
#include <cmath>
#include <nlohmann/json.hpp>

namespace junban::json {

namespace {

// Requests wrap a value in a few levels of their own.
constexpr int depth_max = limits::msgpack_depth_max + 8;

// Packs each value as it ends, for a MessagePack map is written with its count first.
class Packer : public nlohmann::json_sax<nlohmann::json>
{
public:
    bool null() override { return value(MsgpackWriter().nil().take()); }
    bool boolean(bool flag) override { return value(MsgpackWriter().boolean(flag).take()); }
    bool number_integer(number_integer_t number) override { return value(MsgpackWriter().integer(number).take()); }
    bool number_unsigned(number_unsigned_t number) override { return value(MsgpackWriter().unsignedInteger(number).take()); }
    bool number_float(number_float_t number, const string_t &text) override
    {
        if (text.find_first_of(".eE") == string_t::npos)
            return refuse(ErrorCode::InvalidField, "An integer is beyond 64 bits.");
        return value(MsgpackWriter().real(number).take());
    }
    bool string(string_t &text) override { return value(MsgpackWriter().text(QByteArrayView(text.data(), qsizetype(text.size()))).take()); }
    bool binary(binary_t &) override { return false; } // not in JSON text
    bool start_object(std::size_t) override { return open(true); }
    bool start_array(std::size_t) override { return open(false); }
    bool key(string_t &text) override
    {
        const QByteArray name(text.data(), qsizetype(text.size()));
        if (m_open.last().keys.contains(name))
            return refuse(ErrorCode::InvalidField, "The key '" + name + "' stands there twice.", name);
        m_open.last().keys.append(name);
        return true;
    }
    bool end_object() override;
    bool end_array() override
    {
        const Frame frame = m_open.takeLast();
        MsgpackWriter writer;
        writer.array(frame.values.size());
        for (const QByteArray &element : frame.values)
            writer.raw(element);
        return value(writer.take());
    }
    bool parse_error(std::size_t position, const std::string &, const nlohmann::detail::exception &) override
    {
        return refuse(ErrorCode::Malformed, "The body is not JSON; see byte " + QByteArray::number(qint64(position)) + '.');
    }

    Result<QByteArray> result() const
    {
        if (m_error)
            return *m_error;
        return m_root;
    }

private:
    struct Frame {
        bool isMap;
        QList<QByteArray> keys;
        QList<QByteArray> values;
    };

    bool open(bool isMap)
    {
        if (m_open.size() >= depth_max)
            return refuse(ErrorCode::TooLarge, "The JSON is nested too deep.");
        m_open.append({isMap, {}, {}});
        return true;
    }
    bool value(QByteArray packed)
    {
        if (m_open.isEmpty())
            m_root = std::move(packed);
        else
            m_open.last().values.append(std::move(packed));
        return true;
    }
    bool refuse(ErrorCode code, QByteArray message, QByteArray field = {})
    {
        if (!m_error)
            m_error = Error{code, std::move(message), std::move(field)};
        return false;
    }
    bool special(const QByteArray &key, const QByteArray &packed);

    QList<Frame> m_open;
    QByteArray m_root;
    std::optional<Error> m_error;
};

std::optional<QByteArray> base64(const payload::Token &token)
{
    if (token.type != payload::Type::String)
        return {};
    const auto decoded = QByteArray::fromBase64Encoding(token.bytes.toByteArray(), QByteArray::AbortOnBase64DecodingErrors);
    return decoded ? std::optional(*decoded) : std::nullopt;
}

bool Packer::special(const QByteArray &key, const QByteArray &packed)
{
    payload::Reader reader(packed);
    const payload::Token head = *reader.next();
    MsgpackWriter writer;
    if (key == "$bin") {
        if (const auto bytes = base64(head))
            return value(writer.binary(*bytes).take());
    } else if (key == "$str") {
        if (const auto bytes = base64(head))
            return value(writer.text(*bytes).take());
    } else if (key == "$float") {
        if (head.bytes == "NaN")
            return value(writer.real(std::nan("")).take());
        if (head.bytes == "Infinity" || head.bytes == "-Infinity")
            return value(writer.real(head.bytes.startsWith('-') ? -HUGE_VAL : HUGE_VAL).take());
    } else if (key == "$ext" && head.type == payload::Type::Array && head.count == 2) {
        const auto type = reader.next();
        const auto content = reader.next();
        const auto bytes = content ? base64(*content) : std::nullopt;
        if (bytes && type->type == payload::Type::Int && type->integer >= -128 && type->integer <= 127)
            return value(writer.extension(qint8(type->integer), *bytes).take());
    } else if (key == "$map" && head.type == payload::Type::Array) {
        writer.map(head.count);
        for (quint32 i = 0; i < head.count; ++i) {
            const auto pair = reader.next();
            if (!pair || pair->type != payload::Type::Array || pair->count != 2)
                return refuse(ErrorCode::InvalidField, "'$map' must hold pairs [key, value].", key);
            writer.raw(*reader.skip());
            writer.raw(*reader.skip());
        }
        return value(writer.take());
    }
    return refuse(ErrorCode::InvalidField, "An object with '" + key + "' is not one of $bin, $str, $ext, $map and $float.", key);
}

bool Packer::end_object()
{
    const Frame frame = m_open.takeLast();
    for (const QByteArray &key : frame.keys) {
        if (key.startsWith('$'))
            return frame.keys.size() == 1 ? special(key, frame.values[0])
                                          : refuse(ErrorCode::InvalidField, "A key that begins with '$' needs '$map'.", key);
    }
    MsgpackWriter writer;
    writer.map(frame.keys.size());
    for (qsizetype i = 0; i < frame.keys.size(); ++i)
        writer.text(frame.keys[i]).raw(frame.values[i]);
    return value(writer.take());
}

void writeString(QByteArray &out, QByteArrayView text)
{
    static constexpr char digits[] = "0123456789abcdef";
    out += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (c == '\n')
            out += "\\n";
        else if (byte < 0x20 || byte == 0x7f)
            ((out += "\\u00") += digits[byte >> 4]) += digits[byte & 15];
        else
            out += c;
    }
    out += '"';
}

void writeBase64(QByteArray &out, const char *key, QByteArrayView bytes)
{
    out += "{\"";
    out += key;
    out += "\":\"" + bytes.toByteArray().toBase64() + "\"}";
}

void write(QByteArray &out, payload::Reader &reader);

void writeReal(QByteArray &out, double number)
{
    if (std::isnan(number)) {
        out += "{\"$float\":\"NaN\"}";
    } else if (std::isinf(number)) {
        out += number < 0 ? "{\"$float\":\"-Infinity\"}" : "{\"$float\":\"Infinity\"}";
    } else {
        const std::string text = nlohmann::json(number).dump(); // the shortest that reads back the same, and always with . or e
        out.append(text.data(), qsizetype(text.size()));
    }
}

// Whether every key of the map that `reader` stands in is a string that JSON can have as a key.
bool plainKeys(payload::Reader reader, quint32 count)
{
    for (quint32 i = 0; i < count; ++i) {
        payload::Reader ahead = reader;
        const auto key = ahead.next();
        if (!key || key->type != payload::Type::String || key->bytes.startsWith('$') || !key->bytes.isValidUtf8())
            return false;
        reader.skip();
        reader.skip();
    }
    return true;
}

void writeMap(QByteArray &out, payload::Reader &reader, quint32 count)
{
    const bool plain = plainKeys(reader, count);
    out += plain ? "{" : "{\"$map\":[";
    for (quint32 i = 0; i < count; ++i) {
        if (i > 0)
            out += ',';
        if (!plain)
            out += '[';
        write(out, reader);
        out += plain ? ':' : ',';
        write(out, reader);
        if (!plain)
            out += ']';
    }
    out += plain ? "}" : "]}";
}

// Recursion is bounded: what comes here has passed payload::validate() or was written by us.
void write(QByteArray &out, payload::Reader &reader)
{
    const std::optional<payload::Token> token = reader.next();
    if (!token) {
        out += "null";
        return;
    }
    switch (token->type) {
    case payload::Type::Nil: out += "null"; break;
    case payload::Type::Boolean: out += token->boolean ? "true" : "false"; break;
    case payload::Type::Int: out += QByteArray::number(token->integer); break;
    case payload::Type::UInt: out += QByteArray::number(token->unsignedInteger); break;
    case payload::Type::Float32:
    case payload::Type::Float64: writeReal(out, token->real); break;
    case payload::Type::String:
        if (token->bytes.isValidUtf8())
            writeString(out, token->bytes);
        else
            writeBase64(out, "$str", token->bytes);
        break;
    case payload::Type::Binary: writeBase64(out, "$bin", token->bytes); break;
    case payload::Type::Extension:
        out += "{\"$ext\":[" + QByteArray::number(token->extension) + ",\"" + token->bytes.toByteArray().toBase64() + "\"]}";
        break;
    case payload::Type::Array:
        out += '[';
        for (quint32 i = 0; i < token->count; ++i) {
            if (i > 0)
                out += ',';
            write(out, reader);
        }
        out += ']';
        break;
    case payload::Type::Map: writeMap(out, reader, token->count); break;
    }
}

} // namespace

Result<QByteArray> toMsgpack(QByteArrayView json)
{
    Packer packer;
    if (!json.isValidUtf8())
        return Error{ErrorCode::Malformed, "The body is not UTF-8."};
    const bool whole = nlohmann::json::sax_parse(json.begin(), json.end(), &packer);
    const Result<QByteArray> result = packer.result();
    if (!whole && result.ok())
        return Error{ErrorCode::Malformed, "The body is not JSON."};
    return result;
}

QByteArray fromMsgpack(QByteArrayView msgpack)
{
    QByteArray out;
    out.reserve(msgpack.size() * 2);
    payload::Reader reader(msgpack);
    write(out, reader);
    return out;
}

} // namespace junban::json
