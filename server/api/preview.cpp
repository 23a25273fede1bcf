#include "core/limits/limitanswers.h"
#include "server/api/handlers.h"
#include "server/api/masking.h"

// What a matcher would do, before it is saved.
namespace junban::api {

namespace {

void previewMatcher(const Parts &parts, const Call &call)
{
    const std::optional<PreviewQuery> query = bodyOf(call, previewTable);
    if (!query)
        return;
    const auto answer = [call](const Result<Previewer::Preview> &preview) {
        if (!preview.ok())
            call.fail(preview.error());
        else if (!preview->problems.isEmpty())
            call.reply(422, encodeProblem(preview->problems));
        else
            call.reply(200, pack(answers::matcherPreviewTable, preview->answer));
    };
    // Who may not reveal hidden values cannot find them out by expressions either.
    withMasks(parts, call, [&parts, call, query = *query, answer](const Masker &masker) {
        parts.matching.previewer.preview(query, mayReveal(call.caller) ? nullptr : &masker, answer);
    });
}

constexpr Operation previewHandlers[] = {{"previewMatcher", previewMatcher}};

} // namespace

const std::span<const Operation> previewOperations = previewHandlers;

} // namespace junban::api
