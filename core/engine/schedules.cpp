#include "core/base/reasons/requests.h"
#include "core/base/reasons/store.h"
#include "core/engine/engine.h"

// Schedules: their firings make jobs. A firing, the next due time and the job are one call, so a due time makes one job, whoever leads.
namespace junban::engine {

namespace {

const QByteArray firing = "schedule"; // in the history of a job that a firing replaces

bool isExpected(const Expected &expected, qint64 revision)
{
    return expected.what == Expected::What::Any || revision == (expected.what == Expected::What::Missing ? 0 : expected.revision);
}

void noteRun(Schedule &schedule, ScheduleRun run)
{
    schedule.runs.prepend(std::move(run));
    if (schedule.runs.size() > limits::schedule_runs_kept_max)
        schedule.runs.removeLast();
}

} // namespace

Decided<Result<ScheduleChanged>> Engine::saveSchedule(const ScheduleSave &save, const Moment &at)
{
    return decided<Result<ScheduleChanged>>(at, [&]() -> Result<ScheduleChanged> {
        KeptSchedule *known = m_schedules.find(save.id);
        if (!isExpected(save.expected, known ? known->shown.revision : 0))
            return reasons::scheduleChanged();
        if (!known && m_schedules.all().size() >= limits::schedules_max)
            return reasons::schedulesTooMany(limits::schedules_max);
        std::optional<Schedule> before;
        if (known)
            before = shownSchedule(*known, false);
        KeptSchedule &kept = m_schedules.add(save.id);
        Schedule &schedule = kept.shown;
        const bool paused = save.paused.value_or(schedule.paused);
        const bool recurs = !known || schedule.paused || !(schedule.spec.recurrence == save.spec.recurrence);
        if (!known)
            schedule.createdAt_ms = m_now_ms;
        schedule.spec = save.spec;
        schedule.paused = paused;
        schedule.updatedAt_ms = m_now_ms;
        ++schedule.revision;
        if (paused || recurs)
            m_schedules.setNext(kept, paused ? 0 : save.next_ms);
        m_schedules.specChanged(kept);
        changed(Topic::Schedules);
        return ScheduleChanged{shownSchedule(kept, true), std::move(before)};
    });
}

Decided<Result<ScheduleChanged>> Engine::changeSchedule(const ScheduleChange &change, const Moment &at)
{
    return decided<Result<ScheduleChanged>>(at, [&]() -> Result<ScheduleChanged> {
        KeptSchedule *kept = m_schedules.find(change.id);
        if (!kept)
            return reasons::scheduleNotFound();
        Schedule &schedule = kept->shown;
        if (!isExpected(change.expected, schedule.revision))
            return reasons::scheduleChanged();
        if (change.verb == ScheduleChangeVerb::Resume && change.recurrence != schedule.spec.recurrence.packed())
            return reasons::scheduleBeingChanged();
        ScheduleChanged answer{{}, shownSchedule(*kept, false)};
        changed(Topic::Schedules);
        if (change.verb == ScheduleChangeVerb::Delete) {
            answer.schedule = shownSchedule(*kept, true);
            m_schedules.remove(change.id, m_writes);
            return answer;
        }
        const bool pause = change.verb == ScheduleChangeVerb::Pause;
        if (schedule.paused != pause) {
            schedule.paused = pause;
            schedule.updatedAt_ms = m_now_ms;
            ++schedule.revision;
            m_schedules.setNext(*kept, pause ? 0 : change.next_ms);
        }
        answer.schedule = shownSchedule(*kept, true);
        return answer;
    });
}

Decided<FiredAll> Engine::fireSchedules(const QList<FireItem> &items, const Moment &at)
{
    return decided<FiredAll>(at, [&] {
        FiredAll all;
        for (const FireItem &item : items)
            all.fired.append(fireOne(item, all.nextDue_ms));
        return all;
    });
}

Decided<Result<FiredAll>> Engine::runSchedule(const RunByHand &run, const Moment &at)
{
    return decided<Result<FiredAll>>(at, [&]() -> Result<FiredAll> {
        KeptSchedule *kept = m_schedules.find(run.id);
        if (!kept)
            return reasons::scheduleNotFound();
        if (const std::optional<Fired> before = firedBefore(*kept, run.job))
            return FiredAll{{*before}};
        const Overlap overlap = run.overlap.value_or(kept->shown.spec.overlap);
        if (overlap == Overlap::Skip && lastOf(*kept))
            return reasons::scheduleOverlaps(kept->shown.lastJob.text());
        FiredAll all;
        ScheduleRun noted{.at_ms = m_now_ms};
        const Result<Fired> fired = makeScheduled(*kept, run.job, overlap, noted, all.nextDue_ms);
        if (!fired.ok())
            return fired.error();
        noteRun(kept->shown, std::move(noted));
        changed(Topic::Schedules);
        all.fired = {*fired};
        return all;
    });
}

Fired Engine::fireOne(const FireItem &item, qint64 &nextDue_ms)
{
    KeptSchedule *kept = m_schedules.find(item.id);
    if (const std::optional<Fired> before = kept ? firedBefore(*kept, item.job) : std::nullopt)
        return *before;
    const PlannedFiring &planned = item.firing;
    if (!kept || kept->shown.revision != item.revision || kept->shown.next_ms != planned.seen_ms || planned.seen_ms > m_now_ms)
        return {.stale = true};
    ScheduleRun run{planned.due_ms, m_now_ms, RunOutcome::PassedOver, {}, planned.passedOver};
    Fired fired{.outcome = RunOutcome::PassedOver};
    if (planned.due_ms > 0) {
        const Result<Fired> made = makeScheduled(*kept, item.job, kept->shown.spec.overlap, run, nextDue_ms);
        if (made.ok()) {
            fired = *made;
        } else {
            fired.outcome = run.outcome = RunOutcome::Refused;
            run.why = made.error().reason;
        }
    }
    m_schedules.setNext(*kept, planned.next_ms);
    noteRun(kept->shown, std::move(run));
    changed(Topic::Schedules);
    return fired;
}

// The answer to a firing that has made this job already.
std::optional<Fired> Engine::firedBefore(const KeptSchedule &kept, const JobId &job) const
{
    if (kept.shown.lastJob != job)
        return {};
    const JobEntry *made = m_jobs.find(job);
    return Fired{.job = job, .state = made ? made->state : JobState::Succeeded};
}

// The job of the last firing, if that has not ended and need not end: one that was asked to stop counts as gone.
JobEntry *Engine::lastOf(const KeptSchedule &kept)
{
    JobEntry *last = m_jobs.find(kept.shown.lastJob);
    return last && !isFinal(last->state) && !(last->course && last->course->cancelRequested) ? last : nullptr;
}

// Makes the job of one firing, unless the last one's keeps it from that. The error is what refused the job.
Result<Fired> Engine::makeScheduled(KeptSchedule &kept, const JobId &id, Overlap overlap, ScheduleRun &run, qint64 &nextDue_ms)
{
    Schedule &schedule = kept.shown;
    JobEntry *last = lastOf(kept);
    m_schedules.changed(kept);
    if (last && overlap == Overlap::Skip) {
        ++schedule.skipped;
        run.outcome = RunOutcome::Skipped;
        run.job = last->id;
        return Fired{.outcome = RunOutcome::Skipped, .job = last->id, .state = last->state};
    }
    if (last && overlap == Overlap::Replace) {
        if (last->state == JobState::Running)
            requestCancel(*last, firing, {});
        else
            cancelNow(*last, firing, "replaced");
    }
    const Result<Enqueued> pushed = pushAs(id, schedule.spec.job);
    if (!pushed.ok())
        return pushed.error();
    schedule.lastJob = pushed->id; // by its unique key it may be a job that was there before
    ++schedule.fired;
    if (pushed->state == JobState::Scheduled) {
        const qint64 due_ms = m_jobs.find(pushed->id)->order_ms;
        nextDue_ms = nextDue_ms == 0 ? due_ms : std::min(nextDue_ms, due_ms);
    }
    run.outcome = RunOutcome::Enqueued;
    run.job = pushed->id;
    return Fired{.job = pushed->id, .state = pushed->state};
}

Schedule Engine::shownSchedule(const KeptSchedule &kept, bool withRuns) const
{
    Schedule shown = kept.shown;
    shown.spec.job = {};
    shown.unreadable = Firings(shown.spec.recurrence).unknownWhy();
    shown.now_ms = m_now_ms;
    if (const JobEntry *last = m_jobs.find(shown.lastJob))
        shown.lastJobState = last->state;
    if (!withRuns)
        shown.runs.clear();
    return shown;
}

Result<Schedule> Engine::schedule(const QByteArray &id) const
{
    const KeptSchedule *kept = m_schedules.find(id);
    if (!kept)
        return reasons::scheduleNotFound();
    return shownSchedule(*kept, true);
}

SchedulePage Engine::schedules(int limit, const QByteArray &after) const
{
    SchedulePage page;
    qint64 bytes = 0;
    for (auto next = m_schedules.all().upper_bound(after); next != m_schedules.all().end(); ++next) {
        if (page.schedules.size() == limit || bytes >= limits::schedules_page_bytes_max) {
            page.end = false;
            break;
        }
        page.schedules.append(shownSchedule(next->second, false));
        bytes += page.schedules.last().spec.jobBody.size();
    }
    return page;
}

DueSchedules Engine::dueSchedules(int leftOut, qint64 now_ms) const
{
    DueSchedules due{.now_ms = now_ms};
    for (const auto &[due_ms, id] : m_schedules.byDue()) {
        if (due_ms > now_ms) {
            due.nextDue_ms = due_ms;
            break;
        }
        if (due.schedules.size() == limits::schedules_due_max)
            due.more = true;
        else if (leftOut-- <= 0) {
            const Schedule &schedule = m_schedules.find(id)->shown;
            due.schedules.append({id, schedule.revision, due_ms, schedule.spec.recurrence, schedule.spec.missed, schedule.spec.missedMax});
        }
    }
    return due;
}

} // namespace junban::engine
