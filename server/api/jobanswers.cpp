#include "core/jobs/history.h"
#include "server/api/answers.h"
#include "server/api/mapbuilder.h"

// One job as it was pushed and as it stands, and the batch it is counted in.
namespace junban::api {

namespace {

QByteArray encodeAttempt(const Attempt &attempt)
{
    MapBuilder map;
    map.integer("attempt", attempt.number);
    map.text("worker", attempt.worker);
    map.text("started_at", isoTime(attempt.startedAt_ms));
    map.timeIf("ended_at", attempt.endedAt_ms);
    map.textIf("ended", attempt.ended);
    map.textIf("message", attempt.message);
    if (!attempt.ended.isEmpty() && attempt.ended != "success")
        map.boolean("should_retry", attempt.shouldRetry);
    map.timeIf("next_run_at", attempt.nextRunAt_ms);
    return map.take();
}

QByteArray encodeTransition(const Transition &transition)
{
    MapBuilder map;
    map.text("at", isoTime(transition.at_ms));
    map.text("what", transition.what);
    map.text("actor", transition.actor);
    map.textIf("worker", transition.worker);
    if (transition.attempt > 0)
        map.integer("attempt", transition.attempt);
    map.textIf("message", transition.message);
    map.timeIf("run_at", transition.runAt_ms);
    if (!transition.details.isEmpty())
        map.key("details").raw(transition.details);
    return map.take();
}

QByteArray encodeBackoff(const Backoff &backoff)
{
    MapBuilder map;
    map.seconds("base", backoff.base_ms);
    map.real("factor", backoff.factor);
    map.seconds("max", backoff.max_ms);
    map.real("jitter", backoff.jitter);
    return map.take();
}

QByteArray encodeUnique(const Unique &unique)
{
    MapBuilder map;
    map.textIf("key", unique.key);
    map.text("until", uniqueUntilWords[size_t(unique.until)]);
    map.text("on_conflict", onConflictWords[size_t(unique.onConflict)]);
    return map.take();
}

QByteArray encodePushed(const JobSpec &spec);

// The fields of a push that a plain job does not have.
void addSpecial(MapBuilder &map, const JobSpec &spec)
{
    map.textIf("trace", spec.trace);
    if (!spec.windows.isEmpty())
        map.key("windows").raw(windowsToMsgpack(spec.windows));
    if (spec.unique)
        map.key("unique").raw(encodeUnique(*spec.unique));
    if (!spec.dependsOn.isEmpty()) {
        map.key("depends_on").raw(encodeAll(spec.dependsOn, [](const JobId &id) { return MsgpackWriter().text(id.text()).take(); }));
        map.text("on_dependency_failure", onDependencyFailureWords[size_t(spec.onDependencyFailure)]);
    }
    if (!spec.then.empty()) {
        MsgpackWriter &then = map.key("then").array(qsizetype(spec.then.size()));
        for (const JobSpec &next : spec.then)
            then.raw(encodePushed(next));
    }
    if (spec.expiresIn_ms > 0)
        map.seconds("expires_in", spec.expiresIn_ms);
    map.textIf("group", spec.group);
}

void addPlain(MapBuilder &map, const JobSpec &spec)
{
    map.integer("priority", spec.priority);
    map.integer("max_retry", spec.maxRetry);
    map.boolean("keep_result", spec.keepResult);
    map.seconds("timeout", spec.timeout_ms);
    map.seconds("result_ttl", spec.resultTtl_ms);
    map.key("backoff").raw(encodeBackoff(spec.backoff));
    map.key("tags").raw(encodeTexts(spec.tags));
}

// A job that is still to be enqueued, as it could be pushed again.
QByteArray encodePushed(const JobSpec &spec)
{
    MapBuilder map;
    map.text("name", spec.name);
    map.key("argument").raw(spec.argument);
    addPlain(map, spec);
    if (spec.delay_ms > 0)
        map.seconds("delay", spec.delay_ms);
    if (spec.runAt_ms)
        map.text("run_at", isoTime(*spec.runAt_ms));
    addSpecial(map, spec);
    return map.take();
}

void addTimes(MapBuilder &map, const Job &job)
{
    map.text("created_at", isoTime(job.createdAt_ms));
    map.timeIf("run_at", job.runAt_ms);
    map.timeIf("expires_at", job.expiresAt_ms);
    map.timeIf("started_at", job.startedAt_ms);
    map.timeIf("finished_at", job.finishedAt_ms);
    map.textIf("worker", job.worker);
    map.timeIf("lease_expires_at", job.leaseExpiresAt_ms);
    map.timeIf("deadline", job.deadline_ms);
}

// All that a list tells of a job, too.
void addJob(MapBuilder &map, const Job &job)
{
    map.text("id", job.id.text());
    map.text("name", job.spec.name);
    if (job.argument_bytes == job.spec.argument.size())
        map.key("argument").raw(job.spec.argument);
    map.integer("argument_bytes", job.argument_bytes);
    addPlain(map, job.spec);
    addSpecial(map, job.spec);
    map.text("state", stateWord(job.state));
    map.integer("attempt", job.attempt);
    map.integer("failures", job.failures);
    if (job.dependenciesLeft > 0)
        map.integer("dependencies_left", job.dependenciesLeft);
    addTimes(map, job);
    if (job.cancelRequested)
        map.boolean("cancel_requested", true);
    if (job.progressTotal > 0) {
        MapBuilder progress;
        progress.real("done", job.progressDone);
        progress.real("total", job.progressTotal);
        progress.textIf("message", job.progressMessage);
        map.key("progress").raw(progress.take());
    }
    map.textIf("reason", job.reason);
    map.textIf("message", job.message);
    map.boolean("result_kept", job.resultKept);
    if (job.tracked)
        map.boolean("tracked", true);
    map.timeIf("deleted_at", job.deletedAt_ms);
}

} // namespace

QByteArray encodeJob(const Job &job)
{
    MapBuilder map;
    addJob(map, job);
    if (!job.outcome.isEmpty())
        map.key("outcome").raw(job.outcome);
    map.key("attempts").raw(encodeAll(job.attempts, encodeAttempt));
    map.key("history").raw(encodeAll(historyOf(job), encodeTransition));
    return map.take();
}

QByteArray encodeJobRow(const Job &job)
{
    MapBuilder map;
    addJob(map, job);
    return map.take();
}

QByteArray encodeList(const Inspector::List &list)
{
    MapBuilder coverage;
    coverage.integer("scanned", list.scanned);
    coverage.integer("total", list.total);
    coverage.boolean("complete", list.complete);
    MapBuilder map;
    map.key("jobs").raw(encodeAll(list.jobs, encodeJobRow));
    map.textIf("next", list.next);
    map.key("coverage").raw(coverage.take());
    return map.take();
}

QByteArray encodeAnswered(const Enqueued &enqueued, QByteArrayView outcome)
{
    MapBuilder map;
    map.text("id", enqueued.id.text());
    map.key("outcome").raw(outcome);
    if (enqueued.duplicate)
        map.boolean("duplicate", true);
    return map.take();
}

QByteArray encodeMessageTaken(const MessageTaken &taken)
{
    MapBuilder map;
    map.text("id", taken.id.text());
    map.text("state", stateWord(taken.finished.state));
    map.timeIf("run_at", taken.finished.runAt_ms);
    return map.take();
}

QByteArray encodeJobGroup(const Group &group)
{
    MapBuilder map;
    map.text("group", group.group);
    map.integer("total", group.total);
    map.integer("pending", group.pending);
    map.integer("succeeded", group.succeeded);
    map.integer("failed", group.failed);
    map.integer("cancelled", group.cancelled);
    map.boolean("open", group.open);
    map.boolean("has_callback", group.hasCallback);
    if (!group.callback.isNull())
        map.text("callback", group.callback.text());
    map.textIf("callback_refused", group.callbackRefused);
    map.text("created_at", isoTime(group.createdAt_ms));
    map.timeIf("ended_at", group.endedAt_ms);
    return map.take();
}

} // namespace junban::api
