#include "core/memory/memorydurability.h"

#include "core/base/reasons/engine.h"
#include "core/memory/memorystore.h"

namespace junban::memory {

namespace {

constexpr int cover_ms = 1'000;

// All batches up to this one: Redis holds the batches of one line of leaderships, so the last number tells of all before it.
redis::Sought soughtOf(const MemoryStore::Saved &saved)
{
    const auto isThere = [saved](const redis::Reply &lead) {
        return !saved.id.isEmpty() && lead[0].bytes() == saved.id && lead[1].bytes().toLongLong() >= saved.n;
    };
    return {{"HMGET", saved.leadKey, "id", "n"}, isThere, true};
}

} // namespace

MemoryDurability::MemoryDurability(
    MemoryStore &jobs, const redis::Address &address, const QByteArray &namespaceName, QObject *parent)
    : QObject(parent)
    , m_jobs(jobs)
    , m_pushes(address, namespaceName)
    , m_ring(address, namespaceName)
{
    m_timer.setInterval(cover_ms);
    connect(&m_timer, &QTimer::timeout, this, &MemoryDurability::cover);
}

// The push was answered, so Redis has had its batch.
void MemoryDurability::after(DurabilityLevel level, JobId, Callback<DurabilityLevel> callback)
{
    m_pushes.after(level, soughtOf(m_jobs.saved()), [callback = std::move(callback)](const Result<DurabilityLevel> &reached) {
        callback(reached.ok() ? reached : Result<DurabilityLevel>(retryAfter(reasons::memoryEngineUnsure(), 1)));
    });
}

void MemoryDurability::cover()
{
    const MemoryStore::Saved saved = m_jobs.saved();
    if (m_covering || saved.id.isEmpty() || (saved.id == m_id && saved.n == m_covered))
        return;
    m_covering = true;
    m_ring.whetherCovered(soughtOf(saved), [this, saved](const Result<bool> &covered) {
        m_covering = false;
        if (!covered.ok() || !*covered)
            return;
        m_id = saved.id;
        m_covered = saved.n;
        m_jobs.cover(saved);
    });
}

} // namespace junban::memory
