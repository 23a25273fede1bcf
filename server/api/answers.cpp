#include "server/api/answers.h"

#include "core/base/reasons/api.h"
#include "core/base/reasonwording.h"
#include "core/limits/limitanswers.h"
#include "server/http/refusal.h"

namespace junban::api {

QByteArray encodeProblem(const Error &error)
{
    const int status = httpStatus(error.code);
    // What else is internal may have what a token must not see, or nobody but the log's reader understands.
    const bool isHidden = error.code == ErrorCode::Internal && !error.reason.name.startsWith("stored_");
    const Reason reason = isHidden ? reasons::masterFault().reason : error.reason;
    return pack(problemTable,
        {"about:blank", http::reasonPhrase(status), status, errorWord(error.code), reason, error.field, std::max(0.0, error.retryAfter_s)});
}

QByteArray encodeProblem(const Reason &reason)
{
    return pack(problemTable, http::problemOf(reason));
}

QByteArray encodeProblem(const QList<ExpressionProblem> &problems)
{
    const ExpressionProblem &first = problems.first();
    const Problem problem{"about:blank", http::reasonPhrase(422), 422, "invalid_expression", first.problem.reason, first.field};
    return pack(answers::expressionRefusalTable, {problem, problems});
}

} // namespace junban::api
