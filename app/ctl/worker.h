#pragma once

#include "app/ctl/commandrun.h"
#include "app/ctl/keeper.h"
#include "client/apiclient.h"

#include <QHash>
#include <QObject>
#include <QTimer>
#include <functional>

namespace junban::app {

struct WorkerOptions {
    QByteArray worker;               // its own name
    QList<QByteArray> names;
    CommandOptions command;
    int concurrency = 1;
    qint64 lease_ms = 0;             // 0: each job's timeout
    bool once = false;               // stop when nothing is left
    std::function<void(const ClaimedJob &, const Result<Finished> &)> tell = {}; // what the master answered to a report
};

// Runs a shell command for each job: the argument on standard input, exit status and output become the outcome. Renews the leases
// meanwhile. Threads: the main one.
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
    // `isRefused`: the master refuses to give it jobs, for a reason that stays.
    void ended(bool isRefused);

private:
    void claim();
    void claimed(const Result<QList<ClaimedJob>> &jobs);
    void refused(const Error &error);
    void begin(const ClaimedJob &job);
    void finish(JobId id);
    void report(const ClaimedJob &job, const Outcome &outcome, int attempt);
    void beat();
    void next();

    client::ApiClient &m_client;
    WorkerOptions m_options;
    Keeper m_keeper;
    QHash<JobId, std::shared_ptr<CommandRun>> m_runs;
    int m_reporting = 0;
    client::CallId m_claiming = 0;
    QTimer m_beat;
    QTimer m_again;                  // the next claim after an error that passes
    bool m_isAway = false;           // that was said
    bool m_stopping = false;
    bool m_isRefused = false;
};

} // namespace junban::app
