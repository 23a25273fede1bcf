#pragma once

#include "core/limits.h"
#include "core/limits/kinds/kind.h"

namespace junban {

// A worker asked to wait.
struct CooldownParameters {
    double max_s = limits::cooldown_s_default;

    static const Kind kind;
    friend bool operator==(const CooldownParameters &, const CooldownParameters &) = default;
};

} // namespace junban
