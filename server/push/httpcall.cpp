#include "server/push/httpcall.h"

#include "core/limits.h"

#include <QHostInfo>
#include <QSslSocket>
#include <utility>

namespace junban::push {

HttpCall::HttpCall(
    const CallOptions &options, const QUrl &url, CallRequest request, qint64 deadline_ms, Ended ended, QObject *parent)
    : QObject(parent)
    , m_options(options)
    , m_url(url)
    , m_request(std::move(request))
    , m_ended(std::move(ended))
{
    m_connecting.setSingleShot(true);
    connect(&m_connecting, &QTimer::timeout, this, [this] { failed("it could not be connected to in time"); });
    if (deadline_ms > 0)
        QTimer::singleShot(int(qMin<qint64>(deadline_ms, std::numeric_limits<int>::max())), this,
            [this] { failed("no answer came in time"); });
    QMetaObject::invokeMethod(this, [this] { lookUp(); }, Qt::QueuedConnection);
}

HttpCall::~HttpCall()
{
    if (m_lookUp >= 0)
        QHostInfo::abortHostLookup(m_lookUp);
    if (m_socket)
        m_socket->disconnect(this);
}

void HttpCall::lookUp()
{
    m_connecting.start(limits::worker_connect_deadline_ms);
    const auto take = [this](const QList<QHostAddress> &all) {
        for (const QHostAddress &address : all) {
            if (m_options.networks.allows(address))
                m_addresses.append(address);
        }
        if (m_addresses.isEmpty())
            failed(all.isEmpty() ? QByteArray("its host has no address")
                                 : "this master may not call " + all.first().toString().toLatin1() + " (--worker-network)");
        else
            connectNext();
    };
    if (const QHostAddress address(m_url.host()); !address.isNull()) {
        take({address});
        return;
    }
    m_lookUp = QHostInfo::lookupHost(m_url.host(), this, [this, take](const QHostInfo &info) {
        m_lookUp = -1;
        take(info.addresses());
    });
}

void HttpCall::connectNext()
{
    const QHostAddress address = m_addresses.takeFirst();
    const bool secure = m_url.scheme() == QLatin1String("https");
    const quint16 port = quint16(m_url.port(secure ? 443 : 80));
    QSslSocket *tls = secure ? new QSslSocket : nullptr;
    m_socket.reset(tls ? tls : new QTcpSocket);
    connect(m_socket.get(), &QTcpSocket::readyRead, this, [this] { read(); });
    connect(m_socket.get(), &QTcpSocket::errorOccurred, this, [this](QAbstractSocket::SocketError error) {
        if (error == QAbstractSocket::RemoteHostClosedError && m_sent) {
            read();
            const Fate fate = m_answer.close() == HttpAnswer::State::Whole ? Fate::Answered : Fate::Unknown;
            end(fate, "it closed the connection without an answer");
            return;
        }
        if (!m_sent && !m_addresses.isEmpty())
            QMetaObject::invokeMethod(this, [this] { connectNext(); }, Qt::QueuedConnection);
        else
            failed(m_socket->errorString().toUtf8());
    });
    if (tls) {
        tls->setSslConfiguration(m_options.tls);
        connect(tls, &QSslSocket::encrypted, this, [this] { send(); });
        tls->connectToHostEncrypted(address.toString(), port, m_url.host());
    } else {
        connect(m_socket.get(), &QTcpSocket::connected, this, [this] { send(); });
        m_socket->connectToHost(address, port);
    }
}

void HttpCall::send()
{
    m_connecting.stop();
    m_sent = true;
    m_socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    QByteArray host = m_url.host(QUrl::FullyEncoded).toLatin1();
    if (host.contains(':'))
        host = '[' + host + ']';
    if (m_url.port() >= 0)
        host += ':' + QByteArray::number(m_url.port());
    QByteArray head = m_request.method + ' ' + m_url.path(QUrl::FullyEncoded).toLatin1() + m_request.path + " HTTP/1.1\r\nHost: " + host
        + "\r\nUser-Agent: Junban/" JUNBAN_VERSION "\r\nConnection: close\r\nAccept-Encoding: identity\r\n" + m_request.fields;
    if (!m_request.contentType.isEmpty())
        head += "Content-Type: " + m_request.contentType + "\r\nAccept: " + m_request.contentType + "\r\n";
    if (m_request.method != "GET")
        head += "Content-Length: " + QByteArray::number(m_request.body.size()) + "\r\n";
    m_socket->write(head + "\r\n" + m_request.body);
}

void HttpCall::read()
{
    if (!m_ended || !m_socket)
        return;
    switch (m_answer.add(m_socket->readAll())) {
    case HttpAnswer::State::Unfinished:
        return;
    case HttpAnswer::State::Whole:
        end(Fate::Answered, {});
        return;
    case HttpAnswer::State::Wrong:
        end(Fate::Unknown, "its answer is no HTTP, or too large");
        return;
    }
}

void HttpCall::failed(const QByteArray &trouble)
{
    end(m_sent ? Fate::Unknown : Fate::NotSent, trouble);
}

void HttpCall::end(Fate fate, const QByteArray &trouble)
{
    const Ended ended = std::exchange(m_ended, {});
    if (!ended)
        return;
    m_connecting.stop();
    deleteLater();
    ended(fate, m_answer, trouble);
}

} // namespace junban::push
