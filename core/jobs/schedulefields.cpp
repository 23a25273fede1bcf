#include "core/jobs/schedulefields.h"

#include "core/base/reasons/fields.h"
#include "core/base/reasons/requests.h"
#include "core/base/text.h"
#include "core/jobs/jobfields.h"
#include "core/jobs/schedulepreview.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/reasonfields.h"

namespace junban {

namespace {

void writeText(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.text(*static_cast<const QByteArray *>(member));
}

bool readTitle(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    auto &title = *static_cast<QByteArray *>(member);
    return in.text(value, title, qsizetype(field.max))
        && (in.lenient() || !hasControlCharacters(title) || in.fail(value.path, reasons::fieldHasControlCharacters));
}
constexpr Codec titleCodec{readTitle, writeText, codecs::same<QByteArray>, "text"};

bool readCron(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    auto &out = *static_cast<QByteArray *>(member);
    if (in.lenient())
        return in.text(value, out, limits::cron_bytes_max);
    if (!in.name(value, out, limits::cron_bytes_max))
        return false;
    const Result<Cron> cron = Cron::parse(out, value.path.text());
    if (!cron.ok())
        return in.refuse(cron.error());
    out = cron->text();
    return true;
}
constexpr Codec cronCodec{readCron, writeText, codecs::same<QByteArray>, "name"};

bool readZone(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    auto &out = *static_cast<QByteArray *>(member);
    if (in.lenient())
        return in.text(value, out, limits::time_zone_bytes_max);
    if (!in.name(value, out, limits::time_zone_bytes_max))
        return false;
    const Result<TimeZone> zone = TimeZone::named(out, value.path.text());
    return zone.ok() || in.refuse(zone.error());
}
constexpr Codec zoneCodec{readZone, writeText, codecs::same<QByteArray>, "text"};

// The job that every firing makes anew. Fields that refer to one moment, one push or one other job are not allowed. The map is stored as it
// was given.
bool readTemplate(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    auto &spec = *static_cast<ScheduleSpec *>(member);
    if (!readFields(in, value, newJobTable, &spec.job))
        return false;
    spec.jobBody = value.raw().toByteArray();
    const std::pair<bool, const char *> ties[] = {{spec.job.runAt_ms.has_value(), "run_at"},
        {!spec.job.idempotencyKey.isEmpty(), "idempotency_key"}, {spec.job.durability.has_value(), "durability"},
        {!spec.job.dependsOn.isEmpty(), "depends_on"}};
    for (const auto &[given, key] : ties) {
        if (given)
            return in.fail({&value.path, key, -1}, reasons::fieldForbiddenHere, "recurring_job");
    }
    return true;
}
void writeTemplate(MsgpackWriter &out, const void *member, const Field &, Written)
{
    const QByteArray &body = static_cast<const ScheduleSpec *>(member)->jobBody;
    out.raw(body.isEmpty() ? QByteArray(1, '\x80') : body); // of a damaged schedule nothing is known
}
bool sameTemplate(const void *a, const void *b, const Field &)
{
    return static_cast<const ScheduleSpec *>(a)->jobBody == static_cast<const ScheduleSpec *>(b)->jobBody;
}
constexpr Codec templateCodec{readTemplate, writeTemplate, sameTemplate, "object"};

const Recurrence &recurrenceOf(const void *object)
{
    return static_cast<const ScheduleSpec *>(object)->recurrence;
}
bool byCron(const void *object)
{
    return !recurrenceOf(object).cron.isEmpty();
}
bool byInterval(const void *object)
{
    return !byCron(object);
}
bool hasAnchor(const void *object)
{
    return byInterval(object) && recurrenceOf(object).interval.anchor_ms != 0;
}
template<auto member>
void *ofRecurrence(void *object)
{
    return &(static_cast<ScheduleSpec *>(object)->recurrence.*member);
}
template<auto member>
void *ofInterval(void *object)
{
    return &(static_cast<ScheduleSpec *>(object)->recurrence.interval.*member);
}
void *itself(void *object)
{
    return object;
}
constexpr Field recurrenceFields[] = {
    field::duration<&Interval::every_ms>("every", limits::schedule_interval_s_min, limits::schedule_interval_s_max)
        .in(ofInterval<&Interval::every_ms>)
        .onlyIf(byInterval),
    field::time<&Interval::anchor_ms>("anchor").in(ofInterval<&Interval::anchor_ms>).onlyIf(hasAnchor),
    field::bounded<&Recurrence::cron, cronCodec>("cron", limits::cron_bytes_max).in(ofRecurrence<&Recurrence::cron>).onlyIf(byCron),
    field::bounded<&Recurrence::tz, zoneCodec>("tz", limits::time_zone_bytes_max).in(ofRecurrence<&Recurrence::tz>).onlyIf(byCron),
};
constexpr TableOf<ScheduleSpec> whenTable{nullptr, recurrenceFields};
constexpr Field specFields[] = {
    field::bounded<&ScheduleSpec::title, titleCodec>("title", limits::name_bytes_max).rare(),
    field::beside(whenTable),
    field::of<&ScheduleSpec::jobBody, templateCodec>("job").in(itself).describedBy(newJobTable).needed(),
    field::word<&ScheduleSpec::overlap>("overlap", overlapWords),
    field::word<&ScheduleSpec::missed>("missed", missedWords),
    field::integer<&ScheduleSpec::missedMax>("missed_max", 1, limits::schedule_catch_up_max),
};
constexpr TableOf<ScheduleSpec> specTable{nullptr, specFields};

bool checkSchedule(Decoder &in, const PackedValue &value, const void *, const FieldsSeen &seen)
{
    const bool cron = seen.has("cron");
    if (cron == seen.has("every"))
        return cron ? in.fail({&value.path, "cron", -1}, reasons::fieldExcludes, "every")
                    : in.fail({&value.path, "cron", -1}, reasons::scheduleCronOrEvery);
    if (cron && seen.has("anchor"))
        return in.fail({&value.path, "anchor", -1}, reasons::fieldBelongsTo, "every");
    return cron || !seen.has("tz") || in.fail({&value.path, "tz", -1}, reasons::fieldBelongsTo, "cron");
}
constexpr Field newScheduleFields[] = {
    field::beside<&ScheduleBody::spec>(specTable),
    field::boolean<&ScheduleBody::paused>("paused").rare(),
};
constexpr Field schedulePreviewFields[] = {
    field::listOf<&SchedulePreview::nextRuns, codecs::time>("next_runs").atMost(limits::schedule_next_runs),
};
constexpr Field runScheduleFields[] = {field::word<&RunScheduleBody::overlap>("overlap", overlapWords).rare()};

bool isByHand(const void *object)
{
    return static_cast<const ScheduleRun *>(object)->byHand();
}
// `by_hand` is written for clients. Reading ignores it, as the run's due time says the same.
bool passByHand(Decoder &, const PackedValue &, void *, const Field &)
{
    return true;
}
void writeByHand(MsgpackWriter &out, const void *, const Field &, Written)
{
    out.boolean(true);
}
bool sameRun(const void *, const void *, const Field &)
{
    return true;
}
constexpr Codec byHandCodec{passByHand, writeByHand, sameRun, "boolean"};
constexpr Field scheduleRunFields[] = {
    field::time<&ScheduleRun::due_ms>("due_at").rare(),
    field::time<&ScheduleRun::at_ms>("at"),
    field::word<&ScheduleRun::outcome>("outcome", runOutcomeWords).needed(),
    field::jobId<&ScheduleRun::job>("job").rare(),
    field::of<&ScheduleRun::due_ms, byHandCodec>("by_hand").onlyIf(isByHand),
    field::integer<&ScheduleRun::passedOver>("passed_over", 1, limits::schedule_catch_up_max).rare(),
    field::object<&ScheduleRun::why>("why", explainedTable).rare(),
};
constexpr TableOf<ScheduleRun> scheduleRunTable{"ScheduleRun", scheduleRunFields};

constexpr Field scheduleRowFields[] = {
    field::name<&Schedule::id>("id", limits::name_bytes_max).needed(),
    field::beside<&Schedule::spec>(specTable),
    field::boolean<&Schedule::paused>("paused"),
    field::integer<&Schedule::revision>("revision", 1),
    field::time<&Schedule::createdAt_ms>("created_at"),
    field::time<&Schedule::updatedAt_ms>("updated_at"),
    field::time<&Schedule::next_ms>("next_run_at").rare(),
    field::jobId<&Schedule::lastJob>("last_job").rare(),
    field::jobState<&Schedule::lastJobState>("last_job_state").rare(),
    field::integer<&Schedule::fired>("fired", 0),
    field::integer<&Schedule::skipped>("skipped", 0),
    field::boolean<&Schedule::masked>("masked").rare(),
    field::object<&Schedule::unreadable>("unreadable", explainedTable).rare(),
};
constexpr Field scheduleFields[] = {
    field::beside(scheduleRowTable),
    field::listOf<&Schedule::nextRuns, codecs::time>("next_runs").atMost(limits::schedule_next_runs).written(),
    field::list<&Schedule::runs>("runs", scheduleRunTable).atMost(limits::schedule_runs_kept_max).written(),
};
constexpr Field schedulePageFields[] = {
    field::list<&SchedulePage::schedules>("schedules", scheduleRowTable).needed(),
    field::text<&SchedulePage::next>("next").rare(),
};

} // namespace

constinit const TableOf<ScheduleBody> newScheduleTable{"NewSchedule", newScheduleFields, checkSchedule};
constinit const TableOf<ScheduleSpec> recurrenceTable{"Recurrence", recurrenceFields, checkSchedule};
constinit const TableOf<SchedulePreview> schedulePreviewTable{"SchedulePreview", schedulePreviewFields};
constinit const TableOf<RunScheduleBody> runScheduleTable{"RunSchedule", runScheduleFields};
constinit const TableOf<Schedule> scheduleRowTable{nullptr, scheduleRowFields};
constinit const TableOf<Schedule> scheduleTable{"Schedule", scheduleFields};
constinit const TableOf<SchedulePage> schedulePageTable{"ScheduleList", schedulePageFields};

} // namespace junban
