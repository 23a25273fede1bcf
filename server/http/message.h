#pragma once

#include <QByteArray>
#include <QHostAddress>
#include <QList>
#include <QPair>

namespace junban::http {

// One complete request, after the gate's checks (RFC 9112, strictly). It does not change.
struct Request {
    QByteArray method;             // upper case
    QByteArray path;               // as sent, without the query; still percent-encoded
    QByteArray query;              // as sent, without the '?'
    QList<QPair<QByteArray, QByteArray>> fields; // names in lower case
    QByteArray body;               // without the chunked coding
    QHostAddress peer;
    bool secure = false;           // over TLS

    QByteArray field(QByteArrayView lowerCaseName) const; // the value of the first field of this name; empty when there is none
    bool fromLoopback() const { return peer.isLoopback(); }
};

struct Response {
    int status = 200;
    QByteArray contentType;        // may be empty only when the body is empty
    QByteArray body;
    QList<QPair<QByteArray, QByteArray>> fields = {};
};

} // namespace junban::http
