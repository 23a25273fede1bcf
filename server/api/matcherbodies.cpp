#include "server/api/matcherbodies.h"

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

QByteArray encodeCompiled(const CompiledMatcher &compiled)
{
    return withField(compiled.matcher().packed(), "names", encodeNames(compiled.names()));
}

QByteArray encodeIds(const QList<JobId> &ids)
{
    return encodeAll(ids, [](const JobId &id) { return MsgpackWriter().text(id.text()).take(); });
}

QByteArray encodeLive(const ConstraintInspector::Live &live)
{
    const JobMatcher &matcher = *live.place.matcher;
    MapBuilder map;
    map.key("constraint").raw(live.place.constraint->packed());
    map.text("matcher", matcher.id);
    map.text("matcher_title", matcher.title);
    map.boolean("enabled", matcher.enabled);
    map.textIf("edited_by", matcher.editedBy);
    map.timeIf("edited_at", matcher.editedAt_ms);
    map.integer("buckets", live.buckets);
    map.integer("used", live.used);
    map.integer("waiting", live.waiting);
    map.integer("would_hold", live.wouldHold);
    map.integer("closed", live.closed);
    map.timeIf("opens_at", live.opensAt_ms);
    map.boolean("complete", live.complete);
    return map.take();
}

// `ofAllKeys`: what all keys use together is held against it, a share's capacity.
void limitIf(MapBuilder &map, const Constraint *constraint, const QByteArray &key, bool ofAllKeys = false)
{
    if (const auto *share = constraint && ofAllKeys ? std::get_if<ShareParameters>(&constraint->parameters) : nullptr)
        map.integer("limit", share->capacity);
    else if (const std::optional<qint64> limit = constraint ? limitOf(*constraint, key) : std::nullopt)
        map.integer("limit", *limit);
}

QByteArray encodeBucket(const Constraint &constraint, const BucketState &bucket)
{
    MapBuilder map;
    map.text("key", bucket.key);
    map.integer("used", bucket.used);
    limitIf(map, &constraint, bucket.key);
    map.integer("waiting", bucket.waiting);
    map.integer("would_hold", bucket.wouldHold);
    map.boolean("open", bucket.open);
    map.timeIf("opens_at", bucket.opensAt_ms);
    for (const Override &override : constraint.overrides) {
        if (override.key == bucket.key)
            map.boolean("overridden", true);
    }
    if (!bucket.holders.isEmpty())
        map.key("holders").raw(encodeIds(bucket.holders));
    if (constraint.kind() == ConstraintKind::Breaker) {
        const BreakerState state = bucket.breaker;
        map.text("breaker", state == BreakerState::Open ? "open" : state == BreakerState::HalfOpen ? "half_open" : "closed");
    }
    return map.take();
}

QByteArray encodeHeldRow(const ConstraintInspector::HeldRow &row)
{
    const auto &[place, bucket] = row;
    MapBuilder map;
    map.text("matcher", place.matcher ? place.matcher->id : QByteArray());
    map.text("constraint", place.constraint ? place.constraint->id : QByteArray());
    map.text("kind", place.constraint ? kindWord(place.constraint->kind()) : "too_many");
    map.text("key", bucket.key);
    map.integer("jobs", std::max<qint64>(bucket.jobs, 1));
    map.integer("used", bucket.used);
    limitIf(map, place.constraint, bucket.key, bucket.ofAllKeys);
    map.timeIf("oldest_at", bucket.oldestAt_ms);
    map.timeIf("opens_at", bucket.opensAt_ms);
    return map.take();
}

QByteArray encodePlainGate(const char *gate, bool passes, qint64 opensAt_ms = 0)
{
    MapBuilder map;
    map.text("gate", gate);
    map.text("status", passes ? "pass" : "holding");
    map.timeIf("opens_at", passes ? 0 : opensAt_ms);
    return map.take();
}

QByteArray encodeWorkers(const ConstraintInspector::Workers &workers)
{
    MapBuilder map;
    map.text("gate", "workers");
    map.text("status", workers.there ? "pass" : "holding");
    map.integer("waiting", workers.waiting);
    map.timeIf("asked_at", workers.askedAt_ms);
    return map.take();
}

QByteArray encodeGate(const Gate &gate, const ConstraintInspector::Place &place)
{
    const Constraint *constraint = place.constraint;
    MapBuilder map;
    map.text("gate", constraint ? kindWord(constraint->kind()) : "too_many");
    map.text("status", gate.observed ? "observed" : gate.admits ? "pass" : "holding");
    if (constraint) {
        map.text("matcher", place.matcher->id);
        map.text("constraint", constraint->id);
        map.text("kind", kindWord(constraint->kind()));
        map.text("key", gate.key);
        map.integer("cost", gate.cost);
    }
    map.integer("used", gate.used);
    limitIf(map, constraint, gate.key, gate.ofAllKeys);
    map.integer("waiting", gate.waiting);
    map.timeIf("opens_at", gate.opensAt_ms);
    if (const auto *pause = constraint ? std::get_if<PauseParameters>(&constraint->parameters) : nullptr)
        map.textIf("reason", pause->reason);
    if (!gate.holders.isEmpty())
        map.key("holders").raw(encodeIds(gate.holders));
    if (constraint) {
        map.textIf("edited_by", place.matcher->editedBy);
        map.timeIf("edited_at", place.matcher->editedAt_ms);
    }
    return map.take();
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
    MapBuilder map;
    map.text("class", names.word());
    if (!names.names().isEmpty())
        map.key("names").raw(encodeTexts(names.names().first(std::min<qsizetype>(names.names().size(), limits::matcher_names_shown_max))));
    if (!names.prefixes().isEmpty() && !names.isAny())
        map.key("prefixes").raw(
            encodeTexts(names.prefixes().first(std::min<qsizetype>(names.prefixes().size(), limits::matcher_names_shown_max))));
    return map.take();
}

QByteArray encodeMatcher(const JobMatcher &matcher)
{
    const MatcherCompilation compilation = CompiledMatcher::compile(matcher);
    return compilation.matcher ? encodeCompiled(*compilation.matcher) : matcher.packed();
}

QByteArray encodeMatchers(const MatcherSet &set, int limit, const QByteArray &after, qint64 reading)
{
    QList<QByteArray> page;
    QByteArray next;
    bool more = false;
    for (const auto &compiled : set.matchers()) {
        if (compiled->matcher().id <= after)
            continue;
        if (page.size() == limit) {
            more = true;
            break;
        }
        page.append(encodeCompiled(*compiled));
        next = compiled->matcher().id;
    }
    MapBuilder map;
    map.key("matchers").raw(encodeAll(page, [](const QByteArray &packed) { return packed; }));
    map.integer("reading", reading);
    if (more)
        map.text("next", next);
    return map.take();
}

QByteArray encodeHistory(const MatcherStore::History &history)
{
    MapBuilder map;
    map.key("revisions").raw(encodeAll(history.revisions, encodeMatcher));
    if (history.deleted)
        map.boolean("deleted", true);
    return map.take();
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
    MapBuilder map;
    map.key("constraints").raw(encodeAll(list.constraints, encodeLive));
    if (!list.end && !list.constraints.isEmpty())
        map.text("next", list.constraints.last().place.constraint->id);
    return map.take();
}

QByteArray encodeBuckets(const ConstraintInspector::BucketPage &page)
{
    MapBuilder map;
    map.key("buckets").raw(encodeAll(page.buckets,
        [&](const BucketState &bucket) { return encodeBucket(*page.place.constraint, bucket); }));
    if (page.next != 0)
        map.text("next", QByteArray::number(page.next));
    return map.take();
}

QByteArray encodeHeld(const ConstraintInspector::Held &held)
{
    MapBuilder map;
    map.key("held").raw(encodeAll(held.rows, encodeHeldRow));
    map.boolean("complete", held.complete);
    return map.take();
}

QByteArray encodeExplained(const ConstraintInspector::Explained &explained)
{
    const Job &job = explained.job;
    const bool waits = job.state == JobState::Ready || job.state == JobState::Scheduled || job.state == JobState::Depends;
    const bool due = job.state != JobState::Scheduled;
    QList<QByteArray> gates{encodePlainGate("state", job.state == JobState::Ready || !due), encodePlainGate("due", due, job.runAt_ms)};
    for (qsizetype i = 0; waits && i < explained.explanation.gates.size(); ++i)
        gates.append(encodeGate(explained.explanation.gates[i], explained.places[i]));
    if (explained.workers)
        gates.append(encodeWorkers(*explained.workers));
    const qint64 position = explained.explanation.position;
    if (position >= 0)
        gates.append(encodePlainGate("position", position == 0));
    MapBuilder map;
    map.text("state", stateWord(job.state));
    map.boolean("would_run", explained.wouldRun);
    map.key("gates").raw(encodeAll(gates, [](const QByteArray &packed) { return packed; }));
    if (position >= 0)
        map.integer("position", position);
    if (waits && explained.estimate_ms)
        map.text("estimate", isoTime(*explained.estimate_ms));
    return map.take();
}

QByteArray encodeBreaker(const Breakers::Changed &changed)
{
    MapBuilder map;
    map.integer("buckets", changed.buckets);
    map.timeIf("opens_at", changed.opensAt_ms);
    return map.take();
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
    const auto &pause = std::get<PauseParameters>(matcher.constraints.first().parameters);
    MapBuilder map;
    map.text("id", matcher.id);
    if (matcher.expression != "true")
        map.text("match", matcher.expression);
    map.timeIf("until", pause.until_ms.value_or(0));
    map.text("reason", pause.reason);
    map.text("since", isoTime(matcher.editedAt_ms));
    map.text("by", matcher.editedBy);
    return map.take();
}

QByteArray encodePauses(const QList<JobMatcher> &matchers)
{
    MapBuilder map;
    map.key("pauses").raw(encodeAll(matchers, encodePause));
    return map.take();
}

} // namespace junban::api
