#include "app/ctl/worker.h"

#include "app/base/signals.h"
#include "app/ctl/exits.h"
#include "app/ctl/paging.h"
#include "core/base/reasons/start.h"
#include "core/msgpack/msgpackwriter.h"

#include <QHostInfo>
#include <algorithm>
#include <array>
#include <cstdio>
#include <unistd.h>

namespace junban::app {

namespace {

constexpr qint64 claim_wait_ms = 20'000;
constexpr int again_ms = 1'000;             // after an error of the master
constexpr double again_s_max = 60;
constexpr int report_attempts_max = 60;
constexpr double grace_s_default = 5;
constexpr double grace_s_max = 3'600;

void say(const ClaimedJob &job, const QByteArray &what)
{
    std::fprintf(stderr, "%s %s #%d: %s\n", job.id.text().constData(), forTerminal(job.spec.name).constData(), job.attempt,
        forTerminal(what).constData());
}

// Whether the same request may be answered later. A 429 for tokens that others have tried says when.
bool passes(const Error &error)
{
    switch (error.code) {
    case ErrorCode::Unreachable:
    case ErrorCode::StoreUnavailable:
    case ErrorCode::StoreReadOnly:
    case ErrorCode::StoreFull:
    case ErrorCode::BacklogFull:
    case ErrorCode::Cancelled:
    case ErrorCode::Internal: return true;
    default: return error.retryAfter_s > 0;
    }
}

int pause_ms(const Error &error)
{
    return std::max(again_ms, int(std::min(error.retryAfter_s, again_s_max) * 1'000));
}

} // namespace

Worker::Worker(client::ApiClient &client, WorkerOptions options, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_options(std::move(options))
{
    connect(&m_beat, &QTimer::timeout, this, &Worker::beat);
    // A third of the lease: two beats may be lost.
    m_beat.setInterval(int(m_options.lease_ms > 0 ? std::clamp<qint64>(m_options.lease_ms / 3, 300, 60'000) : 5'000));
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &Worker::claim);
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
    m_again.stop();
    if (m_claiming)
        m_client.cancel(m_claiming);
    next();
}

void Worker::claim()
{
    const int free = m_options.concurrency - int(m_runs.size());
    if (m_stopping || m_claiming || m_again.isActive() || free <= 0)
        return;
    ClaimQuery query;
    query.names = m_options.names;
    query.limit = free;
    query.wait_ms = m_options.once ? 0 : claim_wait_ms;
    query.lease_ms = m_options.lease_ms;
    m_claiming = m_client.claim(m_options.worker, query, [this](const Result<QList<ClaimedJob>> &jobs) { claimed(jobs); });
}

void Worker::claimed(const Result<QList<ClaimedJob>> &jobs)
{
    m_claiming = 0;
    if (!jobs.ok()) {
        refused(jobs.error());
        return;
    }
    if (std::exchange(m_isAway, false))
        std::fprintf(stderr, "junbanctl: %s answers again\n", m_client.place().toUtf8().constData());
    for (const ClaimedJob &job : *jobs)
        begin(job);
    if (jobs->isEmpty() && m_options.once)
        m_stopping = true;
    next();
}

void Worker::refused(const Error &error)
{
    if (!m_stopping) {
        const bool stays = !passes(error);
        if (stays || !m_isAway)
            std::fprintf(stderr, "junbanctl: claim at %s: %s%s\n", m_client.place().toUtf8().constData(),
                forTerminal(error.message()).constData(), stays ? "" : " It is asked again.");
        m_isAway = true;
        m_isRefused = stays;
        m_stopping = stays;
        if (!stays)
            m_again.start(pause_ms(error));
    }
    next();
}

void Worker::begin(const ClaimedJob &job)
{
    const auto run = std::make_shared<CommandRun>(job, m_options.command, m_keeper);
    m_runs.insert(job.id, run);
    connect(run.get(), &CommandRun::ended, this, [this, id = job.id] { finish(id); }, Qt::QueuedConnection);
}

void Worker::finish(JobId id)
{
    const std::shared_ptr<CommandRun> run = m_runs.take(id);
    if (!run)
        return;
    const Outcome outcome = run->outcome();
    say(run->job(), outcome.type == OutcomeType::Success ? QByteArray("done") : "failed: " + outcome.message);
    ++m_reporting;
    report(run->job(), outcome, 1);
    claim();
}

// Reports until the master has answered: the same report again is safe.
void Worker::report(const ClaimedJob &job, const Outcome &outcome, int attempt)
{
    m_client.report({job.id, job.lease, outcome}, [this, job, outcome, attempt](const Result<Finished> &finished) {
        if (!finished.ok() && passes(finished.error()) && attempt < report_attempts_max) {
            const auto again = [this, job, outcome, attempt] { this->report(job, outcome, attempt + 1); };
            QTimer::singleShot(pause_ms(finished.error()), this, again);
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
        leases.append({run->job().id, run->job().lease});
    if (leases.isEmpty())
        return;
    const qint64 sent_ms = stopwatch_ms();
    m_client.heartbeats(m_options.worker, leases, [this, leases, sent_ms](const Result<QList<Result<Heartbeat>>> &beats) {
        if (!beats.ok())
            return; // the next one may come through; else the command ends with its lease
        for (qsizetype i = 0; i < leases.size() && i < beats->size(); ++i) {
            const std::shared_ptr<CommandRun> run = m_runs.value(leases[i].id);
            const Result<Heartbeat> &beat = (*beats)[i];
            if (!run || run->job().lease != leases[i].lease)
                continue;
            if (beat.ok())
                run->renewed(sent_ms);
            if (beat.ok() && beat->cancel)
                run->cancel();
            else if (!beat.ok() && (beat.error().code == ErrorCode::LeaseLost || beat.error().code == ErrorCode::NotFound))
                run->loseLease();
        }
    });
}

void Worker::next()
{
    if (m_stopping && m_runs.isEmpty() && m_reporting == 0 && !m_claiming) {
        Q_EMIT ended(m_isRefused);
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
        {limits::lease_s_min, limits::timeout_s_max, {}, "the job's timeout"}).value_or(0);
    options.command.grace_ms = flags.seconds_ms("--grace SECONDS", "How long a command that shall end has after SIGTERM, before SIGKILL",
        {0, grace_s_max, grace_s_default}).value_or(qint64(grace_s_default * 1'000));
    options.command.format = flags.oneOf<OutputFormat>("--format FORMAT", "How arguments and results are written", formats, "json")
                                 .value_or(OutputFormat::Json);
    const std::optional<QByteArray> worker
        = flags.text("--worker NAME", "The name of this worker. Default: the host's name and the process number.");
    options.once = flags.on("--once", "End when no job is left.");
    flags.note(
        "The command gets the argument on standard input, and JUNBAN_JOB_ID, _NAME, _ATTEMPT and _DEADLINE in its environment.\n"
        "Exit status 0 is a success; what it prints is the result: JSON as that value, anything else as text. 100 is a failure\n"
        "that is not tried again; any other status, 75 among them, is one that may be. The end of standard error is the\n"
        "failure's message.\n\n"
        "A command gets SIGTERM when its job is cancelled, shortly before the job's timeout, and before its lease ends when that\n"
        "cannot be renewed; SIGKILL follows. SIGINT and SIGTERM let running commands finish; a second one ends them.");
    if (!command || command->isEmpty())
        flags.refuse(reasons::optionRequired("--exec"));
    if (!flags.ready())
        return;
    options.command.command = QString::fromUtf8(*command);
    options.worker = worker.value_or(QHostInfo::localHostName().toUtf8() + '-' + QByteArray::number(getpid()));
    std::function<void()> stop;
    if (session.json()) {
        options.tell = [&session, &stop](const ClaimedJob &job, const Result<Finished> &finished) {
            if (!session.print(reportedText(job, finished)))
                stop();
        };
        session.whenUnread([&stop] { stop(); });
    }
    StopSignals stopSignals;
    Worker runs(session.client(), options);
    stop = [&runs] { runs.stop(); };
    QObject::connect(&stopSignals, &StopSignals::asked, &runs, &Worker::stop);
    QObject::connect(&runs, &Worker::ended, &runs, [](bool isRefused) {
        QCoreApplication::exit(isRefused ? exits::refused : exits::done);
    });
    sayIfNeverPushed(session, options.names);
    runs.start();
    session.end(QCoreApplication::exec());
}

} // namespace junban::app
