#include "server/http/answer.h"

#include "core/base/append.h"
#include "server/http/head.h"
#include "server/http/refusal.h"

#include <array>
#include <charconv>
#include <cstdio>

namespace junban::http {

namespace {

struct Default {
    QByteArrayView name;
    QByteArrayView line;
};

// An answer of the API is not a page: a browser must not execute it, frame it, guess its type or store it. Handlers that serve pages set
// these fields themselves.
constexpr std::array<Default, 5> defaults = {{
    {"x-content-type-options", "X-Content-Type-Options: nosniff\r\n"},
    {"cache-control", "Cache-Control: no-store\r\n"},
    {"content-security-policy", "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"},
    {"referrer-policy", "Referrer-Policy: no-referrer\r\n"},
    {"cross-origin-resource-policy", "Cross-Origin-Resource-Policy: same-origin\r\n"},
}};

bool isSame(QByteArrayView name, QByteArrayView lower)
{
    return name.size() == lower.size() && name.compare(lower, Qt::CaseInsensitive) == 0;
}

bool belongsToConnection(QByteArrayView name)
{
    return isSame(name, "content-length") || isSame(name, "transfer-encoding") || isSame(name, "connection")
        || isSame(name, "keep-alive") || isSame(name, "date") || isSame(name, "upgrade");
}

void appendLine(QByteArray &out, QByteArrayView name, QByteArrayView value)
{
    append(out, name);
    append(out, ": ");
    append(out, value);
    append(out, "\r\n");
}

// Most answers set none of them, and get all as one text.
QByteArray allDefaults()
{
    QByteArray lines;
    for (const Default &each : defaults)
        append(lines, each.line);
    return lines;
}

// Appends the fields that the handler set, and the defaults of the others.
void appendFields(const Response &response, QByteArray &out)
{
    static const QByteArray all = allDefaults();
    std::array<bool, defaults.size()> given{};
    for (const auto &[name, value] : response.fields) {
        if (!isToken(name) || !isFieldValue(value) || belongsToConnection(name))
            continue;
        for (size_t i = 0; i < defaults.size(); ++i)
            given[i] = given[i] || isSame(name, defaults[i].name);
        appendLine(out, name, value);
    }
    if (given == std::array<bool, defaults.size()>{})
        return append(out, all);
    for (size_t i = 0; i < defaults.size(); ++i) {
        if (!given[i])
            append(out, defaults[i].line);
    }
}

// A number as a text, without memory of its own.
class Digits
{
public:
    explicit Digits(qint64 number) : m_end(std::to_chars(m_digits.data(), m_digits.data() + m_digits.size(), number).ptr) {}
    QByteArrayView text() const { return QByteArrayView(m_digits.data(), m_end - m_digits.data()); }

private:
    std::array<char, 24> m_digits;
    char *m_end;
};

} // namespace

QByteArray composeAnswer(const Response &response, const AnswerShape &shape)
{
    const int status = response.status >= 200 && response.status <= 599 ? response.status : 500;
    const bool bodiless = status == 204 || status == 304;
    QByteArray out;
    out.reserve(512 + (bodiless || shape.toHead ? 0 : response.body.size()));
    append(out, "HTTP/1.1 ");
    append(out, Digits(status).text());
    append(out, " ");
    append(out, reasonPhrase(status));
    append(out, "\r\n");
    if (!shape.date.isEmpty())
        appendLine(out, "Date", shape.date);
    if (!bodiless) {
        if (!response.contentType.isEmpty() && isFieldValue(response.contentType))
            appendLine(out, "Content-Type", response.contentType);
        if (response.parts)
            append(out, "Transfer-Encoding: chunked\r\n");
        else
            appendLine(out, "Content-Length", Digits(response.body.size()).text());
    }
    appendFields(response, out);
    append(out, shape.fields);
    if (status == 426) // RFC 9110 §7.8
        appendLine(out, "Upgrade", "websocket");
    if (shape.close || status == 426)
        appendLine(out, "Connection", status != 426 ? "close" : shape.close ? "close, upgrade" : "upgrade");
    append(out, "\r\n");
    if (!bodiless && !shape.toHead)
        append(out, response.body);
    return out;
}

QByteArray composeUpgrade(const QByteArray &accept, const QByteArray &protocol, const AnswerShape &shape)
{
    QByteArray out = QByteArrayLiteral("HTTP/1.1 101 Switching Protocols\r\nDate: ") + shape.date
        + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept + "\r\n";
    if (!protocol.isEmpty())
        out += "Sec-WebSocket-Protocol: " + protocol + "\r\n";
    return out + shape.fields + "\r\n";
}

QByteArray httpDate(std::time_t time)
{
    static constexpr std::array<const char *, 7> days = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr std::array<const char *, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    std::tm t{};
    gmtime_r(&time, &t);
    // Not strftime(), whose names of days and months depend on the locale.
    std::array<char, 64> text{};
    const int size = std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                                   days[static_cast<size_t>(t.tm_wday)], t.tm_mday, months[static_cast<size_t>(t.tm_mon)],
                                   t.tm_year + 1900, t.tm_hour, t.tm_min, t.tm_sec);
    return QByteArray(text.data(), size);
}

} // namespace junban::http
