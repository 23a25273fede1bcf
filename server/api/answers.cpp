#include "server/api/answers.h"

#include "core/base/reasons/api.h"
#include "core/limits/limitanswers.h"
#include "server/http/refusal.h"

namespace junban::api {

int statusOf(const Error &error)
{
    switch (error.code) {
    case ErrorCode::InvalidField: return 400;
    case ErrorCode::Malformed: return 400;
    case ErrorCode::NotFound: return 404;
    case ErrorCode::Conflict: return 409;
    case ErrorCode::LeaseLost: return 409;
    case ErrorCode::IdempotencyMismatch: return 422;
    case ErrorCode::RevisionMismatch: return 412;
    case ErrorCode::TooLarge: return 413;
    case ErrorCode::BacklogFull: return 429;
    case ErrorCode::StoreUnavailable: return 503;
    case ErrorCode::StoreFull: return 507;
    case ErrorCode::StoreReadOnly: return 503;
    case ErrorCode::Ambiguous: return 503;
    case ErrorCode::Cancelled: return 503;
    case ErrorCode::Unauthorized: return 401;
    case ErrorCode::Forbidden: return 403;
    case ErrorCode::Unreachable: return 503; // a client's own finding; never a master's answer
    case ErrorCode::Internal: return 500;
    }
    return 500;
}

QByteArray encodeProblem(const Error &error)
{
    const int status = statusOf(error);
    // What else is internal may have what a token must not see, or nobody but the log's reader understands.
    const bool isHidden = error.code == ErrorCode::Internal && !error.reason.name.startsWith("stored_");
    const Reason reason = isHidden ? reasons::masterFault().reason : error.reason;
    return pack(problemTable,
        {"about:blank", http::reasonPhrase(status), status, errorWord(error.code), reason, error.field, std::max(0.0, error.retryAfter_s)});
}

QByteArray encodeProblem(int status, QByteArrayView code, const Reason &reason)
{
    return pack(problemTable, {"about:blank", http::reasonPhrase(status), status, code.toByteArray(), reason});
}

QByteArray encodeProblem(const QList<ExpressionProblem> &problems)
{
    const ExpressionProblem &first = problems.first();
    const Problem problem{"about:blank", http::reasonPhrase(422), 422, "invalid_expression", first.problem.reason, first.field};
    return pack(answers::expressionRefusalTable, {problem, problems});
}

} // namespace junban::api
