#include "core/limits/limitrequests.h"

#include "core/base/reasons/matchers.h"
#include "core/jobs/jobfields.h"
#include "core/limits.h"

namespace junban {

namespace {

constexpr Field revertFields[] = {
    field::integer<&MatcherRevert::revision>("revision", 1).needed(),
};

constexpr Field resetFields[] = {
    field::text<&BreakerQuery::key>("key").rare(),
};
constexpr TableOf<BreakerQuery> resetTable{"ResetBreaker", resetFields};
constexpr Field tripFields[] = {
    field::beside(resetTable),
    field::duration<&BreakerQuery::openFor_ms>("open_for", 0.001, limits::constraint_wait_s_max).rare(),
};
constexpr TableOf<BreakerQuery> tripTable{"TripBreaker", tripFields};

bool checkPause(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &seen)
{
    return onlyOneOf(in, value, seen, "until", "for") && (!seen.has("match") || !static_cast<const PauseQuery *>(object)->match.isEmpty()
        || in.fail({&value.path, "match", -1}, reasons::pauseMatchEmpty));
}
constexpr Field pauseQueryFields[] = {
    field::bounded<&PauseQuery::match, codecs::lines>("match", limits::matcher_text_bytes_max).rare(),
    field::time<&PauseQuery::until_ms>("until").rare(),
    field::duration<&PauseQuery::for_ms>("for", limits::ahead_s_min, limits::ahead_s_max).rare(),
    field::caption<&PauseQuery::reason>("reason", limits::matcher_title_bytes_max).needed(),
};
constexpr Field resumeFields[] = {
    field::name<&ResumeQuery::id>("id", limits::matcher_id_bytes_max).rare(),
};

// What a matcher may ask of a job.
constexpr Field testedSpecFields[] = {
    field::name<&JobSpec::name>("name", limits::name_bytes_max),
    field::any<&JobSpec::argument>("argument", limits::argument_bytes_max),
    field::integer<&JobSpec::priority>("priority", std::numeric_limits<qint32>::min(), std::numeric_limits<qint32>::max()),
    field::integer<&JobSpec::maxRetry>("max_retry", 0, limits::max_retry_max),
    field::boolean<&JobSpec::keepResult>("keep_result"),
    field::duration<&JobSpec::timeout_ms>("timeout", limits::timeout_s_min, limits::timeout_s_max),
    field::listOf<&JobSpec::tags, codecs::name>("tags", limits::name_bytes_max).atMost(limits::tags_max),
};
constexpr TableOf<JobSpec> testedSpecTable{nullptr, testedSpecFields};
constexpr Field testedFields[] = {
    field::jobId<&TestedJob::id>("job").rare(),
    field::beside<&TestedJob::spec>(testedSpecTable),
};
bool checkTested(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &seen)
{
    if (!static_cast<const TestedJob *>(object)->id)
        return seen.has("name") || in.missing(value.path, "name");
    for (const Field &field : testedSpecFields) {
        if (seen.has(field.name))
            return in.fail({&value.path, field.name, -1}, reasons::previewJobAlone);
    }
    return true;
}
constexpr TableOf<TestedJob> testedTable{"TestedJob", testedFields, checkTested};

bool checkPreview(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &seen)
{
    const JobMatcher matcher = static_cast<const PreviewQuery *>(object)->matcher();
    if (seen.has("id") && (static_cast<const PreviewQuery *>(object)->id.isEmpty() || !isMatcherId(matcher.id)))
        return in.fail({&value.path, "id", -1}, reasons::matcherIdExpected, limits::matcher_id_bytes_max);
    return matcherTable.check(in, value, &matcher, seen);
}
constexpr Field previewFields[] = {
    field::of<&PreviewQuery::id, codecs::line>("id").rare(),
    field::bounded<&PreviewQuery::expression, codecs::lines>("expression", limits::matcher_text_bytes_max).needed(),
    field::of<&PreviewQuery::constraints, codecs::constraints>("constraints").atMost(limits::constraints_max),
    field::of<&PreviewQuery::exempts, codecs::exempts>("exempts").atMost(limits::matcher_exempts_max),
    field::of<&PreviewQuery::test, codecs::object>("test").describedBy(testedTable).rare(),
};

} // namespace

constinit const TableOf<MatcherRevert> matcherRevertTable{"RevertMatcher", revertFields};
constinit const TableOf<PauseQuery> pauseTable{"NewPause", pauseQueryFields, checkPause};
constinit const TableOf<ResumeQuery> resumeTable{"Resume", resumeFields};
constinit const TableOf<PreviewQuery> previewTable{"PreviewMatcher", previewFields, checkPreview};

const TableOf<BreakerQuery> &breakerTable(BreakerVerb verb)
{
    return verb == BreakerVerb::Trip ? tripTable : resetTable;
}

JobMatcher PreviewQuery::matcher() const
{
    JobMatcher matcher;
    matcher.id = id.isEmpty() ? QByteArray("preview") : id;
    matcher.title = "-";
    matcher.expression = expression;
    matcher.constraints = constraints;
    matcher.exempts = exempts;
    return matcher;
}

} // namespace junban
