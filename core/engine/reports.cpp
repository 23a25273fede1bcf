#include "core/base/reasons/store.h"
#include "core/engine/backoff.h"
#include "core/engine/engine.h"

// How attempts end by a worker's report.
namespace junban::engine {

namespace {

// Cuts a UTF-8 text to at most so many bytes, between two characters.
QByteArray cut(const QByteArray &text, qsizetype bytes)
{
    if (text.size() <= bytes)
        return text;
    while (bytes > 0 && (static_cast<quint8>(text[bytes]) & 0xc0) == 0x80)
        --bytes;
    return text.first(bytes);
}

// How limits hear of a bad end.
AttemptEnd attemptEnd(EndedBy by)
{
    const bool failed = by == EndedBy::Failure || by == EndedBy::Message;
    return failed ? AttemptEnd::Failure : by == EndedBy::Expiry ? AttemptEnd::Expiry : AttemptEnd::Other;
}

constexpr qsizetype shown_message_bytes = 200;   // of the job's message
constexpr qsizetype history_message_bytes = 1024; // of an attempt's

} // namespace

Decided<QList<Result<Finished>>> Engine::finish(const QList<FinishItem> &items, const Moment &at)
{
    return eachDecided<Finished>(items, at, [this](const FinishItem &item) { return finishOne(item); });
}

Result<Finished> Engine::finishOne(const FinishItem &item)
{
    JobEntry *job = m_jobs.find(item.id);
    if (!job)
        return reasons::jobNotFound();
    if (!job->course || item.lease.isEmpty())
        return ofField(reasons::leaseLost(), "lease");
    const Course &course = *job->course;
    const bool success = item.outcome.type == OutcomeType::Success;
    if (job->state == JobState::Running && course.lease == item.lease) {
        const QByteArray worker = course.worker;
        const qint64 ran_ms = m_now_ms - course.startedAt_ms;
        Finished finished;
        if (success) {
            finished = succeed(*job, EndedBy::Success, item.outcome.packed()); // transition 8 (`success`)
        } else { // transition 9 (`failure-retried`) or 10 (`failure-final`)
            finished = endBadly(*job, reported(EndedBy::Failure, item.outcome, item.jitter));
        }
        finished.worker = worker;
        finished.ran_ms = ran_ms;
        return finished;
    }
    if (course.ended.lease == item.lease && course.ended.by == (success ? EndedBy::Success : EndedBy::Failure))
        return Finished{course.ended.state, course.ended.runAt_ms}; // transition 13 (`repeat-report`)
    const bool waits = job->state == JobState::Ready || job->state == JobState::Scheduled;
    if (success && waits && course.ended.lease == item.lease && course.ended.by == EndedBy::Expiry) { // transition 12 (`late-success`)
        Finished finished = succeed(*job, EndedBy::Success, item.outcome.packed());
        finished.worker = course.worker;
        finished.ran_ms = m_now_ms - course.startedAt_ms;
        return finished;
    }
    return ofField(reasons::leaseLost(), "lease"); // transition 14 (`lost-lease`)
}

// A failure as a worker or a message tells it.
Engine::BadEnd Engine::reported(EndedBy by, const Outcome &outcome, double jitter)
{
    BadEnd end{by, "failure", failureReasonWord(outcome.reason), outcome.packed(), outcome.message};
    end.retry = outcome.shouldRetry;
    end.after_ms = outcome.retryAfter_ms.value_or(0);
    end.jitter = jitter;
    return end;
}

Finished Engine::succeed(JobEntry &job, EndedBy by, const QByteArray &outcome)
{
    Course &course = job.run();
    course.ended = {course.lease, by, JobState::Succeeded, 0};
    setOutcome(job, {}); // of an earlier failure
    m_admission.uncharge(job, AttemptEnd::Success);
    move(job, JobState::Succeeded, m_now_ms);
    keepResult(job, outcome);
    countOf(*job.name, &Totals::succeeded);
    return {JobState::Succeeded, 0};
}

// The attempt of a job that runs or awaits a message ends badly: the job is tried again, fails, or, if a cancel was asked for, is
// cancelled.
Finished Engine::endBadly(JobEntry &job, const BadEnd &end)
{
    Course &course = job.run();
    const QByteArray message = cut(end.message, history_message_bytes);
    course.message = cut(end.message, shown_message_bytes);
    course.ended = {course.lease, end.by, JobState::Cancelled, 0};
    m_admission.uncharge(job, attemptEnd(end.by), end.after_ms);
    if (course.cancelRequested) { // transition 24 (`end-cancelled`)
        note(job, end.how, message, false, 0);
        course.reason = "cancelled";
        move(job, JobState::Cancelled, m_now_ms);
        count(&Totals::cancelled);
        return {JobState::Cancelled, 0};
    }
    ++course.failures;
    course.silent = end.silent;
    setOutcome(job, end.outcome);
    countOf(*job.name, &Totals::failures);
    const JobSpec spec = *unpackRecord(job.record);
    if (end.retry && course.failures <= spec.maxRetry) {
        place(job, m_now_ms + std::max(backoffDelay_ms(spec.backoff, course.failures, end.jitter), end.after_ms));
        course.ended.state = job.state;
        course.ended.runAt_ms = job.order_ms;
        note(job, end.how, message, true, job.order_ms);
        count(&Totals::retried);
        return {job.state, job.order_ms};
    }
    note(job, end.how, message, end.retry, 0);
    course.ended.state = JobState::Failed;
    course.reason = end.reason;
    move(job, JobState::Failed, m_now_ms);
    keepResult(job, end.outcome);
    countOf(*job.name, &Totals::failed);
    return {JobState::Failed, 0};
}

} // namespace junban::engine
