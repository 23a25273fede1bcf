#include "ui/jobs/jobdialog.h"

#include "core/base/durations.h"
#include "ui/base/reasontexts.h"
#include "ui/jobs/jobform.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/secondsfield.h"

#include <QComboBox>
#include <QDateTimeEdit>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

constexpr double delayAtFirst_s = 60;

} // namespace

StartField::StartField(TimesIn timesIn, qint64 now_ms, First first, QWidget *parent)
    : QWidget(parent)
    , m_choice(new QComboBox(this))
    , m_values(new QStackedWidget(this))
    , m_delay(secondsField(0.001, limits::delay_s_max, this))
    , m_at(new QDateTimeEdit(this))
{
    setFocusPolicy(Qt::StrongFocus); // for the letter of its label
    setFocusProxy(m_choice);
    if (first == First::Unchanged)
        m_choice->addItem(tr("as it is"), int(Kind::Unchanged));
    m_choice->addItem(tr("at once"), int(Kind::AtOnce));
    m_choice->addItem(tr("after"), int(Kind::After));
    m_choice->addItem(timesIn == TimesIn::Utc ? tr("at (UTC)") : tr("at (local time)"), int(Kind::At));
    m_choice->setAccessibleName(tr("Start"));
    m_delay->setValue(delayAtFirst_s);
    m_delay->setAccessibleName(tr("Delay"));
    m_at->setTimeSpec(timesIn == TimesIn::Utc ? Qt::UTC : Qt::LocalTime);
    m_at->setDisplayFormat(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    m_at->setCalendarPopup(true);
    m_at->setDateTime(QDateTime::fromMSecsSinceEpoch(now_ms / hour_ms * hour_ms + hour_ms, m_at->timeSpec()));
    m_at->setAccessibleName(tr("Not before"));
    m_values->addWidget(new QWidget(this));
    for (QWidget *field : {static_cast<QWidget *>(m_delay), static_cast<QWidget *>(m_at)}) {
        field->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        m_values->addWidget(field);
    }
    connect(m_choice, &QComboBox::currentIndexChanged, this, [this] {
        m_values->setCurrentIndex(kind() == Kind::After ? 1 : kind() == Kind::At ? 2 : 0);
    });
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_choice);
    layout->addWidget(m_values);
    layout->addStretch();
}

StartField::Kind StartField::kind() const
{
    return Kind(m_choice->currentData().toInt());
}

void StartField::choose(Kind kind)
{
    m_choice->setCurrentIndex(m_choice->findData(int(kind)));
}

qint64 StartField::delay_ms() const
{
    return qint64(m_delay->value() * 1000 + 0.5);
}

qint64 StartField::at_ms() const
{
    return m_at->dateTime().toMSecsSinceEpoch();
}

JobDialog::JobDialog(client::ApiClient &client, const std::optional<JobSpec> &like, TimesIn timesIn, qint64 now_ms, QWidget *window)
    : FormDialog(window)
    , m_client(client)
    , m_form(new JobForm(JobForm::Fields::All, this))
    , m_start(new StartField(timesIn, now_ms, StartField::First::AtOnce, this))
{
    setWindowTitle(like ? tr("Duplicate job") : tr("New job"));
    if (like)
        m_form->setSpec(*like);
    m_form->rows()->addRow(tr("&Start"), m_start);
    auto *layout = new QVBoxLayout(this);
    if (like)
        layout->addWidget(plainLabel(tr("The job itself stays as it is; a new one is enqueued."), this));
    layout->addWidget(m_form, 1);
    layout->addWidget(makeEnd(tr("&Enqueue")));
    m_form->name()->setFocus();
}

void JobDialog::send()
{
    Result<JobSpec> read = m_form->spec();
    if (!read.ok()) {
        say(reasonText(read.error().reason));
        return;
    }
    JobSpec spec = std::move(read).value();
    // A copy takes neither the idempotency key nor the start time of the job that it was made from.
    spec.idempotencyKey.clear();
    spec.delay_ms = m_start->kind() == StartField::Kind::After ? m_start->delay_ms() : 0;
    spec.runAt_ms = m_start->kind() == StartField::Kind::At ? std::optional(m_start->at_ms()) : std::nullopt;
    say({});
    go()->setEnabled(false);
    m_client.enqueue(spec, client::guarded<Enqueued>(this, [this](Result<Enqueued> answer) {
        go()->setEnabled(true);
        if (!answer.ok()) {
            say(reasonText(answer.error().reason));
            m_form->focus(answer.error().field);
            return;
        }
        Q_EMIT enqueued(answer->id);
        accept();
    }));
}

} // namespace junban::ui
