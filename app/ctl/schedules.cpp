#include "app/ctl/terminal.h"
#include "app/ctl/verbs.h"
#include "core/base/isotime.h"
#include "core/msgpack/json.h"

#include <QFile>
#include <cstdio>

// Recurring jobs.
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

QByteArray stateText(const client::Schedule &schedule)
{
    if (schedule.lastJob.isNull())
        return "-";
    return schedule.lastJobState ? stateWord(*schedule.lastJobState) : "gone";
}

QByteArray policyText(const ScheduleSpec &spec)
{
    return QByteArray("overlap ") + overlapWord(spec.overlap) + ", missed " + missedWord(spec.missed)
        + (spec.missed == Missed::All ? " (at most " + QByteArray::number(spec.missedMax) + ')' : QByteArray());
}

QByteArray scheduleText(const client::Schedule &schedule)
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
    for (const client::ScheduleRun &run : schedule.runs) {
        QByteArray outcome = runOutcomeWord(run.outcome);
        if (!run.why.isEmpty())
            outcome += " (" + forTerminal(run.why) + ')';
        rows.append({run.byHand ? QByteArray("by hand") : timeText(run.due_ms), timeText(run.at_ms), outcome,
            run.job.isNull() ? QByteArray("-") : run.job.text(),
            run.passedOver > 0 ? QByteArray::number(run.passedOver) : QByteArray("-")});
    }
    return text + (rows.size() > 1 ? '\n' + table(rows) : QByteArray());
}

} // namespace

void Verbs::schedules()
{
    const QString verb = m_words.value(0, QStringLiteral("list"));
    const QByteArray id = m_words.value(1).toUtf8();
    const auto show = [this](const Result<client::Schedule> &schedule) { showSchedule(schedule); };
    const auto is = [&](const char *word, qsizetype words) { return verb == QLatin1String(word) && m_words.size() == words; };
    if (verb == QStringLiteral("list") && m_words.size() <= 1) {
        listSchedules({});
    } else if (is("show", 2)) {
        m_client.schedule(id, show);
    } else if (is("put", 3)) {
        putSchedule(id, m_words[2]);
    } else if (is("delete", 2)) {
        deleteSchedule(id);
    } else if (is("pause", 2)) {
        m_client.pauseSchedule(id, show);
    } else if (is("resume", 2)) {
        m_client.resumeSchedule(id, show);
    } else if (is("run", 2)) {
        m_client.runSchedule(id, [this](const Result<client::Enqueued> &job) {
            if (!job.ok()) {
                fail(job.error());
                return;
            }
            print(job->id.text() + '\n');
            Q_EMIT ended(0);
        });
    } else {
        misused("schedules takes nothing, show ID, put ID FILE, delete ID, run ID, pause ID or resume ID");
    }
}

// All of them, page by page, and then printed at once so that the columns fit.
void Verbs::listSchedules(const QByteArray &after)
{
    m_client.schedules(limits::schedules_page_max, after, [this](const Result<client::SchedulePage> &page) {
        if (!page.ok()) {
            fail(page.error());
            return;
        }
        m_schedules += page->schedules;
        if (!page->next.isEmpty()) {
            listSchedules(page->next);
            return;
        }
        QList<QList<QByteArray>> rows{{"ID", "WHEN", "NAME", "NEXT", "LAST JOB", "FIRED", "SKIPPED", "TITLE"}};
        for (const client::Schedule &schedule : std::as_const(m_schedules)) {
            rows.append({forTerminal(schedule.id), recurrenceText(schedule.spec.recurrence), forTerminal(schedule.spec.job.name),
                schedule.paused ? QByteArray("paused") : timeText(schedule.next_ms), stateText(schedule),
                QByteArray::number(schedule.fired), QByteArray::number(schedule.skipped), forTerminal(schedule.spec.title)});
        }
        print(table(rows));
        Q_EMIT ended(0);
    });
}

void Verbs::showSchedule(const Result<client::Schedule> &schedule)
{
    if (!schedule.ok()) {
        fail(schedule.error());
        return;
    }
    print(scheduleText(*schedule));
    Q_EMIT ended(0);
}

void Verbs::putSchedule(const QByteArray &id, const QString &path)
{
    QFile file(path);
    const bool opened = path == QStringLiteral("-") ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    if (!opened) {
        misused(path.toUtf8() + " cannot be read.");
        return;
    }
    const Result<QByteArray> body = json::toMsgpack(file.readAll());
    if (!body.ok()) {
        misused(body.error().message);
        return;
    }
    m_client.putSchedule(id, *body, [this](const Result<client::Schedule> &schedule) { showSchedule(schedule); });
}

// Whatever its revision is: it is read first, because the deletion of another one than was meant is refused.
void Verbs::deleteSchedule(const QByteArray &id)
{
    m_client.schedule(id, [this, id](const Result<client::Schedule> &found) {
        if (!found.ok()) {
            fail(found.error());
            return;
        }
        m_client.deleteSchedule(id, found->revision, [this](const Result<client::Schedule> &deleted) {
            if (!deleted.ok()) {
                fail(deleted.error());
                return;
            }
            print(forTerminal(deleted->id) + " is deleted; its jobs stay\n");
            Q_EMIT ended(0);
        });
    });
}

} // namespace junban::app
