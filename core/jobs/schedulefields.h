#pragma once

#include "core/jobs/schedule.h"
#include "core/msgpack/fieldtable.h"

// A schedule's fields.
namespace junban {

extern const TableOf<ScheduleBody> newScheduleTable;
extern const TableOf<RunScheduleBody> runScheduleTable;
extern const TableOf<Schedule> scheduleRowTable;     // without what comes next and what was: a list's
extern const TableOf<Schedule> scheduleTable;
extern const TableOf<SchedulePage> schedulePageTable;

} // namespace junban
