#include "app/ctl/worker.h"

#include "app/base/signals.h"
#include "app/ctl/paging.h"
#include "core/base/clock.h"
#include "core/base/isotime.h"
#include "core/msgpack/json.h"
#include "core/msgpack/msgpackwriter.h"

#include <QDateTime>
#include <QHostInfo>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <unistd.h>

namespace junban::app {

namespace {

constexpr qint64 claim_wait_ms = 20'000;
constexpr int again_ms = 1'000;             // after an error of the master
constexpr int report_attempts_max = 60;
constexpr qsizetype errors_bytes_max = 4'096;

void say(const ClaimedJob &job, const QByteArray &what)
{
    std::fprintf(stderr, "%s %s #%d: %s\n", job.id.text().constData(), forTerminal(job.spec.name).constData(), job.attempt,
        forTerminal(what).constData());
}

// Ends the command and what it started; nothing when it has ended already (0 would be our own group).
void end(const QProcess &process, int signal)
{
    if (process.processId() > 0)
        ::kill(-pid_t(process.processId()), signal);
}

} // namespace

Worker::Worker(client::ApiClient &client, WorkerOptions options, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_options(std::move(options))
{
    connect(&m_beat, &QTimer::timeout, this, &Worker::beat);
    // A third of the lease: two beats may be lost.
    m_beat.setInterval(int(m_options.lease_ms > 0 ? std::max<qint64>(m_options.lease_ms / 3, 300) : 5'000));
}

Worker::~Worker() = default;

void Worker::start()
{
    m_beat.start();
    claim();
}

void Worker::stop()
{
    m_stopping = true;
    if (m_claiming)
        m_client.cancel(m_claiming);
    next();
}

void Worker::claim()
{
    const int free = m_options.concurrency - int(m_runs.size());
    if (m_stopping || m_claiming || free <= 0)
        return;
    ClaimQuery query;
    query.names = m_options.names;
    query.limit = free;
    query.wait_ms = m_options.once ? 0 : claim_wait_ms;
    query.lease_ms = m_options.lease_ms;
    m_claiming = m_client.claim(m_options.worker, query, [this](const Result<QList<ClaimedJob>> &jobs) {
        m_claiming = 0;
        if (!jobs.ok()) {
            if (m_stopping) {
                next();
                return;
            }
            std::fprintf(stderr, "claim at %s: %s\n", m_client.url().toDisplayString(QUrl::RemoveUserInfo).toUtf8().constData(),
                forTerminal(jobs.error().message()).constData());
            QTimer::singleShot(again_ms, this, [this] { claim(); });
            return;
        }
        for (const ClaimedJob &job : *jobs)
            begin(job);
        if (jobs->isEmpty() && m_options.once)
            m_stopping = true;
        next();
    });
}

void Worker::begin(const ClaimedJob &job)
{
    auto run = std::make_shared<Run>();
    run->job = job;
    run->process = new QProcess(this);
    m_runs.insert(job.id, run);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("JUNBAN_TOKEN")); // what the command prints is the job's result
    environment.insert(QStringLiteral("JUNBAN_JOB_ID"), QString::fromUtf8(job.id.text()));
    environment.insert(QStringLiteral("JUNBAN_JOB_NAME"), QString::fromUtf8(job.spec.name));
    environment.insert(QStringLiteral("JUNBAN_JOB_ATTEMPT"), QString::number(job.attempt));
    environment.insert(QStringLiteral("JUNBAN_JOB_DEADLINE"), QString::fromUtf8(isoTime(job.deadline_ms)));
    run->process->setProcessEnvironment(environment);
    // A group of its own, so that the whole command can be ended, and a Ctrl-C here lets it finish.
    run->process->setChildProcessModifier([] { ::setpgid(0, 0); });
    connect(run->process, &QProcess::readyReadStandardOutput, this, [run] {
        run->output += run->process->readAllStandardOutput();
        run->output.truncate(limits::result_bytes_max + 1);
    });
    connect(run->process, &QProcess::readyReadStandardError, this, [run] {
        const QByteArray bytes = run->process->readAllStandardError();
        std::fwrite(bytes.constData(), 1, size_t(bytes.size()), stderr);
        run->errors = (run->errors + bytes).right(errors_bytes_max);
    });
    const JobId id = job.id;
    connect(run->process, &QProcess::finished, this, [this, id] { finish(id); });
    connect(run->process, &QProcess::errorOccurred, this, [this, id](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finish(id);
    });
    run->process->start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), m_options.command});
    run->process->write(m_options.msgpack ? job.spec.argument : json::fromMsgpack(job.spec.argument) + '\n');
    run->process->closeWriteChannel();
    const qint64 left_ms = std::max<qint64>(job.deadline_ms - QDateTime::currentMSecsSinceEpoch(), 0);
    // Relative to the attempt's own length: this machine's date may be off, its stopwatch is not.
    QTimer::singleShot(std::min(left_ms > 0 ? left_ms : job.spec.timeout_ms, job.spec.timeout_ms), run->process, [run] {
        run->late = true;
        end(*run->process, SIGKILL);
    });
}

Outcome Worker::outcomeOf(const Run &run) const
{
    Outcome outcome;
    outcome.finishedAt = isoTime(Clock::machine_ms());
    const bool crashed = run.process->exitStatus() == QProcess::CrashExit || run.process->error() == QProcess::FailedToStart;
    const int status = crashed ? -1 : run.process->exitCode();
    if (status == 0 && run.output.size() <= limits::result_bytes_max) {
        if (m_options.msgpack) {
            outcome.result = payload::validate(run.output).ok() ? run.output : MsgpackWriter().binary(run.output).take();
            return outcome;
        }
        // What is JSON becomes that value; nothing becomes nil; anything else is text.
        const Result<QByteArray> value = json::toMsgpack(run.output);
        outcome.result = value.ok() ? *value
            : run.output.trimmed().isEmpty() ? QByteArray(payload::nil)
                                             : MsgpackWriter().text(QString::fromUtf8(run.output).toUtf8()).take();
        return outcome;
    }
    outcome.type = OutcomeType::Failure;
    outcome.reason = run.late ? FailureReason::Timeout : FailureReason::Other;
    outcome.shouldRetry = status != exitGiveUp;
    outcome.error = MsgpackWriter().map(1).text("exit_status").integer(status).take();
    outcome.message = QString::fromUtf8(run.errors).trimmed().toUtf8();
    if (status == 0)
        outcome.message = "The output is larger than a result may be.";
    else if (run.late)
        outcome.message = "The command took longer than the job's timeout.";
    else if (outcome.message.isEmpty())
        outcome.message = crashed ? QByteArray("The command was ended by a signal.") : "Exit status " + QByteArray::number(status) + '.';
    return outcome;
}

void Worker::finish(JobId id)
{
    const std::shared_ptr<Run> run = m_runs.value(id);
    if (!run)
        return;
    run->output += run->process->readAllStandardOutput();
    Outcome outcome = outcomeOf(*run);
    if (run->cancelled) {
        outcome.type = OutcomeType::Failure;
        outcome.shouldRetry = false;
        outcome.message = "Cancelled.";
    }
    run->process->deleteLater();
    m_runs.remove(id);
    say(run->job, outcome.type == OutcomeType::Success ? QByteArray("done") : "failed: " + outcome.message);
    ++m_reporting;
    report(run->job, outcome, 1);
    claim();
}

// Reports until the master has answered: the same report again is safe.
void Worker::report(const ClaimedJob &job, const Outcome &outcome, int attempt)
{
    m_client.report({job.id, job.lease, outcome}, [this, job, outcome, attempt](const Result<Finished> &finished) {
        const bool away = !finished.ok()
            && (finished.error().code == ErrorCode::Unreachable || finished.error().code == ErrorCode::StoreUnavailable
                || finished.error().code == ErrorCode::StoreReadOnly);
        if (away && attempt < report_attempts_max) {
            QTimer::singleShot(again_ms, this, [this, job, outcome, attempt] { this->report(job, outcome, attempt + 1); });
            return;
        }
        if (!finished.ok())
            say(job, "the report was refused: " + finished.error().message());
        if (m_options.tell)
            m_options.tell(job, finished);
        --m_reporting;
        next();
    });
}

void Worker::beat()
{
    QList<HeartbeatItem> leases;
    for (const auto &run : std::as_const(m_runs))
        leases.append({run->job.id, run->job.lease});
    if (leases.isEmpty())
        return;
    m_client.heartbeats(m_options.worker, leases, [this, leases](const Result<QList<Result<Heartbeat>>> &beats) {
        if (!beats.ok())
            return; // the next one may come through
        for (qsizetype i = 0; i < leases.size() && i < beats->size(); ++i) {
            const std::shared_ptr<Run> run = m_runs.value(leases[i].id);
            const Result<Heartbeat> &beat = (*beats)[i];
            const bool lost = !beat.ok() && (beat.error().code == ErrorCode::LeaseLost || beat.error().code == ErrorCode::NotFound);
            if (!run || !(lost || (beat.ok() && beat->cancel)))
                continue;
            run->cancelled = true;
            end(*run->process, SIGTERM);
        }
    });
}

void Worker::next()
{
    if (m_stopping && m_runs.isEmpty() && m_reporting == 0 && !m_claiming) {
        Q_EMIT ended();
        return;
    }
    claim();
}

namespace {

// Names that are wrong are seldom seen otherwise: the worker just waits. With more names than one look takes it says nothing.
void sayIfNeverPushed(Session &session, const QList<QByteArray> &wanted)
{
    constexpr int looked_at = 4 * limits::names_page_max;
    const Paging<NamePage, NameRow> paging{&NamePage::names, limits::names_page_max,
        [&session](int rows, const QByteArray &after, auto callback) { session.client().names(rows, after, std::move(callback)); }};
    gather<NamePage, NameRow>(paging, looked_at, [&session, wanted](const Result<NamePage> &page) {
        if (!page.ok() || !page->next.isEmpty()) // it is no more than a hint: a worker's token may not be allowed to ask
            return;
        for (const QByteArray &name : wanted) {
            const auto isOfName = [&name](const NameRow &row) { return row.name == name; };
            if (std::none_of(page->names.cbegin(), page->names.cend(), isOfName))
                session.note("no job called '" + forTerminal(name) + "' was ever pushed to " + session.masterText()
                    + "; it waits for the first");
        }
    });
}

// A line for each report: whose it was, and what became of the job or why the report was refused.
QByteArray reportedText(const ClaimedJob &job, const Result<Finished> &finished)
{
    MsgpackWriter fields;
    int count = 3;
    fields.text("id").text(job.id.text()).text("name").text(job.spec.name).text("attempt").integer(job.attempt);
    if (finished.ok()) {
        count += appendFields(fields, finishedTable, &*finished, Written::Whole);
    } else {
        ++count;
        fields.text("error").raw(pack(problemTable, problemOf(finished.error()), Written::Sparse));
    }
    return jsonText(MsgpackWriter().map(count).raw(fields.take()).take()) + '\n';
}

} // namespace

void work(Session &session, Flags &flags)
{
    static constexpr std::array<const char *, 2> formats = {"json", "msgpack"};
    WorkerOptions options;
    options.names = flags.words("NAME", "The names of the jobs to work.");
    const std::optional<QByteArray> command = flags.text("--exec COMMAND", "The shell command to run for each job. Required.");
    options.concurrency = flags.whole("--concurrency N", "So many jobs at the same time", {1, limits::claim_limit_max, 1}).value_or(1);
    options.lease_ms = flags.seconds_ms("--lease SECONDS", "A job is another worker's after so long without a sign of life from this one",
        {0, limits::timeout_s_max, {}, "the job's timeout"}).value_or(0);
    options.msgpack = flags.oneOf<int>("--format FORMAT", "How arguments and results are written", formats, "json") == 1;
    const std::optional<QByteArray> worker
        = flags.text("--worker NAME", "The name of this worker. Default: the host's name and the process number.");
    options.once = flags.on("--once", "End when no job is left.");
    flags.note(
        "The command gets the argument on standard input, and JUNBAN_JOB_ID, _NAME, _ATTEMPT and _DEADLINE in its environment.\n"
        "Exit status 0 is a success; what it prints is the result: JSON as that value, anything else as text. 100 is a failure\n"
        "that is not tried again; any other status, 75 among them, is one that may be. The end of standard error is the\n"
        "failure's message. SIGINT and SIGTERM let running commands finish.");
    if (!command || command->isEmpty())
        flags.refuse("--exec", "is required");
    if (!flags.ready())
        return;
    options.command = QString::fromUtf8(*command);
    if (session.json())
        options.tell = [&session](const ClaimedJob &job, const Result<Finished> &finished) { session.print(reportedText(job, finished)); };
    options.worker = worker.value_or(QHostInfo::localHostName().toUtf8() + '-' + QByteArray::number(getpid()));
    StopSignals stopSignals;
    Worker runs(session.client(), options);
    QObject::connect(&stopSignals, &StopSignals::asked, &runs, &Worker::stop);
    QObject::connect(&runs, &Worker::ended, &runs, [] { QCoreApplication::quit(); });
    sayIfNeverPushed(session, options.names);
    runs.start();
    session.end(QCoreApplication::exec());
}

} // namespace junban::app
