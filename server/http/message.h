#pragma once

#include <QByteArray>
#include <QHostAddress>
#include <QList>
#include <QPair>

namespace junban::http {

// One request, complete and checked by the gate (RFC 9112, strictly). Immutable.
struct Request {
    QByteArray method;             // upper case
    QByteArray path;               // as sent, without the query; percent-encoded still
    QByteArray query;              // as sent, without the '?'
    QList<QPair<QByteArray, QByteArray>> fields; // names in lower case
    QByteArray body;               // de-chunked
    QHostAddress peer;
    bool secure = false;           // over TLS

    QByteArray field(QByteArrayView lowerCaseName) const; // the first one's value; empty when there is none
    bool fromLoopback() const { return peer.isLoopback(); }
};

struct Response {
    int status = 200;
    QByteArray contentType;        // empty only with an empty body
    QByteArray body;
    QList<QPair<QByteArray, QByteArray>> fields = {};
};

} // namespace junban::http
