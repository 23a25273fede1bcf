#include "core/engine/limiter.h"

namespace junban::engine {

extern const LimiterKind concurrencyLimiter;

namespace {

// A limit on the cost of what runs at the same time. A job that costs more than the limit runs alone.
class ConcurrencyLimiter : public Limiter
{
    Verdict admits(const Question &question) const override
    {
        const qint64 limit = parameters<ConcurrencyParameters>().limit;
        return {limit > 0 && (question.used == 0 || question.used + question.cost <= limit), 0};
    }
};

} // namespace

constinit const LimiterKind concurrencyLimiter{makeLimiter<ConcurrencyLimiter>};

} // namespace junban::engine
