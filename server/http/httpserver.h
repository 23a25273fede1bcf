#pragma once

#include "core/base/result.h"
#include "server/http/exchange.h"
#include "server/http/serveroptions.h"
#include "server/http/unixsocket.h"

#include <QHostAddress>
#include <QObject>
#include <functional>
#include <memory>

namespace junban::http {

// HTTP/1.1 for one engine thread: the gate in front of QtHttpServer. Several servers on several threads may listen on the same address and
// port (SO_REUSEPORT). A client that closes its side of a connection counts as gone: its unanswered requests are told so
// (Exchange::onGone).
// Threads: one, that of the object, which should have an EpollDispatcher. The handler is called from the event loop. The destructor closes
// all connections, without calling any onGone() handler.
class HttpServer : public QObject
{
    Q_OBJECT

public:
    using Handler = std::function<void(Exchange)>;
    HttpServer(ServerOptions options, Handler handler, QObject *parent = nullptr);
    ~HttpServer() override;

    // Starts to listen, and returns the port; port 0 takes a free one. QHostAddress::Any and AnyIPv6 serve IPv4 and IPv6. May be called for
    // several addresses. An error when the address or the port cannot be used.
    Result<quint16> listen(const QHostAddress &address, quint16 port, PortUse use = PortUse::Alone);

    // The same on a unix socket, which may be shared with other servers.
    Result<Done> listen(const UnixSocket &socket);

    int connections() const;

    // Stops accepting, answers the requests under way with `Connection: close`, and closes idle connections. `done` is called, later, when
    // the last connection is closed or limits::drain_ms_max has passed.
    void drain(std::function<void()> done);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::http
