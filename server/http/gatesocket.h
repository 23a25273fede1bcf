#pragma once

#include <QByteArray>
#include <QTcpSocket>

namespace junban::http {

// What QtHttpServer takes for the client's socket. It has no descriptor: the gate owns that, and feeds QtHttpServer a head of the
// gate's own making for each request that has come whole and passed the checks (docs/decisions/http.md). QtHttpServer deletes it, once
// hangUp() has told it that the connection is over.
class GateSocket final : public QTcpSocket
{
    Q_OBJECT

public:
    explicit GateSocket(const QHostAddress &peer);
    ~GateSocket() override;

    // One head, complete, for QtHttpServer to read at once.
    void feed(const QByteArray &head);
    // Gives the device's buffers back; nothing may be under way.
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
