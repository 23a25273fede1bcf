#include "core/base/reasons/store.h"
#include "core/engine/engine.h"
#include "core/engine/madeoutcome.h"

// What a worker says while it has a job: transitions 5 (`heartbeat`), 6 (`progress`) and 7 (`release`).
namespace junban::engine {

Decided<QList<Result<Heartbeat>>> Engine::heartbeat(const QList<HeartbeatItem> &items, const Moment &at)
{
    return eachDecided<Heartbeat>(items, at, [this](const HeartbeatItem &item) { return heartbeatOne(item); });
}

Decided<QList<Result<StateNow>>> Engine::release(const QList<ReleaseItem> &items, const Moment &at)
{
    return eachDecided<StateNow>(items, at, [this](const ReleaseItem &item) { return releaseOne(item); });
}

// The running job that has this lease. Errors: NotFound, and LeaseLost for transition 14 (`lost-lease`).
Result<JobEntry *> Engine::leased(const JobId &id, const QByteArray &lease)
{
    JobEntry *job = m_jobs.find(id);
    if (!job)
        return reasons::jobNotFound();
    if (job->state != JobState::Running || job->course->lease != lease)
        return ofField(reasons::leaseLost(), "lease");
    return job;
}

Result<Heartbeat> Engine::heartbeatOne(const HeartbeatItem &item)
{
    const Result<JobEntry *> found = leased(item.id, item.lease);
    if (!found.ok())
        return found.error();
    JobEntry &job = **found;
    Course &course = job.run();
    course.heard = true;
    move(job, JobState::Running, std::min(m_now_ms + course.lease_ms, course.deadline_ms));
    if (item.progress) {
        course.done = item.progress->done;
        course.total = item.progress->total;
        course.progress = item.progress->message;
    }
    return Heartbeat{job.order_ms, course.cancelRequested};
}

Result<StateNow> Engine::releaseOne(const ReleaseItem &item)
{
    if (const JobEntry *job = m_jobs.find(item.id); job && job->course && !item.lease.isEmpty()) {
        const LastReport &ended = job->course->ended;
        if (ended.by == EndedBy::Release && ended.lease == item.lease)
            return StateNow{ended.state, false}; // transition 13 (`repeat-report`)
    }
    const Result<JobEntry *> found = leased(item.id, item.lease);
    if (!found.ok())
        return found.error();
    JobEntry &job = **found;
    Course &course = job.run();
    if (course.cancelRequested)
        return StateNow{endBadly(job, {EndedBy::Release, "released", {}, {}, "Released after a cancel was asked for."}).state, false};
    if (!item.untouched && course.releases == limits::releases_max) { // it counts as a failure
        const QByteArray message = "Released more than " + QByteArray::number(limits::releases_max) + " times.";
        return StateNow{endBadly(job, {EndedBy::Release, "released", "other", madeOutcome(m_now_ms, FailureReason::Other, true, message),
                                          message, true, item.delay_ms, item.jitter})
                            .state,
            false};
    }
    const qint64 due_ms = item.delay_ms > 0 ? m_now_ms + item.delay_ms : 0;
    if (!item.untouched) {
        note(job, "released", {}, true, due_ms);
        ++course.releases;
    }
    course.silent = 0;
    m_admission.uncharge(job, item.untouched ? AttemptEnd::Untouched : AttemptEnd::Other);
    place(job, due_ms);
    course.ended = {course.lease, EndedBy::Release, job.state, 0};
    return StateNow{job.state, false};
}

} // namespace junban::engine
