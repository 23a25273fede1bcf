#include "server/api/answers.h"
#include "server/api/api.h"
#include "server/api/recordanswers.h"
#include "server/api/recordrequests.h"
#include "server/api/requests.h"

// What operators see of the past, and what they do to it.
namespace junban::api {

namespace {

// The first of some results that is an error, or null.
template<typename... T>
const Error *firstError(const Result<T> &...results)
{
    const Error *found = nullptr;
    ((found = found || results.ok() ? found : &results.error()), ...);
    return found;
}

// Answers with what `encode` makes of a value, or with the problem.
template<typename T, typename Encode>
Callback<T> answer(const Call &call, Encode encode, int status = 200)
{
    return [call, encode, status](const Result<T> &result) {
        if (result.ok())
            call.reply(status, encode(*result));
        else
            call.fail(result.error());
    };
}

QByteArray encodeNothing(const Done &)
{
    return encodeDone();
}

} // namespace

// Also without a group: the signature is made of what can be one only.
std::optional<QByteArray> Api::signatureOf(const Call &call) const
{
    const QByteArray signature = call.match().parameters.value(0);
    const bool valid = signature.size() == 32 && std::all_of(signature.cbegin(), signature.cend(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    });
    if (!valid)
        call.fail(Error{ErrorCode::NotFound, "There is no such group of failures.", "signature"});
    return valid ? std::optional(signature) : std::nullopt;
}

void Api::listSet(const Call &call, JobSet set, const Inspector::ListRequest &request)
{
    Lookback::JobsQuery query;
    query.set = set;
    query.filter = request.filter;
    query.filter.state = request.state;
    query.limit = request.limit;
    query.cursor = request.cursor;
    m_lookback.jobs(std::move(query), answer<Lookback::JobList>(call, encodeJobs));
}

void Api::deleteJob(const Call &call)
{
    if (const std::optional<JobId> id = idOf(call))
        m_lookback.remove(*id, answer<StateNow>(call, encodeState));
}

void Api::restoreJob(const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    const Result<Done> nothing = decodeNothing(call.body);
    if (nothing.ok())
        m_lookback.restore(*id, answer<StateNow>(call, encodeState));
    else
        call.fail(nothing.error());
}

void Api::duplicateJob(const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    const Result<Done> nothing = decodeNothing(call.body);
    if (nothing.ok())
        m_lookback.duplicate(*id, answer<Enqueued>(call, encodeEnqueued, 201));
    else
        call.fail(nothing.error());
}

void Api::trackJob(const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    const Result<Done> nothing = decodeNothing(call.body);
    if (nothing.ok())
        m_lookback.records().track(*id, true, answer<Done>(call, encodeNothing));
    else
        call.fail(nothing.error());
}

void Api::untrackJob(const Call &call)
{
    if (const std::optional<JobId> id = idOf(call))
        m_lookback.records().track(*id, false, answer<Done>(call, encodeNothing));
}

void Api::discardResult(const Call &call)
{
    if (const std::optional<JobId> id = idOf(call))
        m_lookback.records().discardResult(*id, answer<Done>(call, encodeNothing));
}

void Api::extendResult(const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    const Result<qint64> ttl_ms = decodeResultPatch(call.body);
    if (!ttl_ms.ok()) {
        call.fail(ttl_ms.error());
        return;
    }
    m_lookback.records().extendResult(*id, *ttl_ms, [this, call, id = *id](const Result<Done> &done) {
        if (done.ok())
            m_lookback.records().result(id, answer<KeptResult>(call, encodeKeptResult));
        else
            call.fail(done.error());
    });
}

void Api::listFailures(const Call &call)
{
    const Result<qint64> window_s = windowOf(call);
    const Result<Lookback::GroupState> state = groupStateOf(call);
    const Result<std::optional<Lookback::SumBy>> by = sumByOf(call);
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    const Result<QByteArray> cursor = call.name("cursor");
    if (const Error *error = firstError(window_s, state, by, limit, cursor)) {
        call.fail(*error);
        return;
    }
    if (*by) {
        m_lookback.sums(*window_s, *state, **by, answer<Lookback::Sums>(call, [rows = *limit](Lookback::Sums sums) {
            if (sums.sums.size() > rows) {
                sums.sums.resize(rows);
                sums.complete = false;
            }
            return encodeSums(sums);
        }));
        return;
    }
    m_lookback.groups({*window_s, *state, *limit, *cursor}, answer<Lookback::GroupList>(call, encodeGroups));
}

void Api::getFailures(const Call &call)
{
    const std::optional<QByteArray> signature = signatureOf(call);
    if (!signature)
        return;
    const Result<qint64> window_s = windowOf(call);
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    const Result<QByteArray> cursor = call.name("cursor");
    if (const Error *error = firstError(window_s, limit, cursor)) {
        call.fail(*error);
        return;
    }
    Lookback::JobsQuery query;
    query.set = JobSet::FailedInGroup;
    query.signature = *signature;
    query.limit = *limit;
    query.cursor = *cursor;
    m_lookback.records().group(*signature, *window_s, [this, call, query](const Result<FailureGroup> &group) {
        if (!group.ok()) {
            call.fail(group.error());
            return;
        }
        m_lookback.jobs(query, answer<Lookback::JobList>(call, [group = *group](const Lookback::JobList &jobs) {
            return encodeGroupPage(group, jobs);
        }));
    });
}

void Api::changeFailures(const Call &call, const QByteArray &signature, const FailureGroupChange &change)
{
    m_lookback.records().changeGroup(signature, change, [this, call, signature](const Result<Done> &done) {
        if (done.ok())
            m_lookback.records().group(signature, 86'400, answer<FailureGroup>(call, encodeGroup));
        else
            call.fail(done.error());
    });
}

void Api::resolveFailures(const Call &call)
{
    const std::optional<QByteArray> signature = signatureOf(call);
    if (!signature)
        return;
    const Result<bool> resolved = decodeResolve(call.body);
    if (resolved.ok())
        changeFailures(call, *signature, {*resolved, {}});
    else
        call.fail(resolved.error());
}

void Api::muteFailures(const Call &call)
{
    const std::optional<QByteArray> signature = signatureOf(call);
    if (!signature)
        return;
    const Result<qint64> until_ms = decodeMute(call.body);
    if (until_ms.ok())
        changeFailures(call, *signature, {{}, *until_ms});
    else
        call.fail(until_ms.error());
}

void Api::retryFailures(const Call &call)
{
    const std::optional<QByteArray> signature = signatureOf(call);
    if (!signature)
        return;
    const Result<int> limit = decodeGroupRetry(call.body);
    if (limit.ok())
        m_lookback.retryGroup(*signature, *limit, answer<Lookback::GroupRetry>(call, encodeGroupRetry));
    else
        call.fail(limit.error());
}

void Api::listResults(const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    const Result<QByteArray> cursor = call.name("cursor");
    if (const Error *error = firstError(limit, cursor))
        call.fail(*error);
    else
        m_lookback.results(*limit, *cursor, answer<Lookback::ResultList>(call, encodeResults));
}

void Api::getStats(const Call &call)
{
    const Result<QByteArray> name = call.name("name");
    const Result<std::optional<qint64>> day = dayOf(call);
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    const Result<QByteArray> after = call.name("after");
    if (const Error *error = firstError(name, day, limit, after))
        call.fail(*error);
    else
        m_lookback.records().statistics({*name, *day, *limit, *after}, answer<StatisticsPage>(call, encodeStatistics));
}

void Api::getSeries(const Call &call)
{
    const Result<Metric> metric = metricOf(call);
    const Result<qint64> range_s = rangeOf(call);
    if (const Error *error = firstError(metric, range_s))
        call.fail(*error);
    else
        m_lookback.records().series(*metric, *range_s, answer<SeriesData>(call, encodeSeries));
}

void Api::getRetention(const Call &call)
{
    m_lookback.records().retention(answer<RetentionSettings>(call, encodeRetention));
}

void Api::setRetention(const Call &call)
{
    const Result<Retention> retention = decodeRetention(call.body);
    const QByteArray name = call.match().parameters.value(0);
    if (!retention.ok())
        call.fail(retention.error());
    else if (const Result<Done> valid = call.validName("name", name); !name.isNull() && !valid.ok())
        call.fail(valid.error());
    else
        m_lookback.records().setRetention(name, *retention, answer<RetentionSettings>(call, encodeRetention));
}

void Api::clearNameRetention(const Call &call)
{
    m_lookback.records().clearRetention(call.match().parameters.value(0), answer<RetentionSettings>(call, encodeRetention));
}

} // namespace junban::api
