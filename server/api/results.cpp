#include "core/jobs/pastfields.h"
#include "server/api/handlers.h"
#include "server/api/scoping.h"

// Results that wait for their pushers.
namespace junban::api {

namespace {

void getResult(const Parts &parts, const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    const Result<qint64> wait_ms = call.duration_ms("wait", limits::result_wait_s_max);
    const Result<QByteArray> receipt = call.name("receipt");
    const Result<bool> peek = call.flag("peek");
    if (!areRead(call, wait_ms, receipt, peek))
        return;
    const auto answer = [call](const Result<ResultNow> &now) {
        if (!now.ok()) {
            call.fail(now.error());
            return;
        }
        const auto field = [](const char *word) {
            return QList<QPair<QByteArray, QByteArray>>{qMakePair(QByteArray("Junban-Result"), QByteArray(word))};
        };
        switch (now->status) {
        case ResultStatus::Ready: call.reply(200, now->outcome, field("ready")); break;
        case ResultStatus::Pending: call.reply(202, pack(stateNowTable, {now->state}), field("pending")); break;
        case ResultStatus::Gone: call.reply(200, payload::nil, field("gone")); break;
        }
    };
    inScope(parts.inspector, call, *id, [&parts, call, answer, id = *id, peek = *peek, receipt = *receipt, wait_ms = *wait_ms] {
        if (peek) {
            parts.inspector.peekResult(id, answer);
            return;
        }
        if (!call.exchange().alive()) // it left while its job was looked up, and would not get what is taken for it
            return;
        const Queue::WaitId wait = parts.queue.takeResult(id, receipt, wait_ms, answer);
        call.exchange().onGone([&queue = parts.queue, wait] { queue.giveUp(wait); });
    });
}

void listResults(const Parts &parts, const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    const Result<QByteArray> cursor = call.name("cursor");
    if (areRead(call, limit, cursor))
        parts.lookback.results(*limit, *cursor, answering(call, resultPageTable));
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
    if (patch)
        parts.lookback.extendResult(*id, patch->ttl_ms, answering(call, keptResultTable));
}

constexpr Operation resultHandlers[] = {
    {"getResult", getResult}, {"listResults", listResults}, {"discardResult", discardResult}, {"extendResult", extendResult},
};

} // namespace

const std::span<const Operation> resultOperations = resultHandlers;

} // namespace junban::api
