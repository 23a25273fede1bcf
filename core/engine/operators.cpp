#include "core/base/reasons/store.h"
#include "core/engine/engine.h"

// What operators do with single jobs: transitions 16 (`cancel-waiting`), 17 (`cancel-running`), 18 (`retry`) and 19
// (`edit`).
namespace junban::engine {

Decided<QList<Result<StateNow>>> Engine::cancel(const QList<CancelItem> &items, const Moment &at)
{
    return eachDecided<StateNow>(items, at, [this](const CancelItem &item) { return cancelOne(item); });
}

Decided<QList<Result<StateNow>>> Engine::retry(const QList<RetryItem> &items, const Moment &at)
{
    return eachDecided<StateNow>(items, at, [this](const RetryItem &item) { return retryOne(item); });
}

Decided<Result<StateNow>> Engine::edit(const EditItem &item, const Moment &at)
{
    return decided<Result<StateNow>>(at, [&] { return editOne(item); });
}

Result<StateNow> Engine::cancelOne(const CancelItem &item)
{
    JobEntry *job = m_jobs.find(item.id);
    if (!job)
        return reasons::jobNotFound();
    if (job->state == JobState::Cancelled)
        return StateNow{JobState::Cancelled, false};
    if (isFinal(job->state))
        return reasons::jobStateConflict();
    if (job->state == JobState::Running && !item.force) {
        requestCancel(*job, item.by, {});
        return StateNow{JobState::Running, true};
    }
    cancelNow(*job, item.by, "cancelled");
    return StateNow{JobState::Cancelled, false};
}

// Precondition: the job has not ended.
void Engine::cancelNow(JobEntry &job, const QByteArray &by, const QByteArray &reason)
{
    Course &course = job.run();
    const bool inHands = isInHands(job.state);
    tell(job, inHands ? "cancel_requested" : "cancelled", by); // of a cancel at once this is the history's only word of who it was
    if (inHands) {
        note(job, "cancelled", {}, false, 0);
        m_admission.uncharge(job, AttemptEnd::Other);
        course.ended = {course.lease, EndedBy::Cancel, JobState::Cancelled, 0}; // a report of an earlier attempt is no repeat any more
    }
    course.reason = reason;
    move(job, JobState::Cancelled, m_now_ms);
    count(&Totals::cancelled);
}

// The worker of a running job hears of it at its next heartbeat. The first who asks is in the history.
void Engine::requestCancel(JobEntry &job, const QByteArray &actor, const QByteArray &details)
{
    if (std::exchange(job.run().cancelRequested, true))
        return;
    tell(job, "cancel_requested", actor, details);
    changed(job, StatePart);
}

Result<StateNow> Engine::retryOne(const RetryItem &item)
{
    JobEntry *job = m_jobs.find(item.id);
    if (!job)
        return reasons::jobNotFound();
    if ((job->state != JobState::Failed && job->state != JobState::Cancelled) || isInTrash(*job))
        return reasons::jobStateConflict();
    if (job->special && !takeKeyAgain(*job))
        return ofField(reasons::uniqueKeyTaken(), "unique");
    Course &course = job->run();
    course.failures = course.releases = course.silent = 0;
    course.cancelRequested = false;
    course.reason.clear();
    course.message.clear();
    setOutcome(*job, {});
    dropResult(job->id);
    tell(*job, "retried", item.by);
    place(*job, 0);
    return StateNow{job->state, false, job->order_ms};
}

Result<StateNow> Engine::editOne(const EditItem &item)
{
    JobEntry *job = m_jobs.find(item.id);
    if (!job)
        return reasons::jobNotFound();
    const JobState was = job->state;
    const qint64 wasDue_ms = was == JobState::Scheduled ? job->order_ms : 0;
    if (was != JobState::Ready && was != JobState::Scheduled && (was != JobState::Failed || item.runAt_ms || isInTrash(*job)))
        return reasons::jobStateConflict();
    const bool differs = job->record != packRecord(item.after);
    if (differs && job->record != packRecord(item.before))
        return reasons::jobChanged();
    const int failures = job->course ? job->course->failures : 0;
    if (failures > item.after.maxRetry + (was == JobState::Failed ? 1 : 0))
        return ofField(reasons::maxRetryBelowFailures(failures), "max_retry");
    if (differs && job->special && !moveKey(*job, item.after))
        return ofField(reasons::uniqueKeyTaken(), "argument");
    if (differs)
        replaceSpec(*job, item.after);
    if (was != JobState::Failed)
        place(*job, item.runAt_ms.value_or(wasDue_ms));
    const qint64 due_ms = job->state == JobState::Scheduled ? job->order_ms : 0;
    if (differs || (item.runAt_ms && (job->state != was || due_ms != wasDue_ms))) // a repeated call is not noted again
        tell(*job, "edited", item.by, item.oldValues);
    return StateNow{job->state, false, due_ms};
}

// The matchers read the job again, also if it stays where it is.
void Engine::replaceSpec(JobEntry &job, const JobSpec &spec)
{
    leave(job);
    job.record = packRecord(spec);
    job.priority = spec.priority;
    enter(job);
    changed(job, RecordPart);
}

} // namespace junban::engine
