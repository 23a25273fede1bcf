#pragma once

#include "client/apilink.h"
#include "core/jobs/recordvalues.h"

namespace junban::client {

enum class FailurePeriod { Hour, ThreeHours, Day, ThreeDays, Week };

struct FailuresQuery {
    FailurePeriod period = FailurePeriod::Day;
    GroupState state = GroupState::All;
    int limit = limits::page_rows_default;
    QByteArray cursor = {};          // `next` of the page before
};
struct StatsQuery {
    QByteArray name = {};            // empty: all names
    QByteArray day = {};             // empty: today
    int limit = limits::page_rows_default;
    QByteArray after = {};
};

// What is remembered of the past.
class PastCalls
{
public:
    explicit PastCalls(ApiLink &link) : m_link(link) {}

    // Failures in groups
    CallId failures(const FailuresQuery &query, Callback<FailureList> callback);
    CallId failureSums(FailurePeriod period, GroupState state, SumBy by, Callback<FailureList> callback);
    CallId failureGroup(
        const QByteArray &signature, FailurePeriod period, int limit, const QByteArray &cursor, Callback<FailurePage> callback);
    CallId resolveFailures(const QByteArray &signature, bool resolved, Callback<FailureGroup> callback);
    // 0: not muted any more.
    CallId muteFailures(const QByteArray &signature, qint64 until_ms, Callback<FailureGroup> callback);
    // At most limits::failure_retry_max jobs; call again while some are left.
    CallId retryFailures(const QByteArray &signature, int limit, Callback<GroupRetried> callback);
    // Results that wait
    CallId results(int limit, const QByteArray &cursor, Callback<ResultPage> callback);
    CallId discardResult(JobId id, Callback<Done> callback);
    CallId extendResult(JobId id, qint64 ttl_ms, Callback<KeptResult> callback);
    // Charts and statistics
    CallId stats(const StatsQuery &query, Callback<StatsPage> callback);
    CallId series(Metric metric, qint64 range_s, Callback<SeriesData> callback);
    // Retention; `name` empty: for all.
    CallId retention(Callback<RetentionSettings> callback);
    CallId setRetention(const QByteArray &name, const Retention &retention, Callback<RetentionSettings> callback);
    CallId clearRetention(const QByteArray &name, Callback<RetentionSettings> callback);

private:
    ApiLink &m_link;
};

} // namespace junban::client
