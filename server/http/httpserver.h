#pragma once

#include "core/base/result.h"
#include "core/limits.h"
#include "server/http/exchange.h"
#include "server/http/gatecounts.h"

#include <QHostAddress>
#include <QObject>
#include <QSslConfiguration>
#include <functional>
#include <memory>
#include <optional>

namespace junban::http {

struct ServerOptions {
    int head_bytes_max = limits::http_head_bytes_max;
    int target_bytes_max = limits::http_target_bytes_max;
    int fields_max = limits::http_fields_max;
    int handshake_deadline_ms = limits::http_handshake_deadline_ms;
    int head_deadline_ms = limits::http_head_deadline_ms;
    int body_deadline_ms = limits::http_body_deadline_ms;
    int body_rate_min = limits::http_body_rate_min;
    int idle_deadline_ms = limits::http_idle_deadline_ms;
    int write_deadline_ms = limits::http_write_deadline_ms;
    int answer_deadline_ms = limits::http_answer_deadline_ms;
    int connections_max = limits::http_connections_max;
    int connections_per_peer_max = limits::http_connections_per_peer_max;
    int connections_per_loopback_max = 0; // the same for loopback addresses; 0: none of their own
    // Servers that are given copies of one ServerOptions share the connections they may have, whatever their threads.
    std::shared_ptr<ConnectionCounts> counts = std::make_shared<ConnectionCounts>();
    std::optional<QSslConfiguration> tls = {};
    // How many bytes the body of this request may have; asked when its head is complete, before any of the body is read.
    std::function<qint64(const QByteArray &method, const QByteArray &path)> bodyLimit = {};
};

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

    // Of a port. Alone: nobody may have it yet, so a second master on it fails to start. Join: another server of this process has
    // it, and the kernel spreads connections over them.
    enum class Port { Alone, Join };
    // Starts to listen; port 0 picks a free one. Returns the port. QHostAddress::Any and AnyIPv6 serve IPv4 and IPv6. May be
    // called for several addresses.
    Result<quint16> listen(const QHostAddress &address, quint16 port, Port use = Port::Alone);

    int connections() const;

    // Stops accepting, answers what is under way with `Connection: close`, closes idle connections; calls `done` when the last
    // connection is closed or limits::drain_ms_max has passed (later, not from inside this call).
    void drain(std::function<void()> done);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::http
