#pragma once

#include "core/operators/jobfilter.h"
#include "core/queue/queue.h"
#include "core/store/paststore.h"

#include <QObject>

namespace junban {

// The operators' side of the past: pages with cursors, groups summed up, a whole group run again in bounded slices. It holds nothing but
// what is under way. Threads and callbacks as Queue's.
class Lookback : public QObject
{
    Q_OBJECT

public:
    // All must outlive it; the queue hears of jobs that became ready or final by what is done here.
    Lookback(PastStore &past, Store &store, Queue &queue, QObject *parent = nullptr);

    struct GroupsQuery {
        qint64 period_s = 86'400;
        GroupState state = GroupState::All;
        int limit = limits::page_rows_default;
        QByteArray cursor = {};
    };
    // InvalidField with field "cursor" when the cursor is not one of ours.
    void groups(GroupsQuery query, Callback<FailureList> callback);

    void sums(qint64 period_s, GroupState state, SumBy by, Callback<FailureList> callback);

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
    // At most limits::failure_retry_max jobs, the newest failures first; those that someone else took meanwhile are passed over.
    void retryGroup(QByteArray signature, int jobs_max, Callback<GroupRetried> callback);

    void stats(StatisticsRequest request, Callback<StatsPage> callback);
    void results(int limit, QByteArray cursor, Callback<ResultPage> callback);
    // The answer is the result as it waits then. NotFound.
    void extendResult(JobId id, qint64 ttl_ms, Callback<KeptResult> callback);

    void remove(JobId id, Callback<StateNow> callback);
    void restore(JobId id, Callback<StateNow> callback);
    // A new job with the fields of an old one; it may start at once. NotFound when the old one is gone.
    void duplicate(JobId id, Callback<Enqueued> callback);

    // What needs nothing of the kind.
    PastStore &past() { return m_past; }

private:
    void later(std::function<void()> function);

    PastStore &m_past;
    Store &m_store;
    Queue &m_queue;
};

} // namespace junban
