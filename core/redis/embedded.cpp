#include "core/redis/embedded.h"

#include "core/base/clock.h"
#include "core/base/reasons/store.h"

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
constexpr qint64 launch_again_ms = 500;   // a server is launched when none has answered for this long
constexpr qint64 adopt_ms = 300;          // how long a server that may run already has to answer
constexpr int launches_max = 3;           // at the start; a server that has run once is launched again without end
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

// The other half is for what jobs change while Redis writes a file in a process of its own.
QByteArray halfOfMemory()
{
    return QByteArray::number(qint64(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE) / 2);
}

} // namespace

EmbeddedRedis::EmbeddedRedis(QString dataDirectory, Fsync fsync, QByteArray memory, QObject *parent)
    : QObject(parent)
    , m_directory(QDir(dataDirectory).absolutePath())
    , m_fsync(fsync)
    , m_memory(memory.isEmpty() ? halfOfMemory() : std::move(memory))
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

std::optional<Error> EmbeddedRedis::lock()
{
    const QByteArray path = (m_directory + QStringLiteral("/masters.lock")).toUtf8();
    m_mastersLock = ::open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    // Masters share this lock. A master that ends Redis must first get it alone.
    if (m_mastersLock >= 0 && ::flock(m_mastersLock, LOCK_SH) == 0)
        return {};
    return reasons::embeddedLockNotMade(path, strerror(errno));
}

void EmbeddedRedis::start(Callback<Address> callback)
{
    m_started = std::move(callback);
    if (!QDir().mkpath(m_directory)) {
        fail(reasons::embeddedDirectoryNotMade(m_directory.toUtf8()));
        return;
    }
    QFile::setPermissions(m_directory, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    if (const std::optional<Error> error = lock()) {
        fail(*error);
        return;
    }
    if (QStandardPaths::findExecutable(QStringLiteral("redis-server")).isEmpty()) {
        fail(reasons::embeddedRedisMissing());
        return;
    }
    m_link = std::make_unique<Link>(Address::ofSocket(m_socketPath));
    m_link->start();
    m_launched_ms = Clock::monotonic_ms() - launch_again_ms + adopt_ms;
    m_looking.start();
}

// Called by a timer all the time: at the start it waits for Redis' answer, later it notices when Redis has gone.
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
            return; // it is still loading, and is asked again
        if (m_fsync == Fsync::Always) // another master may have started it with a weaker setting
            m_link->command({"CONFIG", "SET", "appendfsync", "always"}, [](const Result<Reply> &) {});
        m_link->command({"CONFIG", "SET", "maxmemory", m_memory}, [](const Result<Reply> &) {}); // for one that runs already
        std::exchange(m_started, {})(Address::ofSocket(m_socketPath));
    });
}

void EmbeddedRedis::launch()
{
    m_launched_ms = Clock::monotonic_ms();
    const int serverLock = lockServer();
    if (serverLock < 0) {
        // A server runs but does not answer: it starts, loads or stops. A second one on the same files would lose jobs that the first one
        // still acknowledges.
        if (!std::exchange(m_waitSaid, true))
            qInfo("redis: waiting for the redis-server in %s", qUtf8Printable(m_directory));
        return;
    }
    if (m_started && m_launches >= launches_max) {
        ::close(serverLock);
        const QByteArray log = logTail();
        fail(log.isEmpty() ? reasons::embeddedRedisEndedSilently() : reasons::embeddedRedisEnded(log));
        return;
    }
    ++m_launches;
    const auto text = [](const char *word) { return QString::fromLatin1(word); };
    const QStringList words{text("--port"), text("0"), text("--unixsocket"), QString::fromUtf8(m_socketPath), text("--unixsocketperm"),
        text("700"), text("--dir"), m_directory, text("--pidfile"), m_directory + text("/redis.pid"), text("--logfile"),
        m_directory + text("/redis.log"), text("--daemonize"), text("no"), text("--appendonly"), text("yes"), text("--appendfsync"),
        text(m_fsync == Fsync::Always ? "always" : "everysec"), text("--maxmemory-policy"), text("noeviction"), text("--maxmemory"),
        QString::fromLatin1(m_memory), text("--save"), QString()};
    // Detached: it has its own session, so a signal to this process' group does not reach it.
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

// Takes the lock that a redis-server of this directory holds as long as it runs, because it inherits the descriptor. -1: one runs.
int EmbeddedRedis::lockServer() const
{
    const QByteArray path = (m_directory + QStringLiteral("/redis.lock")).toUtf8();
    const int descriptor = ::open(path.constData(), O_RDWR | O_CREAT, 0600); // not O_CLOEXEC: the server inherits it
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
        return {};
    log.seek(std::max<qint64>(0, log.size() - 600));
    return log.readAll().trimmed();
}

void EmbeddedRedis::fail(const Error &error)
{
    m_looking.stop();
    const auto report = [this, error] {
        if (m_started)
            std::exchange(m_started, {})(error);
    };
    QMetaObject::invokeMethod(this, report, Qt::QueuedConnection);
}

void EmbeddedRedis::stop(Callback<Done> callback)
{
    m_stopping = true;
    m_looking.stop();
    const bool alone = m_mastersLock >= 0 && ::flock(m_mastersLock, LOCK_EX | LOCK_NB) == 0;
    if (!alone || !m_link || m_link->state() != LinkState::Up) {
        // A server that was just launched and is not connected yet: SIGTERM means SHUTDOWN to it.
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
    // Redis syncs its append-only file, and then answers by closing the connection.
    m_link->command({"SHUTDOWN"}, [callback = std::move(callback)](const Result<Reply> &) { callback(Done{}); });
}

} // namespace junban::redis
