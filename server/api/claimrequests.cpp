#include "server/api/requestparts.h"

#include "core/limits.h"
#include "core/queue/queue.h"

// What workers and operators ask for: jobs, leases, and that something stops.
namespace junban::api {

namespace {

bool decodeNames(Decoder &in, const PackedValue &value, QList<QByteArray> &names)
{
    const bool ok = in.array(value, limits::claim_names_max, [&](const PackedValue &element) {
        QByteArray name;
        const bool read = in.name(element, name, limits::name_bytes_max);
        if (!names.contains(name))
            names.append(name);
        return read;
    });
    return ok && (!names.isEmpty() || in.fail(value.path, "must name something; leave it out to accept every name"));
}

} // namespace

bool decodeClaimField(Decoder &in, QByteArrayView key, const PackedValue &field, ClaimBody &claim)
{
    if (key == "names")
        return decodeNames(in, field, claim.request.names);
    if (key == "limit")
        return in.integer(field, claim.request.limit, 1, limits::claim_limit_max);
    if (key == "wait")
        return in.duration(field, claim.wait_ms, 0, limits::claim_wait_s_max);
    return key == "lease" && in.duration(field, claim.request.lease_ms, limits::lease_s_min, limits::timeout_s_max);
}

namespace {

bool decodeProgress(Decoder &in, const PackedValue &value, Progress &progress)
{
    bool total = false;
    const bool ok = in.map(value, [&](QByteArrayView key, const PackedValue &field) {
        if (key == "done")
            return in.real(field, progress.done, 0, 1e15);
        if (key == "total")
            return total = in.real(field, progress.total, 0, 1e15);
        return key == "message" && in.text(field, progress.message, limits::message_bytes_max);
    });
    return ok && (total || in.missing(value.path, "total"));
}

bool decodeLeaseField(Decoder &in, QByteArrayView key, const PackedValue &field, QByteArray &lease)
{
    return key == "lease" && in.name(field, lease, limits::name_bytes_max);
}

} // namespace

Result<ClaimBody> decodeClaim(QByteArrayView body)
{
    return whole(body, ClaimBody(), [](Decoder &in, const PackedValue &root, ClaimBody &claim) {
        const bool ok = in.map(root, [&](QByteArrayView key, const PackedValue &field) {
            if (key == "worker")
                return in.name(field, claim.request.worker, limits::name_bytes_max);
            return decodeClaimField(in, key, field, claim);
        });
        return ok && (!claim.request.worker.isEmpty() || in.missing(root.path, "worker"));
    });
}

Result<HeartbeatItem> decodeHeartbeat(QByteArrayView body, JobId id)
{
    HeartbeatItem item;
    item.id = id;
    return whole(body, std::move(item), [](Decoder &in, const PackedValue &root, HeartbeatItem &out) {
        const bool ok = in.map(root, [&](QByteArrayView key, const PackedValue &field) {
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
    return whole(body, QList<HeartbeatItem>(), [&](Decoder &in, const PackedValue &root, QList<HeartbeatItem> &out) {
        const auto element = [&](const PackedValue &value) {
            HeartbeatItem item;
            const bool ok = in.map(value, [&](QByteArrayView key, const PackedValue &field) {
                if (key == "id")
                    return decodeId(in, field, item.id);
                return decodeLeaseField(in, key, field, item.lease);
            });
            out.append(item);
            return ok && (!item.id.isNull() || in.missing(value.path, "id")) && (!item.lease.isEmpty() || in.missing(value.path, "lease"));
        };
        const bool ok = in.map(root, [&](QByteArrayView key, const PackedValue &field) {
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
    return whole(body, std::move(item), [](Decoder &in, const PackedValue &root, ReleaseItem &out) {
        const bool ok = in.map(root, [&](QByteArrayView key, const PackedValue &field) {
            if (key == "delay")
                return in.duration(field, out.delay_ms, 0, limits::delay_s_max);
            return decodeLeaseField(in, key, field, out.lease);
        });
        return ok && (!out.lease.isEmpty() || in.missing(root.path, "lease"));
    });
}

Result<HandoffItem> decodeHandoff(QByteArrayView body, JobId id)
{
    HandoffItem item;
    item.id = id;
    return whole(body, std::move(item), [](Decoder &in, const PackedValue &root, HandoffItem &out) {
        const bool ok = in.map(root, [&](QByteArrayView key, const PackedValue &field) {
            if (key == "key")
                return in.name(field, out.key, limits::name_bytes_max);
            if (key == "timeout")
                return in.duration(field, out.timeout_ms, limits::handoff_s_min, limits::handoff_s_max);
            return decodeLeaseField(in, key, field, out.lease);
        });
        return ok && (!out.lease.isEmpty() || in.missing(root.path, "lease")) && (!out.key.isEmpty() || in.missing(root.path, "key"))
            && (out.timeout_ms > 0 || in.missing(root.path, "timeout"));
    });
}

Result<CancelItem> decodeCancel(QByteArrayView body, JobId id)
{
    CancelItem item;
    item.id = id;
    if (body.isEmpty())
        return item;
    return whole(body, std::move(item), [](Decoder &in, const PackedValue &root, CancelItem &out) {
        return in.map(root, [&](QByteArrayView key, const PackedValue &field) { return key == "force" && in.boolean(field, out.force); });
    });
}

Result<Done> decodeNothing(QByteArrayView body)
{
    if (body.isEmpty())
        return Done{};
    return whole(body, Done{}, [](Decoder &in, const PackedValue &root, Done &) {
        return in.map(root, [](QByteArrayView, const PackedValue &) { return false; });
    });
}

} // namespace junban::api
