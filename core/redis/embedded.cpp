#include "core/redis/embedded.h"

#include "core/clock.h"

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

constexpr int look_ms = 50;
constexpr qint64 launch_again_ms = 500;   // how long nobody may answer before one is launched
constexpr qint64 adopt_ms = 300;          // how long one that may be there already is given
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

EmbeddedRedis::EmbeddedRedis(QString dataDirectory, QObject *parent)
    : QObject(parent)
    , m_directory(QDir(dataDirectory).absolutePath())
    , m_socketPath(socketPathIn(m_directory))
{
    m_looking.setInterval(look_ms);
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
    Address address;
    address.socketPath = m_socketPath;
    m_link = std::make_unique<Link>(address);
    m_link->start();
    m_launched_ms = Clock::monotonic_ms() - launch_again_ms + adopt_ms;
    m_looking.start();
}

// Runs all the time: while starting it waits for the answer, later it notices when Redis is gone.
void EmbeddedRedis::look()
{
    if (m_stopping)
        return;
    const qint64 now_ms = Clock::monotonic_ms();
    if (m_link->state() == LinkState::Up) {
        if (!m_started)
            return;
        m_link->command({"PING"}, [this](const Result<Reply> &reply) {
            if (!reply.ok() || !m_started)
                return; // still loading: asked again
            Address address;
            address.socketPath = m_socketPath;
            std::exchange(m_started, {})(address);
        });
        return;
    }
    if (m_pid > 0 && ::kill(pid_t(m_pid), 0) != 0 && errno == ESRCH) {
        m_pid = 0;
        if (m_started && m_launches >= 3) {
            fail("redis-server ended at its start: " + logTail());
            return;
        }
    }
    if (m_pid == 0 && m_link->away_ms() >= adopt_ms && now_ms - m_launched_ms >= launch_again_ms)
        launch();
}

void EmbeddedRedis::launch()
{
    m_launched_ms = Clock::monotonic_ms();
    ++m_launches;
    // Two masters may come here at once: one launches, the other finds the answer a moment later.
    const QByteArray path = (m_directory + QStringLiteral("/launch.lock")).toUtf8();
    const int launchLock = ::open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (launchLock < 0 || ::flock(launchLock, LOCK_EX | LOCK_NB) != 0) {
        if (launchLock >= 0)
            ::close(launchLock);
        return;
    }
    const auto text = [](const char *word) { return QString::fromLatin1(word); };
    const QStringList words{text("--port"), text("0"), text("--unixsocket"), QString::fromUtf8(m_socketPath), text("--unixsocketperm"),
        text("700"), text("--dir"), m_directory, text("--pidfile"), m_directory + text("/redis.pid"), text("--logfile"),
        m_directory + text("/redis.log"), text("--daemonize"), text("no"), text("--appendonly"), text("yes"), text("--appendfsync"),
        text("everysec"), text("--maxmemory-policy"), text("noeviction"), text("--save"), QString()};
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
    QTimer::singleShot(launch_again_ms, this, [launchLock] { ::close(launchLock); });
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
        QMetaObject::invokeMethod(this, [callback = std::move(callback)] { callback(Done{}); }, Qt::QueuedConnection);
        return;
    }
    // It answers by closing the connection; the append-only file is synced before.
    m_link->command({"SHUTDOWN"}, [callback = std::move(callback)](const Result<Reply> &) { callback(Done{}); });
}

} // namespace junban::redis
