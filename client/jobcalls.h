#pragma once

#include "client/calls.h"
#include "core/jobs/jobcalls.h"
#include "core/jobs/jobfields.h"

namespace junban::client {

enum class CancelMode { Ask, Force };
// Whether hidden values are asked for; who did so is noted.
enum class Reveal { No, Yes };

struct ResultQuery {
    qint64 wait_ms = 0;              // how long the master may wait for the job to finish
    QByteArray receipt = {};         // the caller's own random string: a repeat with it gets the same object again
    bool waited = false;             // the caller was waiting when the job ended, with peekResult()
};
enum class JobsOf { States, Tracked, Trash };
struct JobQuery {
    std::optional<JobState> state = {}; // nothing: all states
    QByteArray name = {};            // empty: all names
    QByteArray tag = {};             // empty: any tags
    int limit = limits::page_rows_default;
    QByteArray cursor = {};          // `next` of the page before
    JobsOf of = JobsOf::States;
    QByteArray match = {};           // an expression (docs/matchers.md); empty: all jobs
    bool reversed = false;           // from the other end; of one state only
};

// Jobs and groups of them, for pushers and operators.
class JobCalls : Calls
{
public:
    using Calls::Calls;

    // `then`: jobs that follow it, as MessagePack maps, which are sent as they are.
    CallId enqueue(const JobSpec &job, const QList<QByteArray> &then, Takes<Enqueued> auto callback)
    {
        return post(QStringLiteral("/v1/jobs"), withFollowers(job, then), enqueuedTable, std::move(callback));
    }
    CallId enqueue(const JobSpec &job, Takes<Enqueued> auto callback) { return enqueue(job, {}, std::move(callback)); }
    CallId enqueueBatch(const QList<JobSpec> &jobs, Callback<QList<Result<Enqueued>>> callback);
    // Enqueues with keep_result and waits for the result for up to `query.wait_ms`.
    CallId enqueueAndWait(const JobSpec &job, const ResultQuery &query, Callback<Answered> callback);
    CallId result(JobId id, const ResultQuery &query, Callback<ResultNow> callback);
    CallId peekResult(JobId id, Callback<ResultNow> callback, Reveal reveal = Reveal::No, qint64 wait_ms = 0);
    CallId jobs(const JobQuery &query, Takes<JobPage> auto callback)
    {
        return list(QStringLiteral("/v1/jobs"), QStringLiteral("/v1/jobs/search"), listQuery(query), jobPageTable, std::move(callback));
    }
    // How many jobs a query finds in each state; call again with `next` of the answer as long as it has one, and add the counts up.
    CallId jobCounts(const JobQuery &query, Takes<JobCounts> auto callback)
    {
        const QString path = QStringLiteral("/v1/jobs/counts");
        return list(path, path, filterQuery(query), jobCountsTable, std::move(callback));
    }
    CallId job(JobId id, Takes<Job> auto callback) { return get(jobPath(id), jobTable, std::move(callback)); }
    CallId job(JobId id, Reveal reveal, Takes<Job> auto callback)
    {
        return get(jobPath(id), revealQuery(reveal), jobTable, std::move(callback));
    }
    CallId cancelJob(JobId id, CancelMode mode, Takes<StateNow> auto callback)
    {
        const QByteArray body = pack(cancelTable, {id, mode == CancelMode::Force}, Written::Sparse);
        return post(jobPath(id, "/cancel"), body, stateNowTable, std::move(callback));
    }
    CallId retryJob(JobId id, Takes<StateNow> auto callback)
    {
        return post(jobPath(id, "/retry"), nothing(), stateNowTable, std::move(callback));
    }
    CallId editJob(JobId id, const JobEdit &edit, Takes<Job> auto callback)
    {
        return patch(jobPath(id), pack(jobEditTable, edit), jobTable, std::move(callback));
    }
    // Stars, the trash, duplicates
    CallId track(JobId id, bool tracked, Takes<Done> auto callback)
    {
        return done(tracked ? Method::Put : Method::Delete, jobPath(id, "/tracked"), std::move(callback));
    }
    CallId deleteJob(JobId id, Takes<StateNow> auto callback) { return remove(jobPath(id), stateNowTable, std::move(callback)); }
    CallId restoreJob(JobId id, Takes<StateNow> auto callback)
    {
        return post(jobPath(id, "/restore"), nothing(), stateNowTable, std::move(callback));
    }
    CallId duplicateJob(JobId id, Takes<Enqueued> auto callback)
    {
        return post(jobPath(id, "/duplicate"), nothing(), enqueuedTable, std::move(callback));
    }
    CallId group(const QByteArray &group, Takes<Group> auto callback)
    {
        return get(namedPath("/v1/groups/", group), groupTable, std::move(callback));
    }
    // With the body of the PUT, which is sent as it is.
    CallId putGroup(const QByteArray &group, const QByteArray &body, Takes<Group> auto callback)
    {
        return put(namedPath("/v1/groups/", group), body, groupTable, std::move(callback));
    }
    CallId changeGroup(const QByteArray &group, const GroupBody &change, Takes<Group> auto callback)
    {
        return putGroup(group, pack(groupBodyTable, change, Written::Sparse), std::move(callback));
    }

private:
    static QByteArray withFollowers(const JobSpec &job, const QList<QByteArray> &then);
    static Query filterQuery(const JobQuery &query);
    static Query listQuery(const JobQuery &query);
    static Query revealQuery(Reveal reveal);
};

} // namespace junban::client
