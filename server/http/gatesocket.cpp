#include "server/http/gatesocket.h"

#include <algorithm>
#include <cstring>

namespace junban::http {

GateSocket::GateSocket(const QHostAddress &peer)
{
    setPeerAddress(peer);
    setSocketState(ConnectedState);
    QIODevice::open(ReadWrite);
}

GateSocket::~GateSocket()
{
    // Otherwise the base class would look for a socket engine to close.
    setSocketState(UnconnectedState);
}

void GateSocket::feed(const QByteArray &head)
{
    m_input = head;
    m_read = 0;
    Q_EMIT readyRead();
}

void GateSocket::releaseBuffers()
{
    m_input.clear();
    m_read = 0;
    QIODevice::close();
    QIODevice::open(ReadWrite);
}

void GateSocket::hangUp()
{
    setSocketState(UnconnectedState);
    Q_EMIT disconnected();
    deleteLater(); // QtHttpServer does the same, if it has seen this socket
}

qint64 GateSocket::bytesAvailable() const
{
    return QIODevice::bytesAvailable() + m_input.size() - m_read;
}

qint64 GateSocket::readData(char *data, qint64 bytes_max)
{
    const qsizetype size = std::min<qsizetype>(bytes_max, m_input.size() - m_read);
    std::memcpy(data, m_input.constData() + m_read, static_cast<size_t>(size));
    m_read += size;
    return size;
}

// Never used: an answer goes from the exchange to the connection.
qint64 GateSocket::writeData(const char *, qint64 size)
{
    return size;
}

} // namespace junban::http
