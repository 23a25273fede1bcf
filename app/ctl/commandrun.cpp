#include "app/ctl/commandrun.h"

#include "app/ctl/keeper.h"
#include "core/base/clock.h"
#include "core/base/isotime.h"
#include "core/limits.h"
#include "core/msgpack/json.h"
#include "core/msgpack/msgpackwriter.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <limits>
#include <unistd.h>

namespace junban::app {

namespace {

constexpr qsizetype errors_bytes_max = 4'096;
constexpr qint64 watch_ms_max = 1'000;   // a timer stands still while the machine sleeps
constexpr qint64 group_look_ms = 20;     // for what a shell has left behind
constexpr qint64 report_ms = 1'000;      // at most so long before the timeout a command ends, so that the report comes in time

// Exit statuses of a command that say more than "failed". 75 (EX_TEMPFAIL) is one of those that may be tried again.
constexpr int exitGiveUp = 100;

} // namespace

CommandRun::CommandRun(const ClaimedJob &job, const CommandOptions &options, const Keeper &keeper, QObject *parent)
    : QObject(parent)
    , m_job(job)
    , m_options(options)
    , m_keeper(keeper)
    , m_deadline_ms(stopwatch_ms() + job.spec.timeout_ms)
    // Both are times of the master, so their difference says how long the lease is.
    , m_leaseLength_ms(std::clamp<qint64>(job.spec.timeout_ms - (job.deadline_ms - job.leaseExpiresAt_ms), 1, job.spec.timeout_ms))
    , m_leaseEnd_ms(m_deadline_ms - job.spec.timeout_ms + m_leaseLength_ms)
    , m_killAt_ms(std::numeric_limits<qint64>::max())
{
    m_watch.setSingleShot(true);
    m_watch.setTimerType(Qt::PreciseTimer);
    connect(&m_watch, &QTimer::timeout, this, &CommandRun::watch);
    start();
    watch();
}

CommandRun::~CommandRun() = default;

void CommandRun::start()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("JUNBAN_TOKEN")); // what the command prints is the job's result
    environment.insert(QStringLiteral("JUNBAN_JOB_ID"), QString::fromUtf8(m_job.id.text()));
    environment.insert(QStringLiteral("JUNBAN_JOB_NAME"), QString::fromUtf8(m_job.spec.name));
    environment.insert(QStringLiteral("JUNBAN_JOB_ATTEMPT"), QString::number(m_job.attempt));
    // By the clock of this machine, with which the command compares it.
    const qint64 end_ms = Clock::machine_ms() + m_job.spec.timeout_ms;
    environment.insert(QStringLiteral("JUNBAN_JOB_DEADLINE"), QString::fromUtf8(isoTime(end_ms)));
    m_process.setProcessEnvironment(environment);
    m_process.setChildProcessModifier([keeper = &m_keeper, end_ms = lastMoment_ms()] { keeper->keepThisChild(end_ms); });
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &CommandRun::read);
    connect(&m_process, &QProcess::readyReadStandardError, this, &CommandRun::read);
    connect(&m_process, &QProcess::finished, this, &CommandRun::leaderEnded);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            leaderEnded();
    }, Qt::QueuedConnection);
    m_process.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), m_options.command});
    m_group = pid_t(m_process.processId());
    const bool isJson = m_options.format == OutputFormat::Json;
    m_process.write(isJson ? json::fromMsgpack(m_job.spec.argument) + '\n' : m_job.spec.argument);
    m_process.closeWriteChannel();
}

void CommandRun::read()
{
    m_output += m_process.readAllStandardOutput();
    m_output.truncate(limits::result_bytes_max + 1); // which is too long already
    const QByteArray errors = m_process.readAllStandardError();
    std::fwrite(errors.constData(), 1, size_t(errors.size()), stderr);
    m_errors = (m_errors + errors).right(errors_bytes_max);
}

void CommandRun::renewed(qint64 sent_ms)
{
    m_leaseEnd_ms = std::max(m_leaseEnd_ms, std::min(sent_ms + m_leaseLength_ms, m_deadline_ms));
    if (m_group > 0 && !m_isConcluded)
        m_keeper.keep(m_group, lastMoment_ms());
}

qint64 CommandRun::timeoutMargin_ms() const
{
    return std::min(report_ms, m_job.spec.timeout_ms / 10);
}

qint64 CommandRun::leaseMargin_ms() const
{
    // Two heartbeats of three may be lost.
    return std::min(m_leaseLength_ms / 4, m_options.grace_ms + report_ms);
}

// When nothing of it may run any more.
qint64 CommandRun::lastMoment_ms() const
{
    const qint64 end_ms = m_deadline_ms - timeoutMargin_ms() / 2;
    return isLeased() ? std::min(end_ms, m_leaseEnd_ms - leaseMargin_ms() / 4) : end_ms;
}

void CommandRun::askToEnd(Why why)
{
    if (m_hasEnded || m_why != Why::Itself)
        return;
    m_why = why;
    m_killAt_ms = stopwatch_ms() + m_options.grace_ms;
    signalGroup(SIGTERM);
    watch();
}

// Ends what must end now, and looks again when the next thing falls due.
void CommandRun::watch()
{
    if (m_isConcluded)
        return;
    const qint64 now_ms = stopwatch_ms();
    const qint64 leaseEnd_ms = isLeased() ? m_leaseEnd_ms - leaseMargin_ms() : m_deadline_ms;
    const qint64 end_ms = m_deadline_ms - timeoutMargin_ms();
    if (m_why == Why::Itself && now_ms >= std::min(end_ms, leaseEnd_ms)) {
        askToEnd(now_ms >= end_ms ? Why::Late : Why::Unrenewed);
        return;
    }
    const qint64 kill_ms = std::min(m_killAt_ms, lastMoment_ms());
    if (now_ms >= kill_ms)
        signalGroup(SIGKILL);
    if (m_hasEnded && (now_ms >= kill_ms || !isGroupThere())) {
        conclude();
        return;
    }
    qint64 next_ms = m_why == Why::Itself ? std::min(end_ms, leaseEnd_ms) : kill_ms;
    if (m_hasEnded || now_ms >= kill_ms)
        next_ms = now_ms + group_look_ms;
    m_watch.start(int(std::clamp<qint64>(next_ms - now_ms, 1, watch_ms_max)));
}

void CommandRun::leaderEnded()
{
    read();
    m_hasEnded = true;
    if (m_why == Why::Itself || m_group == 0)
        conclude();
    else
        watch(); // others of the group may go on, beside a next attempt
}

void CommandRun::conclude()
{
    if (std::exchange(m_isConcluded, true))
        return;
    m_watch.stop();
    if (m_group > 0)
        m_keeper.forget(m_group);
    Q_EMIT ended();
}

bool CommandRun::isGroupThere() const
{
    return m_group > 0 && ::kill(-m_group, 0) == 0;
}

void CommandRun::signalGroup(int signal) const
{
    if (m_group > 0) // 0 would be our own group
        ::kill(-m_group, signal);
}

QByteArray CommandRun::whyText() const
{
    switch (m_why) {
    case Why::Cancelled: return "The job was cancelled.";
    case Why::LeaseLost: return "The lease was lost.";
    case Why::Unrenewed: return "The lease could not be renewed.";
    case Why::Late: return "The command took longer than the job's timeout.";
    case Why::Itself: break;
    }
    return {};
}

Outcome CommandRun::outcome() const
{
    Outcome outcome;
    outcome.finishedAt = isoTime(Clock::machine_ms());
    const bool crashed = m_process.exitStatus() == QProcess::CrashExit || m_process.error() == QProcess::FailedToStart;
    const int status = crashed ? -1 : m_process.exitCode();
    const Result<QByteArray> result = status == 0 ? resultOf(m_output, m_options.format) : Result<QByteArray>(QByteArray());
    if (status == 0 && result.ok()) { // what is done is done, also when a cancel came
        outcome.result = *result;
        return outcome;
    }
    const bool isOutOfTime = m_why == Why::Late || m_why == Why::Unrenewed;
    outcome.type = OutcomeType::Failure;
    outcome.reason = isOutOfTime ? FailureReason::Timeout : FailureReason::Other;
    outcome.shouldRetry = status != exitGiveUp && m_why != Why::Cancelled && result.ok();
    outcome.error = MsgpackWriter().map(1).text("exit_status").integer(status).take();
    QByteArrayList lines{result.ok() ? whyText() : result.error().message(), QString::fromUtf8(m_errors).trimmed().toUtf8()};
    lines.removeAll(QByteArray());
    if (lines.isEmpty())
        lines.append(crashed ? QByteArray("The command was ended by a signal.") : "Exit status " + QByteArray::number(status) + '.');
    outcome.message = lines.join('\n');
    return outcome;
}

} // namespace junban::app
