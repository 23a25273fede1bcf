#include "server/http/gate.h"

#include "core/base/reasons/http.h"
#include "server/http/answer.h"

#include <ctime>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace junban::http {

namespace {

constexpr quint32 nobody = 65'534; // a user who is nobody's master

int descriptorLimit()
{
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > 1'000'000'000)
        return 1'000'000'000;
    return static_cast<int>(limit.rlim_cur);
}

Peer peerOf(int fd)
{
    sockaddr_storage storage{};
    socklen_t size = sizeof storage;
    if (getpeername(fd, reinterpret_cast<sockaddr *>(&storage), &size) != 0)
        return {};
    if (storage.ss_family == AF_UNIX) {
        ucred who{};
        size = sizeof who;
        const bool known = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0;
        return {{}, known ? who.uid : nobody};
    }
    QHostAddress address(reinterpret_cast<const sockaddr *>(&storage));
    // A dual-stack socket gives IPv4 clients a mapped IPv6 address.
    bool isV4 = false;
    const quint32 v4 = address.toIPv4Address(&isV4);
    return {isV4 ? QHostAddress(v4) : address};
}

} // namespace

Gate::Gate(ServerOptions options, Serve serve)
    : m_options(std::move(options)), m_serve(std::move(serve)), m_scratch(limits::http_read_ahead_bytes_max, Qt::Uninitialized),
      m_descriptor_max(descriptorLimit() - limits::http_descriptors_spare)
{
    m_clock.start();
    m_ticker.setInterval(limits::http_tick_ms);
    connect(&m_ticker, &QTimer::timeout, this, &Gate::tick);
    m_drainLimit.setSingleShot(true);
    connect(&m_drainLimit, &QTimer::timeout, this, [this] {
        std::vector<GateConnection *> left;
        for (const auto &[id, connection] : m_connections)
            left.push_back(connection.get());
        for (GateConnection *connection : left)
            connection->failed();
    });
}

Gate::~Gate()
{
    closeAll();
}

void Gate::closeAll()
{
    for (const auto &[id, connection] : m_connections)
        m_options.counts->leave(connection->peer().address);
    m_connections.clear();
}

Result<std::unique_ptr<GateListener>> Gate::makeListener(const QHostAddress &address, quint16 port, PortUse use)
{
    return kept(GateListener::make(address, port, use, [this](int fd, GateListener &from) { accept(fd, from); }));
}

Result<std::unique_ptr<GateListener>> Gate::makeListener(const UnixSocket &socket)
{
    return kept(GateListener::make(socket, [this](int fd, GateListener &from) { accept(fd, from); }));
}

Result<std::unique_ptr<GateListener>> Gate::kept(Result<std::unique_ptr<GateListener>> listener)
{
    if (listener.ok())
        m_listeners.append(listener->get());
    return listener;
}

void Gate::accept(int fd, GateListener &listener)
{
    const Peer peer = peerOf(fd);
    const int peer_max = peer.isHere() ? m_options.connections_per_loopback_max : m_options.connections_per_peer_max;
    // The kernel gives the lowest free number, so a high one says that the process has few descriptors left.
    if (fd >= m_descriptor_max || m_draining || !m_options.counts->enter(peer.address, m_options.connections_max, peer_max)) {
        turnAway(fd, peer);
        return;
    }
    const quint64 id = m_nextId++;
    auto connection = std::make_unique<GateConnection>(*this, listener, id, peer);
    GateConnection &reference = *connection;
    m_connections.emplace(id, std::move(connection));
    if (!m_ticker.isActive())
        m_ticker.start();
    reference.start(fd);
}

// A TLS client gets no answer: it could read one only after the handshake, which costs too much here.
void Gate::turnAway(int fd, const Peer &peer) const
{
    if (!m_options.tls || peer.user) {
        const Refusal refusal = m_draining ? reasons::masterStopping() : Refusal(reasons::connectionsTooMany());
        const QByteArray answer = composeAnswer(problemResponse(refusal),
                                                AnswerShape{.date = QByteArray(), .close = true, .fields = m_options.fields});
        // What the client has sent already is read first: closing with unread bytes would reset the connection, and the client would
        // lose the answer.
        char unread[4096];
        [[maybe_unused]] const ssize_t sent = ::send(fd, answer.constData(), static_cast<size_t>(answer.size()),
                                                     MSG_DONTWAIT | MSG_NOSIGNAL);
        ::shutdown(fd, SHUT_WR);
        [[maybe_unused]] const ssize_t received = ::recv(fd, unread, sizeof unread, MSG_DONTWAIT);
    }
    ::close(fd);
}

const QByteArray &Gate::date()
{
    const time_t now = std::time(nullptr);
    if (now != m_dateSecond) {
        m_dateSecond = now;
        m_date = httpDate(now);
    }
    return m_date;
}

void Gate::tick()
{
    const qint64 now = now_ms();
    // tick() may retire connections, but they are removed from the map later, in purge().
    for (const auto &[id, connection] : m_connections)
        connection->tick(now);
    if (m_connections.empty())
        m_ticker.stop();
}

void Gate::resumeLater(GateConnection &connection)
{
    m_resuming.push_back(connection.id());
    if (m_resuming.size() == 1)
        QMetaObject::invokeMethod(this, &Gate::resumeAll, Qt::QueuedConnection);
}

void Gate::resumeAll()
{
    const std::vector<quint64> ids = std::exchange(m_resuming, {});
    for (const quint64 id : ids) {
        const auto found = m_connections.find(id);
        if (found != m_connections.end())
            found->second->resume();
    }
}

void Gate::retire(GateConnection &connection)
{
    m_retiring.push_back(connection.id());
    if (m_retiring.size() == 1)
        QMetaObject::invokeMethod(this, &Gate::purge, Qt::QueuedConnection);
}

void Gate::purge()
{
    const std::vector<quint64> ids = std::exchange(m_retiring, {});
    for (const quint64 id : ids) {
        const auto found = m_connections.find(id);
        if (found == m_connections.end())
            continue;
        m_options.counts->leave(found->second->peer().address);
        m_connections.erase(found);
    }
    if (m_draining && m_connections.empty())
        finishDrain();
}

void Gate::drain(std::function<void()> done)
{
    m_drained = std::move(done);
    m_draining = true;
    for (GateListener *listener : std::as_const(m_listeners))
        listener->close();
    for (const auto &[id, connection] : m_connections)
        connection->drain();
    if (m_connections.empty())
        QMetaObject::invokeMethod(this, &Gate::finishDrain, Qt::QueuedConnection);
    else
        m_drainLimit.start(limits::drain_ms_max);
}

void Gate::finishDrain()
{
    m_drainLimit.stop();
    if (const std::function<void()> done = std::exchange(m_drained, nullptr))
        done();
}

} // namespace junban::http
