#pragma once

#include "client/apilink.h"
#include "core/jobs/jobcalls.h"
#include "core/jobs/schedule.h"

namespace junban::client {

// Recurring jobs. A save is for one revision; 0: for a schedule that does not exist yet. Conflict when it is another by now.
class ScheduleCalls
{
public:
    explicit ScheduleCalls(ApiLink &link) : m_link(link) {}

    CallId schedules(int limit, const QByteArray &after, Callback<SchedulePage> callback);
    CallId schedule(const QByteArray &id, Callback<Schedule> callback);
    // Of the job the fields that a form shows are written anew, the others stay as `spec.jobBody` has them.
    CallId saveSchedule(const QByteArray &id, const ScheduleSpec &spec, qint64 revision, Callback<Schedule> callback);
    // The body of a PUT as it is, whatever stood there before.
    CallId putSchedule(const QByteArray &id, const QByteArray &body, Callback<Schedule> callback);
    CallId deleteSchedule(const QByteArray &id, qint64 revision, Callback<Schedule> callback);
    CallId runSchedule(const QByteArray &id, Callback<Enqueued> callback);
    CallId pauseSchedule(const QByteArray &id, Callback<Schedule> callback);
    CallId resumeSchedule(const QByteArray &id, Callback<Schedule> callback);

private:
    ApiLink &m_link;
};

} // namespace junban::client
