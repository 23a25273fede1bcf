#include "core/base/reasons/store.h"
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
    m_waitingResults.insert({result.endsAt_ms, job.id});
    writeResult(result);
}

void Engine::dropResult(const JobId &id)
{
    const auto found = m_results.find(id);
    if (found == m_results.end())
        return;
    removeResultFields(found->second);
    byEnd(found->second).erase({found->second.endsAt_ms, id});
    m_results.erase(found);
}

// Those that nobody has fetched in time, and those whose receipt counts no longer.
void Engine::forgetResults(bool &more)
{
    for (const ResultsByEnd *results : {&m_waitingResults, &m_takenResults}) {
        for (int forgotten = 0; !results->empty() && results->begin()->first <= m_now_ms; ++forgotten) {
            if (forgotten == limits::script_items_max) {
                more = true;
                break;
            }
            dropResult(JobId(results->begin()->second));
        }
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
        m_waitingResults.erase({result.endsAt_ms, id});
        result.taken = true;
        result.receipt = receipt;
        result.endsAt_ms = m_now_ms + receipt_ms;
        m_takenResults.insert({result.endsAt_ms, id});
        writeResult(result);
        return given;
    });
}

Decided<Result<Done>> Engine::discardResult(const JobId &id, const Moment &at)
{
    return decided<Result<Done>>(at, [&]() -> Result<Done> {
        if (!waiting(id))
            return reasons::resultNotFound();
        dropResult(id);
        return Done();
    });
}

Decided<Result<Done>> Engine::extendResult(const JobId &id, qint64 ttl_ms, const Moment &at)
{
    return decided<Result<Done>>(at, [&]() -> Result<Done> {
        if (!waiting(id))
            return reasons::resultNotFound();
        KeptResult &result = m_results.at(id);
        m_waitingResults.erase({result.endsAt_ms, id});
        result.endsAt_ms = m_now_ms + ttl_ms;
        m_waitingResults.insert({result.endsAt_ms, id});
        writeResult(result);
        return Done();
    });
}

ResultPage Engine::results(const ResultsRequest &request) const
{
    ResultPage page;
    page.total = resultsWaiting();
    auto from = lastEnded();
    if (request.after)
        from = std::max(from, std::pair(request.after->first, request.after->second));
    auto next = m_waitingResults.upper_bound(from);
    for (; next != m_waitingResults.end() && page.results.size() < request.limit; ++next)
        page.results.append(shown(m_results.at(next->second)));
    page.end = next == m_waitingResults.end();
    return page;
}

Result<junban::KeptResult> Engine::result(const JobId &id) const
{
    const KeptResult *result = waiting(id);
    return result ? Result<junban::KeptResult>(shown(*result)) : Result<junban::KeptResult>(reasons::resultNotFound());
}

Result<Job> Engine::resultOwner(const JobId &id) const
{
    const auto found = m_results.find(id);
    if (found == m_results.end() || found->second.owner.isEmpty() || found->second.endsAt_ms <= m_now_ms)
        return reasons::jobNotFound();
    Job job;
    job.id = id;
    job.spec = *unpackRecord(found->second.owner);
    job.sharers = found->second.sharers;
    return job;
}

junban::KeptResult Engine::shown(const KeptResult &result) const
{
    junban::KeptResult shown;
    shown.id = result.id;
    shown.bytes = result.outcome.size();
    shown.expiresAt_ms = result.endsAt_ms;
    if (const JobEntry *job = m_jobs.find(result.id); job && job->slot == result.slot) { // otherwise another job came under its id
        shown.name = job->name->name;
        shown.finishedAt_ms = isFinal(job->state) ? job->order_ms : 0;
    }
    return shown;
}

// Behind all results that the next sweep forgets.
std::pair<qint64, JobId> Engine::lastEnded() const
{
    return {m_now_ms, *JobId::fromBytes(QByteArray(JobId::size, '\xff'))};
}

qint64 Engine::resultsWaiting() const
{
    const auto first = m_waitingResults.upper_bound(lastEnded());
    return qint64(m_waitingResults.size()) - std::distance(m_waitingResults.begin(), first);
}

Engine::ResultsByEnd &Engine::byEnd(const KeptResult &result)
{
    return result.taken ? m_takenResults : m_waitingResults;
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
