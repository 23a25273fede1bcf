#pragma once

#include "core/base/result.h"
#include "core/redis/address.h"

#include <QByteArrayView>
#include <optional>

namespace junban::redis {

// What an error that Redis sends means (docs/semantics.md, "When Redis refuses or does not answer"). With all but Bug nothing was executed.
enum class Trouble {
    ServerWaits,   // LOADING, BUSY, CLUSTERDOWN: this server executes nothing now, but may soon
    CallWaits,     // NOREPLICAS, TRYAGAIN, ASK: the same, but only for this call
    NotPrimary,    // READONLY, MASTERDOWN: this server is, or has just become, a replica; the primary is another one
    Moved,         // MOVED: the key is on another node
    NoFunction,    // Function not found: its library must be loaded
    Full,          // OOM
    DiskFull,      // MISCONF: the server cannot write its files and accepts no changes
    NotAllowed,    // NOAUTH, WRONGPASS, NOPERM: this user may not do it until an administrator changes that
    Bug,           // anything else
};

Trouble troubleOf(QByteArrayView error);
// The Error that callers get.
Error errorOf(QByteArrayView error);
// Whether errorOf() made it of Trouble::NotAllowed.
bool isNotPermitted(const Error &error);
// The node that a MOVED names; without a host it is that of `said`, the node that answered. Nothing when the text is not a MOVED.
std::optional<Endpoint> movedTo(QByteArrayView error, const Endpoint &said);

} // namespace junban::redis
