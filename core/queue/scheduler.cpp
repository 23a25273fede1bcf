#include "core/queue/scheduler.h"
#include "core/base/reasons/operators.h"
#include "core/base/reasons/requests.h"

#include <QPointer>
#include <QRandomGenerator>
#include <algorithm>

namespace junban {

Scheduler::Scheduler(ScheduleStore &store, Queue &queue, Clock &clock, UnreadableRecords *records, QObject *parent)
    : QObject(parent)
    , m_store(store)
    , m_queue(queue)
    , m_clock(clock)
    , m_records(records)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, [this] { look(); });
}

void Scheduler::start()
{
    m_running = true;
    look();
}

void Scheduler::stop()
{
    m_running = false;
    m_timer.stop();
}

void Scheduler::look(int leftOut)
{
    if (!m_running || m_looking)
        return;
    m_looking = true;
    m_store.due(leftOut, [this, leftOut, self = QPointer<Scheduler>(this)](const Result<DueSchedules> &due) {
        if (self)
            looked(leftOut, due);
    });
}

void Scheduler::looked(int leftOut, const Result<DueSchedules> &due)
{
    m_looking = false;
    if (!m_running)
        return;
    lookIn(limits::sweep_ms - QRandomGenerator::global()->bounded(limits::sweep_jitter_ms));
    if (!due.ok())
        return;
    QList<FireItem> items;
    for (const DueSchedule &schedule : due->schedules) {
        const Firings firings(schedule.recurrence);
        if (!schedule.readable || !firings.known()) { // another master may have its time zone, or an operator must act
            if (m_records)
                m_records->note("schedule", schedule.id, schedule.readable ? firings.unknownWhy() : reasons::recordDamaged());
            continue;
        }
        if (m_records)
            m_records->drop("schedule", schedule.id);
        const auto plan = planFirings(firings, schedule.next_ms, due->now_ms, schedule.missed, schedule.missedMax,
            limits::script_items_max - int(items.size()));
        for (const PlannedFiring &firing : plan)
            items.append({schedule.id, schedule.revision, firing, m_ids.make(m_clock.now_ms())});
        if (items.size() >= limits::script_items_max)
            break;
    }
    if (items.isEmpty() && due->more) {
        look(leftOut + limits::schedules_due_max); // this master can fire none of these, but perhaps some of the others
        return;
    }
    if (items.isEmpty()) {
        if (due->nextDue_ms > 0)
            lookBy(due->nextDue_ms);
        return;
    }
    m_looking = true;
    m_store.fire(std::move(items), [this, self = QPointer<Scheduler>(this)](const Result<FiredAll> &all) {
        if (self)
            fired(all);
    });
}

void Scheduler::fired(const Result<FiredAll> &all)
{
    m_looking = false;
    if (all.ok())
        tell(*all);
    // More schedules may be due, and the next due time is not known yet.
    if (m_running && all.ok())
        lookIn(limits::sweep_ms_min);
}

void Scheduler::tell(const FiredAll &all)
{
    Swept swept;
    swept.readyNames = all.hints.readyNames;
    swept.finished = all.hints.finished;
    m_queue.noteSwept(swept);
    if (all.nextDue_ms > 0)
        Q_EMIT m_queue.due(all.nextDue_ms);
}

void Scheduler::lookBy(qint64 at_ms)
{
    if (!m_running || m_looking || at_ms <= 0)
        return;
    // The random delay spreads the masters, which would all ask in the same millisecond.
    const qint64 left_ms = std::max<qint64>(at_ms + 1 - m_clock.now_ms(), 0)
        + QRandomGenerator::global()->bounded(limits::schedule_jitter_ms);
    if (left_ms < m_timer.remainingTime())
        lookIn(left_ms);
}

void Scheduler::lookIn(qint64 left_ms)
{
    m_timer.start(static_cast<int>(left_ms));
}

qint64 Scheduler::nextFromNow(const Recurrence &recurrence) const
{
    return Firings(recurrence).after_ms(m_clock.now_ms()).value_or(0);
}

void Scheduler::save(
    QByteArray id, ScheduleSpec spec, Expected expected, std::optional<bool> paused, Callback<ScheduleChanged> callback)
{
    const qint64 next_ms = nextFromNow(spec.recurrence);
    m_store.save({std::move(id), std::move(spec), expected, paused, next_ms},
        [this, self = QPointer<Scheduler>(this), callback = std::move(callback)](const Result<ScheduleChanged> &saved) {
            if (!self)
                return;
            if (saved.ok())
                lookBy(saved->schedule.next_ms);
            callback(saved);
        });
}

void Scheduler::pause(QByteArray id, Callback<ScheduleChanged> callback)
{
    m_store.change({std::move(id), ScheduleChangeVerb::Pause}, std::move(callback));
}

void Scheduler::resume(QByteArray id, Callback<ScheduleChanged> callback)
{
    m_store.get(id, [this, self = QPointer<Scheduler>(this), callback = std::move(callback)](const Result<Schedule> &found) {
        if (!self)
            return;
        if (!found.ok()) {
            callback(found.error());
            return;
        }
        if (!found->unreadable.isEmpty()) {
            callback(reasons::scheduleUnreadable(found->unreadable));
            return;
        }
        const Recurrence &recurrence = found->spec.recurrence;
        ScheduleChange change{found->id, ScheduleChangeVerb::Resume};
        change.next_ms = nextFromNow(recurrence);
        change.recurrence = recurrence.packed();
        m_store.change(std::move(change), [this, self, callback](const Result<ScheduleChanged> &resumed) {
            if (!self)
                return;
            if (resumed.ok())
                lookBy(resumed->schedule.next_ms);
            callback(resumed);
        });
    });
}

void Scheduler::remove(QByteArray id, Expected expected, Callback<ScheduleChanged> callback)
{
    m_store.change({std::move(id), ScheduleChangeVerb::Delete, expected}, std::move(callback));
}

void Scheduler::get(QByteArray id, Callback<Schedule> callback)
{
    m_store.get(std::move(id), std::move(callback));
}

void Scheduler::list(int limit, QByteArray after, Callback<SchedulePage> callback)
{
    m_store.list(limit, std::move(after), std::move(callback));
}

void Scheduler::runNow(QByteArray id, std::optional<Overlap> overlap, Callback<Fired> callback)
{
    m_store.runByHand({std::move(id), m_ids.make(m_clock.now_ms()), overlap},
        [this, self = QPointer<Scheduler>(this), callback = std::move(callback)](const Result<FiredAll> &all) {
            if (!self)
                return;
            if (all.ok())
                tell(*all);
            callback(all.ok() ? Result<Fired>(all->fired.first()) : Result<Fired>(all.error()));
        });
}

} // namespace junban
