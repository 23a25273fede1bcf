#include "core/engine/limiter.h"

#include <algorithm>
#include <cmath>

namespace junban::engine {

extern const LimiterKind shareLimiter;

namespace {

// The keys of a constraint share a capacity. A key may have a minimum and a maximum, and may borrow what others do not use, except what
// keys with ready jobs lack of their minimum.
class ShareLimiter : public Limiter
{
public:
    explicit ShareLimiter(QByteArray key) : m_key(std::move(key)) {}

private:
    Verdict admits(const Question &question) const override
    {
        const auto &[cost, used, usedOfAll, keptForOthers, now_ms] = question;
        const auto &share = parameters<ShareParameters>();
        if (m_most && (*m_most <= 0 || (used > 0 && used + cost > *m_most)))
            return {false};
        if (usedOfAll + cost > share.capacity)
            return {usedOfAll == 0, 0, usedOfAll};
        if (!share.borrow || used + cost <= m_least || usedOfAll + cost + keptForOthers <= share.capacity)
            return {true};
        return {false, 0, usedOfAll + keptForOthers};
    }
    qint64 lacks(qint64 used, qint64 ready) const override { return ready > 0 ? std::max<qint64>(0, m_least - used) : 0; }

    void parametersChanged() override
    {
        const auto &share = parameters<ShareParameters>();
        const auto isIts = [this](const auto &each) { return each.first == m_key; };
        const auto listed = std::find_if(share.shares.begin(), share.shares.end(), isIts);
        const ShareOf &own = listed == share.shares.end() ? share.otherwise : listed->second;
        std::optional<qint64> part = own.min;
        if (own.percent)
            part = qint64(std::floor(double(share.capacity) * *own.percent / 100));
        m_least = own.min.value_or(part.value_or(0));
        m_most = own.max || share.borrow ? own.max : part;
    }

    const QByteArray m_key;
    qint64 m_least = 0;
    std::optional<qint64> m_most;
};

} // namespace

constinit const LimiterKind shareLimiter{
    [](const QByteArray &key) -> std::unique_ptr<Limiter> { return std::make_unique<ShareLimiter>(key); }, true};

} // namespace junban::engine
