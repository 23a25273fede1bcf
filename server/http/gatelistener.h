#pragma once

#include "core/base/result.h"
#include "server/http/serveroptions.h"
#include "server/http/unixsocket.h"

#include <QTcpServer>
#include <functional>
#include <memory>

namespace junban::http {

// Listens for the gate, and hands the facades of its connections to QtHttpServer, which owns it.
class GateListener final : public QTcpServer
{
    Q_OBJECT

public:
    // Takes over the descriptor of a new connection.
    using Accept = std::function<void(int fd, GateListener &listener)>;

    static Result<std::unique_ptr<GateListener>> make(const QHostAddress &address, quint16 port, PortUse use, Accept accept);
    // Listens with a descriptor of its own; whoever of those that share the socket is quickest gets a connection.
    static Result<std::unique_ptr<GateListener>> make(const UnixSocket &socket, Accept accept);
    // Hands the facade of a connection to QtHttpServer.
    void announce(QTcpSocket *facade) { addPendingConnection(facade); }

protected:
    void incomingConnection(qintptr fd) override { m_accept(static_cast<int>(fd), *this); }

private:
    explicit GateListener(Accept accept);
    static Result<std::unique_ptr<GateListener>> take(int fd, Accept accept);

    const Accept m_accept;
};

} // namespace junban::http
