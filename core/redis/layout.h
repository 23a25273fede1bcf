#pragma once

#include "core/redis/link.h"
#include "core/redis/scripts.h"

namespace junban::redis {

// Brings a namespace of an older layout (limits::layout_version) up to this master's in one atomic call, before anything else is asked of
// it; a new one gets its number. Answers with the layout it was found at, 0 for a new one. A newer layout is left alone: the doctor
// refuses it. `link` must outlive the call.
void upgradeLayout(Link &link, const QByteArray &namespaceName, ScriptClock clock, Callback<int> callback);

} // namespace junban::redis
