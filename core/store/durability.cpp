#include "core/store/durability.h"
#include "core/store/store.h"

namespace junban {

Callback<Enqueued> onceAsSafe(Durability &durability, DurabilityLevel level, Callback<Enqueued> callback)
{
    return [&durability, level, callback = std::move(callback)](Result<Enqueued> enqueued) {
        if (!enqueued.ok()) {
            callback(std::move(enqueued));
            return;
        }
        durability.after(level, enqueued->id, [enqueued, callback](const Result<DurabilityLevel> &reached) mutable {
            // A duplicate's job, from an earlier push, may have ended and been purged since: its absence is not a loss.
            if (!reached.ok() && !enqueued->duplicate) {
                callback(reached.error());
                return;
            }
            enqueued->durability = reached.ok() ? *reached : DurabilityLevel::Default;
            callback(std::move(enqueued));
        });
    };
}

} // namespace junban
