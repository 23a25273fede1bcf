// What operators see of the past, and what they do to it.
#include "app/ctl/terminal.h"
#include "app/ctl/verbs.h"

#include <QDateTime>
#include <cmath>

namespace junban::app {

namespace {

QByteArray ago(qint64 at_ms)
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

QList<QByteArray> measureRow(const QByteArray &name, const char *what, const client::Measure &measure)
{
    return {forTerminal(name), what, number(measure.count), seconds(measure.mean_s), seconds(std::sqrt(measure.variance_s2)),
        seconds(measure.p50_s), seconds(measure.p95_s), seconds(measure.p99_s)};
}

QByteArray groupText(const client::FailurePage &page)
{
    const FailureGroup &group = page.group;
    QByteArray text = forTerminal(group.title) + "\nname " + forTerminal(group.name) + ", reason " + forTerminal(group.reason) + ", "
        + (group.resolved ? "resolved" : "open") + "\nfailures " + number(group.count) + ", final " + number(group.finalCount)
        + ", last hour " + number(group.lastHour) + "\nfirst " + ago(group.firstAt_ms) + " ago, last " + ago(group.lastAt_ms) + " ago\n";
    QList<QList<QByteArray>> workers{{"worker", "failures"}};
    for (const auto &[worker, count] : group.workers)
        workers.append({forTerminal(worker), number(count)});
    QList<QList<QByteArray>> jobs{{"failed now", "attempt", "message"}};
    for (const Job &job : page.jobs)
        jobs.append({job.id.text(), number(job.attempt), forTerminal(job.message)});
    return text + '\n' + table(workers) + (page.jobs.isEmpty() ? QByteArray() : '\n' + table(jobs));
}

} // namespace

void Verbs::failures()
{
    const QString action = m_words.value(0);
    const QByteArray signature = m_words.value(1).toUtf8();
    if (action.isEmpty()) {
        listFailures();
    } else if (signature.isEmpty()) {
        misused("failures " + action.toUtf8() + " needs a SIGNATURE");
    } else if (action == QStringLiteral("show")) {
        m_client.failureGroup(signature, client::Window::Day, limits::page_rows_default, {},
            [this](const Result<client::FailurePage> &page) { finish(page, [](const auto &found) { return groupText(found); }); });
    } else if (action == QStringLiteral("resolve")) {
        m_client.resolveFailures(signature, true,
            [this](const Result<FailureGroup> &group) { finish(group, [](const auto &) { return QByteArray("resolved\n"); }); });
    } else if (action == QStringLiteral("retry")) {
        retryGroup(signature, 0);
    } else {
        misused("failures knows show, resolve and retry");
    }
}

void Verbs::listFailures()
{
    client::FailuresQuery query;
    query.window = client::Window::Week;
    query.state = client::GroupState::Open;
    query.limit = limits::page_rows_max;
    m_client.failures(query, [this](const Result<client::FailureGroupPage> &page) {
        finish(page, [](const client::FailureGroupPage &found) {
            QList<QList<QByteArray>> rows{{"SIGNATURE", "NAME", "REASON", "COUNT", "FAILED", "1H", "LAST", "MESSAGE"}};
            for (const FailureGroup &group : found.groups)
                rows.append({group.signature, forTerminal(group.name), forTerminal(group.reason), number(group.count),
                    number(group.failedNow), number(group.lastHour), ago(group.lastAt_ms), forTerminal(group.title)});
            return table(rows);
        });
    });
}

// Slice after slice until none of those that can run again are left.
void Verbs::retryGroup(const QByteArray &signature, qint64 before)
{
    m_client.retryFailures(signature, limits::failure_retry_max, [this, signature, before](const Result<client::GroupRetried> &slice) {
        if (slice.ok() && slice->retried > 0 && slice->left > 0) {
            retryGroup(signature, before + slice->retried);
            return;
        }
        finish(slice, [before](const client::GroupRetried &last) {
            return number(before + last.retried) + " run again, " + number(last.left) + " left\n";
        });
    });
}

void Verbs::results()
{
    m_client.results(limits::page_rows_max, {}, [this](const Result<client::ResultPage> &page) {
        finish(page, [](const client::ResultPage &found) {
            QList<QList<QByteArray>> rows{{"JOB", "NAME", "BYTES", "FINISHED", "EXPIRES IN"}};
            for (const KeptResult &result : found.results)
                rows.append({result.id.text(), result.name.isEmpty() ? QByteArray("-") : forTerminal(result.name), number(result.bytes),
                    result.finishedAt_ms > 0 ? ago(result.finishedAt_ms) : QByteArray("-"),
                    about(result.expiresAt_ms - QDateTime::currentMSecsSinceEpoch())});
            return table(rows);
        });
    });
}

void Verbs::stats()
{
    client::StatsQuery query;
    query.name = m_words.value(0).toUtf8();
    query.day = m_flags.value(QStringLiteral("day")).toUtf8();
    query.limit = limits::page_rows_max;
    m_client.stats(query, [this](const Result<client::StatsPage> &page) {
        finish(page, [](const client::StatsPage &found) {
            QList<QList<QByteArray>> rows{{found.day, "seconds", "COUNT", "MEAN", "STDDEV", "P50", "P95", "P99"}};
            for (const client::NameStats &name : found.names) {
                rows.append(measureRow(name.name, "wait", name.wait));
                rows.append(measureRow("", "run", name.run));
            }
            QList<QList<QByteArray>> ends{{"name", "failures", "retries", "expiries"}};
            for (const client::NameStats &name : found.names)
                ends.append({forTerminal(name.name), number(name.failures), number(name.retries), number(name.expiries)});
            return table(rows) + '\n' + table(ends);
        });
    });
}

// Each of some jobs by one call; says what became of it, and ends with 1 when one was refused.
template<typename T>
void Verbs::each(const char *otherwise, const std::function<void(JobId, Callback<T>)> &ask, const std::function<QByteArray(const T &)> &say)
{
    const std::optional<QList<JobId>> ids = idsOf(otherwise);
    if (!ids)
        return;
    m_left = int(ids->size());
    for (const JobId id : *ids) {
        ask(id, [this, id, say](const Result<T> &answer) {
            print(id.text() + ' ' + (answer.ok() ? say(*answer) : forTerminal(answer.error().message)) + '\n');
            m_exitCode = answer.ok() ? m_exitCode : 1;
            if (--m_left == 0)
                Q_EMIT ended(m_exitCode);
        });
    }
}

void Verbs::remove()
{
    each<client::StateNow>("delete needs job ids", [this](JobId id, auto done) { m_client.deleteJob(id, std::move(done)); },
        [](const client::StateNow &) { return QByteArray("deleted; restore brings it back for a day"); });
}

void Verbs::restore()
{
    each<client::StateNow>("restore needs job ids", [this](JobId id, auto done) { m_client.restoreJob(id, std::move(done)); },
        [](const client::StateNow &now) { return QByteArray(stateWord(now.state)); });
}

void Verbs::track()
{
    each<Done>("track needs job ids", [this](JobId id, auto done) { m_client.track(id, true, std::move(done)); },
        [](const Done &) { return QByteArray("tracked"); });
}

void Verbs::untrack()
{
    each<Done>("untrack needs job ids", [this](JobId id, auto done) { m_client.track(id, false, std::move(done)); },
        [](const Done &) { return QByteArray("not tracked"); });
}

} // namespace junban::app
