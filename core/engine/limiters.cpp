#include "core/engine/limiter.h"

namespace junban::engine {

// A file each: pauselimiter.cpp, concurrencylimiter.cpp, ratelimiter.cpp.
extern const LimiterKind pauseLimiter, concurrencyLimiter, rateLimiter;

namespace {

class HoldsAll : public Limiter
{
    Verdict admits(const Question &) const override { return {false, 0}; }
};

} // namespace

constinit const LimiterKind holdsAll{[]() -> std::unique_ptr<Limiter> { return std::make_unique<HoldsAll>(); }};

const LimiterKind *limiterKind(ConstraintKind kind)
{
    switch (kind) {
    case ConstraintKind::Pause: return &pauseLimiter;
    case ConstraintKind::Concurrency: return &concurrencyLimiter;
    case ConstraintKind::Rate: return &rateLimiter;
    default: return nullptr;
    }
}

} // namespace junban::engine
