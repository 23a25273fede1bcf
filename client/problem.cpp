#include "client/problem.h"

#include "core/base/reasons/client.h"
#include "core/msgpack/problem.h"

#include <algorithm>


namespace junban::client {

namespace {

std::optional<ErrorCode> codeFromWord(QByteArrayView word)
{
    constexpr ErrorCode codes[] = {
        ErrorCode::InvalidField, ErrorCode::Malformed, ErrorCode::NotFound, ErrorCode::Conflict, ErrorCode::LeaseLost,
        ErrorCode::IdempotencyMismatch, ErrorCode::RevisionMismatch, ErrorCode::TooLarge, ErrorCode::BacklogFull,
        ErrorCode::StoreUnavailable, ErrorCode::StoreFull, ErrorCode::StoreReadOnly, ErrorCode::Cancelled, ErrorCode::Unauthorized,
        ErrorCode::Forbidden, ErrorCode::Internal,
    };
    if (word == "too_many_attempts") // with tokens that are not known
        return ErrorCode::Unauthorized;
    for (const ErrorCode code : codes) {
        if (word == QByteArrayView(errorWord(code)))
            return code;
    }
    return {};
}

ErrorCode codeFromStatus(int status)
{
    switch (status) {
    case 401: return ErrorCode::Unauthorized;
    case 403: return ErrorCode::Forbidden;
    case 404: return ErrorCode::NotFound;
    case 409: return ErrorCode::Conflict;
    case 412: return ErrorCode::RevisionMismatch;
    case 413: return ErrorCode::TooLarge;
    case 429:
    case 503:
    case 504: return ErrorCode::StoreUnavailable;
    case 507: return ErrorCode::StoreFull;
    default: return status >= 400 && status < 500 ? ErrorCode::InvalidField : ErrorCode::Internal;
    }
}

Error errorOf(const Problem &problem, int status)
{
    Error error{codeFromWord(problem.code).value_or(codeFromStatus(status == 0 ? problem.status : status)), problem.reason, problem.field,
        std::max(0.0, problem.retryAfter_s)};
    if (error.message().isEmpty())
        error.reason = problem.title.isEmpty() ? reasons::refusedWithoutReason() : reasons::refusedWithTitle(problem.title);
    return error;
}

} // namespace

Error decodeProblem(int status, QByteArrayView type, QByteArrayView body)
{
    if (const Result<Problem> problem = unpackAnswer(problemTable, body); problem.ok())
        return errorOf(*problem, status);
    const bool said = type.startsWith("text/plain") && !body.isEmpty();
    return {codeFromStatus(status), said ? reasons::refusedWithText(status, body.trimmed()) : reasons::refusedWithStatus(status)};
}

Error readProblem(Decoder &in, const PackedValue &value)
{
    Problem problem;
    readFields(in, value, problemTable, &problem);
    return errorOf(problem, 0);
}

} // namespace junban::client
