#include "core/base/reasons/store.h"
#include "core/engine/engine.h"

#include <algorithm>

// How jobs come in.
namespace junban::engine {

Decided<QList<Result<Enqueued>>> Engine::enqueue(const QList<EnqueueItem> &items, const Moment &at)
{
    return eachDecided<Enqueued>(items, at, [this](const EnqueueItem &item) { return enqueueOne(item); });
}

Result<Enqueued> Engine::enqueueOne(const EnqueueItem &item)
{
    const bool keyed = !item.spec.idempotencyKey.isEmpty();
    const QByteArray hash = keyed ? IdempotencyKeys::hashOf(item.owner, item.spec.idempotencyKey) : QByteArray();
    const QByteArray fingerprint = keyed ? item.spec.fingerprint() : QByteArray();
    if (const RememberedPush *known = keyed ? m_keys.find(hash, m_now_ms) : nullptr) { // transition 2 (`repeat-enqueue`)
        if (known->id != item.id && known->fingerprint != fingerprint)
            return ofField(reasons::idempotencyKeyReused(), "idempotency_key");
        const JobEntry *job = m_jobs.find(known->id);
        const JobState gone = known->gone == JobState::Ready ? JobState::Succeeded : known->gone;
        return Enqueued{known->id, job ? job->state : gone, known->id != item.id};
    }
    const auto [job, isNew] = m_jobs.add(item.id);
    if (!isNew) // this very call again
        return Enqueued{item.id, job->state, false};
    const Result<Enqueued> pushed = push(*job, item.spec);
    if (!pushed.ok() || pushed->duplicate)
        m_jobs.remove(*job); // it has not come in
    if (pushed.ok() && pushed->duplicate)
        share(*m_jobs.find(pushed->id), item.owner);
    if (pushed.ok() && keyed)
        m_keys.remember(hash, {pushed->id, fingerprint, m_now_ms}, m_writes);
    return pushed;
}

// Transition 1 (`enqueue`). All that may refuse the job comes first. Precondition: the job is new, and has nothing but its id.
Result<Enqueued> Engine::push(JobEntry &job, const JobSpec &spec)
{
    if (!mayJoinGroup(spec))
        return ofField(reasons::groupOfAnother(), "group");
    for (qsizetype i = 0; i < spec.dependsOn.size(); ++i) {
        if (spec.dependsOn[i] == job.id || !m_jobs.find(spec.dependsOn[i]))
            return ofField(reasons::dependencyUnknown(), "depends_on[" + QByteArray::number(i) + ']');
    }
    std::optional<JobState> bad = badEndAmong(spec);
    JobId ahead;
    if (spec.unique) {
        if (const auto answer = meetHolder(spec, ahead))
            return *answer;
        if (!bad) // it may depend on the job that it has replaced
            bad = badEndAmong(spec);
    }
    bring(job, spec, ahead);
    if (bad)
        endByDependency(job, *bad);
    return Enqueued{job.id, job.state, false};
}

void Engine::bring(JobEntry &job, const JobSpec &spec, const JobId &ahead)
{
    const qint64 due_ms = spec.runAt_ms.value_or(spec.delay_ms > 0 ? m_now_ms + spec.delay_ms : 0);
    job.record = packRecord(spec);
    job.slot = m_segments.allocate(job.record.size(), m_writes);
    job.name = &nameOf(spec.name);
    job.priority = spec.priority;
    job.keepResult = spec.keepResult;
    job.createdAt_ms = std::min(job.id.created_ms(), m_now_ms); // the master that made the id may be ahead
    job.special = Special::of(spec);
    const Opening opening = openingFrom(job, due_ms);
    job.state = opening.at_ms > m_now_ms ? JobState::Scheduled : JobState::Ready;
    job.order_ms = job.state == JobState::Scheduled ? opening.at_ms : 0;
    if (job.special) {
        job.special->closesAt_ms = job.state == JobState::Ready ? opening.closesAt_ms : 0;
        addSpecial(job, spec, ahead, due_ms);
    }
    enter(job);
    if (job.state == JobState::Ready && !m_wake.readyNames.contains(spec.name))
        m_wake.readyNames.append(spec.name);
    changed(job, RecordPart);
    if (job.state != JobState::Ready || job.special || job.createdAt_ms != job.id.created_ms())
        changed(job, StatePart); // otherwise the record alone says all
    countOf(*job.name, &Totals::enqueued);
}

NameEntry &Engine::nameOf(const QByteArray &name)
{
    bool isNew = false;
    NameEntry &entry = m_jobs.name(name, isNew);
    if (isNew) {
        writeName(entry);
        if (m_retention.ofName(name))
            m_jobs.gatherEnded(entry);
        if (m_matchers.set().concerns(name))
            m_admission.readAgain(entry);
    }
    return entry;
}

} // namespace junban::engine
