#pragma once

#include "core/redis/link.h"
#include "core/redis/scripts.h"

namespace junban::redis {

// Brings a namespace with an older layout to limits::layout_version, in one atomic call; a new namespace gets that number. To be called
// before the namespace is used. Answers with the layout that it had, 0 for a new one. A newer layout is not changed: the doctor refuses it.
// `link` must outlive the call.
void upgradeLayout(Link &link, const QByteArray &namespaceName, ScriptClock clock, Callback<int> callback);

} // namespace junban::redis
