// What operators see of the past, and what they do to it.
#include "app/ctl/terminal.h"
#include "app/ctl/verbs.h"

#include <QDateTime>
#include <cmath>

namespace junban::app {

namespace {

QByteArray since(qint64 at_ms)
{
    return about(QDateTime::currentMSecsSinceEpoch() - at_ms);
}

QByteArray number(qint64 value)
{
    return QByteArray::number(value);
}

QByteArray seconds(double value_s)
{
    return QByteArray::number(value_s, 'g', 3);
}

QList<QByteArray> measureRow(const QByteArray &name, const char *what, const Measure &measure)
{
    return {forTerminal(name), what, number(measure.count), seconds(measure.mean_s), seconds(std::sqrt(measure.variance_s2)),
        seconds(measure.p50_s), seconds(measure.p95_s), seconds(measure.p99_s)};
}

QByteArray failureGroupText(const FailurePage &page)
{
    const FailureGroup &group = page.group;
    QByteArray text = forTerminal(group.title) + "\nname " + forTerminal(group.name) + ", reason " + forTerminal(group.reason) + ", "
        + (group.resolved ? "resolved" : "open") + "\nfailures " + number(group.count) + ", final " + number(group.finalCount)
        + ", last hour " + number(group.lastHour) + "\nfirst " + since(group.firstAt_ms) + " ago, last " + since(group.lastAt_ms)
        + " ago\n";
    QList<QList<QByteArray>> workers{{"worker", "failures"}};
    for (const auto &[worker, count] : group.workers)
        workers.append({forTerminal(worker), number(count)});
    QList<QList<QByteArray>> jobs{{"failed now", "attempt", "message"}};
    for (const Job &job : page.jobs)
        jobs.append({job.id.text(), number(job.attempt), forTerminal(job.message)});
    return text + '\n' + table(workers) + (page.jobs.isEmpty() ? QByteArray() : '\n' + table(jobs));
}

// Slice after slice until none of those that can run again are left.
void retryGroup(Session &session, const QByteArray &signature, qint64 before)
{
    const auto next = [&session, signature, before](const Result<GroupRetried> &slice) {
        if (slice.ok() && slice->retried > 0 && slice->left > 0) {
            retryGroup(session, signature, before + slice->retried);
            return;
        }
        session.finish(slice, [before](const GroupRetried &last) {
            return number(before + last.retried) + " run again, " + number(last.left) + " left\n";
        });
    };
    session.client().retryFailures(signature, limits::failure_retry_max, next);
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
        session.finish(page, [](const FailureList &found) {
            QList<QList<QByteArray>> rows{{"SIGNATURE", "NAME", "REASON", "COUNT", "FAILED", "1H", "LAST", "MESSAGE"}};
            for (const FailureGroup &group : found.groups)
                rows.append({group.signature, forTerminal(group.name), forTerminal(group.reason), number(group.count),
                    number(group.failedNow), number(group.lastHour), since(group.lastAt_ms), forTerminal(group.title)});
            return table(rows);
        });
    });
}

void failuresShow(Session &session, Flags &flags)
{
    const QByteArray signature = signatureOf(flags);
    if (!flags.ready())
        return;
    session.client().failureGroup(signature, client::FailureWindow::Day, limits::page_rows_default, {},
        [&session](const Result<FailurePage> &page) { session.finish(page, failureGroupText); });
}

void failuresResolve(Session &session, Flags &flags)
{
    const QByteArray signature = signatureOf(flags);
    if (!flags.ready())
        return;
    session.client().resolveFailures(signature, true, [&session](const Result<FailureGroup> &group) {
        session.finish(group, [](const FailureGroup &) { return QByteArray("resolved\n"); });
    });
}

void failuresRetry(Session &session, Flags &flags)
{
    const QByteArray signature = signatureOf(flags);
    if (flags.ready())
        retryGroup(session, signature, 0);
}

void results(Session &session, Flags &flags)
{
    if (!flags.ready())
        return;
    session.client().results(limits::page_rows_max, {}, [&session](const Result<ResultPage> &page) {
        session.finish(page, [](const ResultPage &found) {
            QList<QList<QByteArray>> rows{{"JOB", "NAME", "BYTES", "FINISHED", "EXPIRES IN"}};
            for (const KeptResult &result : found.results)
                rows.append({result.id.text(), result.name.isEmpty() ? QByteArray("-") : forTerminal(result.name), number(result.bytes),
                    result.finishedAt_ms > 0 ? since(result.finishedAt_ms) : QByteArray("-"),
                    about(result.expiresAt_ms - QDateTime::currentMSecsSinceEpoch())});
            return table(rows);
        });
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
    session.client().stats(query, [&session](const Result<StatsPage> &page) {
        session.finish(page, [](const StatsPage &found) {
            QList<QList<QByteArray>> rows{{found.day, "seconds", "COUNT", "MEAN", "STDDEV", "P50", "P95", "P99"}};
            for (const NameStats &name : found.names) {
                rows.append(measureRow(name.name, "wait", name.wait));
                rows.append(measureRow("", "run", name.run));
            }
            QList<QList<QByteArray>> ends{{"name", "failures", "retries", "expiries"}};
            for (const NameStats &name : found.names)
                ends.append({forTerminal(name.name), number(name.failures), number(name.retries), number(name.expiries)});
            return table(rows) + '\n' + table(ends);
        });
    });
}

} // namespace junban::app
