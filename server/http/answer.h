#pragma once

#include "server/http/message.h"

#include <QByteArray>
#include <ctime>

namespace junban::http {

// What the connection adds to a response.
struct AnswerShape {
    QByteArray date;               // empty: no Date
    bool close = false;            // says `Connection: close`
    bool toHead = false;           // the request was HEAD: all but the body
};

// The response as bytes for the wire: status line with its reason phrase, Date, length, security headers unless the handler gave
// its own, and the body. 1xx, 204 and 304 get neither body nor length nor type. A field of the handler that would break the
// message (a line break in it, or one that only the connection may set) is left out.
QByteArray composeAnswer(const Response &response, const AnswerShape &shape);

// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110 §5.6.7).
QByteArray httpDate(std::time_t time);

} // namespace junban::http
