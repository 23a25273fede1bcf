#pragma once

#include "core/jobs/administration.h"
#include "core/limits/matcherset.h"

namespace junban {

// The matchers that were made by pausing, not by hand.
QList<JobMatcher> pausesIn(const MatcherSet &set);
Pause pauseOf(const JobMatcher &matcher);

} // namespace junban
