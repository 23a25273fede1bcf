#include "server/api/answers.h"
#include "server/api/api.h"
#include "server/api/requests.h"

// What workers ask: claims, reports, leases.
namespace junban::api {

void Api::giveBack(const QList<ClaimedJob> &jobs)
{
    QList<ReleaseItem> items;
    for (const ClaimedJob &job : jobs)
        items.append({job.id, job.lease, 0, 0, true});
    m_queue.release(std::move(items), [](const auto &) { /* a lease that nobody renews expires all the same */ });
}

void Api::claimJobs(const Call &call)
{
    Result<ClaimBody> body = decodeClaim(call.body);
    if (!body.ok()) {
        call.fail(body.error());
        return;
    }
    const Queue::WaitId wait = m_queue.claim(std::move(body->request), body->wait_ms, [this, call](const Result<Claimed> &claimed) {
        if (!claimed.ok())
            call.fail(claimed.error());
        else if (!call.reply(200, encodeClaimed(claimed->jobs)))
            giveBack(claimed->jobs); // the answer surely did not leave
    });
    call.exchange().onGone([this, wait] { m_queue.giveUp(wait); });
}

void Api::reportOutcome(const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    Result<FinishItem> item = decodeOutcome(call.body, *id);
    if (!item.ok()) {
        call.fail(item.error());
        return;
    }
    m_queue.finish({std::move(*item)}, {}, 0, [call](const Result<Queue::OutcomesReply> &reply) {
        if (!reply.ok())
            call.fail(reply.error());
        else if (!reply->finished.first().ok())
            call.fail(reply->finished.first().error());
        else
            call.reply(200, encodeFinished(*reply->finished.first()));
    });
}

void Api::reportOutcomes(const Call &call)
{
    Result<OutcomesBody> body = decodeOutcomes(call.body);
    if (!body.ok()) {
        call.fail(body.error());
        return;
    }
    QList<FinishItem> items;
    QList<Result<Finished>> results;
    for (Result<FinishItem> &item : body->items) {
        results.append(item.ok() ? Result<Finished>(Finished{}) : Result<Finished>(item.error()));
        if (item.ok())
            items.append(std::move(*item));
    }
    std::optional<ClaimRequest> claim;
    if (body->claim)
        claim = std::move(body->claim->request);
    const qint64 wait_ms = body->claim ? body->claim->wait_ms : 0;
    const auto answer = [this, call, results](const Result<Queue::OutcomesReply> &reply) mutable {
        if (!reply.ok()) {
            call.fail(reply.error());
            return;
        }
        qsizetype next = 0;
        for (Result<Finished> &result : results) {
            if (result.ok())
                result = reply->finished[next++];
        }
        if (!call.reply(200, encodeOutcomes(results, reply->jobs)))
            giveBack(reply->jobs);
    };
    const Queue::WaitId wait = m_queue.finish(std::move(items), std::move(claim), wait_ms, answer);
    call.exchange().onGone([this, wait] { m_queue.giveUp(wait); });
}

void Api::heartbeat(const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    Result<HeartbeatItem> item = decodeHeartbeat(call.body, *id);
    if (!item.ok()) {
        call.fail(item.error());
        return;
    }
    m_queue.heartbeat({std::move(*item)}, [call](const Result<QList<Result<Heartbeat>>> &beats) {
        if (!beats.ok())
            call.fail(beats.error());
        else if (!beats->first().ok())
            call.fail(beats->first().error());
        else
            call.reply(200, encodeHeartbeat(*beats->first()));
    });
}

void Api::heartbeats(const Call &call)
{
    Result<QList<HeartbeatItem>> items = decodeHeartbeats(call.body);
    if (!items.ok()) {
        call.fail(items.error());
        return;
    }
    m_queue.heartbeat(std::move(*items), [call](const Result<QList<Result<Heartbeat>>> &beats) {
        if (beats.ok())
            call.reply(200, encodeHeartbeats(*beats));
        else
            call.fail(beats.error());
    });
}

void Api::release(const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    Result<ReleaseItem> item = decodeRelease(call.body, *id);
    if (!item.ok()) {
        call.fail(item.error());
        return;
    }
    m_queue.release({std::move(*item)}, [call](const Result<QList<Result<StateNow>>> &states) {
        if (!states.ok())
            call.fail(states.error());
        else if (!states->first().ok())
            call.fail(states->first().error());
        else
            call.reply(200, encodeState(*states->first()));
    });
}

} // namespace junban::api
