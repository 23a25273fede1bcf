#pragma once

#include <QByteArray>
#include <QHostAddress>
#include <QList>
#include <QPair>
#include <optional>

namespace junban::http {

// Who is at the other end of a connection.
struct Peer {
    QHostAddress address = {};            // null over a unix socket
    std::optional<quint32> user = {};     // over a unix socket: the id of the user whose process connected

    bool isHere() const { return user || address.isLoopback(); }
};

// One complete request, after the gate's checks (RFC 9112, strictly). It does not change.
struct Request {
    QByteArray method;             // upper case
    QByteArray path;               // as sent, without the query; still percent-encoded
    QByteArray query;              // as sent, without the '?'
    QList<QPair<QByteArray, QByteArray>> fields; // names in lower case
    QByteArray body;               // without the chunked coding
    Peer peer;
    bool secure = false;           // over TLS

    QByteArray field(QByteArrayView lowerCaseName) const; // the value of the first field of this name; empty when there is none
};

struct Response {
    int status = 200;
    QByteArray contentType;        // may be empty only when the body is empty
    QByteArray body;
    QList<QPair<QByteArray, QByteArray>> fields = {};
};

} // namespace junban::http
