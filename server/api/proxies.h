#pragma once

#include "core/base/result.h"
#include "server/http/message.h"

#include <QHostAddress>
#include <QList>
#include <QPair>
#include <QStringList>

namespace junban::api {

// The proxies whose X-Forwarded-For is believed.
class Proxies
{
public:
    // Each an address, a network like 10.0.0.0/8, or "unix": whoever connects to a unix socket. Errors: InvalidField.
    static Result<Proxies> of(const QStringList &texts);

    // Where a request came from: its peer, or the last address before those proxies. Null over a unix socket.
    QHostAddress clientOf(const http::Request &request) const;
    // Whether the request says of itself that it came through a proxy.
    static bool isForwarded(const http::Request &request);

private:
    bool has(const QHostAddress &address) const;

    QList<QPair<QHostAddress, int>> m_networks;
    bool m_unix = false;
};

} // namespace junban::api
