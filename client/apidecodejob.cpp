// One job as it was pushed and as it stands.
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

Result<Transition> decodeTransition(QByteArrayView body)
{
    Transition transition;
    const bool complete = Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "at")
            transition.at_ms = value.time_ms();
        else if (key == "what")
            transition.what = value.text();
        else if (key == "actor")
            transition.actor = value.text();
        else if (key == "worker")
            transition.worker = value.text();
        else if (key == "attempt")
            transition.attempt = value.small();
        else if (key == "message")
            transition.message = value.text();
        else if (key == "run_at")
            transition.runAt_ms = value.time_ms();
        else if (key == "details" && value.isMap())
            transition.details = value.bytes().toByteArray();
    });
    if (!complete)
        return malformed("a line of a history is no map");
    return transition;
}

template<typename Enum, size_t count>
void readWord(Enum &out, const Value &value, const std::array<const char *, count> &words)
{
    const auto word = std::find_if(words.begin(), words.end(), [&](const char *candidate) { return value.text() == candidate; });
    if (word != words.end())
        out = static_cast<Enum>(word - words.begin());
}

void readUnique(Unique &unique, const Value &value)
{
    value.eachField([&](QByteArrayView key, const Value &field) {
        if (key == "key")
            unique.key = field.text();
        else if (key == "until")
            readWord(unique.until, field, uniqueUntilWords);
        else if (key == "on_conflict")
            readWord(unique.onConflict, field, onConflictWords);
    });
}

JobSpec specOf(const Value &value);

// What only some jobs have. True when the key was one of these.
bool readSpecial(JobSpec &spec, QByteArrayView key, const Value &value)
{
    if (key == "windows") {
        Result<QList<junban::Window>> windows = windowsFromMsgpack(value.bytes(), "windows");
        spec.windows = windows.ok() ? std::move(*windows) : QList<junban::Window>();
    } else if (key == "unique") {
        readUnique(spec.unique.emplace(), value);
    } else if (key == "depends_on") {
        value.eachElement([&](const Value &element) {
            spec.dependsOn.append(element.id().value_or(JobId()));
            return true;
        });
    } else if (key == "on_dependency_failure") {
        readWord(spec.onDependencyFailure, value, onDependencyFailureWords);
    } else if (key == "then") {
        value.eachElement([&](const Value &element) {
            spec.then.push_back(specOf(element));
            return true;
        });
    } else if (key == "expires_in") {
        spec.expiresIn_ms = value.duration_ms();
    } else if (key == "group") {
        spec.group = value.text();
    } else {
        return false;
    }
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
    else if (key == "tracked")
        job.tracked = value.boolean();
    else if (key == "dependencies_left")
        job.dependenciesLeft = value.small();
    else if (key == "progress")
        readProgress(job, value);
}

void readTimes(Job &job, QByteArrayView key, const Value &value)
{
    if (key == "created_at")
        job.createdAt_ms = value.time_ms();
    else if (key == "run_at")
        job.runAt_ms = value.time_ms();
    else if (key == "expires_at")
        job.expiresAt_ms = value.time_ms();
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

// A job that is still to be enqueued.
JobSpec specOf(const Value &value)
{
    JobSpec spec;
    value.eachField([&](QByteArrayView key, const Value &field) {
        if (key == "delay")
            spec.delay_ms = field.duration_ms();
        else if (key == "run_at")
            spec.runAt_ms = field.time_ms();
        else
            readSpec(spec, key, field);
    });
    return spec;
}

// A list of the job that fails the whole when it cannot be read.
template<typename T>
std::optional<Error> readList(QList<T> &out, const Value &value, Result<T> (*decode)(QByteArrayView))
{
    Result<QList<T>> list = listOf<T>(value, decode);
    if (!list.ok())
        return list.error();
    out = std::move(list).value();
    return {};
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
    else if (key == "backoff")
        readBackoff(spec.backoff, value);
    else
        return readSpecial(spec, key, value);
    return true;
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
        } else if (key == "attempts") {
            failed = readList(job.attempts, value, decodeAttempt);
        } else if (key == "history" && !failed) {
            failed = readList(job.history, value, decodeTransition);
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

} // namespace junban::client
