#include "ui/access/newtokendialog.h"

#include "core/base/durations.h"
#include "core/limits/jobvariables.h"
#include "ui/access/accesstexts.h"
#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/limits/expressionedit.h"
#include "ui/widgets/endfield.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/morerows.h"

#include <QCheckBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

constexpr int days = 365;

} // namespace

NewTokenDialog::NewTokenDialog(client::ApiClient &client, Which which, QWidget *window)
    : FormDialog(window)
    , m_client(client)
    , m_note(new QLineEdit(this))
    , m_end(new EndField(tr("never"), this))
    , m_names(new QLineEdit(this))
    , m_match(new ExpressionEdit(this))
{
    setObjectName(QStringLiteral("newToken"));
    setWindowTitle(tr("New token"));
    auto *layout = new QVBoxLayout(this);
    if (which == Which::First) {
        QLabel *first = plainLabel(tr("It is the first one: from then on every caller needs a token. It must be an administrator's, for "
                                      "all jobs; it makes the others."), this);
        first->setWordWrap(true);
        QPalette amber = first->palette();
        amber.setColor(QPalette::WindowText, Look::amber(palette()));
        first->setPalette(amber);
        layout->addWidget(first);
    }
    m_note->setMaxLength(limits::token_note_bytes_max);
    m_note->setPlaceholderText(tr("What it is for"));
    m_end->setAfter(days, day_ms);
    m_names->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_names->setPlaceholderText(QStringLiteral("mail.*"));
    m_names->setToolTip(tr("Names, with a star at their end or whole, comma-separated"));
    m_match->setOneLine();
    m_match->setEnvironment(cel::matcherEnvironment(), cel::Wanted::Boolean);
    m_match->setPlaceholderText(QStringLiteral("job.argument.region == \"eu\""));
    m_match->setAccessibleName(tr("Expression that must be true of the job"));
    m_match->setToolTip(m_match->accessibleName());
    auto *fields = new QWidget(this);
    auto *form = new QFormLayout(fields);
    form->setContentsMargins({});
    form->addRow(tr("&Note"), m_note);
    form->addRow(tr("Roles"), buildRoles());
    form->addRow(tr("&Ends"), m_end);
    auto *some = new MoreRows(form);
    some->setText(tr("Only for some jobs"));
    form->addRow(tr("Na&mes"), m_names);
    form->addRow(tr("E&xpression"), m_match);
    some->fold();
    layout->addWidget(fields);
    layout->addStretch();
    layout->addWidget(makeEnd(tr("&Create the token"), {}, &client));
    if (which == Which::First)
        role(Role::Admin)->setChecked(true);
    m_note->setFocus();
    resize(fontMetrics().height() * 34, sizeHint().height());
}

QWidget *NewTokenDialog::buildRoles()
{
    auto *box = new QWidget(this);
    auto *rows = new QVBoxLayout(box);
    rows->setContentsMargins({});
    for (size_t i = 0; i < m_roles.size(); ++i) {
        const Role role = Role(i);
        m_roles[i] = new QCheckBox(tr("%1 – %2", "a role, what it may do").arg(AccessTexts::role(role), AccessTexts::may(role)), box);
        rows->addWidget(m_roles[i]);
        connect(m_roles[i], &QCheckBox::toggled, this, [this] { say({}); });
    }
    return box;
}

TokenSpec NewTokenDialog::spec() const
{
    TokenSpec spec;
    spec.note = m_note->text().trimmed().toUtf8();
    for (size_t i = 0; i < m_roles.size(); ++i) {
        if (m_roles[i]->isChecked())
            spec.roles.append(Role(i));
    }
    static const QRegularExpression between(QStringLiteral("[\\s,、]+"));
    for (const QString &name : m_names->text().split(between, Qt::SkipEmptyParts))
        spec.names.append(name.toUtf8());
    spec.match = m_match->expression().trimmed();
    spec.expiresAt_ms = m_end->at_ms().value_or(0);
    spec.expiresIn_ms = m_end->after_ms(); // by the master's clock
    return spec;
}

void NewTokenDialog::send()
{
    const TokenSpec asked = spec();
    if (asked.roles.isEmpty()) {
        say(tr("What may it do? Choose a role."));
        return;
    }
    m_match->check();
    if (!asked.match.isEmpty() && !m_match->problems().isEmpty()) {
        m_match->goToNextProblem();
        say(reasonText(m_match->problems().first().reason));
        return;
    }
    say({});
    go()->setEnabled(false);
    m_client.createToken(asked, client::guarded<CreatedToken>(this, [this](const Result<CreatedToken> &answer) {
        go()->setEnabled(true);
        if (!answer.ok()) {
            say(reasonText(answer.error().reason));
            return;
        }
        accept();
        Q_EMIT created(*answer);
    }));
}

} // namespace junban::ui
