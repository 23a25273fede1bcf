#include "ui/limits/filterbar.h"

#include "core/limits.h"
#include "core/limits/jobvariables.h"
#include "ui/base/look.h"
#include "ui/base/preferences.h"
#include "ui/base/text.h"
#include "ui/limits/constrainttexts.h"
#include "ui/widgets/labels.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QToolTip>

namespace junban::ui {

namespace {

constexpr Meant meanings[] = {Meant::Nothing, Meant::Text, Meant::Pattern, Meant::Expression};

} // namespace

FilterBar::FilterBar(Preferences &preferences, Searched searched, QWidget *parent)
    : QWidget(parent)
    , m_preferences(preferences)
    , m_searched(searched)
    , m_historyKey(searched == Searched::Jobs ? QStringLiteral("jobs/filters") : QStringLiteral("failures/filters"))
    , m_edit(new ExpressionEdit(this))
    , m_meaning(new QToolButton(this))
    , m_meanings(new QActionGroup(this))
    , m_mark(plainLabel({}, this))
    , m_history(new QMenu(tr("Applied &before"), this))
{
    m_edit->setEnvironment(searched == Searched::Jobs ? cel::searchEnvironment() : cel::groupEnvironment(), cel::Wanted::Boolean);
    m_edit->setPlain([this](const QString &text) {
        return meant() == Meant::Expression ? QByteArray() : searchExpression(text, meant(), m_searched);
    });
    m_hint = searched == Searched::Jobs ? tr("Search: timeout, mail.*, job.priority > 3")
                                        : tr("Search: timeout, mail.*, job.reason == \"timeout\"");
    buildMeaning();
    m_edit->setPlaceholderText(m_hint);
    m_edit->setAccessibleName(tr("Filter"));
    m_edit->setOneLine();
    m_edit->setMinimumWidth(characterWidth(fontMetrics()) * 20);
    connect(m_edit, &ExpressionEdit::entered, this, [this] {
        apply();
        if (m_edit->state() != ExpressionEdit::State::Invalid)
            Q_EMIT entered();
    });
    connect(m_history, &QMenu::aboutToShow, this, &FilterBar::fillHistory);
    connect(m_edit, &ExpressionEdit::checked, this, &FilterBar::say);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_meaning);
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_mark);
    say();
}

void FilterBar::buildMeaning()
{
    auto *menu = new QMenu(m_meaning);
    const QString texts[] = {tr("Automatic"), tr("Text: every word, anywhere in the job"),
        tr("Pattern: * and ? stand for characters of the name"), tr("Expression of the matcher language")};
    for (const Meant meaning : meanings) {
        QAction *action = menu->addAction(texts[int(meaning)]);
        action->setCheckable(true);
        action->setData(int(meaning));
        m_meanings->addAction(action);
    }
    connect(m_meanings, &QActionGroup::triggered, this, [this](const QAction *action) { choose(Meant(action->data().toInt())); });
    m_meaning->setMenu(menu);
    m_meaning->setPopupMode(QToolButton::InstantPopup);
    m_meaning->setAutoRaise(true);
    m_meaning->setAccessibleName(tr("How to search"));
    // As wide as its widest word, so that the line stays where it is.
    int widest = 0;
    for (const Meant meaning : meanings) {
        m_meaning->setText(wordOf(meaning));
        widest = std::max(widest, m_meaning->sizeHint().width());
    }
    m_meaning->setFixedWidth(widest);
}

QString FilterBar::wordOf(Meant meant)
{
    switch (meant) {
    case Meant::Text: return tr("Text", "a search");
    case Meant::Pattern: return tr("Pattern", "a search");
    case Meant::Expression: return tr("Expression", "a search");
    case Meant::Nothing: return tr("Search", "a search");
    }
    return {};
}

QString FilterBar::meaningTip() const
{
    switch (meant()) {
    case Meant::Text:
        return m_searched == Searched::Jobs
            ? tr("Every word is looked for in the name, message, tags, ID and argument.\n"
                 "\"Two words\" in quotes are looked for as they are.")
            : tr("Every word is looked for in the name, the message and the workers.\n"
                 "\"Two words\" in quotes are looked for as they are.");
    case Meant::Pattern:
        return tr("The name matches the words with * (any characters) or ? (one character).\nOther words are looked for as text.");
    case Meant::Expression: return tr("The expression must be true for the job.");
    case Meant::Nothing: break;
    }
    return tr("Words are looked for anywhere, mail.* is a pattern of names, job.priority > 3 is an expression.");
}

Meant FilterBar::meant() const
{
    const QString text = m_edit->toPlainText().trimmed();
    return text.isEmpty() ? Meant::Nothing : m_choice != Meant::Nothing ? m_choice : meantBy(text, m_searched);
}

void FilterBar::choose(Meant meant)
{
    const bool inForce = !m_match.isEmpty() && matchOf(m_edit->toPlainText()) == m_match;
    m_choice = meant;
    m_edit->check();
    if (inForce && m_edit->state() == ExpressionEdit::State::Valid)
        apply();
}

void FilterBar::say()
{
    if (m_edit->state() == ExpressionEdit::State::Empty)
        m_choice = Meant::Nothing; // the next line is another one
    m_meaning->setText(wordOf(meant()));
    m_meaning->setToolTip(plainTip(meaningTip()));
    for (QAction *action : m_meanings->actions()) {
        action->setChecked(Meant(action->data().toInt()) == m_choice);
        action->setEnabled(Meant(action->data().toInt()) != Meant::Pattern || hasJoker(m_edit->toPlainText()));
    }
    const int side = fontMetrics().height();
    using State = ExpressionEdit::State;
    m_mark->setVisible(m_edit->state() != State::Empty);
    const bool valid = m_edit->state() == State::Valid;
    if (valid && matchOf(m_edit->toPlainText()) != m_match)
        m_mark->setText(tr("Enter ↵", "the key that applies a filter"));
    else
        m_mark->setPixmap(Look::icon(valid ? JobState::Succeeded : JobState::Failed).pixmap(QSize(side, side), devicePixelRatioF()));
    QString tip = matchOf(m_edit->toPlainText()) == m_match ? tr("Applied") : tr("Not applied yet: Enter applies it");
    if (!valid && !m_edit->problems().isEmpty())
        tip = problemText(m_edit->problems().first());
    m_mark->setToolTip(plainTip(tip));
    m_mark->setAccessibleName(tip);
    m_edit->setToolTip(valid || m_edit->problems().isEmpty() ? QString() : plainTip(tip));
    if (m_edit->state() == State::Empty && !m_match.isEmpty())
        apply(); // an empty line filters nothing
}

// The hint is cut where there is no room, rather than that it goes on in a line that is not seen.
void FilterBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const int room = m_edit->contentsRect().width() - int(3 * m_edit->document()->documentMargin());
    m_edit->setPlaceholderText(m_edit->fontMetrics().elidedText(m_hint, Qt::ElideRight, room));
}

void FilterBar::setFilter(const QString &text)
{
    m_choice = Meant::Nothing;
    m_edit->setPlainText(text);
    apply();
}

void FilterBar::apply()
{
    const QString text = m_edit->toPlainText().trimmed();
    if (m_edit->state() == ExpressionEdit::State::Invalid) {
        m_edit->goToNextProblem();
        QToolTip::showText(m_mark->mapToGlobal(m_mark->rect().bottomLeft()), m_mark->toolTip(), m_mark);
        return;
    }
    const QByteArray match = matchOf(text);
    if (match == m_match)
        return;
    m_match = match;
    // A line that looks otherwise than it is meant is remembered as its expression.
    if (!text.isEmpty())
        remember(meantBy(text, m_searched) == meant() ? text : QString::fromUtf8(match));
    say();
    Q_EMIT applied();
}

QByteArray FilterBar::matchOf(const QString &text) const
{
    return searchExpression(text, meant(), m_searched);
}

void FilterBar::narrow(const QByteArray &condition)
{
    setFilter(QString::fromUtf8(m_match.isEmpty() ? condition : '(' + m_match + ") && " + condition));
}

QString FilterBar::word() const
{
    return !m_match.isEmpty() && meant() != Meant::Expression && matchOf(m_edit->toPlainText()) == m_match
        ? m_edit->toPlainText().trimmed() : QString();
}

void FilterBar::append(QWidget *button)
{
    layout()->addWidget(button);
}

void FilterBar::enter()
{
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

QStringList FilterBar::remembered() const
{
    return QString::fromUtf8(m_preferences.layout(m_historyKey)).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

void FilterBar::remember(const QString &text)
{
    QStringList all = remembered();
    all.removeAll(text);
    all.prepend(text);
    m_preferences.setLayout(m_historyKey, all.mid(0, history_max).join(QLatin1Char('\n')).toUtf8());
}

void FilterBar::fillHistory()
{
    m_history->clear();
    const QStringList all = remembered();
    for (const QString &text : all) {
        connect(m_history->addAction(withoutKeys(clipped(text, 80))), &QAction::triggered, this,
                [this, text] { setFilter(text); });
    }
    if (all.isEmpty())
        m_history->addAction(tr("None yet"))->setEnabled(false);
}

} // namespace junban::ui
