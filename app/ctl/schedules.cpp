// Recurring jobs.
#include "app/ctl/terminal.h"
#include "app/ctl/verbs.h"
#include "core/base/isotime.h"
#include "core/limits.h"
#include "core/msgpack/json.h"

namespace junban::app {

namespace {

QByteArray timeText(qint64 at_ms)
{
    return at_ms == 0 ? QByteArray("-") : isoTime(at_ms);
}

QByteArray recurrenceText(const Recurrence &recurrence)
{
    if (!recurrence.cron.isEmpty())
        return forTerminal(recurrence.cron) + " (" + forTerminal(recurrence.tz) + ')';
    return "every " + QByteArray::number(double(recurrence.interval.every_ms) / 1000, 'g', 10) + " s";
}

QByteArray stateText(const Schedule &schedule)
{
    if (schedule.lastJob.isNull())
        return "-";
    return schedule.lastJobState ? stateWord(*schedule.lastJobState) : "gone";
}

QByteArray policyText(const ScheduleSpec &spec)
{
    return QByteArray("overlap ") + overlapWords[size_t(spec.overlap)] + ", missed " + missedWords[size_t(spec.missed)]
        + (spec.missed == Missed::All ? " (at most " + QByteArray::number(spec.missedMax) + ')' : QByteArray());
}

QByteArray scheduleText(const Schedule &schedule)
{
    const ScheduleSpec &spec = schedule.spec;
    QByteArray text = forTerminal(schedule.id) + (schedule.paused ? "  paused" : "") + "  revision "
        + QByteArray::number(schedule.revision) + '\n';
    if (!spec.title.isEmpty())
        text += forTerminal(spec.title) + '\n';
    text += recurrenceText(spec.recurrence) + ", " + policyText(spec) + "\njob " + forTerminal(json::fromMsgpack(spec.jobBody))
        + "\nchanged " + timeText(schedule.updatedAt_ms) + ", fired " + QByteArray::number(schedule.fired) + ", skipped "
        + QByteArray::number(schedule.skipped) + "\n\n";
    QList<QList<QByteArray>> next{{schedule.paused ? "next, were it not paused" : "next"}};
    for (const qint64 at_ms : schedule.nextRuns)
        next.append({timeText(at_ms)});
    text += table(next);
    QList<QList<QByteArray>> rows{{"due", "fired", "outcome", "job", "passed over"}};
    for (const ScheduleRun &run : schedule.runs) {
        QByteArray outcome = runOutcomeWords[size_t(run.outcome)];
        if (!run.why.isEmpty())
            outcome += " (" + forTerminal(run.why) + ')';
        rows.append({run.byHand() ? QByteArray("by hand") : timeText(run.due_ms), timeText(run.at_ms), outcome,
            run.job.isNull() ? QByteArray("-") : run.job.text(),
            run.passedOver > 0 ? QByteArray::number(run.passedOver) : QByteArray("-")});
    }
    return text + (rows.size() > 1 ? '\n' + table(rows) : QByteArray());
}

// All of them, page by page, and then printed at once so that the columns fit.
void listSchedules(Session &session, const QByteArray &after, const QList<Schedule> &before)
{
    session.client().schedules(limits::schedules_page_max, after, [&session, before](const Result<SchedulePage> &page) {
        if (!page.ok()) {
            session.fail(page.error());
            return;
        }
        const QList<Schedule> found = before + page->schedules;
        if (!page->next.isEmpty()) {
            listSchedules(session, page->next, found);
            return;
        }
        QList<QList<QByteArray>> rows{{"ID", "WHEN", "NAME", "NEXT", "LAST JOB", "FIRED", "SKIPPED", "TITLE"}};
        for (const Schedule &schedule : found) {
            rows.append({forTerminal(schedule.id), recurrenceText(schedule.spec.recurrence), forTerminal(schedule.spec.job.name),
                schedule.paused ? QByteArray("paused") : timeText(schedule.next_ms), stateText(schedule),
                QByteArray::number(schedule.fired), QByteArray::number(schedule.skipped), forTerminal(schedule.spec.title)});
        }
        session.print(table(rows));
        session.end(0);
    });
}

QByteArray idOf(Flags &flags)
{
    return flags.word("ID", "The schedule.");
}

Callback<Schedule> show(Session &session)
{
    return [&session](const Result<Schedule> &schedule) { session.finish(schedule, scheduleText); };
}

} // namespace

void schedules(Session &session, Flags &flags)
{
    if (flags.ready())
        listSchedules(session, {}, {});
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

// Whatever its revision is: it is read first, because the deletion of another one than was meant is refused.
void schedulesDelete(Session &session, Flags &flags)
{
    const QByteArray id = idOf(flags);
    if (!flags.ready())
        return;
    session.client().schedule(id, [&session, id](const Result<Schedule> &found) {
        if (!found.ok()) {
            session.fail(found.error());
            return;
        }
        session.client().deleteSchedule(id, found->revision, [&session](const Result<Schedule> &deleted) {
            session.finish(deleted, [](const Schedule &gone) { return forTerminal(gone.id) + " is deleted; its jobs stay\n"; });
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
        session.finish(job, [](const Enqueued &run) { return run.id.text() + '\n'; });
    });
}

} // namespace junban::app
