#pragma once

#include "app/ctl/session.h"
#include "client/matchercalls.h"

#include <utility>

// Expressions that do not compile, as a user sees them.
namespace junban::app {

// What is wrong, with the line and a mark below the place, safe on a terminal; `texts` are the expressions by the field that a problem
// names.
QByteArray problemsText(const QList<ExpressionProblem> &problems, const QList<std::pair<QByteArray, QByteArray>> &texts);

// As the API says it.
answers::ExpressionRefusal refusalOf(const QList<ExpressionProblem> &problems);

// As Session::finish(), of an answer that may be about expressions.
template<typename T, typename Say>
Callback<client::Checked<T>> finishChecked(
    Session &session, const QList<std::pair<QByteArray, QByteArray>> &texts, const TableOf<T> &table, Say say)
{
    return [&session, texts, &table, say](const Result<client::Checked<T>> &answer) {
        if (answer.ok() && answer->value) {
            session.finish(Result<T>(*answer->value), table, say);
            return;
        }
        if (answer.ok())
            session.failWith(problemsText(answer->problems, texts),
                pack(answers::expressionRefusalTable, refusalOf(answer->problems), Written::Sparse));
        else
            session.fail(answer.error());
    };
}

} // namespace junban::app
