#include "core/redis/redispast.h"

#include "core/base/reasons/store.h"
#include "core/lua/schema.h"
#include "core/redis/caller.h"
#include "core/redis/numbers.h"
#include "core/redis/randomhex.h"
#include "core/redis/pastreplies.h"
#include "core/redis/replies.h"

#include <algorithm>

namespace junban::redis {

namespace {

QByteArray keyOf(const SetPageRequest &request)
{
    switch (request.set) {
    case JobSet::Tracked: return key::tracked;
    case JobSet::Trash: return key::trash;
    case JobSet::FailedInGroup: return key::failure_jobs + request.signature;
    }
    return {};
}

Error noSuchGroup()
{
    return ofField(reasons::failureGroupNotFound(), "signature");
}

Error noSuchResult()
{
    return reasons::resultNotFound();
}

Removed removedOf(const Reply &reply)
{
    Removed removed;
    for (qsizetype i = 0; i < reply[2].size(); ++i)
        removed.items.append(stateNowOf(reply[2][i]));
    for (qsizetype i = 0; i < reply[3][0].size(); ++i)
        removed.hints.readyNames.append(reply[3][0][i].bytes());
    for (qsizetype i = 0; i < reply[3][1].size(); ++i) {
        if (const auto id = JobId::fromBytes(reply[3][1][i].view()))
            removed.hints.finished.append(*id);
    }
    return removed;
}

} // namespace

class RedisPast::Private : public Caller
{
public:
    Private(Link &commands, const QByteArray &namespaceName, Clock &theClock, ScriptClock scriptClock)
        : Caller(commands, namespaceName, theClock, "past")
        , groups(makeScript("failures", scriptClock))
        , mark(makeScript("failure_mark", scriptClock))
        , pageOf(makeScript("page_of", scriptClock))
        , stats(makeScript("stats", scriptClock))
        , measured(makeScript("measured", scriptClock))
        , series(makeScript("series", scriptClock))
        , results(makeScript("results", scriptClock))
        , resultOwner(makeScript("result_owner", scriptClock))
        , resultEdit(makeScript("result_edit", scriptClock))
        , retention(makeScript("retention", scriptClock))
        , track(makeScript("track", scriptClock))
        , trash(makeScript("trash", scriptClock))
        , restore(makeScript("restore", scriptClock))
    {
    }

    // Runs a script whose reply is now, transaction, and 1 when it found what it was to change; else the error is `otherwise`.
    void change(const Script &script, QList<QByteArray> arguments, Callback<Done> callback, const Error &otherwise)
    {
        run(script, std::move(arguments), std::move(callback), [otherwise](const Reply &reply) {
            return reply[2].integer() == 1 ? Result<Done>(Done{}) : Result<Done>(otherwise);
        });
    }

    QList<QByteArray> withIds(const QList<JobId> &ids, const QByteArray &by) const
    {
        QList<QByteArray> arguments{engine, by};
        for (const JobId &id : ids)
            arguments << id.bytes();
        return arguments;
    }

    // Not the name of an engine, so every engine gets the hints, also this master's.
    QByteArray engine = "past-" + randomHex(8);
    Script groups, mark, pageOf, stats, measured, series, results, resultOwner, resultEdit, retention, track, trash, restore;
};

RedisPast::RedisPast(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock)
    : d(std::make_unique<Private>(commands, namespaceName, clock, scriptClock))
{
}

RedisPast::~RedisPast() = default;

void RedisPast::groups(GroupsRequest request, Callback<GroupsPage> callback)
{
    QList<QByteArray> arguments{QByteArray(), number(request.limit)};
    arguments << afterWords(request.after) << (request.workerTrends ? "1" : "0");
    d->run(d->groups, std::move(arguments), std::move(callback),
        [period_s = request.period_s](const Reply &reply) { return groupsOf(reply, period_s); });
}

void RedisPast::group(QByteArray signature, qint64 period_s, Callback<FailureGroup> callback)
{
    d->run(d->groups, {std::move(signature)}, std::move(callback), [period_s](const Reply &reply) {
        const GroupsPage page = groupsOf(reply, period_s);
        return page.groups.isEmpty() ? Result<FailureGroup>(noSuchGroup()) : Result<FailureGroup>(page.groups.first());
    });
}

void RedisPast::changeGroup(QByteArray signature, FailureGroupChange change, Callback<Done> callback)
{
    const QByteArray state = !change.resolved ? QByteArray() : *change.resolved ? "r" : "o";
    const QByteArray muted = change.mutedUntil_ms ? number(*change.mutedUntil_ms) : QByteArray();
    d->change(d->mark, {d->engine, std::move(signature), state, muted}, std::move(callback), noSuchGroup());
}

void RedisPast::jobsOf(SetPageRequest request, Callback<Page> callback)
{
    QList<QByteArray> arguments{keyOf(request), number(request.limit)};
    arguments << afterWords(request.after) << cutAt(request.detail);
    d->run(d->pageOf, std::move(arguments), std::move(callback), [](const Reply &reply) {
        Page page = pageOf(reply, JobState::Ready);
        page.rest = reply[4].integer();
        return Result<Page>(std::move(page));
    });
}

void RedisPast::statistics(StatisticsRequest request, Callback<DistributionPage> callback)
{
    const QByteArray day = request.day ? number(*request.day) : QByteArray();
    d->run(d->stats, {request.name, day, number(request.limit), request.after}, std::move(callback), statisticsOf);
}

void RedisPast::measured(Callback<WholeDistributions> callback)
{
    d->run(d->measured, {}, std::move(callback), [](const Reply &reply) { return WholeDistributions::fromPacked(reply[1].bytes()); });
}

void RedisPast::series(SeriesRequest request, Callback<SeriesData> callback)
{
    // The first day of the range, and the day before it for a step that begins there. The script skips days that it does not have.
    const qint64 now_s = d->clock.now_ms() / 1000;
    const qint64 first = ((request.until_s > 0 ? std::min(request.until_s, now_s) : now_s) - request.range_s) / 86'400 - 1;
    const auto place = std::find(nameMetrics.begin(), nameMetrics.end(), request.metric) - nameMetrics.begin();
    d->run(d->series, {number(request.name.isEmpty() ? qint64(request.metric) : qint64(place)),
                       bySeconds(request) ? QByteArray() : number(first), number(metrics_count), request.name}, std::move(callback),
        [request](const Reply &reply) { return seriesOf(reply, request); });
}

void RedisPast::results(ResultsRequest request, Callback<ResultPage> callback)
{
    QList<QByteArray> arguments{number(request.limit)};
    arguments << afterWords(request.after);
    d->run(d->results, std::move(arguments), std::move(callback), resultsOf);
}

void RedisPast::result(JobId id, Callback<KeptResult> callback)
{
    d->run(d->results, {"1", QByteArray(), QByteArray(), QByteArray(), id.bytes()}, std::move(callback), [](const Reply &reply) {
        const ResultPage page = resultsOf(reply);
        return page.results.isEmpty() ? Result<KeptResult>(noSuchResult()) : Result<KeptResult>(page.results.first());
    });
}

void RedisPast::resultOwner(JobId id, Callback<Job> callback)
{
    d->run(d->resultOwner, {id.bytes()}, std::move(callback), [id](const Reply &reply) { return resultOwnerOf(id, reply); });
}

void RedisPast::discardResult(JobId id, Callback<Done> callback)
{
    d->change(d->resultEdit, {d->engine, id.bytes(), "0"}, std::move(callback), noSuchResult());
}

void RedisPast::extendResult(JobId id, qint64 ttl_ms, Callback<Done> callback)
{
    d->change(d->resultEdit, {d->engine, id.bytes(), number(ttl_ms)}, std::move(callback), noSuchResult());
}

void RedisPast::retention(Callback<RetentionSettings> callback)
{
    d->run(d->retention, {d->engine, "get", QByteArray()}, std::move(callback), retentionOf);
}

void RedisPast::setRetention(QByteArray name, Retention retention, Callback<RetentionChanged> callback)
{
    QList<QByteArray> arguments{d->engine, "set", std::move(name)};
    for (const Kept &kept : {retention.succeeded, retention.failed, retention.cancelled})
        arguments << number(kept.age_ms.value_or(-1)) << number(kept.count.value_or(-1));
    d->run(d->retention, std::move(arguments), std::move(callback), retentionChangedOf);
}

void RedisPast::clearRetention(QByteArray name, Callback<RetentionChanged> callback)
{
    d->run(d->retention, {d->engine, "clear", std::move(name)}, std::move(callback), retentionChangedOf);
}

void RedisPast::track(JobId id, bool tracked, Callback<Done> callback)
{
    d->run(d->track, {d->engine, id.bytes(), tracked ? "1" : "0"}, std::move(callback), [](const Reply &reply) -> Result<Done> {
        const QByteArray word = reply[2].bytes();
        if (word == "CONFLICT")
            return reasons::trackedTooMany(limits::tracked_max);
        return word == "DONE" ? Result<Done>(Done{}) : Result<Done>(errorOfWord(word));
    });
}

void RedisPast::remove(QList<JobId> ids, QByteArray by, Callback<Removed> callback)
{
    d->run(d->trash, d->withIds(ids, by), std::move(callback), removedOf);
}

void RedisPast::restore(QList<JobId> ids, QByteArray by, Callback<Removed> callback)
{
    d->run(d->restore, d->withIds(ids, by), std::move(callback), removedOf);
}

} // namespace junban::redis
