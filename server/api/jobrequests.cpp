#include "core/jobs/jobfields.h"
#include "server/api/requestparts.h"

#include "core/limits.h"

// A job as a pusher describes it, alone, in a batch, after another and in an edit.
namespace junban::api {

namespace {

bool decodeTags(Decoder &in, const PackedValue &value, QList<QByteArray> &tags)
{
    tags.clear();
    return in.array(value, limits::tags_max, [&](const PackedValue &element) {
        QByteArray tag;
        const bool ok = in.name(element, tag, limits::name_bytes_max);
        tags.append(tag);
        return ok;
    });
}

// The job that a group's end brings: it is pushed in any case, so nothing in it may stand against that.
bool decodeCallback(Decoder &in, const PackedValue &value, JobSpec &spec)
{
    if (!readFields(in, value, newJobTable, &spec))
        return false;
    if (!spec.idempotencyKey.isEmpty())
        return in.fail({&value.path, "idempotency_key", -1}, "has no place in a job that another one brings about");
    if (spec.unique)
        return in.fail({&value.path, "unique", -1}, "has no place in a group's callback");
    return spec.dependsOn.isEmpty() || in.fail({&value.path, "depends_on", -1}, "has no place in a group's callback");
}

bool decodeEditField(Decoder &in, QByteArrayView key, const PackedValue &field, JobEdit &edit)
{
    if (key == "priority")
        return in.integer(field, edit.priority.emplace(), std::numeric_limits<qint32>::min(), std::numeric_limits<qint32>::max());
    if (key == "run_at")
        return in.isoTime(field, edit.runAt_ms.emplace());
    if (key == "argument")
        return in.any(field, edit.argument.emplace(), limits::argument_bytes_max);
    if (key == "tags")
        return decodeTags(in, field, edit.tags.emplace());
    if (key == "max_retry")
        return in.integer(field, edit.maxRetry.emplace(), 0, limits::max_retry_max);
    return key == "timeout" && in.duration(field, edit.timeout_ms.emplace(), limits::timeout_s_min, limits::timeout_s_max);
}

} // namespace

Result<JobSpec> decodeJob(QByteArrayView body)
{
    return unpackRequest(newJobTable, body);
}

Result<QList<Result<JobSpec>>> decodeBatch(QByteArrayView body)
{
    bool given = false;
    return whole(body, QList<Result<JobSpec>>(), [&given](Decoder &in, const PackedValue &root, QList<Result<JobSpec>> &jobs) {
        const bool ok = in.map(root, [&](QByteArrayView key, const PackedValue &field) {
            given = key == "jobs";
            return given && in.array(field, limits::enqueue_batch_max, [&](const PackedValue &element) {
                Decoder own;
                JobSpec spec;
                if (readFields(own, element, newJobTable, &spec))
                    jobs.append(std::move(spec));
                else
                    jobs.append(own.error());
                return true;
            });
        });
        return ok && (given || in.missing(root.path, "jobs"));
    });
}

Result<JobEdit> decodeEdit(QByteArrayView body)
{
    return whole(body, JobEdit(), [](Decoder &in, const PackedValue &root, JobEdit &edit) {
        const bool ok
            = in.map(root, [&](QByteArrayView key, const PackedValue &field) { return decodeEditField(in, key, field, edit); });
        return ok && (root.head.count > 0 || in.fail(root.path, "changes nothing"));
    });
}

Result<GroupBody> decodeGroup(QByteArrayView body)
{
    if (body.isEmpty())
        return GroupBody();
    return whole(body, GroupBody(), [](Decoder &in, const PackedValue &root, GroupBody &group) {
        return in.map(root, [&](QByteArrayView key, const PackedValue &field) {
            if (key == "open")
                return in.boolean(field, group.open.emplace());
            return key == "callback" && decodeCallback(in, field, group.callback.emplace());
        });
    });
}

} // namespace junban::api
