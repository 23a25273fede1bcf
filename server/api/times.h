#pragma once

#include "core/base/timings.h"

namespace junban::api {

// How long what this master does takes, shared by its engines.
struct Times {
    Timings requests;                  // by operation, from the whole request to its answer
    Timings calls;                     // of scripts in Redis, by script
};

} // namespace junban::api
