#include "core/engine/engine.h"

// The steps that transitions share. Each marks what it changes, so that the call writes it.
namespace junban::engine {

Engine::Engine(const Settings &settings)
    : m_settings(settings)
    , m_buckets(m_now_ms, m_writes)
    , m_admission(m_jobs, m_buckets, m_now_ms, m_wake)
    , m_keys(settings.idempotencyKeys)
    , m_retention(settings.retention)
{
}

// Puts a job into the index of its state, and a ready one where it waits under limits.
void Engine::enter(JobEntry &job)
{
    m_jobs.enter(job);
    if (job.state == JobState::Ready && job.name->lanes)
        m_admission.enter(job);
}

void Engine::leave(JobEntry &job)
{
    if (job.state == JobState::Ready && (job.name->lanes || job.lane))
        m_admission.leave(job);
    m_jobs.leave(job);
}

// `closesAt_ms`: of a job that becomes ready, when its windows close; 0: never.
void Engine::move(JobEntry &job, JobState state, qint64 order_ms, qint64 closesAt_ms)
{
    if (isFinal(job.state))
        rejoinGroup(job);
    leave(job);
    job.state = state;
    job.order_ms = order_ms;
    if (job.special)
        job.special->closesAt_ms = closesAt_ms;
    enter(job);
    if (state == JobState::Ready && !m_wake.readyNames.contains(job.name->name))
        m_wake.readyNames.append(job.name->name);
    changed(job, StatePart);
    if (isFinal(state)) {
        m_wake.finished.append(job.id);
        followEnd(job);
    }
}

// Makes a job ready, or scheduled if it is due later or its windows are closed.
void Engine::place(JobEntry &job, qint64 due_ms)
{
    const Opening opening = openingFrom(job, due_ms);
    if (opening.at_ms > m_now_ms)
        move(job, JobState::Scheduled, opening.at_ms);
    else
        move(job, JobState::Ready, 0, opening.closesAt_ms);
}

// From when on the job may start, given when it is due. Nobody knows when windows in a zone that this machine lacks are open: such a job is
// looked at again and again.
Engine::Opening Engine::openingFrom(const JobEntry &job, qint64 due_ms) const
{
    if (!job.special || job.special->windows.isEmpty())
        return {due_ms};
    const QList<Window> &windows = job.special->windows;
    const qint64 at_ms = std::max(due_ms, m_now_ms);
    if (lostZone(windows))
        return {std::max(due_ms, m_now_ms + limits::unreadable_again_ms)};
    if (!isOpen(windows, at_ms))
        return {nextOpening_ms(windows, at_ms)};
    return {due_ms, due_ms > m_now_ms ? 0 : boundaries_ms(windows, m_now_ms, 1).value(0)};
}

// Adds the present attempt, which ends badly now, to the job's history.
void Engine::note(JobEntry &job, const QByteArray &how, const QByteArray &message, bool retry, qint64 nextRunAt_ms)
{
    const Course &course = *job.course;
    addHistory(job, Attempt{course.attempt, course.worker, course.startedAt_ms, m_now_ms, how, message, retry, nextRunAt_ms});
}

void Engine::tell(JobEntry &job, const QByteArray &what, const QByteArray &actor, const QByteArray &details)
{
    addHistory(job, Event{m_now_ms, what, actor, job.attempt(), details});
}

void Engine::addHistory(JobEntry &job, HistoryEntry entry)
{
    if (!job.history)
        job.history = std::make_unique<QList<HistoryEntry>>();
    job.history->append(std::move(entry));
    if (job.history->size() > limits::attempts_kept_max)
        job.history->removeFirst();
    changed(job, HistoryPart);
}

// Empty: the job has none any more.
void Engine::setOutcome(JobEntry &job, const QByteArray &outcome)
{
    if (outcome.isEmpty() && !job.outcome)
        return;
    job.outcome = outcome.isEmpty() ? nullptr : std::make_unique<QByteArray>(outcome);
    changed(job, OutcomePart);
}

void Engine::count(qint64 Totals::*counter)
{
    ++(m_totals.*counter);
    m_totalsChanged = true;
}

void Engine::countOf(NameEntry &name, qint64 Totals::*counter)
{
    count(counter);
    ++(name.totals.*counter);
    if (!std::exchange(name.changed, true))
        m_changedNames.append(&name);
}

void Engine::changed(Topic topic)
{
    qint64 &last = m_lastChanges.at[size_t(topic)];
    last = std::max(last + 1, m_now_ms);
}

void Engine::changed(JobEntry &job, Part part)
{
    if (job.changed == 0)
        m_changed.append(&job);
    job.changed = quint8(job.changed | part);
}

} // namespace junban::engine
