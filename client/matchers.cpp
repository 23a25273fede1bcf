// JobMatchers, constraints, their buckets, pauses.
#include "client/matchers.h"

#include "client/apiencode.h"
#include "client/decoding.h"
#include "core/base/isotime.h"
#include "core/msgpack/mapwriter.h"

namespace junban::client {

namespace {

// The fields that JobMatcher knows; it refuses others, which a newer master may have.
constexpr const char *matcherFields[] = {"id", "title", "expression", "note", "enabled", "rank", "exempts", "constraints", "revision",
    "edited_at", "edited_by"};

QByteArray knownFields(const Value &value)
{
    MapWriter map;
    value.eachField([&](QByteArrayView key, const Value &field) {
        if (std::any_of(std::begin(matcherFields), std::end(matcherFields), [&](const char *known) { return key == known; }))
            map.key(key).raw(field.bytes());
    });
    return map.take();
}

MatchableNames namesOf(const Value &value)
{
    MatchableNames names;
    value.eachField([&](QByteArrayView key, const Value &field) {
        if (key == "class")
            names.word = field.text();
        else if (key == "names")
            names.names = texts(field);
        else if (key == "prefixes")
            names.prefixes = texts(field);
    });
    return names;
}

Result<JobMatcher> decodeRevision(QByteArrayView body)
{
    const QByteArray known = knownFields(Value(body));
    return JobMatcher::fromMsgpack(fieldOf(known, "id").text(), known);
}

QList<JobId> idsOf(const Value &value)
{
    QList<JobId> ids;
    value.eachElement([&](const Value &element) {
        ids.append(element.id().value_or(JobId()));
        return true;
    });
    return ids;
}

Result<LiveConstraint> decodeLive(QByteArrayView body)
{
    LiveConstraint live;
    std::optional<Error> failed;
    Value(body).eachField([&](QByteArrayView key, const Value &value) {
        const std::pair<QByteArrayView, qint64 *> counts[] = {{"buckets", &live.buckets}, {"used", &live.used},
            {"waiting", &live.waiting}, {"would_hold", &live.wouldHold}, {"closed", &live.closed}};
        for (const auto &[name, count] : counts) {
            if (key == name)
                *count = value.integer();
        }
        if (key == "constraint") {
            Result<Constraint> constraint = Constraint::fromMsgpack(value.bytes(), "constraint");
            if (constraint.ok())
                live.constraint = std::move(constraint).value();
            else
                failed = constraint.error();
        } else if (key == "matcher") {
            live.matcher = value.text();
        } else if (key == "matcher_title") {
            live.matcherTitle = value.text();
        } else if (key == "enabled") {
            live.enabled = value.boolean();
        } else if (key == "opens_at") {
            live.opensAt_ms = value.time_ms();
        } else if (key == "complete") {
            live.complete = value.boolean();
        }
    });
    if (failed)
        return *failed;
    if (live.constraint.id.isEmpty() || live.matcher.isEmpty())
        return malformed("a constraint without id or matcher");
    return live;
}

Result<Bucket> decodeBucket(QByteArrayView body)
{
    Bucket bucket;
    const bool complete = Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "key")
            bucket.key = value.text();
        else if (key == "used")
            bucket.used = value.integer();
        else if (key == "limit")
            bucket.limit = value.integer();
        else if (key == "waiting")
            bucket.waiting = value.integer();
        else if (key == "would_hold")
            bucket.wouldHold = value.integer();
        else if (key == "open")
            bucket.open = value.boolean();
        else if (key == "opens_at")
            bucket.opensAt_ms = value.time_ms();
        else if (key == "overridden")
            bucket.overridden = value.boolean();
        else if (key == "holders")
            bucket.holders = idsOf(value);
        else if (key == "breaker")
            bucket.breaker = value.text();
    });
    if (!complete)
        return malformed("a bucket is no map");
    return bucket;
}

Result<Held> decodeHolder(QByteArrayView body)
{
    Held held;
    const bool complete = Value(body).eachField([&](QByteArrayView key, const Value &value) {
        const std::pair<QByteArrayView, QByteArray *> words[] = {{"matcher", &held.matcher}, {"constraint", &held.constraint},
            {"kind", &held.kind}, {"key", &held.key}};
        for (const auto &[name, word] : words) {
            if (key == name)
                *word = value.text();
        }
        if (key == "jobs")
            held.jobs = value.integer();
        else if (key == "used")
            held.used = value.integer();
        else if (key == "limit")
            held.limit = value.integer();
        else if (key == "oldest_at")
            held.oldestAt_ms = value.time_ms();
        else if (key == "opens_at")
            held.opensAt_ms = value.time_ms();
    });
    if (!complete)
        return malformed("what holds jobs is no map");
    return held;
}

void readGateNumbers(Gate &gate, QByteArrayView key, const Value &value)
{
    const std::pair<QByteArrayView, std::optional<qint64> *> numbers[] = {{"cost", &gate.cost}, {"used", &gate.used},
        {"limit", &gate.limit}, {"waiting", &gate.waiting}};
    for (const auto &[name, number] : numbers) {
        if (key == name)
            *number = value.integer();
    }
    if (key == "opens_at")
        gate.opensAt_ms = value.time_ms();
    else if (key == "asked_at")
        gate.askedAt_ms = value.time_ms();
    else if (key == "edited_at")
        gate.editedAt_ms = value.time_ms();
    else if (key == "holders")
        gate.holders = idsOf(value);
}

Result<Gate> decodeGate(QByteArrayView body)
{
    Gate gate;
    Value(body).eachField([&](QByteArrayView key, const Value &value) {
        const std::pair<QByteArrayView, QByteArray *> words[] = {{"gate", &gate.gate}, {"matcher", &gate.matcher},
            {"constraint", &gate.constraint}, {"kind", &gate.kind}, {"key", &gate.key}, {"reason", &gate.reason},
            {"edited_by", &gate.editedBy}};
        for (const auto &[name, word] : words) {
            if (key == name)
                *word = value.text();
        }
        if (key == "status") {
            const QByteArray word = value.text();
            gate.status = word == "holding" ? GateStatus::Holding : word == "observed" ? GateStatus::Observed : GateStatus::Pass;
        }
        readGateNumbers(gate, key, value);
    });
    if (gate.gate.isEmpty())
        return malformed("a gate without its word");
    return gate;
}

Result<PreviewJob> decodePreviewJob(QByteArrayView body)
{
    const std::optional<JobId> id = fieldOf(body, "id").id();
    if (!id)
        return malformed("a sample without id");
    return PreviewJob{*id, fieldOf(body, "name").text(), fieldOf(body, "state").state().value_or(JobState::Ready)};
}

Result<PreviewCount> decodePreviewCount(QByteArrayView body)
{
    return PreviewCount{fieldOf(body, "state").state().value_or(JobState::Ready), fieldOf(body, "matched").integer(),
        fieldOf(body, "scanned").integer(), fieldOf(body, "total").integer(), fieldOf(body, "complete").boolean()};
}

Result<CountOf> decodeCount(QByteArrayView body)
{
    CountOf count;
    Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "key" || key == "cause" || key == "matcher")
            count.what = value.text();
        else if (key == "jobs")
            count.jobs = value.integer();
        else if (key == "sample")
            count.sample = value.id().value_or(JobId());
    });
    return count;
}

Result<PreviewKeys> decodePreviewKeys(QByteArrayView body)
{
    Result<QList<CountOf>> top = listOf<CountOf>(fieldOf(body, "top"), decodeCount);
    if (!top.ok())
        return top.error();
    return PreviewKeys{fieldOf(body, "kind").text(), fieldOf(body, "distinct").integer(), std::move(top).value()};
}

// A list of an answer that may be missing.
template<typename T>
QList<T> listIn(const Value &value, Result<T> (*decode)(QByteArrayView))
{
    Result<QList<T>> list = listOf<T>(value, decode);
    return list.ok() ? std::move(list).value() : QList<T>();
}

Result<TermRead> decodeRead(QByteArrayView body)
{
    return TermRead{fieldOf(body, "text").text(), fieldOf(body, "type").text(), fieldOf(body, "value").text(),
        fieldOf(body, "expected").text()};
}

Result<TestedTerm> decodeTerm(QByteArrayView body)
{
    const Value result = fieldOf(body, "result");
    return TestedTerm{fieldOf(body, "line").small(), fieldOf(body, "column").small(), fieldOf(body, "length").small(),
        fieldOf(body, "text").text(), result.boolean(), result.text(), listIn<TermRead>(fieldOf(body, "reads"), decodeRead)};
}

TestedTerms testedTerms(QByteArrayView body)
{
    return {fieldOf(body, "matches").boolean(), fieldOf(body, "fault").text(),
        listIn<TestedTerm>(fieldOf(body, "terms"), decodeTerm), fieldOf(body, "complete").boolean()};
}

void readEffects(MatcherPreview &preview, QByteArrayView key, const Value &value)
{
    if (key == "replay") {
        preview.replay = PreviewReplay{fieldOf(value.bytes(), "starts").integer(), fieldOf(value.bytes(), "delayed").integer(),
            fieldOf(value.bytes(), "mean_delay").real(), fieldOf(value.bytes(), "max_delay").real(),
            fieldOf(value.bytes(), "complete").boolean()};
    } else if (key == "arrivals") {
        preview.arriving = fieldOf(value.bytes(), "per_second").real();
        preview.growing = fieldOf(value.bytes(), "growth").real();
    } else if (key == "drain") {
        value.eachField([&](QByteArrayView when, const Value &seconds) {
            if (when == "before")
                preview.drainBefore_s = seconds.real();
            else if (when == "after")
                preview.drainAfter_s = seconds.real();
        });
    } else if (key == "newly_matched_count") {
        preview.newlyMatchedCount = value.integer();
    } else if (key == "no_longer_matched_count") {
        preview.noLongerMatchedCount = value.integer();
    }
}

} // namespace

Result<SavedMatcher> decodeMatcher(QByteArrayView body)
{
    Result<JobMatcher> matcher = decodeRevision(body);
    if (!matcher.ok())
        return malformed("a matcher: " + matcher.error().message);
    return SavedMatcher{std::move(matcher).value(), namesOf(fieldOf(body, "names"))};
}

Result<MatcherPage> decodeMatchers(QByteArrayView body)
{
    Result<QList<SavedMatcher>> matchers = listOf<SavedMatcher>(fieldOf(body, "matchers"), decodeMatcher);
    if (!matchers.ok())
        return matchers.error();
    return MatcherPage{std::move(matchers).value(), fieldOf(body, "reading").integer(), fieldOf(body, "next").text()};
}

Result<MatcherRevisions> decodeRevisions(QByteArrayView body)
{
    Result<QList<JobMatcher>> revisions = listOf<JobMatcher>(fieldOf(body, "revisions"), decodeRevision);
    if (!revisions.ok())
        return revisions.error();
    return MatcherRevisions{std::move(revisions).value(), fieldOf(body, "deleted").boolean()};
}

Result<ConstraintPage> decodeConstraints(QByteArrayView body)
{
    Result<QList<LiveConstraint>> constraints = listOf<LiveConstraint>(fieldOf(body, "constraints"), decodeLive);
    if (!constraints.ok())
        return constraints.error();
    return ConstraintPage{std::move(constraints).value(), fieldOf(body, "next").text()};
}

Result<BucketPage> decodeBuckets(QByteArrayView body)
{
    Result<QList<Bucket>> buckets = listOf<Bucket>(fieldOf(body, "buckets"), decodeBucket);
    if (!buckets.ok())
        return buckets.error();
    return BucketPage{std::move(buckets).value(), fieldOf(body, "next").text()};
}

Result<BreakerChanged> decodeBreaker(QByteArrayView body)
{
    if (!Value(body).isMap())
        return malformed("what became of a breaker is no map");
    return BreakerChanged{fieldOf(body, "buckets").integer(), fieldOf(body, "opens_at").time_ms()};
}

Result<HeldList> decodeHeld(QByteArrayView body)
{
    Result<QList<Held>> held = listOf<Held>(fieldOf(body, "held"), decodeHolder);
    if (!held.ok())
        return held.error();
    return HeldList{std::move(held).value(), fieldOf(body, "complete").boolean()};
}

Result<Explanation> decodeExplanation(QByteArrayView body)
{
    Result<QList<Gate>> gates = listOf<Gate>(fieldOf(body, "gates"), decodeGate);
    const std::optional<JobState> state = fieldOf(body, "state").state();
    if (!gates.ok())
        return gates.error();
    if (!state)
        return malformed("an explanation without state");
    Explanation explanation{*state, fieldOf(body, "would_run").boolean(), std::move(gates).value(), {},
        fieldOf(body, "estimate").time_ms()};
    if (const Value position = fieldOf(body, "position"); !position.isNil())
        explanation.position = position.integer();
    return explanation;
}

Result<Pause> decodePause(QByteArrayView body)
{
    Pause pause;
    Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "id")
            pause.id = value.text();
        else if (key == "match")
            pause.match = value.text();
        else if (key == "reason")
            pause.reason = value.text();
        else if (key == "by")
            pause.by = value.text();
        else if (key == "until")
            pause.until_ms = value.time_ms();
        else if (key == "since")
            pause.since_ms = value.time_ms();
    });
    if (pause.id.isEmpty())
        return malformed("a pause without id");
    return pause;
}

Result<QList<Pause>> decodePauses(QByteArrayView body)
{
    return listOf<Pause>(fieldOf(body, "pauses"), decodePause);
}

Result<MatcherPreview> decodePreview(QByteArrayView body)
{
    MatcherPreview preview;
    const bool complete = Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "names")
            preview.names = namesOf(value);
        else if (key == "states")
            preview.states = listIn<PreviewCount>(value, decodePreviewCount);
        else if (key == "samples")
            preview.samples = listIn<PreviewJob>(value, decodePreviewJob);
        else if (key == "newly_matched")
            preview.newlyMatched = listIn<PreviewJob>(value, decodePreviewJob);
        else if (key == "no_longer_matched")
            preview.noLongerMatched = listIn<PreviewJob>(value, decodePreviewJob);
        else if (key == "keys")
            preview.keys = listIn<PreviewKeys>(value, decodePreviewKeys);
        else if (key == "faults")
            preview.faults = listIn<CountOf>(value, decodeCount);
        else if (key == "overlaps")
            preview.overlaps = listIn<CountOf>(value, decodeCount);
        else if (key == "test")
            preview.test = testedTerms(value.bytes());
        else
            readEffects(preview, key, value);
    });
    if (!complete)
        return malformed("a preview is no map");
    return preview;
}

QList<FieldProblem> decodeProblems(QByteArrayView body)
{
    QList<FieldProblem> problems;
    fieldOf(body, "errors").eachElement([&](const Value &element) {
        FieldProblem problem{"expression", {}};
        element.eachField([&](QByteArrayView key, const Value &value) {
            if (key == "field")
                problem.field = value.text();
            else if (key == "line")
                problem.problem.line = value.small();
            else if (key == "column")
                problem.problem.column = value.small();
            else if (key == "length")
                problem.problem.length = value.small();
            else if (key == "message")
                problem.problem.message = value.text();
        });
        problems.append(problem);
        return true;
    });
    return problems;
}

} // namespace junban::client
