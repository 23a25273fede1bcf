// What operators see of the past, and what they do to it.
#include "app/ctl/verbs.h"
#include "core/jobs/pastfields.h"

#include <cmath>

namespace junban::app {

namespace {

QByteArray seconds(double value_s)
{
    return QByteArray::number(value_s, 'g', 3);
}

// A name's waits or runs.
struct MeasureRow {
    QByteArray name;
    QByteArray what;
    Measure measure;
};
constexpr Column<NameStats> endColumns[] = {
    {"name", [](const NameStats &name) { return name.name; }},
    {"failures", [](const NameStats &name) { return number(name.failures); }},
    {"retries", [](const NameStats &name) { return number(name.retries); }},
    {"expiries", [](const NameStats &name) { return number(name.expiries); }},
};

QByteArray statsText(const StatsPage &page)
{
    QList<MeasureRow> rows;
    for (const NameStats &name : page.names)
        rows << MeasureRow{name.name, "wait", name.wait} << MeasureRow{"", "run", name.run};
    const Column<MeasureRow> columns[] = {
        {page.day.constData(), [](const MeasureRow &row) { return row.name; }},
        {"seconds", [](const MeasureRow &row) { return row.what; }},
        {"COUNT", [](const MeasureRow &row) { return number(row.measure.count); }},
        {"MEAN", [](const MeasureRow &row) { return seconds(row.measure.mean_s); }},
        {"STDDEV", [](const MeasureRow &row) { return seconds(std::sqrt(row.measure.variance_s2)); }},
        {"P50", [](const MeasureRow &row) { return seconds(row.measure.p50_s); }},
        {"P95", [](const MeasureRow &row) { return seconds(row.measure.p95_s); }},
        {"P99", [](const MeasureRow &row) { return seconds(row.measure.p99_s); }},
    };
    return table(columns, rows) + '\n' + table(endColumns, page.names);
}

constexpr Column<FailureGroup> groupColumns[] = {
    {"SIGNATURE", [](const FailureGroup &group) { return group.signature; }},
    {"NAME", [](const FailureGroup &group) { return group.name; }},
    {"REASON", [](const FailureGroup &group) { return group.reason; }},
    {"COUNT", [](const FailureGroup &group) { return number(group.count); }},
    {"FAILED", [](const FailureGroup &group) { return number(group.failedNow); }},
    {"1H", [](const FailureGroup &group) { return number(group.lastHour); }},
    {"LAST", [](const FailureGroup &group) { return ago(group.lastAt_ms); }},
    {"MESSAGE", [](const FailureGroup &group) { return group.title; }},
};

using WorkerFailures = QPair<QByteArray, qint64>;
constexpr Column<WorkerFailures> workerColumns[] = {
    {"worker", [](const WorkerFailures &row) { return row.first; }},
    {"failures", [](const WorkerFailures &row) { return number(row.second); }},
};
constexpr Column<Job> failedColumns[] = {
    {"failed now", [](const Job &job) { return job.id.text(); }},
    {"attempt", [](const Job &job) { return number(job.attempt); }},
    {"message", [](const Job &job) { return job.message; }},
};

constexpr Column<KeptResult> resultColumns[] = {
    {"JOB", [](const KeptResult &result) { return result.id.text(); }},
    {"NAME", [](const KeptResult &result) { return orDash(result.name); }},
    {"BYTES", [](const KeptResult &result) { return number(result.bytes); }},
    {"FINISHED", [](const KeptResult &result) { return ago(result.finishedAt_ms); }},
    {"EXPIRES IN", [](const KeptResult &result) { return ago(result.expiresAt_ms); }},
};

QByteArray failureGroupText(const FailurePage &page)
{
    const FailureGroup &group = page.group;
    QByteArray text = forTerminal(group.title) + "\nname " + forTerminal(group.name) + ", reason " + forTerminal(group.reason) + ", "
        + (group.resolved ? "resolved" : "open") + "\nfailures " + number(group.count) + ", final " + number(group.finalCount)
        + ", last hour " + number(group.lastHour) + "\nfirst " + ago(group.firstAt_ms) + " ago, last " + ago(group.lastAt_ms)
        + " ago\n";
    text += '\n' + table(workerColumns, group.workers);
    return page.jobs.isEmpty() ? text : text + '\n' + table(failedColumns, page.jobs);
}

// Slice after slice: the jobs that were failed at the first one.
void retryGroup(Session &session, const QByteArray &signature, const GroupRetried &before)
{
    const auto next = [&session, signature, before](Result<GroupRetried> sum) {
        if (sum.ok())
            sum->retried += before.retried;
        if (sum.ok() && !sum->next.isEmpty()) {
            retryGroup(session, signature, *sum);
            return;
        }
        session.finish(sum, groupRetriedTable, [](const GroupRetried &all) {
            return number(all.retried) + " run again, " + number(all.left) + " left\n";
        });
    };
    session.client().retryFailures(signature, limits::failure_retry_max, before.next, next);
}

QByteArray signatureOf(Flags &flags)
{
    return flags.word("SIGNATURE", "The group, as 'junbanctl failures' lists it.");
}

} // namespace

void failures(Session &session, Flags &flags)
{
    if (!flags.ready())
        return;
    client::FailuresQuery query;
    query.period = client::FailurePeriod::Week;
    query.state = GroupState::Open;
    query.limit = limits::page_rows_max;
    session.client().failures(query, [&session](const Result<FailureList> &page) {
        session.finish(page, failureListTable, [](const FailureList &found) { return table(groupColumns, found.groups); });
    });
}

void failuresShow(Session &session, Flags &flags)
{
    const QByteArray signature = signatureOf(flags);
    if (!flags.ready())
        return;
    session.client().failureGroup(signature, client::FailurePeriod::Day, limits::page_rows_default, {},
        [&session](const Result<FailurePage> &page) { session.finish(page, failurePageTable, failureGroupText); });
}

void failuresResolve(Session &session, Flags &flags)
{
    const QByteArray signature = signatureOf(flags);
    if (!flags.ready())
        return;
    session.client().resolveFailures(signature, true, [&session](const Result<FailureGroup> &group) {
        session.finish(group, failureGroupTable, [](const FailureGroup &) { return QByteArray("resolved\n"); });
    });
}

void failuresRetry(Session &session, Flags &flags)
{
    const QByteArray signature = signatureOf(flags);
    if (flags.ready())
        retryGroup(session, signature, {});
}

void results(Session &session, Flags &flags)
{
    if (!flags.ready())
        return;
    session.client().results(limits::page_rows_max, {}, [&session](const Result<ResultPage> &page) {
        session.finish(page, resultPageTable, [](const ResultPage &found) { return table(resultColumns, found.results); });
    });
}

void stats(Session &session, Flags &flags)
{
    client::StatsQuery query;
    query.name = flags.wordIfAny("NAME", "Only jobs with this name.");
    query.day = flags.text("--day DAY", "The day in UTC, like 2026-01-02. Default: today.").value_or(QByteArray());
    query.limit = limits::page_rows_max;
    if (!flags.ready())
        return;
    session.client().stats(query, [&session](const Result<StatsPage> &page) { session.finish(page, statsPageTable, statsText); });
}

} // namespace junban::app
