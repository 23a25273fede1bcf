#pragma once

#include <QByteArray>
#include <QTcpSocket>

namespace junban::http {

// The socket that QtHttpServer sees instead of the client's. It has no descriptor, which the gate owns. For each request that has come
// whole and passed the checks, the gate feeds it a head that the gate has made (docs/decisions/http.md). QtHttpServer deletes it after
// hangUp() has said that the connection is over.
class GateSocket final : public QTcpSocket
{
    Q_OBJECT

public:
    explicit GateSocket(const QHostAddress &peer);
    ~GateSocket() override;

    // Gives QtHttpServer one complete head, which it reads at once.
    void feed(const QByteArray &head);
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
    QByteArray m_input;
    qsizetype m_read = 0;
};

} // namespace junban::http
