#pragma once

#include "core/base/result.h"
#include "core/jobs/durabilitylevel.h"
#include "core/jobs/jobid.h"

namespace junban {

struct Enqueued;

// Waits until an enqueued job is as safe as its pusher asked. Threads: the engine's. Callbacks: once each, later, on that thread.
class Durability
{
public:
    Durability() = default;
    Durability(const Durability &) = delete;
    Durability &operator=(const Durability &) = delete;
    virtual ~Durability() = default;

    // To be called right after `job` was enqueued. The answer is the level that was reached: `level`, or Default when it was not reached
    // within limits::durability_ms_max. StoreUnavailable: the job is lost, and must not be acknowledged.
    virtual void after(DurabilityLevel level, JobId job, Callback<DurabilityLevel> callback) = 0;
};

// Wraps the callback of an enqueue, so that it is called only when the job is as safe as was asked. `durability` must outlive the call.
Callback<Enqueued> onceAsSafe(Durability &durability, DurabilityLevel level, Callback<Enqueued> callback);

} // namespace junban
