#include "server/http/answer.h"

#include "server/http/head.h"
#include "server/http/refusal.h"

#include <array>
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

// Appends the fields that the handler set, and the defaults of the others.
void appendFields(const Response &response, QByteArray &out)
{
    std::array<bool, defaults.size()> given{};
    for (const auto &[name, value] : response.fields) {
        if (!isToken(name) || !isFieldValue(value) || belongsToConnection(name))
            continue;
        for (size_t i = 0; i < defaults.size(); ++i)
            given[i] = given[i] || isSame(name, defaults[i].name);
        out.append(name).append(": ").append(value).append("\r\n");
    }
    for (size_t i = 0; i < defaults.size(); ++i) {
        if (!given[i])
            out.append(defaults[i].line);
    }
}

void appendNumber(QByteArray &out, qint64 number)
{
    std::array<char, 24> digits;
    char *end = digits.data() + digits.size();
    char *at = end;
    do {
        *--at = static_cast<char>('0' + number % 10);
        number /= 10;
    } while (number > 0);
    out.append(at, end - at);
}

} // namespace

QByteArray composeAnswer(const Response &response, const AnswerShape &shape)
{
    const int status = response.status >= 200 && response.status <= 599 ? response.status : 500;
    const bool bodiless = status == 204 || status == 304;
    QByteArray out;
    out.reserve(512 + (bodiless || shape.toHead ? 0 : response.body.size()));
    out.append("HTTP/1.1 ");
    appendNumber(out, status);
    out.append(' ').append(reasonPhrase(status)).append("\r\n");
    if (!shape.date.isEmpty())
        out.append("Date: ").append(shape.date).append("\r\n");
    if (!bodiless) {
        if (!response.contentType.isEmpty() && isFieldValue(response.contentType))
            out.append("Content-Type: ").append(response.contentType).append("\r\n");
        if (response.parts) {
            out.append("Transfer-Encoding: chunked\r\n");
        } else {
            out.append("Content-Length: ");
            appendNumber(out, response.body.size());
            out.append("\r\n");
        }
    }
    appendFields(response, out);
    out.append(shape.fields);
    if (status == 426) // RFC 9110 §7.8
        out.append("Upgrade: websocket\r\n").append(shape.close ? "Connection: close, upgrade\r\n" : "Connection: upgrade\r\n");
    else if (shape.close)
        out.append("Connection: close\r\n");
    out.append("\r\n");
    if (!bodiless && !shape.toHead)
        out.append(response.body);
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
