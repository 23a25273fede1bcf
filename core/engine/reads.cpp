#include "core/base/reasons/store.h"
#include "core/engine/engine.h"

#include <algorithm>

// What changes nothing.
namespace junban::engine {

namespace {

void showCourse(Job &shown, const Course &course)
{
    const bool inHands = isInHands(shown.state);
    shown.attempt = course.attempt;
    shown.failures = course.failures;
    shown.releases = course.releases;
    shown.startedAt_ms = course.startedAt_ms;
    shown.worker = course.worker;
    shown.holder = shown.state == JobState::Running ? course.holder : QByteArray();
    shown.deadline_ms = inHands ? course.deadline_ms : 0;
    shown.cancelRequested = inHands && course.cancelRequested;
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
    if (shown.attempt == 0 || listed || (!isInHands(shown.state) && shown.state != JobState::Succeeded))
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

// Appends up to `limit` jobs of a set that come after a place in its order; null: from its beginning. `backwards`: from the other end.
template<typename Jobs>
void appendAfter(QList<const JobEntry *> &list, const Jobs &jobs, JobEntry *place, bool backwards, int limit)
{
    if (backwards) {
        for (auto at = place ? jobs.lower_bound(place) : jobs.end(); at != jobs.begin() && limit > 0; --limit)
            list.append(*--at);
    } else {
        for (auto at = place ? jobs.upper_bound(place) : jobs.begin(); at != jobs.end() && limit > 0; ++at, --limit)
            list.append(*at);
    }
}

double orderOf(const JobEntry &job)
{
    return job.state == JobState::Ready ? double(job.priority) : double(job.order_ms);
}
double trackedAt(const JobEntry &job)
{
    return double(job.marks->trackedAt_ms);
}
double deletedAt(const JobEntry &job)
{
    return double(job.marks->deletion.at_ms);
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
    if (job->marks) {
        shown.tracked = isTracked(*job);
        shown.deletedAt_ms = job->marks->deletion.at_ms;
    }
    if (job->special)
        showSpecial(shown, *job);
    if (job->course)
        showCourse(shown, *job->course);
    if (job->history)
        showHistory(shown, *job->history);
    showLastAttempt(shown);
    return shown;
}

void Engine::showSpecial(Job &shown, const JobEntry &job) const
{
    const Special &special = *job.special;
    if (!special.then.isEmpty())
        shown.spec.then = *unpackPushes(special.then);
    shown.expiresAt_ms = special.expiresAt_ms;
    shown.sharers = special.sharers;
    shown.dependenciesLeft = job.state == JobState::Depends ? int(waitsFor(job).size()) : 0;
}

Overview Engine::counts() const
{
    Overview counts;
    counts.now_ms = m_now_ms;
    counts.totals = m_totals;
    for (size_t state = size_t(JobState::Scheduled); state <= size_t(JobState::Cancelled); ++state)
        counts.byState[state] = m_jobs.count(JobState(state));
    counts.resultsKept = resultsWaiting();
    return counts;
}

Job Engine::listed(const JobEntry &job, PageDetail detail) const
{
    Job shown = *this->job(job.id);
    shown.attempts.clear();
    shown.events.clear();
    shown.outcome.clear();
    if (detail == PageDetail::Listed && job.record.size() > limits::page_record_bytes_max)
        shown.spec.argument = payload::nil;
    return shown;
}

// The jobs of a page, and one more if there is one. Ready jobs are in order for each name, so those of several names are merged.
QList<const JobEntry *> Engine::after(const PageRequest &request) const
{
    JobEntry place;
    if (request.after) {
        place.id = request.after->second;
        place.priority = static_cast<qint32>(request.after->first);
        place.order_ms = static_cast<qint64>(request.after->first);
    }
    JobEntry *const from = request.after ? &place : nullptr;
    const bool backwards = isFinal(request.state) != request.reversed;
    const int wanted = request.limit + 1;
    QList<const JobEntry *> jobs;
    if (request.state != JobState::Ready) {
        appendAfter(jobs, m_jobs.inState(request.state), from, backwards, wanted);
        return jobs;
    }
    for (const auto &[number, name] : m_jobs.names()) {
        if (request.name.isEmpty() || name->name == request.name)
            appendAfter(jobs, name->ready, from, backwards, wanted);
    }
    const auto middle = jobs.begin() + std::min<qsizetype>(wanted, jobs.size());
    std::partial_sort(jobs.begin(), middle, jobs.end(),
        [backwards](const JobEntry *a, const JobEntry *b) { return backwards ? ByPriority()(b, a) : ByPriority()(a, b); });
    jobs.erase(middle, jobs.end());
    return jobs;
}

Page Engine::page(const PageRequest &request) const
{
    Page page;
    const NameEntry *name = request.name.isEmpty() ? nullptr : m_jobs.findName(request.name);
    page.total = request.name.isEmpty() ? m_jobs.count(request.state) : name ? qint64(name->ready.size()) : 0;
    fill(page, after(request), request.limit, request.detail, orderOf);
    return page;
}

Page Engine::marked(const SetPageRequest &request) const
{
    const bool trash = request.set == JobSet::Trash;
    const MarkedJobs &marked = trash ? m_jobs.trash() : m_jobs.tracked();
    auto at = request.after ? marked.lower_bound({qint64(request.after->first), request.after->second}) : marked.end();
    QList<const JobEntry *> jobs;
    while (at != marked.begin() && jobs.size() <= request.limit)
        jobs.append(m_jobs.find((--at)->second));
    Page page;
    page.total = qint64(marked.size());
    fill(page, jobs, request.limit, request.detail, trash ? deletedAt : trackedAt);
    return page;
}

// As many of these jobs as fit on a page; if there are more, it is not the last one.
void Engine::fill(Page &page, const QList<const JobEntry *> &jobs, int limit, PageDetail detail, double (*order)(const JobEntry &)) const
{
    qint64 bytes = 0;
    for (const JobEntry *job : jobs) {
        bytes += detail == PageDetail::Listed ? 0 : job->record.size();
        if (page.jobs.size() == limit || (!page.jobs.isEmpty() && bytes > limits::page_bytes_max)) {
            page.end = false;
            break;
        }
        page.jobs.append(listed(*job, detail));
        page.orders.append(order(*job));
        page.last = {page.orders.last(), job->id};
    }
}

QList<Job> Engine::rows(const QList<JobId> &ids, PageDetail detail) const
{
    QList<Job> rows;
    qint64 bytes = 0;
    for (const JobId &id : ids) {
        const JobEntry *job = m_jobs.find(id);
        bytes += job && detail != PageDetail::Listed ? job->record.size() : 0;
        if (!rows.isEmpty() && bytes > limits::page_bytes_max)
            break;
        if (job)
            rows.append(listed(*job, detail));
    }
    return rows;
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
