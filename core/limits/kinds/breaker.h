#pragma once

#include "core/limits.h"
#include "core/limits/kinds/kind.h"

namespace junban {

// Too few of the last jobs succeeded.
struct BreakerParameters {
    double window_s = limits::breaker_window_s_default;
    qint64 minSamples = limits::breaker_samples_default;
    double failureRate = limits::breaker_failure_rate_default;
    double openFor_s = limits::breaker_open_s_default;
    double factor = limits::backoff_factor_default;
    double maxOpen_s = limits::breaker_open_s_max_default;
    qint64 probes = 1;

    static const Kind kind;
    friend bool operator==(const BreakerParameters &, const BreakerParameters &) = default;
};

} // namespace junban
