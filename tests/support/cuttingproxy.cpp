#include "tests/support/cuttingproxy.h"

#include <QLocalSocket>
#include <utility>

namespace junban::test {

CuttingProxy::CuttingProxy(QByteArray target)
    : m_target(std::move(target))
{
    QObject::connect(&m_server, &QLocalServer::newConnection, &m_server, [this] { accept(m_server.nextPendingConnection()); });
}

bool CuttingProxy::listen()
{
    return m_server.listen(m_directory.path() + QStringLiteral("/proxy.sock"));
}

void CuttingProxy::arm(Cut cut)
{
    m_armed = cut;
    m_asked = false;
}

void CuttingProxy::accept(QLocalSocket *client)
{
    auto *redis = new QLocalSocket(client);
    redis->connectToServer(QString::fromUtf8(m_target));
    QObject::connect(client, &QIODevice::readyRead, redis, [=, this] { fromClient(client, redis); });
    QObject::connect(redis, &QIODevice::readyRead, client, [=, this] { fromRedis(client, redis); });
    QObject::connect(redis, &QLocalSocket::disconnected, client, [client] { client->disconnectFromServer(); });
    QObject::connect(client, &QLocalSocket::disconnected, client, &QObject::deleteLater);
}

void CuttingProxy::fromClient(QLocalSocket *client, QLocalSocket *redis)
{
    const QByteArray bytes = client->readAll();
    const bool here = m_armed != Cut::None && bytes.contains("FCALL");
    if (here && (m_armed == Cut::BeforeRequest || m_armed == Cut::HalfRequest)) {
        if (std::exchange(m_armed, Cut::None) == Cut::HalfRequest) {
            redis->write(bytes.first(bytes.size() / 2));
            redis->flush();
        }
        ++m_cuts;
        client->abort();
        return;
    }
    m_asked = m_asked || here;
    redis->write(bytes);
}

void CuttingProxy::fromRedis(QLocalSocket *client, QLocalSocket *redis)
{
    const QByteArray bytes = redis->readAll();
    if (!m_asked) {
        client->write(bytes);
        return;
    }
    m_asked = false;
    if (std::exchange(m_armed, Cut::None) == Cut::HalfReply) {
        client->write(bytes.first(bytes.size() / 2));
        client->flush();
    }
    ++m_cuts;
    client->abort();
}

} // namespace junban::test
