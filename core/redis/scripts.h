#pragma once

#include "core/redis/link.h"

namespace junban::redis {

// What the scripts take for the time: Redis' own clock, or, in tests only, the key `jq:{ns}:testclock` (milliseconds); Narrow ones look at
// a few lanes and buckets a call, so that a test of some jobs meets these bounds.
enum class ScriptClock { Redis, TestKey, TestKeyNarrow };

// One script with its limits (core/limits.h) and its clock put in. `name` is a file of core/lua/verbs without its ending.
Script makeScript(const char *name, ScriptClock clock);

} // namespace junban::redis
