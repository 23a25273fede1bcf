#include "server/http/gatelistener.h"

#include "core/base/reasons/http.h"

#include <QTimer>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace junban::http {

namespace {

struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t size = 0;
    int family = AF_UNSPEC;
};

SocketAddress socketAddress(const QHostAddress &address, quint16 port)
{
    SocketAddress result;
    if (address.protocol() == QAbstractSocket::IPv4Protocol) {
        auto *v4 = reinterpret_cast<sockaddr_in *>(&result.storage);
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
        v4->sin_addr.s_addr = htonl(address.toIPv4Address());
        result.size = sizeof *v4;
    } else {
        auto *v6 = reinterpret_cast<sockaddr_in6 *>(&result.storage);
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(port);
        const Q_IPV6ADDR bytes = address.toIPv6Address(); // of QHostAddress::Any: all zero, as wanted
        std::memcpy(&v6->sin6_addr, &bytes, sizeof v6->sin6_addr);
        v6->sin6_scope_id = address.scopeId().toUInt();
        result.size = sizeof *v6;
    }
    result.family = result.storage.ss_family;
    return result;
}

// PortUse::Alone binds without SO_REUSEPORT, so that it fails when another process has the port, and sets it before listening, so that
// other servers of this process can join.
bool bindAndListen(int fd, const SocketAddress &address, PortUse use)
{
    const int on = 1;
    const int off = 0;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (address.family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (use == PortUse::Join && setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0)
        return false;
    if (bind(fd, reinterpret_cast<const sockaddr *>(&address.storage), address.size) != 0)
        return false;
    if (use == PortUse::Alone && setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0)
        return false;
    return ::listen(fd, limits::http_listen_backlog) == 0;
}

} // namespace

Result<std::unique_ptr<GateListener>> GateListener::make(const QHostAddress &address, quint16 port, PortUse use, Accept accept)
{
    SocketAddress where = socketAddress(address, port);
    int fd = ::socket(where.family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 && errno == EAFNOSUPPORT && address == QHostAddress(QHostAddress::Any)) {
        where = socketAddress(QHostAddress(QHostAddress::AnyIPv4), port); // a kernel without IPv6
        fd = ::socket(where.family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    }
    if (fd < 0 || !bindAndListen(fd, where, use)) {
        const Error refusal = reasons::listenFailed(address.toString().toUtf8(), port, std::strerror(errno));
        if (fd >= 0)
            ::close(fd);
        return refusal;
    }
    return take(fd, std::move(accept));
}

Result<std::unique_ptr<GateListener>> GateListener::make(const UnixSocket &socket, Accept accept)
{
    const int fd = ::fcntl(socket.fd(), F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return reasons::listenSocketFailed(socket.path(), std::strerror(errno));
    return take(fd, std::move(accept));
}

Result<std::unique_ptr<GateListener>> GateListener::take(int fd, Accept accept)
{
    std::unique_ptr<GateListener> listener(new GateListener(std::move(accept)));
    if (!listener->setSocketDescriptor(fd)) {
        ::close(fd);
        return reasons::listenRefused(listener->errorString().toUtf8());
    }
    return listener;
}

GateListener::GateListener(Accept accept) : m_accept(std::move(accept))
{
    // Accepting can fail for a while, e.g. without free descriptors. Without this it would stay paused.
    connect(this, &QTcpServer::acceptError, this, [this] {
        QTimer::singleShot(limits::http_accept_pause_ms, this, [this] { resumeAccepting(); });
    });
}

} // namespace junban::http
