#include "app/ctl/yaml.h"

#include "app/ctl/terminal.h"
#include "core/base/reasons/ctl.h"
#include "core/msgpack/json.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/payload.h"

#include <QHash>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <yaml.h>

namespace junban::app::yaml {

namespace {

constexpr qsizetype bytes_max = 4 << 20;    // of the text, and of all values that aliases repeat
constexpr int depth_max = 32;

// A scalar without quotes and tag, by the core schema.
QByteArray plain(const QByteArray &text)
{
    static const QRegularExpression integer(QStringLiteral("^[-+]?[0-9]+$"));
    static const QRegularExpression real(QStringLiteral(R"(^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$)"));
    static const QRegularExpression infinity(QStringLiteral(R"(^[-+]?\.(inf|Inf|INF)$)"));
    MsgpackWriter out;
    if (text.isEmpty() || text == "~" || text == "null" || text == "Null" || text == "NULL")
        return out.nil().take();
    if (text == "true" || text == "True" || text == "TRUE" || text == "false" || text == "False" || text == "FALSE")
        return out.boolean(text.toLower() == "true").take();
    const QString characters = QString::fromUtf8(text);
    bool fits = false;
    if (integer.match(characters).hasMatch() || ((text.startsWith("0x") || text.startsWith("0o")) && text.size() > 2)) {
        const int base = text.startsWith("0x") ? 16 : text.startsWith("0o") ? 8 : 10;
        const QByteArray digits = base == 10 ? text : text.mid(2);
        const qint64 whole = digits.toLongLong(&fits, base);
        if (fits)
            return out.integer(whole).take();
        const quint64 large = digits.toULongLong(&fits, base);
        if (fits)
            return out.unsignedInteger(large).take();
    }
    if (real.match(characters).hasMatch())
        return out.real(text.toDouble()).take();
    if (infinity.match(characters).hasMatch())
        return out.real(text.startsWith('-') ? -HUGE_VAL : HUGE_VAL).take();
    if (text == ".nan" || text == ".NaN" || text == ".NAN")
        return out.real(std::nan("")).take();
    return out.text(text).take();
}

// Reads events and packs them. After a failure every further step fails.
class Packer
{
public:
    explicit Packer(QByteArrayView text)
    {
        if (yaml_parser_initialize(&m_parser) == 0)
            fail(reasons::yamlUnreadable(), {});
        yaml_parser_set_encoding(&m_parser, YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(&m_parser, reinterpret_cast<const unsigned char *>(text.data()), size_t(text.size()));
    }
    ~Packer()
    {
        yaml_event_delete(&m_event);
        yaml_parser_delete(&m_parser);
    }
    Packer(const Packer &) = delete;
    Packer &operator=(const Packer &) = delete;

    Result<QList<QByteArray>> all()
    {
        QList<QByteArray> found;
        while (next() && m_event.type != YAML_STREAM_END_EVENT) {
            if (m_event.type == YAML_STREAM_START_EVENT || m_event.type == YAML_DOCUMENT_END_EVENT)
                continue;
            m_anchors.clear();
            if (next()) // behind the document's start
                found.append(value(0));
            if (!m_error && found.last() == payload::nil)
                found.removeLast();
        }
        if (m_error)
            return *m_error;
        return found;
    }

private:
    void fail(const Reason &why, yaml_mark_t mark, ErrorCode code = ErrorCode::Malformed)
    {
        if (!m_error)
            m_error = Error{code, reasons::yamlWrongAt(qint64(mark.line) + 1, qint64(mark.column) + 1, why)};
    }
    bool next()
    {
        if (m_error)
            return false;
        yaml_event_delete(&m_event);
        if (yaml_parser_parse(&m_parser, &m_event) == 0)
            fail(m_parser.problem == nullptr ? reasons::yamlNone() : reasons::yamlFault(m_parser.problem), m_parser.problem_mark);
        return !m_error;
    }
    static QByteArray bytes(const unsigned char *text, size_t size)
    {
        return QByteArray(reinterpret_cast<const char *>(text), qsizetype(size));
    }
    static QByteArray bytes(const unsigned char *text) { return QByteArray(reinterpret_cast<const char *>(text)); } // null: empty

    // The value that the event at hand begins.
    QByteArray value(int depth)
    {
        if (depth > depth_max)
            fail(reasons::yamlTooDeep(), m_event.start_mark, ErrorCode::TooLarge);
        if (m_error)
            return {};
        QByteArray anchor; // taken before the next event replaces this one
        switch (m_event.type) {
        case YAML_SCALAR_EVENT: return kept(bytes(m_event.data.scalar.anchor), scalar());
        case YAML_SEQUENCE_START_EVENT:
            anchor = bytes(m_event.data.sequence_start.anchor);
            return kept(anchor, sequence(depth));
        case YAML_MAPPING_START_EVENT:
            anchor = bytes(m_event.data.mapping_start.anchor);
            return kept(anchor, mapping(depth));
        case YAML_ALIAS_EVENT: return alias();
        default: fail(reasons::yamlValueMissing(), m_event.start_mark); return {};
        }
    }
    QByteArray kept(const QByteArray &anchor, const QByteArray &packed)
    {
        m_bytes += packed.size();
        if (m_bytes > bytes_max * depth_max)
            fail(reasons::yamlGrowsTooLarge(), m_event.start_mark, ErrorCode::TooLarge);
        if (!anchor.isEmpty())
            m_anchors.insert(anchor, packed);
        return packed;
    }
    QByteArray alias()
    {
        const auto found = m_anchors.constFind(bytes(m_event.data.alias.anchor));
        if (found == m_anchors.cend())
            fail(reasons::yamlAnchorMissing(), m_event.start_mark);
        return found == m_anchors.cend() ? QByteArray() : kept({}, *found);
    }
    QByteArray scalar()
    {
        const auto &found = m_event.data.scalar;
        const QByteArray text = bytes(found.value, found.length), tag = bytes(found.tag);
        if (!tag.isEmpty() && tag != "!" && tag != YAML_STR_TAG)
            fail(reasons::yamlTagUnknown(), m_event.start_mark);
        const bool resolves = tag.isEmpty() && found.style == YAML_PLAIN_SCALAR_STYLE;
        return resolves ? plain(text) : MsgpackWriter().text(text).take();
    }
    QByteArray sequence(int depth)
    {
        QByteArray content;
        int count = 0;
        while (next() && m_event.type != YAML_SEQUENCE_END_EVENT) {
            content += value(depth + 1);
            ++count;
        }
        return MsgpackWriter().array(count).raw(content).take();
    }
    QByteArray mapping(int depth)
    {
        QByteArray content;
        QList<QByteArray> keys;
        while (next() && m_event.type != YAML_MAPPING_END_EVENT) {
            const yaml_mark_t mark = m_event.start_mark;
            if (m_event.type != YAML_SCALAR_EVENT) {
                fail(reasons::yamlKeyNotText(), mark);
                break;
            }
            const QByteArray key = bytes(m_event.data.scalar.value, m_event.data.scalar.length);
            if (keys.contains(key))
                fail(reasons::yamlKeyTwice(key), mark);
            keys.append(key);
            content += MsgpackWriter().text(key).take();
            content += next() ? value(depth + 1) : QByteArray();
        }
        return MsgpackWriter().map(keys.size()).raw(content).take();
    }

    yaml_parser_t m_parser{};
    yaml_event_t m_event{};
    QHash<QByteArray, QByteArray> m_anchors;
    qsizetype m_bytes = 0;
    std::optional<Error> m_error;
};

// Whether a text without quotes is a text for readers of YAML 1.1 and 1.2 alike. What the syntax forbids libyaml finds itself.
bool readsAsText(const QByteArray &text)
{
    static constexpr std::array<const char *, 11> words = {"null", "true", "false", "yes", "no", "on", "off", "y", "n", "inf", "nan"};
    const QByteArray lower = text.toLower();
    const auto first = static_cast<unsigned char>(text.isEmpty() ? '\0' : text[0]);
    const bool begins = std::isalpha(first) || first == '_' || first >= 0x80;
    return begins && std::none_of(words.begin(), words.end(), [&](const char *word) { return lower == word; });
}

class Emitter
{
public:
    explicit Emitter(bool unicode)
    {
        yaml_emitter_initialize(&m_emitter);
        yaml_emitter_set_output(&m_emitter, [](void *to, unsigned char *bytes, size_t size) {
            static_cast<QByteArray *>(to)->append(reinterpret_cast<const char *>(bytes), qsizetype(size));
            return 1;
        }, &m_text);
        yaml_emitter_set_width(&m_emitter, -1);
        yaml_emitter_set_unicode(&m_emitter, unicode ? 1 : 0);
    }
    ~Emitter() { yaml_emitter_delete(&m_emitter); }
    Emitter(const Emitter &) = delete;
    Emitter &operator=(const Emitter &) = delete;

    QByteArray document(QByteArrayView value)
    {
        payload::Reader reader(value);
        yaml_event_t event;
        yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING);
        send(event);
        yaml_document_start_event_initialize(&event, nullptr, nullptr, nullptr, 1);
        send(event);
        write(reader);
        yaml_document_end_event_initialize(&event, 1);
        send(event);
        yaml_stream_end_event_initialize(&event);
        send(event);
        return m_text;
    }

private:
    // Takes the event over.
    void send(yaml_event_t &event) { yaml_emitter_emit(&m_emitter, &event); }
    void scalar(const QByteArray &text, yaml_scalar_style_t style)
    {
        yaml_event_t event;
        auto *bytes = reinterpret_cast<unsigned char *>(const_cast<char *>(text.constData())); // it is only read
        yaml_scalar_event_initialize(&event, nullptr, nullptr, bytes, int(text.size()), 1, 1, style);
        send(event);
    }
    void text(const QByteArray &text)
    {
        const yaml_scalar_style_t line = readsAsText(text) ? YAML_PLAIN_SCALAR_STYLE : YAML_SINGLE_QUOTED_SCALAR_STYLE;
        scalar(text, text.contains('\n') ? YAML_LITERAL_SCALAR_STYLE : line);
    }
    static QByteArray realText(double real)
    {
        if (std::isnan(real))
            return ".nan";
        if (std::isinf(real))
            return real < 0 ? "-.inf" : ".inf";
        if (real == std::floor(real) && std::abs(real) < 9e15)
            return number(qint64(real));
        return json::fromMsgpack(MsgpackWriter().real(real).take());
    }
    // The recursion is bounded: the values are this program's own, or have passed the client's decoder.
    void write(payload::Reader &reader)
    {
        const std::optional<payload::Token> token = reader.next();
        if (!token)
            return;
        yaml_event_t event;
        switch (token->type) {
        case payload::Type::Array:
            yaml_sequence_start_event_initialize(&event, nullptr, nullptr, 1, YAML_BLOCK_SEQUENCE_STYLE);
            send(event);
            for (quint32 i = 0; i < token->count; ++i)
                write(reader);
            yaml_sequence_end_event_initialize(&event);
            send(event);
            return;
        case payload::Type::Map:
            yaml_mapping_start_event_initialize(&event, nullptr, nullptr, 1, YAML_BLOCK_MAPPING_STYLE);
            send(event);
            for (quint32 i = 0; i < 2 * token->count; ++i)
                write(reader);
            yaml_mapping_end_event_initialize(&event);
            send(event);
            return;
        case payload::Type::String:
        case payload::Type::Binary:
        case payload::Type::Extension: text(token->bytes.toByteArray()); return;
        case payload::Type::Nil: scalar("null", YAML_PLAIN_SCALAR_STYLE); return;
        case payload::Type::Boolean: scalar(token->boolean ? "true" : "false", YAML_PLAIN_SCALAR_STYLE); return;
        case payload::Type::Int: scalar(number(token->integer), YAML_PLAIN_SCALAR_STYLE); return;
        case payload::Type::UInt: scalar(QByteArray::number(token->unsignedInteger), YAML_PLAIN_SCALAR_STYLE); return;
        case payload::Type::Float32:
        case payload::Type::Float64: scalar(realText(token->real), YAML_PLAIN_SCALAR_STYLE); return;
        }
    }

    yaml_emitter_t m_emitter{};
    QByteArray m_text;
};

} // namespace

Result<QList<QByteArray>> documents(QByteArrayView text)
{
    if (text.size() > bytes_max)
        return reasons::yamlTooLarge(bytes_max);
    if (!text.isValidUtf8())
        return reasons::yamlNotUtf8();
    return Packer(text).all();
}

QByteArray fromMsgpack(QByteArrayView value)
{
    // As one text; what JSON has escaped already is escaped by libyaml, too.
    const QByteArray text = json::fromMsgpack(value);
    return Emitter(forTerminal(text) == text).document(value);
}

} // namespace junban::app::yaml
