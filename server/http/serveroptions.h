#pragma once

#include "core/limits.h"
#include "server/http/gatecounts.h"
#include "server/http/message.h"
#include "server/http/tlssettings.h"

#include <QByteArray>
#include <functional>
#include <memory>

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
    int ping_ms = limits::socket_ping_ms;
    int pong_deadline_ms = limits::socket_pong_deadline_ms;
    int close_deadline_ms = limits::socket_close_deadline_ms;
    int connections_max = limits::http_connections_max;
    int connections_per_peer_max = limits::http_connections_per_peer_max;
    int connections_per_loopback_max = 0; // the same for loopback addresses; 0: no limit
    int sockets_max = limits::socket_connections_max; // connections that are WebSockets
    // Servers with copies of one ServerOptions share this object, so the maximums are for all of them together.
    std::shared_ptr<ConnectionCounts> counts = std::make_shared<ConnectionCounts>();
    std::shared_ptr<TlsSettings> tls = {}; // null: plain; unix sockets are always plain
    QByteArray fields = {}; // of every answer, as lines that end in CRLF
    // Called for each request when it is complete, before anybody else sees it: it may change its fields and its peer.
    std::function<void(Request &request)> judge = {};
    // Called once for each request, when its head is complete and before any of the body is read. None: a Place as it is made.
    std::function<Place(const QByteArray &method, const QByteArray &path)> place = {};
};

// How to listen on a port. Alone: fails when another process listens on it, so a second master on the same port does not start. Join:
// another server of this process listens on it, and the kernel spreads the connections over them.
enum class PortUse { Alone, Join };

} // namespace junban::http
