// What operators ask of the past.
#include "client/apicall.h"
#include "client/apidecoderecords.h"
#include "client/apiencode.h"
#include "core/base/isotime.h"
#include "core/msgpack/mapwriter.h"

namespace junban::client {

namespace {

QString failurePath(const QByteArray &signature, const char *verb = "")
{
    return QStringLiteral("/v1/failures/%1%2").arg(QString::fromLatin1(QUrl::toPercentEncoding(QString::fromUtf8(signature))),
                                                   QLatin1String(verb));
}

QString retentionPath(const QByteArray &name)
{
    return name.isEmpty() ? QStringLiteral("/v1/retention")
                          : QStringLiteral("/v1/retention/") + QString::fromLatin1(QUrl::toPercentEncoding(QString::fromUtf8(name)));
}

QByteArray windowWord(Window window)
{
    switch (window) {
    case Window::Hour: return "1h";
    case Window::ThreeHours: return "3h";
    case Window::Day: return "24h";
    case Window::ThreeDays: return "3d";
    case Window::Week: return "7d";
    }
    return {};
}

QByteArray stateWordOf(GroupState state)
{
    switch (state) {
    case GroupState::All: return "all";
    case GroupState::Open: return "open";
    case GroupState::Resolved: return "resolved";
    case GroupState::Muted: return "muted";
    }
    return {};
}

QByteArray keptBody(const Kept &kept)
{
    MapWriter map;
    if (kept.age_ms)
        map.seconds("age", *kept.age_ms);
    if (kept.count)
        map.key("count").integer(*kept.count);
    return map.take();
}

} // namespace

CallId ApiClient::failures(const FailuresQuery &query, Callback<FailureGroupPage> callback)
{
    Request request{Method::Get, QStringLiteral("/v1/failures"), {}, {}, 0, {}};
    request.query.append({QStringLiteral("window"), windowWord(query.window)});
    request.query.append({QStringLiteral("state"), stateWordOf(query.state)});
    request.query.append({QStringLiteral("limit"), QByteArray::number(query.limit)});
    if (!query.cursor.isEmpty())
        request.query.append({QStringLiteral("cursor"), query.cursor});
    return call<FailureGroupPage>(request, [](const Answer &answer) { return decodeGroupPage(answer.body); }, std::move(callback));
}

CallId ApiClient::failureSums(Window window, GroupState state, SumBy by, Callback<FailureSums> callback)
{
    const char *const key = by == SumBy::Name ? "name" : by == SumBy::Reason ? "reason" : "worker";
    Request request{Method::Get, QStringLiteral("/v1/failures"), {}, {}, 0, {}};
    request.query.append({QStringLiteral("window"), windowWord(window)});
    request.query.append({QStringLiteral("state"), stateWordOf(state)});
    request.query.append({QStringLiteral("group_by"), key});
    request.query.append({QStringLiteral("limit"), QByteArray::number(limits::page_rows_max)});
    return call<FailureSums>(request, [](const Answer &answer) { return decodeSums(answer.body); }, std::move(callback));
}

CallId ApiClient::failureGroup(const QByteArray &signature, Window window, int limit, const QByteArray &cursor,
                               Callback<FailurePage> callback)
{
    Request request{Method::Get, failurePath(signature), {}, {}, 0, {}};
    request.query.append({QStringLiteral("window"), windowWord(window)});
    request.query.append({QStringLiteral("limit"), QByteArray::number(limit)});
    if (!cursor.isEmpty())
        request.query.append({QStringLiteral("cursor"), cursor});
    return call<FailurePage>(request, [](const Answer &answer) { return decodeFailurePage(answer.body); }, std::move(callback));
}

CallId ApiClient::resolveFailures(const QByteArray &signature, bool resolved, Callback<FailureGroup> callback)
{
    MapWriter body;
    body.key("resolved").boolean(resolved);
    return call<FailureGroup>({Method::Post, failurePath(signature, "/resolve"), {}, body.take(), 0, {}},
                              [](const Answer &answer) { return decodeGroup(answer.body); }, std::move(callback));
}

CallId ApiClient::muteFailures(const QByteArray &signature, qint64 until_ms, Callback<FailureGroup> callback)
{
    MapWriter body;
    if (until_ms > 0)
        body.key("until").text(isoTime(until_ms));
    return call<FailureGroup>({Method::Post, failurePath(signature, "/mute"), {}, body.take(), 0, {}},
                              [](const Answer &answer) { return decodeGroup(answer.body); }, std::move(callback));
}

CallId ApiClient::retryFailures(const QByteArray &signature, int limit, Callback<GroupRetried> callback)
{
    MapWriter body;
    body.key("limit").integer(limit);
    return call<GroupRetried>({Method::Post, failurePath(signature, "/retry"), {}, body.take(), 0, {}},
                              [](const Answer &answer) { return decodeGroupRetried(answer.body); }, std::move(callback));
}

CallId ApiClient::results(int limit, const QByteArray &cursor, Callback<ResultPage> callback)
{
    Request request{Method::Get, QStringLiteral("/v1/results"), {{QStringLiteral("limit"), QByteArray::number(limit)}}, {}, 0, {}};
    if (!cursor.isEmpty())
        request.query.append({QStringLiteral("cursor"), cursor});
    return call<ResultPage>(request, [](const Answer &answer) { return decodeResultPage(answer.body); }, std::move(callback));
}

CallId ApiClient::discardResult(JobId id, Callback<Done> callback)
{
    return call<Done>({Method::Delete, jobPath(id, "/result"), {}, {}, 0, {}},
                      [](const Answer &answer) { return decodeDone(answer.body); }, std::move(callback));
}

CallId ApiClient::extendResult(JobId id, qint64 ttl_ms, Callback<KeptResult> callback)
{
    MapWriter body;
    body.seconds("ttl", ttl_ms);
    return call<KeptResult>({Method::Patch, jobPath(id, "/result"), {}, body.take(), 0, {}},
                            [](const Answer &answer) { return decodeKeptResult(answer.body); }, std::move(callback));
}

CallId ApiClient::stats(const StatsQuery &query, Callback<StatsPage> callback)
{
    Request request{Method::Get, QStringLiteral("/v1/stats"), {{QStringLiteral("limit"), QByteArray::number(query.limit)}}, {}, 0, {}};
    const QPair<QString, QByteArray> given[] = {{QStringLiteral("name"), query.name}, {QStringLiteral("day"), query.day},
        {QStringLiteral("after"), query.after}};
    for (const auto &parameter : given) {
        if (!parameter.second.isEmpty())
            request.query.append(parameter);
    }
    return call<StatsPage>(request, [](const Answer &answer) { return decodeStats(answer.body); }, std::move(callback));
}

CallId ApiClient::series(Metric metric, qint64 range_s, Callback<SeriesData> callback)
{
    Request request{Method::Get, QStringLiteral("/v1/series"), {}, {}, 0, {}};
    request.query.append({QStringLiteral("metric"), metricWord(metric)});
    request.query.append({QStringLiteral("range"), QByteArray::number(range_s)});
    return call<SeriesData>(request, [](const Answer &answer) { return decodeSeries(answer.body); }, std::move(callback));
}

CallId ApiClient::retention(Callback<RetentionSettings> callback)
{
    return call<RetentionSettings>({Method::Get, retentionPath({}), {}, {}, 0, {}},
                                   [](const Answer &answer) { return decodeRetention(answer.body); }, std::move(callback));
}

CallId ApiClient::setRetention(const QByteArray &name, const Retention &retention, Callback<RetentionSettings> callback)
{
    MapWriter body;
    body.key("succeeded").raw(keptBody(retention.succeeded));
    body.key("failed").raw(keptBody(retention.failed));
    body.key("cancelled").raw(keptBody(retention.cancelled));
    return call<RetentionSettings>({Method::Put, retentionPath(name), {}, body.take(), 0, {}},
                                   [](const Answer &answer) { return decodeRetention(answer.body); }, std::move(callback));
}

CallId ApiClient::clearRetention(const QByteArray &name, Callback<RetentionSettings> callback)
{
    if (name.isEmpty())
        return setRetention({}, {}, std::move(callback));
    return call<RetentionSettings>({Method::Delete, retentionPath(name), {}, {}, 0, {}},
                                   [](const Answer &answer) { return decodeRetention(answer.body); }, std::move(callback));
}

CallId ApiClient::track(JobId id, bool tracked, Callback<Done> callback)
{
    return call<Done>({tracked ? Method::Put : Method::Delete, jobPath(id, "/tracked"), {}, {}, 0, {}},
                      [](const Answer &answer) { return decodeDone(answer.body); }, std::move(callback));
}

CallId ApiClient::deleteJob(JobId id, Callback<StateNow> callback)
{
    return call<StateNow>({Method::Delete, jobPath(id), {}, {}, 0, {}},
                          [](const Answer &answer) { return decodeStateNow(answer.body); }, std::move(callback));
}

CallId ApiClient::restoreJob(JobId id, Callback<StateNow> callback)
{
    return call<StateNow>({Method::Post, jobPath(id, "/restore"), {}, encodeNothing(), 0, {}},
                          [](const Answer &answer) { return decodeStateNow(answer.body); }, std::move(callback));
}

CallId ApiClient::duplicateJob(JobId id, Callback<Enqueued> callback)
{
    return call<Enqueued>({Method::Post, jobPath(id, "/duplicate"), {}, encodeNothing(), 0, {}},
                          [](const Answer &answer) { return decodeEnqueued(answer.body); }, std::move(callback));
}

} // namespace junban::client
