#pragma once

#include "core/jobs/schedule.h"
#include "core/msgpack/fieldtable.h"

namespace junban {

// When a recurrence that is not saved would fire.
struct SchedulePreview {
    QList<qint64> nextRuns = {}; // none: never again
};

extern const TableOf<ScheduleSpec> recurrenceTable; // the recurrence alone
extern const TableOf<SchedulePreview> schedulePreviewTable;

} // namespace junban
