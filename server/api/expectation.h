#pragma once

#include "core/base/expected.h"
#include "server/api/call.h"

#include <optional>

namespace junban::api {

// What If-Match and If-None-Match ask for; answers 400 when they are none of ours.
std::optional<Expected> expectedOf(const Call &call);

} // namespace junban::api
