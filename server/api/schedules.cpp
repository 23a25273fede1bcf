#include "server/api/answers.h"
#include "server/api/api.h"
#include "server/api/expectation.h"
#include "server/api/requests.h"
#include "server/api/schedulebodies.h"

// Recurring jobs.
namespace junban::api {

namespace {

std::optional<QByteArray> scheduleOf(const Call &call)
{
    return call.pathName("schedule");
}

void answer(const Call &call, int status, const Result<Schedule> &schedule)
{
    if (!schedule.ok()) {
        call.fail(schedule.error());
        return;
    }
    const QByteArray tag = '"' + QByteArray::number(schedule->revision) + '"';
    call.reply(status, encodeSchedule(*schedule, ScheduleDetail::Whole), {qMakePair(QByteArray("ETag"), tag)});
}

// Pause and resume take a body without fields, or none.
bool refusesBody(const Call &call)
{
    const Result<Done> nothing = decodeNothing(call.body);
    if (!nothing.ok())
        call.fail(nothing.error());
    return !nothing.ok();
}

} // namespace

void Api::listSchedules(const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::schedules_page_max, limits::page_rows_default);
    const Result<QByteArray> after = call.name("after");
    if (!limit.ok() || !after.ok()) {
        call.fail(limit.ok() ? after.error() : limit.error());
        return;
    }
    m_scheduler.list(*limit, *after, [call](const Result<SchedulePage> &page) {
        if (page.ok())
            call.reply(200, encodeSchedules(*page));
        else
            call.fail(page.error());
    });
}

void Api::getSchedule(const Call &call)
{
    if (const std::optional<QByteArray> id = scheduleOf(call))
        m_scheduler.get(*id, [call](const Result<Schedule> &schedule) { answer(call, 200, schedule); });
}

void Api::putSchedule(const Call &call)
{
    const std::optional<QByteArray> id = scheduleOf(call);
    const std::optional<Expected> expected = id ? expectedOf(call) : std::nullopt;
    if (!expected)
        return;
    Result<ScheduleBody> body = decodeSchedule(call.body);
    if (!body.ok()) {
        call.fail(body.error());
        return;
    }
    m_scheduler.save(*id, std::move(body->spec), *expected, body->paused, [call](const Result<ScheduleSaved> &saved) {
        if (saved.ok())
            answer(call, saved->created ? 201 : 200, saved->schedule);
        else
            call.fail(saved.error());
    });
}

void Api::deleteSchedule(const Call &call)
{
    const std::optional<QByteArray> id = scheduleOf(call);
    const std::optional<Expected> expected = id ? expectedOf(call) : std::nullopt;
    if (expected)
        m_scheduler.remove(*id, *expected, [call](const Result<Schedule> &schedule) { answer(call, 200, schedule); });
}

void Api::runSchedule(const Call &call)
{
    const std::optional<QByteArray> id = scheduleOf(call);
    if (!id)
        return;
    const Result<std::optional<Overlap>> overlap = decodeRunSchedule(call.body);
    if (!overlap.ok()) {
        call.fail(overlap.error());
        return;
    }
    m_scheduler.runNow(*id, *overlap, [call](const Result<Fired> &fired) {
        if (fired.ok())
            call.reply(201, encodeEnqueued({fired->job, fired->state, false}));
        else
            call.fail(fired.error());
    });
}

void Api::pauseSchedule(const Call &call)
{
    const std::optional<QByteArray> id = scheduleOf(call);
    if (id && !refusesBody(call))
        m_scheduler.pause(*id, [call](const Result<Schedule> &schedule) { answer(call, 200, schedule); });
}

void Api::resumeSchedule(const Call &call)
{
    const std::optional<QByteArray> id = scheduleOf(call);
    if (id && !refusesBody(call))
        m_scheduler.resume(*id, [call](const Result<Schedule> &schedule) { answer(call, 200, schedule); });
}

} // namespace junban::api
