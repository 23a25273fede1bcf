#pragma once

#include "core/jobs/schedule.h"
#include "core/msgpack/fieldtable.h"

// The field tables of schedules.
namespace junban {

extern const TableOf<ScheduleBody> newScheduleTable;
extern const TableOf<RunScheduleBody> runScheduleTable;
extern const TableOf<Schedule> scheduleRowTable;     // for lists: without the next and the last runs
extern const TableOf<Schedule> scheduleTable;
extern const TableOf<SchedulePage> schedulePageTable;

} // namespace junban
