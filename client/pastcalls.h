#pragma once

#include "client/calls.h"
#include "core/jobs/pastfields.h"

namespace junban::client {

enum class FailurePeriod { Hour, ThreeHours, Day, ThreeDays, Week };

struct FailuresQuery {
    FailurePeriod period = FailurePeriod::Day;
    GroupState state = GroupState::All;
    int limit = limits::page_rows_default;
    QByteArray cursor = {};          // `next` of the page before
    QByteArray match = {};           // an expression (docs/matchers.md); empty: all groups
};
struct ResultsQuery {
    int limit = limits::page_rows_default;
    QByteArray cursor = {};
    QByteArray match = {};           // an expression; empty: all results
};
struct StatsQuery {
    QByteArray name = {};            // empty: all names
    QByteArray day = {};             // empty: today
    int limit = limits::page_rows_default;
    QByteArray after = {};
};

// How long jobs that ended are kept, and the revision of all these settings.
struct KeptSettings {
    RetentionSettings settings;
    QByteArray tag;                  // sent back with a change, which is refused with RevisionMismatch when somebody else was faster
};

// The past: failures, results, statistics, retention.
class PastCalls : Calls
{
public:
    using Calls::Calls;

    // Failures in groups
    CallId failures(const FailuresQuery &query, Takes<FailureList> auto callback)
    {
        return groupList(groups(query) + pageQuery(query.limit, "cursor", query.cursor), std::move(callback));
    }
    // `query.limit` and `query.cursor` do not count.
    CallId failureSums(const FailuresQuery &query, SumBy by, Takes<FailureList> auto callback)
    {
        return groupList(groups(query) + sums(by), std::move(callback));
    }
    CallId failureGroup(
        const QByteArray &signature, FailurePeriod period, int limit, const QByteArray &cursor, Takes<FailurePage> auto callback)
    {
        return get(failurePath(signature), within(period) + pageQuery(limit, "cursor", cursor), failurePageTable, std::move(callback));
    }
    CallId resolveFailures(const QByteArray &signature, bool resolved, Takes<FailureGroup> auto callback)
    {
        return post(failurePath(signature, "/resolve"), pack(resolveTable, {resolved}), failureGroupTable, std::move(callback));
    }
    CallId muteFailuresFor(const QByteArray &signature, qint64 for_ms, Takes<FailureGroup> auto callback)
    {
        return post(failurePath(signature, "/mute"), pack(muteTable, {0, for_ms}), failureGroupTable, std::move(callback));
    }
    // `until_ms` 0: ends the muting.
    CallId muteFailures(const QByteArray &signature, qint64 until_ms, Takes<FailureGroup> auto callback)
    {
        return post(failurePath(signature, "/mute"), pack(muteTable, {until_ms, {}}), failureGroupTable, std::move(callback));
    }
    // At most limits::failure_retry_max jobs; call again with `next` of the answer as long as it has one.
    CallId retryFailures(const QByteArray &signature, int limit, const QByteArray &cursor, Takes<GroupRetried> auto callback)
    {
        const QByteArray body = pack(groupRetryTable, {limit, cursor}, Written::Sparse);
        return post(failurePath(signature, "/retry"), body, groupRetriedTable, std::move(callback));
    }
    // Results that wait
    CallId results(const ResultsQuery &query, Takes<ResultPage> auto callback)
    {
        const Query asked = pageQuery(query.limit, "cursor", query.cursor) + matching(query.match);
        return list(QStringLiteral("/v1/results"), QStringLiteral("/v1/results/search"), asked, resultPageTable, std::move(callback));
    }
    CallId discardResult(JobId id, Takes<Done> auto callback)
    {
        return done(Method::Delete, jobPath(id, "/result"), std::move(callback));
    }
    CallId extendResult(JobId id, qint64 ttl_ms, Takes<KeptResult> auto callback)
    {
        return patch(jobPath(id, "/result"), pack(resultPatchTable, {ttl_ms}), keptResultTable, std::move(callback));
    }
    // Charts and statistics
    CallId stats(const StatsQuery &query, Takes<StatsPage> auto callback)
    {
        return get(QStringLiteral("/v1/stats"), statsQuery(query), statsPageTable, std::move(callback));
    }
    CallId series(const SeriesRequest &request, Callback<SeriesData> callback);
    // Retention; `name` empty: for all. A change is one of the settings with this tag.
    CallId retention(Callback<KeptSettings> callback);
    CallId setRetention(const QByteArray &name, const Retention &retention, const QByteArray &tag, Takes<RetentionSettings> auto callback)
    {
        return put(retentionPath(name), pack(retentionTable, retention), retentionSettingsTable, std::move(callback), {{"If-Match", tag}});
    }
    CallId clearRetention(const QByteArray &name, const QByteArray &tag, Takes<RetentionSettings> auto callback)
    {
        if (name.isEmpty())
            return setRetention({}, {}, tag, std::move(callback));
        return remove(retentionPath(name), retentionSettingsTable, std::move(callback), {{"If-Match", tag}});
    }

private:
    CallId groupList(const Query &query, Takes<FailureList> auto callback)
    {
        return list(QStringLiteral("/v1/failures"), QStringLiteral("/v1/failures/search"), query, failureListTable, std::move(callback));
    }
    static QString failurePath(const QByteArray &signature, const char *verb = "") { return namedPath("/v1/failures/", signature, verb); }
    static QString retentionPath(const QByteArray &name);
    static Query within(FailurePeriod period);
    static Query groups(const FailuresQuery &query);
    static Query matching(const QByteArray &expression);
    static Query sums(SumBy by);
    static Query statsQuery(const StatsQuery &query);
};

} // namespace junban::client
