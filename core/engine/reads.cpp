#include "core/base/reasons/store.h"
#include "core/engine/engine.h"

// What changes nothing.
namespace junban::engine {

namespace {

void showCourse(Job &shown, const Course &course)
{
    const bool running = shown.state == JobState::Running;
    shown.attempt = course.attempt;
    shown.failures = course.failures;
    shown.releases = course.releases;
    shown.startedAt_ms = course.startedAt_ms;
    shown.worker = course.worker;
    shown.holder = running ? course.holder : QByteArray();
    shown.deadline_ms = running ? course.deadline_ms : 0;
    shown.cancelRequested = running && course.cancelRequested;
    shown.message = course.message;
    shown.reason = course.reason;
    shown.progress = {course.done, course.total, course.progress};
}

void showHistory(Job &shown, const QList<HistoryEntry> &history)
{
    for (const HistoryEntry &entry : history) {
        if (const Attempt *attempt = std::get_if<Attempt>(&entry)) {
            shown.attempts.append(*attempt);
            continue;
        }
        Event event = std::get<Event>(entry);
        event.afterEnd = !shown.attempts.isEmpty() && shown.attempts.last().number >= event.attempt;
        shown.events.append(std::move(event));
    }
}

// The history has attempts that ended badly only. A job that was released untouched had no attempt.
void showLastAttempt(Job &shown)
{
    const bool listed = !shown.attempts.isEmpty() && shown.attempts.last().number == shown.attempt;
    if (shown.attempt == 0 || listed || (shown.state != JobState::Running && shown.state != JobState::Succeeded))
        return;
    Attempt last;
    last.number = shown.attempt;
    last.worker = shown.worker;
    last.startedAt_ms = shown.startedAt_ms;
    if (shown.state == JobState::Succeeded) {
        last.endedAt_ms = shown.finishedAt_ms;
        last.ended = "success";
    }
    shown.attempts.append(std::move(last));
}

} // namespace

Result<Job> Engine::job(const JobId &id) const
{
    const JobEntry *job = m_jobs.find(id);
    if (!job)
        return reasons::jobNotFound();
    Job shown;
    shown.id = id;
    shown.spec = *unpackRecord(job->record);
    shown.argument_bytes = shown.spec.argument.size();
    shown.state = job->state;
    shown.createdAt_ms = job->createdAt_ms;
    shown.runAt_ms = job->state == JobState::Scheduled ? job->order_ms : 0;
    shown.leaseExpiresAt_ms = job->state == JobState::Running ? job->order_ms : 0;
    shown.finishedAt_ms = isFinal(job->state) ? job->order_ms : 0;
    shown.outcome = job->outcome ? *job->outcome : QByteArray();
    shown.resultKept = waiting(id) != nullptr;
    if (job->course)
        showCourse(shown, *job->course);
    if (job->history)
        showHistory(shown, *job->history);
    showLastAttempt(shown);
    return shown;
}

Overview Engine::counts() const
{
    Overview counts;
    counts.now_ms = m_now_ms;
    counts.totals = m_totals;
    for (size_t state = size_t(JobState::Scheduled); state <= size_t(JobState::Cancelled); ++state)
        counts.byState[state] = m_jobs.count(JobState(state));
    counts.resultsKept = m_resultsWaiting;
    for (const auto &[endsAt_ms, id] : m_resultsByEnd) { // those that the next sweep forgets
        if (endsAt_ms > m_now_ms)
            break;
        counts.resultsKept -= m_results.at(id).taken ? 0 : 1;
    }
    return counts;
}

QList<NameRow> Engine::names(int limit, const QByteArray &after) const
{
    QList<NameRow> rows;
    const NameEntry *before = m_jobs.findName(after);
    const auto &all = m_jobs.names();
    for (auto next = before ? all.upper_bound(before->number) : all.begin(); next != all.end() && rows.size() < limit; ++next)
        rows.append({next->second->name, qint64(next->second->ready.size()), 0, next->second->totals});
    return rows;
}

} // namespace junban::engine
