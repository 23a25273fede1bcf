#pragma once

#include "core/redis/address.h"

#include <QList>

namespace junban::redis {

// Who chooses the next primary, and among whom.
struct Successors {
    enum class Chooser { Operator, Sentinels, Cluster };
    Chooser chooser = Chooser::Operator;
    QList<Endpoint> servers = {};      // that may be chosen, whether they can be reached now or not; not known when an operator chooses
    QList<Endpoint> never = {};        // replicas that are set up never to be chosen
};

} // namespace junban::redis
