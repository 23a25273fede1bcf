#include "server/requests.h"

#include "core/limits.h"
#include "core/msgpackwriter.h"
#include "core/queue.h"

namespace junban::api {

namespace {

bool decodeBackoff(Decoder &in, const Value &value, Backoff &backoff)
{
    return in.map(value, [&](QByteArrayView key, const Value &field) {
        if (key == "base")
            return in.duration(field, backoff.base_ms, 0, limits::backoff_base_s_max);
        if (key == "factor")
            return in.real(field, backoff.factor, 1, limits::backoff_factor_max);
        if (key == "max")
            return in.duration(field, backoff.max_ms, 0, limits::backoff_max_s_max);
        return key == "jitter" && in.real(field, backoff.jitter, 0, limits::backoff_jitter_max);
    });
}

bool decodeTags(Decoder &in, const Value &value, QList<QByteArray> &tags)
{
    return in.array(value, limits::tags_max, [&](const Value &element) {
        QByteArray tag;
        const bool ok = in.name(element, tag, limits::name_bytes_max);
        tags.append(tag);
        return ok;
    });
}

bool decodeJobField(Decoder &in, QByteArrayView key, const Value &field, JobSpec &spec)
{
    if (key == "name")
        return in.name(field, spec.name, limits::name_bytes_max);
    if (key == "argument")
        return in.any(field, spec.argument, limits::argument_bytes_max);
    if (key == "priority")
        return in.integer(field, spec.priority, std::numeric_limits<qint32>::min(), std::numeric_limits<qint32>::max());
    if (key == "max_retry")
        return in.integer(field, spec.maxRetry, 0, limits::max_retry_max);
    if (key == "keep_result")
        return in.boolean(field, spec.keepResult);
    if (key == "timeout")
        return in.duration(field, spec.timeout_ms, limits::timeout_s_min, limits::timeout_s_max);
    if (key == "delay")
        return in.duration(field, spec.delay_ms, 0, limits::delay_s_max);
    if (key == "run_at")
        return in.isoTime(field, spec.runAt_ms.emplace());
    if (key == "backoff")
        return decodeBackoff(in, field, spec.backoff);
    if (key == "idempotency_key")
        return in.name(field, spec.idempotencyKey, limits::name_bytes_max);
    if (key == "tags")
        return decodeTags(in, field, spec.tags);
    if (key == "result_ttl")
        return in.duration(field, spec.resultTtl_ms, limits::result_ttl_s_min, limits::result_ttl_s_max);
    return key == "trace" && in.name(field, spec.trace, limits::trace_bytes_max);
}

} // namespace

bool decodeJobMap(Decoder &in, const Value &value, JobSpec &spec)
{
    const bool ok
        = in.map(value, [&](QByteArrayView key, const Value &field) { return decodeJobField(in, key, field, spec); });
    if (!ok)
        return false;
    if (spec.name.isEmpty())
        return in.missing(value.path, "name");
    if (spec.delay_ms > 0 && spec.runAt_ms)
        return in.fail({&value.path, "run_at", -1}, "and 'delay' exclude each other");
    if (spec.backoff.max_ms < spec.backoff.base_ms)
        return in.fail({&value.path, "backoff", -1}, "has a max below its base");
    return true;
}

namespace {

// The whole body as one map of known fields.
template<typename T, typename Decode>
Result<T> whole(QByteArrayView body, T value, Decode decode)
{
    Decoder in;
    const std::optional<Value> root = in.root(body);
    if (!root || !decode(in, *root, value))
        return in.error();
    return value;
}

bool decodeNames(Decoder &in, const Value &value, QList<QByteArray> &names)
{
    const bool ok = in.array(value, limits::claim_names_max, [&](const Value &element) {
        QByteArray name;
        const bool read = in.name(element, name, limits::name_bytes_max);
        if (!names.contains(name))
            names.append(name);
        return read;
    });
    return ok && (!names.isEmpty() || in.fail(value.path, "must name something; leave it out to accept every name"));
}

bool decodeClaimField(Decoder &in, QByteArrayView key, const Value &field, ClaimBody &claim)
{
    if (key == "names")
        return decodeNames(in, field, claim.request.names);
    if (key == "limit")
        return in.integer(field, claim.request.limit, 1, limits::claim_limit_max);
    if (key == "wait")
        return in.duration(field, claim.wait_ms, 0, limits::claim_wait_s_max);
    return key == "lease" && in.duration(field, claim.request.lease_ms, limits::lease_s_min, limits::timeout_s_max);
}

// What a report has, whichever its type is; checked against the type at the end, when everything is known.
struct Report {
    FinishItem item;
    QByteArray type;
    QByteArray reason;
    QList<QByteArray> given;
};

// A too large error value is replaced and a too long message cut: a report must not fail for its size.
bool decodeError(Decoder &in, const Value &field, QByteArray &out)
{
    if (field.raw.size() <= limits::error_bytes_max)
        return in.any(field, out, limits::error_bytes_max);
    MsgpackWriter writer;
    out = writer.map(2).text("truncated").boolean(true).text("size").integer(field.raw.size()).take();
    return true;
}

bool decodeMessage(Decoder &in, const Value &field, QByteArray &out)
{
    static constexpr char mark[] = "… (cut)";
    if (!in.text(field, out, limits::http_batch_body_bytes_max))
        return false;
    if (out.size() <= limits::message_bytes_max)
        return true;
    qsizetype end = limits::message_bytes_max - qsizetype(sizeof mark);
    while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xc0) == 0x80)
        --end;
    out.truncate(end);
    out += mark;
    return true;
}

bool decodeReportField(Decoder &in, QByteArrayView key, const Value &field, Report &report)
{
    Outcome &outcome = report.item.outcome;
    report.given.append(key.toByteArray());
    if (key == "lease")
        return in.name(field, report.item.lease, limits::name_bytes_max);
    if (key == "type")
        return in.text(field, report.type, 16);
    if (key == "finished_at") {
        qint64 ignored = 0;
        return in.isoTime(field, ignored) && in.text(field, outcome.finishedAt, limits::finished_at_bytes_max);
    }
    if (key == "result")
        return in.any(field, outcome.result, limits::result_bytes_max);
    if (key == "reason")
        return in.text(field, report.reason, 16);
    if (key == "should_retry")
        return in.boolean(field, outcome.shouldRetry);
    if (key == "error")
        return decodeError(in, field, outcome.error);
    if (key == "message")
        return decodeMessage(in, field, outcome.message);
    return key == "retry_after" && in.duration(field, outcome.retryAfter_ms.emplace(), 0, limits::delay_s_max);
}

bool decodeReport(Decoder &in, const Value &value, Report &report, bool withId)
{
    const bool ok = in.map(value, [&](QByteArrayView key, const Value &field) {
        if (withId && key == "id") {
            const auto id = field.head.type == payload::Type::String ? JobId::fromText(field.head.bytes) : std::nullopt;
            report.item.id = id.value_or(JobId());
            return id.has_value() || in.fail(field.path, "must be a job id");
        }
        return decodeReportField(in, key, field, report);
    });
    if (!ok)
        return false;
    if (withId && report.item.id.isNull())
        return in.missing(value.path, "id");
    static constexpr const char *always[] = {"lease", "type", "finished_at"};
    for (const char *key : always) {
        if (!report.given.contains(QByteArray(key)))
            return in.missing(value.path, key);
    }
    if (report.type != "success" && report.type != "failure")
        return in.fail({&value.path, "type", -1}, "must be \"success\" or \"failure\"");
    const bool success = report.type == "success";
    const QList<QByteArray> foreign = success
        ? QList<QByteArray>{"reason", "should_retry", "error", "message", "retry_after"}
        : QList<QByteArray>{"result"};
    for (const QByteArray &key : foreign) {
        if (report.given.contains(key))
            return in.fail({&value.path, key, -1}, "does not belong to a " + report.type);
    }
    if (success && !report.given.contains("result"))
        return in.missing(value.path, "result");
    if (!success && report.reason != "other" && report.reason != "timeout")
        return report.given.contains("reason") ? in.fail({&value.path, "reason", -1}, "must be \"other\" or \"timeout\"")
                                               : in.missing(value.path, "reason");
    if (!success && !report.given.contains("should_retry"))
        return in.missing(value.path, "should_retry");
    report.item.outcome.type = success ? OutcomeType::Success : OutcomeType::Failure;
    report.item.outcome.reason = report.reason == "timeout" ? FailureReason::Timeout : FailureReason::Other;
    report.item.jitter = Queue::drawJitter();
    return true;
}

bool decodeProgress(Decoder &in, const Value &value, Progress &progress)
{
    bool total = false;
    const bool ok = in.map(value, [&](QByteArrayView key, const Value &field) {
        if (key == "done")
            return in.real(field, progress.done, 0, 1e15);
        if (key == "total")
            return total = in.real(field, progress.total, 0, 1e15);
        return key == "message" && in.text(field, progress.message, limits::message_bytes_max);
    });
    return ok && (total || in.missing(value.path, "total"));
}

bool decodeLeaseField(Decoder &in, QByteArrayView key, const Value &field, QByteArray &lease)
{
    return key == "lease" && in.name(field, lease, limits::name_bytes_max);
}

} // namespace

Result<JobSpec> decodeJob(QByteArrayView body)
{
    return whole(body, JobSpec(), decodeJobMap);
}

Result<QList<Result<JobSpec>>> decodeBatch(QByteArrayView body)
{
    bool given = false;
    return whole(body, QList<Result<JobSpec>>(), [&given](Decoder &in, const Value &root, QList<Result<JobSpec>> &jobs) {
        const bool ok = in.map(root, [&](QByteArrayView key, const Value &field) {
            given = key == "jobs";
            return given && in.array(field, limits::enqueue_batch_max, [&](const Value &element) {
                Decoder own;
                JobSpec spec;
                if (decodeJobMap(own, element, spec))
                    jobs.append(std::move(spec));
                else
                    jobs.append(own.error());
                return true;
            });
        });
        return ok && (given || in.missing(root.path, "jobs"));
    });
}

Result<ClaimBody> decodeClaim(QByteArrayView body)
{
    return whole(body, ClaimBody(), [](Decoder &in, const Value &root, ClaimBody &claim) {
        const bool ok = in.map(root, [&](QByteArrayView key, const Value &field) {
            if (key == "worker")
                return in.name(field, claim.request.worker, limits::name_bytes_max);
            return decodeClaimField(in, key, field, claim);
        });
        return ok && (!claim.request.worker.isEmpty() || in.missing(root.path, "worker"));
    });
}

Result<FinishItem> decodeOutcome(QByteArrayView body, JobId id)
{
    Result<Report> report = whole(
        body, Report(), [](Decoder &in, const Value &root, Report &out) { return decodeReport(in, root, out, false); });
    if (!report.ok())
        return report.error();
    report->item.id = id;
    return std::move(report->item);
}

Result<OutcomesBody> decodeOutcomes(QByteArrayView body)
{
    QByteArray worker;
    bool given = false;
    Result<OutcomesBody> result = whole(body, OutcomesBody(), [&](Decoder &in, const Value &root, OutcomesBody &out) {
        const bool ok = in.map(root, [&](QByteArrayView key, const Value &field) {
            if (key == "worker")
                return in.name(field, worker, limits::name_bytes_max);
            if (key == "claim") {
                out.claim.emplace();
                return in.map(field, [&](QByteArrayView inner, const Value &of) { return decodeClaimField(in, inner, of, *out.claim); });
            }
            given = given || key == "outcomes";
            return key == "outcomes" && in.array(field, limits::outcomes_batch_max, [&](const Value &element) {
                Decoder own;
                Report report;
                if (decodeReport(own, element, report, true))
                    out.items.append(std::move(report.item));
                else
                    out.items.append(own.error());
                return true;
            });
        });
        if (ok && worker.isEmpty())
            return in.missing(root.path, "worker");
        return ok && (given || in.missing(root.path, "outcomes"));
    });
    if (result.ok() && result->claim)
        result->claim->request.worker = worker;
    return result;
}

Result<HeartbeatItem> decodeHeartbeat(QByteArrayView body, JobId id)
{
    HeartbeatItem item;
    item.id = id;
    return whole(body, std::move(item), [](Decoder &in, const Value &root, HeartbeatItem &out) {
        const bool ok = in.map(root, [&](QByteArrayView key, const Value &field) {
            if (key == "progress")
                return decodeProgress(in, field, out.progress.emplace());
            return decodeLeaseField(in, key, field, out.lease);
        });
        return ok && (!out.lease.isEmpty() || in.missing(root.path, "lease"));
    });
}

Result<QList<HeartbeatItem>> decodeHeartbeats(QByteArrayView body)
{
    QByteArray worker;
    bool given = false;
    return whole(body, QList<HeartbeatItem>(), [&](Decoder &in, const Value &root, QList<HeartbeatItem> &out) {
        const auto element = [&](const Value &value) {
            HeartbeatItem item;
            const bool ok = in.map(value, [&](QByteArrayView key, const Value &field) {
                if (key == "id") {
                    const auto id = field.head.type == payload::Type::String ? JobId::fromText(field.head.bytes) : std::nullopt;
                    item.id = id.value_or(JobId());
                    return id.has_value() || in.fail(field.path, "must be a job id");
                }
                return decodeLeaseField(in, key, field, item.lease);
            });
            out.append(item);
            return ok && (!item.id.isNull() || in.missing(value.path, "id")) && (!item.lease.isEmpty() || in.missing(value.path, "lease"));
        };
        const bool ok = in.map(root, [&](QByteArrayView key, const Value &field) {
            if (key == "worker")
                return in.name(field, worker, limits::name_bytes_max);
            given = given || key == "leases";
            return key == "leases" && in.array(field, limits::heartbeats_batch_max, element);
        });
        if (ok && worker.isEmpty())
            return in.missing(root.path, "worker");
        return ok && (given || in.missing(root.path, "leases"));
    });
}

Result<ReleaseItem> decodeRelease(QByteArrayView body, JobId id)
{
    ReleaseItem item;
    item.id = id;
    item.jitter = Queue::drawJitter();
    return whole(body, std::move(item), [](Decoder &in, const Value &root, ReleaseItem &out) {
        const bool ok = in.map(root, [&](QByteArrayView key, const Value &field) {
            if (key == "delay")
                return in.duration(field, out.delay_ms, 0, limits::delay_s_max);
            return decodeLeaseField(in, key, field, out.lease);
        });
        return ok && (!out.lease.isEmpty() || in.missing(root.path, "lease"));
    });
}

Result<CancelItem> decodeCancel(QByteArrayView body, JobId id)
{
    CancelItem item;
    item.id = id;
    if (body.isEmpty())
        return item;
    return whole(body, std::move(item), [](Decoder &in, const Value &root, CancelItem &out) {
        return in.map(root, [&](QByteArrayView key, const Value &field) { return key == "force" && in.boolean(field, out.force); });
    });
}

Result<Done> decodeNothing(QByteArrayView body)
{
    if (body.isEmpty())
        return Done{};
    return whole(body, Done{}, [](Decoder &in, const Value &root, Done &) {
        return in.map(root, [](QByteArrayView, const Value &) { return false; });
    });
}

} // namespace junban::api
