#pragma once

#include "core/base/result.h"
#include "server/http/exchange.h"
#include "server/http/serveroptions.h"

#include <QHostAddress>
#include <QObject>
#include <functional>
#include <memory>

namespace junban::http {

// HTTP/1.1 for one engine thread: the gate in front of QtHttpServer. Several of them, on several threads, may listen on the
// same address and port (SO_REUSEPORT). A client that ends its side of a connection counts as gone: what still waits for an
// answer is told so (Exchange::onGone). Threads: one, that of the object, which should run on an EpollDispatcher. The handler is
// called from the event loop; it is forgotten with the object, whose destruction closes every connection and tells no exchange.
class HttpServer : public QObject
{
    Q_OBJECT

public:
    using Handler = std::function<void(Exchange)>;
    HttpServer(ServerOptions options, Handler handler, QObject *parent = nullptr);
    ~HttpServer() override;

    // Starts to listen; port 0 picks a free one. Returns the port. QHostAddress::Any and AnyIPv6 serve IPv4 and IPv6. May be
    // called for several addresses.
    Result<quint16> listen(const QHostAddress &address, quint16 port, PortUse use = PortUse::Alone);

    int connections() const;

    // Stops accepting, answers what is under way with `Connection: close`, closes idle connections; calls `done` when the last
    // connection is closed or limits::drain_ms_max has passed (later, not from inside this call).
    void drain(std::function<void()> done);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::http
