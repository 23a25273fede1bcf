#include "client/pastcalls.h"

#include "client/apicall.h"
#include "core/jobs/pastfields.h"

namespace junban::client {

namespace {

using Method = ApiLink::Method;
using Request = ApiLink::Request;

constexpr const char *periodWords[] = {"1h", "3h", "24h", "3d", "7d"};
constexpr const char *sumByWords[] = {"name", "reason", "worker"};

QString failurePath(const QByteArray &signature, const char *verb = "")
{
    return namedPath("/v1/failures/", signature, verb);
}

QString retentionPath(const QByteArray &name)
{
    return name.isEmpty() ? QStringLiteral("/v1/retention") : namedPath("/v1/retention/", name);
}

Request groupsRequest(FailurePeriod period, GroupState state)
{
    return {Method::Get, QStringLiteral("/v1/failures"),
        {{QStringLiteral("window"), periodWords[size_t(period)]}, {QStringLiteral("state"), groupStateWords[size_t(state)]}}};
}

} // namespace

CallId PastCalls::failures(const FailuresQuery &query, Callback<FailureList> callback)
{
    Request request = groupsRequest(query.period, query.state);
    request.query += pageQuery(query.limit, QStringLiteral("cursor"), query.cursor);
    return m_link.call(request, failureListTable, std::move(callback));
}

CallId PastCalls::failureSums(FailurePeriod period, GroupState state, SumBy by, Callback<FailureList> callback)
{
    Request request = groupsRequest(period, state);
    request.query.append({QStringLiteral("group_by"), sumByWords[size_t(by)]});
    request.query.append({QStringLiteral("limit"), QByteArray::number(limits::page_rows_max)});
    return m_link.call(request, failureListTable, std::move(callback));
}

CallId PastCalls::failureGroup(
    const QByteArray &signature, FailurePeriod period, int limit, const QByteArray &cursor, Callback<FailurePage> callback)
{
    Request request{Method::Get, failurePath(signature), {{QStringLiteral("window"), periodWords[size_t(period)]}}};
    request.query += pageQuery(limit, QStringLiteral("cursor"), cursor);
    return m_link.call(request, failurePageTable, std::move(callback));
}

CallId PastCalls::resolveFailures(const QByteArray &signature, bool resolved, Callback<FailureGroup> callback)
{
    return m_link.call(
        {Method::Post, failurePath(signature, "/resolve"), {}, pack(resolveTable, {resolved})}, failureGroupTable, std::move(callback));
}

CallId PastCalls::muteFailures(const QByteArray &signature, qint64 until_ms, Callback<FailureGroup> callback)
{
    return m_link.call(
        {Method::Post, failurePath(signature, "/mute"), {}, pack(muteTable, {until_ms})}, failureGroupTable, std::move(callback));
}

CallId PastCalls::retryFailures(const QByteArray &signature, int limit, Callback<GroupRetried> callback)
{
    return m_link.call(
        {Method::Post, failurePath(signature, "/retry"), {}, pack(groupRetryTable, {limit})}, groupRetriedTable, std::move(callback));
}

CallId PastCalls::results(int limit, const QByteArray &cursor, Callback<ResultPage> callback)
{
    return m_link.call({Method::Get, QStringLiteral("/v1/results"), pageQuery(limit, QStringLiteral("cursor"), cursor)}, resultPageTable,
        std::move(callback));
}

CallId PastCalls::discardResult(JobId id, Callback<Done> callback)
{
    return m_link.call<Done>({Method::Delete, jobPath(id, "/result")}, readDone, std::move(callback));
}

CallId PastCalls::extendResult(JobId id, qint64 ttl_ms, Callback<KeptResult> callback)
{
    return m_link.call({Method::Patch, jobPath(id, "/result"), {}, pack(resultPatchTable, {ttl_ms})}, keptResultTable, std::move(callback));
}

CallId PastCalls::stats(const StatsQuery &query, Callback<StatsPage> callback)
{
    Request request{Method::Get, QStringLiteral("/v1/stats"), pageQuery(query.limit, QStringLiteral("after"), query.after)};
    const QPair<QString, QByteArray> given[] = {{QStringLiteral("name"), query.name}, {QStringLiteral("day"), query.day}};
    for (const auto &parameter : given) {
        if (!parameter.second.isEmpty())
            request.query.append(parameter);
    }
    return m_link.call(request, statsPageTable, std::move(callback));
}

CallId PastCalls::series(Metric metric, qint64 range_s, Callback<SeriesData> callback)
{
    const Request request{Method::Get, QStringLiteral("/v1/series"),
        {{QStringLiteral("metric"), metricWord(metric)}, {QStringLiteral("range"), QByteArray::number(range_s)}}};
    return m_link.call<SeriesData>(request, [](const ApiLink::Answer &answer) {
        Result<SeriesData> data = unpackAnswer(seriesTable, answer.body);
        if (data.ok() && data->step_s < 1)
            return Result<SeriesData>(Error{ErrorCode::Malformed, "The answer is not what this client expects: its steps have no length."});
        return data;
    }, std::move(callback));
}

CallId PastCalls::retention(Callback<RetentionSettings> callback)
{
    return m_link.call({Method::Get, retentionPath({})}, retentionSettingsTable, std::move(callback));
}

CallId PastCalls::setRetention(const QByteArray &name, const Retention &retention, Callback<RetentionSettings> callback)
{
    return m_link.call(
        {Method::Put, retentionPath(name), {}, pack(retentionTable, retention)}, retentionSettingsTable, std::move(callback));
}

CallId PastCalls::clearRetention(const QByteArray &name, Callback<RetentionSettings> callback)
{
    if (name.isEmpty())
        return setRetention({}, {}, std::move(callback));
    return m_link.call({Method::Delete, retentionPath(name)}, retentionSettingsTable, std::move(callback));
}

} // namespace junban::client
