// JobMatchers, constraints, their buckets, pauses.
#include "client/matchers.h"

#include "client/decoding.h"

namespace junban::client {

namespace {

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
