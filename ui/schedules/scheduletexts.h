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
// The time zone that a schedule goes by; empty: by an interval, in none.
QByteArray zoneOf(const ScheduleSpec &spec);
// A row for one of the latest runs, due in that zone. Its key ends with a space and the job's id.
Record runRecord(const ScheduleRun &run, const QByteArray &zone, const Format &format, qint64 now_ms);

} // namespace junban::ui
