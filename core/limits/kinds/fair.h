#pragma once

#include "core/limits/kinds/kind.h"

namespace junban {

// Keys take turns, by their weights.
struct FairParameters {
    Amount weight = {};

    static const Kind kind;
    friend bool operator==(const FairParameters &, const FairParameters &) = default;
};

} // namespace junban
