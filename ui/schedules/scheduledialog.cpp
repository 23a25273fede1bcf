#include "ui/schedules/scheduledialog.h"

#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/jobs/jobform.h"
#include "ui/schedules/scheduletexts.h"
#include "ui/widgets/labels.h"

#include <QComboBox>
#include <QCompleter>
#include <QDoubleSpinBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QTimeZone>
#include <QTimer>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

constexpr int tick_ms = 1'000; // the times are from now
constexpr qint64 units_ms[] = {1'000, 60'000, 3'600'000, 86'400'000};

// The largest unit of which an interval is a whole number.
int unitOf(qint64 every_ms)
{
    int unit = 0;
    for (int i = 0; i < int(std::size(units_ms)); ++i)
        unit = every_ms % units_ms[i] == 0 ? i : unit;
    return unit;
}

} // namespace

ScheduleDialog::ScheduleDialog(client::ApiClient &client, const std::optional<Schedule> &schedule, Preferences &preferences,
                               qint64 now_ms, QWidget *window)
    : FormDialog(window)
    , m_client(client)
    , m_schedule(schedule)
    , m_format(preferences.format())
    , m_now_ms(now_ms)
    , m_id(new QLineEdit(this))
    , m_title(new QLineEdit(this))
    , m_job(new JobForm(JobForm::Fields::All, this))
{
    setWindowTitle(schedule ? tr("Edit schedule") : tr("New schedule"));
    m_id->setMaxLength(limits::name_bytes_max);
    m_id->setPlaceholderText(tr("Name in the API, such as nightly-report"));
    m_title->setMaxLength(limits::name_bytes_max);
    m_title->setPlaceholderText(tr("Display name"));
    auto *names = new QFormLayout;
    names->addRow(tr("&ID"), m_id);
    names->addRow(tr("Tit&le"), m_title);
    auto *left = new QVBoxLayout;
    left->addLayout(names);
    left->addWidget(buildWhen());
    left->addWidget(buildPolicies());
    left->addStretch();
    auto *box = new QGroupBox(tr("The job that each run enqueues"), this);
    auto *boxLayout = new QVBoxLayout(box);
    boxLayout->addWidget(m_job);
    auto *columns = new QHBoxLayout;
    columns->setSpacing(fontMetrics().height());
    columns->addLayout(left, 1);
    columns->addWidget(box, 1);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(columns, 1);
    layout->addWidget(makeEnd(tr("&Save"), {}, &client));
    if (schedule)
        fill(*schedule);
    auto *clock = new QTimer(this);
    connect(clock, &QTimer::timeout, this, [this] {
        m_now_ms += tick_ms;
        showNext();
    });
    clock->start(tick_ms);
    showNext();
}

QWidget *ScheduleDialog::buildWhen()
{
    auto *box = new QGroupBox(tr("When"), this);
    m_byCron = new QRadioButton(tr("&Cron"), box);
    m_byInterval = new QRadioButton(tr("E&very"), box);
    m_byCron->setChecked(true);
    m_cron = new QLineEdit(QStringLiteral("0 3 * * *"), box);
    m_cron->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_cron->setMaxLength(limits::cron_bytes_max);
    m_cron->setAccessibleName(tr("Cron expression"));
    m_cron->setToolTip(
        plainTip(tr("Minute, hour, day of the month, month, day of the week; or @hourly, @daily, @weekly, @monthly, @yearly")));
    m_zone = new QComboBox(box);
    m_zone->setEditable(true);
    m_zone->setAccessibleName(tr("Time zone"));
    m_zone->addItem(QStringLiteral("UTC"));
    for (const QByteArray &zone : QTimeZone::availableTimeZoneIds()) {
        if (zone.contains('/'))
            m_zone->addItem(QString::fromLatin1(zone));
    }
    m_zone->completer()->setFilterMode(Qt::MatchContains);
    m_zone->completer()->setCompletionMode(QCompleter::PopupCompletion);
    const QString local = QString::fromLatin1(QTimeZone::systemTimeZoneId());
    m_zone->setCurrentText(m_zone->findText(local) >= 0 ? local : QStringLiteral("UTC"));
    m_zone->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_zone->setMinimumContentsLength(20);
    m_every = new QDoubleSpinBox(box);
    m_every->setRange(1, limits::schedule_interval_s_max);
    m_every->setDecimals(0);
    m_every->setValue(5);
    m_every->setAccessibleName(tr("Interval"));
    m_unit = new QComboBox(box);
    m_unit->addItems({tr("seconds"), tr("minutes"), tr("hours"), tr("days")});
    m_unit->setCurrentIndex(1);
    m_unit->setAccessibleName(tr("Unit of the interval"));
    m_next = plainLabel({}, box);
    m_next->setWordWrap(true);
    m_next->setMinimumHeight(fontMetrics().lineSpacing() * (previewed + 1));
    m_next->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto *interval = new QHBoxLayout;
    interval->addWidget(m_every);
    interval->addWidget(m_unit);
    interval->addStretch();
    auto *form = new QFormLayout(box);
    form->addRow(m_byCron, m_cron);
    form->addRow(tr("Time &zone"), m_zone);
    form->addRow(m_byInterval, interval);
    form->addRow(tr("Next runs"), m_next);
    // Typing into a field chooses it.
    connect(m_cron, &QLineEdit::textEdited, m_byCron, [this] { m_byCron->setChecked(true); });
    connect(m_every, &QDoubleSpinBox::valueChanged, m_byInterval, [this] { m_byInterval->setChecked(true); });
    connect(m_unit, &QComboBox::activated, m_byInterval, [this] { m_byInterval->setChecked(true); });
    connect(m_cron, &QLineEdit::textChanged, this, &ScheduleDialog::showNext);
    connect(m_zone, &QComboBox::currentTextChanged, this, &ScheduleDialog::showNext);
    connect(m_every, &QDoubleSpinBox::valueChanged, this, &ScheduleDialog::showNext);
    connect(m_unit, &QComboBox::currentIndexChanged, this, &ScheduleDialog::showNext);
    connect(m_byCron, &QRadioButton::toggled, this, &ScheduleDialog::showNext);
    return box;
}

QWidget *ScheduleDialog::buildPolicies()
{
    auto *box = new QGroupBox(tr("Overlap and missed runs"), this);
    m_overlap = new QComboBox(box);
    m_overlap->addItem(tr("start another"), int(Overlap::Allow));
    m_overlap->addItem(tr("skip this run"), int(Overlap::Skip));
    m_overlap->addItem(tr("cancel it and start another"), int(Overlap::Replace));
    m_missed = new QComboBox(box);
    m_missed->addItem(tr("run once"), int(Missed::Once));
    m_missed->addItem(tr("one job for each, at most"), int(Missed::All));
    m_missed->addItem(tr("no job"), int(Missed::None));
    m_missedMax = new QSpinBox(box);
    m_missedMax->setRange(1, limits::schedule_catch_up_max);
    m_missedMax->setValue(limits::schedule_catch_up_default);
    m_missedMax->setAccessibleName(tr("Maximum"));
    m_missedMax->hide();
    connect(m_missed, &QComboBox::currentIndexChanged, this, [this] {
        m_missedMax->setVisible(m_missed->currentData().toInt() == int(Missed::All));
    });
    auto *missed = new QHBoxLayout;
    missed->addWidget(m_missed, 1);
    missed->addWidget(m_missedMax);
    auto *form = new QFormLayout(box);
    form->addRow(tr("If the pr&evious run is still going"), m_overlap);
    form->addRow(tr("If runs were missed"), missed);
    return box;
}

void ScheduleDialog::fill(const Schedule &schedule)
{
    const ScheduleSpec &spec = schedule.spec;
    m_id->setText(QString::fromUtf8(schedule.id));
    m_id->setReadOnly(true);
    m_id->setEnabled(false);
    m_title->setText(QString::fromUtf8(spec.title));
    if (spec.recurrence.cron.isEmpty()) {
        const int unit = unitOf(spec.recurrence.interval.every_ms);
        m_unit->setCurrentIndex(unit);
        m_every->setValue(double(spec.recurrence.interval.every_ms) / double(units_ms[unit]));
        m_byInterval->setChecked(true);
    } else {
        m_cron->setText(QString::fromUtf8(spec.recurrence.cron));
        m_zone->setCurrentText(QString::fromUtf8(spec.recurrence.tz));
        m_byCron->setChecked(true);
    }
    m_overlap->setCurrentIndex(m_overlap->findData(int(spec.overlap)));
    m_missed->setCurrentIndex(m_missed->findData(int(spec.missed)));
    m_missedMax->setValue(spec.missedMax);
    m_job->setSpec(spec.job);
}

Result<Recurrence> ScheduleDialog::recurrence() const
{
    Recurrence recurrence;
    if (m_byInterval->isChecked()) {
        recurrence.interval.every_ms = qint64(m_every->value() + 0.5) * units_ms[std::max(0, m_unit->currentIndex())];
        // As long as the interval is not edited, the anchor is kept, and an interval that is no whole number of any unit.
        if (m_schedule && m_schedule->spec.recurrence.cron.isEmpty())
            recurrence.interval.anchor_ms = m_schedule->spec.recurrence.interval.anchor_ms;
        return recurrence;
    }
    const Result<Cron> cron = Cron::parse(m_cron->text().trimmed().toUtf8(), "cron");
    if (!cron.ok())
        return cron.error();
    recurrence.cron = cron->text();
    recurrence.tz = m_zone->currentText().trimmed().toUtf8();
    const Result<TimeZone> zone = TimeZone::named(recurrence.tz, "tz");
    if (!zone.ok())
        return zone.error();
    return recurrence;
}

// Computes the runs with the code that the master uses, so they are the ones that will fire.
void ScheduleDialog::showNext()
{
    const Result<Recurrence> read = recurrence();
    go()->setEnabled(read.ok() && !m_sending);
    QPalette colored = palette();
    if (!read.ok()) {
        colored.setColor(QPalette::WindowText, Look::red(palette()));
        m_next->setPalette(colored);
        m_next->setText(reasonText(read.error().reason));
        return;
    }
    m_next->setPalette(colored);
    QStringList lines;
    for (const qint64 at_ms : Firings(*read).after_ms(m_now_ms, previewed))
        lines.append(tr("%1, in %2", "a time and a duration")
                         .arg(read->cron.isEmpty() ? m_format.timeToday(at_ms, m_now_ms) : m_format.timeIn(read->tz, at_ms, m_now_ms),
                              m_format.duration(at_ms - m_now_ms)));
    m_next->setText(lines.isEmpty() ? tr("Never fires again.") : lines.join(QLatin1Char('\n')));
    // In a zone of its own a time has two lines. The field only grows, so that no button moves back and forth.
    if (m_next->isVisible())
        m_next->setMinimumHeight(std::max(m_next->minimumHeight(), m_next->heightForWidth(m_next->width())));
}

QString ScheduleDialog::preview() const { return m_next->text(); }

void ScheduleDialog::send()
{
    const QByteArray id = m_id->text().trimmed().toUtf8();
    if (id.isEmpty()) {
        m_id->setFocus();
        say(tr("A schedule needs an ID."));
        return;
    }
    const Result<Recurrence> when = recurrence();
    Result<JobSpec> job = m_job->spec();
    if (!when.ok() || !job.ok()) {
        say(reasonText(when.ok() ? job.error().reason : when.error().reason));
        return;
    }
    ScheduleSpec spec = m_schedule ? m_schedule->spec : ScheduleSpec();
    spec.title = m_title->text().trimmed().toUtf8();
    spec.recurrence = *when;
    spec.job = std::move(job).value();
    spec.overlap = Overlap(m_overlap->currentData().toInt());
    spec.missed = Missed(m_missed->currentData().toInt());
    spec.missedMax = m_missedMax->value();
    say({});
    m_sending = true;
    go()->setEnabled(false);
    const qint64 revision = m_schedule ? m_schedule->revision : 0;
    m_client.saveSchedule(id, spec, revision, client::guarded<Schedule>(this, [this, id](Result<Schedule> answer) {
        m_sending = false;
        go()->setEnabled(true);
        if (answer.ok()) {
            Q_EMIT saved(id);
            accept();
            return;
        }
        if (answer.error().code == ErrorCode::RevisionMismatch)
            say(m_schedule ? tr("Someone else changed this schedule meanwhile. Close this form to see the current version.")
                           : tr("There is a schedule with this ID already."));
        else
            say(reasonText(answer.error().reason));
    }));
}

} // namespace junban::ui
