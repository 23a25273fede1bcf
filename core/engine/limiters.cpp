#include "core/engine/limiter.h"

namespace junban::engine {

// A file each: pauselimiter.cpp, windowlimiter.cpp and so on.
extern const LimiterKind pauseLimiter, windowLimiter, breakerLimiter, cooldownLimiter, concurrencyLimiter, shareLimiter, rateLimiter;

namespace {

class HoldsAll : public Limiter
{
    Verdict admits(const Question &) const override { return {false, 0}; }
};

} // namespace

constinit const LimiterKind holdsAll{makeLimiter<HoldsAll>};

const LimiterKind *limiterKind(ConstraintKind kind)
{
    switch (kind) {
    case ConstraintKind::Pause: return &pauseLimiter;
    case ConstraintKind::Window: return &windowLimiter;
    case ConstraintKind::Breaker: return &breakerLimiter;
    case ConstraintKind::Cooldown: return &cooldownLimiter;
    case ConstraintKind::Concurrency: return &concurrencyLimiter;
    case ConstraintKind::Share: return &shareLimiter;
    case ConstraintKind::Rate: return &rateLimiter;
    default: return nullptr;
    }
}

} // namespace junban::engine
