#pragma once

#include "core/base/result.h"
#include "core/jobs/durabilitylevel.h"
#include "core/jobs/jobid.h"

namespace junban {

struct Enqueued;

// Waits until what was enqueued is as safe as was asked for. Threads: the engine's. Callbacks: once each, later, on that thread.
class Durability
{
public:
    Durability() = default;
    Durability(const Durability &) = delete;
    Durability &operator=(const Durability &) = delete;
    virtual ~Durability() = default;

    // `job` was enqueued just now. Answers with the level reached: `level`, or Default when that was not to be had in time.
    // StoreUnavailable: the job is known to be lost; it must not be acknowledged.
    virtual void after(DurabilityLevel level, JobId job, Callback<DurabilityLevel> callback) = 0;
};

// The answer to an enqueue, given only when the job is as safe as was asked for. `durability` outlives the call.
Callback<Enqueued> onceAsSafe(Durability &durability, DurabilityLevel level, Callback<Enqueued> callback);

} // namespace junban
