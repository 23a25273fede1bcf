#include "core/jobs/schedulefields.h"
#include "server/api/expectation.h"
#include "server/api/handlers.h"

// Recurring jobs.
namespace junban::api {

namespace {

std::optional<QByteArray> scheduleOf(const Call &call)
{
    return call.pathName("schedule");
}

void answer(const Call &call, int status, const Result<Schedule> &found)
{
    if (!found.ok()) {
        call.fail(found.error());
        return;
    }
    Schedule schedule = *found;
    const qint64 from_ms = schedule.next_ms > 0 ? schedule.next_ms - 1 : schedule.now_ms;
    schedule.nextRuns = Firings(schedule.spec.recurrence).after_ms(from_ms, limits::schedule_next_runs);
    call.reply(status, pack(scheduleTable, schedule), etagOf(schedule.revision));
}

Callback<Schedule> answeringSchedule(const Call &call)
{
    return [call](const Result<Schedule> &schedule) { answer(call, 200, schedule); };
}

void listSchedules(const Parts &parts, const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::schedules_page_max, limits::page_rows_default);
    const Result<QByteArray> after = call.name("after");
    if (!areRead(call, limit, after))
        return;
    parts.scheduler.list(*limit, *after, answering<SchedulePage>(call, schedulePageTable, [](SchedulePage page) {
        if (!page.end && !page.schedules.isEmpty())
            page.next = page.schedules.last().id;
        return page;
    }));
}

void getSchedule(const Parts &parts, const Call &call)
{
    if (const std::optional<QByteArray> id = scheduleOf(call))
        parts.scheduler.get(*id, answeringSchedule(call));
}

void putSchedule(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = scheduleOf(call);
    const std::optional<Expected> expected = id ? expectedOf(call) : std::nullopt;
    std::optional<ScheduleBody> body = expected ? bodyOf(call, newScheduleTable) : std::nullopt;
    if (!body)
        return;
    parts.scheduler.save(*id, std::move(body->spec), *expected, body->paused, [call](const Result<ScheduleSaved> &saved) {
        if (saved.ok())
            answer(call, saved->created ? 201 : 200, saved->schedule);
        else
            call.fail(saved.error());
    });
}

void deleteSchedule(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = scheduleOf(call);
    if (const std::optional<Expected> expected = id ? expectedOf(call) : std::nullopt)
        parts.scheduler.remove(*id, *expected, answeringSchedule(call));
}

void runSchedule(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = scheduleOf(call);
    const auto body = id ? bodyOf(call, runScheduleTable, {}, Body::MayBeEmpty) : std::nullopt;
    if (!body)
        return;
    parts.scheduler.runNow(*id, body->overlap, [call](const Result<Fired> &fired) {
        if (fired.ok())
            call.reply(201, pack(enqueuedTable, {fired->job, fired->state, false}));
        else
            call.fail(fired.error());
    });
}

void pauseSchedule(const Parts &parts, const Call &call)
{
    if (const std::optional<QByteArray> id = scheduleOf(call); id && hasNoBody(call))
        parts.scheduler.pause(*id, answeringSchedule(call));
}

void resumeSchedule(const Parts &parts, const Call &call)
{
    if (const std::optional<QByteArray> id = scheduleOf(call); id && hasNoBody(call))
        parts.scheduler.resume(*id, answeringSchedule(call));
}

constexpr Operation scheduleHandlers[] = {
    {"listSchedules", listSchedules}, {"getSchedule", getSchedule}, {"putSchedule", putSchedule}, {"deleteSchedule", deleteSchedule},
    {"runSchedule", runSchedule}, {"pauseSchedule", pauseSchedule}, {"resumeSchedule", resumeSchedule},
};

} // namespace

const std::span<const Operation> scheduleOperations = scheduleHandlers;

} // namespace junban::api
