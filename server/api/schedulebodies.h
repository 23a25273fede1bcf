#pragma once

#include "core/base/result.h"
#include "core/store/schedulestore.h"

#include <QByteArray>
#include <optional>

// The bodies of recurring jobs: as server/api/requests.h and server/api/answers.h, with the same rules.
namespace junban::api {

struct ScheduleBody {
    ScheduleSpec spec;
    std::optional<bool> paused;
};
Result<ScheduleBody> decodeSchedule(QByteArrayView body);
// The overlap policy of a run by hand, if the body names one; the body may be empty.
Result<std::optional<Overlap>> decodeRunSchedule(QByteArrayView body);

enum class ScheduleDetail { Row, Whole };
QByteArray encodeSchedule(const Schedule &schedule, ScheduleDetail detail);
QByteArray encodeSchedules(const SchedulePage &page);

} // namespace junban::api
