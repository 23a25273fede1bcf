#pragma once

#include "core/base/result.h"
#include "server/http/exchangestate.h"
#include "server/http/serveroptions.h"

#include <QElapsedTimer>
#include <QTcpServer>
#include <QTimer>
#include <memory>
#include <unordered_map>
#include <vector>

namespace junban::http {

class Gate;
class GateConnection;

// Listens for the gate, and passes the facades of its connections on to QtHttpServer, which owns it.
class GateListener final : public QTcpServer
{
    Q_OBJECT

public:
    explicit GateListener(Gate &gate);
    // Hands the facade of a connection to QtHttpServer.
    void announce(QTcpSocket *facade) { addPendingConnection(facade); }

protected:
    void incomingConnection(qintptr fd) override;

private:
    Gate &m_gate;
};

// The connections of one server: who may connect, how long each may take for what, and how they end. Threads: that of the server.
class Gate final : public QObject
{
    Q_OBJECT

public:
    explicit Gate(ServerOptions options);
    ~Gate() override;

    Result<std::unique_ptr<GateListener>> makeListener(const QHostAddress &address, quint16 port, PortUse use);
    void accept(int fd, GateListener &listener);
    int connections() const { return static_cast<int>(m_connections.size()); }
    void drain(std::function<void()> done);
    // Closes every connection at once and tells no exchange.
    void closeAll();

    // The request that QtHttpServer was fed with this X-Gate-Id; null when it is over by now.
    std::shared_ptr<ExchangeState> takeExchange(QByteArrayView gateId);

    // For connections:
    const ServerOptions &options() const { return m_options; }
    bool draining() const { return m_draining; }
    qint64 now_ms() const { return m_clock.elapsed(); }
    const QByteArray &date();
    // Where to read to: one buffer for all, as nothing of it outlives a call.
    QByteArray &scratch() { return m_scratch; }
    // Has the connection go on with what it has read, in a later turn of the event loop.
    void resumeLater(GateConnection &connection);
    // The connection is closed and wants to be deleted, once the event loop is back.
    void retire(GateConnection &connection);

private:
    void tick();
    void purge();
    void resumeAll();
    void turnAway(int fd) const;
    void finishDrain();

    ServerOptions m_options;
    QElapsedTimer m_clock;
    QTimer m_ticker;
    QTimer m_drainLimit;
    QByteArray m_scratch;
    QByteArray m_date;
    qint64 m_dateSecond = -1;
    quint64 m_nextId = 1;
    int m_descriptor_max = 0;
    std::unordered_map<quint64, std::unique_ptr<GateConnection>> m_connections;
    std::vector<quint64> m_retiring;
    std::vector<quint64> m_resuming;
    QList<GateListener *> m_listeners;
    bool m_draining = false;
    std::function<void()> m_drained;
};

} // namespace junban::http
