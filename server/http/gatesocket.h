#pragma once

#include <QByteArray>
#include <QTcpSocket>

namespace junban::http {

// Stands in for the client's socket in QtHttpServer. It has no descriptor: the gate owns that, and feeds QtHttpServer a head that the gate
// writes itself for each complete and valid request (docs/decisions/http.md). QtHttpServer deletes it after hangUp().
class GateSocket final : public QTcpSocket
{
    Q_OBJECT

public:
    explicit GateSocket(const QHostAddress &peer);
    ~GateSocket() override;

    // One head, complete, for QtHttpServer to read at once.
    void feed(const QByteArray &head);
    // Frees the device's buffers; no request may be under way.
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
