#include "core/base/reasons/store.h"
#include "core/engine/engine.h"

// What operators do with single jobs: transitions 16 (`cancel-waiting`), 17 (`cancel-running`) and 18 (`retry`).
namespace junban::engine {

Decided<QList<Result<StateNow>>> Engine::cancel(const QList<CancelItem> &items, const Moment &at)
{
    return eachDecided<StateNow>(items, at, [this](const CancelItem &item) { return cancelOne(item); });
}

Decided<QList<Result<StateNow>>> Engine::retry(const QList<RetryItem> &items, const Moment &at)
{
    return eachDecided<StateNow>(items, at, [this](const RetryItem &item) { return retryOne(item); });
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
    Course &course = job->run();
    const bool running = job->state == JobState::Running;
    if (running && !item.force) {
        requestCancel(*job, item.by, {});
        return StateNow{JobState::Running, true};
    }
    tell(*job, running ? "cancel_requested" : "cancelled", item.by); // of a forced cancel this is the history's only word of who it was
    if (running) {
        note(*job, "cancelled", {}, false, 0);
        m_admission.uncharge(*job, AttemptEnd::Other);
        course.ended = {course.lease, EndedBy::Cancel, JobState::Cancelled, 0}; // a report of an earlier attempt is no repeat any more
    }
    course.reason = "cancelled";
    move(*job, JobState::Cancelled, m_now_ms);
    count(&Totals::cancelled);
    return StateNow{JobState::Cancelled, false};
}

// The worker of a running job hears of it at its next heartbeat. The first who asks is in the history.
void Engine::requestCancel(JobEntry &job, const QByteArray &actor, const QByteArray &details)
{
    if (std::exchange(job.run().cancelRequested, true))
        return;
    addHistory(job, Event{m_now_ms, "cancel_requested", actor, job.attempt(), details});
    changed(job, StatePart);
}

Result<StateNow> Engine::retryOne(const RetryItem &item)
{
    JobEntry *job = m_jobs.find(item.id);
    if (!job)
        return reasons::jobNotFound();
    if (job->state != JobState::Failed && job->state != JobState::Cancelled)
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

} // namespace junban::engine
