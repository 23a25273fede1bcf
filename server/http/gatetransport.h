#pragma once

#include <QByteArray>
#include <QSslConfiguration>
#include <memory>

namespace junban::http {

// Who is told what happens on a transport. Every call comes from the event loop, never from inside a call of the transport.
class TransportUser
{
public:
    virtual ~TransportUser() = default;
    virtual void secured() = 0;    // the handshake is done; with plain TCP never called
    virtual void readable() = 0;
    virtual void written() = 0;    // some of what was unsent has gone
    virtual void failed() = 0;     // the connection or the handshake broke
};

// The bytes of one accepted connection, over TCP or TLS. It owns the descriptor. Threads: one, that of the gate. It must be
// deleted from the event loop, not from inside a call to its user.
class Transport
{
public:
    enum class Reading { Off, On };

    virtual ~Transport() = default;
    // What is there, up to `bytes_max`; 0 when there is nothing now, -1 when the client has ended or the connection broke.
    virtual qint64 read(char *data, qint64 bytes_max) = 0;
    // Sends what can be sent and keeps the rest. False when the connection broke.
    virtual bool write(const QByteArray &bytes) = 0;
    virtual qint64 unsent_bytes() const = 0;
    virtual void setReading(Reading reading) = 0;
    // Ends our side; what was written still goes.
    virtual void endOutput() = 0;
    // Closes at once; the user is told nothing more.
    virtual void abort() = 0;
};

std::unique_ptr<Transport> makePlainTransport(int fd, TransportUser &user);
// Begins the handshake. Nothing when the descriptor cannot be taken.
std::unique_ptr<Transport> makeTlsTransport(int fd, const QSslConfiguration &configuration, TransportUser &user);

} // namespace junban::http
