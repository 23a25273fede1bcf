#include "core/msgpack/json.h"

#include "core/base/reasons/fields.h"
#include "core/base/reasons/json.h"
#include "core/base/text.h"
#include "core/limits.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/payload.h"

#include <QList>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace junban::json {

namespace {

// An argument may have limits::msgpack_depth_max levels, and the request around it a few more.
constexpr int depth_max = limits::msgpack_depth_max + 8;

// Packs JSON into one buffer. The head of a container holds its count, so it is inserted before the content when the container ends.
// Each byte moves at most once for each level that it is nested in, and the levels are bounded.
class Packer : public nlohmann::json_sax<nlohmann::json>
{
public:
    bool null() override { return value(MsgpackWriter().nil()); }
    bool boolean(bool flag) override { return value(MsgpackWriter().boolean(flag)); }
    bool number_integer(number_integer_t number) override { return value(MsgpackWriter().integer(number)); }
    bool number_unsigned(number_unsigned_t number) override { return value(MsgpackWriter().unsignedInteger(number)); }
    bool number_float(number_float_t number, const string_t &text) override
    {
        if (text.find_first_of(".eE") == string_t::npos)
            return refuse(reasons::jsonIntegerTooLarge(path()));
        return value(MsgpackWriter().real(number));
    }
    bool string(string_t &text) override { return value(MsgpackWriter().text(QByteArrayView(text.data(), qsizetype(text.size())))); }
    bool binary(binary_t &) override { return false; } // not in JSON text
    bool start_object(std::size_t) override { return open(payload::Type::Map); }
    bool start_array(std::size_t) override { return open(payload::Type::Array); }
    bool key(string_t &text) override
    {
        m_open.last().lastKey = m_out.size();
        m_keys.append(m_out.size());
        m_out += MsgpackWriter().text(QByteArrayView(text.data(), qsizetype(text.size()))).take();
        return true;
    }
    bool end_object() override;
    bool end_array() override
    {
        const Frame frame = m_open.takeLast();
        m_out.insert(frame.start, MsgpackWriter().array(frame.count).take());
        return counted();
    }
    bool parse_error(std::size_t position, const std::string &, const nlohmann::detail::exception &error) override
    {
        constexpr int numberOverflow = 406;
        if (error.id == numberOverflow)
            return refuse(reasons::jsonNumberTooLarge(path()));
        m_error = reasons::jsonMalformedAt(position);
        return false;
    }

    Result<QByteArray> result()
    {
        if (m_error)
            return *m_error;
        return std::move(m_out);
    }

private:
    struct Frame {
        payload::Type type;
        qsizetype start;    // of its content in m_out
        qsizetype keys;     // how many of m_keys belong to the containers around it
        qsizetype lastKey;  // where the key of the value that is being read is in m_out
        qsizetype count;    // values that have been read whole
    };

    bool open(payload::Type type)
    {
        if (m_open.size() >= depth_max)
            return refuse(reasons::jsonTooDeep(path()));
        m_open.append({type, m_out.size(), m_keys.size(), 0, 0});
        return true;
    }
    bool value(MsgpackWriter &writer)
    {
        m_out += writer.take();
        return counted();
    }
    bool counted()
    {
        if (!m_open.isEmpty())
            ++m_open.last().count;
        return true;
    }
    QByteArrayView keyAt(qsizetype at) const { return payload::Reader(QByteArrayView(m_out).sliced(at)).next()->bytes; }
    // The path of the value that is being read, or of the one with this key below it: "jobs[3].argument".
    QByteArray path(QByteArrayView key = {}) const
    {
        QByteArray path;
        for (const Frame &frame : m_open) {
            if (frame.type == payload::Type::Array)
                path += '[' + QByteArray::number(frame.count) + ']';
            else
                path += (path.isEmpty() ? "" : ".") + shown(keyAt(frame.lastKey), limits::shown_bytes_max);
        }
        if (!key.isEmpty())
            path += (path.isEmpty() ? "" : ".") + shown(key, limits::shown_bytes_max);
        return path;
    }
    bool refuse(Error error)
    {
        m_error = std::move(error);
        return false;
    }
    std::optional<QByteArray> twice(const Frame &frame) const;
    bool special(const QByteArray &key, const QByteArray &packed);

    QByteArray m_out;
    QList<Frame> m_open;
    QList<qsizetype> m_keys; // where the keys of the open objects are in m_out, outermost first
    std::optional<Error> m_error;
};

// A string that is in `texts` more than once.
std::optional<QByteArrayView> repeated(std::vector<QByteArrayView> &texts)
{
    std::sort(texts.begin(), texts.end());
    const auto found = std::adjacent_find(texts.begin(), texts.end());
    return found == texts.end() ? std::nullopt : std::optional(*found);
}

std::optional<QByteArray> Packer::twice(const Frame &frame) const
{
    std::vector<QByteArrayView> keys;
    keys.reserve(size_t(m_keys.size() - frame.keys));
    for (qsizetype i = frame.keys; i < m_keys.size(); ++i)
        keys.push_back(keyAt(m_keys[i]));
    const auto found = repeated(keys);
    return found ? std::optional(found->toByteArray()) : std::nullopt;
}

std::optional<QByteArray> base64(const payload::Token &token)
{
    if (token.type != payload::Type::String)
        return {};
    const QByteArray text = token.bytes.toByteArray();
    const auto decoded = QByteArray::fromBase64Encoding(text, QByteArray::AbortOnBase64DecodingErrors);
    // Qt ignores bits that are left over: a text that other bytes have too, or that lost its end.
    const bool isExact = decoded && (text == (*decoded).toBase64() || text == (*decoded).toBase64(QByteArray::OmitTrailingEquals));
    return isExact ? std::optional(*decoded) : std::nullopt;
}

// A map with one key that stands for another value, and what says how that is written.
struct Special {
    const char *key;
    Error (*refusal)(QByteArrayView field);
};
const Special *meaning(QByteArrayView key)
{
    static constexpr Special all[] = {{"$bin", reasons::jsonBase64Expected}, {"$str", reasons::jsonBase64Expected},
        {"$float", reasons::jsonFloatExpected}, {"$ext", reasons::jsonExtensionExpected}, {"$map", reasons::jsonPairsExpected}};
    for (const Special &special : all) {
        if (key == special.key)
            return &special;
    }
    return nullptr;
}

bool Packer::special(const QByteArray &key, const QByteArray &packed)
{
    payload::Reader reader(packed);
    const payload::Token head = *reader.next();
    MsgpackWriter writer;
    if (key == "$bin") {
        if (const auto bytes = base64(head))
            return value(writer.binary(*bytes));
    } else if (key == "$str") {
        if (const auto bytes = base64(head))
            return value(writer.text(*bytes));
    } else if (key == "$float" && head.type == payload::Type::String) {
        if (head.bytes == "NaN")
            return value(writer.real(std::nan("")));
        if (head.bytes == "Infinity" || head.bytes == "-Infinity")
            return value(writer.real(head.bytes.startsWith('-') ? -HUGE_VAL : HUGE_VAL));
    } else if (key == "$ext" && head.type == payload::Type::Array && head.count == 2) {
        const auto type = reader.next();
        const auto content = reader.next();
        const auto bytes = content ? base64(*content) : std::nullopt;
        if (bytes && type->type == payload::Type::Int && type->integer >= -128 && type->integer <= 127)
            return value(writer.extension(qint8(type->integer), *bytes));
    } else if (key == "$map" && head.type == payload::Type::Array) {
        writer.map(head.count);
        for (quint32 i = 0; i < head.count; ++i) {
            const auto pair = reader.next();
            if (!pair || pair->type != payload::Type::Array || pair->count != 2)
                return refuse(meaning(key)->refusal(path(key)));
            writer.raw(*reader.skip());
            writer.raw(*reader.skip());
        }
        return value(writer);
    }
    const Special *meant = meaning(key);
    return refuse(meant ? meant->refusal(path(key)) : reasons::jsonDollarKey(path(key), key));
}

bool Packer::end_object()
{
    const Frame frame = m_open.takeLast();
    const qsizetype count = m_keys.size() - frame.keys;
    if (const auto key = twice(frame))
        return refuse(reasons::fieldGivenTwice(path(*key)));
    for (qsizetype i = frame.keys; i < m_keys.size(); ++i) {
        const QByteArray key = keyAt(m_keys[i]).toByteArray();
        if (!key.startsWith('$'))
            continue;
        if (count > 1)
            return refuse(reasons::jsonDollarKey(path(key), key));
        payload::Reader reader(QByteArrayView(m_out).sliced(frame.start));
        reader.skip();
        const QByteArray packed = m_out.mid(frame.start + reader.offset());
        m_out.truncate(frame.start);
        m_keys.resize(frame.keys);
        return special(key, packed);
    }
    m_keys.resize(frame.keys);
    m_out.insert(frame.start, MsgpackWriter().map(count).take());
    return counted();
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
        const std::string text = nlohmann::json(number).dump(); // the shortest text of the same number, always with '.' or 'e'
        out.append(text.data(), qsizetype(text.size()));
    }
}

// Whether the map's keys can be those of a JSON object: UTF-8 strings without a leading '$', each only once. `reader` is behind the head.
bool plainKeys(payload::Reader reader, quint32 count)
{
    std::vector<QByteArrayView> keys;
    for (quint32 i = 0; i < count; ++i) {
        payload::Reader ahead = reader;
        const auto key = ahead.next();
        if (!key || key->type != payload::Type::String || key->bytes.startsWith('$') || !key->bytes.isValidUtf8())
            return false;
        keys.push_back(key->bytes);
        reader.skip();
        reader.skip();
    }
    return !repeated(keys);
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

// The recursion is bounded: a value that comes here has passed payload::validate() or was written by this program.
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
        return reasons::jsonNotUtf8();
    const bool whole = nlohmann::json::sax_parse(json.begin(), json.end(), &packer);
    Result<QByteArray> result = packer.result();
    if (!whole && result.ok())
        return reasons::jsonMalformed();
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
