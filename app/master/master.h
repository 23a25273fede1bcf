#pragma once

#include "app/master/engine.h"
#include "app/master/options.h"
#include "core/redis/doctor.h"
#include "core/redis/embedded.h"
#include "core/redis/historywatch.h"
#include "core/redis/libraries.h"
#include "core/redis/redistokens.h"
#include "core/redis/serverwatch.h"

#include <QObject>
#include <QStringList>
#include <QTemporaryDir>
#include <memory>
#include <optional>
#include <vector>

namespace junban::app {

// The master in this process. It starts or finds Redis, has the doctor examine it, and runs the engine threads. Threads: the main one.
class Master : public QObject
{
    Q_OBJECT

public:
    Master(Options options, QObject *parent = nullptr);
    ~Master() override;

    void start();
    // Drains the engines and ends everything; then stopped() is emitted. A second call has no effect.
    void stop();
    // Takes what may change while it serves (OptionRow::isReread) from these options, and reads the files of TLS again: all of it, or
    // nothing when something is wrong. The log says what was done.
    void reload(const Result<Options> &options);
    // The token of the desktop window, made for this run.
    QByteArray consoleToken() const { return m_consoleToken; }

Q_SIGNALS:
    // It serves at these URLs, which are also printed on standard output.
    void listening(QStringList urls);
    // It cannot start or continue; everything that it had started has been stopped.
    void failed(int exitCode, Reason why);
    void stopped();

private:
    struct Failure {
        int exitCode = 0;
        Reason why;
    };
    void fail(int exitCode, Reason why);
    void end();
    void useRedis(const redis::Address &address);
    void examineRedis();
    void examineAgain();
    void heedDoctor(const QList<Finding> &findings);
    void upgradeNamespace();
    void heedLayout(qint64 layout);
    void askTime();
    void askTokens();
    void makeFirstToken();
    bool useMemory();
    Result<Done> readPepper();
    Result<Done> openAudit();
    void makeSockets();
    void startEngines(QList<ListenAt> at);
    void startFurther(const QList<quint16> &ports);
    void announce(const QList<quint16> &ports);
    void engineEnded();
    Result<QList<ListenAt>> listenAddresses() const;
    Result<Done> readChangeable(const Options &options);
    QList<QByteArray> needingRestart(const Options &options) const;

    Options m_options;
    QByteArray m_consoleToken;
    std::unique_ptr<QTemporaryDir> m_memory; // for --dev; after the embedded Redis, which ends before
    std::unique_ptr<redis::EmbeddedRedis> m_embedded;
    std::unique_ptr<redis::Link> m_examined;
    std::unique_ptr<redis::HistoryWatch> m_watch;
    std::unique_ptr<redis::ServerWatch> m_serverWatch;
    std::unique_ptr<redis::Libraries> m_libraries;
    std::unique_ptr<redis::RedisTokens> m_tokens;
    EngineOptions m_engineOptions;
    std::vector<std::unique_ptr<Engine>> m_engines;
    std::optional<Failure> m_failure;
    bool m_examining = false;
    int m_running = 0;
    bool m_stopping = false;
};

} // namespace junban::app
