#pragma once

#include "core/operators/jobfilter.h"
#include "core/queue/queue.h"
#include "core/store/records.h"

#include <QObject>

namespace junban {

// What operators read of the past and do to it: pages with cursors, sums over groups, retrying a whole group in bounded slices. It has no
// state except the requests under way. Threads, callbacks and errors as for Queue.
class Lookback : public QObject
{
    Q_OBJECT

public:
    // All must outlive it. The queue is told of jobs that become ready or final here.
    Lookback(Records &records, Store &store, Queue &queue, QObject *parent = nullptr);

    struct GroupsQuery {
        qint64 window_s = 86'400;
        GroupState state = GroupState::All;
        int limit = limits::page_rows_default;
        QByteArray cursor = {};
    };
    // InvalidField for "cursor" when it is not from an answer of this list.
    void groups(GroupsQuery query, Callback<FailureList> callback);

    // The sums of the groups by name, reason or worker; FailureList::complete says whether all groups were counted.
    void sums(qint64 window_s, GroupState state, SumBy by, Callback<FailureList> callback);

    struct JobsQuery {
        JobSet set = JobSet::Tracked;
        QByteArray signature = {};
        JobFilter filter = {};
        int limit = limits::page_rows_default;
        QByteArray cursor = {};
    };
    struct JobList {
        QList<Job> jobs;
        QByteArray next;
        qint64 scanned = 0;
        qint64 total = 0;
        bool complete = true;
    };
    void jobs(JobsQuery query, Callback<JobList> callback);

    // Retries at most limits::failure_retry_max jobs of a group, the newest failures first. Jobs that are no longer failed are skipped.
    void retryGroup(QByteArray signature, int jobs_max, Callback<GroupRetried> callback);

    // The results that wait for their pushers, sorted by when they expire.
    void results(int limit, QByteArray cursor, Callback<ResultPage> callback);

    void remove(JobId id, Callback<StateNow> callback);
    void restore(JobId id, Callback<StateNow> callback);
    // Makes a new job with the fields of an old one, but without its delay, idempotency key and unique key. NotFound when the old one is
    // gone.
    void duplicate(JobId id, Callback<Enqueued> callback);

    // For calls that need neither cursors nor slices.
    Records &records() { return m_records; }

private:
    void later(std::function<void()> function);

    Records &m_records;
    Store &m_store;
    Queue &m_queue;
};

} // namespace junban
