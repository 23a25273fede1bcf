#pragma once

#include "core/jobs/jobid.h"

namespace junban {

// The id of the index-th job that a request makes, whose first job has the id `first`: the same each time. They sort by the index, and no
// other request makes them.
JobId derivedId(const JobId &first, qsizetype index);

} // namespace junban
