#include "core/limits/ratestop.h"

#include "core/base/durations.h"

#include <algorithm>

namespace junban {

namespace {

constexpr qint64 stop_ms_min = 5'000; // a shorter one is not worth a word

const RateParameters *enforcedRate(const Constraint &constraint)
{
    const auto *rate = std::get_if<RateParameters>(&constraint.parameters);
    return rate && rate->limit > 0 && constraint.mode == ConstraintMode::Enforce ? rate : nullptr;
}

} // namespace

bool isLoweredRate(const Constraint &before, const Constraint &after)
{
    const RateParameters *from = enforcedRate(before), *to = enforcedRate(after);
    return from && to && double(to->limit) / to->period_s < double(from->limit) / from->period_s;
}

// As core/lua/kinds/rate.lua counts, but of a bucket whose jobs have all started just now.
qint64 rateStop_ms(const Constraint &before, const Constraint &after, qint64 used)
{
    const RateParameters *from = enforcedRate(before), *to = enforcedRate(after);
    if (!from || !to || used <= 0)
        return 0;
    const double period_ms = to->period_s * second_ms;
    const double step_ms = period_ms / double(to->limit), old_ms = from->period_s * second_ms / double(from->limit);
    if (step_ms <= old_ms)
        return 0;
    double stop_ms = 0;
    if (to->algorithm == RateAlgorithm::Gcra) {
        const double burst_ms = double(to->burst - 1) * step_ms;
        const double closest_ms = double(from->burst - 1) * old_ms + (1 - old_ms / step_ms) * (period_ms + burst_ms);
        stop_ms = std::min(closest_ms, double(used - 1) * step_ms) - burst_ms;
    } else if (used >= to->limit) {
        stop_ms = period_ms;
    }
    return stop_ms < stop_ms_min ? 0 : qint64(stop_ms);
}

} // namespace junban
