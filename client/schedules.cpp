#include "client/schedules.h"

#include "client/apiencode.h"
#include "client/decoding.h"
#include "core/base/isotime.h"
#include "core/jobs/jobfields.h"
#include "core/msgpack/mapwriter.h"

namespace junban::client {

namespace {

// What a form shows of a job; everything else of a template is passed through.
constexpr const char *formFields[] = {"name", "argument", "priority", "max_retry", "timeout", "keep_result", "tags"};

bool isFormField(QByteArrayView key)
{
    return std::any_of(std::begin(formFields), std::end(formFields), [&](const char *name) { return key == name; });
}

Result<ScheduleRun> decodeRun(QByteArrayView body)
{
    ScheduleRun run;
    const bool complete = Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "due_at")
            run.due_ms = value.time_ms();
        else if (key == "at")
            run.at_ms = value.time_ms();
        else if (key == "outcome")
            run.outcome = runOutcomeFromWord(value.text()).value_or(RunOutcome::Refused);
        else if (key == "job")
            run.job = value.id().value_or(JobId());
        else if (key == "by_hand")
            run.byHand = value.boolean();
        else if (key == "passed_over")
            run.passedOver = value.small();
        else if (key == "why")
            run.why = value.text();
    });
    if (!complete)
        return malformed("a schedule's run is no map");
    return run;
}

bool readRecurrence(ScheduleSpec &spec, QByteArrayView key, const Value &value)
{
    Recurrence &recurrence = spec.recurrence;
    if (key == "cron")
        recurrence.cron = value.text();
    else if (key == "tz")
        recurrence.tz = value.text();
    else if (key == "every")
        recurrence.interval.every_ms = value.duration_ms();
    else if (key == "anchor")
        recurrence.interval.anchor_ms = value.time_ms();
    else if (key == "overlap")
        spec.overlap = overlapFromWord(value.text()).value_or(Overlap::Allow);
    else if (key == "missed")
        spec.missed = missedFromWord(value.text()).value_or(Missed::Once);
    else if (key == "missed_max")
        spec.missedMax = value.small();
    else if (key == "title")
        spec.title = value.text();
    else
        return false;
    return true;
}

void readStanding(Schedule &schedule, QByteArrayView key, const Value &value)
{
    if (key == "paused")
        schedule.paused = value.boolean();
    else if (key == "revision")
        schedule.revision = value.integer();
    else if (key == "created_at")
        schedule.createdAt_ms = value.time_ms();
    else if (key == "updated_at")
        schedule.updatedAt_ms = value.time_ms();
    else if (key == "next_run_at")
        schedule.next_ms = value.time_ms();
    else if (key == "last_job")
        schedule.lastJob = value.id().value_or(JobId());
    else if (key == "last_job_state")
        schedule.lastJobState = value.state();
    else if (key == "fired")
        schedule.fired = value.integer();
    else if (key == "skipped")
        schedule.skipped = value.integer();
    else if (key == "next_runs")
        value.eachElement([&](const Value &time) {
            schedule.nextRuns.append(time.time_ms());
            return true;
        });
}

} // namespace

Result<Schedule> decodeSchedule(QByteArrayView body)
{
    Schedule schedule;
    std::optional<Error> failed;
    Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (readRecurrence(schedule.spec, key, value))
            return;
        if (key == "id") {
            schedule.id = value.text();
        } else if (key == "job") {
            schedule.spec.jobBody = value.bytes().toByteArray();
            if (Result<JobSpec> job = unpackAnswer(newJobTable, value.bytes()); job.ok())
                schedule.spec.job = std::move(*job);
        } else if (key == "runs") {
            Result<QList<ScheduleRun>> runs = listOf<ScheduleRun>(value, decodeRun);
            if (runs.ok())
                schedule.runs = std::move(runs).value();
            else
                failed = runs.error();
        } else {
            readStanding(schedule, key, value);
        }
    });
    if (failed)
        return *failed;
    if (schedule.id.isEmpty() || schedule.spec.job.name.isEmpty())
        return malformed("a schedule without id or job");
    return schedule;
}

Result<SchedulePage> decodeSchedules(QByteArrayView body)
{
    Result<QList<Schedule>> schedules = listOf<Schedule>(fieldOf(body, "schedules"), decodeSchedule);
    if (!schedules.ok())
        return schedules.error();
    return SchedulePage{std::move(schedules).value(), fieldOf(body, "next").text()};
}

QByteArray encodeJobLike(const JobSpec &job, QByteArrayView body)
{
    MapWriter map;
    JobSpec shown; // what the form knows, and nothing else
    shown.name = job.name;
    shown.argument = job.argument;
    shown.priority = job.priority;
    shown.maxRetry = job.maxRetry;
    shown.timeout_ms = job.timeout_ms;
    shown.keepResult = job.keepResult;
    shown.tags = job.tags;
    const QByteArray fields = encodeJob(shown);
    Value(fields).eachField([&](QByteArrayView key, const Value &value) { map.key(key).raw(value.bytes()); });
    Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (!isFormField(key))
            map.key(key).raw(value.bytes());
    });
    return map.take();
}

QByteArray encodeSchedule(const ScheduleSpec &spec)
{
    MapWriter map;
    if (!spec.title.isEmpty())
        map.key("title").text(spec.title);
    if (!spec.recurrence.cron.isEmpty()) {
        map.key("cron").text(spec.recurrence.cron);
        map.key("tz").text(spec.recurrence.tz);
    } else {
        map.seconds("every", spec.recurrence.interval.every_ms);
        if (spec.recurrence.interval.anchor_ms != 0)
            map.key("anchor").text(isoTime(spec.recurrence.interval.anchor_ms));
    }
    map.key("job").raw(encodeJobLike(spec.job, spec.jobBody));
    map.key("overlap").text(overlapWord(spec.overlap));
    map.key("missed").text(missedWord(spec.missed));
    map.key("missed_max").integer(spec.missedMax);
    return map.take();
}

} // namespace junban::client
