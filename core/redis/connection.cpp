#include "core/redis/connection.h"

#include "core/base/clock.h"
#include "core/base/reasons/store.h"
#include "core/limits.h"

#include <QLocalSocket>
#include <QPointer>
#include <QSslConfiguration>
#include <QSslSocket>
#include <charconv>
#include <cstring>

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
    if (m_device)
        m_device->disconnect(this);
}

void Connection::open()
{
    m_openDeadline_ms = Clock::monotonic_ms() + limits::connect_deadline_ms;
    if (m_at.socketPath.isEmpty()) {
        openTcp();
        return;
    }
    const auto broken = [this] { end(reasons::redisConnectionLost()); };
    auto *socket = new QLocalSocket(this);
    m_device = socket;
    connect(socket, &QLocalSocket::connected, this, &Connection::nowOpen);
    connect(socket, &QLocalSocket::disconnected, this, broken);
    connect(socket, &QLocalSocket::errorOccurred, this, broken);
    connect(socket, &QIODevice::readyRead, this, &Connection::read);
    later([socket, path = m_at.socketPath] { socket->connectToServer(QString::fromUtf8(path)); });
}

// Connects in the next pass of the event loop: a socket may fail at once, and signals must not come from inside open().
void Connection::later(std::function<void()> connectNow)
{
    QMetaObject::invokeMethod(m_device, std::move(connectNow), Qt::QueuedConnection);
}

void Connection::openTcp()
{
    const auto broken = [this] { end(reasons::redisConnectionLost()); };
    auto *socket = new QSslSocket(this);
    m_device = socket;
    connect(socket, &QAbstractSocket::disconnected, this, broken);
    connect(socket, &QAbstractSocket::errorOccurred, this, broken);
    connect(socket, &QIODevice::readyRead, this, &Connection::read);
    if (m_tls) {
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        if (!m_caFile.isEmpty())
            tls.setCaCertificates(QSslCertificate::fromPath(QString::fromUtf8(m_caFile)));
        tls.setPeerVerifyMode(m_verifyPeer ? QSslSocket::VerifyPeer : QSslSocket::VerifyNone);
        socket->setSslConfiguration(tls);
        connect(socket, &QSslSocket::encrypted, this, &Connection::nowOpen);
        later([socket, at = m_at] { socket->connectToHostEncrypted(QString::fromUtf8(at.host), at.port); });
    } else {
        connect(socket, &QAbstractSocket::connected, this, [this, socket] {
            socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
            nowOpen();
        });
        later([socket, at = m_at] { socket->connectToHost(QString::fromUtf8(at.host), at.port); });
    }
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
    Q_ASSERT(m_device);
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
    m_device->write(bytes);
    if (auto *socket = qobject_cast<QAbstractSocket *>(m_device))
        socket->flush();
    else if (auto *local = qobject_cast<QLocalSocket *>(m_device))
        local->flush();
}

void Connection::read()
{
    const QByteArray bytes = m_device->readAll();
    m_reader.feed(bytes);
    const QPointer<Connection> alive(this);
    while (alive && m_device) {
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
    if (!m_device)
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

// The commands that were sent may have run or not.
void Connection::end(Error why)
{
    if (!m_device)
        return;
    m_device->disconnect(this);
    m_device->close();
    m_device->deleteLater();
    m_device = nullptr;
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
