#include "server/push/httpcall.h"

#include "core/base/reasons/workers.h"
#include "core/limits.h"

#include <QHostInfo>
#include <QSslSocket>
#include <algorithm>
#include <utility>

namespace junban::push {

QList<QHostAddress> inTurn(const QList<QHostAddress> &addresses)
{
    QList<QHostAddress> first, other;
    for (const QHostAddress &address : addresses) {
        const bool same = first.isEmpty() || address.protocol() == first.first().protocol();
        (same ? first : other).append(address);
    }
    QList<QHostAddress> all;
    for (qsizetype i = 0; i < std::max(first.size(), other.size()); ++i) {
        all += first.mid(i, 1);
        all += other.mid(i, 1);
    }
    return all;
}

HttpCall::HttpCall(
    const CallOptions &options, const QUrl &url, CallRequest request, qint64 deadline_ms, Ended ended, QObject *parent)
    : QObject(parent)
    , m_options(options)
    , m_url(url)
    , m_request(std::move(request))
    , m_ended(std::move(ended))
{
    m_connecting.setSingleShot(true);
    connect(&m_connecting, &QTimer::timeout, this, [this] {
        QByteArrayList tried = m_troubles;
        for (const Attempt &attempt : m_attempts)
            tried.append(attempt.address.toString().toLatin1());
        failed(tried.isEmpty() ? reasons::workerHostNotFoundInTime() : reasons::workerNotConnected(tried));
    });
    m_stagger.setSingleShot(true);
    connect(&m_stagger, &QTimer::timeout, this, [this] { tryNext(); });
    if (deadline_ms > 0)
        QTimer::singleShot(int(qMin<qint64>(deadline_ms, std::numeric_limits<int>::max())), this,
            [this] { failed(reasons::workerSilent()); });
    QMetaObject::invokeMethod(this, [this] { lookUp(); }, Qt::QueuedConnection);
}

HttpCall::~HttpCall()
{
    if (m_lookUp >= 0)
        QHostInfo::abortHostLookup(m_lookUp);
    for (const Attempt &attempt : m_attempts)
        attempt.socket->disconnect(this);
    if (m_socket)
        m_socket->disconnect(this);
}

void HttpCall::lookUp()
{
    m_connecting.start(limits::worker_connect_deadline_ms);
    const auto take = [this](const QList<QHostAddress> &all) {
        for (const QHostAddress &address : inTurn(all)) {
            if (m_addresses.size() < limits::worker_addresses_max && m_options.networks.allows(address))
                m_addresses.append(address);
        }
        if (m_addresses.isEmpty())
            failed(all.isEmpty() ? reasons::workerWithoutAddress() : reasons::workerAddressForbidden(all.first().toString().toLatin1()));
        else
            tryNext();
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

void HttpCall::tryNext()
{
    if (!m_ended || m_socket || m_addresses.isEmpty())
        return;
    const QHostAddress address = m_addresses.takeFirst();
    const bool secure = m_url.scheme() == QLatin1String("https");
    const quint16 port = quint16(m_url.port(secure ? 443 : 80));
    QSslSocket *tls = secure ? new QSslSocket : nullptr;
    QTcpSocket *socket = tls ? tls : new QTcpSocket;
    m_attempts.push_back({address, std::unique_ptr<QTcpSocket>(socket)});
    connect(socket, &QTcpSocket::readyRead, this, [this, socket] {
        if (socket == m_socket.get())
            read();
    });
    connect(socket, &QTcpSocket::errorOccurred, this, [this, socket](QAbstractSocket::SocketError error) {
        if (socket == m_socket.get())
            lost(error);
        else
            QMetaObject::invokeMethod(this, [this, socket, trouble = socket->errorString().toUtf8()] { gaveUp(socket, trouble); },
                Qt::QueuedConnection);
    });
    m_stagger.start(limits::worker_next_address_ms);
    if (tls) {
        tls->setSslConfiguration(m_options.tls);
        connect(tls, &QSslSocket::encrypted, this, [this, socket] { send(socket); });
        tls->connectToHostEncrypted(address.toString(), port, m_url.host());
    } else {
        connect(socket, &QTcpSocket::connected, this, [this, socket] { send(socket); });
        socket->connectToHost(address, port);
    }
}

// An address that cannot be connected to: the next one is tried at once.
void HttpCall::gaveUp(QTcpSocket *socket, const QByteArray &trouble)
{
    const auto its = std::find_if(m_attempts.begin(), m_attempts.end(), [&](const Attempt &each) { return each.socket.get() == socket; });
    if (its == m_attempts.end())
        return;
    m_troubles.append(its->address.toString().toLatin1() + ": " + trouble);
    m_attempts.erase(its);
    if (!m_addresses.isEmpty())
        tryNext();
    else if (m_attempts.empty())
        failed(reasons::workerConnectionFailed(m_troubles.size() == 1 ? trouble : m_troubles.join(", ")));
}

// The connection that the request went over is gone.
void HttpCall::lost(QAbstractSocket::SocketError error)
{
    if (error != QAbstractSocket::RemoteHostClosedError) {
        failed(reasons::workerConnectionFailed(m_socket->errorString().toUtf8()));
        return;
    }
    read();
    const Fate fate = m_answer.close() == HttpAnswer::State::Whole ? Fate::Answered : Fate::Unknown;
    end(fate, reasons::workerClosedConnection());
}

void HttpCall::send(QTcpSocket *socket)
{
    if (!m_ended || m_socket)
        return;
    m_connecting.stop();
    m_stagger.stop();
    for (Attempt &attempt : m_attempts) {
        if (attempt.socket.get() == socket) {
            m_socket = std::move(attempt.socket);
        } else {
            attempt.socket->disconnect(this);
            attempt.socket.release()->deleteLater(); // one of them may be telling something just now
        }
    }
    m_attempts.clear();
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
        end(Fate::Unknown, reasons::workerAnswerUseless());
        return;
    }
}

void HttpCall::failed(const Reason &trouble)
{
    end(m_sent ? Fate::Unknown : Fate::NotSent, trouble);
}

void HttpCall::end(Fate fate, const Reason &trouble)
{
    const Ended ended = std::exchange(m_ended, {});
    if (!ended)
        return;
    m_connecting.stop();
    m_stagger.stop();
    deleteLater();
    ended(fate, m_answer, trouble);
}

} // namespace junban::push
