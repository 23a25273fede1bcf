#include "client/apiencode.h"

#include "core/base/isotime.h"
#include "core/jobs/jobfields.h"
#include "core/msgpack/mapwriter.h"

namespace junban::client {

namespace {

QByteArray texts(const QList<QByteArray> &values)
{
    MsgpackWriter writer;
    writer.array(values.size());
    for (const QByteArray &value : values)
        writer.text(value);
    return writer.take();
}

void writeClaim(MapWriter &map, const ClaimQuery &query)
{
    if (!query.names.isEmpty())
        map.key("names").raw(texts(query.names));
    if (query.limit != 1)
        map.key("limit").integer(query.limit);
    if (query.wait_ms > 0)
        map.seconds("wait", query.wait_ms);
    if (query.lease_ms > 0)
        map.seconds("lease", query.lease_ms);
}

void writeOutcome(MapWriter &map, const Outcome &outcome)
{
    const bool success = outcome.type == OutcomeType::Success;
    map.key("type").text(success ? "success" : "failure");
    map.key("finished_at").text(outcome.finishedAt);
    if (success) {
        map.key("result").raw(outcome.result);
        return;
    }
    map.key("reason").text(failureReasonWord(outcome.reason));
    map.key("should_retry").boolean(outcome.shouldRetry);
    if (outcome.error != payload::nil)
        map.key("error").raw(outcome.error);
    if (!outcome.message.isEmpty())
        map.key("message").text(outcome.message);
    if (outcome.retryAfter_ms)
        map.seconds("retry_after", *outcome.retryAfter_ms);
}

enum class Naming { InPath, InBody }; // where the job's id stands

QByteArray encodeOneReport(const Report &report, Naming naming)
{
    MapWriter map;
    if (naming == Naming::InBody)
        map.key("id").text(report.lease.id.text());
    map.key("lease").text(report.lease.lease);
    writeOutcome(map, report.outcome);
    return map.take();
}

} // namespace

QByteArray encodeJob(const JobSpec &job, const QList<QByteArray> &then)
{
    const QByteArray map = pack(newJobTable, job, Written::Sparse);
    if (then.isEmpty())
        return map;
    payload::Reader reader(map);
    const quint32 pairs = reader.next()->count;
    MsgpackWriter whole;
    whole.map(pairs + 1).raw(QByteArrayView(map).sliced(reader.offset())).text("then").array(then.size());
    for (const QByteArray &next : then)
        whole.raw(next);
    return whole.take();
}

QByteArray encodeEdit(const JobEdit &edit)
{
    MapWriter map;
    if (edit.priority)
        map.key("priority").integer(*edit.priority);
    if (edit.runAt_ms)
        map.key("run_at").text(isoTime(*edit.runAt_ms));
    if (edit.argument)
        map.key("argument").raw(*edit.argument);
    if (edit.tags)
        map.key("tags").raw(texts(*edit.tags));
    if (edit.maxRetry)
        map.key("max_retry").integer(*edit.maxRetry);
    if (edit.timeout_ms)
        map.seconds("timeout", *edit.timeout_ms);
    return map.take();
}

QByteArray encodeHandoff(const Lease &lease, const QByteArray &key, qint64 timeout_ms)
{
    MapWriter map;
    map.key("lease").text(lease.lease);
    map.key("key").text(key);
    map.seconds("timeout", timeout_ms);
    return map.take();
}

QByteArray encodeMessage(const Outcome &outcome)
{
    MapWriter map;
    writeOutcome(map, outcome);
    return map.take();
}

QByteArray encodeGroup(const GroupChange &change)
{
    MapWriter map;
    if (change.open)
        map.key("open").boolean(*change.open);
    if (change.callback)
        map.key("callback").raw(encodeJob(*change.callback));
    return map.take();
}

QByteArray encodeBatch(const QList<JobSpec> &jobs)
{
    MsgpackWriter writer;
    writer.map(1).text("jobs").array(jobs.size());
    for (const JobSpec &job : jobs)
        writer.raw(encodeJob(job));
    return writer.take();
}

QByteArray encodeClaim(const QByteArray &worker, const ClaimQuery &query)
{
    MapWriter map;
    map.key("worker").text(worker);
    writeClaim(map, query);
    return map.take();
}

QByteArray encodeReport(const Report &report)
{
    return encodeOneReport(report, Naming::InPath);
}

QByteArray encodeReports(const QByteArray &worker, const QList<Report> &reports, const std::optional<ClaimQuery> &next)
{
    MapWriter map;
    map.key("worker").text(worker);
    MsgpackWriter &outcomes = map.key("outcomes").array(reports.size());
    for (const Report &report : reports)
        outcomes.raw(encodeOneReport(report, Naming::InBody));
    if (next) {
        MapWriter claim;
        writeClaim(claim, *next);
        map.key("claim").raw(claim.take());
    }
    return map.take();
}

QByteArray encodeHeartbeat(const Lease &lease, const std::optional<Progress> &progress)
{
    MapWriter map;
    map.key("lease").text(lease.lease);
    if (progress) {
        MapWriter inner;
        inner.key("done").real(progress->done);
        inner.key("total").real(progress->total);
        if (!progress->message.isEmpty())
            inner.key("message").text(progress->message);
        map.key("progress").raw(inner.take());
    }
    return map.take();
}

QByteArray encodeHeartbeats(const QByteArray &worker, const QList<Lease> &leases)
{
    MsgpackWriter writer;
    writer.map(2).text("worker").text(worker).text("leases").array(leases.size());
    for (const Lease &lease : leases)
        writer.map(2).text("id").text(lease.id.text()).text("lease").text(lease.lease);
    return writer.take();
}

QByteArray encodeRelease(const Lease &lease, qint64 delay_ms)
{
    MapWriter map;
    map.key("lease").text(lease.lease);
    if (delay_ms > 0)
        map.seconds("delay", delay_ms);
    return map.take();
}

QByteArray encodeCancel(CancelMode mode)
{
    MsgpackWriter writer;
    if (mode == CancelMode::Ask)
        return writer.map(0).take();
    return writer.map(1).text("force").boolean(true).take();
}

QByteArray encodeNothing()
{
    return MsgpackWriter().map(0).take();
}

} // namespace junban::client
