#include "server/http/head.h"

#include "core/base/reasons/http.h"

#include <array>
#include <cstring>
#include <optional>

namespace junban::http {

namespace {

enum Kind : quint8 { Token = 1, PathByte = 2, QueryByte = 4, ValueByte = 8, HostByte = 16, HexDigit = 32 };

constexpr bool isAlphanumeric(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

constexpr bool isOneOf(int c, const char *set)
{
    for (; *set != '\0'; ++set) {
        if (*set == c)
            return true;
    }
    return false;
}

constexpr std::array<quint8, 256> makeKinds()
{
    std::array<quint8, 256> kinds{};
    for (int c = 0; c < 256; ++c) {
        quint8 kind = 0;
        if (isAlphanumeric(c) || isOneOf(c, "!#$%&'*+-.^_`|~"))
            kind |= Token;
        // RFC 3986 §3.3: pchar and '/'; escapes are checked later.
        if (isAlphanumeric(c) || isOneOf(c, "-._~!$&'()*+,;=:@/%"))
            kind |= PathByte;
        // As browsers write queries: all visible characters except delimiters (URL standard, "query state").
        if (c > 0x20 && c < 0x7f && !isOneOf(c, "\"#<>"))
            kind |= QueryByte;
        if (c == '\t' || (c >= 0x20 && c != 0x7f))
            kind |= ValueByte;
        // Without the punctuation that RFC 3986 allows but no host name has, so that a list of hosts does not pass.
        if (isAlphanumeric(c) || isOneOf(c, "-._~%"))
            kind |= HostByte;
        if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'))
            kind |= HexDigit;
        kinds[static_cast<size_t>(c)] = kind;
    }
    return kinds;
}

constexpr std::array<quint8, 256> kinds = makeKinds();

bool is(char c, Kind kind)
{
    return (kinds[static_cast<quint8>(c)] & kind) != 0;
}

bool allAre(QByteArrayView text, Kind kind)
{
    for (const char c : text) {
        if (!is(c, kind))
            return false;
    }
    return true;
}

// Whether every '%' begins an escape of two hexadecimal digits that is not a NUL.
bool escapesAreSound(QByteArrayView text)
{
    for (qsizetype i = text.indexOf('%'); i >= 0; i = text.indexOf('%', i + 1)) {
        if (i + 2 >= text.size() || !is(text[i + 1], HexDigit) || !is(text[i + 2], HexDigit))
            return false;
        if (text[i + 1] == '0' && text[i + 2] == '0')
            return false;
    }
    return true;
}

QByteArray lowerCase(QByteArrayView text)
{
    QByteArray lower(text.size(), Qt::Uninitialized);
    char *to = lower.data();
    for (const char c : text)
        *to++ = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    return lower;
}

bool equalsIgnoringCase(QByteArrayView text, QByteArrayView lower)
{
    return text.size() == lower.size() && text.compare(lower, Qt::CaseInsensitive) == 0;
}

QByteArrayView trimmed(QByteArrayView text)
{
    while (!text.isEmpty() && (text.front() == ' ' || text.front() == '\t'))
        text = text.sliced(1);
    while (!text.isEmpty() && (text.back() == ' ' || text.back() == '\t'))
        text.chop(1);
    return text;
}

using Fault = std::optional<Refusal>;

Fault bad(const Error &error)
{
    return Refusal(error);
}

Fault parseTarget(QByteArrayView target, int target_bytes_max, Head &head)
{
    if (target.size() > target_bytes_max)
        return Refusal(reasons::targetTooLong(target_bytes_max));
    if (!target.startsWith('/') || target.startsWith("//"))
        return bad(reasons::httpTargetSlash());
    const qsizetype mark = target.indexOf('?');
    const QByteArrayView path = mark < 0 ? target : target.first(mark);
    const QByteArrayView query = mark < 0 ? QByteArrayView() : target.sliced(mark + 1);
    if (!allAre(path, PathByte) || !allAre(query, QueryByte) || !escapesAreSound(path) || !escapesAreSound(query))
        return bad(reasons::httpTargetEscape());
    head.path = path.toByteArray();
    head.query = query.toByteArray();
    return {};
}

Fault parseMethod(QByteArrayView method, Head &head)
{
    if (!isToken(method))
        return bad(reasons::httpMethodInvalid());
    for (const char c : method) {
        if (c < 'A' || c > 'Z')
            return Refusal(reasons::methodUnknown());
    }
    if (method.size() > 16 || method == "CONNECT" || method == "TRACE")
        return Refusal(reasons::methodNotSupported());
    head.method = method.toByteArray();
    return {};
}

Fault parseVersion(QByteArrayView version, int &minor)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (version.size() != 8 || !version.startsWith("HTTP/") || version[6] != '.' || !isDigit(version[5]) || !isDigit(version[7]))
        return bad(reasons::httpVersionMissing());
    if (version[5] != '1' || version[7] > '1')
        return Refusal(reasons::httpVersionNotSupported());
    minor = version[7] - '0';
    return {};
}

Fault parseRequestLine(QByteArrayView line, const HeadLimits &limits, Head &head, int &minor)
{
    const qsizetype first = line.indexOf(' ');
    const qsizetype last = line.lastIndexOf(' ');
    if (first <= 0 || last <= first + 1)
        return bad(reasons::httpRequestLine());
    Fault fault = parseMethod(line.first(first), head);
    if (!fault)
        fault = parseVersion(line.sliced(last + 1), minor);
    if (!fault)
        fault = parseTarget(line.sliced(first + 1, last - first - 1), limits.target_bytes_max, head);
    return fault;
}

// RFC 9110 §7.2: a host, an IP literal in brackets or nothing, then perhaps a port.
bool isHost(QByteArrayView host)
{
    if (host.startsWith('[')) {
        const qsizetype close = host.indexOf(']');
        if (close < 3)
            return false;
        for (const char c : host.sliced(1, close - 1)) {
            if (!is(c, HexDigit) && c != ':' && c != '.')
                return false;
        }
        host = host.sliced(close + 1);
        if (!host.isEmpty() && !host.startsWith(':'))
            return false;
    } else {
        const qsizetype colon = host.indexOf(':');
        const QByteArrayView name = colon < 0 ? host : host.first(colon);
        if (name.isEmpty() || !allAre(name, HostByte) || !escapesAreSound(name))
            return false;
        host = colon < 0 ? QByteArrayView() : host.sliced(colon);
    }
    if (host.isEmpty())
        return true;
    host = host.sliced(1);
    for (const char c : host) {
        if (c < '0' || c > '9')
            return false;
    }
    return host.size() <= 5 && host.toUInt() <= 65'535;
}

// What the header fields say about the message itself, collected while they are read.
struct Frame {
    const char *begin;             // of the head
    int minor = 1;
    int hosts = 0;
    int lengths = 0;
    int codings = 0;
};

Fault takeLength(QByteArrayView value, Frame &frame, Head &head)
{
    if (++frame.lengths > 1)
        return bad(reasons::httpLengthTwice());
    if (value.isEmpty())
        return bad(reasons::httpLengthEmpty());
    qint64 length = 0;
    for (const char c : value) {
        if (c < '0' || c > '9')
            return bad(reasons::httpLengthNotNumber());
        if (length > (std::numeric_limits<qint64>::max() - 9) / 10)
            return Refusal(reasons::bodyLengthTooLarge());
        length = length * 10 + (c - '0');
    }
    head.framing = Framing::Length;
    head.length = length;
    head.lengthAt = value.data() - frame.begin;
    head.lengthDigits = value.size();
    return {};
}

Fault takeCoding(QByteArrayView value, Frame &frame)
{
    if (++frame.codings > 1)
        return bad(reasons::httpCodingTwice());
    if (!equalsIgnoringCase(value, "chunked"))
        return Refusal(reasons::codingNotSupported());
    return {};
}

Fault takeConnection(QByteArrayView value, Head &head)
{
    while (true) {
        const qsizetype comma = value.indexOf(',');
        const QByteArrayView option = trimmed(comma < 0 ? value : value.first(comma));
        if (!option.isEmpty() && !isToken(option))
            return bad(reasons::httpConnectionInvalid());
        if (equalsIgnoringCase(option, "close"))
            head.keepAlive = false;
        if (comma < 0)
            return {};
        value = value.sliced(comma + 1);
    }
}

// Reads the fields that say how the message is framed; ignores the others.
Fault takeMeaning(QByteArrayView name, QByteArrayView value, Frame &frame, Head &head)
{
    if (name == "host") {
        if (++frame.hosts > 1)
            return bad(reasons::httpHostTwice());
        return isHost(value) ? Fault() : bad(reasons::httpHostInvalid());
    }
    if (name == "content-length")
        return takeLength(value, frame, head);
    if (name == "transfer-encoding")
        return takeCoding(value, frame);
    if (name == "connection")
        return takeConnection(value, head);
    if (name == "expect" && frame.minor > 0) {
        if (!equalsIgnoringCase(value, "100-continue"))
            return Refusal(reasons::expectationNotSupported());
        head.expectsContinue = true;
    }
    return {};
}

Fault takeField(QByteArrayView line, Frame &frame, Head &head)
{
    const qsizetype colon = line.indexOf(':');
    // This also refuses a line that begins with white space (obsolete line folding), and white space before the colon.
    if (colon <= 0 || !isToken(line.first(colon)))
        return bad(reasons::httpFieldNameInvalid());
    const QByteArrayView value = trimmed(line.sliced(colon + 1));
    if (!isFieldValue(value))
        return bad(reasons::httpFieldValueInvalid());
    QByteArray name = lowerCase(line.first(colon));
    if (const Fault fault = takeMeaning(name, value, frame, head))
        return fault;
    head.fields.append({std::move(name), value.toByteArray()});
    return {};
}

Fault judge(const Frame &frame, Head &head)
{
    if (frame.minor > 0 && frame.hosts == 0)
        return bad(reasons::httpHostMissing());
    if (frame.codings > 0) {
        if (frame.lengths > 0)
            return bad(reasons::httpLengthAndCoding());
        if (frame.minor == 0)
            return bad(reasons::httpCodingIn10());
        head.framing = Framing::Chunked;
    }
    if (frame.minor == 0)
        head.keepAlive = false;
    head.minor = frame.minor;
    return {};
}

} // namespace

bool isToken(QByteArrayView text)
{
    return !text.isEmpty() && allAre(text, Token);
}

bool isFieldValue(QByteArrayView text)
{
    return allAre(text, ValueByte);
}

HeadScan::Found HeadScan::look(QByteArrayView bytes)
{
    while (m_seen < bytes.size()) {
        const void *found = std::memchr(bytes.data() + m_seen, '\n', static_cast<size_t>(bytes.size() - m_seen));
        if (found == nullptr) {
            m_seen = bytes.size();
            return Found::Nothing;
        }
        const qsizetype at = static_cast<const char *>(found) - bytes.data();
        if (at == m_lineBegin || bytes[at - 1] != '\r')
            return Found::BareLineFeed;
        const bool empty = at == m_lineBegin + 1;
        m_seen = m_lineBegin = at + 1;
        if (empty)
            return Found::End;
        ++m_lines;
    }
    return Found::Nothing;
}

std::variant<Head, Refusal> parseHead(QByteArrayView bytes, const HeadLimits &limits)
{
    Head head;
    Frame frame{.begin = bytes.data()};
    head.fields.reserve(8);
    bool first = true;
    while (true) {
        const qsizetype end = bytes.indexOf('\n');
        if (end < 1 || bytes[end - 1] != '\r')
            return *bad(reasons::httpLineEnd());
        const QByteArrayView line = bytes.first(end - 1);
        bytes = bytes.sliced(end + 1);
        if (line.isEmpty() && !first)
            break;
        if (!first && head.fields.size() >= limits.fields_max)
            return Refusal(reasons::headerFieldsTooMany(limits.fields_max));
        Fault fault = first ? parseRequestLine(line, limits, head, frame.minor) : takeField(line, frame, head);
        if (fault)
            return *fault;
        first = false;
    }
    if (const Fault fault = judge(frame, head))
        return *fault;
    return head;
}

} // namespace junban::http
