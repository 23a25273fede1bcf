#pragma once

#include "core/jobs/schedule.h"
#include "ui/base/format.h"
#include "ui/widgets/recordmodel.h"

namespace junban::ui {

// Names for the policies and runs of schedules.
QString overlapText(Overlap overlap);
QString missedText(Missed missed);
// "every 5 minutes"; the text is always exact.
QString intervalText(qint64 every_ms);
// A row for one of the latest runs. Its key ends with a space and the job's id.
Record runRecord(const ScheduleRun &run, const Format &format, qint64 now_ms);

} // namespace junban::ui
