#include "client/apidecode.h"

#include "client/decoding.h"
#include "core/jobs/jobfields.h"

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

Error problemFrom(int status, const Value &value)
{
    Error error{codeFromStatus(status), {}, {}, 0};
    QByteArray title, code;
    value.eachField([&](QByteArrayView key, const Value &field) {
        if (key == "code")
            code = field.text();
        else if (key == "detail")
            error.message = field.text();
        else if (key == "title")
            title = field.text();
        else if (key == "field")
            error.field = field.text();
        else if (key == "retry_after")
            error.retryAfter_s = std::max(0.0, field.real());
        else if (key == "status" && status == 0)
            error.code = codeFromStatus(field.small());
    });
    error.code = codeFromWord(code).value_or(error.code);
    if (error.message.isEmpty())
        error.message = title.isEmpty() ? "The master refused, and gave no reason." : title;
    return error;
}

// {results: [item | {error: problem}]}
template<typename T>
Result<QList<Result<T>>> resultsOf(const Value &value, Result<T> (*decode)(QByteArrayView))
{
    QList<Result<T>> results;
    const bool complete = value.eachElement([&](const Value &element) {
        std::optional<Error> error;
        element.eachField([&](QByteArrayView key, const Value &field) {
            if (key == "error")
                error = problemFrom(0, field);
        });
        results.append(error ? Result<T>(std::move(*error)) : decode(element.bytes()));
        return true;
    });
    if (!complete)
        return malformed("the list of results is missing or cut short");
    return results;
}

Result<ClaimedJob> decodeClaimedJob(QByteArrayView body)
{
    return unpackAnswer(claimedJobTable, body);
}

} // namespace

Error decodeProblem(int status, QByteArrayView type, QByteArrayView body)
{
    const Value value(body);
    if (value.isMap())
        return problemFrom(status, value);
    Error error{codeFromStatus(status), {}, {}, 0};
    error.message = "HTTP status " + QByteArray::number(status);
    if (type.startsWith("text/plain") && !body.isEmpty()) {
        const qsizetype shown = std::min<qsizetype>(body.size(), limits::client_message_bytes_max);
        error.message += ": " + body.first(shown).toByteArray().trimmed();
    }
    return error;
}

Result<Enqueued> decodeEnqueued(QByteArrayView body)
{
    const std::optional<JobId> id = fieldOf(body, "id").id();
    const std::optional<JobState> state = fieldOf(body, "state").state();
    if (!id || !state)
        return malformed("an enqueued job without id or state");
    return Enqueued{*id, *state, fieldOf(body, "duplicate").boolean(), durabilityFromWord(fieldOf(body, "durability").text())};
}

Result<QList<Result<Enqueued>>> decodeBatch(QByteArrayView body)
{
    return resultsOf<Enqueued>(fieldOf(body, "results"), decodeEnqueued);
}

Result<QList<ClaimedJob>> decodeClaimed(QByteArrayView body)
{
    return listOf<ClaimedJob>(fieldOf(body, "jobs"), decodeClaimedJob);
}

Result<Finished> decodeFinished(QByteArrayView body)
{
    const std::optional<JobState> state = fieldOf(body, "state").state();
    if (!state)
        return malformed("no state");
    return Finished{*state, fieldOf(body, "run_at").time_ms()};
}

Result<OutcomesReply> decodeOutcomes(QByteArrayView body)
{
    Result<QList<Result<Finished>>> results = resultsOf<Finished>(fieldOf(body, "results"), decodeFinished);
    if (!results.ok())
        return results.error();
    Result<QList<ClaimedJob>> jobs = decodeClaimed(body);
    if (!jobs.ok())
        return jobs.error();
    return OutcomesReply{std::move(results).value(), std::move(jobs).value()};
}

Result<Heartbeat> decodeHeartbeat(QByteArrayView body)
{
    const qint64 expires = fieldOf(body, "lease_expires_at").time_ms();
    if (expires == 0)
        return malformed("a heartbeat without lease_expires_at");
    return Heartbeat{expires, fieldOf(body, "cancel").boolean()};
}

Result<QList<Result<Heartbeat>>> decodeHeartbeats(QByteArrayView body)
{
    return resultsOf<Heartbeat>(fieldOf(body, "results"), decodeHeartbeat);
}

Result<StateNow> decodeStateNow(QByteArrayView body)
{
    const std::optional<JobState> state = fieldOf(body, "state").state();
    if (!state)
        return malformed("no state");
    return StateNow{*state, fieldOf(body, "cancel_requested").boolean()};
}

} // namespace junban::client
