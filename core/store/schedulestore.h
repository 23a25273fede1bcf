#pragma once

#include "core/base/expected.h"
#include "core/base/result.h"
#include "core/jobs/schedule.h"
#include "core/store/store.h"

#include <QByteArray>
#include <QList>
#include <optional>

namespace junban {

struct ScheduleSave {
    QByteArray id;
    ScheduleSpec spec;
    Expected expected = {};
    std::optional<bool> paused = {}; // none: stays as it is
    qint64 next_ms = 0;            // the next due time after now; ignored when the recurrence has not changed
};
struct ScheduleChanged {
    Schedule schedule;                   // a deleted one as it was
    std::optional<Schedule> before = {}; // what it was, without its runs; none: it is new
};

enum class ScheduleChangeVerb { Pause, Resume, Delete };
struct ScheduleChange {
    QByteArray id;
    ScheduleChangeVerb verb = ScheduleChangeVerb::Pause;
    Expected expected = {};
    qint64 next_ms = 0;            // Resume: the next due time after now …
    QByteArray recurrence = {};    // … by this recurrence; Conflict when the schedule has another one by now
};

struct DueSchedule {
    QByteArray id;
    qint64 revision = 0;
    qint64 next_ms = 0;
    Recurrence recurrence;
    Missed missed = Missed::Once;
    int missedMax = 0;
    bool readable = true;          // its record is not damaged
};
struct DueSchedules {
    QList<DueSchedule> schedules;
    qint64 now_ms = 0;             // Redis' clock
    qint64 nextDue_ms = 0;         // when the next schedule falls due; 0: none does
    bool more = false;             // others may be due, too
};

struct FireItem {
    QByteArray id;
    qint64 revision = 0;
    PlannedFiring firing;
    JobId job;                     // the new job's id, made by the caller; a repeated call has the same
};
struct RunByHand {
    QByteArray id;
    JobId job;                     // the new job's id, made by the caller; a repeated call has the same
    std::optional<Overlap> overlap = {}; // none: the schedule's own
};
struct Fired {
    bool stale = false;            // nothing was done: another master was faster, or the schedule was changed
    RunOutcome outcome = RunOutcome::Enqueued;
    JobId job;
    JobState state = JobState::Ready;
};
struct FiredAll {
    QList<Fired> fired;            // one for each item
    qint64 nextDue_ms = 0;         // when the first job that these firings scheduled for later is due; 0: there is none
    Hints hints;                   // jobs that became ready or were cancelled
};

// Recurring jobs in the store; each call is one atomic step. Threads, callbacks and errors as for Store. Repeating a call with the same
// ids and revisions is safe.
class ScheduleStore
{
public:
    ScheduleStore() = default;
    ScheduleStore(const ScheduleStore &) = delete;
    ScheduleStore &operator=(const ScheduleStore &) = delete;
    virtual ~ScheduleStore() = default;

    // RevisionMismatch when it is not as expected; Conflict when there are limits::schedules_max already.
    virtual void save(ScheduleSave save, Callback<ScheduleChanged> callback) = 0;
    // NotFound; RevisionMismatch. The jobs of a deleted schedule stay.
    virtual void change(ScheduleChange change, Callback<ScheduleChanged> callback) = 0;
    virtual void get(QByteArray id, Callback<Schedule> callback) = 0;
    virtual void list(int limit, QByteArray after, Callback<SchedulePage> callback) = 0;
    // The schedules that are due, at most limits::schedules_due_max, the longest due first. The first `leftOut` of them are left out.
    virtual void due(int leftOut, Callback<DueSchedules> callback) = 0;
    // Fires schedules. When several masters ask for the same due time, exactly one fires it: an item counts only while `seen_ms` and
    // `revision` are still those in the store. Nothing fires before its due time.
    virtual void fire(QList<FireItem> items, Callback<FiredAll> callback) = 0;
    // Makes a job now, whether the schedule is due or not. Conflict when the overlap policy skips it.
    virtual void runByHand(RunByHand run, Callback<FiredAll> callback) = 0;
};

} // namespace junban
