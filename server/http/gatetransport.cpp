#include "server/http/gatetransport.h"

#include "core/base/streamsocket.h"
#include "core/limits.h"

#include <QSslSocket>
#include <unistd.h>
#include <utility>

namespace junban::http {

namespace {

class PlainTransport final : public Transport, private StreamSocket::User
{
public:
    PlainTransport(int fd, TransportUser &user) : m_user(user), m_socket(fd, *this) {}

    qint64 read(char *data, qint64 bytes_max) override { return m_socket.read(data, bytes_max); }
    bool write(const QByteArray &bytes) override { return m_socket.write(bytes); }
    qint64 unsent_bytes() const override { return m_socket.unsent_bytes(); }
    void setReading(Reading reading) override
    {
        m_socket.setReading(reading == Reading::On ? StreamSocket::Reading::On : StreamSocket::Reading::Off);
    }
    void endOutput() override { m_socket.endOutput(); }
    void abort() override { m_socket.close(); }

private:
    void readable() override { m_user.readable(); }
    void written() override { m_user.written(); }
    void failed() override { m_user.failed(); }

    TransportUser &m_user;
    StreamSocket m_socket;
};

class TlsTransport final : public Transport
{
public:
    explicit TlsTransport(TransportUser &user) : m_user(user) {}
    ~TlsTransport() override { abort(); }

    bool start(int fd, const QSslConfiguration &configuration)
    {
        if (!m_socket.setSocketDescriptor(fd))
            return false;
        m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
        m_socket.setReadBufferSize(limits::http_read_ahead_bytes_max);
        m_socket.setSslConfiguration(configuration);
        QObject::connect(&m_socket, &QSslSocket::encrypted, &m_socket, [this] {
            m_encrypted = true;
            m_user.secured();
        });
        QObject::connect(&m_socket, &QSslSocket::readyRead, &m_socket, [this] { later(); });
        QObject::connect(&m_socket, &QSslSocket::encryptedBytesWritten, &m_socket, [this] { m_user.written(); });
        QObject::connect(&m_socket, &QSslSocket::errorOccurred, &m_socket, [this] { later(); });
        QObject::connect(&m_socket, &QSslSocket::disconnected, &m_socket, [this] { later(); });
        m_socket.startServerEncryption();
        return true;
    }

    qint64 read(char *data, qint64 bytes_max) override
    {
        const qint64 size = m_socket.read(data, bytes_max);
        if (size > 0) {
            // QSslSocket signals new bytes only, not those that were left unread.
            if (m_socket.bytesAvailable() > 0)
                later();
            return size;
        }
        return ended() ? -1 : 0;
    }

    bool write(const QByteArray &bytes) override
    {
        return !ended() && m_socket.write(bytes) == bytes.size();
    }

    qint64 unsent_bytes() const override { return m_socket.bytesToWrite() + m_socket.encryptedBytesToWrite(); }

    // The socket stops reading by itself when its buffer is full. What it has read is fetched when reading is switched on again.
    void setReading(Reading reading) override
    {
        m_reading = reading == Reading::On;
        later();
    }

    // Here TLS connections are not half-closed. The client closes when it has read an answer with `Connection: close`; if it does not in
    // time, the gate does.
    void endOutput() override {}

    void abort() override
    {
        if (std::exchange(m_aborted, true))
            return;
        if (m_encrypted && unsent_bytes() == 0) {
            m_socket.disconnectFromHost(); // sends close_notify
            m_socket.flush();
        }
        m_socket.abort();
    }

private:
    bool ended() const { return m_socket.state() != QAbstractSocket::ConnectedState; }

    // The socket's signals may come from inside calls of this class, so the user is called from the event loop.
    void later()
    {
        if (m_told || m_aborted)
            return;
        m_told = true;
        QMetaObject::invokeMethod(&m_socket, [this] {
            m_told = false;
            if (m_aborted)
                return;
            if (ended() && (!m_encrypted || !m_reading || m_socket.bytesAvailable() == 0))
                return m_user.failed();
            if (m_encrypted && m_reading && (m_socket.bytesAvailable() > 0 || ended()))
                m_user.readable();
        }, Qt::QueuedConnection);
    }

    TransportUser &m_user;
    QSslSocket m_socket;
    bool m_encrypted = false;
    bool m_reading = true;
    bool m_told = false;
    bool m_aborted = false;
};

} // namespace

std::unique_ptr<Transport> makePlainTransport(int fd, TransportUser &user)
{
    return std::make_unique<PlainTransport>(fd, user);
}

std::unique_ptr<Transport> makeTlsTransport(int fd, const QSslConfiguration &configuration, TransportUser &user)
{
    auto transport = std::make_unique<TlsTransport>(user);
    if (!transport->start(fd, configuration)) {
        ::close(fd);
        return {};
    }
    return transport;
}

} // namespace junban::http
