#pragma once

#include "core/jobs/jobcalls.h"
#include "core/limits/matcherset.h"

namespace junban {

// A field that an edit sets to another value than a `set` constraint, which would undo that when the matchers read the job again.
struct Governed {
    const char *field = nullptr;
    const JobMatcher *matcher = nullptr; // lives as long as the set
};
Governed governedBy(const MatcherSet &matchers, const JobSpec &spec, const JobEdit &edit);

} // namespace junban
