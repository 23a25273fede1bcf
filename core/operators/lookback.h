#pragma once

#include "core/operators/groupfilter.h"
#include "core/operators/jobfilter.h"
#include "core/queue/queue.h"
#include "core/store/paststore.h"

#include <QList>
#include <QObject>

namespace junban {

// What operators read of the past and do to it: pages with cursors, sums over groups, retrying a whole group in bounded slices. It has no
// state except the requests under way. Threads, callbacks and errors as for Queue.
class Lookback : public QObject
{
    Q_OBJECT

public:
    // All must outlive it. The queue is told of jobs that become ready or final here.
    Lookback(PastStore &past, Store &store, Queue &queue, QObject *parent = nullptr);

    struct GroupsQuery {
        qint64 period_s = 86'400;
        GroupFilter filter = {};
        int limit = limits::page_rows_default;
        QByteArray cursor = {};
    };
    // InvalidField for "cursor" when it is not from an answer of this list.
    void groups(GroupsQuery query, Callback<FailureList> callback);

    // The sums of the groups by name, reason or worker; FailureList::complete says whether all groups were counted.
    void sums(qint64 period_s, GroupFilter filter, SumBy by, Callback<FailureList> callback);

    struct JobsQuery {
        JobSet set = JobSet::Tracked;
        QByteArray signature = {};
        JobFilter filter = {};
        int limit = limits::page_rows_default;
        QByteArray cursor = {};
    };
    void jobs(JobsQuery query, Callback<JobPage> callback);

    // One group, and a page of its jobs that are failed now. NotFound.
    void group(QByteArray signature, qint64 period_s, int limit, QByteArray cursor, Callback<FailurePage> callback);
    // The answer is the group as it is then. NotFound.
    void changeGroup(QByteArray signature, FailureGroupChange change, Callback<FailureGroup> callback);
    // Retries at most limits::failure_retry_max jobs of a group, the newest failures first. Jobs that are no longer failed are skipped.
    // With the `next` of an answer it goes on with those that failed before; jobs that failed since the first call are left alone.
    void retryGroup(QByteArray signature, int jobs_max, QByteArray cursor, QByteArray by, Callback<GroupRetried> callback);

    void stats(StatisticsRequest request, Callback<StatsPage> callback);
    struct ResultsQuery {
        JobFilter filter = {};         // what it narrows to leaves out the results of jobs that have been purged
        int limit = limits::page_rows_default;
        QByteArray cursor = {};
    };
    // The results that wait for their pushers, sorted by when they expire.
    void results(ResultsQuery query, Callback<ResultPage> callback);
    // The answer is the result as it waits then. NotFound.
    void extendResult(JobId id, qint64 ttl_ms, Callback<KeptResult> callback);

    void remove(JobId id, QByteArray by, Callback<StateNow> callback);
    void restore(JobId id, QByteArray by, Callback<StateNow> callback);
    // Makes a new job with the fields of an old one, but without its delay, idempotency key and unique key. NotFound when the old one is
    // gone. `pusher` is the token that asks for it.
    void duplicate(JobId id, QByteArray pusher, Callback<Enqueued> callback);

    struct RetentionChange {
        QByteArray name = {};                   // null: for all names
        std::optional<Retention> settings = {}; // absent: the name has none of its own any more
        std::function<bool(const RetentionSettings &)> isExpected = {}; // of the settings right before; absent: whatever they are
    };
    // One change after the other: of two that come at once and expect the same, one is a RevisionMismatch.
    void changeRetention(RetentionChange change, Callback<RetentionChanged> callback);

    // For calls that need neither cursors nor slices.
    PastStore &past() { return m_past; }

private:
    void later(std::function<void()> function);
    void beginRetentionChange();
    void endRetentionChange(const Result<RetentionChanged> &result);

    PastStore &m_past;
    Store &m_store;
    Queue &m_queue;
    QList<QPair<RetentionChange, Callback<RetentionChanged>>> m_retentionChanges; // the first one is under way
};

} // namespace junban
