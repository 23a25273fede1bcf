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
    QString note = {}; // "string, in 61 % of the jobs"
    QString of = {};   // the field whose value this is; empty: no value
};

// An editor for expressions of the matcher language. The parser is the one that the master uses. Words are coloured, problems are
// underlined, and suggestions open below the cursor: fields and functions, and behind "field ==" the values of that field. F8 goes to the
// next problem.
class ExpressionEdit : public QPlainTextEdit
{
    Q_OBJECT

public:
    enum class State { Empty, Valid, Invalid };

    explicit ExpressionEdit(QWidget *parent = nullptr);

    void setEnvironment(const cel::Environment &environment, cel::Wanted wanted);
    // `plain` returns the expression that a text stands for when it is none itself; empty when it is one.
    void setPlain(std::function<QByteArray(const QString &)> plain) { m_plain = std::move(plain); }
    void check(); // again, when `plain` answers otherwise
    // Makes it one line high. Enter is entered() then.
    void setOneLine();
    void setSuggestions(const QList<Suggestion> &suggestions);
    QByteArray expression() const;
    void setExpression(const QByteArray &expression);

    State state() const { return m_state; }
    const QList<cel::Problem> &problems() const { return m_problems; }
    // Shows problems that the master found. They disappear at the next change of the text.
    void showProblems(const QList<cel::Problem> &problems);
    void goToNextProblem();
    QCompleter *completer() const { return m_completer; }
    // What is being typed: a word with the dots before it ("job.argu"), or a value and the field that it is compared with.
    struct Typed {
        QString text;
        QString of;
    };
    Typed typed() const;

    QSize sizeHint() const override;

Q_SIGNALS:
    void checked(); // the text was checked again
    void entered(); // Enter in an editor of one line

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void insertFromMimeData(const QMimeData *source) override;
    void changeEvent(QEvent *event) override;

private:
    void mark();
    enum class Asked { No, Yes }; // Yes: by Ctrl+Space, which needs no word
    void suggest(Asked asked);
    void fillSuggestions(const QString &of);
    void complete(const QString &text);

    cel::Environment m_environment;
    cel::Wanted m_wanted = cel::Wanted::Boolean;
    std::function<QByteArray(const QString &)> m_plain;
    ExpressionColors *m_colors;
    QCompleter *m_completer;
    QStandardItemModel *m_suggestions;
    QList<Suggestion> m_all;
    QString m_filledOf;         // the field whose values are in the list; empty: fields and functions are
    bool m_oneLine = false;
    QList<cel::Problem> m_problems;
    State m_state = State::Empty;
};

} // namespace junban::ui
