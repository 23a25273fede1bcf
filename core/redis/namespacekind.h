#pragma once

#include "core/base/result.h"
#include "core/redis/link.h"

namespace junban::redis {

// Who keeps the jobs of a namespace: scripts in Redis, or an engine in memory. Neither can read what the other has.
enum class NamespaceKind { Scripts, Memory };

// The kind of a namespace that exists; Scripts for one that does not. `link` must outlive the call.
void askKind(Link &link, const QByteArray &namespaceName, Callback<NamespaceKind> callback);

// Claims a new namespace for this kind, and answers with the kind that it has. Errors: those of Link::command(). `link` must outlive the
// call.
void claimNamespace(Link &link, const QByteArray &namespaceName, NamespaceKind mine, Callback<NamespaceKind> callback);

} // namespace junban::redis
