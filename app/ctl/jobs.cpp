// Jobs as operators see and change them.
#include "app/ctl/verbs.h"
#include "core/jobs/jobfields.h"

#include <algorithm>
#include <cstdio>

namespace junban::app {

namespace {

constexpr Column<Attempt> attemptColumns[] = {
    {"#", [](const Attempt &attempt) { return number(attempt.number); }},
    {"worker", [](const Attempt &attempt) { return attempt.worker; }},
    {"started", [](const Attempt &attempt) { return timeText(attempt.startedAt_ms); }},
    {"took", [](const Attempt &attempt) { return attempt.endedAt_ms > 0 ? about(attempt.endedAt_ms - attempt.startedAt_ms) : "-"; }},
    {"ended", [](const Attempt &attempt) { return attempt.ended.isEmpty() ? "runs" : attempt.ended; }},
    {"message", [](const Attempt &attempt) { return attempt.message; }},
};

constexpr Column<Transition> historyColumns[] = {
    {"at", [](const Transition &happened) { return timeText(happened.at_ms); }},
    {"what", [](const Transition &happened) { return happened.what; }},
    {"by", [](const Transition &happened) { return happened.actor; }},
    {"why", [](const Transition &happened) { return orDash(happened.reason.isEmpty() ? happened.message : happened.reason); }},
};

constexpr Column<Job> jobColumns[] = {
    {"ID", [](const Job &job) { return job.id.text(); }},
    {"STATE", [](const Job &job) { return QByteArray(stateWord(job.state)); }},
    {"NAME", [](const Job &job) { return job.spec.name; }},
    {"PRI", [](const Job &job) { return number(job.spec.priority); }},
    {"ATTEMPT", [](const Job &job) { return number(job.attempt) + '/' + number(job.spec.maxRetry + 1); }},
    {"AGE", [](const Job &job) { return ago(job.createdAt_ms); }},
    {"WORKER", [](const Job &job) { return orDash(job.worker); }},
    {"MESSAGE", [](const Job &job) { return job.message; }},
};

QByteArray jobText(const Job &job)
{
    QByteArray text = forTerminal(job.spec.name) + "  " + job.id.text() + "  " + stateWord(job.state);
    if (!job.reason.isEmpty())
        text += " (" + forTerminal(job.reason) + ')';
    text += "\npriority " + number(job.spec.priority) + ", attempt " + number(job.attempt) + ", failures " + number(job.failures) + " of "
        + number(job.spec.maxRetry + 1) + "\nenqueued " + timeText(job.createdAt_ms);
    if (job.runAt_ms > 0)
        text += "\nnext run " + timeText(job.runAt_ms);
    if (job.finishedAt_ms > 0)
        text += "\nfinished " + timeText(job.finishedAt_ms);
    if (job.progress.total > 0)
        text += "\nprogress " + QByteArray::number(job.progress.done) + " of " + QByteArray::number(job.progress.total) + ' '
            + forTerminal(job.progress.message);
    const bool isWhole = job.masked || job.argument_bytes <= job.spec.argument.size();
    text += "\nargument " + (isWhole ? jsonText(job.spec.argument) : number(job.argument_bytes) + " bytes") + '\n';
    if (!job.attempts.isEmpty())
        text += '\n' + table(attemptColumns, job.attempts);
    return text + (job.history.isEmpty() ? QByteArray() : '\n' + table(historyColumns, job.history));
}

QByteArray stateText(const StateNow &now)
{
    return stateWord(now.state);
}

// What track and untrack answer.
struct Tracked {
    bool tracked = false;
};
constexpr Field trackedFields[] = {field::boolean<&Tracked::tracked>("tracked")};
constexpr TableOf<Tracked> trackedTable{nullptr, trackedFields};

void setTracked(Session &session, Flags &flags, bool tracked)
{
    const QList<JobId> ids = flags.jobs("The jobs.");
    if (!flags.ready())
        return;
    const auto ask = [&session, tracked](JobId id, const Callback<Tracked> &callback) {
        session.client().track(id, tracked, [tracked, callback](const Result<Done> &done) {
            callback(done.ok() ? Result<Tracked>(Tracked{tracked}) : done.error());
        });
    };
    session.forEach<Tracked>(
        ids, ask, trackedTable, [](const Tracked &now) { return QByteArray(now.tracked ? "tracked" : "not tracked"); });
}

// With a filter a page may come back short though more follow.
void listJobs(Session &session, client::JobQuery query, JobPage sofar)
{
    session.client().jobs(query, [&session, query, sofar](const Result<JobPage> &page) mutable {
        if (!page.ok()) {
            session.fail(page.error());
            return;
        }
        for (const Job &job : page->jobs) { // one that has moved on meanwhile may come twice
            if (std::none_of(sofar.jobs.cbegin(), sofar.jobs.cend(), [&job](const Job &other) { return other.id == job.id; }))
                sofar.jobs.append(job);
        }
        sofar.next = page->next;
        sofar.coverage = {sofar.coverage.scanned + page->coverage.scanned, page->coverage.total, page->coverage.complete};
        query.limit -= int(page->jobs.size());
        query.cursor = page->next;
        if (!query.cursor.isEmpty() && query.limit > 0) {
            listJobs(session, std::move(query), std::move(sofar));
            return;
        }
        session.show(sofar, jobPageTable, [](const JobPage &all) { return table(jobColumns, all.jobs); });
        if (!session.json() && !sofar.next.isEmpty()) {
            std::fprintf(stderr, "%lld of %lld shown; narrow with --state, --name, --tag, --match or raise --limit\n",
                static_cast<long long>(sofar.jobs.size()), static_cast<long long>(sofar.coverage.total));
        }
        session.end(0);
    });
}

} // namespace

void jobs(Session &session, Flags &flags)
{
    client::JobQuery query;
    query.state = flags.state();
    query.name = flags.text("--name NAME", "Only jobs with this name.").value_or(QByteArray());
    query.tag = flags.text("--tag TAG", "Only jobs with this tag.").value_or(QByteArray());
    query.match = flags.text("--match EXPRESSION", "Only jobs that an expression is true of, like 'job.argument.user == 7'.")
                      .value_or(QByteArray());
    query.limit = flags.whole("--limit N", "Show so many at most", {1, limits::page_rows_max, limits::page_rows_default})
                      .value_or(query.limit);
    const bool tracked = flags.on("--tracked", "Only starred jobs, the newest star first.");
    const bool trash = flags.on("--trash", "Only deleted jobs that can be restored, the newest first.");
    flags.refuseBoth(tracked && trash, "--tracked", "--trash");
    query.of = tracked ? client::JobsOf::Tracked : trash ? client::JobsOf::Trash : client::JobsOf::States;
    if (flags.ready())
        session.withMasterTime([&session, query] { listJobs(session, query, {}); });
}

void job(Session &session, Flags &flags)
{
    const JobId id = flags.job("The job.");
    const bool reveal = flags.on("--reveal", "Show values that are hidden. For operators; it is noted who did so.");
    if (!flags.ready())
        return;
    session.client().job(id, reveal ? client::Reveal::Yes : client::Reveal::No,
        [&session](const Result<Job> &found) { session.finish(found, jobTable, jobText); });
}

void retry(Session &session, Flags &flags)
{
    const QList<JobId> ids = flags.jobs("The jobs.");
    if (!flags.ready())
        return;
    session.forEach<StateNow>(ids, [&session](JobId id, auto done) { session.client().retryJob(id, std::move(done)); }, stateNowTable,
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
        ids, [&session, mode](JobId id, auto done) { session.client().cancelJob(id, mode, std::move(done)); }, stateNowTable,
        [](const StateNow &now) { return stateText(now) + (now.cancelRequested ? ", its worker was asked to stop" : ""); });
}

void remove(Session &session, Flags &flags)
{
    const QList<JobId> ids = flags.jobs("The jobs.");
    if (!flags.ready())
        return;
    session.forEach<StateNow>(ids, [&session](JobId id, auto done) { session.client().deleteJob(id, std::move(done)); }, stateNowTable,
        [](const StateNow &) { return QByteArray("deleted; restore brings it back for a day"); });
}

void restore(Session &session, Flags &flags)
{
    const QList<JobId> ids = flags.jobs("The jobs.");
    if (!flags.ready())
        return;
    session.forEach<StateNow>(ids, [&session](JobId id, auto done) { session.client().restoreJob(id, std::move(done)); }, stateNowTable,
        stateText);
}

void duplicate(Session &session, Flags &flags)
{
    const JobId id = flags.job("The job.");
    if (!flags.ready())
        return;
    session.client().duplicateJob(id, [&session](const Result<Enqueued> &job) {
        session.finish(job, enqueuedTable, [](const Enqueued &made) { return made.id.text() + '\n'; });
    });
}

void track(Session &session, Flags &flags)
{
    setTracked(session, flags, true);
}

void untrack(Session &session, Flags &flags)
{
    setTracked(session, flags, false);
}

} // namespace junban::app
