#include "server/api/handlers.h"
#include "server/api/scoping.h"

// What workers ask: jobs, and the right to them.
namespace junban::api {

namespace {

void claimJobs(const Parts &parts, const Call &call)
{
    std::optional<ClaimBody> body = bodyOf(call, claimBodyTable);
    if (!body)
        return;
    if (const std::optional<Error> error = keepToScope(call.caller, body->query)) {
        call.fail(*error);
        return;
    }
    parts.workers.heard(body->worker, {body->query.names, body->labels, body->version});
    const Queue::WaitId wait = parts.queue.claim(requestOf(call, body->worker, body->query), body->query.wait_ms,
        [&queue = parts.queue, call](const Result<Claimed> &claimed) {
            if (!claimed.ok())
                call.fail(claimed.error());
            else if (!call.reply(200, pack(claimedTable, *claimed)))
                giveBack(queue, claimed->jobs); // the answer surely did not leave
        });
    call.exchange().onGone([&queue = parts.queue, wait] { queue.giveUp(wait); });
}

void heartbeat(const Parts &parts, const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (auto item = id ? bodyOf(call, heartbeatItemTable, {*id, {}}) : std::nullopt)
        parts.queue.heartbeat({std::move(*item)}, answeringFirst(call, heartbeatTable));
}

void heartbeats(const Parts &parts, const Call &call)
{
    std::optional<HeartbeatsBody> body = bodyOf(call, heartbeatsBodyTable);
    if (!body)
        return;
    QList<HeartbeatItem> items;
    QList<Result<Heartbeat>> results; // an item that cannot be read has its error here, the others their place
    for (Result<HeartbeatItem> &lease : body->leases) {
        results.append(lease.ok() ? Result<Heartbeat>(Heartbeat{}) : Result<Heartbeat>(lease.error()));
        if (lease.ok())
            items.append(std::move(*lease));
    }
    parts.workers.heard(body->worker);
    parts.queue.heartbeat(std::move(items), [call, results](const Result<QList<Result<Heartbeat>>> &beats) mutable {
        if (!beats.ok()) {
            call.fail(beats.error());
            return;
        }
        qsizetype next = 0;
        for (Result<Heartbeat> &result : results) {
            if (result.ok())
                result = (*beats)[next++];
        }
        MsgpackWriter answer;
        writeResults(answer.map(1).text("results"), results, heartbeatTable);
        call.reply(200, answer.take());
    });
}

void release(const Parts &parts, const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (auto item = id ? bodyOf(call, releaseTable, {*id, {}, 0, Queue::drawJitter()}) : std::nullopt)
        parts.queue.release({std::move(*item)}, answeringFirst(call, stateNowTable));
}

void handOff(const Parts &parts, const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (auto item = id ? bodyOf(call, handoffTable, {*id, {}, {}}) : std::nullopt)
        parts.changes.handOff(std::move(*item), answering(call, stateNowTable));
}

constexpr Operation claimHandlers[] = {
    {"claimJobs", claimJobs, CalledBy::Gate, Passed::Again}, {"heartbeat", heartbeat, CalledBy::Gate, Passed::Again},
    {"heartbeats", heartbeats, CalledBy::Gate, Passed::Again}, {"release", release, CalledBy::Gate, Passed::Again},
    {"handOff", handOff, CalledBy::QtHttpServer, Passed::Again},
};

} // namespace

ClaimRequest requestOf(const Call &call, const QByteArray &worker, const ClaimQuery &query)
{
    const http::Request &request = call.exchange().request();
    return {worker, query.names, query.limit, query.lease_ms, tokenOf(call.caller), false, request.id, request.isRepeated};
}

void giveBack(Queue &queue, const QList<ClaimedJob> &jobs)
{
    QList<ReleaseItem> items;
    for (const ClaimedJob &job : jobs)
        items.append({job.id, job.lease, 0, 0, true});
    queue.release(std::move(items), [](const auto &) { /* a lease that nobody renews expires all the same */ });
}

const std::span<const Operation> claimOperations = claimHandlers;

} // namespace junban::api
