#include "core/jobs/jobfields.h"
#include "server/api/handlers.h"
#include "server/api/scoping.h"

// Outcomes of attempts: reported by workers, or by a message for a job that was handed off.
namespace junban::api {

namespace {

void noteEnd(Workers &workers, const Result<Finished> &finished, bool success)
{
    if (finished.ok() && !finished->worker.isEmpty())
        workers.ended(finished->worker, success, finished->ran_ms);
}

void reportOutcome(const Parts &parts, const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    auto item = id ? bodyOf(call, reportTable, {*id, {}, {}, Queue::drawJitter()}) : std::nullopt;
    if (!item)
        return;
    const bool success = item->outcome.type == OutcomeType::Success;
    parts.queue.finish({std::move(*item)}, {}, 0, [call, success, &workers = parts.workers](const Result<OutcomesReply> &reply) {
        if (reply.ok())
            noteEnd(workers, reply->results.first(), success);
        if (reply.ok() && reply->results.first().ok())
            call.reply(200, pack(finishedTable, *reply->results.first()));
        else
            call.fail(reply.ok() ? reply->results.first().error() : reply.error());
    });
}

void reportOutcomes(const Parts &parts, const Call &call)
{
    std::optional<OutcomesBody> body = bodyOf(call, outcomesTable);
    if (!body)
        return;
    if (const std::optional<Error> error = body->claim ? keepToScope(call.caller, *body->claim, "claim.") : std::nullopt) {
        call.fail(*error);
        return;
    }
    QList<FinishItem> items;
    QList<Result<Finished>> results;
    QList<bool> successes;
    for (Result<FinishItem> &item : body->outcomes) {
        results.append(item.ok() ? Result<Finished>(Finished{}) : Result<Finished>(item.error()));
        if (!item.ok())
            continue;
        item->jitter = Queue::drawJitter();
        successes.append(item->outcome.type == OutcomeType::Success);
        items.append(std::move(*item));
    }
    std::optional<ClaimRequest> claim;
    parts.workers.heard(body->worker);
    if (body->claim)
        parts.workers.heard(body->worker, {body->claim->names, body->labels, body->version});
    // A draining worker gets no job. When it reports some, it is told at once what became of them; else it waits as long as it wanted to.
    const bool reportsOnly = parts.workers.isDraining(body->worker) && !body->outcomes.isEmpty();
    if (body->claim && !reportsOnly)
        claim = requestOf(call, body->worker, *body->claim);
    Callback<OutcomesReply> answer = [&parts, call, results = std::move(results), successes = std::move(successes)](
                                         const Result<OutcomesReply> &reply) mutable {
        if (!reply.ok()) {
            call.fail(reply.error());
            return;
        }
        qsizetype next = 0;
        for (Result<Finished> &result : results) {
            if (!result.ok())
                continue;
            noteEnd(parts.workers, reply->results[next], successes[next]);
            result = reply->results[next++];
        }
        MsgpackWriter out;
        writeResults(out.map(2).text("results"), results, finishedTable);
        out.text("jobs").array(reply->jobs.size());
        for (const ClaimedJob &job : reply->jobs)
            writeFields(out, claimedJobTable, &job, Written::Whole);
        if (!call.reply(200, out.take()))
            giveBack(parts.queue, reply->jobs);
    };
    const qint64 wait_ms = body->claim ? body->claim->wait_ms : 0;
    const Queue::WaitId wait = parts.queue.finish(std::move(items), std::move(claim), wait_ms, std::move(answer));
    call.exchange().onGone([&queue = parts.queue, wait] { queue.giveUp(wait); });
}

void takeMessage(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> key = call.pathName("key");
    if (auto outcome = key ? bodyOf(call, messageTable) : std::nullopt)
        parts.changes.message(*key, std::move(*outcome), answering(call, messageTakenTable));
}

constexpr Operation reportHandlers[] = {
    {"reportOutcome", reportOutcome, CalledBy::Gate, Passed::Again}, {"reportOutcomes", reportOutcomes, CalledBy::Gate, Passed::Again},
    {"takeMessage", takeMessage, CalledBy::QtHttpServer, Passed::Again},
};

} // namespace

const std::span<const Operation> reportOperations = reportHandlers;

} // namespace junban::api
