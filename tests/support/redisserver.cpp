#include "tests/support/redisserver.h"

#include <QDeadlineTimer>
#include <QThread>
#include <csignal>
#include <sys/prctl.h>

namespace junban::test {

RedisServer::RedisServer(QStringList configuration)
    : m_configuration(std::move(configuration))
{
}

RedisServer::~RedisServer()
{
    if (m_process) {
        resume();
        kill9();
    }
}

bool RedisServer::begin()
{
    m_process = std::make_unique<QProcess>();
    m_process->setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGKILL); });
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    const QStringList words = QStringList{QStringLiteral("--port"), QStringLiteral("0"), QStringLiteral("--unixsocket"),
                                  QString::fromUtf8(socketPath()), QStringLiteral("--dir"), m_directory.path(),
                                  QStringLiteral("--save"), QString()}
        + m_configuration;
    m_process->start(QStringLiteral("redis-server"), words);
    return m_process->waitForStarted();
}

bool RedisServer::start()
{
    if (!begin())
        return false;
    const QDeadlineTimer deadline(60'000);
    while (!deadline.hasExpired()) {
        if (cli({QStringLiteral("PING")}).trimmed() == "PONG")
            return true;
        QThread::msleep(20);
    }
    return false;
}

void RedisServer::kill9()
{
    if (!m_process || m_process->state() == QProcess::NotRunning)
        return;
    m_process->kill();
    m_process->waitForFinished();
}

void RedisServer::pause()
{
    ::kill(pid_t(m_process->processId()), SIGSTOP);
}

void RedisServer::resume()
{
    if (m_process->state() == QProcess::Running)
        ::kill(pid_t(m_process->processId()), SIGCONT);
}

QByteArray RedisServer::socketPath() const
{
    return m_directory.path().toUtf8() + "/redis.sock";
}

QByteArray RedisServer::cli(const QStringList &words) const
{
    QProcess process;
    process.start(QStringLiteral("redis-cli"), QStringList{QStringLiteral("-s"), QString::fromUtf8(socketPath())} + words);
    process.waitForFinished();
    return process.readAllStandardOutput();
}

} // namespace junban::test
