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

void Engine::move(JobEntry &job, JobState state, qint64 order_ms)
{
    if (isFinal(job.state))
        rejoinGroup(job);
    leave(job);
    job.state = state;
    job.order_ms = order_ms;
    enter(job);
    if (state == JobState::Ready && !m_wake.readyNames.contains(job.name->name))
        m_wake.readyNames.append(job.name->name);
    changed(job, StatePart);
    if (isFinal(state)) {
        m_wake.finished.append(job.id);
        followEnd(job);
    }
}

// Makes a job ready, or scheduled if it is due later.
void Engine::place(JobEntry &job, qint64 due_ms)
{
    if (due_ms > m_now_ms)
        move(job, JobState::Scheduled, due_ms);
    else
        move(job, JobState::Ready, 0);
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
