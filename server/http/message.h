#pragma once

#include "core/limits.h"

#include <QByteArray>
#include <QHostAddress>
#include <QList>
#include <QPair>
#include <functional>
#include <memory>
#include <optional>

namespace junban::http {

// Who is at the other end of a connection.
struct Peer {
    QHostAddress address = {};            // null over a unix socket
    std::optional<quint32> user = {};     // over a unix socket: the id of the user whose process connected

    bool isHere() const { return user || address.isLoopback(); }
};

// What the server's user says of a request when its head has come (ServerOptions::place).
struct Place {
    qint64 body_bytes_max = limits::http_body_bytes_max;
    int route = -1;                        // the user's number of it; -1: it has none
    QList<QByteArray> parameters = {};     // of the path, percent-decoded
    bool isDirect = false;                 // the gate calls the handler itself, without QtHttpServer
    // What the user remembers of the head, if heads like it come again: the gate gives the same one with each further head of the
    // connection that is equal byte for byte, but for the body's length. Null: they are not worth it.
    std::shared_ptr<void> memo = {};
};

// How a request came: from its caller; or from another master of the namespace, which vouches for the caller's address. Foreign: it says
// that it does, but does not know the secret of this master's leadership.
enum class Hop : quint8 { None, Vouched, Foreign };

// One complete request, after the gate's checks (RFC 9112, strictly). It does not change.
struct Request {
    QByteArray method;             // upper case
    QByteArray path;               // as sent, without the query; still percent-encoded
    QByteArray query;              // as sent, without the '?'
    QList<QPair<QByteArray, QByteArray>> fields; // names in lower case
    QByteArray body;               // without the chunked coding
    int minor = 1;                 // of the version, HTTP/1.1 or HTTP/1.0
    Peer peer;
    bool secure = false;           // over TLS
    Place place;
    Hop hop = Hop::None;
    // Of a request that was passed on: drawn by the first master, so what is made for it can get ids that derive from it. Otherwise empty.
    QByteArray id = {};
    bool isRepeated = false;       // a leader may have carried it out already

    QByteArray field(QByteArrayView lowerCaseName) const; // the value of the first field of this name; empty when there is none
};

// A body that is made part by part, while it leaves: as much of it is in memory as one part has.
class BodyParts
{
public:
    BodyParts() = default;
    BodyParts(const BodyParts &) = delete;
    BodyParts &operator=(const BodyParts &) = delete;
    virtual ~BodyParts() = default;

    // Asked for when the part before has left. Calls `take` once, later: with the next part; with an empty one when the body is complete;
    // or with nothing when it cannot be completed, and the client is to see that it breaks off.
    virtual void next(std::function<void(std::optional<QByteArray>)> take) = 0;
    // Asked every now and then, also while the client reads nothing: when it says no, the body breaks off.
    virtual bool mayGoOn() { return true; }
};

class SocketUser;

struct Response {
    int status = 200;
    QByteArray contentType;        // may be empty only when the body is empty
    QByteArray body;
    QList<QPair<QByteArray, QByteArray>> fields = {};
    std::shared_ptr<BodyParts> parts = {}; // instead of `body`
    // Instead of all else: the connection becomes a WebSocket of this user (server/http/socket.h), if the request asks for one as it must.
    // Otherwise the gate refuses it.
    std::shared_ptr<SocketUser> socket = {};
};

} // namespace junban::http
