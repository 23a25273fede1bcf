#include "ui/limits/pausedialog.h"

#include "core/base/durations.h"
#include "core/limits/jobvariables.h"
#include "ui/base/reasontexts.h"
#include "ui/limits/constrainttexts.h"
#include "ui/limits/expressionedit.h"
#include "ui/widgets/labels.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

constexpr int reason_characters_max = 200;

} // namespace

PauseDialog::PauseDialog(client::ApiClient &client, const QByteArray &match, qint64 now_ms, QWidget *window)
    : FormDialog(window)
    , m_client(client)
    , m_now_ms(now_ms)
    , m_everything(new QRadioButton(tr("&All jobs"), this))
    , m_some(new QRadioButton(tr("&Jobs that match"), this))
    , m_expression(new ExpressionEdit(this))
    , m_until(new QComboBox(this))
    , m_reason(new QLineEdit(this))
{
    setWindowTitle(tr("Pause"));
    m_expression->setEnvironment(cel::matcherEnvironment(), cel::Wanted::Boolean);
    m_expression->setExpression(match);
    m_expression->setPlaceholderText(QStringLiteral("job.name == \"mail.send\""));
    (match.isEmpty() ? m_everything : m_some)->setChecked(true);
    m_expression->setEnabled(!match.isEmpty());
    connect(m_some, &QRadioButton::toggled, m_expression, &QWidget::setEnabled);
    m_until->addItem(tr("until it is resumed"), 0);
    m_until->addItem(tr("for 15 minutes"), 15 * minute_s);
    m_until->addItem(tr("for 1 hour"), hour_s);
    m_until->addItem(tr("for 8 hours"), 8 * hour_s);
    m_until->addItem(tr("for 24 hours"), day_s);
    m_until->setAccessibleName(tr("How long"));
    m_reason->setMaxLength(reason_characters_max);
    m_reason->setPlaceholderText(tr("What others should know"));
    m_reason->setAccessibleName(tr("Reason"));
    auto *form = new QFormLayout;
    form->addRow(tr("&How long"), m_until);
    form->addRow(tr("&Reason"), m_reason);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(plainLabel(tr("What runs goes on; what is paused does not start."), this));
    layout->addWidget(m_everything);
    layout->addWidget(m_some);
    layout->addWidget(m_expression);
    layout->addLayout(form);
    layout->addWidget(makeEnd(tr("&Pause")));
    m_reason->setFocus(); // what is typed at once is the reason, and changes nothing of what is paused
}

void PauseDialog::send()
{
    client::PauseQuery query;
    query.reason = m_reason->text().trimmed().toUtf8();
    if (query.reason.isEmpty()) {
        m_reason->setFocus();
        say(tr("Say why, for those who wonder."));
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
    if (const int seconds = m_until->currentData().toInt(); seconds > 0)
        query.until_ms = m_now_ms + qint64(seconds) * 1000;
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
