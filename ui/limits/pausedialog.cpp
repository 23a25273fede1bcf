#include "ui/limits/pausedialog.h"

#include "core/limits/jobvariables.h"
#include "ui/base/reasontexts.h"
#include "ui/limits/constrainttexts.h"
#include "ui/limits/expressionedit.h"
#include "ui/widgets/endfield.h"
#include "ui/widgets/labels.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>
#include <algorithm>
#include <climits>

namespace junban::ui {

namespace {

constexpr int reason_characters_max = 200;
constexpr int countPause_ms = 300;

} // namespace

PauseDialog::PauseDialog(client::ApiClient &client, const QByteArray &match, QWidget *window)
    : FormDialog(window)
    , m_client(client)
    , m_everything(new QRadioButton(tr("&All jobs"), this))
    , m_some(new QRadioButton(tr("&Jobs that match"), this))
    , m_expression(new ExpressionEdit(this))
    , m_end(new EndField(tr("until resumed"), this))
    , m_stops(plainLabel({}, this))
    , m_reason(new QLineEdit(this))
{
    setWindowTitle(tr("Pause"));
    m_expression->setEnvironment(cel::matcherEnvironment(), cel::Wanted::Boolean);
    m_expression->setExpression(match);
    m_expression->setPlaceholderText(QStringLiteral("job.name == \"mail.send\""));
    // Without an expression neither is chosen: all jobs are never paused by accident.
    m_some->setChecked(!match.isEmpty());
    connect(m_everything, &QRadioButton::toggled, m_expression, &QWidget::setDisabled);
    connect(m_expression, &QPlainTextEdit::textChanged, m_some, [this] { m_some->setChecked(true); });
    connect(m_some, &QRadioButton::clicked, m_expression, qOverload<>(&QWidget::setFocus));
    m_pause.setSingleShot(true);
    m_pause.setInterval(countPause_ms);
    connect(&m_pause, &QTimer::timeout, this, &PauseDialog::count);
    connect(m_everything, &QRadioButton::toggled, &m_pause, qOverload<>(&QTimer::start));
    connect(m_some, &QRadioButton::toggled, &m_pause, qOverload<>(&QTimer::start));
    connect(m_expression, &ExpressionEdit::checked, &m_pause, qOverload<>(&QTimer::start));
    m_reason->setMaxLength(reason_characters_max);
    m_reason->setPlaceholderText(tr("Shown to other operators"));
    m_reason->setAccessibleName(tr("Reason"));
    auto *form = new QFormLayout;
    form->addRow(tr("&Ends"), m_end);
    form->addRow(tr("&Reason (required)"), m_reason);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(plainLabel(tr("Running jobs continue; matching jobs won't start."), this));
    layout->addWidget(m_everything);
    layout->addWidget(m_some);
    layout->addWidget(m_expression);
    layout->addWidget(m_stops);
    layout->addLayout(form);
    layout->addWidget(makeEnd(tr("&Pause")));
    m_pause.start();
    m_reason->setFocus(); // what is typed at once is the reason, and changes nothing of what is paused
}

void PauseDialog::count()
{
    m_client.cancel(m_call);
    m_call = 0;
    const bool some = m_some->isChecked();
    m_stops->clear();
    if (some ? m_expression->state() != ExpressionEdit::State::Valid : !m_everything->isChecked())
        return;
    client::JobQuery query;
    query.state = JobState::Ready;
    query.match = some ? m_expression->expression().trimmed() : QByteArray();
    m_call = m_client.jobCounts(query, client::guarded<JobCounts>(this, [this](Result<JobCounts> answer) {
        m_call = 0;
        if (!answer.ok())
            return;
        const QString count = tr("%Ln ready job(s)", nullptr, int(std::min<qint64>(answer->byState[size_t(JobState::Ready)], INT_MAX)));
        m_stops->setText((answer->next.isEmpty() ? tr("Stops %1 now.") : tr("Stops at least %1 now.")).arg(count));
    }));
}

void PauseDialog::send()
{
    client::PauseQuery query;
    query.reason = m_reason->text().trimmed().toUtf8();
    if (query.reason.isEmpty()) {
        m_reason->setFocus();
        say(tr("A reason is required."));
        return;
    }
    if (!m_everything->isChecked() && !m_some->isChecked()) {
        say(tr("Which jobs?"));
        return;
    }
    if (m_some->isChecked()) {
        query.match = m_expression->expression().trimmed();
        if (m_expression->state() != ExpressionEdit::State::Valid) {
            m_expression->goToNextProblem();
            say(m_expression->problems().isEmpty() ? tr("Which jobs?") : problemText(m_expression->problems().first()));
            return;
        }
    }
    query.until_ms = m_end->at_ms();
    query.for_ms = m_end->after_ms(); // from now, by the master's clock
    say({});
    go()->setEnabled(false);
    const client::ApiLink::Because because(m_client, query.reason); // for the audit
    using Paused = client::Checked<client::Pause>;
    m_client.pause(query, client::guarded<Paused>(this, [this](Result<Paused> answer) {
        go()->setEnabled(true);
        if (!answer.ok()) {
            say(reasonText(answer.error().reason));
        } else if (!answer->value) {
            say(problemText(answer->problems.first().problem));
        } else {
            Q_EMIT paused(answer->value->id);
            accept();
        }
    }));
}

} // namespace junban::ui
