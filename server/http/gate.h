#pragma once

#include "server/http/gateconnection.h"
#include "server/http/gatelistener.h"
#include "server/http/unixsocket.h"

#include <QElapsedTimer>
#include <QTimer>
#include <memory>
#include <unordered_map>
#include <vector>

namespace junban::http {

// The connections of one server: accepts them, checks their deadlines and ends them. Threads: that of the server.
class Gate final : public QObject, public ConnectionOwner
{
    Q_OBJECT

public:
    // What serve() does.
    using Serve = std::function<void(std::shared_ptr<ExchangeState>)>;
    Gate(ServerOptions options, Serve serve);
    ~Gate() override;

    Result<std::unique_ptr<GateListener>> makeListener(const QHostAddress &address, quint16 port, PortUse use);
    Result<std::unique_ptr<GateListener>> makeListener(const UnixSocket &socket);
    int connections() const { return static_cast<int>(m_connections.size()); }
    void drain(std::function<void()> done);
    // Closes every connection at once and tells no exchange.
    void closeAll();

    const ServerOptions &options() const override { return m_options; }
    bool draining() const override { return m_draining; }
    qint64 now_ms() const override { return m_clock.elapsed(); }
    const QByteArray &date() override;
    QByteArray &scratch() override { return m_scratch; }
    void serve(std::shared_ptr<ExchangeState> exchange) override { m_serve(std::move(exchange)); }
    void resumeLater(GateConnection &connection) override;
    void retire(GateConnection &connection) override;

private:
    void accept(int fd, GateListener &listener);
    void tick();
    void purge();
    void resumeAll();
    void turnAway(int fd, const Peer &peer) const;
    Result<std::unique_ptr<GateListener>> kept(Result<std::unique_ptr<GateListener>> listener);
    void finishDrain();

    ServerOptions m_options;
    const Serve m_serve;
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
