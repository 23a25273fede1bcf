#pragma once

#include "client/calls.h"
#include "core/jobs/jobcalls.h"
#include "core/jobs/worker.h"

namespace junban::client {

// Claims, reports and leases, for workers; and messages that finish jobs which were handed off.
class WorkerCalls : Calls
{
public:
    using Calls::Calls;

    CallId claim(const QByteArray &worker, const ClaimQuery &query, Callback<QList<ClaimedJob>> callback);
    CallId report(const FinishItem &report, Takes<Finished> auto callback)
    {
        const QByteArray body = pack(reportTable, report, Written::Sparse);
        return post(jobPath(report.id, "/outcome"), body, finishedTable, std::move(callback));
    }
    // `next`: also claim, in the same round trip.
    CallId reportAll(const QByteArray &worker, const QList<FinishItem> &reports, const std::optional<ClaimQuery> &next,
                     Callback<OutcomesReply> callback);
    CallId heartbeat(const HeartbeatItem &item, Takes<Heartbeat> auto callback)
    {
        return post(jobPath(item.id, "/heartbeat"), pack(heartbeatItemTable, item), heartbeatTable, std::move(callback));
    }
    CallId heartbeats(const QByteArray &worker, const QList<HeartbeatItem> &leases, Callback<QList<Result<Heartbeat>>> callback);
    CallId release(const ReleaseItem &item, Takes<StateNow> auto callback)
    {
        return post(jobPath(item.id, "/release"), pack(releaseTable, item, Written::Sparse), stateNowTable, std::move(callback));
    }
    CallId handOff(const HandoffItem &item, Takes<StateNow> auto callback)
    {
        return post(jobPath(item.id, "/handoff"), pack(handoffTable, item), stateNowTable, std::move(callback));
    }
    // A page of the workers; `after`: the last one of the page before.
    CallId workers(int limit, const QByteArray &after, Takes<WorkerPage> auto callback)
    {
        return get(QStringLiteral("/v1/workers"), pageQuery(limit, "after", after), workerPageTable, std::move(callback));
    }
    CallId deleteWorker(const QByteArray &worker, Callback<Done> callback)
    {
        return done(Method::Delete, namedPath("/v1/workers/", worker), std::move(callback));
    }
    CallId drainWorker(const QByteArray &worker, Callback<Done> callback)
    {
        return done(Method::Post, namedPath("/v1/workers/", worker, "/drain"), std::move(callback));
    }
    CallId resumeWorker(const QByteArray &worker, Callback<Done> callback)
    {
        return done(Method::Post, namedPath("/v1/workers/", worker, "/resume"), std::move(callback));
    }
    // Finishes the job that was handed off under the key.
    CallId message(const QByteArray &key, const Outcome &outcome, Takes<MessageTaken> auto callback)
    {
        const QByteArray body = pack(messageTable, outcome, Written::Sparse);
        return post(namedPath("/v1/messages/", key), body, messageTakenTable, std::move(callback));
    }
};

} // namespace junban::client
