#include "client/matchercalls.h"

namespace junban::client {

QList<ExpressionProblem> MatcherCalls::problemsIn(const Result<Answer> &answer)
{
    if (!answer.ok() || answer->status != 422)
        return {};
    Result<answers::ExpressionRefusal> refusal = unpackAnswer(answers::expressionRefusalTable, answer->body);
    return refusal.ok() ? std::move(refusal->errors) : QList<ExpressionProblem>();
}

} // namespace junban::client
