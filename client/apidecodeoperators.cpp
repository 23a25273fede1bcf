// What operators are answered.
#include "client/decoding.h"

namespace junban::client {

namespace {

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
    else if (key == "tracked")
        job.tracked = value.boolean();
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
    else if (key == "deleted_at")
        job.deletedAt_ms = value.time_ms();
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

Result<ResultNow> decodeResult(int status, QByteArrayView header, const QByteArray &body)
{
    if (status == 202) {
        Result<StateNow> state = decodeStateNow(body);
        if (!state.ok())
            return state.error();
        return ResultNow{ResultStatus::Pending, {}, state->state};
    }
    if (header == "gone" || body == payload::nil)
        return ResultNow{};
    return ResultNow{ResultStatus::Ready, body, JobState::Succeeded};
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
