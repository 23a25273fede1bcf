#include "server/http/handshake.h"

#include "core/base/reasons/http.h"

#include <QCryptographicHash>
#include <algorithm>

namespace junban::http {

namespace {

bool names(const QList<QByteArray> &list, QByteArrayView lower)
{
    return std::any_of(list.begin(), list.end(), [&](const QByteArray &each) { return each.toLower() == lower; });
}

qsizetype count(const Request &request, QByteArrayView name)
{
    return std::count_if(request.fields.begin(), request.fields.end(), [&](const auto &field) { return field.first == name; });
}

} // namespace

QList<QByteArray> listedIn(const Request &request, QByteArrayView lowerCaseName)
{
    QList<QByteArray> entries;
    for (const auto &[name, value] : request.fields) {
        if (name != lowerCaseName)
            continue;
        for (const QByteArray &entry : value.split(',')) {
            if (!entry.trimmed().isEmpty())
                entries.append(entry.trimmed());
        }
    }
    return entries;
}

std::variant<Handshake, Refusal> shakeHands(const Request &request, const QByteArray &protocol)
{
    const bool asks = request.method == "GET" && request.minor > 0 && names(listedIn(request, "connection"), "upgrade")
        && names(listedIn(request, "upgrade"), "websocket");
    if (!asks)
        return Refusal(reasons::websocketExpected());
    if (count(request, "sec-websocket-version") != 1 || request.field("sec-websocket-version") != "13")
        return Refusal(reasons::websocketVersionNotSupported());
    const QByteArray key = request.field("sec-websocket-key");
    const auto decoded = QByteArray::fromBase64Encoding(key, QByteArray::AbortOnBase64DecodingErrors);
    if (count(request, "sec-websocket-key") != 1 || !decoded || decoded.decoded.size() != 16)
        return Refusal(reasons::websocketKeyInvalid());
    const QList<QByteArray> protocols = listedIn(request, "sec-websocket-protocol");
    if (!protocols.isEmpty() && !protocols.contains(protocol))
        return Refusal(reasons::websocketProtocolUnknown(protocol));
    const QByteArray accept
        = QCryptographicHash::hash(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11", QCryptographicHash::Sha1).toBase64();
    return Handshake{accept, protocols.isEmpty() ? QByteArray() : protocol};
}

} // namespace junban::http
