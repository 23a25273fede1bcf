#include "server/api/requestparts.h"

#include "core/base/isotime.h"
#include "core/limits.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/queue/queue.h"

// How an attempt ended, as its worker says, or as a message does for a job that was handed off.
namespace junban::api {

namespace {

// How a report says which attempt it is of.
enum class Of { Path, Id, MessageKey };

// What a report has, whichever its type is; checked against the type at the end, when everything is known.
struct Report {
    FinishItem item;
    QByteArray type;
    QByteArray reason;
    QList<QByteArray> given;
};

// A too large error value is replaced and a too long message cut: a report must not fail for its size.
bool decodeError(Decoder &in, const PackedValue &field, QByteArray &out)
{
    if (field.raw.size() <= limits::error_bytes_max)
        return in.any(field, out, limits::error_bytes_max);
    MsgpackWriter writer;
    out = writer.map(2).text("truncated").boolean(true).text("size").integer(field.raw.size()).take();
    return true;
}

bool decodeMessage(Decoder &in, const PackedValue &field, QByteArray &out)
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

bool decodeReportField(Decoder &in, QByteArrayView key, const PackedValue &field, Report &report)
{
    Outcome &outcome = report.item.outcome;
    report.given.append(key.toByteArray());
    if (key == "lease")
        return in.name(field, report.item.lease, limits::name_bytes_max);
    if (key == "type")
        return in.text(field, report.type, 16);
    if (key == "finished_at") {
        return in.text(field, outcome.finishedAt, limits::finished_at_bytes_max)
            && (fromAnyIsoTime(outcome.finishedAt) || in.fail(field.path, "must be an ISO 8601 time, e.g. 2026-01-02T03:04:05Z"));
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

bool decodeReport(Decoder &in, const PackedValue &value, Report &report, Of of)
{
    const bool ok = in.map(value, [&](QByteArrayView key, const PackedValue &field) {
        if (of == Of::Id && key == "id")
            return decodeId(in, field, report.item.id);
        return (of != Of::MessageKey || key != "lease") && decodeReportField(in, key, field, report);
    });
    if (!ok)
        return false;
    if (of == Of::Id && report.item.id.isNull())
        return in.missing(value.path, "id");
    static constexpr const char *always[] = {"lease", "type", "finished_at"};
    for (const char *key : always) {
        if (!report.given.contains(QByteArray(key)) && (of != Of::MessageKey || qstrcmp(key, "lease") != 0))
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

} // namespace

Result<FinishItem> decodeOutcome(QByteArrayView body, JobId id)
{
    Result<Report> report = whole(
        body, Report(), [](Decoder &in, const PackedValue &root, Report &out) { return decodeReport(in, root, out, Of::Path); });
    if (!report.ok())
        return report.error();
    report->item.id = id;
    return std::move(report->item);
}

Result<Outcome> decodeMessageOutcome(QByteArrayView body)
{
    Result<Report> report = whole(
        body, Report(), [](Decoder &in, const PackedValue &root, Report &out) { return decodeReport(in, root, out, Of::MessageKey); });
    if (!report.ok())
        return report.error();
    return std::move(report->item.outcome);
}

Result<OutcomesBody> decodeOutcomes(QByteArrayView body)
{
    QByteArray worker;
    bool given = false;
    Result<OutcomesBody> result = whole(body, OutcomesBody(), [&](Decoder &in, const PackedValue &root, OutcomesBody &out) {
        const bool ok = in.map(root, [&](QByteArrayView key, const PackedValue &field) {
            if (key == "worker")
                return in.name(field, worker, limits::name_bytes_max);
            if (key == "claim") {
                out.claim.emplace();
                return in.map(
                    field, [&](QByteArrayView inner, const PackedValue &of) { return decodeClaimField(in, inner, of, *out.claim); });
            }
            given = given || key == "outcomes";
            return key == "outcomes" && in.array(field, limits::outcomes_batch_max, [&](const PackedValue &element) {
                Decoder own;
                Report report;
                if (decodeReport(own, element, report, Of::Id))
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

} // namespace junban::api
