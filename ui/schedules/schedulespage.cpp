#include "ui/schedules/schedulespage.h"

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/schedules/scheduledialog.h"
#include "ui/schedules/scheduletexts.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/payloadview.h"
#include "ui/widgets/question.h"
#include "ui/widgets/recordlist.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

namespace junban::ui {


SchedulesPage::SchedulesPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent)
    : Page(client, feed, preferences, parent)
{
    using enum RecordColumn::Side;
    using enum RecordColumn::Sort;
    m_list = new RecordList({{tr("Schedule"), 24}, {tr("When"), 20, Left, {}, None, true},
                             {tr("Time zone"), 16, Left, {}, None, false, true}, {tr("Next run"), 62, Left, {}, None, true},
                             {tr("Last job"), 16, Left, {}, None, true},
                             {tr("Job"), 18}, {tr("Overlap"), 12, Left, {}, None, false, true},
                             {tr("Fired"), 9, Right, tr("Jobs enqueued so far"), None, false, true},
                             {tr("Skipped"), 9, Right, tr("Runs skipped because the previous job was still going"), None,
                              false, true}},
                            tr("Schedules"), this);
    m_list->table()->remember(preferences, QStringLiteral("schedules/header"));
    buildActions();
    m_detail = buildDetail();
    arrange({buildHead()}, m_list, m_detail, Detail::UntilChosen);
    connect(m_list->table(), &RecordTable::chosenChanged, this, [this](const QByteArray &key) {
        if (!m_chosen || m_chosen->id != key)
            m_chosen.reset();
        sayDetail();
        askChosen();
    });
    connect(m_list->table(), &RecordTable::openRequested, m_edit, &QAction::trigger);
    connect(m_list->empty(), &EmptyState::actionTriggered, this, [this] { unreadable() ? refresh() : create(); });
    connect(&m_preferences, &Preferences::formatChanged, this, &SchedulesPage::say);
    say();
}

QWidget *SchedulesPage::buildHead()
{
    auto *box = new QWidget(this);
    auto *add = new QPushButton(tr("&New schedule…"), box);
    connect(add, &QPushButton::clicked, this, &SchedulesPage::create);
    QHBoxLayout *layout = headLine(box);
    QLabel *about = plainLabel(tr("Each run enqueues exactly one job."), box);
    about->setWordWrap(true);
    layout->addWidget(about, 1);
    layout->addWidget(add);
    return box;
}

void SchedulesPage::buildActions()
{
    m_run = new QAction(Look::icon(Icon::Play), tr("&Run now"), this);
    m_pause = new QAction(Look::icon(Icon::Pause), tr("&Pause"), this);
    m_edit = new QAction(Look::icon(Icon::Pencil), tr("&Edit…"), this);
    m_delete = new QAction(Look::icon(Icon::Bin), tr("&Delete…"), this);
    connect(m_run, &QAction::triggered, this, &SchedulesPage::runNow);
    connect(m_pause, &QAction::triggered, this, &SchedulesPage::togglePause);
    connect(m_edit, &QAction::triggered, this, [this] {
        if (m_chosen)
            openForm(m_chosen);
    });
    connect(m_delete, &QAction::triggered, this, &SchedulesPage::askDelete);
    offer(m_list, actions());
}

QWidget *SchedulesPage::buildDetail()
{
    auto *box = new QWidget(this);
    auto *line = new QWidget(box);
    m_title = titleLabel(line);
    m_title->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    m_title->setMinimumWidth(1); // it is cut rather than that it widens the window
    m_about = aboutLabel(line);
    const int gap = fontMetrics().height() / 2;
    auto *texts = new QHBoxLayout(line);
    texts->setContentsMargins({});
    texts->setSpacing(gap);
    texts->addWidget(m_title);
    texts->addWidget(m_about, 1);
    m_runs = new RecordList({{tr("Due"), 26}, {tr("Ran"), 26, RecordColumn::Side::Left, {}, RecordColumn::Sort::None, true},
                             {tr("Result"), 40}}, tr("Latest runs"), box);
    m_runs->empty()->say(Icon::Schedules, tr("Not fired yet"), {});
    openJobsOf(m_runs);
    m_next = new QListWidget(box);
    m_next->setFrameShape(QFrame::NoFrame);
    m_next->setAccessibleName(tr("Next runs"));
    m_next->setSpacing(gap / 4);
    m_next->setWordWrap(true); // a zone has a long name, and the time of the window's zone stands behind it
    m_next->setTextElideMode(Qt::ElideNone);
    m_next->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_next->setResizeMode(QListView::Adjust);
    m_next->setSelectionMode(QAbstractItemView::NoSelection);
    m_next->setFocusPolicy(Qt::NoFocus);
    m_job = new PayloadView(tr("Argument"), box);
    auto *tabs = new QTabWidget(box);
    tabs->setDocumentMode(true);
    tabs->addTab(m_runs, tr("Latest runs"));
    tabs->addTab(m_job, tr("Job"));
    auto *soon = new QTabWidget(box);
    soon->setDocumentMode(true);
    soon->addTab(m_next, tr("Next runs"));
    auto *panes = new QHBoxLayout;
    panes->setSpacing(gap);
    panes->addWidget(soon, 1);
    panes->addWidget(tabs, 1);
    layOutDetail(box, {line}, actions())->addLayout(panes, 1);
    return box;
}

void SchedulesPage::refresh()
{
    if (m_call != 0)
        return;
    m_call = m_client.schedules(rows_max, {}, client::guarded<SchedulePage>(this, [this](Result<SchedulePage> answer) {
        m_call = 0;
        came(std::move(answer));
    }));
    askChosen();
}

void SchedulesPage::came(Result<SchedulePage> answer)
{
    if (learned(answer)) {
        m_schedules = answer->schedules;
        m_more = !answer->next.isEmpty();
    }
    say();
}

void SchedulesPage::askChosen()
{
    const QByteArray id = m_list->table()->chosen();
    m_client.cancel(m_chosenCall);
    m_chosenCall = 0;
    if (id.isEmpty())
        return;
    m_chosenCall = m_client.schedule(id, client::guarded<Schedule>(this, [this](Result<Schedule> answer) {
        chosenCame(std::move(answer));
    }));
}

void SchedulesPage::chosenCame(Result<Schedule> answer)
{
    if (!answer.ok() || answer->id != m_list->table()->chosen())
        return;
    m_chosen = std::move(answer).value();
    sayDetail();
}

QString SchedulesPage::whenText(const Schedule &schedule) const
{
    const Recurrence &recurrence = schedule.spec.recurrence;
    return recurrence.cron.isEmpty() ? intervalText(recurrence.interval.every_ms) : shown(recurrence.cron);
}

Record SchedulesPage::record(const Schedule &schedule) const
{
    const ScheduleSpec &spec = schedule.spec;
    Record record{schedule.id, {}};
    const QString title = shown(spec.title.isEmpty() ? schedule.id : spec.title);
    record.cells.append({title, shown(schedule.id), schedule.paused ? Look::icon(Icon::Pause) : Look::icon(Icon::Schedules)});
    record.cells.append({whenText(schedule)});
    record.cells.append({spec.recurrence.cron.isEmpty() ? QString() : shown(spec.recurrence.tz)});
    if (schedule.paused)
        record.cells.append({tr("paused"), {}, {}, Tone::Amber});
    else if (schedule.next_ms == 0)
        record.cells.append({tr("never again"), {}, {}, Tone::Faint});
    else
        record.cells.append({fromNow(schedule.next_ms, zoneOf(spec)),
                             fromNow(schedule.next_ms, zoneOf(spec)) + QLatin1Char('\n') + format().dateTime(schedule.next_ms)});
    if (schedule.lastJobState) {
        const Tone tone = *schedule.lastJobState == JobState::Failed ? Tone::Bad : Tone::Plain;
        record.cells.append({Look::word(*schedule.lastJobState), {}, Look::icon(*schedule.lastJobState), tone});
    } else {
        record.cells.append({schedule.lastJob.isNull() ? tr("none yet") : tr("removed"), {}, {}, Tone::Faint});
    }
    record.cells.append({shown(spec.job.name)});
    record.cells.append({overlapText(spec.overlap)});
    record.cells.append({format().count(schedule.fired)});
    record.cells.append({schedule.skipped > 0 ? format().count(schedule.skipped) : QString(), {}, {}, Tone::Amber});
    return record;
}

void SchedulesPage::showSchedule(const QByteArray &id)
{
    m_wanted = id;
    say();
}

void SchedulesPage::say()
{
    QList<Record> records;
    for (const Schedule &schedule : std::as_const(m_schedules))
        records.append(record(schedule));
    m_list->setRecords(records);
    if (m_list->model()->rowOf(m_wanted) >= 0)
        m_list->table()->choose(std::exchange(m_wanted, {}));
    if (!saidUnknown(m_list->empty(), tr("The schedules could not be read")))
        m_list->empty()->say(Icon::Schedules, tr("No recurring jobs"),
                             tr("A schedule enqueues a job again and again: by a cron expression in a time zone, or every so often."),
                             tr("New schedule…"));
    m_list->setFoot(m_more ? tr("The first %Ln schedule(s)", nullptr, int(m_schedules.size())) : QString());
    sayDetail();
}

void SchedulesPage::sayDetail()
{
    const bool chosen = m_chosen.has_value();
    m_detail->setVisible(chosen);
    for (QAction *action : actions())
        action->setEnabled(chosen);
    if (!chosen)
        return;
    const Schedule &schedule = *m_chosen;
    m_pause->setText(schedule.paused ? tr("Res&ume") : tr("&Pause"));
    m_pause->setIcon(Look::icon(schedule.paused ? Icon::Play : Icon::Pause));
    m_title->setText(shown(schedule.spec.title.isEmpty() ? schedule.id : schedule.spec.title));
    QStringList about;
    if (!schedule.spec.title.isEmpty())
        about.append(shown(schedule.id));
    about.append(tr("missed runs: %1").arg(missedText(schedule.spec.missed)));
    about.append(tr("changed %1").arg(ago(schedule.updatedAt_ms)));
    m_about->setText(about.join(QStringLiteral(" · ")));
    m_about->setToolTip(plainTip(m_about->text()));
    QStringList next;
    for (const qint64 at_ms : schedule.nextRuns)
        next.append(fromNow(at_ms, zoneOf(schedule.spec)));
    if (next.isEmpty())
        next.append(tr("none"));
    if (schedule.paused)
        next.prepend(tr("paused; otherwise:"));
    while (m_next->count() > next.size())
        delete m_next->takeItem(m_next->count() - 1);
    for (int row = 0; row < next.size(); ++row) {
        if (row == m_next->count())
            m_next->addItem(QString());
        m_next->item(row)->setText(next[row]);
    }
    QList<Record> runs;
    for (const ScheduleRun &run : schedule.runs)
        runs.append(runRecord(run, zoneOf(schedule.spec), format(), m_feed.now_ms()));
    m_runs->setRecords(runs);
    if (!schedule.spec.jobBody.isEmpty())
        m_job->setBytes(schedule.spec.jobBody);
}

void SchedulesPage::runNow()
{
    if (!m_chosen)
        return;
    m_client.runSchedule(m_chosen->id, client::guarded<Enqueued>(this, [this](Result<Enqueued> answer) {
        const JobId id = answer.ok() ? answer->id : JobId();
        acted(answer, tr("Job enqueued"), tr("Open"), [this, id] { Q_EMIT openJobRequested(id); });
    }));
}

void SchedulesPage::togglePause()
{
    if (!m_chosen)
        return;
    const bool paused = m_chosen->paused;
    const auto came = client::guarded<Schedule>(this, [this, paused](Result<Schedule> answer) {
        acted(answer, paused ? tr("Schedule resumed") : tr("Schedule paused"));
    });
    if (paused)
        m_client.resumeSchedule(m_chosen->id, came);
    else
        m_client.pauseSchedule(m_chosen->id, came);
}

void SchedulesPage::create()
{
    openForm({});
}

void SchedulesPage::openForm(const std::optional<Schedule> &schedule)
{
    auto *dialog = new ScheduleDialog(m_client, schedule, m_preferences, m_feed.now_ms(), window());
    connect(dialog, &ScheduleDialog::saved, this, [this](const QByteArray &id) {
        Q_EMIT done(tr("Schedule saved"), {}, {});
        refresh();
        m_list->table()->choose(id);
    });
    dialog->open();
}

void SchedulesPage::askDelete()
{
    if (!m_chosen)
        return;
    const Schedule schedule = *m_chosen;
    ask(window(), m_client,
        {tr("Delete the schedule “%1”?").arg(shown(schedule.id)), tr("Its jobs stay."), tr("Delete")},
        [this, schedule] {
            m_client.deleteSchedule(schedule.id, schedule.revision, client::guarded<Schedule>(this, [this](Result<Schedule> answer) {
                const Schedule gone = answer.ok() ? *answer : Schedule();
                acted(answer, tr("Schedule deleted"), tr("Undo"), [this, gone] { restore(gone); });
            }));
        });
}

void SchedulesPage::restore(const Schedule &schedule)
{
    m_client.saveSchedule(schedule.id, schedule.spec, 0, client::guarded<Schedule>(this, [this](Result<Schedule> answer) {
        acted(answer, tr("Schedule restored"));
    }));
}

} // namespace junban::ui
