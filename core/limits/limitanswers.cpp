#include "core/limits/limitanswers.h"

#include "core/jobs/jobfields.h"
#include "core/limits.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/reasonfields.h"

namespace junban::answers {

namespace {

// A master answers saved matchers only.
constexpr Field editedFields[] = {
    field::integer<&JobMatcher::revision>("revision", 1),
    field::time<&JobMatcher::editedAt_ms>("edited_at"),
    field::of<&JobMatcher::editedBy, codecs::line>("edited_by"),
    field::object<&JobMatcher::unreadable>("unreadable", explainedTable).rare(),
};
constexpr TableOf<JobMatcher> editedTable{nullptr, editedFields};
constexpr Field savedMatcherFields[] = {
    field::beside<&SavedMatcher::matcher>(ownMatcherTable),
    field::beside<&SavedMatcher::matcher>(editedTable),
    field::object<&SavedMatcher::names>("names", matchableNamesTable).rare(),
};
constexpr Field matcherPageFields[] = {
    field::list<&MatcherPage::matchers>("matchers", savedMatcherTable).needed(),
    field::integer<&MatcherPage::reading>("reading", 0),
    field::text<&MatcherPage::next>("next").rare(),
};
constexpr Field revisionsFields[] = {
    field::list<&MatcherRevisions::revisions>("revisions", savedMatcherTable).atMost(limits::matcher_revisions_max).needed(),
    field::boolean<&MatcherRevisions::deleted>("deleted").rare(),
};

constexpr Field liveFields[] = {
    field::of<&LiveConstraint::constraint, codecs::constraint>("constraint").needed(),
    field::text<&LiveConstraint::matcher>("matcher").needed(),
    field::text<&LiveConstraint::matcherTitle>("matcher_title"),
    field::boolean<&LiveConstraint::enabled>("enabled"),
    field::text<&LiveConstraint::editedBy>("edited_by").rare(),
    field::time<&LiveConstraint::editedAt_ms>("edited_at").rare(),
    field::integer<&LiveConstraint::buckets>("buckets", 0),
    field::integer<&LiveConstraint::used>("used", 0),
    field::integer<&LiveConstraint::waiting>("waiting", 0),
    field::integer<&LiveConstraint::wouldHold>("would_hold", 0),
    field::integer<&LiveConstraint::closed>("closed", 0),
    field::time<&LiveConstraint::opensAt_ms>("opens_at").rare(),
    field::boolean<&LiveConstraint::complete>("complete"),
};
constexpr TableOf<LiveConstraint> liveTable{"LiveConstraint", liveFields};
constexpr Field constraintPageFields[] = {
    field::list<&ConstraintPage::constraints>("constraints", liveTable).needed(),
    field::text<&ConstraintPage::next>("next").rare(),
};

constexpr Field bucketFields[] = {
    field::text<&Bucket::key>("key"),
    field::integer<&Bucket::used>("used", 0),
    field::integer<&Bucket::limit>("limit", 0).rare(),
    field::integer<&Bucket::waiting>("waiting", 0),
    field::integer<&Bucket::wouldHold>("would_hold", 0),
    field::boolean<&Bucket::open>("open"),
    field::time<&Bucket::opensAt_ms>("opens_at").rare(),
    field::boolean<&Bucket::overridden>("overridden").rare(),
    field::listOf<&Bucket::holders, codecs::jobId>("holders").rare(),
    field::text<&Bucket::breaker>("breaker").rare(),
};
constexpr TableOf<Bucket> bucketTable{"Bucket", bucketFields};
constexpr Field bucketPageFields[] = {
    field::list<&BucketPage::buckets>("buckets", bucketTable).needed(),
    field::text<&BucketPage::next>("next").rare(),
};
constexpr Field breakerChangedFields[] = {
    field::integer<&BreakerChanged::buckets>("buckets", 0),
    field::time<&BreakerChanged::opensAt_ms>("opens_at").rare(),
};

constexpr Field heldFields[] = {
    field::text<&Held::matcher>("matcher"),
    field::text<&Held::title>("title").rare(),
    field::text<&Held::constraint>("constraint"),
    field::text<&Held::kind>("kind"),
    field::text<&Held::key>("key"),
    field::integer<&Held::jobs>("jobs", 1),
    field::integer<&Held::used>("used", 0).rare(),
    field::integer<&Held::limit>("limit", 0).rare(),
    field::time<&Held::oldestAt_ms>("oldest_at").rare(),
    field::time<&Held::opensAt_ms>("opens_at").rare(),
    field::object<&Held::why>("why", explainedTable).rare(),
};
constexpr TableOf<Held> heldRowTable{"Held", heldFields};
constexpr Field heldListFields[] = {
    field::list<&HeldList::held>("held", heldRowTable).needed(),
    field::boolean<&HeldList::complete>("complete"),
};

bool isOfConstraint(const void *object)
{
    return !static_cast<const Gate *>(object)->constraint.isEmpty();
}
bool isOfMatcher(const void *object)
{
    return !static_cast<const Gate *>(object)->matcher.isEmpty();
}
constexpr const char *gateStatusWords[] = {"pass", "holding", "observed"};
constexpr Field gateFields[] = {
    field::text<&Gate::gate>("gate").needed(),
    field::word<&Gate::status>("status", gateStatusWords),
    field::text<&Gate::matcher>("matcher").onlyIf(isOfMatcher),
    field::text<&Gate::title>("title").rare(),
    field::text<&Gate::constraint>("constraint").onlyIf(isOfConstraint),
    field::text<&Gate::kind>("kind").onlyIf(isOfConstraint),
    field::text<&Gate::key>("key").onlyIf(isOfConstraint),
    field::integer<&Gate::cost>("cost", 1).rare(),
    field::integer<&Gate::used>("used", 0).rare(),
    field::integer<&Gate::limit>("limit", 0).rare(),
    field::real<&Gate::period_s>("period", 0).rare(),
    field::integer<&Gate::waiting>("waiting", 0).rare(),
    field::time<&Gate::opensAt_ms>("opens_at").rare(),
    field::time<&Gate::askedAt_ms>("asked_at").rare(),
    field::text<&Gate::reason>("reason").rare(),
    field::object<&Gate::why>("why", explainedTable).rare(),
    field::listOf<&Gate::holders, codecs::jobId>("holders").rare(),
    field::text<&Gate::editedBy>("edited_by").rare(),
    field::time<&Gate::editedAt_ms>("edited_at").rare(),
};
constexpr TableOf<Gate> gateTable{"Gate", gateFields};
constexpr Field explanationFields[] = {
    field::jobState<&Explanation::state>("state").needed(),
    field::boolean<&Explanation::wouldRun>("would_run"),
    field::list<&Explanation::gates>("gates", gateTable).needed(),
    field::integer<&Explanation::position>("position", 0).rare(),
    field::time<&Explanation::estimate_ms>("estimate").rare(),
};

constexpr Field pauseListFields[] = {
    field::list<&PauseList::pauses>("pauses", pauseAnswerTable).needed(),
};

constexpr Field placeFields[] = {
    field::integer<&cel::Problem::line>("line", 1),
    field::integer<&cel::Problem::column>("column", 1),
    field::integer<&cel::Problem::length>("length", 0),
};
constexpr TableOf<cel::Problem> placeTable{nullptr, placeFields};
constexpr Field placedProblemFields[] = {
    field::beside(placeTable),
    field::beside<&cel::Problem::reason>(reasonWithMessageTable),
};
constexpr TableOf<cel::Problem> placedProblemTable{nullptr, placedProblemFields};
constexpr Field expressionProblemFields[] = {
    field::text<&ExpressionProblem::field>("field"),
    field::beside<&ExpressionProblem::problem>(placedProblemTable),
};
constexpr TableOf<ExpressionProblem> expressionProblemTable{"MatcherProblem", expressionProblemFields};
constexpr Field expressionRefusalFields[] = {
    field::beside<&ExpressionRefusal::problem>(problemTable),
    field::list<&ExpressionRefusal::errors>("errors", expressionProblemTable).rare(),
};
constexpr Field governingMatcherFields[] = {
    field::text<&GoverningMatcher::id>("id").needed(),
    field::text<&GoverningMatcher::title>("title").needed(),
};
constexpr TableOf<GoverningMatcher> governingMatcherTable{"GovernedProblem.matcher", governingMatcherFields};
constexpr Field governedRefusalFields[] = {
    field::beside<&GovernedRefusal::problem>(problemTable),
    field::object<&GovernedRefusal::matcher>("matcher", governingMatcherTable).needed(),
};

// Of a term as a whole: whether it holds, or why it has no value.
bool readTermResult(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    auto &term = *static_cast<cel::Term *>(member);
    return value.head.type == payload::Type::String ? in.text(value, term.place.reason.text, value.raw().size())
                                                    : in.boolean(value, term.holds);
}
void writeTermResult(MsgpackWriter &out, const void *member, const Field &, Written)
{
    const auto &term = *static_cast<const cel::Term *>(member);
    if (term.place.message().isEmpty())
        out.boolean(term.holds);
    else
        out.text(term.place.message());
}
bool sameTermResult(const void *a, const void *b, const Field &)
{
    const auto &one = *static_cast<const cel::Term *>(a), &other = *static_cast<const cel::Term *>(b);
    return one.holds == other.holds && one.place.message() == other.place.message();
}
constexpr Codec termResultCodec{readTermResult, writeTermResult, sameTermResult, "boolean or text"};

constexpr Field termReadFields[] = {
    field::text<&cel::TermRead::text>("text"),
    field::text<&cel::TermRead::type>("type"),
    field::text<&cel::TermRead::value>("value"),
    field::text<&cel::TermRead::expected>("expected").rare(),
};
constexpr TableOf<cel::TermRead> termReadTable{"TestedTerms.terms.reads", termReadFields};
constexpr Field placeReasonFields[] = {field::beside<&cel::Problem::reason>(reasonTable)};
constexpr TableOf<cel::Problem> placeReasonTable{nullptr, placeReasonFields};
constexpr Field termFields[] = {
    field::beside<&cel::Term::place>(placeTable),
    field::text<&cel::Term::text>("text"),
    Field{.name = "result", .codec = &termResultCodec, .memberOf = [](void *term) { return term; }},
    field::beside<&cel::Term::place>(placeReasonTable),
    field::list<&cel::Term::reads>("reads", termReadTable).atMost(limits::preview_reads_max),
};
constexpr TableOf<cel::Term> termTable{"TestedTerms.terms", termFields};
constexpr Field faultFields[] = {
    field::text<&Reason::text>("fault").rare(),
    field::beside(reasonTable),
};
constexpr TableOf<Reason> faultTable{nullptr, faultFields};
constexpr Field testedTermsFields[] = {
    field::boolean<&TestedTerms::matches>("matches"),
    field::beside<&TestedTerms::fault>(faultTable),
    field::list<&TestedTerms::terms>("terms", termTable).atMost(limits::preview_terms_max),
    field::boolean<&TestedTerms::complete>("complete"),
};
constexpr TableOf<TestedTerms> testedTermsTable{"TestedTerms", testedTermsFields};

constexpr Field previewJobFields[] = {
    field::jobId<&PreviewJob::id>("id").needed(),
    field::name<&PreviewJob::name>("name", limits::name_bytes_max),
    field::jobState<&PreviewJob::state>("state"),
};
constexpr TableOf<PreviewJob> previewJobTable{"PreviewJob", previewJobFields};
constexpr Field previewCountFields[] = {
    field::jobState<&PreviewCount::state>("state"),
    field::integer<&PreviewCount::matched>("matched", 0),
    field::integer<&PreviewCount::scanned>("scanned", 0),
    field::integer<&PreviewCount::total>("total", 0),
    field::boolean<&PreviewCount::complete>("complete"),
};
constexpr TableOf<PreviewCount> previewCountTable{"MatcherPreview.states", previewCountFields};
constexpr Field keyCountFields[] = {
    field::text<&CountOf::what>("key"),
    field::integer<&CountOf::jobs>("jobs", 1),
};
constexpr TableOf<CountOf> keyCountTable{"MatcherPreview.keys.top", keyCountFields};
constexpr Field previewKeysFields[] = {
    field::text<&PreviewKeys::kind>("kind"),
    field::integer<&PreviewKeys::distinct>("distinct", 0),
    field::list<&PreviewKeys::top>("top", keyCountTable).atMost(limits::preview_keys_max),
};
constexpr TableOf<PreviewKeys> previewKeysTable{"MatcherPreview.keys", previewKeysFields};
constexpr Field faultCountFields[] = {
    field::text<&CountOf::what>("cause"),
    field::integer<&CountOf::jobs>("jobs", 1),
    field::jobId<&CountOf::sample>("sample"),
};
constexpr TableOf<CountOf> faultCountTable{"MatcherPreview.faults", faultCountFields};
constexpr Field overlapFields[] = {
    field::text<&CountOf::what>("matcher"),
    field::integer<&CountOf::jobs>("jobs", 1),
};
constexpr TableOf<CountOf> overlapTable{"MatcherPreview.overlaps", overlapFields};
constexpr Field replayFields[] = {
    field::integer<&PreviewReplay::starts>("starts", 0),
    field::integer<&PreviewReplay::delayed>("delayed", 0),
    field::real<&PreviewReplay::meanDelay_s>("mean_delay", 0),
    field::real<&PreviewReplay::maxDelay_s>("max_delay", 0),
    field::real<&PreviewReplay::seconds>("seconds", 0),
    field::boolean<&PreviewReplay::complete>("complete"),
    field::real<&PreviewReplay::step_s>("step", 1),
    field::listOf<&PreviewReplay::asItWas, codecs::integer<qint64>>("as_it_was"),
    field::listOf<&PreviewReplay::limited, codecs::integer<qint64>>("limited"),
};
constexpr TableOf<PreviewReplay> replayTable{"MatcherPreview.replay", replayFields};
constexpr Field arrivalsFields[] = {
    field::real<&PreviewArrivals::perSecond>("per_second", 0),
    field::real<&PreviewArrivals::startsPerSecond>("starts_per_second", 0),
    field::real<&PreviewArrivals::growth>("growth", 0),
};
constexpr TableOf<PreviewArrivals> arrivalsTable{"MatcherPreview.arrivals", arrivalsFields};
constexpr Field drainFields[] = {
    field::real<&PreviewDrain::before_s>("before", 0).rare(),
    field::real<&PreviewDrain::after_s>("after", 0),
    field::real<&PreviewDrain::least_s>("at_least", 0),
    field::text<&PreviewDrain::limit>("limit").rare(),
};
constexpr TableOf<PreviewDrain> drainTable{"MatcherPreview.drain", drainFields};
constexpr Field matcherPreviewFields[] = {
    field::object<&MatcherPreview::names>("names", matchableNamesTable).needed(),
    field::list<&MatcherPreview::states>("states", previewCountTable),
    field::list<&MatcherPreview::samples>("samples", previewJobTable).atMost(limits::preview_samples_max),
    field::list<&MatcherPreview::newlyMatched>("newly_matched", previewJobTable).atMost(limits::preview_samples_max),
    field::list<&MatcherPreview::noLongerMatched>("no_longer_matched", previewJobTable).atMost(limits::preview_samples_max),
    field::integer<&MatcherPreview::newlyMatchedCount>("newly_matched_count", 0),
    field::integer<&MatcherPreview::noLongerMatchedCount>("no_longer_matched_count", 0),
    field::list<&MatcherPreview::keys>("keys", previewKeysTable),
    field::list<&MatcherPreview::faults>("faults", faultCountTable),
    field::list<&MatcherPreview::overlaps>("overlaps", overlapTable),
    field::object<&MatcherPreview::replay>("replay", replayTable),
    field::object<&MatcherPreview::arrivals>("arrivals", arrivalsTable),
    field::object<&MatcherPreview::drain>("drain", drainTable).rare(),
    field::object<&MatcherPreview::test>("test", testedTermsTable).rare(),
};

} // namespace

constinit const TableOf<SavedMatcher> savedMatcherTable{"Matcher", savedMatcherFields};
constinit const TableOf<MatcherPage> matcherPageTable{"MatcherList", matcherPageFields};
constinit const TableOf<MatcherRevisions> revisionsTable{"RevisionList", revisionsFields};
constinit const TableOf<ConstraintPage> constraintPageTable{"ConstraintList", constraintPageFields};
constinit const TableOf<BucketPage> bucketPageTable{"BucketList", bucketPageFields};
constinit const TableOf<BreakerChanged> breakerChangedTable{"BreakerChanged", breakerChangedFields};
constinit const TableOf<HeldList> heldTable{"HeldList", heldListFields};
constinit const TableOf<Explanation> explanationTable{"Explanation", explanationFields};
constinit const TableOf<PauseList> pauseListTable{"PauseList", pauseListFields};
constinit const TableOf<ExpressionRefusal> expressionRefusalTable{"Problem", expressionRefusalFields};
constinit const TableOf<GovernedRefusal> governedRefusalTable{"GovernedProblem", governedRefusalFields};
constinit const TableOf<MatcherPreview> matcherPreviewTable{"MatcherPreview", matcherPreviewFields};

} // namespace junban::answers
