#pragma once

#include "core/operators/matchereditor.h"
#include "server/api/expectation.h"

#include <optional>

// What the requests that change a matcher have in common.
namespace junban::api {

// Who is told to have changed it.
inline constexpr char editor[] = "operator";

// A change must say which revision it is of; answers 428 when it does not.
std::optional<Expected> revisionOf(const Call &call);
// The matcher with its ETag, or what is wrong with its expressions.
void answerSaved(const Call &call, const Result<MatcherEditor::Saved> &saved);

} // namespace junban::api
