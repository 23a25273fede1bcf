#include "server/api/schedulebodies.h"

#include "core/jobs/jobfields.h"
#include "server/api/mapbuilder.h"

namespace junban::api {

namespace {

// A body and which of its fields were there.
struct Reading {
    ScheduleBody body;
    bool cron = false, tz = false, every = false, anchor = false, job = false;
};

bool decodeCron(Decoder &in, const PackedValue &field, QByteArray &out)
{
    if (!in.name(field, out, limits::cron_bytes_max))
        return false;
    const Result<Cron> cron = Cron::parse(out, field.path.text());
    if (!cron.ok())
        return in.refuse(cron.error());
    out = cron->text();
    return true;
}

bool decodeZone(Decoder &in, const PackedValue &field, QByteArray &out)
{
    if (!in.name(field, out, limits::time_zone_bytes_max))
        return false;
    const Result<TimeZone> zone = TimeZone::named(out, field.path.text());
    return zone.ok() || in.refuse(zone.error());
}

// A job of which each firing makes a new one: what would tie it to one moment or to one job has no place in it.
bool decodeTemplate(Decoder &in, const PackedValue &field, ScheduleSpec &spec)
{
    if (!readFields(in, field, newJobTable, &spec.job))
        return false;
    if (spec.job.runAt_ms)
        return in.fail({&field.path, "run_at", -1}, "has no place in a recurring job");
    if (!spec.job.idempotencyKey.isEmpty())
        return in.fail({&field.path, "idempotency_key", -1}, "has no place in a recurring job");
    if (spec.job.durability)
        return in.fail({&field.path, "durability", -1}, "has no place in a recurring job");
    if (!spec.job.dependsOn.isEmpty())
        return in.fail({&field.path, "depends_on", -1}, "has no place in a recurring job");
    spec.jobBody = field.raw.toByteArray();
    return true;
}

template<typename Enum>
bool decodeWord(Decoder &in, const PackedValue &field, Enum &out, std::optional<Enum> (*fromWord)(QByteArrayView), const char *words)
{
    const std::optional<Enum> found = field.head.type == payload::Type::String ? fromWord(field.head.bytes) : std::nullopt;
    out = found.value_or(out);
    return found.has_value() || in.fail(field.path, words);
}

bool decodeOverlap(Decoder &in, const PackedValue &field, Overlap &out)
{
    return decodeWord(in, field, out, overlapFromWord, "must be \"allow\", \"skip\" or \"replace\"");
}

bool decodeField(Decoder &in, QByteArrayView key, const PackedValue &field, Reading &reading)
{
    ScheduleSpec &spec = reading.body.spec;
    Recurrence &recurrence = spec.recurrence;
    if (key == "title")
        return in.text(field, spec.title, limits::name_bytes_max)
            && (!hasControlCharacters(spec.title) || in.fail(field.path, "has control characters"));
    if (key == "cron")
        return reading.cron = decodeCron(in, field, recurrence.cron);
    if (key == "tz")
        return reading.tz = decodeZone(in, field, recurrence.tz);
    if (key == "every") {
        reading.every = true;
        return in.duration(field, recurrence.interval.every_ms, limits::schedule_interval_s_min, limits::schedule_interval_s_max);
    }
    if (key == "anchor")
        return reading.anchor = in.isoTime(field, recurrence.interval.anchor_ms);
    if (key == "job")
        return reading.job = decodeTemplate(in, field, spec);
    if (key == "overlap")
        return decodeOverlap(in, field, spec.overlap);
    if (key == "missed")
        return decodeWord(in, field, spec.missed, missedFromWord, "must be \"once\", \"all\" or \"none\"");
    if (key == "missed_max")
        return in.integer(field, spec.missedMax, 1, limits::schedule_catch_up_max);
    return key == "paused" && in.boolean(field, reading.body.paused.emplace());
}

bool decodeAll(Decoder &in, const PackedValue &root, Reading &reading)
{
    const bool ok
        = in.map(root, [&](QByteArrayView key, const PackedValue &field) { return decodeField(in, key, field, reading); });
    if (!ok)
        return false;
    if (!reading.job)
        return in.missing(root.path, "job");
    if (reading.cron == reading.every)
        return in.fail({&root.path, "cron", -1}, reading.cron ? "and 'every' exclude each other" : "or 'every' is required");
    if (reading.cron && reading.anchor)
        return in.fail({&root.path, "anchor", -1}, "belongs to 'every'");
    if (reading.every && reading.tz)
        return in.fail({&root.path, "tz", -1}, "belongs to 'cron'");
    return true;
}

QByteArray encodeRun(const ScheduleRun &run)
{
    MapBuilder map;
    map.timeIf("due_at", run.due_ms);
    map.text("at", isoTime(run.at_ms));
    map.text("outcome", runOutcomeWord(run.outcome));
    if (!run.job.isNull())
        map.text("job", run.job.text());
    if (run.due_ms == 0 && run.outcome != RunOutcome::PassedOver)
        map.boolean("by_hand", true);
    if (run.passedOver > 0)
        map.integer("passed_over", run.passedOver);
    map.textIf("why", run.why);
    return map.take();
}

QByteArray encodeTimes(const QList<qint64> &times)
{
    return encodeAll(times, [](qint64 at_ms) { return MsgpackWriter().text(isoTime(at_ms)).take(); });
}

} // namespace

Result<ScheduleBody> decodeSchedule(QByteArrayView body)
{
    Decoder in;
    Reading reading;
    const std::optional<PackedValue> root = in.root(body);
    if (!root || !decodeAll(in, *root, reading))
        return in.error();
    return std::move(reading.body);
}

Result<std::optional<Overlap>> decodeRunSchedule(QByteArrayView body)
{
    std::optional<Overlap> overlap;
    if (body.isEmpty())
        return overlap;
    Decoder in;
    const std::optional<PackedValue> root = in.root(body);
    const auto take = [&](QByteArrayView key, const PackedValue &field) {
        return key == "overlap" && decodeOverlap(in, field, overlap.emplace());
    };
    if (!root || !in.map(*root, take))
        return in.error();
    return overlap;
}

QByteArray encodeSchedule(const Schedule &schedule, ScheduleDetail detail)
{
    const ScheduleSpec &spec = schedule.spec;
    MapBuilder map;
    map.text("id", schedule.id);
    map.textIf("title", spec.title);
    if (spec.recurrence.cron.isEmpty()) {
        map.seconds("every", spec.recurrence.interval.every_ms);
        if (spec.recurrence.interval.anchor_ms != 0)
            map.text("anchor", isoTime(spec.recurrence.interval.anchor_ms));
    } else {
        map.text("cron", spec.recurrence.cron);
        map.text("tz", spec.recurrence.tz);
    }
    map.key("job").raw(spec.jobBody);
    map.text("overlap", overlapWord(spec.overlap));
    map.text("missed", missedWord(spec.missed));
    map.integer("missed_max", spec.missedMax);
    map.boolean("paused", schedule.paused);
    map.integer("revision", schedule.revision);
    map.text("created_at", isoTime(schedule.createdAt_ms));
    map.text("updated_at", isoTime(schedule.updatedAt_ms));
    map.timeIf("next_run_at", schedule.next_ms);
    if (!schedule.lastJob.isNull())
        map.text("last_job", schedule.lastJob.text());
    if (schedule.lastJobState)
        map.text("last_job_state", stateWord(*schedule.lastJobState));
    map.integer("fired", schedule.firedTotal);
    map.integer("skipped", schedule.skippedTotal);
    if (detail == ScheduleDetail::Whole) {
        const qint64 from_ms = schedule.next_ms > 0 ? schedule.next_ms - 1 : schedule.now_ms;
        map.key("next_runs").raw(encodeTimes(Firings(spec.recurrence).after_ms(from_ms, limits::schedule_next_runs)));
        map.key("runs").raw(encodeAll(schedule.runs, encodeRun));
    }
    return map.take();
}

QByteArray encodeSchedules(const SchedulePage &page)
{
    MapBuilder map;
    map.key("schedules").raw(encodeAll(page.schedules, [](const Schedule &row) { return encodeSchedule(row, ScheduleDetail::Row); }));
    if (!page.end && !page.schedules.isEmpty())
        map.text("next", page.schedules.last().id);
    return map.take();
}

} // namespace junban::api
