#pragma once

#include "core/redis/script.h"

#include <QList>

namespace junban::redis {

// The clock of the scripts: Redis' own or, only in tests, the key `jq:{ns}:testclock` (milliseconds). With TestKeyNarrow a call also looks
// at only a few lanes and buckets, so that a test with few jobs reaches these bounds.
enum class ScriptClock { Redis, TestKey, TestKeyNarrow };

// Whether a script that writes also runs when Redis has no memory left, though its file does not say so.
enum class WhenFull { AsItSays, Runs };

// One script with the limits (core/limits.h) and the clock put in. `name` is the name of a file in core/lua/verbs without its extension;
// the program ends if there is none. Any thread.
Script makeScript(const char *name, ScriptClock clock, WhenFull whenFull = WhenFull::AsItSays);
// The libraries of all scripts.
QList<std::shared_ptr<const Library>> allLibraries(ScriptClock clock);

} // namespace junban::redis
