#pragma once

#include "client/calls.h"
#include "core/jobs/jobcalls.h"

namespace junban::client {

// The right to report an attempt.
struct Lease {
    JobId id;
    QByteArray lease;
};
struct Report {
    Lease lease;
    Outcome outcome;
};
struct OutcomesReply {
    QList<Result<Finished>> results; // one for each report, in order
    QList<ClaimedJob> jobs;
};

// Claims, reports and leases, for workers; and messages that finish jobs which were handed off.
class WorkerCalls : Calls
{
public:
    using Calls::Calls;

    CallId claim(const QByteArray &worker, const ClaimQuery &query, Callback<QList<ClaimedJob>> callback);
    CallId report(const Report &report, Takes<Finished> auto callback)
    {
        const QByteArray body = pack(reportTable, itemOf(report), Written::Sparse);
        return post(jobPath(report.lease.id, "/outcome"), body, finishedTable, std::move(callback));
    }
    // `next`: also claim, in the same round trip.
    CallId reportAll(const QByteArray &worker, const QList<Report> &reports, const std::optional<ClaimQuery> &next,
                     Callback<OutcomesReply> callback);
    CallId heartbeat(const Lease &lease, const std::optional<Progress> &progress, Takes<Heartbeat> auto callback)
    {
        const QByteArray body = pack(heartbeatItemTable, {lease.id, lease.lease, progress});
        return post(jobPath(lease.id, "/heartbeat"), body, heartbeatTable, std::move(callback));
    }
    CallId heartbeats(const QByteArray &worker, const QList<Lease> &leases, Callback<QList<Result<Heartbeat>>> callback);
    CallId release(const Lease &lease, qint64 delay_ms, Takes<StateNow> auto callback)
    {
        const QByteArray body = pack(releaseTable, {lease.id, lease.lease, delay_ms}, Written::Sparse);
        return post(jobPath(lease.id, "/release"), body, stateNowTable, std::move(callback));
    }
    CallId handOff(const Lease &lease, const QByteArray &key, qint64 timeout_ms, Takes<StateNow> auto callback)
    {
        const QByteArray body = pack(handoffTable, {lease.id, lease.lease, key, timeout_ms});
        return post(jobPath(lease.id, "/handoff"), body, stateNowTable, std::move(callback));
    }
    // Finishes the job that was handed off under the key.
    CallId message(const QByteArray &key, const Outcome &outcome, Takes<MessageTaken> auto callback)
    {
        const QByteArray body = pack(messageTable, outcome, Written::Sparse);
        return post(namedPath("/v1/messages/", key), body, messageTakenTable, std::move(callback));
    }

private:
    static FinishItem itemOf(const Report &report) { return {report.lease.id, report.lease.lease, report.outcome}; }
};

} // namespace junban::client
