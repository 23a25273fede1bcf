// What operators see of the past, and what they do to it.
#include "app/ctl/asking.h"
#include "app/ctl/paging.h"
#include "core/base/isotime.h"
#include "core/base/reasons/ctl.h"
#include "core/base/reasons/start.h"
#include "core/jobs/pastfields.h"

#include <array>
#include <cmath>
#include <cstring>

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

// The answer to a discard has no fields of its own.
struct Discarded {
    bool discarded = false;
};
constexpr Field discardedFields[] = {field::boolean<&Discarded::discarded>("discarded")};
constexpr TableOf<Discarded> discardedTable{nullptr, discardedFields};

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

constexpr std::array<const char *, 5> periodWords = {"1h", "3h", "24h", "3d", "7d"};

client::FailurePeriod periodOf(Flags &flags, const char *text, client::FailurePeriod otherwise)
{
    return flags.oneOf<client::FailurePeriod>("--window SPAN", text, periodWords, periodWords[size_t(otherwise)]).value_or(otherwise);
}

constexpr Column<QPair<qint64, qint64>> seriesColumns[] = {
    {"FROM", [](const QPair<qint64, qint64> &row) { return timeText(row.first); }},
    {"VALUE", [](const QPair<qint64, qint64> &row) { return number(row.second); }},
};

QByteArray seriesText(const SeriesData &data)
{
    QList<QPair<qint64, qint64>> rows;
    for (qsizetype i = 0; i < data.values.size(); ++i)
        rows.append({(data.from_s + i * data.step_s) * 1000, data.values[i]});
    return table(seriesColumns, rows);
}

// "90", "10m", "24h" in seconds; nothing for anything else.
std::optional<qint64> spanOf_s(QByteArray text)
{
    constexpr const char units[] = "smhd";
    constexpr qint64 seconds[] = {1, 60, 3'600, 86'400};
    const char *unit = text.isEmpty() ? nullptr : std::strchr(units, text.back());
    if (unit != nullptr)
        text.chop(1);
    bool ok = false;
    const qint64 count = text.toLongLong(&ok);
    const qint64 span_s = count * (unit != nullptr ? seconds[unit - units] : 1);
    return ok && count > 0 && count <= 999'999 && span_s <= qint64(limits::series_days_max) * 86'400 ? std::optional(span_s) : std::nullopt;
}

QByteArray signatureOf(Flags &flags)
{
    return flags.word("SIGNATURE", "The group, as 'junbanctl failures' lists it.");
}

} // namespace

void failures(Session &session, Flags &flags)
{
    const auto period = periodOf(flags, "Only groups with a failure within this time", client::FailurePeriod::Week);
    const auto state
        = flags.oneOf<GroupState>("--state WORD", "Only groups in this state", groupStateWords, "open").value_or(GroupState::Open);
    const int limit = rowsOf(flags);
    if (!flags.ready())
        return;
    const Paging<FailureList, FailureGroup> paging{&FailureList::groups, limits::page_rows_max,
        [&session, period, state](int rows, const QByteArray &cursor, auto callback) {
            session.client().failures({period, state, rows, cursor}, std::move(callback));
        }};
    session.withMasterTime([&session, paging, limit] {
        showList(session, paging, limit, failureListTable, [](const FailureList &found) { return table(groupColumns, found.groups); });
    });
}

void failuresShow(Session &session, Flags &flags)
{
    const QByteArray signature = signatureOf(flags);
    const auto period = periodOf(flags, "How far back the jobs and the trend go", client::FailurePeriod::Day);
    const int limit = flags.whole("--limit N", "Show so many jobs at most", {1, limits::page_rows_max, limits::page_rows_default})
                          .value_or(limits::page_rows_default);
    if (!flags.ready())
        return;
    session.withMasterTime([&session, signature, period, limit] {
        session.client().failureGroup(signature, period, limit, {},
            [&session](const Result<FailurePage> &page) { session.finish(page, failurePageTable, failureGroupText); });
    });
}

void failuresResolve(Session &session, Flags &flags)
{
    const QByteArray signature = signatureOf(flags);
    const bool reopens = flags.on("--reopen", "It is not dealt with after all.");
    if (!flags.ready())
        return;
    session.client().resolveFailures(signature, !reopens, [&session](const Result<FailureGroup> &group) {
        session.finish(
            group, failureGroupTable, [](const FailureGroup &now) { return QByteArray(now.resolved ? "resolved\n" : "open\n"); });
    });
}

void failuresMute(Session &session, Flags &flags)
{
    const QByteArray signature = signatureOf(flags);
    const auto until_ms = flags.time_ms("--until TIME", "Until when it is not shown among the open ones, like 2026-01-02T03:04:05Z.");
    const auto for_ms
        = flags.seconds_ms("--for SECONDS", "How long it is not shown among them", {limits::ahead_s_min, limits::ahead_s_max});
    const bool ends = flags.on("--end", "Show it again.");
    if (int(until_ms.has_value()) + int(for_ms.has_value()) + int(ends) != 1)
        flags.refuse(until_ms || for_ms || ends ? reasons::optionsExclusive("--until, --for", "--end")
                                                : reasons::optionOrRequired("--until, --for", "--end"));
    if (!flags.ready())
        return;
    const auto show = [&session, ends](const Result<FailureGroup> &group) {
        session.finish(group, failureGroupTable, [ends](const FailureGroup &) { return QByteArray(ends ? "not muted\n" : "muted\n"); });
    };
    if (for_ms)
        session.client().muteFailuresFor(signature, *for_ms, show);
    else
        session.client().muteFailures(signature, until_ms.value_or(0), show);
}

void results(Session &session, Flags &flags)
{
    const int limit = rowsOf(flags);
    if (!flags.ready())
        return;
    const Paging<ResultPage, KeptResult> paging{&ResultPage::results, limits::page_rows_max,
        [&session](int rows, const QByteArray &cursor, auto callback) { session.client().results({rows, cursor}, std::move(callback)); }};
    session.withMasterTime([&session, paging, limit] {
        showList(session, paging, limit, resultPageTable, [](const ResultPage &found) { return table(resultColumns, found.results); });
    });
}

void resultsDiscard(Session &session, Flags &flags)
{
    const QList<JobId> ids = flags.jobs("The jobs.");
    const QByteArray what = ids.size() == 1 ? "the result of " + ids.first().text() : number(ids.size()) + " results";
    if (!isAgreed(session, flags, "Discard " + what))
        return;
    const auto ask = [&session](JobId id, const Callback<Discarded> &callback) {
        session.client().discardResult(id, [callback](const Result<Done> &done) {
            callback(done.ok() ? Result<Discarded>(Discarded{true}) : done.error());
        });
    };
    session.forEach<Discarded>(ids, ask, discardedTable, [](const Discarded &) { return QByteArray("discarded"); });
}

void resultsExtend(Session &session, Flags &flags)
{
    const QList<JobId> ids = flags.jobs("The jobs.");
    const auto ttl_ms = flags.seconds_ms("--ttl SECONDS", "How long the result waits from now on",
        {limits::result_ttl_s_min, limits::result_ttl_s_max, limits::result_ttl_s_default}).value_or(limits::result_ttl_s_default * 1000);
    if (!flags.ready())
        return;
    session.forEach<KeptResult>(ids,
        [&session, ttl_ms](JobId id, auto done) { session.client().extendResult(id, ttl_ms, std::move(done)); }, keptResultTable,
        [](const KeptResult &kept) { return "waits until " + timeText(kept.expiresAt_ms); });
}

void stats(Session &session, Flags &flags)
{
    client::StatsQuery query;
    query.name = flags.wordIfAny("NAME", "Only jobs with this name.");
    query.day = flags.text("--day DAY", "The day in UTC, like 2026-01-02. Default: today.").value_or(QByteArray());
    const int limit = rowsOf(flags);
    if (!flags.ready())
        return;
    const Paging<StatsPage, NameStats> paging{&StatsPage::names, limits::page_rows_max,
        [&session, query](int rows, const QByteArray &after, auto callback) mutable {
            query.limit = rows;
            query.after = after;
            session.client().stats(query, std::move(callback));
        }};
    showList(session, paging, limit, statsPageTable, statsText);
}

void series(Session &session, Flags &flags)
{
    const QByteArray word = flags.word("METRIC", "enqueued, started, succeeded, failed, failures, retried, expired, cancelled, or a size: "
                                                 "ready_jobs, scheduled_jobs, running_jobs, depends_jobs, awaiting_jobs, failed_jobs.");
    const QByteArray range = flags.text("--range SPAN", "How far back, like 10m, 1h, 24h or 7d; at most 8d. Default: 1h.").value_or("1h");
    const QByteArray name = flags.text("--name NAME", "Only this name: enqueued, succeeded, failed or failures.").value_or(QByteArray());
    const QByteArray until
        = flags.text("--until TIME", "When the range ends, like 2026-01-02T00:00:00Z. Default: now.").value_or(QByteArray());
    const std::optional<Metric> metric = metricFromWord(word);
    const std::optional<qint64> until_ms = until.isEmpty() ? std::optional<qint64>(0) : fromIsoTime(until);
    const std::optional<qint64> range_s = spanOf_s(range);
    if (flags.ready() && !metric)
        flags.refuse(reasons::optionWordExpected("METRIC", wordsOf(metricWords), word));
    if (!range_s)
        flags.refuse(reasons::optionSpanExpected("--range", range));
    if (!until_ms)
        flags.refuse(reasons::optionTimeExpected("--until", until));
    if (flags.ready())
        session.client().series({*metric, *range_s, name, *until_ms / 1000},
            [&session](const Result<SeriesData> &data) { session.finish(data, seriesTable, seriesText); });
}

} // namespace junban::app
