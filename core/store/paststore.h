#pragma once

#include "core/jobs/recordvalues.h"
#include "core/store/store.h"

namespace junban {

// Which failure groups are wanted: the last seen first.
struct GroupsRequest {
    int limit = limits::page_rows_default;
    qint64 period_s = 0;           // what inPeriod and trend are about
    std::optional<QPair<qint64, QByteArray>> after = {}; // the last row of the page before: when last seen, signature
};
struct GroupsPage {
    QList<FailureGroup> groups;
    bool end = true;
    qint64 now_ms = 0;
};
// What an operator changes of a group.
struct FailureGroupChange {
    std::optional<bool> resolved = {};
    std::optional<qint64> mutedUntil_ms = {}; // 0: not muted any more
};

struct StatisticsRequest {
    QByteArray name;               // empty: all names, in pages
    std::optional<qint64> day = {}; // days since 1970; none: today
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
    std::optional<QPair<qint64, JobId>> after = {}; // the last row of the page before: when it expires, id
};

// Sets of jobs that stand beside the states.
enum class JobSet { Tracked, Trash, FailedInGroup };
struct SetPageRequest {
    JobSet set = JobSet::Tracked;
    QByteArray signature;          // FailedInGroup
    int limit = limits::page_rows_default;
    std::optional<QPair<double, JobId>> after = {};
    PageDetail detail = PageDetail::Listed; // not Pushed
};

struct Removed {
    QList<Result<StateNow>> items; // in order; Conflict when the job runs or awaits, or, for restore, is not in the trash
    Hints hints;                   // what became final by it, or ready
};

// What operators see of the past, and what they do to it: failure groups, statistics, series, kept results, retention, tracked jobs and the
// trash. RedisPast is the real one. Threads, callbacks and errors as Store's.
class PastStore
{
public:
    PastStore() = default;
    PastStore(const PastStore &) = delete;
    PastStore &operator=(const PastStore &) = delete;
    virtual ~PastStore() = default;

    virtual void groups(GroupsRequest request, Callback<GroupsPage> callback) = 0;
    // NotFound when there is no such group (any more).
    virtual void group(QByteArray signature, qint64 period_s, Callback<FailureGroup> callback) = 0;
    virtual void changeGroup(QByteArray signature, FailureGroupChange change, Callback<Done> callback) = 0;
    // Orders are when the job was tracked, deleted, or failed; newest first.
    virtual void jobsOf(SetPageRequest request, Callback<Page> callback) = 0;

    virtual void statistics(StatisticsRequest request, Callback<DistributionPage> callback) = 0;
    // `range_s` seconds up to now, in steps of 1 s, a minute, 5 or 10 minutes, by the range's length.
    virtual void series(Metric metric, qint64 range_s, Callback<SeriesData> callback) = 0;

    virtual void results(ResultsRequest request, Callback<ResultPage> callback) = 0;
    virtual void result(JobId id, Callback<KeptResult> callback) = 0;
    // NotFound when no result waits.
    virtual void discardResult(JobId id, Callback<Done> callback) = 0;
    virtual void extendResult(JobId id, qint64 ttl_ms, Callback<Done> callback) = 0;

    virtual void retention(Callback<RetentionSettings> callback) = 0;
    // `name` empty: for all. What is not set stands at its default, for a name: at what is set for all. Conflict when too many names have
    // settings.
    virtual void setRetention(QByteArray name, Retention retention, Callback<RetentionSettings> callback) = 0;
    virtual void clearRetention(QByteArray name, Callback<RetentionSettings> callback) = 0;

    // NotFound; Conflict when limits::tracked_max are tracked already.
    virtual void track(JobId id, bool tracked, Callback<Done> callback) = 0;
    // Transitions 25 (`delete`) and 26 (`restore`).
    virtual void remove(QList<JobId> ids, Callback<Removed> callback) = 0;
    virtual void restore(QList<JobId> ids, Callback<Removed> callback) = 0;
};

} // namespace junban
