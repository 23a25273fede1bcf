#include "core/limits/limitanswers.h"
#include "server/api/handlers.h"

// What a matcher would do, before it is saved.
namespace junban::api {

namespace {

void previewMatcher(const Parts &parts, const Call &call)
{
    const std::optional<PreviewQuery> query = bodyOf(call, previewTable);
    if (!query)
        return;
    parts.matching.previewer.preview(*query, [call](const Result<Previewer::Preview> &preview) {
        if (!preview.ok())
            call.fail(preview.error());
        else if (!preview->problems.isEmpty())
            call.reply(422, encodeProblem(preview->problems));
        else
            call.reply(200, pack(answers::matcherPreviewTable, preview->answer));
    });
}

constexpr Operation previewHandlers[] = {{"previewMatcher", previewMatcher}};

} // namespace

const std::span<const Operation> previewOperations = previewHandlers;

} // namespace junban::api
