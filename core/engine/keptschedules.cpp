#include "core/engine/keptschedules.h"

#include "core/engine/fields.h"
#include "core/msgpack/payload.h"
#include "core/msgpack/reasonfields.h"

namespace junban::engine {

namespace {

constexpr quint8 specVersion = 1, scheduleVersion = 1;
constexpr char specLetter = 'd', stateLetter = 's';

// `recurrence` and `job`: packed.
template<typename Archive, typename Its>
    requires std::same_as<std::remove_const_t<Its>, Schedule>
void specFields(Archive &archive, Its &schedule, QByteArray &recurrence, QByteArray &job)
{
    archive(schedule.spec.title, recurrence, job, schedule.spec.jobBody, schedule.spec.overlap, schedule.spec.missed,
        schedule.spec.missedMax, schedule.createdAt_ms);
}

// `why`: packed, or empty.
template<typename Archive, typename Run>
    requires std::same_as<std::remove_const_t<Run>, ScheduleRun>
void runFields(Archive &archive, Run &run, QByteArray &why)
{
    archive(run.due_ms, run.at_ms, run.outcome, run.passedOver, why);
    idField(archive, run.job);
}

template<typename Archive, typename Its>
    requires std::same_as<std::remove_const_t<Its>, Schedule>
void stateFields(Archive &archive, Its &schedule)
{
    archive(schedule.revision, schedule.paused, schedule.updatedAt_ms, schedule.next_ms, schedule.fired, schedule.skipped);
    idField(archive, schedule.lastJob);
    listField(archive, schedule.runs, [](auto &to, auto &run) {
        QByteArray why = run.why.isEmpty() ? QByteArray() : pack(reasonWithDetailTable, run.why);
        runFields(to, run, why);
        if constexpr (Archive::unpacks) {
            const Result<Reason> read = why.isEmpty() ? Result<Reason>(Reason()) : unpackAnswer(reasonWithDetailTable, why);
            if (read.ok())
                run.why = *read;
            else
                to.refuse();
        }
    });
}

QByteArray packedSpec(const Schedule &schedule)
{
    Packer packer(specVersion);
    QByteArray recurrence = schedule.spec.recurrence.packed(), job = packPushes({schedule.spec.job});
    specFields(packer, schedule, recurrence, job);
    return packer.bytes();
}

QByteArray packedState(const Schedule &schedule)
{
    Packer packer(scheduleVersion);
    stateFields(packer, schedule);
    return packer.bytes();
}

bool isTime(qint64 time_ms)
{
    return time_ms >= 0 && time_ms <= limits::time_ms_max;
}

bool loadSpec(Schedule &schedule, QByteArrayView packed)
{
    Unpacker unpack(packed);
    QByteArray recurrence, job;
    specFields(unpack, schedule, recurrence, job);
    const std::optional<Recurrence> recurs = Recurrence::unpacked(recurrence);
    const std::optional<std::vector<JobSpec>> jobs = unpackPushes(job);
    const ScheduleSpec &spec = schedule.spec;
    const bool sound = spec.overlap <= Overlap::Replace && spec.missed <= Missed::None && spec.missedMax >= 0
        && isTime(schedule.createdAt_ms) && payload::validate(spec.jobBody).ok();
    if (unpack.version() != specVersion || !unpack.complete() || !recurs || !jobs || jobs->size() != 1 || !sound)
        return false;
    schedule.spec.recurrence = *recurs;
    schedule.spec.job = jobs->front();
    return true;
}

bool loadState(Schedule &schedule, QByteArrayView packed)
{
    Unpacker unpack(packed);
    stateFields(unpack, schedule);
    for (const ScheduleRun &run : std::as_const(schedule.runs)) {
        if (run.outcome > RunOutcome::Refused || run.passedOver < 0 || !isTime(run.due_ms) || !isTime(run.at_ms))
            return false;
    }
    return unpack.version() == scheduleVersion && unpack.complete() && schedule.revision > 0 && isTime(schedule.next_ms)
        && isTime(schedule.updatedAt_ms) && schedule.fired >= 0 && schedule.skipped >= 0
        && schedule.runs.size() <= limits::schedule_runs_kept_max && !(schedule.paused && schedule.next_ms > 0);
}

} // namespace

KeptSchedule *KeptSchedules::find(const QByteArray &id)
{
    const auto found = m_schedules.find(id);
    return found == m_schedules.end() ? nullptr : &found->second;
}

KeptSchedule &KeptSchedules::add(const QByteArray &id)
{
    KeptSchedule &schedule = m_schedules[id];
    schedule.shown.id = id;
    return schedule;
}

void KeptSchedules::remove(const QByteArray &id, Writes &writes)
{
    KeptSchedule &schedule = m_schedules.at(id);
    setNext(schedule, 0);
    m_changed.removeOne(&schedule);
    if (schedule.stored) {
        writes.removeField(m_keys.keyOf(id), specLetter + id);
        writes.removeField(m_keys.keyOf(id), stateLetter + id);
        m_keys.remove(id, writes);
    }
    m_schedules.erase(id);
}

void KeptSchedules::setNext(KeptSchedule &schedule, qint64 next_ms)
{
    m_byDue.erase({schedule.shown.next_ms, schedule.shown.id});
    schedule.shown.next_ms = next_ms;
    if (next_ms > 0)
        m_byDue.insert({next_ms, schedule.shown.id});
    changed(schedule);
}

void KeptSchedules::specChanged(KeptSchedule &schedule)
{
    schedule.specChanged = true;
    changed(schedule);
}

void KeptSchedules::changed(KeptSchedule &schedule)
{
    if (!std::exchange(schedule.changed, true))
        m_changed.append(&schedule);
}

void KeptSchedules::writeChanges(Writes &writes)
{
    for (KeptSchedule *schedule : std::as_const(m_changed)) {
        const QByteArray &id = schedule->shown.id;
        if (!std::exchange(schedule->stored, true))
            m_keys.add(id, writes);
        if (std::exchange(schedule->specChanged, false))
            writes.setField(m_keys.keyOf(id), specLetter + id, packedSpec(schedule->shown));
        writes.setField(m_keys.keyOf(id), stateLetter + id, packedState(schedule->shown));
        schedule->changed = false;
    }
    m_changed.clear();
}

bool KeptSchedules::load(const QByteArray &key, const QByteArray &field, QByteArrayView packed)
{
    const QByteArray id = field.mid(1);
    const bool isSpec = field.startsWith(specLetter);
    if (id.isEmpty() || (!isSpec && !field.startsWith(stateLetter)) || key != m_keys.keyOf(id))
        return false;
    KeptSchedule &schedule = add(id);
    if (m_half.erase(id) == 0)
        m_half[id] = field;
    if (!std::exchange(schedule.stored, true))
        m_keys.load(id);
    if (isSpec)
        return loadSpec(schedule.shown, packed);
    if (!loadState(schedule.shown, packed))
        return false;
    if (schedule.shown.next_ms > 0)
        m_byDue.insert({schedule.shown.next_ms, id});
    return true;
}

QByteArray KeptSchedules::halfLoaded() const
{
    return m_half.empty() ? QByteArray() : m_half.begin()->second;
}

bool operator==(const KeptSchedules &a, const KeptSchedules &b)
{
    const auto same = [](const auto &x, const auto &y) {
        return x.first == y.first && packedSpec(x.second.shown) == packedSpec(y.second.shown)
            && packedState(x.second.shown) == packedState(y.second.shown);
    };
    return a.m_byDue == b.m_byDue
        && std::equal(a.m_schedules.begin(), a.m_schedules.end(), b.m_schedules.begin(), b.m_schedules.end(), same);
}

} // namespace junban::engine
