#include "client/localaccess.h"

#include "core/base/reasons/client.h"
#include "core/limits.h"

#include <QLocalSocket>
#include <QNetworkReply>
#include <algorithm>
#include <cstring>

namespace junban::client {

namespace {

QByteArray methodOf(QNetworkAccessManager::Operation operation, const QNetworkRequest &request)
{
    switch (operation) {
    case QNetworkAccessManager::HeadOperation: return "HEAD";
    case QNetworkAccessManager::GetOperation: return "GET";
    case QNetworkAccessManager::PutOperation: return "PUT";
    case QNetworkAccessManager::PostOperation: return "POST";
    case QNetworkAccessManager::DeleteOperation: return "DELETE";
    default: return request.attribute(QNetworkRequest::CustomVerbAttribute).toByteArray();
    }
}

QByteArray messageOf(const QByteArray &method, const QNetworkRequest &request, const QByteArray &body)
{
    const QUrl url = request.url();
    QByteArray message = method + ' ' + url.path(QUrl::FullyEncoded).toLatin1();
    if (url.hasQuery())
        message += '?' + url.query(QUrl::FullyEncoded).toLatin1();
    message += " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    for (const QByteArray &name : request.rawHeaderList())
        message += name + ": " + request.rawHeader(name) + "\r\n";
    if (!body.isEmpty() || method == "POST" || method == "PUT" || method == "PATCH")
        message += "Content-Length: " + QByteArray::number(body.size()) + "\r\n";
    return message + "\r\n" + body;
}

// The answer of one request over a unix socket.
class LocalReply final : public QNetworkReply
{
public:
    LocalReply(const QNetworkRequest &request, QNetworkAccessManager::Operation operation, const QByteArray &message, QObject *parent)
        : QNetworkReply(parent)
    {
        setRequest(request);
        setUrl(request.url());
        setOperation(operation);
        setOpenMode(QIODevice::ReadOnly);
        connect(&m_socket, &QLocalSocket::connected, this, [this, message] { m_socket.write(message); });
        connect(&m_socket, &QLocalSocket::readyRead, this, [this] { take(); });
        connect(&m_socket, &QLocalSocket::disconnected, this, [this] { ended(); });
        connect(&m_socket, &QLocalSocket::errorOccurred, this, [this](QLocalSocket::LocalSocketError) { ended(); });
        // Nothing is signalled from inside the call.
        const QString path = request.attribute(LocalAccess::socketPath).toString();
        QMetaObject::invokeMethod(this, [this, path] { m_socket.connectToServer(path); }, Qt::QueuedConnection);
    }

    void abort() override { end(OperationCanceledError, reasons::requestGivenUp()); }
    qint64 bytesAvailable() const override { return QNetworkReply::bytesAvailable() + m_body.size(); }
    bool isSequential() const override { return true; }

protected:
    qint64 readData(char *data, qint64 bytes_max) override
    {
        const qsizetype size = std::min<qsizetype>(bytes_max, m_body.size());
        std::memcpy(data, m_body.constData(), size_t(size));
        m_body.remove(0, size);
        return size == 0 && isFinished() ? -1 : size;
    }

private:
    void take()
    {
        QByteArray bytes = m_socket.readAll();
        if (!m_hasHead) {
            m_head += bytes;
            const qsizetype blank = m_head.indexOf("\r\n\r\n");
            if (blank < 0 && m_head.size() > limits::http_head_bytes_max)
                return end(ProtocolFailure, reasons::answerNotHttp());
            if (blank < 0)
                return;
            bytes = m_head.mid(blank + 4);
            m_head.truncate(blank);
            if (!readHead())
                return end(ProtocolFailure, reasons::answerNotHttp());
        }
        if (bytes.isEmpty() && m_left_bytes != 0)
            return;
        bytes.truncate(m_left_bytes);
        m_left_bytes -= bytes.size();
        m_body += bytes;
        if (!bytes.isEmpty())
            Q_EMIT readyRead();
        if (m_left_bytes == 0)
            end(NoError, {});
    }

    bool readHead()
    {
        const QList<QByteArray> lines = m_head.split('\n');
        const QList<QByteArray> words = lines.first().split(' ');
        bool isNumber = false;
        const int status = words.value(1).toInt(&isNumber);
        if (!words.first().startsWith("HTTP/1.") || !isNumber)
            return false;
        for (const QByteArray &line : lines.sliced(1)) {
            const qsizetype colon = line.indexOf(':');
            if (colon > 0)
                setRawHeader(line.first(colon), line.sliced(colon + 1).trimmed());
        }
        m_left_bytes = rawHeader("Content-Length").toLongLong(&isNumber);
        if (!isNumber && status != 204)
            return false;
        setAttribute(QNetworkRequest::HttpStatusCodeAttribute, status);
        m_hasHead = true;
        return true;
    }

    void ended()
    {
        if (!isFinished())
            end(m_hasHead ? RemoteHostClosedError : ConnectionRefusedError, why());
    }
    Error why() const
    {
        const QByteArray path = request().attribute(LocalAccess::socketPath).toString().toUtf8();
        switch (m_socket.error()) {
        case QLocalSocket::ServerNotFoundError: return reasons::socketMissing(path);
        case QLocalSocket::ConnectionRefusedError: return reasons::socketNotListenedOn(path);
        case QLocalSocket::SocketAccessError: return reasons::socketForbidden(path);
        case QLocalSocket::PeerClosedError: return reasons::socketClosed(path);
        default: return reasons::connectionFailed(m_socket.errorString().toUtf8());
        }
    }

    void end(NetworkError error, const Error &why)
    {
        if (isFinished())
            return;
        setFinished(true);
        if (error != NoError) {
            setAttribute(LocalAccess::failure, QVariant::fromValue(why.reason));
            setError(error, QString::fromUtf8(why.message()));
        }
        m_socket.abort();
        Q_EMIT finished();
    }

    QLocalSocket m_socket;
    QByteArray m_head;
    QByteArray m_body;
    qint64 m_left_bytes = 0;
    bool m_hasHead = false;
};

} // namespace

QNetworkReply *LocalAccess::createRequest(Operation operation, const QNetworkRequest &request, QIODevice *body)
{
    if (!request.attribute(socketPath).isValid())
        return QNetworkAccessManager::createRequest(operation, request, body);
    const QByteArray message = messageOf(methodOf(operation, request), request, body ? body->readAll() : QByteArray());
    return new LocalReply(request, operation, message, this);
}

} // namespace junban::client
