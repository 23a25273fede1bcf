#pragma once

#include "core/jobs/fsckreport.h"
#include "core/redis/link.h"

#include <functional>
#include <optional>

namespace junban::app {

class Flags;

// Where a verb finds a namespace without a master: --redis URL and --namespace NAME.
struct Place {
    std::optional<redis::Address> address;
    QByteArray namespaceName;
    bool isGiven = false;            // one of the two flags is
};
Place placeOf(Flags &flags);

// Says on standard error why something was not done, and returns 2.
int failed(const QByteArray &why);
// Prints what fsck found, and returns the exit code that says so.
int printFsck(const FsckReport &report);

struct Straight {
    redis::Link &link;
    QByteArray namespaceName;
};
// Calls `begin` once Redis is reached, and runs the program's event loop until it is ended. Returns the exit code: 0 done, 1 something is
// wrong with the namespace or the file, 2 it could not be looked at.
int straightToRedis(const Place &place, const std::function<void(const Straight &straight)> &begin);

} // namespace junban::app
