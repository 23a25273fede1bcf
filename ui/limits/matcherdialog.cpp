#include "ui/limits/matcherdialog.h"

#include "core/limits/jobvariables.h"
#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/limits/argumentpaths.h"
#include "ui/limits/constraintform.h"
#include "ui/limits/constrainttexts.h"
#include "ui/limits/expressionedit.h"
#include "ui/limits/previewtree.h"
#include "ui/limits/ratestop.h"
#include "ui/limits/testpanel.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/morerows.h"
#include "ui/widgets/tables.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace junban::ui {

MatcherDialog::MatcherDialog(client::ApiClient &client, const std::optional<JobMatcher> &matcher, Preferences &preferences,
                             QWidget *window)
    : FormDialog(window)
    , m_client(client)
    , m_base(matcher)
    , m_format(preferences.format())
{
    setWindowTitle(matcher ? titleOf(*matcher) : tr("New JobMatcher"));
    m_pause.setSingleShot(true);
    m_pause.setInterval(pause_ms);
    connect(&m_pause, &QTimer::timeout, this, &MatcherDialog::askPreview);
    auto *left = new QWidget(this);
    auto *leftLayout = new QVBoxLayout(left);
    leftLayout->setContentsMargins({});
    leftLayout->addWidget(buildHead());
    leftLayout->addWidget(buildConstraints(), 1);
    auto *split = new QSplitter(this);
    split->setChildrenCollapsible(false);
    split->addWidget(left);
    split->addWidget(buildPreview());
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(split, 1);
    layout->addWidget(buildEnd());
    const int line = fontMetrics().height();
    const QSize wanted(line * 90, line * 48);
    resize(window ? wanted.boundedTo(QSize(window->width(), window->height() - 2 * line) * 0.98) : wanted); // with its title bar
    split->setSizes({width() * 3 / 5, width() * 2 / 5});
    if (matcher)
        fill(*matcher);
    (matcher ? static_cast<QWidget *>(m_expression) : m_id)->setFocus();
    sayExpression();
    askSamples();
    askPreview();
}

QString MatcherDialog::titleOf(const JobMatcher &matcher)
{
    return tr("JobMatcher %1, revision %2").arg(shown(matcher.id)).arg(matcher.revision);
}

QWidget *MatcherDialog::buildHead()
{
    auto *box = new QWidget(this);
    m_id = new QLineEdit(box);
    m_id->setMaxLength(limits::matcher_id_bytes_max);
    m_id->setPlaceholderText(tr("Name in the API, such as mail-vendor"));
    m_title = new QLineEdit(box);
    m_title->setMaxLength(limits::matcher_title_bytes_max);
    m_title->setPlaceholderText(tr("Display name"));
    m_expression = new ExpressionEdit(box);
    m_expression->setEnvironment(cel::matcherEnvironment(), cel::Wanted::Boolean);
    m_expression->setPlaceholderText(QStringLiteral("job.name.startsWith(\"mail.\") && job.argument.vendor == \"acme\""));
    m_expressionState = plainLabel({}, box);
    m_expressionState->setWordWrap(true);
    m_enabled = new QCheckBox(tr("Ena&bled"), box);
    m_enabled->setChecked(true);
    m_rank = new QSpinBox(box);
    m_rank->setRange(-limits::matcher_rank_max, limits::matcher_rank_max);
    m_rank->setToolTip(tr("If several set fields or turns, the highest rank wins"));
    m_exempts = new QLineEdit(box);
    m_exempts->setPlaceholderText(tr("IDs of constraints or JobMatchers that don't apply to these jobs"));
    m_mask = new QLineEdit(box);
    m_mask->setObjectName(QStringLiteral("mask"));
    m_mask->setPlaceholderText(tr("Fields to mask, such as argument.card.number"));
    m_note = new QPlainTextEdit(box);
    m_note->setFixedHeight(fontMetrics().lineSpacing() * 2 + fontMetrics().height());
    m_note->setTabChangesFocus(true);
    m_note->setAccessibleName(tr("Note"));
    auto *ids = new QHBoxLayout;
    ids->addWidget(m_id, 2);
    ids->addWidget(plainLabel(tr("Title"), box));
    ids->addWidget(m_title, 3);
    ids->addWidget(m_enabled);
    auto *rows = new QFormLayout(box);
    rows->setContentsMargins({});
    auto *idLabel = new QLabel(tr("&ID"), box);
    idLabel->setBuddy(m_id);
    rows->addRow(idLabel, ids);
    rows->addRow(tr("E&xpression"), m_expression);
    rows->addRow(QString(), m_expressionState);
    rows->addRow(tr("&Note"), m_note);
    m_more = new MoreRows(rows);
    rows->addRow(tr("Masked fields"), m_mask);
    rows->addRow(tr("Exempts"), m_exempts);
    rows->addRow(tr("Rank"), m_rank);
    m_more->fold();
    connect(m_expression, &ExpressionEdit::checked, this, [this] {
        sayExpression();
        changed();
    });
    connect(m_exempts, &QLineEdit::textChanged, this, &MatcherDialog::changed);
    connect(m_mask, &QLineEdit::textChanged, this, &MatcherDialog::changed);
    return box;
}

QWidget *MatcherDialog::buildConstraints()
{
    auto *box = new QGroupBox(tr("Constraints"), this);
    m_list = new Tinted<QListWidget>(box);
    m_list->setAccessibleName(tr("Constraints"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // a long text is cut; its tooltip has the whole text
    m_forms = new QStackedWidget(box);
    auto *nothing = plainLabel(tr("Without constraints, nothing is limited."), m_forms);
    nothing->setAlignment(Qt::AlignCenter);
    m_forms->addWidget(nothing);
    auto *add = new QPushButton(tr("&Add"), box);
    m_kinds = new QMenu(add);
    for (size_t index = 0; index < constraintKinds.size(); ++index) {
        const ConstraintKind kind{quint8(index)};
        m_kinds->addAction(viewOf(kind).name, this, [this, kind] { this->add(kind); })->setToolTip(viewOf(kind).help);
    }
    m_kinds->setToolTipsVisible(true);
    add->setMenu(m_kinds);
    m_remove = new QPushButton(tr("&Remove"), box);
    m_remove->setEnabled(false);
    connect(m_remove, &QPushButton::clicked, this, &MatcherDialog::removeChosen);
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
        m_forms->setCurrentIndex(row + 1);
        m_remove->setEnabled(row >= 0);
    });
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(add);
    buttons->addWidget(m_remove);
    auto *side = new QVBoxLayout;
    side->addWidget(m_list, 1);
    side->addLayout(buttons);
    auto *layout = new QHBoxLayout(box);
    layout->addLayout(side, 2);
    layout->addWidget(m_forms, 5);
    return box;
}

QWidget *MatcherDialog::buildPreview()
{
    auto *box = new QSplitter(Qt::Vertical, this);
    box->setChildrenCollapsible(false);
    auto *top = new QGroupBox(tr("Preview"), box);
    m_preview = new PreviewTree(top);
    connect(m_preview, &PreviewTree::jobRequested, this, &MatcherDialog::jobRequested);
    auto *layout = new QVBoxLayout(top);
    layout->addWidget(m_preview);
    m_test = new TestPanel(box);
    connect(m_test, &TestPanel::changed, &m_pause, qOverload<>(&QTimer::start));
    box->setStretchFactor(0, 3);
    box->setStretchFactor(1, 1);
    return box;
}

QWidget *MatcherDialog::buildEnd()
{
    QWidget *box = makeEnd(tr("&Save"), {}, &m_client);
    go()->setToolTip(tr("Takes effect at once (Ctrl+Enter)"));
    m_observe = buttons()->addButton(tr("Save, &observe only"), QDialogButtonBox::ActionRole);
    m_observe->setToolTip(tr("Counts the jobs that its constraints would hold, and holds none (Ctrl+Shift+Enter)"));
    connect(m_observe, &QPushButton::clicked, this, [this] { save(Mode::Observe); });
    // Enter belongs to the fields, so it must not press a button.
    for (QAbstractButton *button : buttons()->buttons())
        static_cast<QPushButton *>(button)->setAutoDefault(false);
    return box;
}

void MatcherDialog::keyPressEvent(QKeyEvent *event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && event->modifiers() & Qt::ControlModifier)
        save(event->modifiers() & Qt::ShiftModifier ? Mode::Observe : Mode::AsChosen);
    else if (!enter)
        FormDialog::keyPressEvent(event);
}

void MatcherDialog::fill(const JobMatcher &matcher)
{
    m_id->setText(QString::fromUtf8(matcher.id));
    m_id->setEnabled(false);
    m_title->setText(QString::fromUtf8(matcher.title));
    m_expression->setExpression(matcher.expression);
    m_note->setPlainText(QString::fromUtf8(matcher.note));
    m_enabled->setChecked(matcher.enabled);
    m_rank->setValue(matcher.rank);
    m_exempts->setText(QString::fromUtf8(matcher.exempts.join(", ")));
    m_mask->setText(QString::fromUtf8(matcher.mask.join(", ")));
    m_list->clear();
    while (m_forms->count() > 1)
        delete m_forms->widget(1);
    for (const Constraint &constraint : matcher.constraints)
        addForm(constraint.kind(), &constraint);
    if (m_list->count() > 0)
        m_list->setCurrentRow(0);
    m_more->showFilled();
}

void MatcherDialog::showConstraint(const QByteArray &id)
{
    for (int row = 0; row < m_list->count(); ++row) {
        if (form(row)->id() == id)
            m_list->setCurrentRow(row);
    }
}

void MatcherDialog::setExpression(const QByteArray &expression)
{
    m_expression->setExpression(expression);
}

void MatcherDialog::setLike(JobMatcher other)
{
    other.id.clear();
    for (Constraint &constraint : other.constraints)
        constraint.id.clear();
    fill(other);
    m_id->setEnabled(true);
    m_id->setFocus();
}

ConstraintForm *MatcherDialog::form(int row) const
{
    auto *scroll = qobject_cast<QScrollArea *>(m_forms->widget(row + 1));
    return scroll ? qobject_cast<ConstraintForm *>(scroll->widget()) : nullptr;
}

void MatcherDialog::addForm(ConstraintKind kind, const Constraint *constraint)
{
    auto *scroll = new QScrollArea(m_forms);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto *form = new ConstraintForm(kind, scroll);
    if (constraint)
        form->set(*constraint);
    scroll->setWidget(form);
    m_forms->addWidget(scroll);
    m_list->addItem(viewOf(kind).name);
    connect(form, &ConstraintForm::changed, this, &MatcherDialog::changed);
    sayConstraints();
}

void MatcherDialog::add(ConstraintKind kind)
{
    if (m_list->count() >= limits::constraints_max)
        return;
    addForm(kind, nullptr);
    m_list->setCurrentRow(m_list->count() - 1);
    changed();
}

void MatcherDialog::removeChosen()
{
    const int row = m_list->currentRow();
    if (row < 0)
        return;
    delete m_forms->widget(row + 1);
    delete m_list->takeItem(row);
    m_forms->setCurrentIndex(m_list->currentRow() + 1);
    changed();
}

// Makes a line for each constraint: what it allows, or what is wrong with it.
void MatcherDialog::sayConstraints()
{
    for (int row = 0; row < m_list->count(); ++row) {
        const ConstraintForm *each = form(row);
        if (!each)
            continue;
        const Result<Constraint> constraint = each->read("constraints[" + QByteArray::number(row) + ']');
        const QString text = constraint.ok() ? constraintText(*constraint, m_format) : constraintFault(constraint.error());
        m_list->item(row)->setText(viewOf(each->kind()).name + QLatin1Char('\n') + text);
        m_list->item(row)->setToolTip(plainTip(text));
        m_list->item(row)->setIcon(constraint.ok() ? QIcon() : Look::icon(Icon::Warning));
    }
}

Result<JobMatcher> MatcherDialog::read() const
{
    JobMatcher matcher;
    matcher.id = m_id->text().trimmed().toUtf8();
    matcher.title = m_title->text().trimmed().toUtf8();
    if (matcher.title.isEmpty())
        matcher.title = matcher.id;
    matcher.expression = m_expression->expression().trimmed();
    matcher.note = m_note->toPlainText().trimmed().toUtf8();
    matcher.enabled = m_enabled->isChecked();
    matcher.rank = m_rank->value();
    for (const QString &id : m_exempts->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
        matcher.exempts.append(id.trimmed().toUtf8());
    for (const QString &place : m_mask->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
        matcher.mask.append(place.trimmed().toUtf8());
    for (int row = 0; row < m_list->count(); ++row) {
        Result<Constraint> constraint = form(row)->read("constraints[" + QByteArray::number(row) + ']');
        if (!constraint.ok())
            return constraint.error();
        matcher.constraints.append(std::move(constraint).value());
    }
    return matcher;
}

void MatcherDialog::changed()
{
    FormDialog::say({}); // what was wrong may be mended now
    sayConstraints();
    m_pause.start();
}

void MatcherDialog::sayExpression()
{
    QPalette colored = palette();
    QString text;
    switch (m_expression->state()) {
    case ExpressionEdit::State::Empty: text = tr("Ctrl+Space suggests; F8 goes to the next problem."); break;
    case ExpressionEdit::State::Valid:
        text = tr("Valid");
        colored.setColor(QPalette::WindowText, Look::green(palette()));
        break;
    case ExpressionEdit::State::Invalid:
        text = m_expression->problems().isEmpty() ? tr("Invalid") : problemText(m_expression->problems().first());
        colored.setColor(QPalette::WindowText, Look::red(palette()));
        break;
    }
    m_expressionState->setText(text);
    m_expressionState->setPalette(colored);
    go()->setEnabled(m_expression->state() == ExpressionEdit::State::Valid);
    m_observe->setEnabled(go()->isEnabled());
}

void MatcherDialog::askSamples()
{
    client::JobQuery query;
    query.limit = samples;
    m_expression->setSuggestions(suggestionsFrom({}));
    m_client.jobs(query, client::guarded<JobPage>(this, [this](Result<JobPage> answer) {
        if (answer.ok())
            m_expression->setSuggestions(suggestionsFrom(answer->jobs));
    }));
}

void MatcherDialog::askPreview()
{
    m_client.cancel(std::exchange(m_previewCall, 0));
    ++m_previewed;
    if (!m_preview->hasPreview())
        m_preview->setNote(m_expression->state() == ExpressionEdit::State::Empty ? tr("Write an expression to see which jobs it matches.")
                                                                                 : tr("Looking at the jobs…"));
    if (m_expression->state() != ExpressionEdit::State::Valid)
        return; // the last preview stays until the form is valid again
    const Result<JobMatcher> matcher = read();
    client::PreviewQuery query{m_base ? m_base->id : QByteArray(), m_expression->expression().trimmed(), {}, {}, m_test->job()};
    if (matcher.ok()) {
        query.constraints = matcher->constraints;
        query.exempts = matcher->exempts;
    }
    readRateStop(m_client, this, m_base.value_or(JobMatcher()), matcher.ok() ? *matcher : JobMatcher(),
                 [this, query, asked = m_previewed](qint64 stop_ms) {
        if (asked == m_previewed)
            sendPreview(query, stop_ms);
    });
}

void MatcherDialog::sendPreview(const client::PreviewQuery &query, qint64 rateStop_ms)
{
    using Preview = client::Checked<client::MatcherPreview>;
    const auto came = [this, constraints = query.constraints, rateStop_ms](Result<Preview> answer) {
        if (!answer.ok() && answer.error().code == ErrorCode::Cancelled)
            return;
        m_previewCall = 0;
        sayTest(answer);
        if (!answer.ok() && !answer.error().field.startsWith("test"))
            m_preview->setNote(tr("No preview: %1").arg(reasonText(answer.error().reason)));
        else if (answer.ok() && answer->value)
            m_preview->setPreview(*answer->value, constraints, m_format, rateStop_ms);
        else if (answer.ok())
            showProblems(answer->problems);
    };
    m_previewCall = m_client.previewMatcher(query, client::guarded<Preview>(this, came));
}

void MatcherDialog::sayTest(const Result<client::Checked<client::MatcherPreview>> &answer)
{
    if (!answer.ok() && answer.error().field.startsWith("test"))
        m_test->setNote(reasonText(answer.error().reason));
    else if (answer.ok() && answer->value && answer->value->test)
        m_test->setResult(*answer->value->test);
}

} // namespace junban::ui
