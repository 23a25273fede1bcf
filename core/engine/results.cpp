#include "core/engine/engine.h"

// The outcomes that wait for their pushers: docs/semantics.md, "Results".
namespace junban::engine {

namespace {

constexpr qint64 receipt_ms = static_cast<qint64>(limits::receipt_s * 1000);

} // namespace

void Engine::keepResult(const JobEntry &job, const QByteArray &outcome)
{
    if (!job.keepResult)
        return;
    const qint64 ttl_ms = (unpackRecord(job.record)->resultTtl_ms + 999) / 1000 * 1000;
    dropResult(job.id);
    KeptResult &result = m_results[job.id];
    result.id = job.id;
    result.slot = job.slot;
    result.outcome = outcome;
    result.endsAt_ms = m_now_ms + ttl_ms;
    m_resultsByEnd.insert({result.endsAt_ms, job.id});
    ++m_resultsWaiting;
    writeResult(result);
}

void Engine::dropResult(const JobId &id)
{
    const auto found = m_results.find(id);
    if (found == m_results.end())
        return;
    removeResultFields(found->second);
    m_resultsByEnd.erase({found->second.endsAt_ms, id});
    m_resultsWaiting -= found->second.taken ? 0 : 1;
    m_results.erase(found);
}

// Those that nobody has fetched in time, and those whose receipt counts no longer.
void Engine::forgetResults(bool &more)
{
    for (int forgotten = 0; !m_resultsByEnd.empty() && m_resultsByEnd.begin()->first <= m_now_ms; ++forgotten) {
        if (forgotten == limits::script_items_max) {
            more = true;
            break;
        }
        dropResult(JobId(m_resultsByEnd.begin()->second));
    }
}

// Several pushers may share a job by its unique key. Each request that was waiting when the job ended gets the result, and it stays for the
// first later one; after that, slower waiting requests still get it as long as a receipt counts.
Decided<ResultNow> Engine::takeResult(const JobId &id, const QByteArray &receipt, Fetch fetch, const Moment &at)
{
    return decided<ResultNow>(at, [&] {
        const auto found = m_results.find(id);
        if (found == m_results.end() || found->second.endsAt_ms <= m_now_ms)
            return peekResult(id);
        KeptResult &result = found->second;
        const ResultNow given{ResultStatus::Ready, result.outcome, {}};
        const JobEntry *job = m_jobs.find(id);
        const bool shared = job && job->special && job->special->shared;
        const bool waited = shared && fetch == Fetch::Waited;
        if (result.taken)
            return waited || (!receipt.isEmpty() && result.receipt == receipt) ? given : peekResult(id);
        if (waited)
            return given;
        if (receipt.isEmpty() && !shared) {
            dropResult(id);
            return given;
        }
        m_resultsByEnd.erase({result.endsAt_ms, id});
        result.taken = true;
        result.receipt = receipt;
        result.endsAt_ms = m_now_ms + receipt_ms;
        m_resultsByEnd.insert({result.endsAt_ms, id});
        --m_resultsWaiting;
        writeResult(result);
        return given;
    });
}

// The result that waits; null: none does.
const KeptResult *Engine::waiting(const JobId &id) const
{
    const auto found = m_results.find(id);
    const bool waits = found != m_results.end() && !found->second.taken && found->second.endsAt_ms > m_now_ms;
    return waits ? &found->second : nullptr;
}

ResultNow Engine::peekResult(const JobId &id) const
{
    if (const KeptResult *result = waiting(id))
        return {ResultStatus::Ready, result->outcome, {}};
    const JobEntry *job = m_jobs.find(id);
    if (!job || !job->keepResult || isFinal(job->state))
        return {};
    return {ResultStatus::Pending, {}, job->state};
}

} // namespace junban::engine
