#include "ui/inspector/jobhistory.h"

#include "core/msgpack/decoder.h"
#include "ui/base/look.h"
#include "ui/base/payloadtext.h"
#include "ui/base/text.h"
#include "ui/widgets/emptystate.h"

namespace junban::ui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(JobHistory)
};

struct Happening {
    const char *what;
    const char *text;
    Tone tone;
    JobState look;
};

// An event has the look of the state that the job is in after it.
constexpr Happening happenings[] = {
    {"enqueued", QT_TRANSLATE_NOOP("JobHistory", "enqueued"), Tone::Plain, JobState::Ready},
    {"started", QT_TRANSLATE_NOOP("JobHistory", "started"), Tone::Plain, JobState::Running},
    {"succeeded", QT_TRANSLATE_NOOP("JobHistory", "succeeded"), Tone::Good, JobState::Succeeded},
    {"failed", QT_TRANSLATE_NOOP("JobHistory", "failed"), Tone::Bad, JobState::Failed},
    {"timed_out", QT_TRANSLATE_NOOP("JobHistory", "lease ran out"), Tone::Bad, JobState::Failed},
    {"released", QT_TRANSLATE_NOOP("JobHistory", "released"), Tone::Plain, JobState::Ready},
    {"cancelled", QT_TRANSLATE_NOOP("JobHistory", "cancelled"), Tone::Plain, JobState::Cancelled},
    {"cancel_requested", QT_TRANSLATE_NOOP("JobHistory", "asked to stop"), Tone::Amber, JobState::Cancelled},
    {"retried", QT_TRANSLATE_NOOP("JobHistory", "put back to run again"), Tone::Plain, JobState::Ready},
    {"edited", QT_TRANSLATE_NOOP("JobHistory", "edited"), Tone::Amber, JobState::Ready},
    {"handed_off", QT_TRANSLATE_NOOP("JobHistory", "handed off, waits for a message"), Tone::Plain, JobState::Awaiting},
    {"message", QT_TRANSLATE_NOOP("JobHistory", "message came"), Tone::Plain, JobState::Awaiting},
    {"freed", QT_TRANSLATE_NOOP("JobHistory", "its dependencies have succeeded"), Tone::Plain, JobState::Depends},
    {"expired", QT_TRANSLATE_NOOP("JobHistory", "expired before it started"), Tone::Bad, JobState::Failed},
    {"dependency", QT_TRANSLATE_NOOP("JobHistory", "a dependency did not succeed"), Tone::Bad, JobState::Depends},
    {"dropped", QT_TRANSLATE_NOOP("JobHistory", "made room in a full backlog"), Tone::Bad, JobState::Cancelled},
    {"then_refused", QT_TRANSLATE_NOOP("JobHistory", "a follow-up job was refused"), Tone::Bad, JobState::Failed},
    {"replaced", QT_TRANSLATE_NOOP("JobHistory", "replaced by a job with the same unique key"), Tone::Amber, JobState::Cancelled},
    {"deleted", QT_TRANSLATE_NOOP("JobHistory", "put into the trash"), Tone::Amber, JobState::Cancelled},
    {"restored", QT_TRANSLATE_NOOP("JobHistory", "taken back out of the trash"), Tone::Plain, JobState::Ready},
};

const Happening *happeningOf(const QByteArray &what)
{
    const auto found = std::find_if(std::begin(happenings), std::end(happenings), [&](const Happening &each) { return what == each.what; });
    return found == std::end(happenings) ? nullptr : found;
}

// What the window calls the fields of an edit.
QString fieldName(QByteArrayView field)
{
    const std::pair<const char *, QString> names[] = {
        {"priority", Texts::tr("priority")}, {"run_at", Texts::tr("start")}, {"argument", Texts::tr("argument")},
        {"argument_bytes", Texts::tr("bytes of the argument")}, {"tags", Texts::tr("tags")}, {"max_retry", Texts::tr("retries")},
        {"timeout", Texts::tr("timeout")}, {"index", Texts::tr("number")}, {"why", Texts::tr("reason")}};
    for (const auto &[name, text] : names) {
        if (field == name)
            return text;
    }
    return shown(field);
}

QString detailsText(const Transition &transition)
{
    QStringList parts;
    Decoder in(Decoder::Of::Answer);
    if (const std::optional<PackedValue> root = in.root(transition.details)) {
        in.map(*root, [&](QByteArrayView key, const PackedValue &value) {
            parts.append(Texts::tr("%1: %2", "a field and its value").arg(fieldName(key), payloadPreview(value.raw(), 120)));
            return true;
        });
    }
    if (parts.isEmpty())
        return {};
    const QString all = listed(parts);
    return transition.what == "edited" ? Texts::tr("before: %1").arg(all) : all;
}

} // namespace

QString happeningText(const QByteArray &what)
{
    const Happening *happening = happeningOf(what);
    return happening ? Texts::tr(happening->text) : shown(what);
}

JobHistory::JobHistory(QWidget *parent)
    : RecordList({{tr("Event"), 22}, {tr("At"), 17, RecordColumn::Side::Left, {}, RecordColumn::Sort::None, true},
                  {tr("Details"), 30}, {tr("By"), 12, RecordColumn::Side::Left, {}, RecordColumn::Sort::None, true},
                  {tr("After"), 10, RecordColumn::Side::Left, tr("Since the previous event"), RecordColumn::Sort::None, false, true},
                  {tr("Attempt"), 8, RecordColumn::Side::Left, {}, RecordColumn::Sort::None, false, true}},
                 tr("History"), parent)
{
    empty()->say(Icon::Clock, tr("No history"), {});
}

Record JobHistory::record(const Transition &transition, qint64 before_ms, const QByteArray &key) const
{
    const Happening *happening = happeningOf(transition.what);
    QStringList about;
    if (!transition.reason.isEmpty())
        about.append(Look::reason(transition.reason));
    if (!transition.message.isEmpty())
        about.append(Look::message(transition.message));
    const QString details = detailsText(transition);
    if (!details.isEmpty())
        about.append(details);
    if (transition.runAt_ms > 0)
        about.append(tr("again after %1").arg(m_format.duration(transition.runAt_ms - transition.at_ms)));
    const QString aboutText = about.join(QStringLiteral(" · "));
    const QString after = before_ms > 0 ? m_format.duration(std::max<qint64>(0, transition.at_ms - before_ms)) : QString();
    Record record{key, {}};
    record.cells.append({happeningText(transition.what), {}, happening ? Look::icon(happening->look) : QIcon(),
                         happening ? happening->tone : Tone::Plain});
    record.cells.append({m_format.timeToday(transition.at_ms, m_now_ms), m_format.dateTime(transition.at_ms)});
    record.cells.append({aboutText});
    record.cells.append({Look::actor(transition.actor)});
    record.cells.append({after, {}, {}, Tone::Faint});
    record.cells.append({transition.attempt > 0 ? QString::number(transition.attempt) : QString()});
    return record;
}

Record JobHistory::progressRecord(const Job &job) const
{
    const QString percent = QLocale().toString(int(100 * std::clamp(job.progress.done / job.progress.total, 0.0, 1.0)));
    Record record{"progress", {}};
    record.cells.append({tr("progress: %1 %", "in percent").arg(percent), {}, Look::icon(JobState::Running)});
    record.cells.append({tr("now")});
    record.cells.append({shownFirstLine(job.progress.message)});
    record.cells.append({shown(job.worker)});
    record.cells.append({m_format.duration(std::max<qint64>(0, m_now_ms - job.startedAt_ms)), {}, {}, Tone::Faint});
    record.cells.append({QString::number(job.attempt)});
    return record;
}

void JobHistory::setJob(const Job &job, const Format &format, qint64 now_ms)
{
    m_format = format;
    m_now_ms = now_ms;
    QList<Record> records;
    qint64 before_ms = 0;
    for (qsizetype i = 0; i < job.history.size(); ++i) {
        records.prepend(record(job.history[i], before_ms, QByteArray::number(i)));
        before_ms = job.history[i].at_ms;
    }
    if (job.state == JobState::Running && job.progress.total > 0)
        records.prepend(progressRecord(job));
    setRecords(records);
}

} // namespace junban::ui
