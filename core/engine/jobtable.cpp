#include "core/engine/jobtable.h"

namespace junban::engine {

JobEntry *JobTable::find(const JobId &id)
{
    const auto found = m_jobs.find(id);
    return found == m_jobs.end() ? nullptr : &found->second;
}

std::pair<JobEntry *, bool> JobTable::add(const JobId &id)
{
    const auto [place, isNew] = m_jobs.try_emplace(id);
    JobEntry &job = place->second;
    if (isNew)
        job.id = id;
    return {&job, isNew};
}

void JobTable::remove(const JobEntry &job)
{
    if (isTracked(job))
        m_tracked.erase({job.marks->trackedAt_ms, job.id});
    m_jobs.erase(JobId(job.id));
}

void JobTable::track(JobEntry &job, qint64 at_ms)
{
    Marks &marks = job.mark();
    m_tracked.erase({marks.trackedAt_ms, job.id});
    marks.trackedAt_ms = at_ms;
    if (at_ms > 0)
        m_tracked.insert({at_ms, job.id});
}

// Most jobs become the last of their index, so the place is looked for from there.
void JobTable::enter(JobEntry &job)
{
    if (job.special)
        m_special.enter(job);
    if (isFinal(job.state))
        m_special.ended(job);
    if (isInTrash(job)) {
        m_trash.insert({job.marks->deletion.at_ms, job.id});
        return;
    }
    if (job.state == JobState::Awaiting)
        m_awaiting[job.course->handoff.key] = &job;
    if (job.state != JobState::Ready) {
        TimedJobs &jobs = m_byState[size_t(job.state)];
        jobs.insert(jobs.end(), &job);
        return;
    }
    NameEntry &name = *job.name;
    name.ready.insert(name.ready.end(), &job);
    if (!name.lanes && (!name.head || ByPriority()(&job, name.head)))
        setHead(name, &job);
    ++m_ready;
}

void JobTable::leave(JobEntry &job)
{
    if (job.special)
        m_special.leave(job);
    if (isFinal(job.state))
        m_special.forget(job);
    if (isInTrash(job)) {
        m_trash.erase({job.marks->deletion.at_ms, job.id});
        return;
    }
    if (job.state == JobState::Awaiting)
        m_awaiting.erase(job.course->handoff.key);
    if (job.state != JobState::Ready) {
        m_byState[size_t(job.state)].erase(&job);
        return;
    }
    NameEntry &name = *job.name;
    const bool first = name.head == &job;
    const auto behind = name.ready.erase(name.ready.find(&job));
    if (first && !name.lanes)
        setHead(name, behind == name.ready.end() ? nullptr : *behind);
    --m_ready;
}

JobEntry *JobTable::awaiting(const QByteArray &key) const
{
    const auto found = m_awaiting.find(key);
    return found == m_awaiting.end() ? nullptr : found->second;
}

void JobTable::setHead(NameEntry &name, JobEntry *head)
{
    if (name.head == head)
        return;
    if (name.head)
        m_heads.erase(&name); // it stands there by its present head
    name.head = head;
    if (head)
        m_heads.insert(&name);
}

NameEntry *JobTable::findName(const QByteArray &name)
{
    const auto found = m_names.find(name);
    return found == m_names.end() ? nullptr : &found->second;
}

NameEntry &JobTable::name(const QByteArray &name, bool &isNew)
{
    NameEntry *known = findName(name);
    isNew = known == nullptr;
    return isNew ? addName(m_byNumber.empty() ? 0 : m_byNumber.rbegin()->first + 1, name) : *known;
}

NameEntry &JobTable::addName(int number, const QByteArray &name)
{
    NameEntry &entry = m_names[name];
    entry.name = name;
    entry.number = number;
    m_byNumber[number] = &entry;
    return entry;
}

NameEntry *JobTable::best(const QList<QByteArray> &names)
{
    if (names.isEmpty())
        return m_heads.empty() ? nullptr : *m_heads.begin();
    NameEntry *best = nullptr;
    for (const QByteArray &wanted : names) {
        const auto found = m_names.find(wanted);
        if (found == m_names.end() || !found->second.head)
            continue;
        if (!best || ByPriority()(found->second.head, best->head))
            best = &found->second;
    }
    return best;
}

qint64 JobTable::count(JobState state) const
{
    return state == JobState::Ready ? m_ready : qint64(inState(state).size());
}

} // namespace junban::engine
