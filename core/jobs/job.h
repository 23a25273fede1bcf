#pragma once

#include "core/calendar/windows.h"
#include "core/jobs/durabilitylevel.h"
#include "core/jobs/jobid.h"
#include "core/jobs/outcome.h"
#include "core/limits.h"

#include <QByteArray>
#include <QList>
#include <array>
#include <optional>
#include <vector>

namespace junban {

// docs/semantics.md, "States". The values are what Redis stores; never renumber.
enum class JobState : quint8 {
    Scheduled = 1, Depends = 2, Ready = 3, Running = 4, Awaiting = 5, Succeeded = 6, Failed = 7, Cancelled = 8,
};
inline constexpr bool isFinal(JobState state) { return state >= JobState::Succeeded; }
const char *stateWord(JobState state); // "scheduled", "ready", …
std::optional<JobState> stateFromWord(QByteArrayView word);

// The delay before retry n (n = failures so far, from 1) is min(max, base·factor^(n−1))·(1+U[0,jitter]): never earlier than
// the base value.
struct Backoff {
    qint64 base_ms = static_cast<qint64>(limits::backoff_base_s_default * 1000);
    double factor = limits::backoff_factor_default;
    qint64 max_ms = static_cast<qint64>(limits::backoff_max_s_default * 1000);
    double jitter = limits::backoff_jitter_default;

    // `uniform` is in [0,1).
    qint64 delay_ms(int failures, double uniform) const;
    friend bool operator==(const Backoff &, const Backoff &) = default;
};

// At most one living job with the same key among the jobs of one name.
enum class UniqueUntil : quint8 { Started, Finished };
enum class OnConflict : quint8 {
    Coalesce, // the job in place answers for both; its result is kept if either asks for it
    Reject,   // refused as Conflict
    Replace,  // the job in place is cancelled if it has not started; else the new one runs after it
};
inline constexpr std::array<const char *, 2> uniqueUntilWords = {"started", "finished"};
inline constexpr std::array<const char *, 3> onConflictWords = {"coalesce", "reject", "replace"};
struct Unique {
    QByteArray key;                      // empty: made of the argument
    UniqueUntil until = UniqueUntil::Finished;
    OnConflict onConflict = OnConflict::Coalesce;
    friend bool operator==(const Unique &, const Unique &) = default;
};

// What becomes of a job when one it depends on fails or is cancelled.
enum class OnDependencyFailure : quint8 { Fail, Cancel, Run };
inline constexpr std::array<const char *, 3> onDependencyFailureWords = {"fail", "cancel", "run"};

// What constraints of kind `set` may replace of a job.
struct Settable {
    qint32 priority = limits::priority_default;
    qint64 timeout_ms = static_cast<qint64>(limits::timeout_s_default * 1000);
    int maxRetry = limits::max_retry_default;
    Backoff backoff = {};
    friend bool operator==(const Settable &, const Settable &) = default;
};

// A job as a pusher describes it. Whoever makes one has checked it against core/limits.h.
struct JobSpec {
    QByteArray name;
    QByteArray argument = payload::nil;  // one MessagePack value, kept byte for byte
    qint32 priority = limits::priority_default;
    int maxRetry = limits::max_retry_default;
    bool keepResult = false;
    qint64 timeout_ms = static_cast<qint64>(limits::timeout_s_default * 1000);
    qint64 delay_ms = 0;                 // not before so long after the enqueue …
    std::optional<qint64> runAt_ms = {}; // … or not before this time (at most one of the two is given)
    Backoff backoff = {};
    QList<QByteArray> tags = {};
    qint64 resultTtl_ms = static_cast<qint64>(limits::result_ttl_s_default * 1000);
    QByteArray trace = {};               // W3C traceparent
    QByteArray idempotencyKey = {};      // empty: none
    QList<Window> windows = {};          // may start only inside; empty: any time
    std::optional<Unique> unique = {};
    QList<JobId> dependsOn = {};         // runs when all of them have succeeded …
    OnDependencyFailure onDependencyFailure = OnDependencyFailure::Fail; // … or else as this says
    std::vector<JobSpec> then = {};      // enqueued together with the success of this one
    qint64 expiresIn_ms = 0;             // not started by so long after the enqueue: failed (`expired`); 0: never
    QByteArray group = {};               // the batch it is counted in; empty: none

    std::optional<DurabilityLevel> durability = {}; // what the answer waits for, not the job's: neither kept nor compared
    std::optional<Settable> pushed = {}; // as these were pushed, where `set` constraints replaced some of them

    // What two enqueues with the same idempotency key must have in common: a hash of every field but the key, arguments by what they
    // decode to.
    QByteArray fingerprint() const;
    friend bool operator==(const JobSpec &, const JobSpec &) = default;
};

// The path of the first `run_at`, the job's or one of `then`'s, that lies further ahead than limits::delay_s_max; empty when none does.
QByteArray startTooFarAhead(const JobSpec &spec, qint64 now_ms);
// About how much a push takes in a script call.
qint64 pushBytes(const JobSpec &spec);

// The job record `j:<id>` (core/jobs/jobrecord.cpp): one packed string, written once, read by scripts only in its fixed head
// (core/lua/pieces/record.lua names the same offsets). Little-endian:
//   u8 format (1) · u8 flags (1 keep_result, 2 extras) · i32 priority · u32 timeout_ms · u16 max_retry · u8 name length · name
//   with extras: u32 backoff base_ms · f64 factor · u32 max_ms · f64 jitter · u32 result_ttl_ms/1000 (rounded up)
//                · u16 length of a MessagePack map of further fields that scripts pass over
//   then the argument, to the end.
// `then` is not in it.
QByteArray packRecord(const JobSpec &spec);
std::optional<JobSpec> unpackRecord(QByteArrayView record);

// What the script has to know of a push besides the record, as a MessagePack map of short keys (core/lua/pieces/push.lua); empty for a job
// that has none of it. `now_ms` is where the boundaries of its windows begin; without it they are left to a master's next sweep.
QByteArray packOptions(const JobSpec &spec, std::optional<qint64> now_ms = {});
// The next openings and closings of windows in turn, the first an opening (which may have passed), as Redis keeps them.
QList<qint64> windowBoundaries_ms(const QList<Window> &windows, qint64 now_ms);
// The jobs of `then` as pushes: a MessagePack array of [record, run_at, delay, options], all texts and integers.
QByteArray packPushes(const std::vector<JobSpec> &specs);
std::optional<std::vector<JobSpec>> unpackPushes(QByteArrayView pushes);

// A job handed to a worker.
struct ClaimedJob {
    JobId id;
    JobSpec spec;
    int attempt = 1;                 // from 1
    QByteArray lease;                // "<attempt>.<random>", the fencing token of every report
    qint64 leaseExpiresAt_ms = 0;
    qint64 deadline_ms = 0;          // claim + timeout: the hard limit of the attempt
};

// One past run, or one thing that ended it.
struct Attempt {
    int number = 0;
    QByteArray worker;
    qint64 startedAt_ms = 0;
    qint64 endedAt_ms = 0;           // 0 while it runs
    QByteArray ended;                // "" while it runs; "success" "failure" "timeout" "released" "cancelled"
    QByteArray message;
    bool shouldRetry = false;
    qint64 nextRunAt_ms = 0;         // 0: no retry was due
};

// Something that happened to a job and is no attempt of its own.
struct Event {
    qint64 at_ms = 0;
    QByteArray what;                 // "edited", "cancel_requested", "retried", "handed_off", "message", "freed", …
    QByteArray actor;                // "operator", "pusher", "master", or a worker's id
    int attempt = 0;
    QByteArray details;              // a MessagePack map, e.g. the old values of an edit; empty: none
    friend bool operator==(const Event &, const Event &) = default;
};

// One line of a job's history, made by historyOf() (core/jobs/history.h).
struct Transition {
    qint64 at_ms = 0;
    QByteArray what;                 // "enqueued", "started", "succeeded", "failed", "timed_out", "released", "cancelled", or an event's
    QByteArray actor;                // "pusher", "operator", "master", or a worker's id
    QByteArray worker;               // whose attempt it belongs to; empty: none's
    int attempt = 0;                 // 0: none
    QByteArray message;              // why, if something was said
    qint64 runAt_ms = 0;             // it will be tried again then; 0: no such thing
    QByteArray details;              // a MessagePack map; empty: none
    friend bool operator==(const Transition &, const Transition &) = default;
};

// How far a worker says it is; `total` 0: it said nothing.
struct Progress {
    double done = 0;
    double total = 0;
    QByteArray message = {};
};

// A job as operators and pushers see it.
struct Job {
    JobId id;
    JobSpec spec;
    qint64 argument_bytes = 0;       // the argument's size; in lists a long argument is left out, and spec.argument is nil then
    JobState state = JobState::Ready;
    int attempt = 0;                 // runs so far; 0 before the first
    int failures = 0;
    int releases = 0;
    qint64 createdAt_ms = 0;
    qint64 runAt_ms = 0;             // scheduled: when it becomes ready
    qint64 startedAt_ms = 0;         // 0 before the first run
    qint64 finishedAt_ms = 0;        // final states, on Redis' clock
    QByteArray worker;               // the last worker that claimed it
    qint64 leaseExpiresAt_ms = 0;    // running
    qint64 deadline_ms = 0;          // running
    bool cancelRequested = false;
    QByteArray message;              // the last failure's, cut to 200 bytes
    QByteArray reason;               // failed, cancelled: why ("other", "timeout", "poison", "cancelled", …)
    QByteArray outcome;              // the last report as an outcome object (MessagePack), empty when none is kept
    bool resultKept = false;         // a result waits for its pusher
    Progress progress;
    bool tracked = false;            // starred: not purged
    qint64 deletedAt_ms = 0;         // in the trash since; its state is then a final one
    QList<Attempt> attempts;         // oldest first, the newest attempts_kept_max
    QList<Event> events;             // oldest first, the newest attempts_kept_max
    int dependenciesLeft = 0;        // depends: how many have not succeeded yet
    qint64 expiresAt_ms = 0;         // not started by then: failed; 0: never
    QList<Transition> history;       // as a master tells it; a store leaves it empty
};

} // namespace junban
