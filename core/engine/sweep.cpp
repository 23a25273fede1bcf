#include "core/base/isotime.h"
#include "core/engine/engine.h"
#include "core/engine/madeoutcome.h"
#include "core/msgpack/msgpackwriter.h"

// What time brings: transitions 3 (`promote`), 11 (`expire-lease`) and 22 (`expire-job`), and the closing of windows. A call takes a
// bounded number of jobs.
namespace junban::engine {

QByteArray madeOutcome(qint64 at_ms, FailureReason reason, bool shouldRetry, const QByteArray &message)
{
    Outcome outcome;
    outcome.type = OutcomeType::Failure;
    outcome.reason = reason;
    outcome.finishedAt = isoTime(at_ms);
    outcome.shouldRetry = shouldRetry;
    outcome.message = message;
    return outcome.packed();
}

Decided<Swept> Engine::sweep(const Moment &at)
{
    Decided<Swept> done = decided<Swept>(at, [&] {
        Swept swept;
        m_admission.lookAtDue();
        swept.expired = expireAttempts(JobState::Running, at, swept.more);
        swept.expired += expireAttempts(JobState::Awaiting, at, swept.more);
        expireJobs(swept.more);
        cancelClosed(swept.more);
        swept.promoted = promote(swept.more);
        closeWindows(swept.more);
        followUp(swept.more);
        swept.purged = purge(swept.more);
        swept.purged += purgeTrash(swept.more);
        forgetResults(swept.more);
        m_keys.forgetOld(m_now_ms, m_writes);
        m_messages.forgetOld(m_now_ms, m_writes);
        m_groups.forgetOld(m_now_ms, m_writes, swept.more);
        m_buckets.forgetIdle(swept.more);
        m_matchers.forgetOld(m_now_ms, m_writes);
        writeTotals();
        swept.nextDue_ms = nextDue_ms();
        return swept;
    });
    done.answer.readyNames = done.wake.readyNames;
    done.answer.finished = done.wake.finished;
    return done;
}

qint64 Engine::nextDue_ms() const
{
    qint64 next_ms = m_buckets.nextWake_ms();
    if (const qint64 cancel_ms = m_admission.nextCancel_ms(); cancel_ms > 0 && (next_ms == 0 || cancel_ms < next_ms))
        next_ms = cancel_ms;
    for (const JobState state : {JobState::Running, JobState::Awaiting, JobState::Scheduled}) {
        const TimedJobs &jobs = m_jobs.inState(state);
        if (!jobs.empty() && (next_ms == 0 || (*jobs.begin())->order_ms < next_ms))
            next_ms = (*jobs.begin())->order_ms;
    }
    for (const auto &first : {m_jobs.special().firstExpiry(), m_jobs.special().firstClosing()}) {
        if (first && (next_ms == 0 || first->first < next_ms))
            next_ms = first->first;
    }
    return next_ms;
}

int Engine::expireAttempts(JobState state, const Moment &at, bool &more)
{
    const TimedJobs &jobs = m_jobs.inState(state);
    int expired = 0;
    for (; !jobs.empty() && (*jobs.begin())->order_ms <= m_now_ms; ++expired) {
        if (expired == limits::script_items_max) {
            more = true;
            break;
        }
        expire(**jobs.begin(), at.fraction());
    }
    return expired;
}

// Neither a report nor the message that was awaited came in time. A lease that ran out before the deadline, without a heartbeat, is a
// silent one: after so many of them in a row the job is poison and is not tried again.
void Engine::expire(JobEntry &job, double jitter)
{
    const Course &course = *job.course;
    const bool overtime = m_now_ms >= course.deadline_ms;
    const int silent = !course.heard && !overtime ? course.silent + 1 : 0;
    const bool poison = silent >= limits::poison_expiries;
    const bool again = !poison && course.failures + 1 <= unpackRecord(job.record)->maxRetry;
    const QByteArray message = job.state == JobState::Awaiting ? "No message came in time."
        : overtime                                             ? "The attempt took longer than its timeout."
                                                               : "The lease ran out without a heartbeat.";
    count(&Totals::expired);
    endBadly(job, {EndedBy::Expiry, "timeout", poison ? "poison" : "timeout", madeOutcome(m_now_ms, FailureReason::Timeout, again, message),
                      message, again, 0, jitter, silent});
}

void Engine::expireJobs(bool &more)
{
    for (int expired = 0;; ++expired) {
        const auto first = m_jobs.special().firstExpiry();
        if (!first || first->first > m_now_ms)
            return;
        if (expired == limits::script_items_max) {
            more = true;
            return;
        }
        expireUnstarted(*m_jobs.find(first->second));
    }
}

// Cancels what still runs under windows that have closed and cancel it.
void Engine::cancelClosed(bool &more)
{
    static const QByteArray details = MsgpackWriter().map(1).text("why").text("window").take();
    for (int left = limits::script_items_max; JobEntry *job = m_admission.nextToCancel();) {
        requestCancel(*job, "master", details);
        if (--left == 0) {
            more = true;
            return;
        }
    }
}

int Engine::promote(bool &more)
{
    const TimedJobs &scheduled = m_jobs.inState(JobState::Scheduled);
    int promoted = 0;
    for (; !scheduled.empty() && (*scheduled.begin())->order_ms <= m_now_ms; ++promoted) {
        if (promoted == limits::script_items_max) {
            more = true;
            break;
        }
        place(**scheduled.begin(), 0);
    }
    return promoted;
}

} // namespace junban::engine
