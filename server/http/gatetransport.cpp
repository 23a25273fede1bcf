#include "server/http/gatetransport.h"

#include "core/limits.h"

#include <QEvent>
#include <QSocketNotifier>
#include <QSslSocket>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace junban::http {

namespace {

// A socket notifier that calls a function directly instead of sending a signal: this is the hottest path of the server.
template<typename Function>
class Notifier final : public QSocketNotifier
{
public:
    Notifier(int fd, Type type, Function function) : QSocketNotifier(fd, type), m_function(std::move(function)) {}

protected:
    bool event(QEvent *event) override
    {
        if (event->type() != QEvent::SockAct)
            return QSocketNotifier::event(event);
        if (isEnabled())
            m_function();
        return true;
    }

private:
    Function m_function;
};

template<typename Function>
std::unique_ptr<QSocketNotifier> makeNotifier(int fd, QSocketNotifier::Type type, Function function)
{
    return std::make_unique<Notifier<Function>>(fd, type, std::move(function));
}

class PlainTransport final : public Transport
{
public:
    PlainTransport(int fd, TransportUser &user) : m_user(user), m_fd(fd)
    {
        const int on = 1;
        setsockopt(m_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        m_input = makeNotifier(m_fd, QSocketNotifier::Read, [this] { m_user.readable(); });
    }
    ~PlainTransport() override { abort(); }

    qint64 read(char *data, qint64 bytes_max) override
    {
        while (true) {
            const ssize_t size = recv(m_fd, data, static_cast<size_t>(bytes_max), MSG_DONTWAIT);
            if (size > 0)
                return size;
            if (size < 0 && errno == EINTR)
                continue;
            return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? 0 : -1;
        }
    }

    bool write(const QByteArray &bytes) override
    {
        if (unsent_bytes() > 0) {
            if (m_outBegin >= limits::http_read_ahead_bytes_max) { // a slow reader may never have read all
                m_out.remove(0, m_outBegin);
                m_outBegin = 0;
            }
            m_out.append(bytes);
            return true;
        }
        const qint64 sent = send(bytes.constData(), bytes.size());
        if (sent < 0)
            return false;
        if (sent < bytes.size()) {
            m_out = bytes;
            m_outBegin = sent;
            if (!m_output)
                m_output = makeNotifier(m_fd, QSocketNotifier::Write, [this] { flush(); });
            m_output->setEnabled(true);
        }
        return true;
    }

    qint64 unsent_bytes() const override { return m_out.size() - m_outBegin; }

    void setReading(Reading reading) override { m_input->setEnabled(reading == Reading::On); }

    void endOutput() override
    {
        m_ending = true;
        if (unsent_bytes() == 0)
            shutdown(m_fd, SHUT_WR);
    }

    void abort() override
    {
        if (m_fd < 0)
            return;
        m_input->setEnabled(false);
        if (m_output)
            m_output->setEnabled(false);
        ::close(m_fd);
        m_fd = -1;
        m_out.clear();
        m_outBegin = 0;
    }

private:
    // Returns how many bytes the kernel took; -1 when the connection broke.
    qint64 send(const char *data, qint64 size)
    {
        while (true) {
            const ssize_t sent = ::send(m_fd, data, static_cast<size_t>(size), MSG_DONTWAIT | MSG_NOSIGNAL);
            if (sent >= 0)
                return sent;
            if (errno == EINTR)
                continue;
            return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
        }
    }

    void flush()
    {
        const qint64 sent = send(m_out.constData() + m_outBegin, unsent_bytes());
        if (sent < 0) {
            m_output->setEnabled(false);
            return m_user.failed();
        }
        m_outBegin += sent;
        if (unsent_bytes() == 0) {
            m_out.clear();
            m_outBegin = 0;
            m_output->setEnabled(false);
            if (m_ending)
                shutdown(m_fd, SHUT_WR);
        }
        m_user.written();
    }

    TransportUser &m_user;
    int m_fd = -1;
    std::unique_ptr<QSocketNotifier> m_input;
    std::unique_ptr<QSocketNotifier> m_output; // made when first needed
    QByteArray m_out;
    qsizetype m_outBegin = 0;
    bool m_ending = false;
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
