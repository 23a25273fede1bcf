#include "server/api/matcherbodies.h"

#include "core/limits/limitanswers.h"
#include "server/api/answers.h"
#include "server/api/mapbuilder.h"

#include <algorithm>

namespace junban::api {

namespace {

// A packed map with one more field.
QByteArray withField(const QByteArray &map, const char *name, const QByteArray &packed)
{
    payload::Reader reader(map);
    const auto head = reader.next();
    return MsgpackWriter().map(qsizetype(head->count) + 1).raw(QByteArrayView(map).sliced(reader.offset())).text(name).raw(packed).take();
}

MatchableNames shownNames(const cel::NameSet &names)
{
    const auto first = [](const QList<QByteArray> &all) { return all.mid(0, limits::matcher_names_shown_max); };
    return {names.word(), first(names.names()), names.isAny() ? QList<QByteArray>() : first(names.prefixes())};
}

answers::SavedMatcher savedMatcher(const CompiledMatcher &compiled)
{
    return {compiled.matcher(), shownNames(compiled.names())};
}

answers::SavedMatcher savedMatcher(const JobMatcher &matcher)
{
    const MatcherCompilation compilation = CompiledMatcher::compile(matcher);
    return compilation.matcher ? savedMatcher(*compilation.matcher) : answers::SavedMatcher{matcher};
}

answers::LiveConstraint liveConstraint(const ConstraintInspector::Live &live)
{
    const JobMatcher &matcher = *live.place.matcher;
    return {*live.place.constraint, matcher.id, matcher.title, matcher.enabled, matcher.editedBy, matcher.editedAt_ms, live.buckets,
        live.used, live.waiting, live.wouldHold, live.closed, live.opensAt_ms, live.complete};
}

// `ofAllKeys`: what all keys use together is held against it, a share's capacity.
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

answers::Pause pauseOf(const JobMatcher &matcher)
{
    const auto &pause = std::get<PauseParameters>(matcher.constraints.first().parameters);
    return {matcher.id, matcher.expression == "true" ? QByteArray() : matcher.expression, pause.reason, matcher.editedBy,
        pause.until_ms.value_or(0), matcher.editedAt_ms};
}

QByteArray encodeProblemPlace(const ExpressionProblem &problem)
{
    MapBuilder map;
    map.text("field", problem.field);
    map.integer("line", problem.problem.line);
    map.integer("column", problem.problem.column);
    map.integer("length", problem.problem.length);
    map.text("message", problem.problem.message);
    return map.take();
}

} // namespace

QByteArray encodeNames(const cel::NameSet &names)
{
    return pack(matchableNamesTable, shownNames(names));
}

QByteArray encodeMatcher(const JobMatcher &matcher)
{
    return pack(answers::savedMatcherTable, savedMatcher(matcher));
}

QByteArray encodeMatchers(const MatcherSet &set, int limit, const QByteArray &after, qint64 reading)
{
    answers::MatcherPage page{{}, reading, {}};
    for (const auto &compiled : set.matchers()) {
        if (compiled->matcher().id <= after)
            continue;
        if (page.matchers.size() == limit) {
            page.next = page.matchers.last().matcher.id;
            break;
        }
        page.matchers.append(savedMatcher(*compiled));
    }
    return pack(answers::matcherPageTable, page);
}

QByteArray encodeHistory(const MatcherStore::History &history)
{
    answers::MatcherRevisions revisions{{}, history.deleted};
    for (const JobMatcher &matcher : history.revisions)
        revisions.revisions.append(savedMatcher(matcher));
    return pack(answers::revisionsTable, revisions);
}

QByteArray encodeProblems(const QList<ExpressionProblem> &problems)
{
    const ExpressionProblem &first = problems.first();
    return withField(withField(encodeProblem(422, "invalid_expression", first.problem.message), "field",
                         MsgpackWriter().text(first.field).take()),
        "errors", encodeAll(problems, encodeProblemPlace));
}

QByteArray encodeConstraints(const ConstraintInspector::List &list)
{
    answers::ConstraintPage page;
    for (const ConstraintInspector::Live &live : list.constraints)
        page.constraints.append(liveConstraint(live));
    if (!list.end && !page.constraints.isEmpty())
        page.next = page.constraints.last().constraint.id;
    return pack(answers::constraintPageTable, page);
}

QByteArray encodeBuckets(const ConstraintInspector::BucketPage &page)
{
    answers::BucketPage shown;
    for (const BucketState &bucket : page.buckets)
        shown.buckets.append(bucketOf(*page.place.constraint, bucket));
    if (page.next != 0)
        shown.next = QByteArray::number(page.next);
    return pack(answers::bucketPageTable, shown);
}

QByteArray encodeHeld(const ConstraintInspector::Held &held)
{
    answers::HeldList list{{}, held.complete};
    for (const ConstraintInspector::HeldRow &row : held.rows)
        list.held.append(heldRow(row));
    return pack(answers::heldTable, list);
}

QByteArray encodeExplained(const ConstraintInspector::Explained &explained)
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
    return pack(answers::explanationTable, shown);
}

QByteArray encodeBreaker(const Breakers::Changed &changed)
{
    return pack(answers::breakerChangedTable, {changed.buckets, changed.opensAt_ms});
}

JobMatcher pauseMatcher(const QByteArray &id, const PauseQuery &pause)
{
    JobMatcher matcher;
    matcher.id = id;
    matcher.title = pause.reason;
    matcher.expression = pause.match.isEmpty() ? QByteArray("true") : pause.match;
    Constraint constraint;
    constraint.parameters = PauseParameters{pause.until_ms, pause.reason};
    constraint.expiresAt_ms = pause.until_ms;
    matcher.constraints.append(constraint);
    return matcher;
}

bool isPause(const JobMatcher &matcher)
{
    return matcher.id.startsWith(pause_id_prefix) && matcher.constraints.size() == 1
        && matcher.constraints.first().kind() == ConstraintKind::Pause;
}

QByteArray encodePause(const JobMatcher &matcher)
{
    return pack(answers::pauseAnswerTable, pauseOf(matcher));
}

QByteArray encodePauses(const QList<JobMatcher> &matchers)
{
    answers::PauseList list;
    for (const JobMatcher &matcher : matchers)
        list.pauses.append(pauseOf(matcher));
    return pack(answers::pauseListTable, list);
}

} // namespace junban::api
