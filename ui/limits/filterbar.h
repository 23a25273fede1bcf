#pragma once

#include "ui/limits/expressionedit.h"
#include "ui/limits/searchline.h"

#include <QTimer>
#include <QWidget>

QT_BEGIN_NAMESPACE
class QActionGroup;
class QLabel;
class QMenu;
class QToolButton;
QT_END_NAMESPACE

namespace junban::ui {

class Preferences;

// One line for a filter of a list: plain text, a pattern, or an expression of the matcher language with colours and suggestions. A button
// says how the line is meant, and the operator may choose otherwise; a mark says whether it is right. Enter applies it. The filters that
// were applied last are in a menu, which SavedFilters shows.
class FilterBar : public QWidget
{
    Q_OBJECT

public:
    FilterBar(Preferences &preferences, Searched searched, QWidget *parent = nullptr);

    // The expression that is in force; empty: none.
    const QByteArray &match() const { return m_match; }
    // The text that it was applied for, when that is no expression.
    QString word() const;
    // How the line is meant: as the operator chose, or as it looks.
    Meant meant() const;
    // Chooses how the line is meant; Nothing: as it looks. A line that is in force is applied again.
    void choose(Meant meant);
    // Puts a filter into the line and applies it.
    void setFilter(const QString &text);
    // Adds a condition to the filter that is in force.
    void narrow(const QByteArray &condition);
    // Puts a button at the end of the line.
    void append(QWidget *button);
    // Puts the cursor into the line, for Ctrl+F.
    void enter();
    void setSuggestions(const QList<Suggestion> &suggestions) { m_edit->setSuggestions(suggestions); }
    // Shows what the master found wrong.
    void showProblems(const QList<cel::Problem> &problems) { m_edit->showProblems(problems); }

    ExpressionEdit *edit() const { return m_edit; }
    QLabel *mark() const { return m_mark; }
    QToolButton *meaning() const { return m_meaning; }
    QMenu *history() const { return m_history; }

    static constexpr int history_max = 20;

Q_SIGNALS:
    void applied();
    void entered(); // by Enter; the list may take the focus

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void buildMeaning();
    QByteArray matchOf(const QString &text) const;
    static QString wordOf(Meant meant);
    QString meaningTip() const;
    void apply();
    void say();
    void remember(const QString &text);
    void fillHistory();
    QStringList remembered() const;

    Preferences &m_preferences;
    const Searched m_searched;
    const QString m_historyKey;
    ExpressionEdit *m_edit;
    QToolButton *m_meaning;
    QActionGroup *m_meanings;
    QLabel *m_mark;
    QMenu *m_history;
    Meant m_choice = Meant::Nothing; // Nothing: as the line looks
    QByteArray m_match;
    QString m_hint;
};

} // namespace junban::ui
