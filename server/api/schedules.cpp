#include "core/jobs/schedulefields.h"

#include "core/base/reasons/api.h"
#include "core/jobs/schedulepreview.h"
#include "server/api/expectation.h"
#include "server/api/handlers.h"
#include "server/api/masking.h"

// Recurring jobs.
namespace junban::api {

namespace {

std::optional<QByteArray> scheduleOf(const Call &call)
{
    return call.pathName("schedule");
}

// The schedule. What is hidden in its job is left out for those who may not see it; operators see all, as they edit and save it whole.
void answer(const Parts &parts, const Call &call, int status, const Result<Schedule> &found)
{
    if (!found.ok()) {
        call.fail(found.error());
        return;
    }
    Schedule schedule = *found;
    const qint64 from_ms = schedule.next_ms > 0 ? schedule.next_ms - 1 : schedule.now_ms;
    schedule.nextRuns = Firings(schedule.spec.recurrence).after_ms(from_ms, limits::schedule_next_runs);
    if (mayReveal(call.caller)) {
        call.reply(status, pack(scheduleTable, schedule), etagOf(schedule.revision));
        return;
    }
    withMasks(parts, call, [call, status, schedule](const Masker &masker) {
        Schedule shown = schedule;
        shown.masked = masker.hide(shown);
        call.reply(status, pack(scheduleTable, shown), etagOf(shown.revision));
    });
}

Callback<Schedule> answeringSchedule(const Parts &parts, const Call &call)
{
    return [&parts, call](const Result<Schedule> &schedule) { answer(parts, call, 200, schedule); };
}

Callback<ScheduleChanged> answeringChanged(const Parts &parts, const Call &call)
{
    return [&parts, call](const Result<ScheduleChanged> &changed) {
        if (!changed.ok()) {
            call.fail(changed.error());
            return;
        }
        if (changed->before)
            call.auditBefore(pack(scheduleRowTable, *changed->before));
        call.auditAfter(pack(scheduleRowTable, changed->schedule));
        answer(parts, call, changed->before ? 200 : 201, changed->schedule);
    };
}

void listSchedules(const Parts &parts, const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::schedules_page_max, limits::page_rows_default);
    const Result<QByteArray> after = call.name("after");
    if (!areRead(call, limit, after))
        return;
    withMasks(parts, call, [&parts, call, limit = *limit, after = *after](const Masker &masker) {
        parts.scheduler.list(limit, after, answering<SchedulePage>(call, schedulePageTable, [&masker](SchedulePage page) {
            if (!page.end && !page.schedules.isEmpty())
                page.next = page.schedules.last().id;
            for (Schedule &schedule : page.schedules)
                schedule.masked = masker.hide(schedule);
            return page;
        }));
    });
}

void getSchedule(const Parts &parts, const Call &call)
{
    if (const std::optional<QByteArray> id = scheduleOf(call))
        parts.scheduler.get(*id, answeringSchedule(parts, call));
}

void previewSchedule(const Parts &parts, const Call &call)
{
    if (const std::optional<ScheduleSpec> spec = bodyOf(call, recurrenceTable))
        call.reply(200, pack(schedulePreviewTable,
            {Firings(spec->recurrence).after_ms(parts.clock.now_ms(), limits::schedule_next_runs)}));
}

void putSchedule(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = scheduleOf(call);
    const std::optional<Expected> expected = id ? expectedOf(call) : std::nullopt;
    std::optional<ScheduleBody> body = expected ? bodyOf(call, newScheduleTable) : std::nullopt;
    if (!body)
        return;
    if (holdsMask(body->spec.jobBody)) {
        call.fail(reasons::scheduleJobMasked("job"));
        return;
    }
    parts.scheduler.save(*id, body->spec, *expected, body->paused, answeringChanged(parts, call));
}

void deleteSchedule(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = scheduleOf(call);
    if (const std::optional<Expected> expected = id ? expectedOf(call) : std::nullopt)
        parts.scheduler.remove(*id, *expected, [&parts, call](const Result<ScheduleChanged> &removed) {
            if (removed.ok())
                call.auditBefore(pack(scheduleRowTable, removed->schedule));
            answer(parts, call, 200, removed.ok() ? Result<Schedule>(removed->schedule) : removed.error());
        });
}

void runSchedule(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = scheduleOf(call);
    const auto body = id ? bodyOf(call, runScheduleTable, {}, Body::MayBeEmpty) : std::nullopt;
    if (!body)
        return;
    parts.scheduler.runNow(*id, body->overlap, [call](const Result<Fired> &fired) {
        if (fired.ok())
            call.auditAfter(pack(enqueuedTable, {fired->job, fired->state, false}));
        if (fired.ok())
            call.reply(201, pack(enqueuedTable, {fired->job, fired->state, false}));
        else
            call.fail(fired.error());
    });
}

void pauseSchedule(const Parts &parts, const Call &call)
{
    if (const std::optional<QByteArray> id = scheduleOf(call); id && hasNoBody(call))
        parts.scheduler.pause(*id, answeringChanged(parts, call));
}

void resumeSchedule(const Parts &parts, const Call &call)
{
    if (const std::optional<QByteArray> id = scheduleOf(call); id && hasNoBody(call))
        parts.scheduler.resume(*id, answeringChanged(parts, call));
}

constexpr Operation scheduleHandlers[] = {
    {"listSchedules", listSchedules}, {"getSchedule", getSchedule}, {"previewSchedule", previewSchedule}, {"putSchedule", putSchedule},
    {"deleteSchedule", deleteSchedule}, {"runSchedule", runSchedule}, {"pauseSchedule", pauseSchedule}, {"resumeSchedule", resumeSchedule},
};

} // namespace

const std::span<const Operation> scheduleOperations = scheduleHandlers;

} // namespace junban::api
