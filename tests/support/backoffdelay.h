#pragma once

#include "core/jobs/job.h"

#include <algorithm>
#include <cmath>

namespace junban::test {

// How long a job waits after so many failures, as core/lua/pieces/record.lua has it; `uniform` is from 0 to 1.
inline qint64 backoffDelay_ms(const Backoff &backoff, int failures, double uniform)
{
    const double shaped = double(backoff.base_ms) * std::pow(backoff.factor, std::max(0, failures - 1));
    const double capped = std::min(double(backoff.max_ms), shaped);
    return qint64(std::floor(capped * (1 + uniform * backoff.jitter)));
}

} // namespace junban::test
