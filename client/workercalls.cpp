#include "client/workercalls.h"

namespace junban::client {

namespace {

Result<QList<ClaimedJob>> readClaimed(const ApiLink::Answer &answer)
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

CallId WorkerCalls::reportAll(
    const QByteArray &worker, const QList<FinishItem> &reports, const std::optional<ClaimQuery> &next, Callback<OutcomesReply> callback)
{
    OutcomesBody body{worker, {}, next};
    for (const FinishItem &report : reports)
        body.outcomes.append(report);
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

CallId WorkerCalls::heartbeats(const QByteArray &worker, const QList<HeartbeatItem> &leases, Callback<QList<Result<Heartbeat>>> callback)
{
    const HeartbeatsBody body{worker, QList<Result<HeartbeatItem>>(leases.begin(), leases.end())};
    return m_link.call<QList<Result<Heartbeat>>>(
        {Method::Post, QStringLiteral("/v1/heartbeats"), {}, pack(heartbeatsBodyTable, body)},
        [](const Answer &answer) { return resultsOf(heartbeatTable, answer.body); }, std::move(callback));
}

} // namespace junban::client
