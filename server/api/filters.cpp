#include "core/jobs/savedfilter.h"
#include "server/api/expectation.h"
#include "server/api/handlers.h"

// Filters that are saved by name.
namespace junban::api {

namespace {

Callback<FilterChanged> answeringFilter(const Call &call)
{
    return [call](const Result<FilterChanged> &changed) {
        if (!changed.ok()) {
            call.fail(changed.error());
            return;
        }
        if (changed->before)
            call.auditBefore(pack(savedFilterTable, *changed->before));
        if (changed->after)
            call.auditAfter(pack(savedFilterTable, *changed->after));
        const SavedFilter shown = changed->after ? *changed->after : *changed->before;
        call.reply(changed->before ? 200 : 201, pack(savedFilterTable, shown), etagOf(shown.revision));
    };
}

void listFilters(const Parts &parts, const Call &call)
{
    parts.filters.list(answering(call, filterListTable));
}

void putFilter(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> name = call.pathName("name");
    const std::optional<Expected> expected = name ? expectedOf(call) : std::nullopt;
    if (const std::optional<FilterBody> body = expected ? bodyOf(call, filterBodyTable) : std::nullopt)
        parts.filters.save({*name, *body, call.caller.name(), parts.clock.now_ms()}, *expected, answeringFilter(call));
}

void deleteFilter(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> name = call.pathName("name");
    if (const std::optional<Expected> expected = name ? expectedOf(call) : std::nullopt)
        parts.filters.remove(*name, *expected, answeringFilter(call));
}

constexpr Operation filterHandlers[] = {here("listFilters", listFilters), here("putFilter", putFilter), here("deleteFilter", deleteFilter)};

} // namespace

const std::span<const Operation> filterOperations = filterHandlers;

} // namespace junban::api
