#include "client/workercalls.h"

#include "client/apicall.h"

namespace junban::client {

namespace {

using Method = ApiLink::Method;
using Answer = ApiLink::Answer;

FinishItem itemOf(const Report &report)
{
    return {report.lease.id, report.lease.lease, report.outcome};
}

Result<QList<ClaimedJob>> readClaimed(const Answer &answer)
{
    Result<Claimed> claimed = unpackAnswer(claimedTable, answer.body);
    return claimed.ok() ? Result<QList<ClaimedJob>>(std::move(claimed->jobs)) : claimed.error();
}

} // namespace

CallId WorkerCalls::claim(const QByteArray &worker, const ClaimQuery &query, Callback<QList<ClaimedJob>> callback)
{
    const QByteArray body = pack(claimBodyTable, {worker, query}, Written::Sparse);
    return m_link.call<QList<ClaimedJob>>(
        {Method::Post, QStringLiteral("/v1/claims"), {}, body, query.wait_ms}, readClaimed, std::move(callback));
}

CallId WorkerCalls::report(const Report &report, Callback<Finished> callback)
{
    const QByteArray body = pack(reportTable, itemOf(report), Written::Sparse);
    return m_link.call({Method::Post, jobPath(report.lease.id, "/outcome"), {}, body}, finishedTable, std::move(callback));
}

CallId WorkerCalls::reportAll(
    const QByteArray &worker, const QList<Report> &reports, const std::optional<ClaimQuery> &next, Callback<OutcomesReply> callback)
{
    OutcomesBody body{worker, {}, next};
    for (const Report &report : reports)
        body.outcomes.append(itemOf(report));
    const auto read = [](const Answer &answer) -> Result<OutcomesReply> {
        Result<QList<Result<Finished>>> results = resultsOf(finishedTable, answer.body);
        Result<QList<ClaimedJob>> jobs = readClaimed(answer);
        if (!results.ok() || !jobs.ok())
            return results.ok() ? jobs.error() : results.error();
        return OutcomesReply{std::move(*results), std::move(*jobs)};
    };
    return m_link.call<OutcomesReply>(
        {Method::Post, QStringLiteral("/v1/outcomes"), {}, pack(outcomesTable, body, Written::Sparse), next ? next->wait_ms : 0}, read,
        std::move(callback));
}

CallId WorkerCalls::heartbeat(const Lease &lease, const std::optional<Progress> &progress, Callback<Heartbeat> callback)
{
    const QByteArray body = pack(heartbeatItemTable, {lease.id, lease.lease, progress});
    return m_link.call({Method::Post, jobPath(lease.id, "/heartbeat"), {}, body}, heartbeatTable, std::move(callback));
}

CallId WorkerCalls::heartbeats(const QByteArray &worker, const QList<Lease> &leases, Callback<QList<Result<Heartbeat>>> callback)
{
    HeartbeatsBody body{worker, {}};
    for (const Lease &lease : leases)
        body.leases.append({lease.id, lease.lease});
    return m_link.call<QList<Result<Heartbeat>>>({Method::Post, QStringLiteral("/v1/heartbeats"), {}, pack(heartbeatsBodyTable, body)},
        [](const Answer &answer) { return resultsOf(heartbeatTable, answer.body); }, std::move(callback));
}

CallId WorkerCalls::release(const Lease &lease, qint64 delay_ms, Callback<StateNow> callback)
{
    const QByteArray body = pack(releaseTable, {lease.id, lease.lease, delay_ms}, Written::Sparse);
    return m_link.call({Method::Post, jobPath(lease.id, "/release"), {}, body}, stateNowTable, std::move(callback));
}

CallId WorkerCalls::handOff(const Lease &lease, const QByteArray &key, qint64 timeout_ms, Callback<StateNow> callback)
{
    const QByteArray body = pack(handoffTable, {lease.id, lease.lease, key, timeout_ms});
    return m_link.call({Method::Post, jobPath(lease.id, "/handoff"), {}, body}, stateNowTable, std::move(callback));
}

CallId WorkerCalls::message(const QByteArray &key, const Outcome &outcome, Callback<MessageTaken> callback)
{
    const QByteArray body = pack(messageTable, outcome, Written::Sparse);
    return m_link.call({Method::Post, namedPath("/v1/messages/", key), {}, body}, messageTakenTable, std::move(callback));
}

} // namespace junban::client
