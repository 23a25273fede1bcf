#include "core/jobs/operation.h"

#include "core/base/reasons/fields.h"
#include "core/base/reasons/requests.h"
#include "core/jobs/jobfields.h"
#include "core/msgpack/msgpackwriter.h"

#include <algorithm>

namespace junban {

bool mayAct(BulkAction action, JobState state, bool inTrash)
{
    if (inTrash)
        return action == BulkAction::Restore;
    switch (action) {
    case BulkAction::Retry: return state == JobState::Failed || state == JobState::Cancelled;
    case BulkAction::Cancel: return !isFinal(state);
    case BulkAction::Delete: return state != JobState::Running && state != JobState::Awaiting;
    case BulkAction::Restore: return false;
    case BulkAction::Release: return state == JobState::Running;
    case BulkAction::Set: return state == JobState::Ready || state == JobState::Scheduled || state == JobState::Failed;
    }
    return false;
}

std::optional<BulkAction> undoOf(BulkAction action)
{
    switch (action) {
    case BulkAction::Retry: return BulkAction::Cancel;
    case BulkAction::Delete: return BulkAction::Restore;
    case BulkAction::Restore: return BulkAction::Delete;
    default: return {};
    }
}

namespace {

template<JobState state>
void *countOf(void *object)
{
    return &static_cast<StateCounts *>(object)->of(state);
}
template<JobState state>
constexpr Field countField(QByteArrayView name)
{
    return Field{.name = name, .codec = &codecs::integer<qint64>, .memberOf = countOf<state>, .min = 0}.rare();
}
constexpr Field stateCountFields[] = {
    countField<JobState::Scheduled>("scheduled"), countField<JobState::Depends>("depends"), countField<JobState::Ready>("ready"),
    countField<JobState::Running>("running"), countField<JobState::Awaiting>("awaiting"), countField<JobState::Succeeded>("succeeded"),
    countField<JobState::Failed>("failed"), countField<JobState::Cancelled>("cancelled"),
    field::integer<&StateCounts::trash>("trash", 0).rare(),
    field::integer<&StateCounts::gone>("gone", 0).rare(),
};
constexpr TableOf<StateCounts> stateCountTable{"StateCounts", stateCountFields};

bool asksSomething(const Selection &selection)
{
    return selection.state || !selection.name.isEmpty() || !selection.tag.isEmpty() || !selection.match.isEmpty() || selection.trash
        || !selection.signature.isEmpty() || !selection.ids.isEmpty() || selection.order == ListOrder::Reversed;
}
bool checkSelection(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &seen)
{
    const Selection &selection = *static_cast<const Selection *>(object);
    if (seen.has("match") && selection.match.isEmpty())
        return in.fail({&value.path, "match", -1}, reasons::fieldEmpty);
    if (!selection.signature.isEmpty() && selection.trash)
        return in.fail({&value.path, "trash", -1}, reasons::fieldExcludes, "signature");
    if (!selection.ids.isEmpty() && (selection.trash || !selection.signature.isEmpty()))
        return in.fail({&value.path, "ids", -1}, reasons::selectionIdsAlone);
    const bool hasOrder = selection.state && !selection.trash && selection.signature.isEmpty() && selection.ids.isEmpty();
    if (selection.order == ListOrder::Reversed && !hasOrder)
        return in.fail({&value.path, "order", -1}, reasons::selectionOrderReversed);
    return true;
}
constexpr Field selectionFields[] = {
    field::jobState<&Selection::state>("state").rare(),
    field::name<&Selection::name>("name", limits::name_bytes_max).rare(),
    field::name<&Selection::tag>("tag", limits::name_bytes_max).rare(),
    field::text<&Selection::match>("match", limits::matcher_text_bytes_max).rare(),
    field::boolean<&Selection::trash>("trash").rare(),
    field::name<&Selection::signature>("signature", limits::name_bytes_max).rare(),
    field::listOf<&Selection::ids, codecs::jobId>("ids").atMost(limits::selection_ids_max).rare(),
    field::word<&Selection::order>("order", listOrderWords).rare(),
};

constexpr Field viewFields[] = {
    field::text<&View::id>("view").needed(),
    field::time<&View::asOf_ms>("as_of"),
    field::integer<&View::count>("count", 0),
    field::boolean<&View::building>("building").rare(),
    field::boolean<&View::complete>("complete"),
    field::time<&View::expiresAt_ms>("expires_at").rare(),
    field::object<&View::selection>("selection", newViewTable).rare(),
    field::text<&View::owner>("owner").rare(),
};
constexpr Field viewListFields[] = {field::list<&ViewList::views>("views", viewTable).atMost(limits::views_max).needed()};
constexpr Field viewPageFields[] = {
    field::beside<&ViewPage::view>(viewTable),
    field::integer<&ViewPage::offset>("offset", 0),
    field::listOf<&ViewPage::ids, codecs::jobId>("ids").needed(),
    field::list<&ViewPage::jobs>("jobs", jobRowTable).needed(),
};

bool checkOperation(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &seen)
{
    const NewOperation &operation = *static_cast<const NewOperation *>(object);
    const auto fail = [&](const char *key, Error (*reason)(QByteArrayView field)) { return in.fail({&value.path, key, -1}, reason); };
    if (!operation.token.isEmpty()) {
        for (const Field &field : newOperationTable.fields) {
            if (!field.name.isEmpty() && field.name != "token" && seen.has(field.name))
                return fail("token", reasons::operationTokenAlone);
        }
        return !asksSomething(operation.selection) || fail("token", reasons::operationTokenAlone);
    }
    if (!operation.dryRun)
        return fail("dry_run", reasons::operationDryRunFirst);
    if (!operation.action)
        return fail("action", reasons::fieldRequired);
    if (!checkSelection(in, value, &operation.selection, seen))
        return false;
    if (operation.view.isEmpty() == !asksSomething(operation.selection))
        return fail("view", operation.view.isEmpty() ? reasons::operationSelectionNeeded : reasons::operationViewOrSelection);
    if ((*operation.action == BulkAction::Set) != operation.fields.has_value())
        return fail("fields", operation.fields ? reasons::operationFieldsOfSet : reasons::fieldRequired);
    if (operation.fields && (operation.fields->argument || operation.fields->maxRetry || operation.fields->timeout_ms))
        return fail("fields", reasons::operationFieldsLimited);
    return true;
}
constexpr Field newOperationFields[] = {
    field::word<&NewOperation::action>("action", bulkActionWords).rare(),
    field::text<&NewOperation::view>("view", limits::name_bytes_max).rare(),
    field::beside<&NewOperation::selection>(newViewTable),
    field::object<&NewOperation::fields>("fields", jobEditTable).rare(),
    field::real<&NewOperation::rate>("rate", 0, limits::operation_rate_max).rare(),
    field::boolean<&NewOperation::dryRun>("dry_run").rare(),
    field::text<&NewOperation::token>("token", limits::name_bytes_max).rare(),
};

bool ofBacklog(const void *object)
{
    return !static_cast<const LimitMet *>(object)->overflow.isEmpty();
}
constexpr Field limitMetFields[] = {
    field::text<&LimitMet::matcher>("matcher").needed(),
    field::text<&LimitMet::title>("title"),
    field::text<&LimitMet::constraint>("constraint").needed(),
    field::text<&LimitMet::kind>("kind").needed(),
    field::real<&LimitMet::share>("share"),
    field::real<&LimitMet::perSecond>("per_second").rare(),
    field::integer<&LimitMet::maxReady>("max_ready", 0).onlyIf(ofBacklog),
    field::text<&LimitMet::overflow>("overflow").onlyIf(ofBacklog),
};
constexpr TableOf<LimitMet> limitMetTable{"OperationPreview.limits", limitMetFields};
constexpr Field previewFields[] = {
    field::text<&OperationPreview::token>("token").needed(),
    field::word<&OperationPreview::action>("action", bulkActionWords).needed(),
    field::text<&OperationPreview::view>("view").needed(),
    field::time<&OperationPreview::asOf_ms>("as_of"),
    field::boolean<&OperationPreview::complete>("complete"),
    field::integer<&OperationPreview::jobs>("jobs", 0),
    field::object<&OperationPreview::counts>("counts", stateCountTable),
    field::object<&OperationPreview::excluded>("excluded", stateCountTable),
    field::list<&OperationPreview::samples>("samples", jobRowTable).atMost(limits::operation_samples_max).needed(),
    field::list<&OperationPreview::limits>("limits", limitMetTable).needed(),
    field::real<&OperationPreview::drain_s>("drain").rare(),
    field::time<&OperationPreview::expiresAt_ms>("expires_at"),
};

constexpr Field skippedWhyFields[] = {
    field::text<&SkippedWhy::reason>("reason").needed(),
    field::integer<&SkippedWhy::jobs>("jobs", 0),
};
constexpr TableOf<SkippedWhy> skippedWhyTable{"Operation.skipped_by", skippedWhyFields};
constexpr Field operationFields[] = {
    field::text<&BulkOperation::id>("operation").needed(),
    field::word<&BulkOperation::action>("action", bulkActionWords).needed(),
    field::word<&BulkOperation::state>("state", operationStateWords).needed(),
    field::text<&BulkOperation::view>("view"),
    field::integer<&BulkOperation::count>("count", 0),
    field::integer<&BulkOperation::position>("position", 0),
    field::integer<&BulkOperation::jobs>("jobs", 0),
    field::integer<&BulkOperation::done>("done", 0),
    field::integer<&BulkOperation::skipped>("skipped", 0),
    field::list<&BulkOperation::skippedBy>("skipped_by", skippedWhyTable),
    field::real<&BulkOperation::rate>("rate").rare(),
    field::object<&BulkOperation::fields>("fields", jobEditTable).rare(),
    field::text<&BulkOperation::by>("by").rare(),
    field::text<&BulkOperation::reason>("reason").rare(),
    field::time<&BulkOperation::preparedAt_ms>("prepared_at"),
    field::time<&BulkOperation::startedAt_ms>("started_at").rare(),
    field::time<&BulkOperation::endedAt_ms>("ended_at").rare(),
    field::text<&BulkOperation::undoes>("undoes").rare(),
    field::text<&BulkOperation::undoneBy>("undone_by").rare(),
    field::boolean<&BulkOperation::undoable>("undoable"),
    field::object<&BulkOperation::selection>("selection", newViewTable).rare(),
};
constexpr Field operationListFields[] = {
    field::list<&OperationList::operations>("operations", operationTable).atMost(limits::operations_max).needed(),
};

constexpr Field skippedJobFields[] = {
    field::jobId<&SkippedJob::id>("id").needed(),
    field::text<&SkippedJob::reason>("reason").needed(),
};
constexpr TableOf<SkippedJob> skippedJobTable{"SkippedJob", skippedJobFields};
constexpr Field skippedPageFields[] = {
    field::list<&SkippedPage::skipped>("skipped", skippedJobTable).needed(),
    field::integer<&SkippedPage::total>("total", 0),
};

} // namespace

OperationProgress::OperationProgress(const BulkOperation &operation)
    : passed(operation.undoes.isEmpty() ? operation.position : operation.done + operation.skipped)
    , all(operation.undoes.isEmpty() ? operation.count : operation.jobs)
{
    passed = operation.state == OperationState::Ended ? all : std::min(passed, all);
    if (operation.state == OperationState::Stopped) // the view may have jobs that it was not to act on
        unreached = std::max<qint64>(0, std::min(all - passed, operation.jobs - operation.done));
}

constinit const TableOf<Selection> newViewTable{"NewView", selectionFields, checkSelection};
constinit const TableOf<View> viewTable{"View", viewFields};
constinit const TableOf<ViewList> viewListTable{"ViewList", viewListFields};
constinit const TableOf<ViewPage> viewPageTable{"ViewPage", viewPageFields};
constinit const TableOf<NewOperation> newOperationTable{"NewOperation", newOperationFields, checkOperation};
constinit const TableOf<OperationPreview> operationPreviewTable{"OperationPreview", previewFields};
constinit const TableOf<BulkOperation> operationTable{"Operation", operationFields};
constinit const TableOf<OperationList> operationListTable{"OperationList", operationListFields};
constinit const TableOf<SkippedPage> skippedPageTable{"SkippedPage", skippedPageFields};

} // namespace junban
