#include "tests/support/scriptedmaster.h"

#include <QTcpSocket>

namespace junban::test {

ScriptedMaster::ScriptedMaster(Handler handler)
    : m_handler(std::move(handler))
{
    connect(&m_server, &QTcpServer::newConnection, this, [this] { accept(); });
}

QUrl ScriptedMaster::url() const
{
    return QUrl(QStringLiteral("http://127.0.0.1:%1").arg(m_server.serverPort()));
}

void ScriptedMaster::kill()
{
    m_server.close();
    const QList<QTcpSocket *> sockets = std::exchange(m_sockets, {});
    for (QTcpSocket *socket : sockets) {
        socket->disconnect(this);
        socket->abort();
        socket->deleteLater();
    }
    m_received.clear();
}

void ScriptedMaster::accept()
{
    while (QTcpSocket *socket = m_server.nextPendingConnection()) {
        m_sockets.append(socket);
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(socket); });
        connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
            m_sockets.removeAll(socket);
            m_received.remove(socket);
            socket->deleteLater();
        });
    }
}

void ScriptedMaster::read(QTcpSocket *socket)
{
    QByteArray &bytes = m_received[socket];
    bytes += socket->readAll();
    while (true) {
        const qsizetype end = bytes.indexOf("\r\n\r\n");
        if (end < 0)
            return;
        const QList<QByteArray> lines = bytes.first(end).split('\n');
        const QList<QByteArray> words = lines.first().trimmed().split(' ');
        Request request;
        request.method = words.value(0);
        const QByteArray target = words.value(1);
        const qsizetype mark = target.indexOf('?');
        request.path = mark < 0 ? target : target.first(mark);
        request.query = mark < 0 ? QByteArray() : target.sliced(mark + 1);
        for (const QByteArray &line : lines.sliced(1)) {
            const qsizetype colon = line.indexOf(':');
            request.fields.insert(line.first(colon).toLower(), line.sliced(colon + 1).trimmed());
        }
        const qsizetype length = request.fields.value("content-length", "0").toLongLong();
        if (bytes.size() < end + 4 + length)
            return;
        request.body = bytes.sliced(end + 4, length);
        bytes.remove(0, end + 4 + length);
        m_requests.append(request);
        const std::optional<Answer> answer = m_handler ? m_handler(request) : Answer{404, {}, "text/plain", {}};
        if (!answer)
            continue;
        QByteArray head = "HTTP/1.1 " + QByteArray::number(answer->status) + " Said\r\nContent-Length: "
            + QByteArray::number(answer->body.size()) + "\r\nContent-Type: " + answer->type + "\r\n";
        for (const auto &[name, value] : answer->fields)
            head += name + ": " + value + "\r\n";
        socket->write(head + "\r\n" + answer->body);
    }
}

} // namespace junban::test
