#include "client/apidecoderecords.h"

#include "client/decoding.h"

namespace junban::client {

namespace {

QList<qint64> integers(const Value &value)
{
    QList<qint64> list;
    value.eachElement([&](const Value &element) {
        list.append(element.integer());
        return true;
    });
    return list;
}

void readWorkers(FailureGroup &group, const Value &value)
{
    value.eachElement([&](const Value &element) {
        QPair<QByteArray, qint64> worker;
        element.eachField([&](QByteArrayView key, const Value &field) {
            if (key == "worker")
                worker.first = field.text();
            else if (key == "count")
                worker.second = field.integer();
        });
        group.workers.append(worker);
        return true;
    });
}

void readSamples(FailureGroup &group, const Value &value)
{
    value.eachElement([&](const Value &element) {
        if (const auto id = element.id())
            group.samples.append(*id);
        return true;
    });
}

void readGroupTexts(FailureGroup &group, QByteArrayView key, const Value &value)
{
    if (key == "signature")
        group.signature = value.text();
    else if (key == "name")
        group.name = value.text();
    else if (key == "reason")
        group.reason = value.text();
    else if (key == "title")
        group.title = value.text();
    else if (key == "state")
        group.resolved = value.text() == "resolved";
    else if (key == "first_seen")
        group.firstAt_ms = value.time_ms();
    else if (key == "last_seen")
        group.lastAt_ms = value.time_ms();
    else if (key == "resolved_at")
        group.resolvedAt_ms = value.time_ms();
    else if (key == "muted_until")
        group.mutedUntil_ms = value.time_ms();
}

void readGroupCounts(FailureGroup &group, QByteArrayView key, const Value &value)
{
    if (key == "count")
        group.count = value.integer();
    else if (key == "final")
        group.finalCount = value.integer();
    else if (key == "failed")
        group.failedNow = value.integer();
    else if (key == "in_window")
        group.inWindow = value.integer();
    else if (key == "last_hour")
        group.lastHour = value.integer();
    else if (key == "trend_step")
        group.trendStep_s = value.integer();
    else if (key == "trend")
        group.trend = integers(value);
    else if (key == "workers")
        readWorkers(group, value);
    else if (key == "samples")
        readSamples(group, value);
}

Result<FailureSum> decodeSum(QByteArrayView body)
{
    FailureSum sum;
    FailureGroup group; // has the same fields
    Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "key")
            sum.key = value.text();
        else if (key == "groups")
            sum.groups = value.integer();
        readGroupTexts(group, key, value);
        readGroupCounts(group, key, value);
    });
    sum.count = group.count;
    sum.failedNow = group.failedNow;
    sum.inWindow = group.inWindow;
    sum.lastHour = group.lastHour;
    sum.firstAt_ms = group.firstAt_ms;
    sum.lastAt_ms = group.lastAt_ms;
    sum.trendStep_s = group.trendStep_s;
    sum.trend = group.trend;
    return sum;
}

Result<HistogramBin> decodeBin(QByteArrayView body)
{
    HistogramBin bin;
    Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "from")
            bin.from_s = value.real();
        else if (key == "to")
            bin.to_s = value.real();
        else if (key == "count")
            bin.count = value.integer();
    });
    return bin;
}

QList<HistogramBin> binsOf(const Value &value)
{
    Result<QList<HistogramBin>> bins = listOf<HistogramBin>(value, decodeBin);
    return bins.ok() ? std::move(bins).value() : QList<HistogramBin>();
}

Measure readMeasure(const Value &value)
{
    Measure measure;
    value.eachField([&](QByteArrayView key, const Value &field) {
        if (key == "count")
            measure.count = field.integer();
        else if (key == "mean")
            measure.mean_s = field.real();
        else if (key == "variance")
            measure.variance_s2 = field.real();
        else if (key == "p50")
            measure.p50_s = field.real();
        else if (key == "p95")
            measure.p95_s = field.real();
        else if (key == "p99")
            measure.p99_s = field.real();
        else if (key == "histogram")
            measure.histogram = binsOf(field);
    });
    return measure;
}

Result<NameStats> decodeNameStats(QByteArrayView body)
{
    NameStats stats;
    Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "name")
            stats.name = value.text();
        else if (key == "wait")
            stats.wait = readMeasure(value);
        else if (key == "run")
            stats.run = readMeasure(value);
        else if (key == "failures")
            stats.failures = value.integer();
        else if (key == "retries")
            stats.retries = value.integer();
        else if (key == "expiries")
            stats.expiries = value.integer();
    });
    return stats;
}

Kept readKept(const Value &value)
{
    Kept kept;
    value.eachField([&](QByteArrayView key, const Value &field) {
        if (key == "age")
            kept.age_ms = field.duration_ms();
        else if (key == "count")
            kept.count = field.integer();
    });
    return kept;
}

void readRetention(Retention &retention, QByteArrayView key, const Value &value)
{
    if (key == "succeeded")
        retention.succeeded = readKept(value);
    else if (key == "failed")
        retention.failed = readKept(value);
    else if (key == "cancelled")
        retention.cancelled = readKept(value);
}

} // namespace

Result<Done> decodeDone(QByteArrayView body)
{
    return fieldOf(body, "done").boolean() ? Result<Done>(Done{}) : Result<Done>(malformed("it was not done"));
}

Result<FailureGroup> decodeGroup(QByteArrayView body)
{
    FailureGroup group;
    Value(body).eachField([&](QByteArrayView key, const Value &value) {
        readGroupTexts(group, key, value);
        readGroupCounts(group, key, value);
    });
    if (group.signature.isEmpty())
        return malformed("a group has no signature");
    return group;
}

Result<FailureGroupPage> decodeGroupPage(QByteArrayView body)
{
    Result<QList<FailureGroup>> groups = listOf<FailureGroup>(fieldOf(body, "groups"), decodeGroup);
    if (!groups.ok())
        return groups.error();
    return FailureGroupPage{std::move(groups).value(), fieldOf(body, "next").text()};
}

Result<FailureSums> decodeSums(QByteArrayView body)
{
    Result<QList<FailureSum>> sums = listOf<FailureSum>(fieldOf(body, "sums"), decodeSum);
    if (!sums.ok())
        return sums.error();
    return FailureSums{std::move(sums).value(), fieldOf(body, "complete").boolean()};
}

Result<FailurePage> decodeFailurePage(QByteArrayView body)
{
    Result<FailureGroup> group = decodeGroup(fieldOf(body, "group").bytes());
    Result<QList<Job>> jobs = listOf<Job>(fieldOf(body, "jobs"), decodeJob);
    if (!group.ok() || !jobs.ok())
        return group.ok() ? jobs.error() : group.error();
    return FailurePage{std::move(group).value(), std::move(jobs).value(), fieldOf(body, "total").integer(), fieldOf(body, "next").text()};
}

Result<GroupRetried> decodeGroupRetried(QByteArrayView body)
{
    if (!Value(body).isMap())
        return malformed("it does not say how many ran again");
    return GroupRetried{fieldOf(body, "retried").integer(), fieldOf(body, "left").integer()};
}

Result<KeptResult> decodeKeptResult(QByteArrayView body)
{
    KeptResult result;
    std::optional<JobId> id;
    Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "id")
            id = value.id();
        else if (key == "name")
            result.name = value.text();
        else if (key == "bytes")
            result.bytes = value.integer();
        else if (key == "finished_at")
            result.finishedAt_ms = value.time_ms();
        else if (key == "expires_at")
            result.expiresAt_ms = value.time_ms();
    });
    if (!id)
        return malformed("a result has no job");
    result.id = *id;
    return result;
}

Result<ResultPage> decodeResultPage(QByteArrayView body)
{
    Result<QList<KeptResult>> results = listOf<KeptResult>(fieldOf(body, "results"), decodeKeptResult);
    if (!results.ok())
        return results.error();
    return ResultPage{std::move(results).value(), fieldOf(body, "total").integer(), fieldOf(body, "next").text()};
}

Result<StatsPage> decodeStats(QByteArrayView body)
{
    Result<QList<NameStats>> names = listOf<NameStats>(fieldOf(body, "stats"), decodeNameStats);
    if (!names.ok())
        return names.error();
    return StatsPage{fieldOf(body, "day").text(), std::move(names).value(), fieldOf(body, "next").text()};
}

Result<SeriesData> decodeSeries(QByteArrayView body)
{
    const std::optional<Metric> metric = metricFromWord(fieldOf(body, "metric").text());
    const qint64 step_s = fieldOf(body, "step").integer();
    if (!metric || step_s < 1)
        return malformed("a series has no metric or step");
    return SeriesData{*metric, step_s, fieldOf(body, "from").time_ms() / 1000, integers(fieldOf(body, "values"))};
}

Result<RetentionSettings> decodeRetention(QByteArrayView body)
{
    RetentionSettings settings;
    const bool complete = Value(body).eachField([&](QByteArrayView key, const Value &value) {
        readRetention(settings.all, key, value);
        if (key != "names")
            return;
        value.eachElement([&](const Value &element) {
            QPair<QByteArray, Retention> entry;
            element.eachField([&](QByteArrayView name, const Value &field) {
                if (name == "name")
                    entry.first = field.text();
                readRetention(entry.second, name, field);
            });
            settings.names.append(entry);
            return true;
        });
    });
    if (!complete)
        return malformed("the settings are no map");
    return settings;
}

} // namespace junban::client
