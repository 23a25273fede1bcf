#pragma once

#include <QByteArray>
#include <QSslConfiguration>
#include <memory>

namespace junban::http {

// Gets the events of a transport. Every call comes from the event loop, never from inside a call of the transport.
class TransportUser
{
public:
    virtual ~TransportUser() = default;
    virtual void secured() = 0;    // the TLS handshake is done; never called for plain TCP
    virtual void readable() = 0;
    virtual void written() = 0;    // some of the unsent bytes have been sent
    virtual void failed() = 0;     // the connection or the handshake broke
};

// One accepted connection as a stream of bytes, over TCP or TLS. It owns the descriptor. Threads: one, that of the gate. It must be deleted
// from the event loop, not from inside a call to its user.
class Transport
{
public:
    enum class Reading { Off, On };

    virtual ~Transport() = default;
    // Reads up to `bytes_max` bytes. 0: nothing has come now; -1: the client has closed its side, or the connection broke.
    virtual qint64 read(char *data, qint64 bytes_max) = 0;
    // Sends what the kernel takes now, and keeps the rest. False when the connection broke.
    virtual bool write(const QByteArray &bytes) = 0;
    virtual qint64 unsent_bytes() const = 0;
    virtual void setReading(Reading reading) = 0;
    // Closes this side after everything that was written has been sent.
    virtual void endOutput() = 0;
    // Closes at once; the user gets no further calls.
    virtual void abort() = 0;
};

std::unique_ptr<Transport> makePlainTransport(int fd, TransportUser &user);
// Begins the TLS handshake. Null when the descriptor cannot be used.
std::unique_ptr<Transport> makeTlsTransport(int fd, const QSslConfiguration &configuration, TransportUser &user);

} // namespace junban::http
