#include "ui/schedules/scheduletexts.h"

#include "core/base/durations.h"
#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"

namespace junban::ui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(Schedules)
};

Cell outcomeCell(const ScheduleRun &run)
{
    switch (run.outcome) {
    case RunOutcome::Enqueued:
        return {run.byHand() ? Texts::tr("enqueued by hand") : Texts::tr("enqueued"), {}, Look::icon(JobState::Succeeded), Tone::Plain};
    case RunOutcome::Skipped:
        return {Texts::tr("skipped: the previous run was still going"), {}, Look::icon(JobState::Cancelled), Tone::Amber};
    case RunOutcome::PassedOver: return {Texts::tr("missed, not run later"), {}, Look::icon(JobState::Cancelled), Tone::Amber};
    case RunOutcome::Refused:
        return {Texts::tr("refused: %1").arg(reasonText(run.why)), {}, Look::icon(JobState::Failed), Tone::Bad};
    }
    return {};
}

} // namespace

QString overlapText(Overlap overlap)
{
    switch (overlap) {
    case Overlap::Allow: return Texts::tr("start another");
    case Overlap::Skip: return Texts::tr("skip the run");
    case Overlap::Replace: return Texts::tr("cancel the previous run");
    }
    return {};
}

QString missedText(Missed missed)
{
    switch (missed) {
    case Missed::Once: return Texts::tr("once for all of them");
    case Missed::All: return Texts::tr("one job for each");
    case Missed::None: return Texts::tr("none");
    }
    return {};
}

QString intervalText(qint64 every_ms)
{
    if (every_ms == day_ms)
        return Texts::tr("every day");
    if (every_ms == hour_ms)
        return Texts::tr("every hour");
    if (every_ms == minute_ms)
        return Texts::tr("every minute");
    if (every_ms == second_ms)
        return Texts::tr("every second");
    if (every_ms % day_ms == 0)
        return Texts::tr("every %Ln day(s)", nullptr, int(every_ms / day_ms));
    if (every_ms % hour_ms == 0)
        return Texts::tr("every %Ln hour(s)", nullptr, int(every_ms / hour_ms));
    if (every_ms % minute_ms == 0)
        return Texts::tr("every %Ln minute(s)", nullptr, int(every_ms / minute_ms));
    if (every_ms % second_ms == 0)
        return Texts::tr("every %Ln second(s)", nullptr, int(every_ms / second_ms));
    return Texts::tr("every %1 s").arg(QLocale().toString(double(every_ms) / 1'000));
}

QByteArray zoneOf(const ScheduleSpec &spec)
{
    return spec.recurrence.cron.isEmpty() ? QByteArray() : spec.recurrence.tz;
}

Record runRecord(const ScheduleRun &run, const QByteArray &zone, const Format &format, qint64 now_ms)
{
    const QString due = zone.isEmpty() ? format.timeToday(run.due_ms, now_ms) : format.timeIn(zone, run.due_ms, now_ms);
    Cell outcome = outcomeCell(run);
    if (run.passedOver > 0)
        outcome.text = Texts::tr("%1; %Ln run(s) before it were missed", nullptr, run.passedOver).arg(outcome.text);
    const QByteArray key = QByteArray::number(run.at_ms) + ' ' + QByteArray::number(run.due_ms) + ' ' + run.job.text();
    return {key, {{run.due_ms > 0 ? due : Texts::tr("by hand"), format.dateTime(run.due_ms)},
                  {format.timeToday(run.at_ms, now_ms), format.dateTime(run.at_ms)}, outcome}};
}

} // namespace junban::ui
