#pragma once

#include <QByteArray>

namespace junban::http {

// Why this side ends a WebSocket (RFC 6455 §7.4; from 4000 on our own, named after the HTTP status that says the same).
enum class CloseCode : quint16 { GoingAway = 1001, NotText = 1003, BadMessage = 4400, Unauthorized = 4401, TooSlow = 4408 };

// A WebSocket as its user has it. Threads: that of its server.
class Socket
{
public:
    virtual ~Socket() = default;
    // Sends a text message. False, and nothing is sent, when the client has not read enough of the earlier ones
    // (limits::socket_unsent_bytes_max), or the socket is closing.
    virtual bool send(const QByteArray &text) = 0;
    // Begins to close. Nothing is received after this; ended() comes when the client has answered, or has not in time. A long reason is
    // cut.
    virtual void close(CloseCode code, const QByteArray &reason) = 0;
};

// Who has a WebSocket: given with the answer that makes one (Response::socket). Every call comes from the event loop, never from inside a
// call of the socket.
class SocketUser
{
public:
    SocketUser() = default;
    SocketUser(const SocketUser &) = delete;
    SocketUser &operator=(const SocketUser &) = delete;
    virtual ~SocketUser() = default;

    // The subprotocol that a client must be ready for when it names any.
    virtual QByteArray protocol() const = 0;
    // From now until ended() there is a socket. Not called when the client goes away before.
    virtual void opened(Socket &socket) = 0;
    virtual void received(const QByteArray &text) = 0;
    virtual void ended() = 0;
};

} // namespace junban::http
