#include "server/api/recordanswers.h"

#include "server/api/answers.h"
#include "server/api/mapbuilder.h"

#include <QDate>

namespace junban::api {

namespace {

QByteArray integers(const QList<qint64> &values)
{
    return encodeAll(values, [](qint64 value) { return MsgpackWriter().integer(value).take(); });
}

QByteArray encodeWorker(const QPair<QByteArray, qint64> &worker)
{
    MapBuilder map;
    map.text("worker", worker.first);
    map.integer("count", worker.second);
    return map.take();
}

QByteArray encodeSum(const Lookback::GroupSum &sum)
{
    MapBuilder map;
    map.text("key", sum.key);
    map.integer("groups", sum.groups);
    map.integer("count", sum.count);
    map.integer("failed", sum.failedNow);
    map.integer("in_window", sum.inWindow);
    map.integer("last_hour", sum.lastHour);
    map.text("first_seen", isoTime(sum.firstAt_ms));
    map.text("last_seen", isoTime(sum.lastAt_ms));
    map.integer("trend_step", sum.trendStep_s);
    map.key("trend").raw(integers(sum.trend));
    return map.take();
}

QByteArray encodeDistribution(const Distribution &distribution)
{
    QList<QByteArray> bins;
    for (int bin = 0; bin < Distribution::bins_count; ++bin) {
        if (distribution.bins[size_t(bin)] == 0)
            continue;
        MapBuilder row;
        row.real("from", Distribution::binStart_ms(bin) / 1000);
        row.real("to", Distribution::binEnd_ms(bin) / 1000);
        row.integer("count", distribution.bins[size_t(bin)]);
        bins.append(row.take());
    }
    MapBuilder map;
    map.integer("count", distribution.count);
    map.real("mean", distribution.mean_s());
    map.real("variance", distribution.variance_s2());
    map.real("p50", distribution.percentile_s(0.5));
    map.real("p95", distribution.percentile_s(0.95));
    map.real("p99", distribution.percentile_s(0.99));
    map.key("histogram").raw(encodeAll(bins, [](const QByteArray &row) { return row; }));
    return map.take();
}

QByteArray encodeName(const NameStatistics &statistics)
{
    MapBuilder map;
    map.text("name", statistics.name);
    map.key("wait").raw(encodeDistribution(statistics.wait));
    map.key("run").raw(encodeDistribution(statistics.run));
    map.integer("failures", statistics.failures);
    map.integer("retries", statistics.retries);
    map.integer("expiries", statistics.expiries);
    return map.take();
}

QByteArray encodeKept(const Kept &kept)
{
    MapBuilder map;
    if (kept.age_ms)
        map.seconds("age", *kept.age_ms);
    if (kept.count)
        map.integer("count", *kept.count);
    return map.take();
}

void addRetention(MapBuilder &map, const Retention &retention)
{
    map.key("succeeded").raw(encodeKept(retention.succeeded));
    map.key("failed").raw(encodeKept(retention.failed));
    map.key("cancelled").raw(encodeKept(retention.cancelled));
}

} // namespace

QByteArray encodeDone()
{
    MapBuilder map;
    map.boolean("done", true);
    return map.take();
}

QByteArray encodeGroup(const FailureGroup &group)
{
    MapBuilder map;
    map.text("signature", group.signature);
    map.text("name", group.name);
    map.text("reason", group.reason);
    map.text("title", group.title);
    map.integer("count", group.count);
    map.integer("final", group.finalCount);
    map.integer("failed", group.failedNow);
    map.text("first_seen", isoTime(group.firstAt_ms));
    map.text("last_seen", isoTime(group.lastAt_ms));
    map.text("state", group.resolved ? "resolved" : "open");
    map.timeIf("resolved_at", group.resolvedAt_ms);
    map.timeIf("muted_until", group.mutedUntil_ms);
    map.integer("in_window", group.inWindow);
    map.integer("last_hour", group.lastHour);
    map.integer("trend_step", group.trendStep_s);
    map.key("trend").raw(integers(group.trend));
    map.key("workers").raw(encodeAll(group.workers, encodeWorker));
    map.key("samples").raw(encodeAll(group.samples, [](const JobId &id) { return MsgpackWriter().text(id.text()).take(); }));
    return map.take();
}

QByteArray encodeGroups(const Lookback::GroupList &list)
{
    MapBuilder map;
    map.key("groups").raw(encodeAll(list.groups, encodeGroup));
    map.key("sums").array(0);
    map.boolean("complete", true);
    map.textIf("next", list.next);
    return map.take();
}

QByteArray encodeSums(const Lookback::Sums &sums)
{
    MapBuilder map;
    map.key("groups").array(0);
    map.key("sums").raw(encodeAll(sums.sums, encodeSum));
    map.boolean("complete", sums.complete);
    return map.take();
}

QByteArray encodeGroupPage(const FailureGroup &group, const Lookback::JobList &jobs)
{
    MapBuilder map;
    map.key("group").raw(encodeGroup(group));
    map.key("jobs").raw(encodeAll(jobs.jobs, encodeJobRow));
    map.integer("total", jobs.total);
    map.textIf("next", jobs.next);
    return map.take();
}

QByteArray encodeGroupRetry(const Lookback::GroupRetry &retry)
{
    MapBuilder map;
    map.integer("retried", retry.retried);
    map.integer("left", retry.left);
    return map.take();
}

QByteArray encodeKeptResult(const KeptResult &result)
{
    MapBuilder map;
    map.text("id", result.id.text());
    map.textIf("name", result.name);
    map.integer("bytes", result.bytes);
    map.timeIf("finished_at", result.finishedAt_ms);
    map.text("expires_at", isoTime(result.expiresAt_ms));
    return map.take();
}

QByteArray encodeResults(const Lookback::ResultList &list)
{
    MapBuilder map;
    map.key("results").raw(encodeAll(list.results, encodeKeptResult));
    map.integer("total", list.total);
    map.textIf("next", list.next);
    return map.take();
}

QByteArray encodeStatistics(const StatisticsPage &page)
{
    MapBuilder map;
    map.text("day", QDate(1970, 1, 1).addDays(page.day).toString(Qt::ISODate).toLatin1());
    map.key("stats").raw(encodeAll(page.names, encodeName));
    if (!page.end && !page.names.isEmpty())
        map.text("next", page.names.last().name);
    return map.take();
}

QByteArray encodeSeries(const SeriesData &data)
{
    MapBuilder map;
    map.text("metric", metricWord(data.metric));
    map.integer("step", data.step_s);
    map.text("from", isoTime(data.from_s * 1000));
    map.key("values").raw(integers(data.values));
    return map.take();
}

QByteArray encodeRetention(const RetentionSettings &settings)
{
    MapBuilder map;
    addRetention(map, settings.all);
    map.key("names").raw(encodeAll(settings.names, [](const QPair<QByteArray, Retention> &entry) {
        MapBuilder row;
        row.text("name", entry.first);
        addRetention(row, entry.second);
        return row.take();
    }));
    return map.take();
}

QByteArray encodeJobs(const Lookback::JobList &list)
{
    return encodeList({list.jobs, list.next, list.scanned, list.total, list.complete});
}

QByteArray encodeFsckReport(const FsckReport &report)
{
    MapBuilder map;
    map.integer("checked", report.checked);
    map.integer("found", report.found);
    map.integer("repaired", report.repaired);
    map.key("violations").raw(encodeAll(report.violations, [](const Violation &violation) {
        MapBuilder row;
        row.text("invariant", violation.invariant);
        row.text("key", violation.key);
        row.text("text", violation.text);
        row.boolean("repaired", violation.repaired);
        return row.take();
    }));
    map.textIf("next", report.next);
    return map.take();
}

} // namespace junban::api
