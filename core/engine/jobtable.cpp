#include "core/engine/jobtable.h"

namespace junban::engine {

JobTable::JobTable()
{
    for (const JobState state : endedStates)
        m_nextToLookAt[endedIndex(state)] = m_byState[size_t(state)].end();
}

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
    else if (isFinal(job.state) && !isInTrash(job))
        lookFrom(m_byState[size_t(job.state)].find(&job));
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
        const auto place = jobs.insert(jobs.end(), &job);
        if (isFinal(job.state)) {
            lookFrom(place);
            if (job.name->ended)
                (*job.name->ended)[endedIndex(job.state)].insert(&job);
        }
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
        TimedJobs &jobs = m_byState[size_t(job.state)];
        const auto place = jobs.find(&job);
        if (isFinal(job.state)) {
            if (auto &next = m_nextToLookAt[endedIndex(job.state)]; next == place)
                ++next;
            if (job.name->ended)
                (*job.name->ended)[endedIndex(job.state)].erase(&job);
        }
        jobs.erase(place);
        return;
    }
    NameEntry &name = *job.name;
    const bool first = name.head == &job;
    const auto behind = name.ready.erase(name.ready.find(&job));
    if (first && !name.lanes)
        setHead(name, behind == name.ready.end() ? nullptr : *behind);
    --m_ready;
}

// The purge looks at this job again.
void JobTable::lookFrom(TimedJobs::iterator place)
{
    const JobState state = (*place)->state;
    auto &next = m_nextToLookAt[endedIndex(state)];
    if (next == m_byState[size_t(state)].end() || ByTime()(*place, *next))
        next = place;
}

JobEntry *JobTable::nextToLookAt(JobState state) const
{
    const auto next = m_nextToLookAt[endedIndex(state)];
    return next == m_byState[size_t(state)].end() ? nullptr : *next;
}

void JobTable::lookedAt(const JobEntry &job)
{
    ++m_nextToLookAt[endedIndex(job.state)];
}

void JobTable::lookAgain()
{
    for (const JobState state : endedStates)
        m_nextToLookAt[endedIndex(state)] = m_byState[size_t(state)].begin();
}

void JobTable::gatherEnded(NameEntry &name)
{
    name.ended = std::make_unique<std::array<TimedJobs, 3>>();
    m_gathering = Gathering();
}

bool JobTable::gatherOn(int jobs)
{
    while (m_gathering) {
        JobEntry place;
        place.order_ms = m_gathering->order_ms;
        place.id = m_gathering->id;
        const size_t index = m_gathering->index;
        const TimedJobs &ended = m_byState[size_t(endedStates[index])];
        for (auto next = ended.upper_bound(&place); next != ended.end(); ++next) {
            if (jobs-- == 0)
                return true;
            if ((*next)->name->ended)
                (*(*next)->name->ended)[index].insert(*next);
            m_gathering = Gathering{index, (*next)->order_ms, (*next)->id};
        }
        if (index + 1 < std::size(endedStates))
            m_gathering = Gathering{index + 1};
        else
            m_gathering.reset();
    }
    return false;
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
