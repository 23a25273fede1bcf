#pragma once

#include "core/limits/kinds/kind.h"

namespace junban {

// So many at a time.
struct ConcurrencyParameters {
    qint64 limit = 0;
    Amount cost = {};
    std::optional<double> reserveAfter_s = {};

    static const Kind kind;
    friend bool operator==(const ConcurrencyParameters &, const ConcurrencyParameters &) = default;
};

} // namespace junban
