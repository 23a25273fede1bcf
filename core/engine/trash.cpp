#include "core/base/reasons/store.h"
#include "core/engine/engine.h"

// Stars and the trash: transitions 25 (`delete`), 26 (`restore`), and 20 (`purge`) of what was deleted.
namespace junban::engine {

namespace {

constexpr qint64 trash_ms = static_cast<qint64>(limits::trash_s * 1000);

} // namespace

Decided<Result<Done>> Engine::track(const JobId &id, bool tracked, const Moment &at)
{
    return decided<Result<Done>>(at, [&] { return trackOne(id, tracked); });
}

Decided<QList<Result<StateNow>>> Engine::moveToTrash(const QList<JobId> &ids, const QByteArray &by, const Moment &at)
{
    return eachDecided<StateNow>(ids, at, [&](const JobId &id) { return moveToTrashOne(id, by); });
}

Decided<QList<Result<StateNow>>> Engine::restore(const QList<JobId> &ids, const QByteArray &by, const Moment &at)
{
    return eachDecided<StateNow>(ids, at, [&](const JobId &id) { return restoreOne(id, by); });
}

Result<Done> Engine::trackOne(const JobId &id, bool tracked)
{
    JobEntry *job = m_jobs.find(id);
    if (!job)
        return reasons::jobNotFound();
    if (isTracked(*job) == tracked)
        return Done();
    if (tracked && qint64(m_jobs.tracked().size()) >= limits::tracked_max)
        return reasons::trackedTooMany(limits::tracked_max);
    m_jobs.track(*job, tracked ? m_now_ms : 0);
    changed(*job, MarksPart);
    return Done();
}

// A job that had not ended is cancelled, so nobody waits for it.
Result<StateNow> Engine::moveToTrashOne(const JobId &id, const QByteArray &by)
{
    JobEntry *job = m_jobs.find(id);
    if (!job)
        return reasons::jobNotFound();
    if (isInTrash(*job))
        return StateNow{job->state};
    if (isInHands(job->state))
        return reasons::jobStateConflict();
    const JobState was = job->state;
    const qint64 due_ms = was == JobState::Scheduled ? job->order_ms : 0;
    tell(*job, "deleted", by);
    count(&Totals::deleted);
    if (!isFinal(was)) {
        job->run().reason = "deleted";
        move(*job, JobState::Cancelled, m_now_ms);
    }
    leave(*job);
    job->mark().deletion = {m_now_ms, was, due_ms};
    enter(*job);
    changed(*job, MarksPart);
    return StateNow{job->state};
}

Result<StateNow> Engine::restoreOne(const JobId &id, const QByteArray &by)
{
    JobEntry *job = m_jobs.find(id);
    if (!job)
        return reasons::jobNotFound();
    if (!isInTrash(*job))
        return reasons::jobStateConflict();
    const Deletion deletion = job->marks->deletion;
    if (!isFinal(deletion.from) && job->special && !restoreKey(*job))
        return ofField(reasons::uniqueKeyTaken(), "unique");
    tell(*job, "restored", by);
    leave(*job);
    job->marks->deletion = {};
    enter(*job);
    changed(*job, MarksPart);
    if (!isFinal(deletion.from)) {
        job->run().reason.clear();
        if (deletion.from == JobState::Depends)
            waitAgain(*job, deletion.dependencyEnd);
        else
            place(*job, deletion.due_ms);
    }
    return StateNow{job->state, false, job->state == JobState::Scheduled ? job->order_ms : 0};
}

// Gives a job that is restored its unique key again, unless it gave the key up when it started. Returns whether the job may go on: another
// living job may have the key, which is not the one that the job waits for.
bool Engine::restoreKey(JobEntry &job)
{
    const Special &special = *job.special;
    if (special.uniqueKey.isEmpty() || (special.until == UniqueUntil::Started && job.attempt() > 0))
        return true;
    const JobEntry *holder = m_jobs.special().holder(special.uniqueKey);
    if (holder && !(job.marks->deletion.from == JobState::Depends && holder->id == special.ahead))
        return false;
    giveKey(job);
    return true;
}

// A job that waited for others is restored. `bad`: the first bad end among them meanwhile; Succeeded: there was none.
void Engine::waitAgain(JobEntry &job, JobState bad)
{
    if (bad != JobState::Succeeded) {
        endByDependency(job, bad);
    } else if (waitsFor(job).isEmpty()) {
        job.special->ended.clear();
        place(job, job.special->dueAt_ms);
    } else {
        move(job, JobState::Depends, m_now_ms);
    }
}

// A star does not keep what was deleted.
int Engine::purgeTrash(bool &more)
{
    int purged = 0;
    for (const MarkedJobs &trash = m_jobs.trash(); !trash.empty() && trash.begin()->first + trash_ms <= m_now_ms; ++purged) {
        JobEntry &oldest = *m_jobs.find(trash.begin()->second);
        if (purged == limits::script_items_max || m_jobs.special().isToBeTold(oldest)) {
            more = true;
            break;
        }
        m_keys.jobGone(oldest.id, oldest.state, m_writes);
        removeJob(oldest);
    }
    return purged;
}

} // namespace junban::engine
