// Jobs as operators see and change them, and the master as a whole.
#include "app/ctl/verbs.h"

#include "app/ctl/terminal.h"
#include "core/base/isotime.h"
#include "core/cel/cases.h"
#include "core/msgpack/json.h"

#include <QDateTime>
#include <QTimer>
#include <algorithm>
#include <cstdio>

namespace junban::app {

namespace {

// As JSON that is safe on a terminal, and the same value still: only characters within strings are ever escaped.
QByteArray jsonText(QByteArrayView value)
{
    return forTerminal(json::fromMsgpack(value));
}

QByteArray ago(qint64 at_ms)
{
    return at_ms == 0 ? QByteArray("-") : about(QDateTime::currentMSecsSinceEpoch() - at_ms);
}

QByteArray jobText(const Job &job)
{
    const auto time = [](qint64 at_ms) { return at_ms == 0 ? QByteArray("-") : isoTime(at_ms); };
    QByteArray text = forTerminal(job.spec.name) + "  " + job.id.text() + "  " + stateWord(job.state);
    if (!job.reason.isEmpty())
        text += " (" + forTerminal(job.reason) + ')';
    text += "\npriority " + QByteArray::number(job.spec.priority) + ", attempt " + QByteArray::number(job.attempt) + ", failures "
        + QByteArray::number(job.failures) + " of " + QByteArray::number(job.spec.maxRetry + 1) + "\nenqueued " + time(job.createdAt_ms);
    if (job.runAt_ms > 0)
        text += "\nnext run " + time(job.runAt_ms);
    if (job.finishedAt_ms > 0)
        text += "\nfinished " + time(job.finishedAt_ms);
    if (job.progress.total > 0)
        text += "\nprogress " + QByteArray::number(job.progress.done) + " of " + QByteArray::number(job.progress.total) + ' '
            + forTerminal(job.progress.message);
    text += "\nargument " + (job.argument_bytes > job.spec.argument.size() ? QByteArray::number(job.argument_bytes) + " bytes"
                                                                           : jsonText(job.spec.argument));
    QList<QList<QByteArray>> rows{{"#", "worker", "started", "took", "ended", "message"}};
    for (const Attempt &attempt : job.attempts) {
        rows.append({QByteArray::number(attempt.number), forTerminal(attempt.worker), time(attempt.startedAt_ms),
            attempt.endedAt_ms > 0 ? about(attempt.endedAt_ms - attempt.startedAt_ms) : QByteArray("-"),
            attempt.ended.isEmpty() ? QByteArray("runs") : forTerminal(attempt.ended), forTerminal(attempt.message)});
    }
    return text + '\n' + (job.attempts.isEmpty() ? QByteArray() : '\n' + table(rows));
}

QByteArray statusText(const Overview &overview, const NamePage &names)
{
    QList<QList<QByteArray>> states{{"state", "jobs"}};
    for (const JobState state : {JobState::Ready, JobState::Scheduled, JobState::Running, JobState::Succeeded, JobState::Failed,
             JobState::Cancelled})
        states.append({stateWord(state), QByteArray::number(overview.count(state))});
    const auto rate = [](double perSecond) { return QByteArray::number(perSecond, 'f', 1) + "/s"; };
    QByteArray text = "Junban " + overview.version + "  " + isoTime(overview.now_ms) + "\nenqueued " + rate(overview.rates.enqueued)
        + "  started " + rate(overview.rates.started) + "  succeeded " + rate(overview.rates.succeeded) + "  failures "
        + rate(overview.rates.failures) + "\n\n" + table(states) + '\n';
    QList<QList<QByteArray>> rows{{"name", "ready", "enqueued", "succeeded", "failed"}};
    for (const NameRow &row : names.names)
        rows.append({forTerminal(row.name), QByteArray::number(row.ready), QByteArray::number(row.totals.enqueued),
            QByteArray::number(row.totals.succeeded), QByteArray::number(row.totals.failed)});
    return text + (rows.size() > 1 ? table(rows) : QByteArray());
}

QByteArray stateText(const StateNow &now)
{
    return stateWord(now.state);
}

void setTracked(Session &session, Flags &flags, bool tracked)
{
    const QList<JobId> ids = flags.jobs("The jobs.");
    if (!flags.ready())
        return;
    session.forEach<Done>(ids, [&session, tracked](JobId id, auto done) { session.client().track(id, tracked, std::move(done)); },
        [tracked](const Done &) { return QByteArray(tracked ? "tracked" : "not tracked"); });
}

// With a filter a page may come back short though more follow.
void listJobs(Session &session, client::JobQuery query, QList<Job> found)
{
    session.client().jobs(query, [&session, query, found](const Result<JobPage> &page) mutable {
        if (!page.ok()) {
            session.fail(page.error());
            return;
        }
        for (const Job &job : page->jobs) { // one that has moved on meanwhile may come twice
            if (std::none_of(found.cbegin(), found.cend(), [&job](const Job &other) { return other.id == job.id; }))
                found.append(job);
        }
        query.limit -= int(page->jobs.size());
        query.cursor = page->next;
        if (!query.cursor.isEmpty() && query.limit > 0) {
            listJobs(session, std::move(query), std::move(found));
            return;
        }
        QList<QList<QByteArray>> rows{{"ID", "STATE", "NAME", "PRI", "ATTEMPT", "AGE", "WORKER", "MESSAGE"}};
        for (const Job &job : std::as_const(found)) {
            rows.append({job.id.text(), stateWord(job.state), forTerminal(job.spec.name), QByteArray::number(job.spec.priority),
                QByteArray::number(job.attempt) + '/' + QByteArray::number(job.spec.maxRetry + 1), ago(job.createdAt_ms),
                job.worker.isEmpty() ? QByteArray("-") : forTerminal(job.worker), forTerminal(job.message)});
        }
        session.print(table(rows));
        if (!page->next.isEmpty()) {
            std::fprintf(stderr, "%lld of %lld shown; narrow with --state, --name, --tag, --match or raise --limit\n",
                static_cast<long long>(found.size()), static_cast<long long>(page->coverage.total));
        }
        session.end(0);
    });
}

// Once, or every second over the same screen.
void showStatus(Session &session, bool watch)
{
    session.client().overview([&session, watch](const Result<Overview> &overview) {
        if (!overview.ok()) {
            session.fail(overview.error());
            return;
        }
        session.client().names(20, {}, [&session, watch, overview = *overview](const Result<NamePage> &names) {
            if (!names.ok()) {
                session.fail(names.error());
                return;
            }
            session.print((watch ? QByteArray("\x1b[H\x1b[2J") : QByteArray()) + statusText(overview, *names));
            if (watch)
                QTimer::singleShot(1'000, &session, [&session] { showStatus(session, true); });
            else
                session.end(0);
        });
    });
}

} // namespace

void jobs(Session &session, Flags &flags)
{
    client::JobQuery query;
    const auto state = flags.text("--state STATE", "Only jobs in this state: scheduled, depends, ready, running, awaiting, succeeded, "
                                               "failed or cancelled.");
    query.name = flags.text("--name NAME", "Only jobs with this name.").value_or(QByteArray());
    query.tag = flags.text("--tag TAG", "Only jobs with this tag.").value_or(QByteArray());
    query.match = flags.text("--match EXPRESSION", "Only jobs that an expression is true of, like 'job.argument.user == 7'.")
                      .value_or(QByteArray());
    query.limit = flags.whole("--limit N", "Show so many at most", {1, limits::page_rows_max, limits::page_rows_default})
                      .value_or(query.limit);
    query.state = state ? stateFromWord(*state) : std::nullopt;
    if (state && !query.state)
        flags.refuse("--state", "must be a state of a job, not '" + *state + '\'');
    if (flags.ready())
        listJobs(session, std::move(query), {});
}

void job(Session &session, Flags &flags)
{
    const JobId id = flags.job("The job.");
    if (flags.ready())
        session.client().job(id, [&session](const Result<Job> &found) { session.finish(found, jobText); });
}

void retry(Session &session, Flags &flags)
{
    const QList<JobId> ids = flags.jobs("The jobs.");
    if (!flags.ready())
        return;
    session.forEach<StateNow>(ids, [&session](JobId id, auto done) { session.client().retryJob(id, std::move(done)); },
        stateText);
}

void cancel(Session &session, Flags &flags)
{
    const QList<JobId> ids = flags.jobs("The jobs.");
    const bool force = flags.on("--force", "Cancel a running job at once; the report of its worker is refused then.");
    if (!flags.ready())
        return;
    const auto mode = force ? client::CancelMode::Force : client::CancelMode::Ask;
    session.forEach<StateNow>(
        ids, [&session, mode](JobId id, auto done) { session.client().cancelJob(id, mode, std::move(done)); },
        [](const StateNow &now) { return stateText(now) + (now.cancelRequested ? ", its worker was asked to stop" : ""); });
}

void remove(Session &session, Flags &flags)
{
    const QList<JobId> ids = flags.jobs("The jobs.");
    if (!flags.ready())
        return;
    session.forEach<StateNow>(ids, [&session](JobId id, auto done) { session.client().deleteJob(id, std::move(done)); },
        [](const StateNow &) { return QByteArray("deleted; restore brings it back for a day"); });
}

void restore(Session &session, Flags &flags)
{
    const QList<JobId> ids = flags.jobs("The jobs.");
    if (!flags.ready())
        return;
    session.forEach<StateNow>(ids, [&session](JobId id, auto done) { session.client().restoreJob(id, std::move(done)); },
        stateText);
}

void track(Session &session, Flags &flags)
{
    setTracked(session, flags, true);
}

void untrack(Session &session, Flags &flags)
{
    setTracked(session, flags, false);
}

void doctor(Session &session, Flags &flags)
{
    flags.note("Exit codes: 0 nothing found, 1 something found, or the master was not reached.");
    if (!flags.ready())
        return;
    session.client().doctor([&session](const Result<Findings> &found) {
        if (!found.ok()) {
            session.fail(found.error());
            return;
        }
        for (const Finding &finding : found->findings)
            session.print(QByteArray(severityWords[size_t(finding.severity)]) + ' ' + forTerminal(finding.word) + ": "
                + forTerminal(finding.message) + '\n');
        if (found->findings.isEmpty())
            session.print("nothing found\n");
        session.end(found->findings.isEmpty() ? 0 : 1);
    });
}

void status(Session &session, Flags &flags)
{
    const bool watch = flags.on("--watch", "Show them again every second.");
    if (flags.ready())
        showStatus(session, watch);
}

// Conformance cases of the matcher language.
void celCases(Session &session, Flags &flags)
{
    const auto path = flags.text("--cases FILE", "The cases, as JSON.");
    flags.note("Exit codes: 0 all passed, 1 some failed, 2 the cases cannot be read.");
    if (!path)
        flags.refuse("--cases", "is required");
    if (!flags.ready())
        return;
    const Result<QByteArray> cases = contentOf(*path);
    if (!cases.ok()) {
        flags.refuse(*path, cases.error().message);
        return;
    }
    const Result<cel::CasesReport> report = cel::runCases(*cases);
    if (!report.ok()) {
        flags.refuse("--cases", report.error().message);
        return;
    }
    for (const QByteArray &failure : report->failures)
        session.print(forTerminal(failure) + '\n');
    session.print(QByteArray::number(report->passed) + " passed, " + QByteArray::number(report->failed) + " failed\n");
    session.end(report->failed == 0 ? 0 : 1);
}

} // namespace junban::app
