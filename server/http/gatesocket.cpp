#include "server/http/gatesocket.h"

#include <QPointer>
#include <algorithm>
#include <cstring>

namespace junban::http {

namespace {

constexpr QByteArrayView shortestHead = "GET / HTTP/1.1\r\n\r\n";

} // namespace

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

void GateSocket::feed(std::shared_ptr<ExchangeState> exchange)
{
    m_exchange = std::move(exchange);
    m_input = shortestHead;
    const QPointer<GateSocket> alive(this);
    Q_EMIT readyRead();
    if (alive)
        m_exchange.reset();
}

void GateSocket::releaseBuffers()
{
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
    return QIODevice::bytesAvailable() + m_input.size();
}

qint64 GateSocket::readData(char *data, qint64 bytes_max)
{
    const qsizetype size = std::min<qsizetype>(bytes_max, m_input.size());
    std::memcpy(data, m_input.data(), static_cast<size_t>(size));
    m_input = m_input.sliced(size);
    return size;
}

// Never used: an answer goes from the exchange to the connection.
qint64 GateSocket::writeData(const char *, qint64 size)
{
    return size;
}

} // namespace junban::http
