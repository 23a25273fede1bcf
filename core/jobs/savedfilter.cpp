#include "core/jobs/savedfilter.h"

#include "core/limits.h"

namespace junban {

namespace {

constexpr const char *screenWords[] = {
    "jobs", "failures", "results", "schedules", "matchers", "constraints", "workers", "operations", "trash", "audit", "tokens",
};
constexpr const char *kindWords[] = {"text", "pattern", "expression"};

constexpr Field bodyFields[] = {
    field::word<&FilterBody::screen>("screen", screenWords).needed(),
    field::word<&FilterBody::kind>("kind", kindWords).needed(),
    field::text<&FilterBody::text>("text", limits::filter_text_bytes_max).needed(),
};
constexpr Field filterFields[] = {
    field::name<&SavedFilter::name>("name", limits::name_bytes_max).needed(),
    field::beside<&SavedFilter::body>(filterBodyTable),
    field::text<&SavedFilter::savedBy>("saved_by").needed(),
    field::time<&SavedFilter::savedAt_ms>("saved_at").needed(),
    field::integer<&SavedFilter::revision>("revision").needed(),
};
constexpr Field listFields[] = {field::list<&FilterList::filters>("filters", savedFilterTable).atMost(limits::filters_max).needed()};

} // namespace

const TableOf<FilterBody> filterBodyTable{"NewFilter", bodyFields};
const TableOf<SavedFilter> savedFilterTable{"SavedFilter", filterFields};
const TableOf<FilterList> filterListTable{"FilterList", listFields};

} // namespace junban
