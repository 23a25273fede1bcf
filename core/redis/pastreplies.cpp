#include "core/redis/pastreplies.h"

#include "core/base/reasons/store.h"
#include "core/lua/schema.h"
#include "core/redis/replies.h"

#include <QtEndian>
#include <algorithm>

namespace junban::redis {

namespace {

quint32 wordAt(QByteArrayView bytes, qsizetype word)
{
    return 4 * word + 4 <= bytes.size() ? qFromBigEndian<quint32>(bytes.data() + 4 * word) : 0;
}

// The last `steps` slots, up to `newest`, of a ring as pieces/rings.lua keeps it. Slots that the ring has not reached are 0.
QList<qint64> ringOf(QByteArrayView bytes, qsizetype base, qint64 size, qint64 newest, qint64 steps)
{
    QList<qint64> values;
    const qint64 reached = wordAt(bytes, base);
    for (qint64 index = newest - steps + 1; index <= newest; ++index) {
        const bool there = index <= reached && index > reached - size;
        values.append(there ? wordAt(bytes, base + 1 + index % size) : 0);
    }
    return values;
}

qint64 sumOf(const QList<qint64> &values)
{
    qint64 sum = 0;
    for (const qint64 value : values)
        sum += value;
    return sum;
}

qint64 trendStep_s(qint64 period_s)
{
    return period_s <= 3 * 3'600 ? 300 : 3'600;
}

// `Trend` is a group, or the trend of a worker.
template<typename Trend>
void readTrend(Trend &group, QByteArrayView rings, qint64 now_ms, qint64 period_s)
{
    const qint64 five = now_ms / 300'000;
    const qint64 hour = now_ms / 3'600'000;
    group.lastHour = sumOf(ringOf(rings, 0, 36, five, 12));
    const qint64 step_s = trendStep_s(period_s);
    const bool fine = step_s == 300;
    const qint64 steps = std::clamp<qint64>(period_s / step_s, 1, fine ? 36 : 168);
    group.trend = fine ? ringOf(rings, 0, 36, five, steps) : ringOf(rings, 37, 168, hour, steps);
    group.inPeriod = sumOf(group.trend);
}

void readGroupField(FailureGroup &group, QByteArrayView stored, const Reply &value)
{
    namespace at = field_of::failure_group;
    if (stored == at::name) {
        group.name = value.bytes();
    } else if (stored == at::reason) {
        group.reason = value.bytes();
    } else if (stored == at::title) {
        group.title = value.bytes();
    } else if (stored == at::count) {
        group.count = value.integer();
    } else if (stored == at::final) {
        group.finalCount = value.integer();
    } else if (stored == at::first) {
        group.firstAt_ms = value.integer();
    } else if (stored == at::last) {
        group.lastAt_ms = value.integer();
    } else if (stored == at::state) {
        group.resolved = value.view() == "r";
    } else if (stored == at::resolved) {
        group.resolvedAt_ms = value.integer();
    } else if (stored == at::muted) {
        group.mutedUntil_ms = value.integer();
    } else if (stored == at::newest) {
        for (qsizetype from = 0; from + JobId::size <= value.view().size(); from += JobId::size)
            group.samples.append(*JobId::fromBytes(value.view().sliced(from, JobId::size)));
    } else if (stored.startsWith(at::of_worker)) {
        group.workers.append({stored.sliced(qsizetype(sizeof at::of_worker) - 1).toByteArray(), value.integer()});
    }
}

FailureGroup groupOf(const Reply &row, qint64 now_ms, qint64 period_s)
{
    FailureGroup group;
    group.signature = row[0].bytes();
    const Reply fields = row[2];
    for (qsizetype i = 0; i + 1 < fields.size(); i += 2)
        readGroupField(group, fields[i].view(), fields[i + 1]);
    if (!group.resolved)
        group.resolvedAt_ms = 0;
    if (group.mutedUntil_ms <= now_ms)
        group.mutedUntil_ms = 0;
    std::sort(group.workers.begin(), group.workers.end(), [](const auto &a, const auto &b) {
        return a.second > b.second || (a.second == b.second && a.first < b.first);
    });
    group.failedNow = row[3].integer();
    group.trendStep_s = trendStep_s(period_s);
    readTrend(group, row[4].view(), now_ms, period_s);
    return group;
}

// {worker, trend, worker, trend, …}
QHash<QByteArray, FailureGroup::WorkerTrend> workerTrendsOf(const Reply &trends, qint64 now_ms, qint64 period_s)
{
    QHash<QByteArray, FailureGroup::WorkerTrend> workers;
    for (qsizetype i = 0; i + 1 < trends.size(); i += 2)
        readTrend(workers[trends[i].bytes()], trends[i + 1].view(), now_ms, period_s);
    return workers;
}

std::optional<qint64> setOr(qint64 value)
{
    return value < 0 ? std::nullopt : std::optional(value);
}

Retention sixOf(const Reply &row, qsizetype from)
{
    const auto kept = [&row, from](qsizetype i) { return Kept{setOr(row[from + i].integer()), setOr(row[from + i + 1].integer())}; };
    return {kept(0), kept(2), kept(4)};
}

RetentionSettings settingsOf(const Reply &all, const Reply &names)
{
    RetentionSettings settings;
    settings.all = sixOf(all, 0);
    for (qsizetype i = 0; i < names.size(); ++i)
        settings.names.append({names[i][0].bytes(), sixOf(names[i], 1)});
    std::sort(settings.names.begin(), settings.names.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    return settings;
}

qint64 stepOf(const SeriesRequest &request)
{
    const qint64 range_s = request.range_s;
    return bySeconds(request) ? 1 : range_s <= 86'400 ? 60 : range_s <= 3 * 86'400 ? 300 : 600;
}

bool isSize(Metric metric)
{
    return metric >= Metric::ReadyJobs;
}

constexpr qint64 sampleLate_s = 3; // so long the last sample may be ago

// Adds a step in which no master counted.
void addGap(SeriesData &data, qint64 from_s)
{
    if (!data.gaps.isEmpty() && data.gaps.last().to_s == from_s)
        data.gaps.last().to_s += data.step_s;
    else
        data.gaps.append({from_s, from_s + data.step_s});
}

void addSeconds(SeriesData &data, const Reply &reply, qint64 now_s, qint64 range_s, qint64 late_s)
{
    const qint64 sampled_s = reply[1].integer();
    data.from_s = now_s - range_s + 1;
    const auto word = [](const Reply &words, qint64 second) { return wordAt(words[0].view(), second % limits::series_seconds_max); };
    for (qint64 second = data.from_s; second <= now_s; ++second) {
        const bool there = second <= sampled_s && second > sampled_s - limits::series_seconds_max;
        data.values.append(there ? word(reply[2], second) : 0);
        if (there ? word(reply[3], second) == 0 : second <= sampled_s || late_s > 0)
            addGap(data, second);
    }
}

// The days of the reply end today.
void addMinutes(SeriesData &data, const Reply &reply, qint64 now_s, const SeriesRequest &request, qint64 late_s)
{
    const qint64 sampled_s = reply[1].integer(), since_s = reply[4].integer(), step_s = data.step_s;
    // Whole steps; the last one is the current one, or the one that `until` ends or is in.
    const qint64 last_s = request.until_s > 0 ? std::min(now_s, request.until_s - 1) : now_s;
    const qint64 end_s = (last_s / step_s + 1) * step_s;
    data.from_s = end_s - (request.range_s + step_s - 1) / step_s * step_s;
    const Reply values = reply[2], samples = reply[3];
    const qint64 firstDay = now_s / 86'400 - (values.size() - 1);
    for (qint64 step = data.from_s; step < end_s; step += step_s) {
        qint64 value = 0, sampled = 0;
        for (qint64 minute = step / 60; minute < (step + step_s) / 60; ++minute) {
            const qint64 day = minute / 1440 - firstDay;
            const qint64 word = day < 0 ? 0 : wordAt(values[day].view(), minute % 1440);
            sampled += day < 0 ? 0 : wordAt(samples[day].view(), minute % 1440);
            if (!isSize(data.metric))
                value += word;
            else if (minute <= sampled_s / 60)
                value = word;
        }
        data.values.append(value);
        if (step + step_s <= since_s || (sampled == 0 && (step + step_s <= sampled_s || late_s > 0)))
            addGap(data, step);
    }
}

} // namespace

GroupsPage groupsOf(const Reply &reply, qint64 period_s)
{
    GroupsPage page;
    page.now_ms = reply[0].integer();
    page.end = reply[1].integer() != 0;
    const Reply rows = reply[2];
    const auto workers = workerTrendsOf(reply[3], page.now_ms, period_s);
    for (qsizetype i = 0; i < rows.size(); ++i) {
        FailureGroup group = groupOf(rows[i], page.now_ms, period_s);
        for (const auto &[worker, count] : std::as_const(group.workers)) {
            if (const auto trend = workers.constFind(worker); trend != workers.cend())
                group.workerTrends.insert(worker, *trend);
        }
        page.groups.append(std::move(group));
    }
    return page;
}

DistributionPage statisticsOf(const Reply &reply)
{
    DistributionPage page;
    page.day = reply[1].integer();
    page.end = reply[2].integer() != 0;
    const Reply rows = reply[3];
    for (qsizetype i = 0; i < rows.size(); ++i)
        page.names.append(NameDistributions::fromPacked(rows[i][0].bytes(), rows[i][1].view()));
    return page;
}

bool bySeconds(const SeriesRequest &request)
{
    return request.name.isEmpty() && request.until_s == 0 && request.range_s <= limits::series_seconds_max; // names have minutes only
}

SeriesData seriesOf(const Reply &reply, const SeriesRequest &request)
{
    SeriesData data;
    data.metric = request.metric;
    data.step_s = stepOf(request);
    const qint64 now_s = reply[0].integer() / 1000;
    // The sample of this second may still come.
    const qint64 late_s = std::max<qint64>(0, now_s - reply[1].integer() - sampleLate_s);
    if (data.step_s == 1)
        addSeconds(data, reply, now_s, request.range_s, late_s);
    else
        addMinutes(data, reply, now_s, request, late_s);
    return data;
}

ResultPage resultsOf(const Reply &reply)
{
    ResultPage page;
    page.now_ms = reply[0].integer();
    page.total = reply[1].integer();
    page.end = reply[2].integer() != 0;
    const Reply rows = reply[3];
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const Reply row = rows[i];
        KeptResult result;
        result.expiresAt_ms = row[0].integer();
        result.id = JobId::fromBytes(row[1].view()).value_or(JobId());
        result.name = row[2].bytes();
        result.bytes = row[3].integer();
        result.finishedAt_ms = row[4].integer();
        page.results.append(result);
    }
    return page;
}

Result<RetentionSettings> retentionOf(const Reply &reply)
{
    return settingsOf(reply[2], reply[3]);
}

Result<RetentionChanged> retentionChangedOf(const Reply &reply)
{
    if (reply[2].kind() != Reply::Kind::Array)
        return reasons::retentionNamesTooMany(limits::retention_names_max);
    return RetentionChanged{settingsOf(reply[2], reply[3]), settingsOf(reply[4], reply[5])};
}

} // namespace junban::redis
