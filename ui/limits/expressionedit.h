#pragma once

#include "core/cel/environment.h"
#include "core/cel/problem.h"

#include <QPlainTextEdit>
#include <QTimer>
#include <functional>

QT_BEGIN_NAMESPACE
class QCompleter;
class QStandardItemModel;
QT_END_NAMESPACE

namespace junban::ui {

class ExpressionColors;

// A suggestion of what to write: a variable, a function, a path into the arguments of real jobs.
struct Suggestion {
    QString text;
    QString note;    // "string, in 61 % of the jobs"
};

// An editor for expressions of the matcher language. The parser is the one that the master uses. Words are coloured, problems are
// underlined, and suggestions open below the cursor. F8 goes to the next problem.
class ExpressionEdit : public QPlainTextEdit
{
    Q_OBJECT

public:
    enum class State { Empty, Valid, Invalid };

    explicit ExpressionEdit(QWidget *parent = nullptr);

    void setEnvironment(const cel::Environment &environment, cel::Wanted wanted);
    // Texts for which `plain` is true are no expressions and are not checked.
    void setPlain(std::function<bool(const QString &)> plain) { m_plain = std::move(plain); }
    // Whether the list of suggestions is open.
    bool isSuggesting() const;
    void setSuggestions(const QList<Suggestion> &suggestions);
    QByteArray expression() const;
    void setExpression(const QByteArray &expression);

    State state() const { return m_state; }
    const QList<cel::Problem> &problems() const { return m_problems; }
    // Shows problems that the master found. They disappear at the next change of the text.
    void showProblems(const QList<cel::Problem> &problems);
    void goToNextProblem();
    QCompleter *completer() const { return m_completer; }
    // The word that is being typed, with the dots before it: "job.argu".
    QString wordAtCursor() const;

    QSize sizeHint() const override;

Q_SIGNALS:
    void checked(); // the text was checked again

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void check();
    void mark();
    void suggest();
    void complete(const QString &text);

    cel::Environment m_environment;
    cel::Wanted m_wanted = cel::Wanted::Boolean;
    std::function<bool(const QString &)> m_plain;
    ExpressionColors *m_colors;
    QCompleter *m_completer;
    QStandardItemModel *m_suggestions;
    QList<cel::Problem> m_problems;
    State m_state = State::Empty;
};

} // namespace junban::ui
