#include "core/limits/limitanswers.h"
#include "server/api/expectation.h"
#include "server/api/handlers.h"

#include <algorithm>

// Constraints: how much they are used, what they hold, why a job does not run, and changes of single keys.
namespace junban::api {

namespace {

answers::LiveConstraint liveConstraint(const ConstraintInspector::Live &live)
{
    const JobMatcher &matcher = *live.place.matcher;
    return {*live.place.constraint, matcher.id, matcher.title, matcher.enabled, matcher.editedBy, matcher.editedAt_ms, live.buckets,
        live.used, live.waiting, live.wouldHold, live.closed, live.opensAt_ms, live.complete};
}

// `ofAllKeys`: the limit of all keys together, which is a share's capacity.
std::optional<qint64> limitFor(const Constraint *constraint, const QByteArray &key, bool ofAllKeys)
{
    if (const auto *share = constraint && ofAllKeys ? std::get_if<ShareParameters>(&constraint->parameters) : nullptr)
        return share->capacity;
    return constraint ? limitOf(*constraint, key) : std::nullopt;
}

answers::Bucket bucketOf(const Constraint &constraint, const BucketState &state)
{
    static constexpr const char *breakerWords[] = {"closed", "open", "half_open"};
    const auto overrides = [&](const Override &override) { return override.key == state.key; };
    answers::Bucket bucket{state.key, state.used, limitOf(constraint, state.key), state.waiting, state.wouldHold, state.open,
        state.opensAt_ms, std::any_of(constraint.overrides.begin(), constraint.overrides.end(), overrides), state.holders, {}};
    if (constraint.kind() == ConstraintKind::Breaker)
        bucket.breaker = breakerWords[size_t(state.breaker)];
    return bucket;
}

answers::Held heldRow(const ConstraintInspector::HeldRow &row)
{
    const auto &[place, bucket] = row;
    const Constraint *constraint = place.constraint;
    return {place.matcher ? place.matcher->id : QByteArray(), constraint ? constraint->id : QByteArray(),
        constraint ? kindWord(constraint->kind()) : "too_many", bucket.key, std::max<qint64>(bucket.jobs, 1), bucket.used,
        limitFor(constraint, bucket.key, bucket.ofAllKeys), bucket.oldestAt_ms, bucket.opensAt_ms};
}

answers::Gate plainGate(const char *gate, bool passes, qint64 opensAt_ms = 0)
{
    using Status = answers::GateStatus;
    return {.gate = gate, .status = passes ? Status::Pass : Status::Holding, .opensAt_ms = passes ? 0 : opensAt_ms};
}

answers::Gate workersGate(const ConstraintInspector::Workers &workers)
{
    answers::Gate gate = plainGate("workers", workers.there);
    gate.waiting = workers.waiting;
    gate.askedAt_ms = workers.askedAt_ms;
    return gate;
}

answers::Gate gateOf(const BucketGate &gate, const ConstraintInspector::Place &place)
{
    const Constraint *constraint = place.constraint;
    answers::Gate shown = plainGate(constraint ? kindWord(constraint->kind()) : "too_many", gate.admits);
    if (gate.observed)
        shown.status = answers::GateStatus::Observed;
    shown.used = gate.used;
    shown.limit = limitFor(constraint, gate.key, gate.ofAllKeys);
    shown.waiting = gate.waiting;
    shown.opensAt_ms = gate.opensAt_ms;
    shown.holders = gate.holders;
    if (!constraint)
        return shown;
    shown.matcher = place.matcher->id;
    shown.constraint = constraint->id;
    shown.kind = shown.gate;
    shown.key = gate.key;
    shown.cost = gate.cost;
    shown.editedBy = place.matcher->editedBy;
    shown.editedAt_ms = place.matcher->editedAt_ms;
    if (const auto *pause = std::get_if<PauseParameters>(&constraint->parameters))
        shown.reason = pause->reason;
    return shown;
}

answers::ConstraintPage constraintPage(const ConstraintInspector::List &list)
{
    answers::ConstraintPage page;
    for (const ConstraintInspector::Live &live : list.constraints)
        page.constraints.append(liveConstraint(live));
    if (!list.end && !page.constraints.isEmpty())
        page.next = page.constraints.last().constraint.id;
    return page;
}

answers::BucketPage bucketPage(const ConstraintInspector::BucketPage &page)
{
    answers::BucketPage shown;
    for (const BucketState &bucket : page.buckets)
        shown.buckets.append(bucketOf(*page.place.constraint, bucket));
    if (page.next != 0)
        shown.next = QByteArray::number(page.next);
    return shown;
}

answers::HeldList heldList(const ConstraintInspector::Held &held)
{
    answers::HeldList list{{}, held.complete};
    for (const ConstraintInspector::HeldRow &row : held.rows)
        list.held.append(heldRow(row));
    return list;
}

answers::Explanation explanationOf(const ConstraintInspector::Explained &explained)
{
    const Job &job = explained.job;
    const bool waits = job.state == JobState::Ready || job.state == JobState::Scheduled || job.state == JobState::Depends;
    const bool due = job.state != JobState::Scheduled;
    answers::Explanation shown{job.state, explained.wouldRun};
    shown.gates = {plainGate("state", job.state == JobState::Ready || !due), plainGate("due", due, job.runAt_ms)};
    for (qsizetype i = 0; waits && i < explained.explanation.gates.size(); ++i)
        shown.gates.append(gateOf(explained.explanation.gates[i], explained.places[i]));
    if (explained.workers)
        shown.gates.append(workersGate(*explained.workers));
    if (const qint64 position = explained.explanation.position; position >= 0) {
        shown.gates.append(plainGate("position", position == 0));
        shown.position = position;
    }
    if (waits)
        shown.estimate_ms = explained.estimate_ms.value_or(0);
    return shown;
}

void listConstraints(const Parts &parts, const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::constraints_page_max, limits::page_rows_default);
    const Result<QByteArray> after = call.name("after");
    if (areRead(call, limit, after))
        parts.matching.inspector.list(
            *limit, *after, answering<ConstraintInspector::List>(call, answers::constraintPageTable, constraintPage));
}

void listBuckets(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("constraint");
    if (!id)
        return;
    bool ok = true;
    const QByteArray cursor = call.query.value("cursor");
    const quint64 from = cursor.isEmpty() ? 0 : cursor.toULongLong(&ok);
    if (!ok)
        call.fail(invalid("cursor", "is not one of ours"));
    else
        parts.matching.inspector.buckets(
            *id, from, answering<ConstraintInspector::BucketPage>(call, answers::bucketPageTable, bucketPage));
}

void overrideBucket(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("constraint");
    const std::optional<Expected> expected = id ? revisionOf(call) : std::nullopt;
    const QByteArray key = call.match().parameters.value(1);
    if (expected && areRead(call, Call::validName("key", key)))
        parts.matching.editor.overrideKey({*id, key, call.body}, *expected, editor, answeringSaved(call));
}

void changeBreaker(const Parts &parts, const Call &call, BreakerVerb verb)
{
    const std::optional<QByteArray> id = call.pathName("constraint");
    const auto query = id ? bodyOf(call, breakerTable(verb), {}, Body::MayBeEmpty) : std::nullopt;
    if (!query)
        return;
    const BreakerState to = verb == BreakerVerb::Trip ? BreakerState::Open : BreakerState::Closed;
    const Breakers::Change change{to, query->key, query->openFor_ms > 0 ? std::optional(query->openFor_ms) : std::nullopt};
    parts.matching.breakers.change(*id, change, editor,
        answering<Breakers::Changed>(call, answers::breakerChangedTable,
            [](const Breakers::Changed &changed) { return answers::BreakerChanged{changed.buckets, changed.opensAt_ms}; }));
}

void tripBreaker(const Parts &parts, const Call &call)
{
    changeBreaker(parts, call, BreakerVerb::Trip);
}

void resetBreaker(const Parts &parts, const Call &call)
{
    changeBreaker(parts, call, BreakerVerb::Reset);
}

void listHeld(const Parts &parts, const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    if (areRead(call, limit))
        parts.matching.inspector.held(*limit, answering<ConstraintInspector::Held>(call, answers::heldTable, heldList));
}

void explainJob(const Parts &parts, const Call &call)
{
    if (const std::optional<JobId> id = idOf(call))
        parts.matching.inspector.explain(
            *id, answering<ConstraintInspector::Explained>(call, answers::explanationTable, explanationOf));
}

constexpr Operation constraintHandlers[] = {
    {"listConstraints", listConstraints}, {"listBuckets", listBuckets}, {"overrideBucket", overrideBucket}, {"tripBreaker", tripBreaker},
    {"resetBreaker", resetBreaker}, {"listHeld", listHeld}, {"explainJob", explainJob},
};

} // namespace

const std::span<const Operation> constraintOperations = constraintHandlers;

} // namespace junban::api
