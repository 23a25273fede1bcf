#pragma once

#include "core/calendar/cron.h"
#include "core/jobs/job.h"
#include "core/limits.h"

#include <QByteArray>
#include <QList>
#include <optional>

namespace junban {

// What a firing does when the job of the last firing has not ended. The numbers are stored in Redis; never renumber.
enum class Overlap : quint8 {
    Allow = 0,   // it makes another job
    Skip = 1,    // it makes no job
    Replace = 2, // it cancels the last job (a running one is asked to stop) and makes a new one
};
// What happens with firings that were missed because no master ran.
enum class Missed : quint8 {
    Once = 0,    // one job for all of them
    All = 1,     // a job for each of the latest ScheduleSpec::missedMax
    None = 2,    // no job
};
inline constexpr std::array<const char *, 3> overlapWords = {"allow", "skip", "replace"};
inline constexpr std::array<const char *, 3> missedWords = {"once", "all", "none"};

// The outcome of a firing. The numbers are stored in Redis; never renumber.
enum class RunOutcome : quint8 {
    Enqueued = 0,
    Skipped = 1,    // the last job had not ended (Overlap::Skip)
    PassedOver = 2, // it was missed, and by the policy makes no job
    Refused = 3,    // the job could not be enqueued
};
inline constexpr std::array<const char *, 4> runOutcomeWords = {"enqueued", "skipped", "passed_over", "refused"};

// When a schedule fires: by a cron expression in a time zone, or at an interval.
struct Recurrence {
    QByteArray cron = {};          // empty: an interval
    QByteArray tz = "UTC";
    Interval interval = {};

    // For the store. Equal recurrences have equal bytes.
    QByteArray packed() const;
    static std::optional<Recurrence> unpacked(QByteArrayView bytes);
    friend bool operator==(const Recurrence &, const Recurrence &) = default;
};

// The due times of a recurrence. All times are milliseconds since the epoch.
class Firings
{
public:
    explicit Firings(const Recurrence &recurrence);

    // False when the recurrence cannot be read, for example because this machine lacks its time zone. Then there are no due times.
    bool known() const { return m_cron || m_interval; }
    // Why it is not known; empty: it is.
    const Reason &unknownWhy() const { return m_why; }
    // The first due time after a moment; nothing when there is none.
    std::optional<qint64> after_ms(qint64 at_ms) const;
    // The next `count` due times after a moment; fewer when there are no more.
    QList<qint64> after_ms(qint64 at_ms, int count) const;
    // The latest `count` due times in (from, until], oldest first. The work depends on `count`, hardly on the span.
    QList<qint64> latest_ms(qint64 from_ms, qint64 until_ms, int count) const;

private:
    std::optional<Cron> m_cron;
    TimeZone m_zone = TimeZone::utc();
    std::optional<Interval> m_interval;
    Reason m_why;
};

// A recurring job as an operator describes it. The code that makes one must have checked it against core/limits.h.
struct ScheduleSpec {
    QByteArray title = {};
    Recurrence recurrence = {};
    JobSpec job = {};              // what every firing enqueues; it has no run_at and no idempotency key
    QByteArray jobBody = {};       // the same as the operator gave it: a MessagePack map
    Overlap overlap = Overlap::Allow;
    Missed missed = Missed::Once;
    int missedMax = limits::schedule_catch_up_default;
};

struct ScheduleRun {
    qint64 due_ms = 0;             // 0: run by hand, or only passed over
    qint64 at_ms = 0;
    RunOutcome outcome = RunOutcome::Enqueued;
    JobId job = {};                // Enqueued: the new job; Skipped: the last job
    int passedOver = 0;            // due times before this one that made no job
    Reason why = {};               // Refused

    bool byHand() const { return due_ms == 0 && outcome != RunOutcome::PassedOver; }
};

// A schedule as operators see it.
struct Schedule {
    QByteArray id;
    ScheduleSpec spec;             // a store leaves out `job`; `jobBody` has it
    qint64 revision = 0;           // grows with every change
    bool paused = false;
    qint64 createdAt_ms = 0;
    qint64 updatedAt_ms = 0;
    qint64 next_ms = 0;            // when it falls due next; 0: never again, or it is paused
    JobId lastJob;                 // null: none yet
    std::optional<JobState> lastJobState = {}; // none: there was no job, or it has been purged
    qint64 fired = 0;
    qint64 skipped = 0;
    QList<ScheduleRun> runs = {};  // newest first; lists leave it out
    QList<qint64> nextRuns = {};   // lists leave it out; filled in by a master
    qint64 now_ms = 0;             // Redis' clock
    bool masked = false;           // values of its job are hidden (core/limits/mask.h)
    Reason unreadable = {};        // why it cannot be read any more, and so does not fire; empty: it can
};
struct SchedulePage {
    QList<Schedule> schedules;     // by id
    bool end = true;
    QByteArray next = {};          // filled in by a master; empty: this is the last page
};

// The body of a save.
struct ScheduleBody {
    ScheduleSpec spec;
    std::optional<bool> paused = {};
};
struct RunScheduleBody {
    std::optional<Overlap> overlap = {}; // none: the schedule's own
};

// One step for a schedule that is due.
struct PlannedFiring {
    qint64 seen_ms = 0;            // the due time that the store must still have
    qint64 due_ms = 0;             // the due time of the job; 0: no job, only the next due time is set
    qint64 next_ms = 0;            // the next due time; 0: none
    int passedOver = 0;            // due times before `due_ms` that make no job; counted up to limits::schedule_catch_up_max
    friend bool operator==(const PlannedFiring &, const PlannedFiring &) = default;
};
// The steps at `now_ms` for a schedule that fell due at `due_ms` ≤ `now_ms`: at least one and at most `most`, each of which follows on the
// one before it. A firing that is late by no more than limits::schedule_late_s does not count as missed.
QList<PlannedFiring> planFirings(const Firings &firings, qint64 due_ms, qint64 now_ms, Missed missed, int missedMax, int most);

} // namespace junban
