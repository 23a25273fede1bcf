#pragma once

#include "core/jobs/job.h"

namespace junban {

// What happened to a job, oldest first: its enqueue, each attempt's start and end, every event, and its end. Nothing of it is kept
// besides the attempts and events; where those were cut at their bound, the oldest are missing here too.
QList<Transition> historyOf(const Job &job);

} // namespace junban
