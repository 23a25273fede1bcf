#include "core/redis/redisschedules.h"

#include "core/base/enumof.h"
#include "core/base/reasons/requests.h"
#include "core/base/reasons/store.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/payload.h"
#include "core/redis/caller.h"
#include "core/redis/numbers.h"
#include "core/redis/randomhex.h"
#include "core/redis/replies.h"

namespace junban::redis {

namespace {

// The parts of a schedule that scripts do not read: its title, and its job as it was given.
QByteArray packDefinition(const ScheduleSpec &spec)
{
    MsgpackWriter writer;
    return writer.array(2).text(spec.title).binary(spec.jobBody).take();
}

bool unpackDefinition(QByteArrayView bytes, ScheduleSpec &spec)
{
    payload::Reader reader(bytes);
    const auto head = reader.next();
    const auto title = head && head->type == payload::Type::Array ? reader.next() : std::nullopt;
    const auto body = title ? reader.next() : std::nullopt;
    if (!body || !title->bytes.isValidUtf8() || !payload::validate(body->bytes).ok())
        return false;
    spec.title = title->bytes.toByteArray();
    spec.jobBody = body->bytes.toByteArray();
    return true;
}

Error scheduleError(QByteArrayView word)
{
    if (word == "NOT_FOUND")
        return reasons::scheduleNotFound();
    if (word == "REVISION")
        return reasons::scheduleChanged();
    if (word == "CONFLICT")
        return reasons::scheduleBeingChanged();
    if (word == "FULL")
        return reasons::schedulesTooMany(limits::schedules_max);
    if (word.startsWith("OVERLAP ")) {
        const auto job = JobId::fromBytes(word.sliced(8));
        return reasons::scheduleOverlaps(job ? job->text() : QByteArray());
    }
    if (word == "REFUSED UNIQUE")
        return reasons::uniqueKeyTaken();
    return reasons::storeAnswered(word);
}

std::optional<ScheduleRun> runOf(const Reply &packed)
{
    ScheduleRun run;
    payload::Reader reader(packed.view());
    reader.next();
    const auto next = [&reader] { return reader.next().value_or(payload::Token{}); };
    // Redis' Lua has no integers, so a number that a script packed may be a float.
    const auto integer = [&next] {
        const payload::Token token = next();
        return token.type == payload::Type::Int ? token.integer : qint64(token.real);
    };
    run.due_ms = integer();
    run.at_ms = integer();
    const auto outcome = enumOf(integer(), RunOutcome::Refused);
    if (!outcome)
        return {};
    run.outcome = *outcome;
    run.job = JobId::fromBytes(next().bytes).value_or(JobId());
    run.passedOver = int(integer());
    if (const QByteArrayView why = next().bytes; !why.isEmpty())
        run.why = errorOfWord(why).reason;
    return run;
}

// The fields are in the order of DESCRIBED in pieces/schedule.lua.
Result<Schedule> scheduleOf(const Reply &row, qint64 now_ms)
{
    enum { Id, Revision, Created, Updated, Paused, Next, Recurs, Definition, Overlaps, Misses, MissedMax, LastJob, FiredTotal,
        SkippedTotal };
    if (row.kind() != Reply::Kind::Array)
        return scheduleError(row.view());
    const Reply fields = row[0];
    Schedule schedule;
    schedule.now_ms = now_ms;
    schedule.id = fields[Id].bytes();
    schedule.revision = fields[Revision].integer();
    schedule.createdAt_ms = fields[Created].integer();
    schedule.updatedAt_ms = fields[Updated].integer();
    schedule.paused = fields[Paused].integer() != 0;
    schedule.next_ms = fields[Next].integer();
    const std::optional<Recurrence> recurrence = Recurrence::unpacked(fields[Recurs].view());
    const auto overlap = enumOf(fields[Overlaps].integer(), Overlap::Replace);
    const auto missed = enumOf(fields[Misses].integer(), Missed::None);
    schedule.spec.recurrence = recurrence.value_or(Recurrence());
    schedule.spec.overlap = overlap.value_or(Overlap::Allow);
    schedule.spec.missed = missed.value_or(Missed::Once);
    if (!unpackDefinition(fields[Definition].view(), schedule.spec) || !recurrence || !overlap || !missed)
        schedule.unreadable = reasons::recordDamaged();
    else
        schedule.unreadable = Firings(*recurrence).unknownWhy();
    schedule.spec.missedMax = int(fields[MissedMax].integer());
    schedule.lastJob = JobId::fromBytes(fields[LastJob].view()).value_or(JobId());
    schedule.lastJobState = enumOf(row[1].integer(), JobState::Cancelled, JobState::Scheduled);
    schedule.fired = fields[FiredTotal].integer();
    schedule.skipped = fields[SkippedTotal].integer();
    for (qsizetype i = 0; i < row[2].size(); ++i) {
        if (const std::optional<ScheduleRun> run = runOf(row[2][i]))
            schedule.runs.append(*run);
    }
    return schedule;
}

Result<ScheduleChanged> scheduleChangedOf(const Reply &reply)
{
    Result<Schedule> schedule = scheduleOf(reply[2], reply[0].integer());
    if (!schedule.ok())
        return schedule.error();
    ScheduleChanged changed{std::move(*schedule)};
    if (reply.size() < 4)
        return changed;
    Result<Schedule> before = scheduleOf(reply[3], reply[0].integer());
    if (!before.ok())
        return before.error();
    changed.before = std::move(*before);
    return changed;
}

Result<SchedulePage> schedulePageOf(const Reply &reply)
{
    SchedulePage page;
    page.end = reply[2].integer() != 0;
    for (qsizetype i = 0; i < reply[3].size(); ++i) {
        Result<Schedule> schedule = scheduleOf(reply[3][i], reply[0].integer());
        if (!schedule.ok())
            return schedule.error();
        page.schedules.append(std::move(*schedule));
    }
    return page;
}

Result<DueSchedules> dueOf(const Reply &reply)
{
    DueSchedules due;
    due.now_ms = reply[0].integer();
    due.nextDue_ms = reply[3].integer();
    due.more = reply[2].size() == limits::schedules_due_max;
    for (qsizetype i = 0; i < reply[2].size(); ++i) {
        const Reply row = reply[2][i];
        const std::optional<Recurrence> recurrence = Recurrence::unpacked(row[3].view());
        const auto missed = enumOf(row[4].integer(), Missed::None);
        due.schedules.append({row[0].bytes(), row[1].integer(), row[2].integer(), recurrence.value_or(Recurrence()),
            missed.value_or(Missed::Once), int(row[5].integer()), recurrence && missed});
    }
    return due;
}

Result<FiredAll> firedOf(const Reply &reply)
{
    FiredAll all;
    for (qsizetype i = 0; i < reply[2].size(); ++i) {
        const Reply item = reply[2][i];
        Fired fired;
        fired.stale = item.kind() != Reply::Kind::Array;
        if (!fired.stale) {
            fired.outcome = enumOf(item[0].integer(), RunOutcome::Refused).value_or(RunOutcome::Refused);
            fired.job = JobId::fromBytes(item[1].view()).value_or(JobId());
            fired.state = enumOf(item[2].integer(), JobState::Cancelled, JobState::Scheduled).value_or(JobState::Ready);
        }
        all.fired.append(fired);
    }
    all.nextDue_ms = reply[3].integer();
    all.hints = hintsOf(reply[4]);
    return all;
}

} // namespace

class RedisSchedules::Private : public Caller
{
public:
    Private(Link &commands, const QByteArray &namespaceName, Clock &theClock, ScriptClock scriptClock)
        : Caller(commands, namespaceName, theClock, "schedules", Mends::Schedules)
        , engine("sch" + randomHex(8))
        , saveScript(makeScript("save_schedule", scriptClock))
        , changeScript(makeScript("change_schedule", scriptClock))
        , getScript(makeScript("get_schedule", scriptClock))
        , listScript(makeScript("list_schedules", scriptClock))
        , dueScript(makeScript("due_schedules", scriptClock))
        , fireScript(makeScript("fire_schedules", scriptClock))
    {
    }

    QByteArray engine;
    Script saveScript, changeScript, getScript, listScript, dueScript, fireScript;
};

RedisSchedules::RedisSchedules(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock)
    : d(std::make_unique<Private>(commands, namespaceName, clock, scriptClock))
{
}

RedisSchedules::~RedisSchedules() = default;

void RedisSchedules::save(ScheduleSave save, Callback<ScheduleChanged> callback)
{
    const ScheduleSpec &spec = save.spec;
    QList<QByteArray> arguments{d->engine, save.id, expectation(save.expected), spec.recurrence.packed(), packDefinition(spec),
        number(int(spec.missed)), number(spec.missedMax), number(int(spec.overlap)), packRecord(spec.job), number(spec.job.delay_ms),
        packOptions(spec.job), save.paused ? QByteArray(*save.paused ? "1" : "0") : QByteArray(), number(save.next_ms)};
    d->run(d->saveScript, std::move(arguments), std::move(callback), scheduleChangedOf);
}

void RedisSchedules::change(ScheduleChange change, Callback<ScheduleChanged> callback)
{
    static constexpr const char *verbs[] = {"pause", "resume", "delete"};
    d->run(d->changeScript,
        {d->engine, change.id, verbs[int(change.verb)], expectation(change.expected), number(change.next_ms), change.recurrence},
        std::move(callback), scheduleChangedOf);
}

void RedisSchedules::get(QByteArray id, Callback<Schedule> callback)
{
    d->run(d->getScript, {std::move(id)}, std::move(callback),
        [](const Reply &reply) { return scheduleOf(reply[2], reply[0].integer()); });
}

void RedisSchedules::list(int limit, QByteArray after, Callback<SchedulePage> callback)
{
    d->run(d->listScript, {number(limit), std::move(after)}, std::move(callback), schedulePageOf);
}

void RedisSchedules::due(int leftOut, Callback<DueSchedules> callback)
{
    d->run(d->dueScript, {number(leftOut)}, std::move(callback), dueOf);
}

void RedisSchedules::fire(QList<FireItem> items, Callback<FiredAll> callback)
{
    QList<QByteArray> arguments{d->engine};
    arguments.reserve(1 + 8 * items.size());
    for (const FireItem &item : std::as_const(items)) {
        const PlannedFiring &firing = item.firing;
        arguments << item.id << number(item.revision) << number(firing.seen_ms) << number(firing.due_ms) << number(firing.next_ms)
                  << number(firing.passedOver) << item.job.bytes() << QByteArray();
    }
    d->run(d->fireScript, std::move(arguments), std::move(callback), firedOf);
}

void RedisSchedules::runByHand(RunByHand run, Callback<FiredAll> callback)
{
    QList<QByteArray> arguments{d->engine, run.id, QByteArray(), "0", "0", "0", "0", run.job.bytes(),
        run.overlap ? number(int(*run.overlap)) : QByteArray()};
    d->run(d->fireScript, std::move(arguments), std::move(callback), [](const Reply &reply) -> Result<FiredAll> {
        if (reply[2][0].kind() != Reply::Kind::Array)
            return scheduleError(reply[2][0].view());
        return firedOf(reply);
    });
}

} // namespace junban::redis
