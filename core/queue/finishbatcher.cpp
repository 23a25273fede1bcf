#include "core/queue/finishbatcher.h"

#include "core/base/reasons/store.h"

namespace junban {

namespace {

Error tooMany()
{
    return retryAfter(reasons::storeTooManyRequests(), 1);
}

template<typename Reply>
void refuseLater(QObject &context, std::function<void(Result<Reply>)> answer)
{
    QMetaObject::invokeMethod(&context, [answer = std::move(answer)] { answer(tooMany()); }, Qt::QueuedConnection);
}

} // namespace

FinishBatcher::FinishBatcher(Store &store)
    : m_store(store)
    , m_pass([this] { flush(); }, NextPass::Stage::DecideClaims)
{
}

void FinishBatcher::addFinish(FinishItem item, std::function<void(Result<Finished>)> answer)
{
    const qint64 bytes = item.outcome.result.size() + item.outcome.error.size() + item.outcome.message.size() + 128;
    if (m_finishes.size() >= limits::items_waiting_max || m_bytes + bytes > limits::bytes_waiting_max) {
        refuseLater(m_pass, std::move(answer));
        return;
    }
    m_bytes += bytes;
    m_finishes.push_back({std::move(item), std::move(answer), bytes});
    m_pass.ask();
}

void FinishBatcher::addClaim(ClaimRequest request, std::function<void(Result<Claimed>)> answer)
{
    if (m_claims.size() >= limits::items_waiting_max) {
        refuseLater(m_pass, std::move(answer));
        return;
    }
    m_claims.push_back({std::move(request), std::move(answer)});
    m_pass.ask();
}

FinishBatcher::Call FinishBatcher::nextCall()
{
    Call call;
    qint64 bytes = 0;
    while (!m_finishes.empty() && call.items.size() < limits::script_items_max) {
        Finish &first = m_finishes.front();
        if (!call.items.isEmpty() && bytes + first.bytes > limits::script_bytes_max)
            break;
        bytes += first.bytes;
        m_bytes -= first.bytes;
        call.items.append(std::move(first.item));
        call.finishes.append(std::move(first));
        m_finishes.pop_front();
    }
    // A claim must not overtake a report that came before it, so claims wait until no report does.
    int jobs = 0;
    while (m_finishes.empty() && !m_claims.empty()) {
        Claim &first = m_claims.front();
        jobs += first.request.limit;
        if (!call.requests.isEmpty() && jobs > limits::script_items_max)
            break;
        call.requests.append(std::move(first.request));
        call.claims.append(std::move(first));
        m_claims.pop_front();
    }
    return call;
}

void FinishBatcher::flush()
{
    while ((!m_finishes.empty() || !m_claims.empty()) && m_inFlight < limits::calls_in_flight_max) {
        auto call = std::make_shared<Call>(nextCall());
        ++m_inFlight;
        m_store.finishAndClaim(std::move(call->items), std::move(call->requests),
            [this, call, alive = std::weak_ptr(m_alive)](Result<FinishAndClaimReply> reply) {
                if (alive.expired())
                    return;
                --m_inFlight;
                deliver(*call, std::move(reply));
                if (!m_finishes.empty() || !m_claims.empty())
                    m_pass.ask();
            });
    }
}

void FinishBatcher::deliver(const Call &call, Result<FinishAndClaimReply> reply)
{
    for (qsizetype i = 0; i < call.finishes.size(); ++i) {
        const auto &answer = call.finishes[i].answer;
        reply.ok() ? answer(std::move(reply->finished[i])) : answer(reply.error());
    }
    for (qsizetype i = 0; i < call.claims.size(); ++i) {
        const auto &answer = call.claims[i].answer;
        reply.ok() ? answer(std::move(reply->claimed[i])) : answer(reply.error());
    }
}

} // namespace junban
