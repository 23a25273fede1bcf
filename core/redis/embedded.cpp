#include "core/redis/embedded.h"

#include "core/base/clock.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QPointer>
#include <QProcess>
#include <QStandardPaths>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace junban::redis {

namespace {

constexpr int launchLook_ms = 50;
constexpr qint64 launch_again_ms = 500;   // how long nobody may answer before one is launched
constexpr qint64 adopt_ms = 300;          // how long one that may be there already is given
constexpr int launches_max = 3;           // at the start; one that ran already is launched again for ever
constexpr qsizetype socketPathBytes_max = 100; // sun_path has 108

QByteArray socketPathIn(const QString &directory)
{
    const QByteArray inside = (directory + QStringLiteral("/redis.sock")).toUtf8();
    if (inside.size() <= socketPathBytes_max)
        return inside;
    const QString runtime = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    const QByteArray hash = QCryptographicHash::hash(directory.toUtf8(), QCryptographicHash::Sha1).toHex().first(16);
    return runtime.toUtf8() + "/junban-" + hash + ".sock";
}

} // namespace

EmbeddedRedis::EmbeddedRedis(QString dataDirectory, Fsync fsync, QObject *parent)
    : QObject(parent)
    , m_directory(QDir(dataDirectory).absolutePath())
    , m_fsync(fsync)
    , m_socketPath(socketPathIn(m_directory))
{
    m_looking.setInterval(launchLook_ms);
    connect(&m_looking, &QTimer::timeout, this, &EmbeddedRedis::look);
}

EmbeddedRedis::~EmbeddedRedis()
{
    if (m_mastersLock >= 0)
        ::close(m_mastersLock);
}

bool EmbeddedRedis::lock(QByteArray *why)
{
    const QByteArray path = (m_directory + QStringLiteral("/masters.lock")).toUtf8();
    m_mastersLock = ::open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    // Shared among masters; the one that ends Redis holds it alone for that moment.
    if (m_mastersLock >= 0 && ::flock(m_mastersLock, LOCK_SH) == 0)
        return true;
    *why = path + ": " + strerror(errno);
    return false;
}

void EmbeddedRedis::start(Callback<Address> callback)
{
    m_started = std::move(callback);
    QByteArray why;
    if (!QDir().mkpath(m_directory)) {
        fail("cannot make the data directory " + m_directory.toUtf8());
        return;
    }
    QFile::setPermissions(m_directory, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    if (!lock(&why)) {
        fail(why);
        return;
    }
    if (QStandardPaths::findExecutable(QStringLiteral("redis-server")).isEmpty()) {
        fail("redis-server was not found; install it (Debian: redis-server) or give --redis URL");
        return;
    }
    m_link = std::make_unique<Link>(Address::ofSocket(m_socketPath));
    m_link->start();
    m_launched_ms = Clock::monotonic_ms() - launch_again_ms + adopt_ms;
    m_looking.start();
}

// Runs all the time: while starting it waits for the answer, later it notices when Redis is gone.
void EmbeddedRedis::look()
{
    if (m_stopping)
        return;
    if (m_link->state() == LinkState::Up) {
        if (m_started)
            greet();
        return;
    }
    const qint64 now_ms = Clock::monotonic_ms();
    if (m_link->away_ms() >= adopt_ms && now_ms - m_launched_ms >= launch_again_ms)
        launch();
}

void EmbeddedRedis::greet()
{
    m_link->command({"PING"}, [this](const Result<Reply> &reply) {
        if (!reply.ok() || !m_started)
            return; // still loading: asked again
        if (m_fsync == Fsync::Always) // one that was adopted may have been started by another master with less
            m_link->command({"CONFIG", "SET", "appendfsync", "always"}, [](const Result<Reply> &) {});
        std::exchange(m_started, {})(Address::ofSocket(m_socketPath));
    });
}

void EmbeddedRedis::launch()
{
    m_launched_ms = Clock::monotonic_ms();
    const int serverLock = lockServer();
    if (serverLock < 0) {
        // One is there that does not answer: it starts, or loads, or is stopped. A second one on the same files would lose what the
        // first one still acknowledges.
        if (!std::exchange(m_waitSaid, true))
            qInfo("redis: waiting for the redis-server in %s", qUtf8Printable(m_directory));
        return;
    }
    if (m_started && m_launches >= launches_max) {
        ::close(serverLock);
        fail("redis-server ended at its start: " + logTail());
        return;
    }
    ++m_launches;
    const auto text = [](const char *word) { return QString::fromLatin1(word); };
    const QStringList words{text("--port"), text("0"), text("--unixsocket"), QString::fromUtf8(m_socketPath), text("--unixsocketperm"),
        text("700"), text("--dir"), m_directory, text("--pidfile"), m_directory + text("/redis.pid"), text("--logfile"),
        m_directory + text("/redis.log"), text("--daemonize"), text("no"), text("--appendonly"), text("yes"), text("--appendfsync"),
        text(m_fsync == Fsync::Always ? "always" : "everysec"), text("--maxmemory-policy"), text("noeviction"), text("--save"), QString()};
    // Detached: a session of its own, and no child of ours that a signal to our group would reach.
    QProcess process;
    process.setProgram(text("redis-server"));
    process.setArguments(words);
    process.setWorkingDirectory(m_directory);
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(QProcess::nullDevice());
    process.setStandardInputFile(QProcess::nullDevice());
    if (!process.startDetached(&m_pid))
        m_pid = 0;
    ::close(serverLock); // the server has inherited it
}

// The lock that a redis-server of this directory holds for as long as it lives: it inherits the descriptor. -1: one lives.
int EmbeddedRedis::lockServer() const
{
    const QByteArray path = (m_directory + QStringLiteral("/redis.lock")).toUtf8();
    const int descriptor = ::open(path.constData(), O_RDWR | O_CREAT, 0600); // not O_CLOEXEC: it is to be inherited
    if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return descriptor;
    if (descriptor >= 0)
        ::close(descriptor);
    return -1;
}

QByteArray EmbeddedRedis::logTail() const
{
    QFile log(m_directory + QStringLiteral("/redis.log"));
    if (!log.open(QIODevice::ReadOnly))
        return "it left no log";
    log.seek(std::max<qint64>(0, log.size() - 600));
    return log.readAll().trimmed();
}

void EmbeddedRedis::fail(QByteArray message)
{
    m_looking.stop();
    const auto report = [this, message = std::move(message)] {
        if (m_started)
            std::exchange(m_started, {})(Error{ErrorCode::StoreUnavailable, message});
    };
    QMetaObject::invokeMethod(this, report, Qt::QueuedConnection);
}

void EmbeddedRedis::stop(Callback<Done> callback)
{
    m_stopping = true;
    m_looking.stop();
    const bool alone = m_mastersLock >= 0 && ::flock(m_mastersLock, LOCK_EX | LOCK_NB) == 0;
    if (!alone || !m_link || m_link->state() != LinkState::Up) {
        // One we have only just launched: SIGTERM is its SHUTDOWN.
        if (alone && m_pid > 0) {
            const int serverLock = lockServer();
            if (serverLock < 0)
                ::kill(pid_t(m_pid), SIGTERM);
            else
                ::close(serverLock); // it has ended already
        }
        QMetaObject::invokeMethod(this, [callback = std::move(callback)] { callback(Done{}); }, Qt::QueuedConnection);
        return;
    }
    // It answers by closing the connection; the append-only file is synced before.
    m_link->command({"SHUTDOWN"}, [callback = std::move(callback)](const Result<Reply> &) { callback(Done{}); });
}

} // namespace junban::redis
