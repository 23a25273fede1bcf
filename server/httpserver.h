#pragma once

#include "core/limits.h"
#include "core/result.h"
#include "server/exchange.h"

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
    int head_deadline_ms = limits::http_head_deadline_ms;
    int body_deadline_ms = limits::http_body_deadline_ms;
    int body_rate_min = limits::http_body_rate_min;
    int idle_deadline_ms = limits::http_idle_deadline_ms;
    int write_deadline_ms = limits::http_write_deadline_ms;
    int answer_deadline_ms = limits::http_answer_deadline_ms;
    int connections_max = limits::http_connections_max;
    int connections_per_peer_max = limits::http_connections_per_peer_max;
    std::optional<QSslConfiguration> tls = {};
    // How many bytes the body of this request may have; asked when its head is complete, before any of the body is read.
    std::function<qint64(const QByteArray &method, const QByteArray &path)> bodyLimit = {};
};

// HTTP/1.1 for one engine thread: the gate (http.md) in front of QtHttpServer. Several of them, on several threads, may listen
// on the same address and port (SO_REUSEPORT). Threads: one, that of the object, which should run on an EpollDispatcher.
class HttpServer : public QObject
{
    Q_OBJECT

public:
    using Handler = std::function<void(Exchange)>;
    HttpServer(ServerOptions options, Handler handler, QObject *parent = nullptr);
    ~HttpServer() override;

    // Starts to listen; port 0 picks a free one. Returns the port. An IPv6 "any" address serves IPv4 too. May be called for
    // several addresses.
    Result<quint16> listen(const QHostAddress &address, quint16 port);

    int connections() const;

    // Stops accepting, answers what is under way with `Connection: close`, closes idle connections; calls `done` when the last
    // connection is closed or limits::drain_ms_max has passed.
    void drain(std::function<void()> done);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::http
