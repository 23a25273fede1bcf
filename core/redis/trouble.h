#pragma once

#include "core/base/result.h"
#include "core/redis/address.h"

#include <QByteArrayView>
#include <optional>

namespace junban::redis {

// What a reply of kind error means (docs/semantics.md, "When Redis refuses or does not answer"). All but Bug say that nothing was
// executed.
enum class Trouble {
    ServerWaits,   // LOADING, BUSY, CLUSTERDOWN: this server carries out nothing now, a moment later it may
    CallWaits,     // NOREPLICAS, TRYAGAIN, ASK: the same for this call alone
    NotPrimary,    // READONLY, MASTERDOWN: a replica, perhaps since just now: the primary is elsewhere
    Moved,         // MOVED: the key lives on another node
    NoScript,      // NOSCRIPT: send its text
    Full,          // OOM
    DiskFull,      // MISCONF: it cannot write its files and takes no changes
    NotAllowed,    // NOAUTH, WRONGPASS, NOPERM: this user may not; until an administrator changes that
    Bug,           // anything else
};

Trouble troubleOf(QByteArrayView error);
// What the caller is told of it.
Error errorOf(QByteArrayView error);
// Where a MOVED points to; a host that is left out is the one that said so.
std::optional<Endpoint> movedTo(QByteArrayView error, const Endpoint &said);

} // namespace junban::redis
