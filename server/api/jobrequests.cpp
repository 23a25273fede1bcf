#include "server/api/requestparts.h"

#include "core/limits.h"

// A job as a pusher describes it, alone, in a batch, after another and in an edit.
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
    tags.clear();
    return in.array(value, limits::tags_max, [&](const Value &element) {
        QByteArray tag;
        const bool ok = in.name(element, tag, limits::name_bytes_max);
        tags.append(tag);
        return ok;
    });
}

bool decodeWindows(Decoder &in, const Value &field, QList<Window> &windows)
{
    Result<QList<Window>> read = windowsFromMsgpack(field.raw, field.path.text());
    if (!read.ok())
        return in.refuse(read.error());
    windows = std::move(*read);
    return true;
}

bool decodeUnique(Decoder &in, const Value &value, Unique &unique)
{
    return in.map(value, [&](QByteArrayView key, const Value &field) {
        if (key == "key")
            return in.name(field, unique.key, limits::name_bytes_max);
        if (key == "until")
            return decodeWord(in, field, unique.until, uniqueUntilWords);
        return key == "on_conflict" && decodeWord(in, field, unique.onConflict, onConflictWords);
    });
}

bool decodeDependencies(Decoder &in, const Value &value, QList<JobId> &ids)
{
    return in.array(value, limits::depends_on_max, [&](const Value &element) {
        JobId id;
        if (!decodeId(in, element, id))
            return false;
        if (ids.contains(id))
            return in.fail(element.path, "stands there twice");
        ids.append(id);
        return true;
    });
}

// A job that another one brings about: who pushed it is over by then, so it has no key of a request's.
bool decodeFollower(Decoder &in, const Value &value, JobSpec &spec, int depth);

bool decodeThen(Decoder &in, const Value &value, std::vector<JobSpec> &specs, int depth)
{
    if (depth >= limits::then_depth_max)
        return in.fail(value.path, "is nested deeper than " + QByteArray::number(limits::then_depth_max) + " levels", ErrorCode::TooLarge);
    return in.array(value, limits::then_max, [&](const Value &element) {
        return decodeFollower(in, element, specs.emplace_back(), depth + 1);
    });
}

// The fields of the first version, which most jobs have only.
bool decodePlainField(Decoder &in, QByteArrayView key, const Value &field, JobSpec &spec)
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

// What the answer waits for is of a push alone, not of a job that follows another.
bool decodeDurability(Decoder &in, const Value &field, std::optional<DurabilityLevel> &out, int depth)
{
    if (depth > 0)
        return in.fail(field.path, "has no place in a job that follows another");
    out = field.head.type == payload::Type::String ? durabilityFromWord(field.head.bytes) : std::nullopt;
    return out.has_value() || in.fail(field.path, "must be \"default\", \"fsync\" or \"replicated\"");
}

bool decodeJobField(Decoder &in, QByteArrayView key, const Value &field, JobSpec &spec, int depth)
{
    if (key == "durability")
        return decodeDurability(in, field, spec.durability, depth);
    if (key == "windows")
        return decodeWindows(in, field, spec.windows);
    if (key == "unique")
        return decodeUnique(in, field, spec.unique.emplace());
    if (key == "depends_on")
        return decodeDependencies(in, field, spec.dependsOn);
    if (key == "on_dependency_failure")
        return decodeWord(in, field, spec.onDependencyFailure, onDependencyFailureWords);
    if (key == "then")
        return decodeThen(in, field, spec.then, depth);
    if (key == "expires_in")
        return in.duration(field, spec.expiresIn_ms, limits::expires_in_s_min, limits::expires_in_s_max);
    if (key == "group")
        return in.name(field, spec.group, limits::name_bytes_max);
    return decodePlainField(in, key, field, spec);
}

bool decodeJobAt(Decoder &in, const Value &value, JobSpec &spec, int depth)
{
    const bool ok
        = in.map(value, [&](QByteArrayView key, const Value &field) { return decodeJobField(in, key, field, spec, depth); });
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

bool decodeFollower(Decoder &in, const Value &value, JobSpec &spec, int depth)
{
    if (!decodeJobAt(in, value, spec, depth))
        return false;
    return spec.idempotencyKey.isEmpty()
        || in.fail({&value.path, "idempotency_key", -1}, "has no place in a job that another one brings about");
}

// The job that a group's end brings: it is pushed in any case, so nothing in it may stand against that.
bool decodeCallback(Decoder &in, const Value &value, JobSpec &spec)
{
    if (!decodeFollower(in, value, spec, 0))
        return false;
    if (spec.unique)
        return in.fail({&value.path, "unique", -1}, "has no place in a group's callback");
    return spec.dependsOn.isEmpty() || in.fail({&value.path, "depends_on", -1}, "has no place in a group's callback");
}

bool decodeEditField(Decoder &in, QByteArrayView key, const Value &field, JobEdit &edit)
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

bool decodeJobMap(Decoder &in, const Value &value, JobSpec &spec)
{
    return decodeJobAt(in, value, spec, 0);
}

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

Result<JobEdit> decodeEdit(QByteArrayView body)
{
    return whole(body, JobEdit(), [](Decoder &in, const Value &root, JobEdit &edit) {
        const bool ok
            = in.map(root, [&](QByteArrayView key, const Value &field) { return decodeEditField(in, key, field, edit); });
        return ok && (root.head.count > 0 || in.fail(root.path, "changes nothing"));
    });
}

Result<GroupBody> decodeGroup(QByteArrayView body)
{
    if (body.isEmpty())
        return GroupBody();
    return whole(body, GroupBody(), [](Decoder &in, const Value &root, GroupBody &group) {
        return in.map(root, [&](QByteArrayView key, const Value &field) {
            if (key == "open")
                return in.boolean(field, group.open.emplace());
            return key == "callback" && decodeCallback(in, field, group.callback.emplace());
        });
    });
}

} // namespace junban::api
