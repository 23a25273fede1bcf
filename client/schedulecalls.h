#pragma once

#include "client/calls.h"
#include "core/jobs/jobcalls.h"
#include "core/jobs/schedulefields.h"

namespace junban::client {

// Recurring jobs. A save is of one revision; 0: of a schedule that does not exist yet. RevisionMismatch when it is another by now.
class ScheduleCalls : Calls
{
public:
    using Calls::Calls;

    CallId schedules(int limit, const QByteArray &after, Takes<SchedulePage> auto callback)
    {
        return get(QStringLiteral("/v1/schedules"), pageQuery(limit, "after", after), schedulePageTable, std::move(callback));
    }
    CallId schedule(const QByteArray &id, Takes<Schedule> auto callback) { return get(path(id), scheduleTable, std::move(callback)); }
    // The job's fields that a form shows come from `spec.job`, the others from `spec.jobBody`.
    CallId saveSchedule(const QByteArray &id, const ScheduleSpec &spec, qint64 revision, Takes<Schedule> auto callback)
    {
        return put(path(id), saved(spec), scheduleTable, std::move(callback), onlyAt(revision));
    }
    // With the body of the PUT, which is sent as it is; of any revision.
    CallId putSchedule(const QByteArray &id, const QByteArray &body, Takes<Schedule> auto callback)
    {
        return put(path(id), body, scheduleTable, std::move(callback));
    }
    CallId deleteSchedule(const QByteArray &id, qint64 revision, Takes<Schedule> auto callback)
    {
        return remove(path(id), scheduleTable, std::move(callback), onlyAt(revision));
    }
    CallId runSchedule(const QByteArray &id, Takes<Enqueued> auto callback)
    {
        return post(path(id, "/run"), nothing(), enqueuedTable, std::move(callback));
    }
    CallId pauseSchedule(const QByteArray &id, Takes<Schedule> auto callback)
    {
        return post(path(id, "/pause"), nothing(), scheduleTable, std::move(callback));
    }
    CallId resumeSchedule(const QByteArray &id, Takes<Schedule> auto callback)
    {
        return post(path(id, "/resume"), nothing(), scheduleTable, std::move(callback));
    }

private:
    static QString path(const QByteArray &id, const char *verb = "") { return namedPath("/v1/schedules/", id, verb); }
    static QByteArray saved(const ScheduleSpec &spec);
};

} // namespace junban::client
