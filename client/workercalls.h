#pragma once

#include "client/apilink.h"
#include "core/jobs/jobcalls.h"

namespace junban::client {

// What workers ask, and messages that finish what they handed off.
class WorkerCalls
{
public:
    explicit WorkerCalls(ApiLink &link) : m_link(link) {}

    CallId claim(const QByteArray &worker, const ClaimQuery &query, Callback<QList<ClaimedJob>> callback);
    CallId report(const FinishItem &report, Callback<Finished> callback);
    // `next`: also claim, in the same round trip.
    CallId reportAll(const QByteArray &worker, const QList<FinishItem> &reports, const std::optional<ClaimQuery> &next,
                     Callback<OutcomesReply> callback);
    CallId heartbeat(const HeartbeatItem &item, Callback<Heartbeat> callback);
    CallId heartbeats(const QByteArray &worker, const QList<HeartbeatItem> &leases, Callback<QList<Result<Heartbeat>>> callback);
    CallId release(const ReleaseItem &item, Callback<StateNow> callback);
    CallId handOff(const HandoffItem &item, Callback<StateNow> callback);
    // Finishes the job that was handed off under the key.
    CallId message(const QByteArray &key, const Outcome &outcome, Callback<MessageTaken> callback);

private:
    ApiLink &m_link;
};

} // namespace junban::client
