#pragma once

#include "core/calendar/cron.h"
#include "core/jobs/job.h"
#include "core/limits.h"

#include <QByteArray>
#include <QList>
#include <optional>

namespace junban {

// What a firing does when the job of the firing before has not ended. The values are what Redis stores; never renumber.
enum class Overlap : quint8 {
    Allow = 0,   // one more job
    Skip = 1,    // no job this time
    Replace = 2, // the one in place is cancelled (what runs is asked to stop), the new one enqueued
};
// What becomes of firings that no master was there for.
enum class Missed : quint8 {
    Once = 0,    // one job for all of them
    All = 1,     // a job for each, the latest so many
    None = 2,    // nothing: the next one to come
};
inline constexpr std::array<const char *, 3> overlapWords = {"allow", "skip", "replace"};
inline constexpr std::array<const char *, 3> missedWords = {"once", "all", "none"};

// What a firing came to. The values are what Redis stores; never renumber.
enum class RunOutcome : quint8 {
    Enqueued = 0,
    Skipped = 1,    // the job before had not ended (Overlap::Skip)
    PassedOver = 2, // missed, and by its policy not made up for
    Refused = 3,    // the job could not be enqueued
};
inline constexpr std::array<const char *, 4> runOutcomeWords = {"enqueued", "skipped", "passed_over", "refused"};

// When a schedule fires: by a cron expression in a time zone, or every so often.
struct Recurrence {
    QByteArray cron = {};          // empty: an interval
    QByteArray tz = "UTC";
    Interval interval = {};

    // For the store: the same recurrence gives the same bytes.
    QByteArray packed() const;
    static std::optional<Recurrence> unpacked(QByteArrayView bytes);
    friend bool operator==(const Recurrence &, const Recurrence &) = default;
};

// The firings of a recurrence that was checked before.
class Firings
{
public:
    explicit Firings(const Recurrence &recurrence);

    // False where the recurrence cannot be read, e.g. by a machine that lacks its time zone; it has no firings then.
    bool known() const { return m_cron || m_interval; }
    std::optional<qint64> after_ms(qint64 at_ms) const;
    // The next `count` after a moment; fewer when there are no more.
    QList<qint64> after_ms(qint64 at_ms, int count) const;
    // The latest `count` of those in (from, until], oldest first. Work is bounded by about `count` firings, whatever the span.
    QList<qint64> latest_ms(qint64 from_ms, qint64 until_ms, int count) const;

private:
    std::optional<Cron> m_cron;
    TimeZone m_zone = TimeZone::utc();
    std::optional<Interval> m_interval;
};

// A recurring job as an operator describes it. Whoever makes one has checked it against core/limits.h.
struct ScheduleSpec {
    QByteArray title = {};
    Recurrence recurrence = {};
    JobSpec job = {};              // what every firing enqueues; no run_at, no idempotency key
    QByteArray jobBody = {};       // the same as it was given: a MessagePack map
    Overlap overlap = Overlap::Allow;
    Missed missed = Missed::Once;
    int missedMax = limits::schedule_catch_up_default;
};

struct ScheduleRun {
    qint64 due_ms = 0;             // 0: by hand, or only passed over
    qint64 at_ms = 0;
    RunOutcome outcome = RunOutcome::Enqueued;
    JobId job = {};                // Enqueued; Skipped: the one in place
    int passedOver = 0;            // due times before it that got no job
    QByteArray why = {};           // Refused: the store's word

    bool byHand() const { return due_ms == 0 && outcome != RunOutcome::PassedOver; }
};

// A schedule as operators see it.
struct Schedule {
    QByteArray id;
    ScheduleSpec spec;             // of a store, `job` is left out: `jobBody` says it
    qint64 revision = 0;           // grows with every change
    bool paused = false;
    qint64 createdAt_ms = 0;
    qint64 updatedAt_ms = 0;
    qint64 next_ms = 0;            // when it falls due; 0: never again, or paused
    JobId lastJob;                 // null: none yet
    std::optional<JobState> lastJobState = {}; // none: no job yet, or its record is gone
    qint64 fired = 0;
    qint64 skipped = 0;
    QList<ScheduleRun> runs = {};  // newest first; only of one that was asked for by its id
    QList<qint64> nextRuns = {};   // likewise; a store leaves it empty
    qint64 now_ms = 0;             // Redis' clock
};
struct SchedulePage {
    QList<Schedule> schedules;     // by id
    bool end = true;
    QByteArray next = {};          // as a master tells it; empty: nothing follows
};

// The body of a save.
struct ScheduleBody {
    ScheduleSpec spec;
    std::optional<bool> paused = {};
};
struct RunScheduleBody {
    std::optional<Overlap> overlap = {}; // none: the schedule's own
};

// One firing to carry out for a schedule that is due.
struct PlannedFiring {
    qint64 seen_ms = 0;            // the due time that must still stand in the store
    qint64 due_ms = 0;             // the due time that the job is for; 0: no job, only go on
    qint64 next_ms = 0;            // the due time after it; 0: none
    int passedOver = 0;            // due times before it that get no job; counted up to limits::schedule_catch_up_max
    friend bool operator==(const PlannedFiring &, const PlannedFiring &) = default;
};
// What to do at `now_ms` about a schedule that fell due at `due_ms` ≤ now: at least one and at most `most` firings, each continuing the
// one before. Firings no later than limits::schedule_late_s are not missed, whatever the policy.
QList<PlannedFiring> planFirings(const Firings &firings, qint64 due_ms, qint64 now_ms, Missed missed, int missedMax, int most);

} // namespace junban
