#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QTcpServer>
#include <QUrl>
#include <functional>
#include <optional>

QT_BEGIN_NAMESPACE
class QTcpSocket;
QT_END_NAMESPACE

namespace junban::test {

// An HTTP server with answers from the test, for cases that a real master cannot be made to do: errors, silence, nonsense.
class ScriptedMaster : public QObject
{
public:
    struct Request {
        QByteArray method;
        QByteArray path;   // without the query
        QByteArray query;
        QHash<QByteArray, QByteArray> fields; // names in lower case
        QByteArray body;
    };
    struct Answer {
        int status = 200;
        QByteArray body = {};
        QByteArray type = "application/vnd.msgpack";
        QList<QPair<QByteArray, QByteArray>> fields = {};
    };
    // A handler that returns nothing leaves the request without an answer.
    using Handler = std::function<std::optional<Answer>(const Request &)>;

    explicit ScriptedMaster(Handler handler = {});
    ~ScriptedMaster() override { kill(); }

    void setHandler(Handler handler) { m_handler = std::move(handler); }
    // Listens on loopback; a port of 0 is any free one.
    bool listen(quint16 port = 0) { return m_server.listen(QHostAddress::LocalHost, port); }
    // Stops listening and closes all connections, like a killed master.
    void kill();
    quint16 port() const { return m_server.serverPort(); }
    QUrl url() const;
    const QList<Request> &requests() const { return m_requests; }

private:
    void accept();
    void read(QTcpSocket *socket);

    Handler m_handler;
    QTcpServer m_server;
    QList<QTcpSocket *> m_sockets;
    QHash<QTcpSocket *, QByteArray> m_received;
    QList<Request> m_requests;
};

} // namespace junban::test
