#pragma once

#include "app/ctl/commandresult.h"
#include "core/jobs/jobcalls.h"

#include <QObject>
#include <QProcess>
#include <QTimer>
#include <memory>

namespace junban::app {

class Keeper;

struct CommandOptions {
    QString command;                 // given to /bin/sh -c
    OutputFormat format = OutputFormat::Json; // of the argument on standard input, and of the result
    qint64 grace_ms = 0;             // between SIGTERM and SIGKILL
};

// The command of one attempt of a job. It is asked to end (SIGTERM), and then ended (SIGKILL), when the job is cancelled or given to
// another worker, shortly before the job's timeout, and before its lease ends. All of this is measured by a stopwatch from the claim,
// which also runs while the machine sleeps: dates of this machine and of the master are not compared. Threads: the main one.
class CommandRun : public QObject
{
    Q_OBJECT

public:
    // Starts it. `keeper` must outlive it.
    CommandRun(const ClaimedJob &job, const CommandOptions &options, const Keeper &keeper, QObject *parent = nullptr);
    ~CommandRun() override;

    const ClaimedJob &job() const { return m_job; }
    // The master has taken a heartbeat that was sent then, on the stopwatch.
    void renewed(qint64 sent_ms);
    // Somebody wants the job stopped.
    void cancel() { askToEnd(Why::Cancelled); }
    // The master says that the lease is not this worker's any more.
    void loseLease() { askToEnd(Why::LeaseLost); }
    // After ended().
    Outcome outcome() const;

Q_SIGNALS:
    // Nothing of the command runs any more, if it was asked to end. Once.
    void ended();

private:
    enum class Why { Itself, Cancelled, LeaseLost, Unrenewed, Late };

    void start();
    void read();
    void askToEnd(Why why);
    void watch();
    void leaderEnded();
    void conclude();
    bool isGroupThere() const;
    void signalGroup(int signal) const;
    qint64 timeoutMargin_ms() const;
    qint64 leaseMargin_ms() const;
    bool isLeased() const { return m_leaseEnd_ms < m_deadline_ms; } // else the timeout comes first
    qint64 lastMoment_ms() const;
    QByteArray whyText() const;

    const ClaimedJob m_job;
    const CommandOptions m_options;
    const Keeper &m_keeper;
    QProcess m_process;
    pid_t m_group = 0;               // 0: it did not start
    QByteArray m_output;
    QByteArray m_errors;             // the tail
    Why m_why = Why::Itself;
    qint64 m_deadline_ms;            // all on the stopwatch
    qint64 m_leaseLength_ms;
    qint64 m_leaseEnd_ms;
    qint64 m_killAt_ms;
    QTimer m_watch;
    bool m_hasEnded = false;         // the shell; others of its group may still be there
    bool m_isConcluded = false;
};

} // namespace junban::app
