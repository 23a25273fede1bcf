#pragma once

#include "client/apiclient.h"

#include <QHash>
#include <QObject>
#include <QProcess>
#include <QTimer>
#include <functional>

namespace junban::app {

struct WorkerOptions {
    QByteArray worker;               // its own name
    QList<QByteArray> names;
    QString command;                 // given to /bin/sh -c
    int concurrency = 1;
    qint64 lease_ms = 0;             // 0: each job's timeout
    bool msgpack = false;            // the argument on standard input and the result as MessagePack; else JSON
    bool once = false;               // stop when nothing is left
    std::function<void(const ClaimedJob &, const Result<Finished> &)> tell = {}; // what the master answered to a report
};

// Exit statuses of a command that say more than "failed" (sysexits.h has the first).
inline constexpr int exitRetryLater = 75; // EX_TEMPFAIL: try again
inline constexpr int exitGiveUp = 100;    // do not try again

// Runs a shell command for each job: the argument on standard input, exit status and output become the outcome. Renews the leases
// meanwhile, ends the command when the job is cancelled or its deadline passes. Threads: the main one.
class Worker : public QObject
{
    Q_OBJECT

public:
    Worker(client::ApiClient &client, WorkerOptions options, QObject *parent = nullptr);
    ~Worker() override;

    void start();
    // Claims nothing more; ended() follows when the running commands have ended and were reported.
    void stop();

Q_SIGNALS:
    void ended();

private:
    struct Run {
        ClaimedJob job;
        QProcess *process = nullptr;
        QByteArray output;
        QByteArray errors;           // the tail
        bool cancelled = false;
        bool late = false;
    };

    void claim();
    void begin(const ClaimedJob &job);
    void finish(JobId id);
    Outcome outcomeOf(const Run &run) const;
    void report(const ClaimedJob &job, const Outcome &outcome, int attempt);
    void beat();
    void next();

    client::ApiClient &m_client;
    WorkerOptions m_options;
    QHash<JobId, std::shared_ptr<Run>> m_runs;
    int m_reporting = 0;
    client::CallId m_claiming = 0;
    QTimer m_beat;
    bool m_stopping = false;
};

} // namespace junban::app
