// Recurring jobs.
#include "app/ctl/asking.h"
#include "app/ctl/paging.h"
#include "core/jobs/schedulefields.h"
#include "core/limits.h"

namespace junban::app {

namespace {

QByteArray recurrenceText(const Recurrence &recurrence)
{
    if (!recurrence.cron.isEmpty())
        return recurrence.cron + " (" + recurrence.tz + ')';
    return "every " + QByteArray::number(double(recurrence.interval.every_ms) / 1000, 'g', 10) + " s";
}

QByteArray lastStateText(const Schedule &schedule)
{
    if (schedule.lastJob.isNull())
        return "-";
    return schedule.lastJobState ? stateWord(*schedule.lastJobState) : "gone";
}

QByteArray policyText(const ScheduleSpec &spec)
{
    return QByteArray("overlap ") + overlapWords[size_t(spec.overlap)] + ", missed " + missedWords[size_t(spec.missed)]
        + (spec.missed == Missed::All ? " (at most " + number(spec.missedMax) + ')' : QByteArray());
}

QByteArray outcomeText(const ScheduleRun &run)
{
    return runOutcomeWords[size_t(run.outcome)] + (run.why.isEmpty() ? QByteArray() : " (" + forTerminal(run.why.text) + ')');
}

constexpr Column<ScheduleRun> runColumns[] = {
    {"due", [](const ScheduleRun &run) { return run.byHand() ? QByteArray("by hand") : timeText(run.due_ms); }},
    {"fired", [](const ScheduleRun &run) { return timeText(run.at_ms); }},
    {"outcome", outcomeText},
    {"job", [](const ScheduleRun &run) { return run.job.isNull() ? QByteArray("-") : run.job.text(); }},
    {"passed over", [](const ScheduleRun &run) { return run.passedOver > 0 ? number(run.passedOver) : QByteArray("-"); }},
};

constexpr Column<Schedule> scheduleColumns[] = {
    {"ID", [](const Schedule &schedule) { return schedule.id; }},
    {"WHEN", [](const Schedule &schedule) { return recurrenceText(schedule.spec.recurrence); }},
    {"NAME", [](const Schedule &schedule) { return schedule.spec.job.name; }},
    {"NEXT", [](const Schedule &schedule) { return schedule.paused ? QByteArray("paused") : timeText(schedule.next_ms); }},
    {"LAST JOB", lastStateText},
    {"FIRED", [](const Schedule &schedule) { return number(schedule.fired); }},
    {"SKIPPED", [](const Schedule &schedule) { return number(schedule.skipped); }},
    {"TITLE", [](const Schedule &schedule) { return schedule.spec.title; }},
};

QByteArray scheduleText(const Schedule &schedule)
{
    const ScheduleSpec &spec = schedule.spec;
    QByteArray text = forTerminal(schedule.id) + (schedule.paused ? "  paused" : "") + "  revision " + number(schedule.revision) + '\n';
    if (!spec.title.isEmpty())
        text += forTerminal(spec.title) + '\n';
    text += forTerminal(recurrenceText(spec.recurrence)) + ", " + policyText(spec) + "\njob " + jsonText(spec.jobBody) + "\nchanged "
        + timeText(schedule.updatedAt_ms) + ", fired " + number(schedule.fired) + ", skipped " + number(schedule.skipped) + "\n\n";
    const Column<qint64> next[] = {
        {schedule.paused ? "next, were it not paused" : "next", [](const qint64 &at_ms) { return timeText(at_ms); }}};
    return text + table(next, schedule.nextRuns) + (schedule.runs.isEmpty() ? QByteArray() : '\n' + table(runColumns, schedule.runs));
}

QByteArray idOf(Flags &flags)
{
    return flags.word("ID", "The schedule.");
}

Callback<Schedule> show(Session &session)
{
    return [&session](const Result<Schedule> &schedule) { session.finish(schedule, scheduleTable, scheduleText); };
}

} // namespace

void schedules(Session &session, Flags &flags)
{
    const int limit = rowsOf(flags);
    if (!flags.ready())
        return;
    const Paging<SchedulePage, Schedule> paging{&SchedulePage::schedules, limits::schedules_page_max,
        [&session](int rows, const QByteArray &after, auto callback) { session.client().schedules(rows, after, std::move(callback)); }};
    showList(session, paging, limit, schedulePageTable, [](const SchedulePage &all) { return table(scheduleColumns, all.schedules); });
}

void schedulesShow(Session &session, Flags &flags)
{
    const QByteArray id = idOf(flags);
    if (flags.ready())
        session.client().schedule(id, show(session));
}

void schedulesPut(Session &session, Flags &flags)
{
    const QByteArray id = idOf(flags);
    const QByteArray body = flags.jsonFile("The definition, as JSON; - reads it from standard input.");
    flags.note("A definition is like {\"cron\": \"30 2 * * *\", \"tz\": \"Europe/Berlin\", \"job\": {\"name\": \"report\"}}.\n"
               "The master tells all of its fields at /docs.");
    if (flags.ready())
        session.client().putSchedule(id, body, show(session));
}

// Whatever its revision is. It is read first, because the API deletes only the revision that is named.
void schedulesDelete(Session &session, Flags &flags)
{
    const QByteArray id = idOf(flags);
    if (!isAgreed(session, flags, "Delete the schedule " + id))
        return;
    session.client().schedule(id, [&session, id](const Result<Schedule> &found) {
        if (!found.ok()) {
            session.fail(found.error());
            return;
        }
        session.client().deleteSchedule(id, found->revision, [&session](const Result<Schedule> &deleted) {
            session.finish(deleted, scheduleTable,
                [](const Schedule &gone) { return forTerminal(gone.id) + " is deleted; its jobs stay\n"; });
        });
    });
}

void schedulesPause(Session &session, Flags &flags)
{
    const QByteArray id = idOf(flags);
    if (flags.ready())
        session.client().pauseSchedule(id, show(session));
}

void schedulesResume(Session &session, Flags &flags)
{
    const QByteArray id = idOf(flags);
    if (flags.ready())
        session.client().resumeSchedule(id, show(session));
}

void schedulesRun(Session &session, Flags &flags)
{
    const QByteArray id = idOf(flags);
    if (!flags.ready())
        return;
    session.client().runSchedule(id, [&session](const Result<Enqueued> &job) {
        session.finish(job, enqueuedTable, [](const Enqueued &run) { return run.id.text() + '\n'; });
    });
}

} // namespace junban::app
