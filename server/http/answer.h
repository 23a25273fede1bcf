#pragma once

#include "server/http/message.h"

#include <QByteArray>
#include <ctime>

namespace junban::http {

// What the connection decides about an answer.
struct AnswerShape {
    QByteArray date;               // empty: no Date field
    bool close = false;            // adds `Connection: close`
    bool toHead = false;           // the request was HEAD, so the body is left out
    QByteArray fields = {};        // further ones of every answer, as lines
};

// The response as bytes for the wire: status line with its reason phrase, Date, length, security headers unless the handler set its own,
// and the body; of a body in parts only the head. 204 and 304 get neither body nor length nor type. A field that would break the message
// (it has a line break, or only the connection may set it) is left out. A status outside of 200 to 599 becomes 500. 426 says which
// protocol it asks for.
QByteArray composeAnswer(const Response &response, const AnswerShape &shape);

// The answer that makes a WebSocket of the connection (RFC 6455 §4.2.2). `protocol`: the subprotocol that was chosen; empty: none.
QByteArray composeUpgrade(const QByteArray &accept, const QByteArray &protocol, const AnswerShape &shape);

// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110 §5.6.7).
QByteArray httpDate(std::time_t time);

} // namespace junban::http
