#pragma once

#include "core/engine/segments.h"
#include "core/jobs/administration.h"
#include "core/jobs/job.h"

#include <memory>
#include <set>
#include <variant>

// A job as the engine has it in memory.
namespace junban::engine {

// The event that ended an attempt. The numbers are stored in Redis; never renumber.
enum class EndedBy : quint8 { Nothing = 0, Success = 1, Failure = 2, Expiry = 3, Release = 4, Cancel = 5, Handoff = 6, Message = 7 };

// The report that ended the last attempt, and its answer: the same report again gets the same answer (transition 13, `repeat-report`).
struct LastReport {
    QByteArray lease = {};               // empty: no attempt has ended
    EndedBy by = EndedBy::Nothing;
    JobState state = JobState::Ready;    // the answer's state
    qint64 runAt_ms = 0;                 // the answer's time; 0 unless the state is Scheduled

    friend bool operator==(const LastReport &, const LastReport &) = default;
};

// The last time that a worker handed the job off. Both stay when the wait has ended.
struct Handoff {
    QByteArray lease = {};               // that it was handed off under; empty: it never was
    QByteArray key = {};                 // Messages::hashOf() of the key that the message comes under

    friend bool operator==(const Handoff &, const Handoff &) = default;
};

// Everything about a job that its first claim, or an operator's change before that, brings. Times are milliseconds since the epoch.
struct Course {
    int attempt = 0;                     // from 1; 0: it was never claimed. It only grows
    int failures = 0;                    // bad attempts since the enqueue or the last retry; 0 to max_retry + 1
    int releases = 0;                    // counted ones, 0 to limits::releases_max
    int silent = 0;                      // leases in a row that ran out without a heartbeat, 0 to limits::poison_expiries
    bool heard = false;                  // a heartbeat came in this attempt
    bool cancelRequested = false;        // a cancel was asked for in this attempt
    QByteArray lease = {};               // of the last attempt: "<attempt>.<32 hexadecimal digits>"; it stays when the attempt has ended
    qint64 lease_ms = 0;                 // how long one lasts: 1 to the job's timeout
    qint64 startedAt_ms = 0;             // the last claim
    qint64 deadline_ms = 0;              // that and the timeout; of a job that was handed off, until when the message may come
    QByteArray worker = {};              // of the last attempt
    QByteArray holder = {};              // the id of the token that it claimed with; empty: none was needed
    double done = 0, total = 0;          // the progress of this attempt; `total` 0: none was told
    QByteArray progress = {};            // its message
    LastReport ended = {};
    Handoff handoff = {};
    QByteArray reason = {};              // failed, cancelled: why (docs/semantics.md, "States")
    QByteArray message = {};             // of the last bad end, up to 200 bytes

    friend bool operator==(const Course &, const Course &) = default;
};

// What a job has besides a plain one: an expiry, a unique key, jobs that it waits for, jobs that follow it, a group. Times are milliseconds
// since the epoch.
struct Special {
    // As in the record:
    QByteArray uniqueKey = {};           // uniqueHash(); empty: it has none
    UniqueUntil until = UniqueUntil::Finished;
    QList<JobId> dependsOn = {};
    OnDependencyFailure onDependencyFailure = OnDependencyFailure::Fail;
    QByteArray group = {};               // the name of its JobGroup; empty: it has none
    QList<Window> windows = {};          // it may start only inside one of them; empty: at any time
    // Of its own:
    QByteArray then = {};                // packPushes() of the jobs that its success enqueues; empty: none
    qint64 expiresAt_ms = 0;             // if it has not started by then, it fails; 0: never
    qint64 closesAt_ms = 0;              // in Ready: when its windows close; 0: never
    qint64 dueAt_ms = 0;                 // in Depends: when it becomes ready once it waits for no job any more; 0: at once
    bool hasKey = false;                 // the unique key is this job's now
    JobId ahead = {};                    // the job that had the unique key before, and has to end first; null: none
    QList<JobId> ended = {};             // in Depends: those that it no longer waits for, also when they are retried
    bool shared = false;                 // a push with the same unique key got this job
    QList<QByteArray> sharers = {};      // the tokens of such pushes
    bool thenApart = false;              // Redis has `then` under a key of its own

    // Nothing for a plain job.
    static std::unique_ptr<Special> of(const JobSpec &spec);

    friend bool operator==(const Special &, const Special &) = default;
};

// That a job stands in the trash. Times are milliseconds since the epoch.
struct Deletion {
    qint64 at_ms = 0;                    // 0: it does not
    JobState from = JobState::Ready;     // the state that it was deleted in: neither Running nor Awaiting
    qint64 due_ms = 0;                   // deleted as Scheduled: when it was due; 0 otherwise
    // The first bad end, since then, of a job that this one waited for, as far as that matters to it; Succeeded: there was none.
    JobState dependencyEnd = JobState::Succeeded;

    friend bool operator==(const Deletion &, const Deletion &) = default;
};

// What operators have set on a job beside its course.
struct Marks {
    qint64 trackedAt_ms = 0;             // since when it has a star, which keeps it from the purge; 0: it has none
    Deletion deletion = {};

    friend bool operator==(const Marks &, const Marks &) = default;
};

// One entry of a job's history: an attempt that ended badly, or another event.
using HistoryEntry = std::variant<Attempt, Event>;

struct JobEntry;

// A higher job comes first: smaller priority, then smaller id.
struct ByPriority {
    bool operator()(const JobEntry *a, const JobEntry *b) const;
};
// By JobEntry::order_ms, then by id.
struct ByTime {
    bool operator()(const JobEntry *a, const JobEntry *b) const;
};
using ReadyJobs = std::set<JobEntry *, ByPriority>;
using TimedJobs = std::set<JobEntry *, ByTime>;

inline constexpr JobState endedStates[] = {JobState::Succeeded, JobState::Failed, JobState::Cancelled};
// The place of one of them in what is kept for each.
constexpr size_t endedIndex(JobState state)
{
    return size_t(state) - size_t(JobState::Succeeded);
}

struct Lane;
class LaneSet;
struct DeleteLanes {
    void operator()(LaneSet *lanes) const;
};

// A name that jobs have or had, with its ready jobs.
struct NameEntry {
    QByteArray name;
    int number = 0;                      // from 0, in the order in which names were enqueued first
    Totals totals;                       // of its jobs since the namespace was made; those of ready jobs follow from `ready`
    bool changed = false;                // the totals were not written since
    ReadyJobs ready = {};
    JobEntry *head = nullptr;            // the ready job that a claim looks at first; null: there is none that may start
    std::unique_ptr<LaneSet, DeleteLanes> lanes = {}; // null: no matcher can match its jobs, and `head` is the first of `ready`
    // Jobs that have ended and are not in the trash, by endedIndex(). Null: the name has no retention of its own.
    std::unique_ptr<std::array<TimedJobs, 3>> ended = {};
};

// Parts of a job that Redis has as fields or values of their own.
enum Part : quint8 {
    RecordPart = 1,                      // what was pushed
    StatePart = 2,                       // JobEntry's state and times, and the Course
    HistoryPart = 4,
    OutcomePart = 8,                     // the last bad outcome
    ThenPart = 16,                       // Special::then
    MarksPart = 32,
};

struct JobEntry {
    JobId id;
    QByteArray record;                   // packRecord(), argument included
    Slot slot;                           // where Redis has it
    NameEntry *name = nullptr;
    qint32 priority = 0;                 // as in the record
    JobState state = JobState::Ready;
    bool keepResult = false;             // as in the record
    quint8 stored = 0;                   // Parts that Redis has
    quint8 changed = 0;                  // Parts that this call has to write
    bool argumentApart = false;          // Redis has the argument, the outcome, under a key of its own
    bool outcomeApart = false;
    bool charged = false;                // it runs, and Admission knows what it is charged
    qint64 createdAt_ms = 0;
    // The time by which jobs in this state are ordered: run_at (scheduled), the enqueue (depends), the lease's expiry (running), the
    // deadline (awaiting), the end (final); ready: 0.
    qint64 order_ms = 0;
    Lane *lane = nullptr;                                  // ready: where it waits under limits; null: no matcher has read it
    std::unique_ptr<Course> course = {};                   // null: neither claimed nor changed since it was pushed
    std::unique_ptr<QList<HistoryEntry>> history = {};     // null: empty; oldest first, the newest limits::attempts_kept_max
    std::unique_ptr<QByteArray> outcome = {};              // the last bad outcome object; null: none
    std::unique_ptr<Special> special = {};                 // null: a plain job
    std::unique_ptr<Marks> marks = {};                     // null: no operator has set any

    // The course, which is made if there is none.
    Course &run()
    {
        if (!course)
            course = std::make_unique<Course>();
        return *course;
    }
    // The marks, which are made if there are none.
    Marks &mark()
    {
        if (!marks)
            marks = std::make_unique<Marks>();
        return *marks;
    }
    int attempt() const { return course ? course->attempt : 0; }
};

// Whether a worker has the job, or has handed it off: its attempt goes on, and limits count it.
inline bool isInHands(JobState state)
{
    return state == JobState::Running || state == JobState::Awaiting;
}

inline bool isTracked(const JobEntry &job)
{
    return job.marks && job.marks->trackedAt_ms > 0;
}
inline bool isInTrash(const JobEntry &job)
{
    return job.marks && job.marks->deletion.at_ms > 0;
}
// Whether the job is told of the ends of those that it depends on. One in the trash is, because it may be restored.
inline bool isDependent(const JobEntry &job)
{
    return job.state == JobState::Depends || (isInTrash(job) && job.marks->deletion.from == JobState::Depends);
}

inline bool ByPriority::operator()(const JobEntry *a, const JobEntry *b) const
{
    return a->priority != b->priority ? a->priority < b->priority : a->id < b->id;
}
inline bool ByTime::operator()(const JobEntry *a, const JobEntry *b) const
{
    return a->order_ms != b->order_ms ? a->order_ms < b->order_ms : a->id < b->id;
}

// The outcome of a job that waits for its pusher, or was taken with a receipt. It may outlive the job.
struct KeptResult {
    JobId id;
    Slot slot;                           // the job's
    QByteArray outcome;                  // the outcome object
    qint64 endsAt_ms = 0;                // when it is forgotten: result_ttl after the end, or limits::receipt_s after it was taken
    bool taken = false;                  // only a request with the same receipt gets it, or one that waited for a shared job
    QByteArray receipt = {};             // of the request that took it; up to limits::receipt_bytes_max bytes
    // If the job was purged: its record without its argument, and the tokens that shared it. They say whose the result is.
    QByteArray owner = {};
    QList<QByteArray> sharers = {};
    bool apart = false;                  // Redis has the outcome under a key of its own
};

} // namespace junban::engine
