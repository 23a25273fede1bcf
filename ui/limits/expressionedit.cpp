#include "ui/limits/expressionedit.h"

#include "core/cel/compile.h"
#include "core/limits.h"
#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/limits/expressioncolors.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QEvent>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QMimeData>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTextBlock>

namespace junban::ui {

namespace {

constexpr int linesAtFirst = 3;
enum { WordRole = Qt::UserRole };

// The position in the document of a byte of the UTF-8 text.
int positionOf(const QByteArray &utf8, int offset)
{
    return int(QString::fromUtf8(utf8.first(std::clamp<qsizetype>(offset, 0, utf8.size()))).size());
}

// The position in the UTF-8 text of a line and a column, which is in characters.
int offsetOf(const QByteArray &utf8, int line, int column)
{
    qsizetype start = 0;
    for (int i = 1; i < line; ++i) {
        const qsizetype end = utf8.indexOf('\n', start);
        if (end < 0)
            return int(utf8.size());
        start = end + 1;
    }
    const QList<uint> rest = QString::fromUtf8(utf8.sliced(start)).toUcs4();
    const qsizetype characters = std::min<qsizetype>(std::max(0, column - 1), rest.size());
    const auto before = QString::fromUcs4(reinterpret_cast<const char32_t *>(rest.constData()), characters);
    return int(start + before.toUtf8().size());
}

bool isWordCharacter(QChar c)
{
    return c.isLetterOrNumber() || c == QLatin1Char('_') || c == QLatin1Char('.');
}

} // namespace

ExpressionEdit::ExpressionEdit(QWidget *parent)
    : QPlainTextEdit(parent)
    , m_colors(new ExpressionColors(document()))
    , m_completer(new QCompleter(this))
    , m_suggestions(new QStandardItemModel(this))
{
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setTabChangesFocus(true);
    setAccessibleName(tr("Expression"));
    m_completer->setModel(m_suggestions);
    m_completer->setWidget(this);
    m_completer->setCompletionRole(WordRole);
    m_completer->setCaseSensitivity(Qt::CaseSensitive);
    m_completer->setFilterMode(Qt::MatchStartsWith);
    connect(m_completer, qOverload<const QModelIndex &>(&QCompleter::activated), this, [this](const QModelIndex &index) {
        complete(index.data(WordRole).toString());
    });
    connect(this, &QPlainTextEdit::textChanged, this, &ExpressionEdit::check);
}

void ExpressionEdit::setEnvironment(const cel::Environment &environment, cel::Wanted wanted)
{
    m_environment = environment;
    m_wanted = wanted;
    check();
}

void ExpressionEdit::setOneLine()
{
    m_oneLine = true;
    setLineWrapMode(NoWrap);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    const int margins = int(2 * document()->documentMargin()) + 2 * frameWidth() + 2;
    setFixedHeight(fontMetrics().lineSpacing() + margins);
}

void ExpressionEdit::setSuggestions(const QList<Suggestion> &suggestions)
{
    m_all = suggestions;
    fillSuggestions({});
}

void ExpressionEdit::fillSuggestions(const QString &of)
{
    m_filledOf = of;
    m_suggestions->clear();
    for (const Suggestion &suggestion : std::as_const(m_all)) {
        if (suggestion.of != of)
            continue;
        auto *item = new QStandardItem(suggestion.note.isEmpty() ? suggestion.text
                                                                 : suggestion.text + QStringLiteral("   ") + suggestion.note);
        item->setData(suggestion.text, WordRole);
        m_suggestions->appendRow(item);
    }
}

QByteArray ExpressionEdit::expression() const
{
    return toPlainText().toUtf8();
}

void ExpressionEdit::setExpression(const QByteArray &expression)
{
    setPlainText(QString::fromUtf8(expression));
}

void ExpressionEdit::check()
{
    const QByteArray text = expression();
    const QByteArray plain = m_plain ? m_plain(toPlainText()) : QByteArray();
    m_colors->setOn(plain.isEmpty());
    if (text.trimmed().isEmpty()) {
        m_state = State::Empty;
        m_problems.clear();
    } else {
        const cel::Compiled compiled = cel::compile(plain.isEmpty() ? text : plain, m_environment, cel::Mode::Checked, m_wanted);
        m_problems = compiled.problems;
        // The place is one of another text.
        if (!plain.isEmpty() && !m_problems.isEmpty())
            m_problems = {cel::problemAt(text, 0, text.size(), m_problems.first().reason)};
        m_state = compiled.program ? State::Valid : State::Invalid;
    }
    mark();
    Q_EMIT checked();
}

void ExpressionEdit::showProblems(const QList<cel::Problem> &problems)
{
    m_problems = problems;
    const QByteArray text = expression();
    for (cel::Problem &problem : m_problems)
        problem.offset = offsetOf(text, problem.line, problem.column);
    m_state = problems.isEmpty() ? m_state : State::Invalid;
    mark();
    Q_EMIT checked();
}

void ExpressionEdit::mark()
{
    const QByteArray text = expression();
    QList<QTextEdit::ExtraSelection> selections;
    for (const cel::Problem &problem : std::as_const(m_problems)) {
        QTextEdit::ExtraSelection selection;
        selection.cursor = QTextCursor(document());
        const int from = positionOf(text, problem.offset);
        const int to = std::max(from + 1, positionOf(text, problem.offset + problem.length));
        // At the end of the text, the character before it is underlined.
        const int last = int(toPlainText().size());
        selection.cursor.setPosition(std::clamp(from, 0, std::max(0, last - 1)));
        selection.cursor.setPosition(std::min(to, last), QTextCursor::KeepAnchor);
        selection.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        selection.format.setUnderlineColor(Look::red(palette()));
        selection.format.setToolTip(plainTip(reasonText(problem.reason)));
        selections.append(selection);
    }
    setExtraSelections(selections);
}

void ExpressionEdit::goToNextProblem()
{
    if (m_problems.isEmpty())
        return;
    const QByteArray text = expression();
    int target = positionOf(text, m_problems.first().offset);
    for (const cel::Problem &problem : std::as_const(m_problems)) {
        const int position = positionOf(text, problem.offset);
        if (position > textCursor().position()) {
            target = position;
            break;
        }
    }
    QTextCursor cursor = textCursor();
    cursor.setPosition(std::min(target, int(toPlainText().size())));
    setTextCursor(cursor);
    setFocus();
}

ExpressionEdit::Typed ExpressionEdit::typed() const
{
    const QTextCursor cursor = textCursor();
    const QString line = cursor.block().text().first(cursor.positionInBlock());
    static const QRegularExpression compared(QStringLiteral("([A-Za-z_][\\w.]*)\\s*[=!]=\\s*(\"[^\"]*|-?[\\w.]*)$"));
    const QRegularExpressionMatch match = compared.match(line);
    const auto isOf = [&](const Suggestion &each) { return each.of == match.captured(1); };
    if (match.hasMatch() && std::any_of(m_all.cbegin(), m_all.cend(), isOf))
        return {match.captured(2), match.captured(1)};
    qsizetype start = line.size();
    while (start > 0 && isWordCharacter(line[start - 1]))
        --start;
    return {line.sliced(start), {}};
}

void ExpressionEdit::suggest(Asked asked)
{
    const Typed now = typed();
    if (now.text.isEmpty() && now.of.isEmpty() && asked == Asked::No) {
        m_completer->popup()->hide();
        return;
    }
    if (now.of != m_filledOf)
        fillSuggestions(now.of);
    // "tenant" finds job.argument.tenant.
    const bool whole = now.text.size() < 2 || now.text.startsWith(QLatin1String("job"));
    m_completer->setFilterMode(now.of.isEmpty() && !whole ? Qt::MatchContains : Qt::MatchStartsWith);
    m_completer->setCompletionPrefix(now.text);
    // The only suggestion is the word that is written already.
    if (m_completer->completionCount() == 0
        || (m_completer->completionCount() == 1 && m_completer->currentCompletion() == now.text)) {
        m_completer->popup()->hide();
        return;
    }
    m_completer->popup()->setCurrentIndex({}); // Enter takes none before one is chosen
    QRect where = cursorRect();
    where.setWidth(m_completer->popup()->sizeHintForColumn(0) + m_completer->popup()->verticalScrollBar()->sizeHint().width()
                   + characterWidth(fontMetrics()));
    m_completer->complete(where);
}

void ExpressionEdit::complete(const QString &text)
{
    QTextCursor cursor = textCursor();
    cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, int(typed().text.size()));
    cursor.insertText(text);
    setTextCursor(cursor);
}

void ExpressionEdit::keyPressEvent(QKeyEvent *event)
{
    const bool open = m_completer->popup()->isVisible();
    const int key = event->key();
    const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (enter && m_oneLine && !(open && m_completer->popup()->currentIndex().isValid())) {
        m_completer->popup()->hide();
        Q_EMIT entered();
        return;
    }
    if (open && (enter || key == Qt::Key_Tab || key == Qt::Key_Escape)) {
        event->ignore(); // left to the popup
        return;
    }
    if (key == Qt::Key_F8) {
        goToNextProblem();
        return;
    }
    const bool asked = key == Qt::Key_Space && event->modifiers() == Qt::ControlModifier;
    if (!asked)
        QPlainTextEdit::keyPressEvent(event);
    // Text from an input method comes by another event. No popup opens then, because the input method has its own.
    if (asked || (!event->text().isEmpty() && event->text().front().isPrint()) || open)
        suggest(asked ? Asked::Yes : Asked::No);
}

void ExpressionEdit::insertFromMimeData(const QMimeData *source)
{
    if (m_oneLine && source->hasText())
        textCursor().insertText(source->text().simplified());
    else
        QPlainTextEdit::insertFromMimeData(source);
}

void ExpressionEdit::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        m_colors->rehighlight();
        mark();
    }
}

QSize ExpressionEdit::sizeHint() const
{
    return {characterWidth(fontMetrics()) * 60, fontMetrics().lineSpacing() * linesAtFirst + int(2 * document()->documentMargin())};
}

} // namespace junban::ui
