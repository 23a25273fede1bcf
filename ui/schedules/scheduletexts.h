#pragma once

#include "client/schedules.h"
#include "ui/base/format.h"
#include "ui/widgets/recordmodel.h"

namespace junban::ui {

// Names for the policies and runs of schedules.
QString overlapText(Overlap overlap);
QString missedText(Missed missed);
// "every 5 minutes": an interval is always said exactly.
QString intervalText(qint64 every_ms);
// A row for one of the latest runs; its key ends with the job's id, behind a space.
Record runRecord(const client::ScheduleRun &run, const Format &format, qint64 now_ms);

} // namespace junban::ui
