#include "core/engine/limiter.h"

#include <algorithm>

namespace junban::engine {

extern const LimiterKind cooldownLimiter;

namespace {

// After a failure that asks for a delay nothing starts for that time.
class CooldownLimiter : public Limiter
{
    Verdict admits(const Question &question) const override
    {
        const bool cools = m_coolsUntil_ms > question.now_ms;
        return {!cools, cools ? m_coolsUntil_ms : 0};
    }
    void uncharge(const Ended &ended) override
    {
        if (ended.how != AttemptEnd::Failure || ended.retryAfter_ms <= 0)
            return;
        const qint64 most_ms = wholeMs(parameters<CooldownParameters>().max_s);
        m_coolsUntil_ms = std::max(m_coolsUntil_ms, ended.now_ms + std::min(ended.retryAfter_ms, most_ms));
        changed();
    }
    qint64 matters_ms(qint64) const override { return m_coolsUntil_ms; }

    bool hasState() const override { return m_coolsUntil_ms > 0; }
    void pack(Packer &packer) const override { packer(m_coolsUntil_ms); }
    void unpack(Unpacker &unpacker) override { unpacker(m_coolsUntil_ms); }

    qint64 m_coolsUntil_ms = 0;          // 0: it never cooled
};

} // namespace

constinit const LimiterKind cooldownLimiter{makeLimiter<CooldownLimiter>};

} // namespace junban::engine
