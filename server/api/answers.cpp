#include "server/api/answers.h"

#include "core/jobs/jobfields.h"
#include "server/api/mapbuilder.h"
#include "server/http/refusal.h"

namespace junban::api {

namespace {

// Each item, or {error: problem} in its place.
template<typename T>
QByteArray encodeResults(const QList<Result<T>> &results, QByteArray (*encode)(const T &))
{
    return encodeAll(results, [encode](const Result<T> &result) {
        if (result.ok())
            return encode(*result);
        MsgpackWriter writer;
        return writer.map(1).text("error").raw(encodeProblem(result.error())).take();
    });
}

QByteArray encodeClaimedJob(const ClaimedJob &job)
{
    return pack(claimedJobTable, job);
}

} // namespace

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
    MapBuilder map;
    map.text("type", "about:blank");
    map.text("title", http::reasonPhrase(status));
    map.integer("status", status);
    map.text("code", errorWord(error.code));
    map.text("detail", error.code == ErrorCode::Internal ? QByteArray("Something went wrong in the master; its log says what.")
                                                         : error.message);
    map.textIf("field", error.field);
    if (error.retryAfter_s > 0)
        map.real("retry_after", error.retryAfter_s);
    return map.take();
}

QByteArray encodeProblem(int status, QByteArrayView code, QByteArrayView detail)
{
    MapBuilder map;
    map.text("type", "about:blank");
    map.text("title", http::reasonPhrase(status));
    map.integer("status", status);
    map.text("code", code);
    map.text("detail", detail);
    return map.take();
}

QByteArray encodeEnqueued(const Enqueued &enqueued)
{
    MapBuilder map;
    map.text("id", enqueued.id.text());
    map.text("state", stateWord(enqueued.state));
    if (enqueued.duplicate)
        map.boolean("duplicate", true);
    if (enqueued.durability)
        map.text("durability", durabilityWord(*enqueued.durability));
    return map.take();
}

QByteArray encodeBatch(const QList<Result<Enqueued>> &results)
{
    MsgpackWriter writer;
    return writer.map(1).text("results").raw(encodeResults(results, encodeEnqueued)).take();
}

QByteArray encodeClaimed(const QList<ClaimedJob> &jobs)
{
    MsgpackWriter writer;
    return writer.map(1).text("jobs").raw(encodeAll(jobs, encodeClaimedJob)).take();
}

QByteArray encodeFinished(const Finished &finished)
{
    MapBuilder map;
    map.text("state", stateWord(finished.state));
    map.timeIf("run_at", finished.runAt_ms);
    return map.take();
}

QByteArray encodeOutcomes(const QList<Result<Finished>> &results, const QList<ClaimedJob> &jobs)
{
    MsgpackWriter writer;
    writer.map(2).text("results").raw(encodeResults(results, encodeFinished));
    return writer.text("jobs").raw(encodeAll(jobs, encodeClaimedJob)).take();
}

QByteArray encodeHeartbeat(const Heartbeat &heartbeat)
{
    MapBuilder map;
    map.text("lease_expires_at", isoTime(heartbeat.leaseExpiresAt_ms));
    map.boolean("cancel", heartbeat.cancel);
    return map.take();
}

QByteArray encodeHeartbeats(const QList<Result<Heartbeat>> &results)
{
    MsgpackWriter writer;
    return writer.map(1).text("results").raw(encodeResults(results, encodeHeartbeat)).take();
}

QByteArray encodeState(const StateNow &now)
{
    MapBuilder map;
    map.text("state", stateWord(now.state));
    if (now.cancelRequested)
        map.boolean("cancel_requested", true);
    return map.take();
}

QByteArray encodePending(JobState state)
{
    MapBuilder map;
    map.text("state", stateWord(state));
    return map.take();
}

QByteArray encodeOverview(const Inspector::Overview &overview)
{
    const Counts &counts = overview.counts;
    MapBuilder states, totals, rates, map;
    states.integer("scheduled", counts.scheduled);
    states.integer("depends", counts.depends);
    states.integer("ready", counts.ready);
    states.integer("running", counts.running);
    states.integer("awaiting", counts.awaiting);
    states.integer("succeeded", counts.succeeded);
    states.integer("failed", counts.failed);
    states.integer("cancelled", counts.cancelled);
    totals.integer("enqueued", counts.enqueuedTotal);
    totals.integer("started", counts.startedTotal);
    totals.integer("succeeded", counts.succeededTotal);
    totals.integer("failed", counts.failedTotal);
    totals.integer("failures", counts.failuresTotal);
    totals.integer("retried", counts.retriedTotal);
    totals.integer("expired", counts.expiredTotal);
    totals.integer("cancelled", counts.cancelledTotal);
    rates.real("enqueued", overview.enqueuedPerS);
    rates.real("started", overview.startedPerS);
    rates.real("succeeded", overview.succeededPerS);
    rates.real("failures", overview.failuresPerS);
    map.text("now", isoTime(counts.now_ms));
    map.key("states").raw(states.take());
    map.integer("results_kept", counts.resultsKept);
    map.key("totals").raw(totals.take());
    map.key("rates").raw(rates.take());
    map.timeIf("oldest_ready_at", counts.oldestReady_ms);
    if (overview.rollback.seenAt_ms > 0) {
        MapBuilder rollback;
        rollback.text("seen_at", isoTime(overview.rollback.seenAt_ms));
        rollback.integer("transactions_lost", overview.rollback.transactionsLost);
        map.key("rollback").raw(rollback.take());
    }
    map.text("version", JUNBAN_VERSION);
    return map.take();
}

QByteArray encodeFindings(const QList<Finding> &findings)
{
    MapBuilder map;
    map.key("findings").raw(encodeAll(findings, [](const Finding &finding) {
        MapBuilder row;
        row.text("severity", severityWord(finding.severity));
        row.text("word", finding.word);
        row.text("message", finding.message);
        return row.take();
    }));
    return map.take();
}

QByteArray encodeNames(const QList<NameCounts> &names, int limit)
{
    MapBuilder map;
    map.key("names").raw(encodeAll(names, [](const NameCounts &counts) {
        MapBuilder totals, row;
        totals.integer("enqueued", counts.enqueuedTotal);
        totals.integer("succeeded", counts.succeededTotal);
        totals.integer("failed", counts.failedTotal);
        totals.integer("failures", counts.failuresTotal);
        row.text("name", counts.name);
        row.integer("ready", counts.ready);
        row.key("totals").raw(totals.take());
        return row.take();
    }));
    if (names.size() == limit)
        map.text("next", names.last().name);
    return map.take();
}

} // namespace junban::api
