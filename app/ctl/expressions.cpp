#include "app/ctl/expressions.h"

#include "app/ctl/terminal.h"

#include <algorithm>

namespace junban::app {

namespace {

constexpr int column_max = 200;      // of a mark

QByteArray lineOf(const QByteArray &text, int line)
{
    return text.split('\n').value(line - 1);
}

// The line, and below it a mark from the column on.
QByteArray placeText(const QByteArray &line, const cel::Problem &problem)
{
    const QString characters = QString::fromUtf8(line);
    if (characters.isEmpty() || problem.column > column_max)
        return {};
    const qsizetype before = columnsOf(forTerminal(characters.left(problem.column - 1).toUtf8()));
    const qsizetype marked = columnsOf(forTerminal(characters.mid(problem.column - 1, std::max(1, problem.length)).toUtf8()));
    return "\n    " + forTerminal(line) + "\n    " + QByteArray(before, ' ') + QByteArray(std::max<qsizetype>(1, marked), '^');
}

} // namespace

QByteArray problemsText(const QList<ExpressionProblem> &problems, const QList<std::pair<QByteArray, QByteArray>> &texts)
{
    QByteArray text;
    for (const ExpressionProblem &problem : problems) {
        const auto of = std::find_if(texts.begin(), texts.end(), [&](const auto &one) { return one.first == problem.field; });
        text += (text.isEmpty() ? "" : "\n") + forTerminal(problem.field) + ", line " + number(problem.problem.line) + ", column "
            + number(problem.problem.column) + ": " + forTerminal(problem.problem.message())
            + (of == texts.end() ? QByteArray() : placeText(lineOf(of->second, problem.problem.line), problem.problem));
    }
    return text;
}

answers::ExpressionRefusal refusalOf(const QList<ExpressionProblem> &problems)
{
    Problem problem;
    problem.code = "invalid_expression";
    problem.reason = problems.first().problem.reason;
    problem.field = problems.first().field;
    return {problem, problems};
}

} // namespace junban::app
