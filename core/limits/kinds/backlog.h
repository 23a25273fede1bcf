#pragma once

#include "core/limits/kinds/kind.h"

namespace junban {

// So many ready jobs at most.
enum class Overflow : quint8 { Reject, DropOldest, Coalesce };
struct BacklogParameters {
    qint64 maxReady = 0;
    Overflow overflow = Overflow::Reject;

    static const Kind kind;
    friend bool operator==(const BacklogParameters &, const BacklogParameters &) = default;
};

} // namespace junban
