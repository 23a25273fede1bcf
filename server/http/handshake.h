#pragma once

#include "server/http/message.h"
#include "server/http/refusal.h"

#include <variant>

namespace junban::http {

// What the server answers to a client that asks for a WebSocket.
struct Handshake {
    QByteArray accept;             // Sec-WebSocket-Accept
    QByteArray protocol;           // Sec-WebSocket-Protocol; empty: the client names none
};

// Reads what a client asks for (RFC 6455 §4.2.1). 426 when the request does not ask for a WebSocket of version 13, 400 when it does so
// wrongly or names subprotocols without `protocol`.
std::variant<Handshake, Refusal> shakeHands(const Request &request, const QByteArray &protocol);

// The entries of all fields of this name, which is a list of tokens.
QList<QByteArray> listedIn(const Request &request, QByteArrayView lowerCaseName);

} // namespace junban::http
