#pragma once

#include "core/jobs/recordvalues.h"
#include "core/store/store.h"

namespace junban {

// A page of failure groups; those that failed last come first.
struct GroupsRequest {
    int limit = limits::page_rows_default;
    qint64 period_s = 0;           // the time up to now that FailureGroup::inPeriod and trend are about
    std::optional<QPair<qint64, QByteArray>> after = {}; // the last row of the page before: (lastAt_ms, signature)
    bool workerTrends = false;     // FailureGroup::workerTrends is wanted
};
struct GroupsPage {
    QList<FailureGroup> groups;
    bool end = true;
    qint64 now_ms = 0;
};
// What an operator changes about a group; what is not given stays as it is.
struct FailureGroupChange {
    std::optional<bool> resolved = {};
    std::optional<qint64> mutedUntil_ms = {}; // 0: no longer muted
};

struct StatisticsRequest {
    QByteArray name;               // empty: all names, in pages
    std::optional<qint64> day = {}; // days since 1970-01-01 UTC; none: today
    int limit = limits::page_rows_default;
    QByteArray after;              // the last name of the page before
};
struct DistributionPage {
    qint64 day = 0;                // since 1970
    QList<NameDistributions> names;
    bool end = true;
};

struct ResultsRequest {
    int limit = limits::page_rows_default;
    std::optional<QPair<qint64, JobId>> after = {}; // the last row of the page before: (expiresAt_ms, id)
};

// Sets of jobs besides those by state.
enum class JobSet { Tracked, Trash, FailedInGroup };
struct SetPageRequest {
    JobSet set = JobSet::Tracked;
    QByteArray signature;          // FailedInGroup
    int limit = limits::page_rows_default;
    std::optional<QPair<double, JobId>> after = {}; // the last row of the page before: (order, id)
    PageDetail detail = PageDetail::Listed; // Pushed is not allowed
};

struct Removed {
    QList<Result<StateNow>> items; // one for each id; Conflict when the job is running or awaiting or, for restore(), not in the trash
    Hints hints;                   // jobs that became final or ready
};

struct RetentionChanged {
    RetentionSettings settings;
    RetentionSettings before;
};

// What operators see of the past and can change about it: failure groups, statistics, series, kept results, retention, tracked jobs and the
// trash. RedisPast implements it. Threads, callbacks and errors as for Store.
class PastStore
{
public:
    PastStore() = default;
    PastStore(const PastStore &) = delete;
    PastStore &operator=(const PastStore &) = delete;
    virtual ~PastStore() = default;

    virtual void groups(GroupsRequest request, Callback<GroupsPage> callback) = 0;
    // NotFound when there is no such group, or no longer.
    virtual void group(QByteArray signature, qint64 period_s, Callback<FailureGroup> callback) = 0;
    virtual void changeGroup(QByteArray signature, FailureGroupChange change, Callback<Done> callback) = 0;
    // The jobs of a set, newest first. The order of a job is the time at which it was tracked, deleted, or failed.
    virtual void jobsOf(SetPageRequest request, Callback<Page> callback) = 0;

    virtual void statistics(StatisticsRequest request, Callback<DistributionPage> callback) = 0;
    virtual void measured(Callback<WholeDistributions> callback) = 0;
    // `range_s` seconds, in steps of 1 s (only up to now), 1 min, 5 min or 10 min: the longer the range, the longer the step.
    virtual void series(SeriesRequest request, Callback<SeriesData> callback) = 0;

    virtual void results(ResultsRequest request, Callback<ResultPage> callback) = 0;
    virtual void result(JobId id, Callback<KeptResult> callback) = 0;
    // The job of a result that outlived it: without its argument, and with those who may collect the result. NotFound.
    virtual void resultOwner(JobId id, Callback<Job> callback) = 0;
    // NotFound when no result waits for its pusher; so for the next two.
    virtual void discardResult(JobId id, Callback<Done> callback) = 0;
    virtual void extendResult(JobId id, qint64 ttl_ms, Callback<Done> callback) = 0;

    virtual void retention(Callback<RetentionSettings> callback) = 0;
    // `name` empty: for all names. What is not given for all names has its default; what is not given for a name is as for all names.
    // Conflict when limits::retention_names_max names have settings.
    virtual void setRetention(QByteArray name, Retention retention, Callback<RetentionChanged> callback) = 0;
    virtual void clearRetention(QByteArray name, Callback<RetentionChanged> callback) = 0;

    // Tracks a job or stops tracking it. NotFound; Conflict when limits::tracked_max jobs are tracked already.
    virtual void track(JobId id, bool tracked, Callback<Done> callback) = 0;
    // Transitions 25 (`delete`) and 26 (`restore`).
    virtual void remove(QList<JobId> ids, QByteArray by, Callback<Removed> callback) = 0;
    virtual void restore(QList<JobId> ids, QByteArray by, Callback<Removed> callback) = 0;
};

} // namespace junban
