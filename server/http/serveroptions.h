#pragma once

#include "core/limits.h"
#include "server/http/gatecounts.h"

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

// How a port is taken. Alone: nobody else may have it, so a second master on it fails to start. Join: another server of this process
// has it, and the kernel spreads connections over them.
enum class PortUse { Alone, Join };

} // namespace junban::http
