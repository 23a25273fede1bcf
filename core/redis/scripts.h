#pragma once

#include "core/redis/link.h"

namespace junban::redis {

// A script of core/lua as the build put it together; the list ends with a null name.
struct EmbeddedScript {
    const char *name;
    const char *text;
};
extern const EmbeddedScript embeddedScripts[];

// What the scripts take for the time: Redis' own clock, or, in tests only, the key `jq:{ns}:testclock` (milliseconds); Narrow ones look at
// a few lanes and buckets a call, so that a test of some jobs meets these bounds.
enum class ScriptClock { Redis, TestKey, TestKeyNarrow };

// One script with its limits (core/limits.h) and its clock put in. `name` is a file of core/lua without its ending.
Script makeScript(const char *name, ScriptClock clock);

} // namespace junban::redis
