#include "core/jobs/pastfields.h"
#include "server/api/handlers.h"
#include "server/api/masking.h"
#include "server/api/scoping.h"
#include "server/api/searching.h"

// Results that wait for their pushers.
namespace junban::api {

namespace {

QList<QPair<QByteArray, QByteArray>> resultField(const char *word)
{
    return {qMakePair(QByteArray("Junban-Result"), QByteArray(word))};
}

// An operator looks at the result: what is hidden is left out, unless `reveal` is set.
void peekResult(const Parts &parts, const Call &call, const Result<Job> &job, const ResultNow &now, bool reveal)
{
    const std::optional<JobSpec> spec = job.ok() ? std::optional(job->spec) : std::nullopt;
    const JobId id = job.ok() ? job->id : JobId::fromText(call.match().parameters.value(0)).value_or(JobId());
    withMasks(parts, call, [&parts, call, spec, id, now, reveal](const Masker &masker) {
        QByteArray outcome = now.outcome;
        if (masker.hideOutcome(spec ? &*spec : nullptr, outcome) && reveal)
            noteReveal(parts, call, id, "result");
        call.reply(200, reveal ? now.outcome : outcome, resultField("ready"));
    });
}

void getResult(const Parts &parts, const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    const Result<qint64> wait_ms = call.duration_ms("wait", limits::result_wait_s_max);
    const Result<QByteArray> receipt = receiptOf(call);
    const Result<bool> peek = call.flag("peek"), waited = call.flag("waited");
    const std::optional<bool> reveal = revealOf(call);
    if (!reveal || !areRead(call, wait_ms, receipt, peek, waited))
        return;
    const auto answer = [call](const Result<ResultNow> &now, bool isGone) {
        if (!now.ok() || (isGone && now->status != ResultStatus::Ready)) {
            call.fail(now.ok() ? noSuchJob() : now.error());
            return;
        }
        switch (now->status) {
        case ResultStatus::Ready: call.reply(200, now->outcome, resultField("ready")); break;
        case ResultStatus::Pending: call.reply(202, pack(stateNowTable, {now->state}), resultField("pending")); break;
        case ResultStatus::Gone: call.reply(200, payload::nil, resultField("gone")); break;
        }
    };
    inScopeOfResult(parts, call, *id,
        [&parts, call, answer, id = *id, peek = *peek, reveal = *reveal, receipt = *receipt, wait_ms = *wait_ms, waited = *waited](
            bool isGone) {
        const auto answerNow = [answer, isGone](const Result<ResultNow> &now) { answer(now, isGone); };
        if (peek) {
            findJobOfResult(parts, id, [&parts, call, answerNow, id, reveal, wait_ms](const Result<Job> &job, bool) {
                const auto show = [&parts, call, answerNow, job, reveal](const Result<ResultNow> &now) {
                    const bool hides = now.ok() && now->status == ResultStatus::Ready && !(job.ok() && isOwn(call.caller, *job));
                    if (hides)
                        peekResult(parts, call, job, *now, reveal);
                    else
                        answerNow(now);
                };
                const Queue::WaitId wait = parts.queue.peekResult(id, wait_ms, show);
                call.exchange().onGone([&queue = parts.queue, wait] { queue.giveUp(wait); });
            });
            return;
        }
        if (!call.exchange().alive()) // it left while its job was looked up, and would not get what is taken for it
            return;
        const Fetch fetch = waited ? Fetch::Waited : Fetch::First;
        const Queue::WaitId wait = parts.queue.takeResult(id, receipt, fetch, wait_ms, answerNow);
        call.exchange().onGone([&queue = parts.queue, wait] { queue.giveUp(wait); });
    });
}

void listResults(const Parts &parts, const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    const Result<QByteArray> cursor = call.name("cursor");
    JobFilter filter;
    if (!areRead(call, limit, cursor) || !readMatch(call, filter))
        return;
    withMasks(parts, call, [&parts, call, filter, limit = *limit, cursor = *cursor](const Masker &masker) mutable {
        if (!mayReveal(call.caller))
            filter.mask = &masker;
        parts.lookback.results({filter, limit, cursor}, answering(call, resultPageTable));
    });
}

void discardResult(const Parts &parts, const Call &call)
{
    if (const std::optional<JobId> id = idOf(call))
        parts.lookback.past().discardResult(*id, answeringDone(call));
}

void extendResult(const Parts &parts, const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    const auto patch = id ? bodyOf(call, resultPatchTable) : std::nullopt;
    if (!patch)
        return;
    call.auditAfter(pack(resultPatchTable, *patch));
    parts.lookback.extendResult(*id, patch->ttl_ms, answering(call, keptResultTable));
}

constexpr Operation resultHandlers[] = {
    {"getResult", getResult, CalledBy::Gate}, {"listResults", listResults}, {"searchResults", listResults},
    {"discardResult", discardResult}, {"extendResult", extendResult},
};

} // namespace

const std::span<const Operation> resultOperations = resultHandlers;

} // namespace junban::api
