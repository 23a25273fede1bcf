#pragma once

#include "client/apilink.h"
#include "core/jobs/jobcalls.h"

namespace junban::client {

enum class CancelMode { Ask, Force };

struct ResultQuery {
    qint64 wait_ms = 0;              // how long the master may wait for the job to finish
    QByteArray receipt = {};         // the caller's own random string: a repeat with it gets the same object again
};
enum class JobsOf { States, Tracked, Trash };
struct JobQuery {
    std::optional<JobState> state = {}; // none: all states
    QByteArray name = {};            // empty: all names
    QByteArray tag = {};             // empty: with any tags or none
    int limit = limits::page_rows_default;
    QByteArray cursor = {};          // `next` of the page before
    JobsOf of = JobsOf::States;
    QByteArray match = {};           // an expression (docs/matchers.md); empty: all jobs
};

// What pushers and operators ask of jobs and of groups of them.
class JobCalls
{
public:
    explicit JobCalls(ApiLink &link) : m_link(link) {}

    CallId enqueue(const JobSpec &job, Callback<Enqueued> callback);
    // With follow-ups as MessagePack maps, which go as they are.
    CallId enqueue(const JobSpec &job, const QList<QByteArray> &then, Callback<Enqueued> callback);
    CallId enqueueBatch(const QList<JobSpec> &jobs, Callback<QList<Result<Enqueued>>> callback);
    // Enqueues with keep_result and waits for the result for up to `query.wait_ms`.
    CallId enqueueAndWait(const JobSpec &job, const ResultQuery &query, Callback<Answered> callback);
    CallId result(JobId id, const ResultQuery &query, Callback<ResultNow> callback);
    CallId peekResult(JobId id, Callback<ResultNow> callback);
    CallId jobs(const JobQuery &query, Callback<JobPage> callback);
    CallId job(JobId id, Callback<Job> callback);
    CallId cancelJob(JobId id, CancelMode mode, Callback<StateNow> callback);
    CallId retryJob(JobId id, Callback<StateNow> callback);
    CallId editJob(JobId id, const JobEdit &edit, Callback<Job> callback);
    // Stars, the trash, the same again
    CallId track(JobId id, bool tracked, Callback<Done> callback);
    CallId deleteJob(JobId id, Callback<StateNow> callback);
    CallId restoreJob(JobId id, Callback<StateNow> callback);
    CallId duplicateJob(JobId id, Callback<Enqueued> callback);
    CallId group(const QByteArray &group, Callback<Group> callback);
    CallId changeGroup(const QByteArray &group, const GroupBody &change, Callback<Group> callback);
    // The body of a PUT as it is.
    CallId putGroup(const QByteArray &group, const QByteArray &body, Callback<Group> callback);

private:
    ApiLink &m_link;
};

} // namespace junban::client
