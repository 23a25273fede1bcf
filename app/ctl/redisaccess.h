#pragma once

#include "core/redis/link.h"

#include <functional>
#include <optional>

// How a verb reaches a namespace in Redis without a master.
namespace junban::app {

class Flags;
class Session;

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
int runOnNamespace(Session &session, const NamespaceAddress &address, const std::function<void(const OpenNamespace &open)> &begin);

} // namespace junban::app
