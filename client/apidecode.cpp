#include "client/apidecode.h"

#include "client/value.h"

namespace junban::client {

namespace {

Error malformed(QByteArray what)
{
    return {ErrorCode::Malformed, "The answer is not what this client expects: " + what + '.', {}, 0};
}

QList<QByteArray> texts(const Value &value)
{
    QList<QByteArray> list;
    value.eachElement([&](const Value &element) {
        list.append(element.text());
        return true;
    });
    return list;
}

// The field of a map whose value is an array, each element decoded; the whole fails when one does.
template<typename T>
Result<QList<T>> listOf(const Value &value, Result<T> (*decode)(QByteArrayView))
{
    QList<T> list;
    std::optional<Error> failed;
    const bool complete = value.eachElement([&](const Value &element) {
        Result<T> item = decode(element.bytes());
        if (!item.ok()) {
            failed = item.error();
            return false;
        }
        list.append(std::move(item).value());
        return true;
    });
    if (failed)
        return *failed;
    if (!complete)
        return malformed("a list is missing or cut short");
    return list;
}

std::optional<ErrorCode> codeFromWord(QByteArrayView word)
{
    constexpr ErrorCode codes[] = {
        ErrorCode::InvalidField, ErrorCode::Malformed, ErrorCode::NotFound, ErrorCode::Conflict, ErrorCode::LeaseLost,
        ErrorCode::IdempotencyMismatch, ErrorCode::TooLarge, ErrorCode::StoreUnavailable, ErrorCode::StoreFull,
        ErrorCode::StoreReadOnly, ErrorCode::Cancelled, ErrorCode::Unauthorized, ErrorCode::Forbidden, ErrorCode::Internal,
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

// The value of one field, found by name; nil bytes when there is none.
Value fieldOf(QByteArrayView body, QByteArrayView name)
{
    const payload::Step step{.key = name};
    return Value(payload::find(body, std::span(&step, 1)).value_or(QByteArrayView(payload::nil, 1)));
}

Result<Attempt> decodeAttempt(QByteArrayView body)
{
    Attempt attempt;
    const bool complete = Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "attempt")
            attempt.number = value.small();
        else if (key == "worker")
            attempt.worker = value.text();
        else if (key == "started_at")
            attempt.startedAt_ms = value.time_ms();
        else if (key == "ended_at")
            attempt.endedAt_ms = value.time_ms();
        else if (key == "ended")
            attempt.ended = value.text();
        else if (key == "message")
            attempt.message = value.text();
        else if (key == "should_retry")
            attempt.shouldRetry = value.boolean();
        else if (key == "next_run_at")
            attempt.nextRunAt_ms = value.time_ms();
    });
    if (!complete)
        return malformed("an attempt is no map");
    return attempt;
}

// What a job has in common with a claimed one. True when the key was one of these.
bool readSpec(JobSpec &spec, QByteArrayView key, const Value &value)
{
    if (key == "name")
        spec.name = value.text();
    else if (key == "argument")
        spec.argument = value.bytes().toByteArray();
    else if (key == "priority")
        spec.priority = value.small();
    else if (key == "max_retry")
        spec.maxRetry = value.small();
    else if (key == "keep_result")
        spec.keepResult = value.boolean();
    else if (key == "timeout")
        spec.timeout_ms = value.duration_ms();
    else if (key == "result_ttl")
        spec.resultTtl_ms = value.duration_ms();
    else if (key == "tags")
        spec.tags = texts(value);
    else if (key == "trace")
        spec.trace = value.text();
    else
        return false;
    return true;
}

void readBackoff(Backoff &backoff, const Value &value)
{
    value.eachField([&](QByteArrayView key, const Value &field) {
        if (key == "base")
            backoff.base_ms = field.duration_ms();
        else if (key == "factor")
            backoff.factor = field.real();
        else if (key == "max")
            backoff.max_ms = field.duration_ms();
        else if (key == "jitter")
            backoff.jitter = field.real();
    });
}

void readProgress(Job &job, const Value &value)
{
    value.eachField([&](QByteArrayView key, const Value &field) {
        if (key == "done")
            job.progressDone = field.real();
        else if (key == "total")
            job.progressTotal = field.real();
        else if (key == "message")
            job.progressMessage = field.text();
    });
}

// The counters and texts of a job that is not a claimed one.
void readStanding(Job &job, QByteArrayView key, const Value &value)
{
    if (key == "argument_bytes")
        job.argument_bytes = value.integer();
    else if (key == "attempt")
        job.attempt = value.small();
    else if (key == "failures")
        job.failures = value.small();
    else if (key == "releases")
        job.releases = value.small();
    else if (key == "worker")
        job.worker = value.text();
    else if (key == "cancel_requested")
        job.cancelRequested = value.boolean();
    else if (key == "message")
        job.message = value.text();
    else if (key == "reason")
        job.reason = value.text();
    else if (key == "outcome")
        job.outcome = value.isNil() ? QByteArray() : value.bytes().toByteArray();
    else if (key == "result_kept")
        job.resultKept = value.boolean();
    else if (key == "backoff")
        readBackoff(job.spec.backoff, value);
    else if (key == "progress")
        readProgress(job, value);
}

void readTimes(Job &job, QByteArrayView key, const Value &value)
{
    if (key == "created_at")
        job.createdAt_ms = value.time_ms();
    else if (key == "run_at")
        job.runAt_ms = value.time_ms();
    else if (key == "started_at")
        job.startedAt_ms = value.time_ms();
    else if (key == "finished_at")
        job.finishedAt_ms = value.time_ms();
    else if (key == "lease_expires_at")
        job.leaseExpiresAt_ms = value.time_ms();
    else if (key == "deadline")
        job.deadline_ms = value.time_ms();
}

Result<ClaimedJob> decodeClaimedJob(QByteArrayView body)
{
    ClaimedJob job;
    std::optional<JobId> id;
    Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (readSpec(job.spec, key, value))
            return;
        if (key == "id")
            id = value.id();
        else if (key == "attempt")
            job.attempt = value.small();
        else if (key == "lease")
            job.lease = value.text();
        else if (key == "lease_expires_at")
            job.leaseExpiresAt_ms = value.time_ms();
        else if (key == "deadline")
            job.deadline_ms = value.time_ms();
    });
    if (!id || job.lease.isEmpty())
        return malformed("a claimed job without id or lease");
    job.id = *id;
    return job;
}

void readTotals(Totals &totals, const Value &value)
{
    value.eachField([&](QByteArrayView key, const Value &field) {
        const std::pair<QByteArrayView, qint64 *> all[] = {
            {"enqueued", &totals.enqueued}, {"started", &totals.started}, {"succeeded", &totals.succeeded},
            {"failed", &totals.failed}, {"failures", &totals.failures}, {"retried", &totals.retried},
            {"expired", &totals.expired}, {"cancelled", &totals.cancelled},
        };
        for (const auto &[name, total] : all) {
            if (key == name)
                *total = field.integer();
        }
    });
}

void readRates(Rates &rates, const Value &value)
{
    value.eachField([&](QByteArrayView key, const Value &field) {
        if (key == "enqueued")
            rates.enqueued = field.real();
        else if (key == "started")
            rates.started = field.real();
        else if (key == "succeeded")
            rates.succeeded = field.real();
        else if (key == "failures")
            rates.failures = field.real();
    });
}

Result<NameRow> decodeNameRow(QByteArrayView body)
{
    NameRow row;
    Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "name")
            row.name = value.text();
        else if (key == "ready")
            row.ready = value.integer();
        else if (key == "scheduled")
            row.scheduled = value.integer();
        else if (key == "running")
            row.running = value.integer();
        else if (key == "totals")
            readTotals(row.totals, value);
    });
    if (row.name.isEmpty())
        return malformed("a name is missing");
    return row;
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
    return Enqueued{*id, *state, fieldOf(body, "duplicate").boolean()};
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

Result<Job> decodeJob(QByteArrayView body)
{
    Job job;
    std::optional<JobId> id;
    std::optional<JobState> state;
    std::optional<Error> failed;
    const bool complete = Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "id") {
            id = value.id();
        } else if (key == "state") {
            state = value.state();
        } else if (key == "history") {
            Result<QList<Attempt>> attempts = listOf<Attempt>(value, decodeAttempt);
            if (attempts.ok())
                job.attempts = std::move(attempts).value();
            else
                failed = attempts.error();
        } else if (!readSpec(job.spec, key, value)) {
            readStanding(job, key, value);
            readTimes(job, key, value);
        }
    });
    if (failed)
        return *failed;
    if (!complete || !id || !state)
        return malformed("a job without id or state");
    job.id = *id;
    job.state = *state;
    return job;
}

Result<JobPage> decodeJobPage(QByteArrayView body)
{
    Result<QList<Job>> jobs = listOf<Job>(fieldOf(body, "jobs"), decodeJob);
    if (!jobs.ok())
        return jobs.error();
    JobPage page{std::move(jobs).value(), fieldOf(body, "next").text(), {}};
    fieldOf(body, "coverage").eachField([&](QByteArrayView key, const Value &value) {
        if (key == "scanned")
            page.coverage.scanned = value.integer();
        else if (key == "total")
            page.coverage.total = value.integer();
        else if (key == "complete")
            page.coverage.complete = value.boolean();
    });
    return page;
}

Result<Overview> decodeOverview(QByteArrayView body)
{
    Overview overview;
    bool states = false;
    const bool complete = Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "now") {
            overview.now_ms = value.time_ms();
        } else if (key == "states") {
            states = value.eachField([&](QByteArrayView word, const Value &count) {
                if (const std::optional<JobState> state = stateFromWord(word))
                    overview.byState[static_cast<size_t>(*state)] = count.integer();
            });
        } else if (key == "results_kept") {
            overview.resultsKept = value.integer();
        } else if (key == "totals") {
            readTotals(overview.totals, value);
        } else if (key == "rates") {
            readRates(overview.rates, value);
        } else if (key == "oldest_ready_at") {
            overview.oldestReadyAt_ms = value.time_ms();
        } else if (key == "version") {
            overview.version = value.text();
        }
    });
    if (!complete || !states)
        return malformed("the overview has no states");
    return overview;
}

Result<NamePage> decodeNames(QByteArrayView body)
{
    Result<QList<NameRow>> names = listOf<NameRow>(fieldOf(body, "names"), decodeNameRow);
    if (!names.ok())
        return names.error();
    return NamePage{std::move(names).value(), fieldOf(body, "next").text()};
}

} // namespace junban::client
