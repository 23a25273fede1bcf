#include "ui/past/causes.h"

namespace junban::ui {

Cause causeOf(const FailureGroup &group)
{
    Cause cause{.key = group.signature, .name = group.name, .reason = group.reason, .title = group.title};
    cause.count = group.count;
    cause.final = group.finalCount;
    cause.failed = group.failedNow;
    cause.inPeriod = group.inPeriod;
    cause.lastHour = group.lastHour;
    cause.firstAt_ms = group.firstAt_ms;
    cause.lastAt_ms = group.lastAt_ms;
    cause.resolvedAt_ms = group.resolved ? std::max<qint64>(1, group.resolvedAt_ms) : 0;
    cause.mutedUntil_ms = group.mutedUntil_ms;
    cause.step_ms = group.trendStep_s * 1'000;
    cause.trend = QList<double>(group.trend.cbegin(), group.trend.cend());
    cause.workers = group.workers;
    return cause;
}

Cause causeOf(const FailureSum &sum)
{
    Cause cause{.sum = true, .key = sum.key, .groups = sum.groups, .count = sum.count};
    cause.failed = sum.failedNow;
    cause.inPeriod = sum.inPeriod;
    cause.lastHour = sum.lastHour;
    cause.firstAt_ms = sum.firstAt_ms;
    cause.lastAt_ms = sum.lastAt_ms;
    cause.step_ms = sum.trendStep_s * 1'000;
    cause.trend = QList<double>(sum.trend.cbegin(), sum.trend.cend());
    return cause;
}

} // namespace junban::ui
