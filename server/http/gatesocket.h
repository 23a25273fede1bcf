#pragma once

#include "server/http/exchangestate.h"

#include <QTcpSocket>
#include <memory>

namespace junban::http {

// The socket that QtHttpServer sees instead of the client's. It has no descriptor, which the gate owns. For each request that has come
// whole and passed the checks, it feeds QtHttpServer the shortest head there is (docs/decisions/http.md), and holds the request's exchange
// meanwhile. QtHttpServer deletes it after hangUp() has said that the connection is over.
class GateSocket final : public QTcpSocket
{
    Q_OBJECT

public:
    explicit GateSocket(const QHostAddress &peer);
    ~GateSocket() override;

    // Gives QtHttpServer one head, which it reads at once. An exchange that nobody has taken by the end is dropped, which answers 500.
    void feed(std::shared_ptr<ExchangeState> exchange);
    // The exchange of the request that QtHttpServer is fed with now; null at any other time.
    std::shared_ptr<ExchangeState> takeExchange() { return std::move(m_exchange); }
    // Frees the device's buffers. No request may be under way.
    void releaseBuffers();
    void hangUp();

    qint64 bytesAvailable() const override;
    qint64 bytesToWrite() const override { return 0; }
    qintptr socketDescriptor() const override { return -1; }
    void disconnectFromHost() override {}
    void close() override {}

protected:
    qint64 readData(char *data, qint64 bytes_max) override;
    qint64 writeData(const char *data, qint64 size) override;

private:
    QByteArrayView m_input;                    // not yet read
    std::shared_ptr<ExchangeState> m_exchange;
};

} // namespace junban::http
