#pragma once

#include "core/redis/link.h"

#include <functional>
#include <optional>

// How a verb reaches a namespace in Redis without a master.
namespace junban::app {

class Flags;

// --redis URL and --namespace NAME.
struct NamespaceAddress {
    std::optional<redis::Address> redis;
    QByteArray name;
    bool isGiven = false;            // one of the two flags is
};
NamespaceAddress namespaceOf(Flags &flags);

struct OpenNamespace {
    redis::Link &link;
    QByteArray name;
};
// Calls `begin` once Redis is reached, and runs the program's event loop until it is ended. Returns the exit code: 0 done, 1 something is
// wrong with the namespace or the file, 2 it could not be looked at.
int runOnNamespace(const NamespaceAddress &address, const std::function<void(const OpenNamespace &open)> &begin);

// Says on standard error why something was not done, and returns 2.
int failed(const QByteArray &why);

} // namespace junban::app
