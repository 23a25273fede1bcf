#pragma once

#include "core/redis/address.h"

#include <QList>

namespace junban::redis {

// Who chooses the next primary, and from which servers.
struct Successors {
    enum class Chooser { Operator, Sentinels, Cluster };
    Chooser chooser = Chooser::Operator;
    QList<Endpoint> servers = {};      // servers that may be chosen, reachable or not; empty when an operator chooses
    QList<Endpoint> never = {};        // replicas whose settings say that they are never chosen
};

} // namespace junban::redis
