#pragma once

#include "core/jobs/job.h"

#include <algorithm>
#include <cmath>

namespace junban::engine {

// How long a job waits before it is tried again, in milliseconds: docs/semantics.md, "Retries". `failures`: 1 or more; `uniform`: 0 to 1.
inline qint64 backoffDelay_ms(const Backoff &backoff, int failures, double uniform)
{
    const double shaped = double(backoff.base_ms) * std::pow(backoff.factor, std::max(0, failures - 1));
    return qint64(std::floor(std::min(double(backoff.max_ms), shaped) * (1 + uniform * backoff.jitter)));
}

} // namespace junban::engine
