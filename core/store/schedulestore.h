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
    std::optional<bool> paused = {}; // none: as it is
    qint64 next_ms = 0;            // counted from now; kept as it stands in the store when the recurrence is the same
};
struct ScheduleSaved {
    Schedule schedule;
    bool created = false;
};

enum class ScheduleChangeVerb { Pause, Resume, Delete };
struct ScheduleChange {
    QByteArray id;
    ScheduleChangeVerb verb = ScheduleChangeVerb::Pause;
    Expected expected = {};
    qint64 next_ms = 0;            // Resume: counted from now
    QByteArray recurrence = {};    // Resume: what it was counted from; Conflict when it is another by now
};

struct DueSchedule {
    QByteArray id;
    qint64 revision = 0;
    qint64 next_ms = 0;
    Recurrence recurrence;
    Missed missed = Missed::Once;
    int missedMax = 0;
};
struct DueSchedules {
    QList<DueSchedule> schedules;
    qint64 now_ms = 0;             // Redis' clock
    qint64 nextDue_ms = 0;         // of those that are not due yet; 0: none
};

struct FireItem {
    QByteArray id;
    qint64 revision = 0;
    PlannedFiring firing;
    JobId job;                     // made by the caller, the same when the call is repeated
};
struct RunByHand {
    QByteArray id;
    JobId job;                     // made by the caller, the same when the call is repeated
    std::optional<Overlap> overlap = {}; // none: the schedule's own
};
struct Fired {
    bool stale = false;            // another master was faster, or it was changed: nothing was done
    RunOutcome outcome = RunOutcome::Enqueued;
    JobId job;
    JobState state = JobState::Ready;
};
struct FiredAll {
    QList<Fired> fired;            // one for each item
    qint64 nextDue_ms = 0;         // of jobs that were scheduled for later; 0: none
    Hints hints;                   // what became ready, what was cancelled
};

// Recurring jobs in the store: each call one atomic step. Threads, callbacks and errors as Store says; repeating a call with the same
// ids and revisions is safe.
class ScheduleStore
{
public:
    ScheduleStore() = default;
    ScheduleStore(const ScheduleStore &) = delete;
    ScheduleStore &operator=(const ScheduleStore &) = delete;
    virtual ~ScheduleStore() = default;

    // RevisionMismatch when it is not as expected; Conflict beyond limits::schedules_max.
    virtual void save(ScheduleSave save, Callback<ScheduleSaved> callback) = 0;
    // NotFound; RevisionMismatch. A deleted one is answered as it was; its jobs stay.
    virtual void change(ScheduleChange change, Callback<Schedule> callback) = 0;
    virtual void get(QByteArray id, Callback<Schedule> callback) = 0;
    virtual void list(int limit, QByteArray after, Callback<SchedulePage> callback) = 0;
    // Those that fell due, at most limits::schedules_due_max.
    virtual void due(Callback<DueSchedules> callback) = 0;
    // Exactly one of all who ask fires a due time: the one whose `seen_ms` and `revision` still stand. A due time that has not come yet
    // fires for no one.
    virtual void fire(QList<FireItem> items, Callback<FiredAll> callback) = 0;
    // Now, whatever is due. Conflict when its overlap policy skips it.
    virtual void runByHand(RunByHand run, Callback<FiredAll> callback) = 0;
};

} // namespace junban
