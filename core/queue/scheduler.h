#pragma once

#include "core/base/clock.h"
#include "core/queue/queue.h"
#include "core/store/schedulestore.h"

#include <QObject>
#include <QTimer>

namespace junban {

// Recurring jobs: what operators ask of them, and their firing when they fall due. It runs in every master, with no leader: the store
// lets exactly one of them fire a due time, the others only look. It looks when something falls due, with some jitter, at least once in
// limits::sweep_ms, and again at once while a bound was met. Times are computed here (zones, clock changes); only Redis' clock decides
// what is due.
//
// Threads: the engine's only. Callbacks and errors as ScheduleStore says; those pending when it is destroyed are dropped.
class Scheduler : public QObject
{
    Q_OBJECT

public:
    // All three must outlive the scheduler.
    Scheduler(ScheduleStore &store, Queue &queue, Clock &clock, QObject *parent = nullptr);

    void start();
    // Nothing fires here after this.
    void stop();

    // `paused`: none leaves it as it is.
    void save(QByteArray id, ScheduleSpec spec, Expected expected, std::optional<bool> paused, Callback<ScheduleSaved> callback);
    void pause(QByteArray id, Callback<Schedule> callback);
    // Goes on with the next due time from now on; none is made up for.
    void resume(QByteArray id, Callback<Schedule> callback);
    void remove(QByteArray id, Expected expected, Callback<Schedule> callback);
    void get(QByteArray id, Callback<Schedule> callback);
    void list(int limit, QByteArray after, Callback<SchedulePage> callback);
    // A job now, whatever is due. Conflict when the overlap policy (the schedule's own, or this one) skips it.
    void runNow(QByteArray id, std::optional<Overlap> overlap, Callback<Fired> callback);

private:
    void look();
    void looked(const Result<DueSchedules> &due);
    void fired(const Result<FiredAll> &all);
    void lookBy(qint64 at_ms);
    void lookIn(qint64 left_ms);
    void tell(const FiredAll &all);
    qint64 nextFromNow(const Recurrence &recurrence) const;

    ScheduleStore &m_store;
    Queue &m_queue;
    Clock &m_clock;
    IdMaker m_ids;
    QTimer m_timer;
    bool m_running = false;
    bool m_looking = false;
    qint64 m_due_ms = 0; // of what is not due yet; 0: nothing that is known of
};

} // namespace junban
