#pragma once

#include <QByteArray>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>
#include <memory>

namespace junban::test {

// A private redis-server on a unix socket in a temporary directory. The kernel kills it when the test process ends.
class RedisServer
{
public:
    // `configuration`: further command-line words, e.g. {"--appendonly", "yes"}.
    explicit RedisServer(QStringList configuration = {});
    ~RedisServer();

    bool start(); // waits until it answers
    bool begin(); // does not wait for it
    void kill9();
    void pause();  // SIGSTOP
    void resume(); // SIGCONT

    QString directory() const { return m_directory.path(); }
    QByteArray socketPath() const;
    QByteArray url() const { return "unix://" + socketPath(); }
    // Runs redis-cli with these words and returns what it printed.
    QByteArray cli(const QStringList &words) const;

private:
    QTemporaryDir m_directory;
    QStringList m_configuration;
    std::unique_ptr<QProcess> m_process;
};

} // namespace junban::test
