#include "core/base/streamsocket.h"

#include "core/limits.h"

#include <QEvent>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace junban {

namespace {

// Calls a function directly instead of sending a signal: this is the hottest path of a master. The function may delete it.
template<typename Function>
class Notifier final : public QSocketNotifier
{
public:
    Notifier(int fd, Type type, Function function)
        : QSocketNotifier(fd, type)
        , m_function(std::move(function))
    {
    }

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

bool isLater(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK;
}

} // namespace

StreamSocket::StreamSocket(int fd, User &user)
    : m_user(user)
    , m_fd(fd)
{
    const int on = 1;
    setsockopt(m_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    m_input = makeNotifier(m_fd, QSocketNotifier::Read, [this] { m_user.readable(); });
}

qint64 StreamSocket::read(char *data, qint64 bytes_max)
{
    while (true) {
        const ssize_t size = ::recv(m_fd, data, size_t(bytes_max), MSG_DONTWAIT);
        if (size > 0)
            return size;
        if (size == 0 || errno != EINTR)
            return size < 0 && isLater(errno) ? 0 : -1;
    }
}

bool StreamSocket::write(const QByteArray &bytes)
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

// Returns how many bytes the kernel took; -1 when the connection broke.
qint64 StreamSocket::send(const char *data, qint64 size)
{
    while (true) {
        const ssize_t sent = ::send(m_fd, data, size_t(size), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent >= 0)
            return sent;
        if (errno != EINTR)
            return isLater(errno) ? 0 : -1;
    }
}

void StreamSocket::flush()
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

void StreamSocket::endOutput()
{
    m_ending = true;
    if (unsent_bytes() == 0)
        shutdown(m_fd, SHUT_WR);
}

void StreamSocket::close()
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

} // namespace junban
