#pragma once

#include "core/limits/matcher.h"

// What has started at a rate counts at the new one after an edit. So a rate that is lowered may stop its jobs until that is paid for.
namespace junban {

// Whether both are enforced rates, and `after` lets fewer jobs start in the same time.
bool isLoweredRate(const Constraint &before, const Constraint &after);
// For how long no job may start when `after` replaces `before`, at most; 0: they go on starting. `used`: what has started in the period.
qint64 rateStop_ms(const Constraint &before, const Constraint &after, qint64 used);

} // namespace junban
