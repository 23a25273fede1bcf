#include "core/jobs/jobcalls.h"

#include "core/base/isotime.h"
#include "core/base/reasons/fields.h"
#include "core/base/reasons/requests.h"
#include "core/jobs/jobfields.h"
#include "core/jobs/statescodec.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/reasonfields.h"

namespace junban {

namespace {

constexpr const char *outcomeTypeWords[] = {"success", "failure"};
constexpr const char *failureReasonWords[] = {"other", "timeout"};

constexpr Field enqueuedFields[] = {
    field::jobId<&Enqueued::id>("id").needed(),
    field::jobState<&Enqueued::state>("state").needed(),
    field::boolean<&Enqueued::duplicate>("duplicate").rare(),
    field::word<&Enqueued::durability>("durability", durabilityWords).rare(),
};
constexpr Field answeredFields[] = {
    field::jobId<&Answered::id>("id").needed(),
    field::any<&Answered::outcome>("outcome").needed(),
    field::boolean<&Answered::duplicate>("duplicate").rare(),
};

constexpr Field batchFields[] = {field::batch<&Batch::jobs>("jobs", newJobTable).atMost(limits::enqueue_batch_max).needed()};

// --- Claims ------------------------------------------------------------------------------------------------------------------------------

using Names = codecs::ListOf<QList<QByteArray>, codecs::name>;
bool readNames(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    auto &names = *static_cast<QList<QByteArray> *>(member);
    names.clear();
    const bool ok = in.array(value, field.count_max, [&](const PackedValue &element) {
        QByteArray name;
        const bool read = in.name(element, name, limits::name_bytes_max);
        if (!names.contains(name))
            names.append(name);
        return read;
    });
    return ok && (!names.isEmpty() || in.fail(value.path, reasons::namesEmpty));
}
constexpr Codec namesCodec{readNames, Names::write, Names::same, "array", &codecs::name};

constexpr Field claimQueryFields[] = {
    field::bounded<&ClaimQuery::names, namesCodec>("names", limits::name_bytes_max).atMost(limits::claim_names_max),
    field::integer<&ClaimQuery::limit>("limit", 1, limits::claim_limit_max),
    field::duration<&ClaimQuery::wait_ms>("wait", 0, limits::claim_wait_s_max),
    field::duration<&ClaimQuery::lease_ms>("lease", limits::lease_s_min, limits::timeout_s_max),
};
constexpr Field claimBodyFields[] = {
    field::name<&ClaimBody::worker>("worker", limits::name_bytes_max).needed(),
    field::beside<&ClaimBody::query>(claimQueryTable),
    field::listOf<&ClaimBody::labels, codecs::name>("labels", limits::name_bytes_max).atMost(limits::worker_labels_max).rare(),
    field::caption<&ClaimBody::version>("version", limits::worker_version_bytes_max).rare(),
};
constexpr Field claimedFields[] = {field::list<&Claimed::jobs>("jobs", claimedJobTable).needed()};

// --- Reports -----------------------------------------------------------------------------------------------------------------------------

bool readFinishedAt(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    auto &text = *static_cast<QByteArray *>(member);
    if (!in.text(value, text, limits::finished_at_bytes_max))
        return false;
    const SentTime time = in.lenient() ? SentTime{fromAnyIsoTime(text)} : readTime(text, Zone::MayBeLeftOut);
    return time.at_ms || in.fail(value.path, time.refusal);
}
void writeUtf8(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.text(*static_cast<const QByteArray *>(member));
}
void writePacked(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.raw(*static_cast<const QByteArray *>(member));
}
constexpr Codec finishedAtCodec{readFinishedAt, writeUtf8, codecs::same<QByteArray>, "text"};

// An error value that is too large is replaced, and a message that is too long is cut: a report must not be refused for its size.
bool readError(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    auto &out = *static_cast<QByteArray *>(member);
    if (value.raw().size() <= limits::error_bytes_max)
        return in.any(value, out, limits::error_bytes_max);
    MsgpackWriter writer;
    out = writer.map(2).text("truncated").boolean(true).text("size").integer(value.raw().size()).take();
    return true;
}
constexpr Codec errorCodec{readError, writePacked, codecs::same<QByteArray>, "any"};

// Of a stack trace the first lines and the last ones are needed: which of them says the error differs by language.
bool readMessage(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    constexpr qsizetype head_bytes = limits::message_bytes_max * 5 / 8;
    static constexpr char mark[] = "\n    … (cut) …\n"; // indented as a frame is, so that no reader takes it for the error
    auto &out = *static_cast<QByteArray *>(member);
    if (!in.text(value, out, limits::http_batch_body_bytes_max))
        return false;
    if (out.size() <= limits::message_bytes_max)
        return true;
    const auto isInCharacter = [&out](qsizetype at) { return (static_cast<unsigned char>(out[at]) & 0xc0) == 0x80; };
    qsizetype headEnd = head_bytes;
    while (headEnd > 0 && isInCharacter(headEnd))
        --headEnd;
    qsizetype tail = out.size() - (limits::message_bytes_max - headEnd - qsizetype(sizeof mark - 1));
    while (tail < out.size() && isInCharacter(tail))
        ++tail;
    if (const qsizetype line = out.indexOf('\n', tail - 1); line >= 0 && line < out.size() - 1)
        tail = line + 1;
    out = out.first(headEnd) + mark + out.sliced(tail);
    return true;
}
constexpr Codec messageCodec{readMessage, writeUtf8, codecs::same<QByteArray>, "text"};

bool isSuccess(const void *object)
{
    return static_cast<const Outcome *>(object)->type == OutcomeType::Success;
}
bool isFailure(const void *object)
{
    return !isSuccess(object);
}
bool hasError(const void *object)
{
    return isFailure(object) && static_cast<const Outcome *>(object)->error != payload::nil;
}
bool hasMessage(const void *object)
{
    return isFailure(object) && !static_cast<const Outcome *>(object)->message.isEmpty();
}
bool hasDelay(const void *object)
{
    return isFailure(object) && static_cast<const Outcome *>(object)->retryAfter_ms.has_value();
}
constexpr Field messageFields[] = {
    field::word<&Outcome::type>("type", outcomeTypeWords).needed(),
    field::of<&Outcome::finishedAt, finishedAtCodec>("finished_at").upTo(limits::finished_at_bytes_max).needed(),
    field::any<&Outcome::result>("result", limits::result_bytes_max).onlyIf(isSuccess),
    field::word<&Outcome::reason>("reason", failureReasonWords).onlyIf(isFailure),
    field::boolean<&Outcome::shouldRetry>("should_retry").onlyIf(isFailure),
    field::of<&Outcome::error, errorCodec>("error").onlyIf(hasError),
    field::of<&Outcome::message, messageCodec>("message").onlyIf(hasMessage),
    field::duration<&Outcome::retryAfter_ms>("retry_after", 0, limits::delay_s_max).onlyIf(hasDelay),
};

// Some fields belong to a success only, others to a failure only.
bool checkOutcome(Decoder &in, const PackedValue &value, const Outcome &outcome, const FieldsSeen &seen)
{
    const bool success = outcome.type == OutcomeType::Success;
    static constexpr const char *ofFailures[] = {"reason", "should_retry", "error", "message", "retry_after"};
    static constexpr const char *ofSuccesses[] = {"result"};
    for (const char *key : success ? std::span<const char *const>(ofFailures) : std::span<const char *const>(ofSuccesses)) {
        if (seen.has(key))
            return in.fail({&value.path, key, -1}, reasons::reportFieldMisplaced, outcomeTypeWords[size_t(outcome.type)]);
    }
    static constexpr const char *successNeeds[] = {"result"};
    static constexpr const char *failureNeeds[] = {"reason", "should_retry"};
    for (const char *key : success ? std::span<const char *const>(successNeeds) : std::span<const char *const>(failureNeeds)) {
        if (!seen.has(key))
            return in.missing(value.path, key);
    }
    return true;
}
bool checkMessage(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &seen)
{
    return checkOutcome(in, value, *static_cast<const Outcome *>(object), seen);
}
bool checkReport(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &seen)
{
    return checkOutcome(in, value, static_cast<const FinishItem *>(object)->outcome, seen);
}
constexpr Field reportFields[] = {
    field::name<&FinishItem::lease>("lease", limits::name_bytes_max).needed(),
    field::beside<&FinishItem::outcome>(messageTable),
};
constexpr Field reportWithIdFields[] = {
    field::jobId<&FinishItem::id>("id").needed(),
    field::beside(reportTable),
};
constexpr Field outcomesFields[] = {
    field::name<&OutcomesBody::worker>("worker", limits::name_bytes_max).needed(),
    field::batch<&OutcomesBody::outcomes>("outcomes", reportWithIdTable).atMost(limits::outcomes_batch_max).needed(),
    field::object<&OutcomesBody::claim>("claim", claimQueryTable).rare(),
    field::listOf<&OutcomesBody::labels, codecs::name>("labels", limits::name_bytes_max).atMost(limits::worker_labels_max).rare(),
    field::caption<&OutcomesBody::version>("version", limits::worker_version_bytes_max).rare(),
};
constexpr Field finishedFields[] = {
    field::jobState<&Finished::state>("state").needed(),
    field::time<&Finished::runAt_ms>("run_at").rare(),
};

// --- Leases ------------------------------------------------------------------------------------------------------------------------------

constexpr Field heartbeatItemFields[] = {
    field::name<&HeartbeatItem::lease>("lease", limits::name_bytes_max).needed(),
    field::object<&HeartbeatItem::progress>("progress", progressTable).rare(),
};
constexpr Field heartbeatFields[] = {
    field::time<&Heartbeat::leaseExpiresAt_ms>("lease_expires_at").needed(),
    field::boolean<&Heartbeat::cancel>("cancel"),
};
constexpr Field leaseFields[] = {
    field::jobId<&HeartbeatItem::id>("id").needed(),
    field::name<&HeartbeatItem::lease>("lease", limits::name_bytes_max).needed(),
};
constexpr TableOf<HeartbeatItem> leaseTable{"HeartbeatsBody.leases", leaseFields};
constexpr Field heartbeatsBodyFields[] = {
    field::name<&HeartbeatsBody::worker>("worker", limits::name_bytes_max).needed(),
    field::batch<&HeartbeatsBody::leases>("leases", leaseTable).atMost(limits::heartbeats_batch_max).needed(),
};
constexpr Field releaseFields[] = {
    field::name<&ReleaseItem::lease>("lease", limits::name_bytes_max).needed(),
    field::duration<&ReleaseItem::delay_ms>("delay", 0, limits::delay_s_max),
};
constexpr Field cancelFields[] = {field::boolean<&CancelItem::force>("force")};
constexpr Field stateNowFields[] = {
    field::jobState<&StateNow::state>("state").needed(),
    field::boolean<&StateNow::cancelRequested>("cancel_requested").rare(),
};
constexpr Field handoffFields[] = {
    field::name<&HandoffItem::lease>("lease", limits::name_bytes_max).needed(),
    field::name<&HandoffItem::key>("key", limits::name_bytes_max).needed(),
    field::duration<&HandoffItem::timeout_ms>("timeout", limits::handoff_s_min, limits::handoff_s_max).needed(),
};
constexpr Field messageTakenFields[] = {
    field::jobId<&MessageTaken::id>("id").needed(),
    field::beside<&MessageTaken::finished>(finishedTable),
};

// --- Edits and groups --------------------------------------------------------------------------------------------------------------------

bool checkEdit(Decoder &in, const PackedValue &value, const void *, const FieldsSeen &seen)
{
    return (seen.any() || in.fail(value.path, reasons::nothingChanged)) && onlyOneOf(in, value, seen, "run_at", "delay");
}
constexpr Field jobEditFields[] = {
    field::integer<&JobEdit::priority>("priority", std::numeric_limits<qint32>::min(), std::numeric_limits<qint32>::max()).rare(),
    field::time<&JobEdit::runAt_ms>("run_at").rare(),
    field::duration<&JobEdit::delay_ms>("delay", 0, limits::delay_s_max).rare(),
    field::any<&JobEdit::argument>("argument", limits::argument_bytes_max).rare(),
    field::listOf<&JobEdit::tags, codecs::name>("tags", limits::name_bytes_max).atMost(limits::tags_max).rare(),
    field::integer<&JobEdit::maxRetry>("max_retry", 0, limits::max_retry_max).rare(),
    field::duration<&JobEdit::timeout_ms>("timeout", limits::timeout_s_min, limits::timeout_s_max).rare(),
};

// The job that is pushed when a group ends. Nothing in it may keep it from being pushed.
bool readCallback(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    if (!readFields(in, value, *field.table, member))
        return false;
    const JobSpec &spec = *static_cast<const JobSpec *>(member);
    if (!spec.idempotencyKey.isEmpty())
        return in.fail({&value.path, "idempotency_key", -1}, reasons::fieldForbiddenHere, "group_callback");
    if (spec.unique)
        return in.fail({&value.path, "unique", -1}, reasons::fieldForbiddenHere, "group_callback");
    return spec.dependsOn.isEmpty() || in.fail({&value.path, "depends_on", -1}, reasons::fieldForbiddenHere, "group_callback");
}
void writeCallback(MsgpackWriter &out, const void *member, const Field &field, Written written)
{
    writeFields(out, *field.table, member, written);
}
constexpr Codec callbackCodec{readCallback, writeCallback, codecs::same<JobSpec>, "object"};
constexpr Field groupBodyFields[] = {
    field::boolean<&GroupBody::open>("open").rare(),
    field::of<&GroupBody::callback, callbackCodec>("callback").describedBy(newJobTable).rare(),
    field::boolean<&GroupBody::shared>("shared").rare(),
};
constexpr Field coverageFields[] = {
    field::integer<&Coverage::scanned>("scanned"),
    field::integer<&Coverage::total>("total"),
    field::boolean<&Coverage::complete>("complete"),
};
constexpr Field jobPageFields[] = {
    field::list<&JobPage::jobs>("jobs", jobRowTable).needed(),
    field::text<&JobPage::next>("next").rare(),
    field::object<&JobPage::coverage>("coverage", coverageTable),
};

constexpr Field jobCountsFields[] = {
    field::of<&JobCounts::byState, codecs::states>("states").needed(),
    field::text<&JobCounts::next>("next").rare(),
    field::object<&JobCounts::coverage>("coverage", coverageTable),
};

constexpr Field callbackRefusedFields[] = {field::text<&Reason::text>("callback_refused").rare(), field::beside(reasonTable)};
constexpr TableOf<Reason> callbackRefusedTable{nullptr, callbackRefusedFields};
constexpr Field groupFields[] = {
    field::name<&Group::group>("group", limits::name_bytes_max).needed(),
    field::integer<&Group::total>("total", 0),
    field::integer<&Group::pending>("pending", 0),
    field::integer<&Group::succeeded>("succeeded", 0),
    field::integer<&Group::failed>("failed", 0),
    field::integer<&Group::cancelled>("cancelled", 0),
    field::boolean<&Group::open>("open"),
    field::boolean<&Group::hasCallback>("has_callback"),
    field::jobId<&Group::callback>("callback").rare(),
    field::beside<&Group::callbackRefused>(callbackRefusedTable),
    field::text<&Group::pusher>("pusher").rare(),
    field::boolean<&Group::shared>("shared"),
    field::time<&Group::createdAt_ms>("created_at"),
    field::time<&Group::endedAt_ms>("ended_at").rare(),
};

} // namespace

constinit const TableOf<Enqueued> enqueuedTable{"Enqueued", enqueuedFields};
constinit const TableOf<Answered> answeredTable{"Answered", answeredFields};
constinit const TableOf<Batch> batchTable{"Batch", batchFields};
constinit const TableOf<ClaimQuery> claimQueryTable{"Claim", claimQueryFields};
constinit const TableOf<ClaimBody> claimBodyTable{"ClaimBody", claimBodyFields};
constinit const TableOf<Claimed> claimedTable{"Claimed", claimedFields};
constinit const TableOf<Outcome> messageTable{"Message", messageFields, checkMessage};
constinit const TableOf<FinishItem> reportTable{"Report", reportFields, checkReport};
constinit const TableOf<FinishItem> reportWithIdTable{"ReportWithId", reportWithIdFields, checkReport};
constinit const TableOf<OutcomesBody> outcomesTable{"OutcomesBody", outcomesFields};
constinit const TableOf<Finished> finishedTable{"Finished", finishedFields};
constinit const TableOf<HeartbeatItem> heartbeatItemTable{"HeartbeatBody", heartbeatItemFields};
constinit const TableOf<Heartbeat> heartbeatTable{"Heartbeat", heartbeatFields};
constinit const TableOf<HeartbeatsBody> heartbeatsBodyTable{"HeartbeatsBody", heartbeatsBodyFields};
constinit const TableOf<ReleaseItem> releaseTable{"ReleaseBody", releaseFields};
constinit const TableOf<CancelItem> cancelTable{"CancelBody", cancelFields};
constinit const TableOf<StateNow> stateNowTable{"StateNow", stateNowFields};
constinit const TableOf<HandoffItem> handoffTable{"HandoffBody", handoffFields};
constinit const TableOf<MessageTaken> messageTakenTable{"MessageTaken", messageTakenFields};
constinit const TableOf<Nothing> nothingTable{"Nothing", {}};
constinit const TableOf<JobEdit> jobEditTable{"JobEdit", jobEditFields, checkEdit};
constinit const TableOf<Coverage> coverageTable{"Coverage", coverageFields};
constinit const TableOf<JobPage> jobPageTable{"JobList", jobPageFields};
constinit const TableOf<JobCounts> jobCountsTable{"JobCounts", jobCountsFields};
constinit const TableOf<GroupBody> groupBodyTable{"GroupBody", groupBodyFields};
constinit const TableOf<Group> groupTable{"Group", groupFields};

} // namespace junban
