#include "core/engine/limiter.h"

namespace junban::engine {

extern const LimiterKind pauseLimiter;

namespace {

// Nothing starts, until a given time or until the constraint goes.
class PauseLimiter : public Limiter
{
    Verdict admits(const Question &question) const override
    {
        const qint64 until_ms = parameters<PauseParameters>().until_ms.value_or(0);
        return {until_ms > 0 && until_ms <= question.now_ms, until_ms};
    }
};

} // namespace

constinit const LimiterKind pauseLimiter{makeLimiter<PauseLimiter>};

} // namespace junban::engine
