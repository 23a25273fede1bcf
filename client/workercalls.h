#pragma once

#include "client/apilink.h"
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

// What workers ask, and messages that finish what they handed off.
class WorkerCalls
{
public:
    explicit WorkerCalls(ApiLink &link) : m_link(link) {}

    CallId claim(const QByteArray &worker, const ClaimQuery &query, Callback<QList<ClaimedJob>> callback);
    CallId report(const Report &report, Callback<Finished> callback);
    // `next`: also claim, in the same round trip.
    CallId reportAll(const QByteArray &worker, const QList<Report> &reports, const std::optional<ClaimQuery> &next,
                     Callback<OutcomesReply> callback);
    CallId heartbeat(const Lease &lease, const std::optional<Progress> &progress, Callback<Heartbeat> callback);
    CallId heartbeats(const QByteArray &worker, const QList<Lease> &leases, Callback<QList<Result<Heartbeat>>> callback);
    CallId release(const Lease &lease, qint64 delay_ms, Callback<StateNow> callback);
    CallId handOff(const Lease &lease, const QByteArray &key, qint64 timeout_ms, Callback<StateNow> callback);
    // Finishes the job that was handed off under the key.
    CallId message(const QByteArray &key, const Outcome &outcome, Callback<MessageTaken> callback);

private:
    ApiLink &m_link;
};

} // namespace junban::client
