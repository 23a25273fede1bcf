#include "core/limits/limitanswers.h"

#include "core/jobs/jobfields.h"
#include "core/limits.h"

namespace junban::answers {

namespace {

// A master answers saved matchers only.
constexpr Field editedFields[] = {
    field::integer<&JobMatcher::revision>("revision", 1),
    field::time<&JobMatcher::editedAt_ms>("edited_at"),
    field::of<&JobMatcher::editedBy, codecs::line>("edited_by"),
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
    field::text<&Held::constraint>("constraint"),
    field::text<&Held::kind>("kind"),
    field::text<&Held::key>("key"),
    field::integer<&Held::jobs>("jobs", 1),
    field::integer<&Held::used>("used", 0).rare(),
    field::integer<&Held::limit>("limit", 0).rare(),
    field::time<&Held::oldestAt_ms>("oldest_at").rare(),
    field::time<&Held::opensAt_ms>("opens_at").rare(),
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
constexpr const char *gateStatusWords[] = {"pass", "holding", "observed"};
constexpr Field gateFields[] = {
    field::text<&Gate::gate>("gate").needed(),
    field::word<&Gate::status>("status", gateStatusWords),
    field::text<&Gate::matcher>("matcher").onlyIf(isOfConstraint),
    field::text<&Gate::constraint>("constraint").onlyIf(isOfConstraint),
    field::text<&Gate::kind>("kind").onlyIf(isOfConstraint),
    field::text<&Gate::key>("key").onlyIf(isOfConstraint),
    field::integer<&Gate::cost>("cost", 1).rare(),
    field::integer<&Gate::used>("used", 0).rare(),
    field::integer<&Gate::limit>("limit", 0).rare(),
    field::integer<&Gate::waiting>("waiting", 0).rare(),
    field::time<&Gate::opensAt_ms>("opens_at").rare(),
    field::time<&Gate::askedAt_ms>("asked_at").rare(),
    field::text<&Gate::reason>("reason").rare(),
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

constexpr Field pauseAnswerFields[] = {
    field::text<&Pause::id>("id").needed(),
    field::text<&Pause::match>("match").rare(),
    field::time<&Pause::until_ms>("until").rare(),
    field::text<&Pause::reason>("reason"),
    field::time<&Pause::since_ms>("since"),
    field::text<&Pause::by>("by"),
};
constexpr Field pauseListFields[] = {
    field::list<&PauseList::pauses>("pauses", pauseAnswerTable).needed(),
};

} // namespace

const TableOf<SavedMatcher> savedMatcherTable{"Matcher", savedMatcherFields};
const TableOf<MatcherPage> matcherPageTable{"MatcherList", matcherPageFields};
const TableOf<MatcherRevisions> revisionsTable{"RevisionList", revisionsFields};
const TableOf<ConstraintPage> constraintPageTable{"ConstraintList", constraintPageFields};
const TableOf<BucketPage> bucketPageTable{"BucketList", bucketPageFields};
const TableOf<BreakerChanged> breakerChangedTable{"BreakerChanged", breakerChangedFields};
const TableOf<HeldList> heldTable{"HeldList", heldListFields};
const TableOf<Explanation> explanationTable{"Explanation", explanationFields};
const TableOf<Pause> pauseAnswerTable{"Pause", pauseAnswerFields};
const TableOf<PauseList> pauseListTable{"PauseList", pauseListFields};

} // namespace junban::answers
