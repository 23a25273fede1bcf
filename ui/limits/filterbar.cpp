#include "ui/limits/filterbar.h"

#include "core/limits.h"
#include "core/limits/jobvariables.h"
#include "ui/base/look.h"
#include "ui/base/preferences.h"
#include "ui/base/text.h"
#include "ui/limits/constrainttexts.h"
#include "ui/widgets/labels.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QRegularExpression>
#include <QToolButton>
#include <QToolTip>

namespace junban::ui {

namespace {

QString quoted(const QString &text)
{
    return QString::fromUtf8(quotedText(text.toUtf8()));
}

} // namespace

QByteArray quotedText(QByteArray text)
{
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t");
    return '"' + text + '"';
}

QByteArray plainSearch(const QString &text, Searched searched)
{
    const QString word = text.trimmed();
    // What has one of these wants to be an expression.
    static const QRegularExpression signs(QStringLiteral("[=<>!&|()\\[\\]{}\"'+,]"));
    if (word.isEmpty() || word.contains(signs) || word.startsWith(QLatin1String("job.")))
        return {};
    const auto joker = [](QChar c) { return c == QLatin1Char('*') || c == QLatin1Char('?'); };
    const auto first = std::find_if(word.begin(), word.end(), joker);
    if (first == word.end()) {
        const QString q = quoted(word);
        if (searched == Searched::Failures)
            return QStringLiteral("job.name.contains(%1) || has(job.message) && job.message.contains(%1)"
                                  " || has(job.worker) && job.worker.contains(%1)").arg(q).toUtf8();
        return QStringLiteral("job.name.contains(%1) || has(job.message) && job.message.contains(%1) || %1 in job.tags"
                              " || job.id.startsWith(%1) || type(job.argument) == string && job.argument.contains(%1)"
                              " || job.argument.exists(key, string(job.argument[key]).contains(%1))").arg(q).toUtf8();
    }
    if (first == word.end() - 1 && *first == QLatin1Char('*'))
        return QStringLiteral("job.name.startsWith(%1)").arg(quoted(word.chopped(1))).toUtf8();
    QString pattern = QRegularExpression::escape(word);
    pattern.replace(QLatin1String("\\*"), QLatin1String(".*")).replace(QLatin1String("\\?"), QLatin1String("."));
    return QStringLiteral("job.name.matches(%1)").arg(quoted(QLatin1Char('^') + pattern + QLatin1Char('$'))).toUtf8();
}

FilterBar::FilterBar(Preferences &preferences, Searched searched, QWidget *parent)
    : QWidget(parent)
    , m_preferences(preferences)
    , m_searched(searched)
    , m_historyKey(searched == Searched::Jobs ? QStringLiteral("jobs/filters") : QStringLiteral("failures/filters"))
    , m_edit(new ExpressionEdit(this))
    , m_mark(plainLabel({}, this))
    , m_history(new QMenu(this))
{
    m_edit->setEnvironment(searched == Searched::Jobs ? cel::searchEnvironment() : cel::groupEnvironment(), cel::Wanted::Boolean);
    m_edit->setPlain([searched](const QString &text) { return !plainSearch(text, searched).isEmpty(); });
    m_hint = searched == Searched::Jobs ? tr("Search: timeout, mail.*, job.priority > 3")
                                        : tr("Search: timeout, mail.*, job.reason == \"timeout\"");
    m_edit->setPlaceholderText(m_hint);
    m_edit->setAccessibleName(tr("Filter"));
    m_edit->setOneLine();
    m_edit->setMinimumWidth(characterWidth(fontMetrics()) * 20);
    connect(m_edit, &ExpressionEdit::entered, this, &FilterBar::apply);
    auto *button = new QToolButton(this);
    button->setIcon(Look::icon(Icon::Clock));
    button->setAccessibleName(tr("Filters applied before"));
    button->setToolTip(tr("Filters applied before"));
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMenu(m_history);
    connect(m_history, &QMenu::aboutToShow, this, &FilterBar::fillHistory);
    connect(m_edit, &ExpressionEdit::checked, this, &FilterBar::say);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_mark);
    layout->addWidget(button);
    say();
}

void FilterBar::say()
{
    const int side = fontMetrics().height();
    using State = ExpressionEdit::State;
    m_mark->setVisible(m_edit->state() != State::Empty);
    const bool valid = m_edit->state() == State::Valid;
    if (valid && matchOf(m_edit->toPlainText()) != m_match)
        m_mark->setText(tr("Enter ↵", "the key that applies a filter"));
    else
        m_mark->setPixmap(Look::icon(valid ? JobState::Succeeded : JobState::Failed).pixmap(QSize(side, side), devicePixelRatioF()));
    QString tip = matchOf(m_edit->toPlainText()) == m_match ? tr("It is applied") : tr("Not applied yet: Enter applies it");
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
    if (!text.isEmpty())
        remember(text);
    say();
    Q_EMIT applied();
}

QByteArray FilterBar::matchOf(const QString &text) const
{
    const QByteArray plain = plainSearch(text.trimmed(), m_searched);
    return plain.isEmpty() ? text.trimmed().toUtf8() : plain;
}

void FilterBar::narrow(const QByteArray &condition)
{
    setFilter(QString::fromUtf8(m_match.isEmpty() ? condition : '(' + m_match + ") && " + condition));
}

QString FilterBar::word() const
{
    const QString text = m_edit->toPlainText().trimmed();
    return !m_match.isEmpty() && plainSearch(text, m_searched) == m_match ? text : QString();
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
