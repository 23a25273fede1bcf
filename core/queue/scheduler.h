#pragma once

#include "core/base/clock.h"
#include "core/queue/queue.h"
#include "core/store/schedulestore.h"
#include "core/store/unreadable.h"

#include <QObject>
#include <QTimer>

namespace junban {

// Recurring jobs: what operators do with schedules, and their firing. It runs in every master without a leader: the store lets exactly one
// master fire a due time. It asks the store when a schedule falls due, with some jitter, at least every limits::sweep_ms, and again at once
// when there was more to do than one call may. Due times are computed here (time zones, clock changes); only Redis' clock decides what is
// due.
//
// Threads: the engine's only. Callbacks and errors as for ScheduleStore; callbacks that are still due when it is destroyed are dropped.
class Scheduler : public QObject
{
    Q_OBJECT

public:
    // All three must outlive the scheduler.
    Scheduler(ScheduleStore &store, Queue &queue, Clock &clock, UnreadableRecords *records = nullptr, QObject *parent = nullptr);

    void start();
    // This engine fires nothing after this.
    void stop();

    // Makes or changes a schedule. `paused`: nothing leaves it as it is.
    void save(QByteArray id, ScheduleSpec spec, Expected expected, std::optional<bool> paused, Callback<ScheduleChanged> callback);
    void pause(QByteArray id, Callback<ScheduleChanged> callback);
    // Continues with the next due time after now; those that passed while it was paused are not made up for.
    void resume(QByteArray id, Callback<ScheduleChanged> callback);
    // Its jobs stay.
    void remove(QByteArray id, Expected expected, Callback<ScheduleChanged> callback);
    void get(QByteArray id, Callback<Schedule> callback);
    void list(int limit, QByteArray after, Callback<SchedulePage> callback);
    // Makes a job now, whether the schedule is due or not. Conflict when the overlap policy (this one, or the schedule's own) skips it.
    void runNow(QByteArray id, std::optional<Overlap> overlap, Callback<Fired> callback);

private:
    void look(int leftOut = 0);
    void looked(int leftOut, const Result<DueSchedules> &due);
    void fired(const Result<FiredAll> &all);
    void lookBy(qint64 at_ms);
    void lookIn(qint64 left_ms);
    void tell(const FiredAll &all);
    qint64 nextFromNow(const Recurrence &recurrence) const;

    ScheduleStore &m_store;
    Queue &m_queue;
    Clock &m_clock;
    UnreadableRecords *m_records;
    IdMaker m_ids;
    QTimer m_timer;
    bool m_running = false;
    bool m_looking = false;
};

} // namespace junban
