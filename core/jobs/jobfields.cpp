#include "core/jobs/jobfields.h"

#include "core/base/reasons/fields.h"
#include "core/base/reasons/requests.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/reasonfields.h"

#include <limits>

namespace junban {

namespace {

bool readJobId(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    const auto id = value.head.type == payload::Type::String ? JobId::fromText(value.head.bytes) : std::nullopt;
    if (!id || id->isNull())
        return in.fail(value.path, reasons::jobIdExpected);
    *static_cast<JobId *>(member) = *id;
    return true;
}
void writeJobId(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.text(static_cast<const JobId *>(member)->text());
}

bool readJobState(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    const auto state = value.head.type == payload::Type::String ? stateFromWord(value.head.bytes) : std::nullopt;
    if (!state)
        return in.lenient() ? in.useless(value.path) : in.fail(value.path, reasons::jobStateExpected);
    *static_cast<JobState *>(member) = *state;
    return true;
}
void writeJobState(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.text(stateWord(*static_cast<const JobState *>(member)));
}

bool readWindows(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    Result<QList<Window>> windows = windowsFromMsgpack(value.raw(), value.path.text(), in.checksZones() ? Zones::Checked : Zones::Any);
    if (!windows.ok())
        return in.lenient() ? false : in.refuse(windows.error());
    *static_cast<QList<Window> *>(member) = std::move(*windows);
    return true;
}
void writeWindows(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.raw(windowsToMsgpack(*static_cast<const QList<Window> *>(member)));
}
constexpr Codec windowsCodec{readWindows, writeWindows, codecs::same<QList<Window>>, "windows"};

using IdList = codecs::ListOf<QList<JobId>, codecs::jobId>;
bool readDependencies(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    auto &ids = *static_cast<QList<JobId> *>(member);
    ids.clear();
    return in.array(value, field.count_max, [&](const PackedValue &element) {
        JobId id;
        if (!readJobId(in, element, &id, field))
            return false;
        if (ids.contains(id))
            return in.fail(element.path, reasons::fieldGivenTwice);
        ids.append(id);
        return true;
    });
}
constexpr Codec dependenciesCodec{readDependencies, IdList::write, IdList::same, "array", &codecs::jobId};

// In how many `then` a value is nested.
int depthOf(const FieldPath &path)
{
    return (path.key == "then" ? 1 : 0) + (path.parent ? depthOf(*path.parent) : 0);
}

// A job in `then`. When it is enqueued there is no request, so it cannot have an idempotency key, and no answer can wait for a durability.
bool readFollower(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    if (!readFields(in, value, *field.table, member))
        return false;
    const JobSpec &spec = *static_cast<const JobSpec *>(member);
    if (spec.durability)
        return in.fail({&value.path, "durability", -1}, reasons::fieldForbiddenHere, "job_of_then");
    return spec.idempotencyKey.isEmpty()
        || in.fail({&value.path, "idempotency_key", -1}, reasons::fieldForbiddenHere, "job_of_then");
}
void writeFollower(MsgpackWriter &out, const void *member, const Field &field, Written written)
{
    writeFields(out, *field.table, member, written);
}
bool sameFollower(const void *a, const void *b, const Field &field)
{
    return sameFields(*field.table, a, b);
}
constexpr Codec followerCodec{readFollower, writeFollower, sameFollower, "object"};

using Followers = codecs::ListOf<std::vector<JobSpec>, followerCodec>;
bool readThen(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    if (!in.lenient() && depthOf(value.path) > limits::then_depth_max)
        return in.fail(value.path, reasons::thenTooDeep, limits::then_depth_max);
    return Followers::read(in, value, member, field);
}
constexpr Codec thenCodec{readThen, Followers::write, Followers::same, "array", &followerCodec};

bool checkBackoff(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &)
{
    const auto &backoff = *static_cast<const Backoff *>(object);
    return backoff.max_ms >= backoff.base_ms || in.fail(value.path, reasons::backoffMaxBelowBase);
}

constexpr Field backoffFields[] = {
    field::duration<&Backoff::base_ms>("base", 0, limits::backoff_base_s_max),
    field::real<&Backoff::factor>("factor", 1, limits::backoff_factor_max),
    field::duration<&Backoff::max_ms>("max", 0, limits::backoff_max_s_max),
    field::real<&Backoff::jitter>("jitter", 0, limits::backoff_jitter_max),
};

constexpr Field uniqueFields[] = {
    field::name<&Unique::key>("key", limits::name_bytes_max).rare(),
    field::word<&Unique::until>("until", uniqueUntilWords),
    field::word<&Unique::onConflict>("on_conflict", onConflictWords),
};

constexpr Field passiveFields[] = {
    field::caption<&JobSpec::trace>("trace", limits::trace_bytes_max).rare(),
};

constexpr Field plainFields[] = {
    field::integer<&JobSpec::priority>("priority", std::numeric_limits<qint32>::min(), std::numeric_limits<qint32>::max()),
    field::integer<&JobSpec::maxRetry>("max_retry", 0, limits::max_retry_max),
    field::boolean<&JobSpec::keepResult>("keep_result"),
    field::duration<&JobSpec::timeout_ms>("timeout", limits::timeout_s_min, limits::timeout_s_max),
    field::duration<&JobSpec::resultTtl_ms>("result_ttl", limits::result_ttl_s_min, limits::result_ttl_s_max),
    field::object<&JobSpec::backoff>("backoff", backoffTable),
    field::listOf<&JobSpec::tags, codecs::name>("tags", limits::name_bytes_max).atMost(limits::tags_max),
};
constexpr TableOf<JobSpec> plainTable{nullptr, plainFields};

bool hasDependencies(const void *object)
{
    return !static_cast<const JobSpec *>(object)->dependsOn.isEmpty();
}
// The fields that most jobs do not have.
constexpr Field specialFields[] = {
    field::beside(passiveTable),
    field::of<&JobSpec::windows, windowsCodec>("windows").atMost(limits::windows_max).rare(),
    field::object<&JobSpec::unique>("unique", uniqueTable).rare(),
    field::of<&JobSpec::dependsOn, dependenciesCodec>("depends_on").atMost(limits::depends_on_max).rare(),
    field::word<&JobSpec::onDependencyFailure>("on_dependency_failure", onDependencyFailureWords).onlyIf(hasDependencies),
    field::of<&JobSpec::then, thenCodec>("then").atMost(limits::then_max).rare().describedBy(newJobTable),
    field::duration<&JobSpec::expiresIn_ms>("expires_in", limits::expires_in_s_min, limits::expires_in_s_max).rare(),
    field::name<&JobSpec::group>("group", limits::name_bytes_max).rare(),
};
constexpr TableOf<JobSpec> specialTable{nullptr, specialFields};

bool checkNewJob(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &)
{
    const auto &spec = *static_cast<const JobSpec *>(object);
    if (spec.delay_ms > 0 && spec.runAt_ms)
        return in.fail({&value.path, "run_at", -1}, reasons::fieldExcludes, "delay");
    return spec.expiresIn_ms == 0 || spec.delay_ms < spec.expiresIn_ms
        || in.fail({&value.path, "expires_in", -1}, reasons::expiryBeforeStart, "delay");
}
bool always(const void *)
{
    return true;
}
constexpr Field newJobFields[] = {
    field::name<&JobSpec::name>("name", limits::name_bytes_max).needed(),
    field::any<&JobSpec::argument>("argument", limits::argument_bytes_max).onlyIf(always),
    field::beside(plainTable),
    field::duration<&JobSpec::delay_ms>("delay", 0, limits::delay_s_max).rare(),
    field::time<&JobSpec::runAt_ms>("run_at").rare(),
    field::name<&JobSpec::idempotencyKey>("idempotency_key", limits::name_bytes_max).rare(),
    field::word<&JobSpec::durability>("durability", durabilityWords).rare(),
    field::beside(specialTable),
};

constexpr Field claimedSpecFields[] = {
    field::integer<&JobSpec::maxRetry>("max_retry"),
    field::duration<&JobSpec::timeout_ms>("timeout", limits::timeout_s_min, limits::timeout_s_max),
    field::boolean<&JobSpec::keepResult>("keep_result"),
};
constexpr TableOf<JobSpec> claimedSpecTable{nullptr, claimedSpecFields};
constexpr Field claimedHeadFields[] = {
    field::name<&JobSpec::name>("name", limits::name_bytes_max),
    field::any<&JobSpec::argument>("argument"),
    field::integer<&JobSpec::priority>("priority"),
};
constexpr TableOf<JobSpec> claimedHeadTable{nullptr, claimedHeadFields};
constexpr Field claimedTailFields[] = {
    field::listOf<&JobSpec::tags, codecs::name>("tags").rare(),
    field::beside(passiveTable),
};
constexpr TableOf<JobSpec> claimedTailTable{nullptr, claimedTailFields};
constexpr Field claimedJobFields[] = {
    field::jobId<&ClaimedJob::id>("id").needed(),
    field::beside<&ClaimedJob::spec>(claimedHeadTable),
    field::integer<&ClaimedJob::attempt>("attempt", 1),
    field::beside<&ClaimedJob::spec>(claimedSpecTable),
    field::text<&ClaimedJob::lease>("lease").needed(),
    field::time<&ClaimedJob::leaseExpiresAt_ms>("lease_expires_at"),
    field::time<&ClaimedJob::deadline_ms>("deadline"),
    field::beside<&ClaimedJob::spec>(claimedTailTable),
};

bool endedBadly(const void *object)
{
    const auto &attempt = *static_cast<const Attempt *>(object);
    return !attempt.ended.isEmpty() && attempt.ended != "success";
}
constexpr Field attemptFields[] = {
    field::integer<&Attempt::number>("attempt"),
    field::text<&Attempt::worker>("worker"),
    field::time<&Attempt::startedAt_ms>("started_at"),
    field::time<&Attempt::endedAt_ms>("ended_at").rare(),
    field::text<&Attempt::ended>("ended").rare(),
    field::text<&Attempt::message>("message").rare(),
    field::boolean<&Attempt::shouldRetry>("should_retry").onlyIf(endedBadly),
    field::time<&Attempt::nextRunAt_ms>("next_run_at").rare(),
};

constexpr Field transitionFields[] = {
    field::time<&Transition::at_ms>("at"),
    field::text<&Transition::what>("what"),
    field::text<&Transition::actor>("actor"),
    field::text<&Transition::worker>("worker").rare(),
    field::integer<&Transition::attempt>("attempt", 1).rare(),
    field::text<&Transition::message>("message").rare(),
    field::text<&Transition::reason>("reason").rare(),
    field::time<&Transition::runAt_ms>("run_at").rare(),
    field::any<&Transition::details>("details").rare(),
};

// --- A job as operators and pushers see it ---------------------------------------------------------------------------------------------

bool hasWholeArgument(const void *object)
{
    const auto &job = *static_cast<const Job *>(object);
    return job.masked || job.argument_bytes == job.spec.argument.size();
}
void *argumentOf(void *job)
{
    return &static_cast<Job *>(job)->spec.argument;
}
constexpr Field jobNameFields[] = {field::name<&JobSpec::name>("name", limits::name_bytes_max)};
constexpr TableOf<JobSpec> jobNameTable{nullptr, jobNameFields};
constexpr Field jobPusherFields[] = {field::text<&JobSpec::pusher>("pusher").rare()};
constexpr TableOf<JobSpec> jobPusherTable{nullptr, jobPusherFields};

constexpr Field progressFields[] = {
    field::real<&Progress::done>("done", 0, limits::progress_max),
    field::real<&Progress::total>("total", 0, limits::progress_max).needed(),
    field::text<&Progress::message>("message", limits::message_bytes_max).rare(),
};
bool hasProgress(const void *object)
{
    return static_cast<const Job *>(object)->progress.total > 0;
}

constexpr Field jobHoldFields[] = {
    field::text<&JobHold::matcher>("matcher").rare(),
    field::text<&JobHold::title>("title").rare(),
    field::text<&JobHold::constraint>("constraint").rare(),
    field::text<&JobHold::kind>("kind").needed(),
    field::text<&JobHold::key>("key").rare(),
    field::time<&JobHold::opensAt_ms>("opens_at").rare(),
    field::object<&JobHold::why>("why", explainedTable).rare(),
};
constexpr TableOf<JobHold> jobHoldTable{"Job.held_by", jobHoldFields};
bool isHeld(const void *object)
{
    return !static_cast<const Job *>(object)->heldBy.kind.isEmpty();
}
constexpr Field jobRowFields[] = {
    field::jobId<&Job::id>("id").needed(),
    field::beside<&Job::spec>(jobNameTable),
    field::any<&JobSpec::argument>("argument").in(argumentOf).onlyIf(hasWholeArgument),
    field::integer<&Job::argument_bytes>("argument_bytes"),
    field::boolean<&Job::masked>("masked").rare(),
    field::beside<&Job::spec>(plainTable),
    field::beside<&Job::spec>(specialTable),
    field::beside<&Job::spec>(jobPusherTable),
    field::jobState<&Job::state>("state").needed(),
    field::integer<&Job::attempt>("attempt"),
    field::integer<&Job::failures>("failures"),
    field::integer<&Job::dependenciesLeft>("dependencies_left", 1).rare(),
    field::time<&Job::createdAt_ms>("created_at"),
    field::time<&Job::runAt_ms>("run_at").rare(),
    field::time<&Job::expiresAt_ms>("expires_at").rare(),
    field::time<&Job::startedAt_ms>("started_at").rare(),
    field::time<&Job::finishedAt_ms>("finished_at").rare(),
    field::text<&Job::worker>("worker").rare(),
    field::time<&Job::leaseExpiresAt_ms>("lease_expires_at").rare(),
    field::time<&Job::deadline_ms>("deadline").rare(),
    field::boolean<&Job::cancelRequested>("cancel_requested").rare(),
    field::object<&Job::progress>("progress", progressTable).onlyIf(hasProgress),
    field::text<&Job::reason>("reason").rare(),
    field::text<&Job::message>("message").rare(),
    field::boolean<&Job::resultKept>("result_kept"),
    field::boolean<&Job::tracked>("tracked").rare(),
    field::time<&Job::deletedAt_ms>("deleted_at").rare(),
    field::object<&Job::heldBy>("held_by", jobHoldTable).onlyIf(isHeld),
};

constexpr Field jobFields[] = {
    field::beside(jobRowTable),
    field::any<&Job::outcome>("outcome").rare(),
    field::list<&Job::attempts>("attempts", attemptTable).atMost(limits::attempts_kept_max).written(),
    field::list<&Job::history>("history", transitionTable).written(),
};

} // namespace

namespace codecs {
constinit const Codec jobId{readJobId, writeJobId, same<JobId>, "id"};
constinit const Codec jobState{readJobState, writeJobState, same<JobState>, "state"};
} // namespace codecs

constinit const TableOf<Backoff> backoffTable{"Backoff", backoffFields, checkBackoff};
constinit const TableOf<Unique> uniqueTable{"Unique", uniqueFields};
constinit const TableOf<JobSpec> passiveTable{nullptr, passiveFields};
constinit const TableOf<JobSpec> newJobTable{"NewJob", newJobFields, checkNewJob};
constinit const TableOf<ClaimedJob> claimedJobTable{"ClaimedJob", claimedJobFields};
constinit const TableOf<Attempt> attemptTable{"Attempt", attemptFields};
constinit const TableOf<Transition> transitionTable{"Transition", transitionFields};
constinit const TableOf<Progress> progressTable{"Progress", progressFields};
constinit const TableOf<Job> jobRowTable{nullptr, jobRowFields};
constinit const TableOf<Job> jobTable{"Job", jobFields};

} // namespace junban
