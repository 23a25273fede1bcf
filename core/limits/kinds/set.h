#pragma once

#include "core/jobs/job.h"
#include "core/limits/kinds/kind.h"

namespace junban {

// Other values for fields of a job, before it is kept.
struct SetParameters {
    std::optional<qint32> priority = {};
    std::optional<qint64> timeout_ms = {};
    std::optional<int> maxRetry = {};
    std::optional<Backoff> backoff = {};

    static const Kind kind;
    friend bool operator==(const SetParameters &, const SetParameters &) = default;
};

} // namespace junban
