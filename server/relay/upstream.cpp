#include "server/relay/upstream.h"

#include <utility>

namespace junban::relay {

namespace {

constexpr int connect_ms = 1'000;
constexpr int idle_ms = 10'000; // less than a gate keeps an idle connection, so a request never meets its end

} // namespace

Upstream::Upstream(const QByteArray &address, QByteArray certificate, QObject *parent)
    : QObject(parent)
    , m_certificate(std::move(certificate))
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Upstream::lost);
    if (m_certificate.isEmpty())
        connect(&m_socket, &QTcpSocket::connected, this, &Upstream::write);
    else
        connect(&m_socket, &QSslSocket::encrypted, this, &Upstream::encrypted);
    connect(&m_socket, &QTcpSocket::readyRead, this, &Upstream::read);
    connect(&m_socket, &QTcpSocket::disconnected, this, &Upstream::lost);
    connect(&m_socket, &QTcpSocket::errorOccurred, this, &Upstream::lost);
    m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
    const qsizetype colon = address.lastIndexOf(':');
    m_timer.start(connect_ms);
    const QString host = QString::fromLatin1(address.first(colon));
    const quint16 port = address.mid(colon + 1).toUShort();
    if (m_certificate.isEmpty()) {
        m_socket.connectToHost(host, port);
    } else {
        m_socket.setPeerVerifyMode(QSslSocket::QueryPeer); // it must be this one, whoever has signed it
        m_socket.connectToHostEncrypted(host, port);
    }
}

Upstream::~Upstream()
{
    m_socket.disconnect(this);
}

void Upstream::send(QByteArray request, bool isHead, Ended ended)
{
    m_request = std::move(request);
    m_isSent = false;
    m_answer.emplace(isHead);
    m_ended = std::move(ended);
    if (m_certificate.isEmpty() ? m_socket.state() == QAbstractSocket::ConnectedState : m_isTrusted)
        write();
}

void Upstream::giveUp()
{
    m_ended = nullptr;
    m_isOver = true;
    m_socket.disconnect(this);
    m_socket.abort();
    Q_EMIT over();
}

void Upstream::encrypted()
{
    m_isTrusted = m_socket.peerCertificate().digest(QCryptographicHash::Sha256).toHex() == m_certificate;
    if (m_isTrusted)
        write();
    else
        lost();
}

void Upstream::write()
{
    m_timer.stop();
    if (m_request.isEmpty())
        return;
    m_isSent = true;
    m_socket.write(std::exchange(m_request, {}));
}

void Upstream::read()
{
    const QByteArray bytes = m_socket.readAll();
    const UpstreamAnswer::State state = m_answer && m_ended ? m_answer->add(bytes) : UpstreamAnswer::State::Wrong;
    if (state == UpstreamAnswer::State::Wrong) {
        lost();
    } else if (state == UpstreamAnswer::State::Whole) {
        m_isOver = m_isOver || !m_answer->keepsAlive();
        m_timer.start(idle_ms);
        end(Fate::Answered, std::move(m_answer->response()));
    }
}

void Upstream::lost()
{
    if (m_isOver)
        return;
    m_isOver = true;
    m_timer.stop();
    m_socket.disconnect(this);
    m_socket.abort();
    end(m_isSent ? Fate::Unknown : Fate::NotSent, {});
}

void Upstream::end(Fate fate, http::Response response)
{
    if (const Ended ended = std::exchange(m_ended, nullptr))
        ended(fate, std::move(response));
    if (m_isOver)
        Q_EMIT over();
}

} // namespace junban::relay
