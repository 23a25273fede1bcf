#pragma once

#include "core/jobs/job.h"

namespace junban {

// What happened to a job, oldest first: its enqueue, each attempt's start and end, every event, and its end. It is made from the job's
// attempts and events. Only the newest limits::attempts_kept_max of each are kept, so older ones are missing here too.
QList<Transition> historyOf(const Job &job);

} // namespace junban
