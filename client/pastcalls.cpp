#include "client/pastcalls.h"

#include "core/base/isotime.h"
#include "core/base/reasons/client.h"

namespace junban::client {

CallId PastCalls::series(const SeriesRequest &request, Callback<SeriesData> callback)
{
    Query query{{QStringLiteral("metric"), metricWord(request.metric)}, {QStringLiteral("range"), QByteArray::number(request.range_s)}};
    if (!request.name.isEmpty())
        query.append({QStringLiteral("name"), request.name});
    if (request.until_s > 0)
        query.append({QStringLiteral("until"), isoTime(request.until_s * 1000)});
    return m_link.call<SeriesData>({Method::Get, QStringLiteral("/v1/series"), query}, [](const Answer &answer) {
        Result<SeriesData> data = unpackAnswer(seriesTable, answer.body);
        if (data.ok() && data->step_s < 1)
            return Result<SeriesData>(reasons::answerWithoutLength());
        return data;
    }, std::move(callback));
}

CallId PastCalls::retention(Callback<KeptSettings> callback)
{
    const auto read = [](const Answer &answer) -> Result<KeptSettings> {
        Result<RetentionSettings> settings = unpackAnswer(retentionSettingsTable, answer.body);
        return settings.ok() ? Result<KeptSettings>(KeptSettings{std::move(settings).value(), answer.tag}) : settings.error();
    };
    return m_link.call<KeptSettings>({Method::Get, retentionPath({})}, read, std::move(callback));
}

QString PastCalls::retentionPath(const QByteArray &name)
{
    return name.isEmpty() ? QStringLiteral("/v1/retention") : namedPath("/v1/retention/", name);
}

PastCalls::Query PastCalls::within(FailurePeriod period)
{
    constexpr const char *words[] = {"1h", "3h", "24h", "3d", "7d"};
    return {{QStringLiteral("window"), words[size_t(period)]}};
}

PastCalls::Query PastCalls::groups(const FailuresQuery &query)
{
    return within(query.period) + Query{{QStringLiteral("state"), groupStateWords[size_t(query.state)]}} + matching(query.match);
}

PastCalls::Query PastCalls::matching(const QByteArray &expression)
{
    return expression.isEmpty() ? Query() : Query{{QStringLiteral("match"), expression}};
}

PastCalls::Query PastCalls::sums(SumBy by)
{
    constexpr const char *words[] = {"name", "reason", "worker"};
    return {{QStringLiteral("group_by"), words[size_t(by)]}, {QStringLiteral("limit"), QByteArray::number(limits::page_rows_max)}};
}

PastCalls::Query PastCalls::statsQuery(const StatsQuery &query)
{
    Query asked = pageQuery(query.limit, "after", query.after);
    if (!query.name.isEmpty())
        asked.append({QStringLiteral("name"), query.name});
    if (!query.day.isEmpty())
        asked.append({QStringLiteral("day"), query.day});
    return asked;
}

} // namespace junban::client
