#pragma once

#include "ui/limits/expressionedit.h"

#include <QTimer>
#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QMenu;
class QToolButton;
QT_END_NAMESPACE

namespace junban::ui {

class Preferences;

// What a filter is for: jobs (or what belongs to single jobs, as their results), or groups of failures.
enum class Searched { Jobs, Failures };

// A text as it is written in an expression.
QByteArray quotedText(QByteArray text);

// What a search for plain text means, as an expression: a word is looked for in the name, the message, the tags, the id, and the argument
// or its fields' texts and numbers (of failures: the name, the message and the workers); with * or ? it is a pattern of the name. Empty
// when the text is an expression itself, or wants to be one.
QByteArray plainSearch(const QString &text, Searched searched = Searched::Jobs);

// One line for a filter of a list: plain text, or an expression of the matcher language with colours, suggestions, and a mark that says
// whether it is right. Enter applies it. The filters that were applied last are in a menu.
class FilterBar : public QWidget
{
    Q_OBJECT

public:
    FilterBar(Preferences &preferences, Searched searched, QWidget *parent = nullptr);

    // The expression that is in force; empty: none.
    const QByteArray &match() const { return m_match; }
    // The text that it was applied for, when that is no expression.
    QString word() const;
    // Puts a filter into the line and applies it.
    void setFilter(const QString &text);
    // Adds a condition to the filter that is in force.
    void narrow(const QByteArray &condition);
    // Puts the cursor into the line, for Ctrl+F.
    void enter();
    void setSuggestions(const QList<Suggestion> &suggestions) { m_edit->setSuggestions(suggestions); }
    // Shows what the master found wrong.
    void showProblems(const QList<cel::Problem> &problems) { m_edit->showProblems(problems); }

    ExpressionEdit *edit() const { return m_edit; }
    QLabel *mark() const { return m_mark; }
    QMenu *history() const { return m_history; }

    static constexpr int history_max = 20;

Q_SIGNALS:
    void applied();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QByteArray matchOf(const QString &text) const;
    void apply();
    void say();
    void remember(const QString &text);
    void fillHistory();
    QStringList remembered() const;

    Preferences &m_preferences;
    const Searched m_searched;
    const QString m_historyKey;
    ExpressionEdit *m_edit;
    QLabel *m_mark;
    QMenu *m_history;
    QByteArray m_match;
    QString m_hint;
};

} // namespace junban::ui
