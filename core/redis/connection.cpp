#include "core/redis/connection.h"

#include "core/base/clock.h"
#include "core/base/reasons/store.h"
#include "core/limits.h"

#include <QPointer>
#include <QSslConfiguration>
#include <QSslSocket>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace junban::redis {

namespace {

constexpr qsizetype head_bytes_max = 24; // of an array or a text: its mark, its number and its line end

char *putHead(char *to, char mark, qsizetype number)
{
    *to++ = mark;
    to = std::to_chars(to, to + head_bytes_max, number).ptr;
    *to++ = '\r';
    *to++ = '\n';
    return to;
}

// Connects to a unix socket, which takes no time: who listens there has it at once, or has no room for it. -1: it failed.
int connectedTo(const QByteArray &path)
{
    sockaddr_un address{};
    if (path.size() >= qsizetype(sizeof address.sun_path))
        return -1;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.constData(), size_t(path.size()));
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && ::connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0)
        return fd;
    if (fd >= 0)
        ::close(fd);
    return -1;
}

// What has come is read here first; nothing in it is needed after a call.
thread_local std::array<char, 64 * 1024> readBuffer;

} // namespace

Connection::Connection(Endpoint at, const Address &how, QObject *parent)
    : QObject(parent)
    , m_at(std::move(at))
    , m_tls(how.tls)
    , m_caFile(how.caFile)
    , m_verifyPeer(how.verifyPeer)
    , m_pass([this] { flush(); }, NextPass::Stage::Send)
{
}

Connection::~Connection()
{
    if (m_qtSocket)
        m_qtSocket->disconnect(this);
}

void Connection::open()
{
    m_begun = true;
    m_openDeadline_ms = Clock::monotonic_ms() + limits::connect_deadline_ms;
    if (!m_at.socketPath.isEmpty())
        later([this] { connectUnix(); });
    else if (m_tls)
        openTls();
    else
        openTcp();
}

void Connection::later(std::function<void()> connectNow)
{
    QMetaObject::invokeMethod(this, [this, connectNow = std::move(connectNow)] {
        if (m_begun)
            connectNow();
    }, Qt::QueuedConnection);
}

void Connection::connectUnix()
{
    goOnBare(connectedTo(m_at.socketPath));
}

void Connection::openQt(QTcpSocket *socket)
{
    m_qtSocket = socket;
    connect(socket, &QAbstractSocket::disconnected, this, &Connection::broken);
    connect(socket, &QAbstractSocket::errorOccurred, this, &Connection::broken);
}

void Connection::openTcp()
{
    auto *socket = new QTcpSocket(this);
    openQt(socket);
    connect(socket, &QAbstractSocket::connected, this, [this, socket] {
        const int descriptor = fcntl(int(socket->socketDescriptor()), F_DUPFD_CLOEXEC, 0);
        socket->disconnect(this);
        socket->abort();
        socket->deleteLater();
        m_qtSocket = nullptr;
        goOnBare(descriptor);
    });
    later([this] { m_qtSocket->connectToHost(QString::fromUtf8(m_at.host), m_at.port); });
}

void Connection::openTls()
{
    auto *socket = new QSslSocket(this);
    openQt(socket);
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    if (!m_caFile.isEmpty())
        tls.setCaCertificates(QSslCertificate::fromPath(QString::fromUtf8(m_caFile)));
    tls.setPeerVerifyMode(m_verifyPeer ? QSslSocket::VerifyPeer : QSslSocket::VerifyNone);
    socket->setSslConfiguration(tls);
    connect(socket, &QSslSocket::encrypted, this, &Connection::nowOpen);
    connect(socket, &QIODevice::readyRead, this, [this] { take(m_qtSocket->readAll()); });
    later([this, socket] { socket->connectToHostEncrypted(QString::fromUtf8(m_at.host), m_at.port); });
}

void Connection::goOnBare(int descriptor)
{
    if (descriptor < 0)
        return broken();
    StreamSocket::User &user = *this;
    m_socket = std::make_unique<StreamSocket>(descriptor, user);
    nowOpen();
}

void Connection::nowOpen()
{
    m_open = true;
    m_pass.ask(); // writes the commands that were sent before
    Q_EMIT opened();
}

void Connection::append(const QList<QByteArray> &words)
{
    qsizetype size_max = head_bytes_max;
    for (const QByteArray &word : words)
        size_max += head_bytes_max + word.size() + 2;
    const qsizetype begin = m_out.size();
    m_out.resize(begin + size_max);
    char *to = putHead(m_out.data() + begin, '*', words.size());
    for (const QByteArray &word : words) {
        to = putHead(to, '$', word.size());
        std::memcpy(to, word.constData(), size_t(word.size()));
        to += word.size();
        *to++ = '\r';
        *to++ = '\n';
    }
    m_out.truncate(to - m_out.constData());
    m_pass.ask();
}

void Connection::send(const QList<QByteArray> &words, Callback<Reply> callback)
{
    Q_ASSERT(m_begun);
    append(words);
    m_pending.push_back({std::move(callback), Clock::monotonic_ms() + limits::command_deadline_ms});
    ++m_unsent;
}

void Connection::sendPushing(const QList<QByteArray> &words)
{
    append(words);
}

void Connection::flush()
{
    if (!m_open || m_out.isEmpty())
        return;
    m_unsent = 0;
    const QByteArray bytes = std::exchange(m_out, {});
    if (m_socket) {
        if (!m_socket->write(bytes))
            broken();
        return;
    }
    m_qtSocket->write(bytes);
    m_qtSocket->flush();
}

void Connection::readable()
{
    const qint64 size = m_socket->read(readBuffer.data(), readBuffer.size());
    if (size < 0)
        broken();
    else if (size > 0)
        take(QByteArrayView(readBuffer.data(), size));
}

void Connection::take(QByteArrayView bytes)
{
    m_reader.feed(bytes);
    const QPointer<Connection> alive(this);
    while (alive && m_begun) {
        const std::optional<Reply> next = m_reader.next();
        if (!next) {
            if (m_reader.failed())
                end(reasons::redisBadReply());
            return;
        }
        const Reply &reply = *next;
        if (m_pending.empty()) {
            Q_EMIT pushed(reply);
        } else {
            const Callback<Reply> callback = std::move(m_pending.front().callback);
            m_pending.pop_front();
            callback(reply);
        }
    }
}

void Connection::tick(qint64 now_ms)
{
    if (!m_begun)
        return;
    if (!m_open && now_ms > m_openDeadline_ms)
        end(reasons::redisNotAccepting());
    else if (!m_pending.empty() && now_ms > m_pending.front().deadline_ms)
        end(reasons::redisTooSlow());
}

void Connection::close(Error why)
{
    const QSignalBlocker quietly(this);
    end(std::move(why));
}

void Connection::broken()
{
    end(reasons::redisConnectionLost());
}

// The commands that were sent may have run or not.
void Connection::end(Error why)
{
    if (!std::exchange(m_begun, false))
        return;
    if (m_socket)
        m_socket->close();
    if (QTcpSocket *const socket = std::exchange(m_qtSocket, nullptr)) {
        socket->disconnect(this);
        socket->close();
        socket->deleteLater();
    }
    m_open = false;
    m_out.clear();
    const std::deque<Pending> rest = std::exchange(m_pending, {});
    const size_t sent = rest.size() - std::exchange(m_unsent, 0);
    const QPointer<Connection> alive(this);
    Q_EMIT lost(why); // first, so that callbacks do not use a connection that has ended
    why.retryAfter_s = 1;
    for (size_t i = 0; i < rest.size() && alive; ++i) {
        why.code = i < sent ? ErrorCode::Ambiguous : ErrorCode::StoreUnavailable;
        rest[i].callback(why);
    }
}

} // namespace junban::redis
