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

// docs/semantics.md, "States". The numbers are stored in Redis; never renumber.
enum class JobState : quint8 {
    Scheduled = 1, Depends = 2, Ready = 3, Running = 4, Awaiting = 5, Succeeded = 6, Failed = 7, Cancelled = 8,
};
inline constexpr bool isFinal(JobState state) { return state >= JobState::Succeeded; }
const char *stateWord(JobState state); // "scheduled", "ready", …
std::optional<JobState> stateFromWord(QByteArrayView word);

// The delay before retry n (n = failures so far, from 1) is min(max, base·factor^(n−1))·(1+U[0,jitter]). The jitter only adds to it.
// The scripts compute it (core/lua/pieces/record.lua).
struct Backoff {
    qint64 base_ms = static_cast<qint64>(limits::backoff_base_s_default * 1000);
    double factor = limits::backoff_factor_default;
    qint64 max_ms = static_cast<qint64>(limits::backoff_max_s_default * 1000);
    double jitter = limits::backoff_jitter_default;

    friend bool operator==(const Backoff &, const Backoff &) = default;
};

// Uniqueness: at most one living job of a name has the same key, until it has started or until it has finished.
enum class UniqueUntil : quint8 { Started, Finished };
enum class OnConflict : quint8 {
    Coalesce, // the push gets the existing job, whose result is kept if one of the pushes asks for it
    Reject,   // the push is refused with Conflict
    Replace,  // the existing job is cancelled if it has not started; otherwise the new one runs after it
};
inline constexpr std::array<const char *, 2> uniqueUntilWords = {"started", "finished"};
inline constexpr std::array<const char *, 3> onConflictWords = {"coalesce", "reject", "replace"};
struct Unique {
    QByteArray key;                      // empty: the argument is the key
    UniqueUntil until = UniqueUntil::Finished;
    OnConflict onConflict = OnConflict::Coalesce;
    friend bool operator==(const Unique &, const Unique &) = default;
};

// What happens to a job when a job that it depends on fails or is cancelled.
enum class OnDependencyFailure : quint8 { Fail, Cancel, Run };
inline constexpr std::array<const char *, 3> onDependencyFailureWords = {"fail", "cancel", "run"};

// The fields of a job that constraints of kind `set` may replace.
struct Settable {
    qint32 priority = limits::priority_default;
    qint64 timeout_ms = static_cast<qint64>(limits::timeout_s_default * 1000);
    int maxRetry = limits::max_retry_default;
    Backoff backoff = {};
    friend bool operator==(const Settable &, const Settable &) = default;
};

// Who asks for a group. Without a token nobody is refused.
struct GroupCaller {
    QByteArray token = {};
    bool onlyOwn = false;                // it may use the groups of this token, those of nobody, and shared ones
    friend bool operator==(const GroupCaller &, const GroupCaller &) = default;
};

// A job as a pusher describes it. The code that makes one must have checked it against core/limits.h.
struct JobSpec {
    QByteArray name;
    QByteArray argument = payload::nil;  // one MessagePack value, kept byte for byte
    qint32 priority = limits::priority_default;
    int maxRetry = limits::max_retry_default;
    bool keepResult = false;
    qint64 timeout_ms = static_cast<qint64>(limits::timeout_s_default * 1000);
    qint64 delay_ms = 0;                 // it starts no earlier than this long after the enqueue …
    std::optional<qint64> runAt_ms = {}; // … or no earlier than this time; only one of the two may be given
    Backoff backoff = {};
    QList<QByteArray> tags = {};
    qint64 resultTtl_ms = static_cast<qint64>(limits::result_ttl_s_default * 1000);
    QByteArray trace = {};               // W3C traceparent
    QByteArray idempotencyKey = {};      // empty: none
    QList<Window> windows = {};          // it may start only inside one of them; empty: any time
    std::optional<Unique> unique = {};
    QList<JobId> dependsOn = {};         // it runs when all of these have succeeded …
    OnDependencyFailure onDependencyFailure = OnDependencyFailure::Fail; // … and if one does not, this happens
    std::vector<JobSpec> then = {};      // jobs that are enqueued in the transaction of this job's success
    qint64 expiresIn_ms = 0;             // if it has not started this long after the enqueue, it fails (`expired`); 0: never
    QByteArray group = {};               // the group it is counted in; empty: none
    QByteArray pusher = {};              // the id of the token that pushed it; empty: none was needed

    bool tracedByRequest = false;        // `trace` came with the request, and may be another when that is repeated: it is not compared
    std::optional<DurabilityLevel> durability = {}; // what the answer waits for; about the push, so neither stored nor compared
    GroupCaller groupCaller = {};        // who puts it into its group; about the push, also of a `then`, and so not compared
    std::optional<Settable> pushed = {}; // the pushed values of these fields, if `set` constraints replaced some of them

    // A hash of all fields except the idempotency key and a trace that came with the request; arguments count by what they decode to
    // (payload::canonical). Two enqueues with the same idempotency key must have the same fingerprint.
    QByteArray fingerprint() const;
    friend bool operator==(const JobSpec &, const JobSpec &) = default;
};

// Whether the text is a trace context as W3C's Trace Context has it, in version 00 or a later one.
bool isTraceparent(QByteArrayView text);

// Refuses a `run_at`, the job's or one in its `then`, that is more than limits::delay_s_max after `now_ms`: so no stored time is further
// ahead than a `delay` can be. Also refuses an `expires_in` of the job that is over before its `run_at`. `within` comes before the field's
// path.
std::optional<Error> neverStarts(const JobSpec &spec, qint64 now_ms, const QByteArray &within = {});
// Sets the pusher of a job and of those in its `then`.
void setPusher(JobSpec &spec, const QByteArray &token);
// Keeps a job and those in its `then` to groups that their pusher may use.
void keepToOwnGroups(JobSpec &spec);
// About how many bytes a push takes in a script call.
qint64 pushBytes(const JobSpec &spec);

// The job record `j:<id>` (core/jobs/jobrecord.cpp) is one packed string. Scripts read only its head (core/lua/pieces/record.lua has the
// same offsets). Little-endian:
//   u8 format (1) · u8 flags (1 keep_result, 2 extras) · i32 priority · u32 timeout_ms · u16 max_retry · u8 name length · name
//   with extras: u32 backoff base_ms · f64 factor · u32 max_ms · f64 jitter · u32 result_ttl_ms/1000 (rounded up)
//                · u16 length of a MessagePack map of further fields, which scripts do not read
//   then the argument, to the end.
// `then` is not in it.
QByteArray packRecord(const JobSpec &spec);
// Nothing when the bytes are not a record.
std::optional<JobSpec> unpackRecord(QByteArrayView record);

// What the script needs to know of a push besides the record, as a MessagePack map of short keys (core/lua/pieces/push.lua); empty when
// there is nothing. The boundaries of its windows are computed from `now_ms` on; without it a master's next sweep computes them.
QByteArray packOptions(const JobSpec &spec, std::optional<qint64> now_ms = {});
// The next openings and closings of windows as Redis keeps them. They alternate, from an opening on, which may have passed (0).
QList<qint64> windowBoundaries_ms(const QList<Window> &windows, qint64 now_ms);
// Why a job cannot be run as it was meant: this machine lacks the zone of its windows; empty: it can.
Reason unreadableWhy(const JobSpec &spec);
// Of windows that cannot be read, because this machine lacks their zone: closed for a while, then the scripts ask again.
QList<qint64> closedBoundaries_ms(qint64 now_ms);
// The jobs of `then` as pushes: a MessagePack array of [record, run_at, delay, options].
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

// One run of a job.
struct Attempt {
    int number = 0;
    QByteArray worker;
    qint64 startedAt_ms = 0;
    qint64 endedAt_ms = 0;           // 0 while it runs
    QByteArray ended;                // "" while it runs; "success" "failure" "timeout" "released" "cancelled"
    QByteArray message;
    bool shouldRetry = false;
    qint64 nextRunAt_ms = 0;         // when it was to be retried; 0: not
};

// Something that happened to a job besides its attempts.
struct Event {
    qint64 at_ms = 0;
    QByteArray what;                 // "edited", "cancel_requested", "retried", "handed_off", "message", "freed", …
    QByteArray actor;                // who did it, and why (changedBy()); "pusher", "master", "schedule", or a worker's id
    int attempt = 0;
    QByteArray details;              // a MessagePack map, e.g. the old values of an edit; empty: none
    bool afterEnd = false;           // it came after the bad end of that attempt, or of a later one
    friend bool operator==(const Event &, const Event &) = default;
};

// One line of a job's history, made by historyOf() (core/jobs/history.h).
struct Transition {
    qint64 at_ms = 0;
    QByteArray what;                 // "enqueued", "started", "succeeded", "failed", "timed_out", "released", "cancelled", or an event's
    QByteArray actor;                // who did it
    QByteArray worker;               // the worker of the attempt; empty: none
    int attempt = 0;                 // 0: none
    QByteArray message;              // of the attempt's failure; or why it ended
    qint64 runAt_ms = 0;             // when it will be tried again; 0: not
    QByteArray details;              // a MessagePack map; empty: none
    QByteArray reason = {};          // why an operator or a pusher did it, if that was said
    friend bool operator==(const Transition &, const Transition &) = default;
};

// The progress that a worker has reported; `total` is 0 when it has reported none.
struct Progress {
    double done = 0;
    double total = 0;
    QByteArray message = {};
};

// What keeps a ready job from starting, as lists show it.
struct JobHold {
    QByteArray matcher, title, constraint; // all empty: more constraints match the job than can be kept
    QByteArray kind;                 // empty: nothing keeps it
    QByteArray key;                  // the key of the constraint's bucket; empty without `by`
    qint64 opensAt_ms = 0;           // when that opens by itself; 0: not known
    Reason why = {};                 // of the kind `unreadable`: what cannot be read
    friend bool operator==(const JobHold &, const JobHold &) = default;
};

// A job as operators and pushers see it.
struct Job {
    JobId id;
    JobSpec spec;
    qint64 argument_bytes = 0;       // the argument's size; lists leave out long arguments: spec.argument is nil then
    bool masked = false;             // what it shows leaves out values that are hidden (core/limits/mask.h)
    JobState state = JobState::Ready;
    int attempt = 0;                 // runs so far; 0 before the first
    int failures = 0;
    int releases = 0;
    qint64 createdAt_ms = 0;
    qint64 runAt_ms = 0;             // scheduled: when it becomes ready
    qint64 startedAt_ms = 0;         // 0 before the first run
    qint64 finishedAt_ms = 0;        // final states, on Redis' clock
    QByteArray worker;               // the last worker that claimed it
    QByteArray holder;               // running: the id of the token that claimed it; empty: none was needed. Not shown
    QList<QByteArray> sharers;       // tokens whose pushes this job stands for, too. Not shown
    qint64 leaseExpiresAt_ms = 0;    // running
    qint64 deadline_ms = 0;          // running
    bool cancelRequested = false;
    QByteArray message;              // of the last failure, cut to 200 bytes
    QByteArray reason;               // failed, cancelled: why ("other", "timeout", "poison", "cancelled", …)
    QByteArray outcome;              // the last report as an outcome object (MessagePack); empty when none is stored
    bool resultKept = false;         // a result waits for its pusher
    Progress progress;
    bool tracked = false;            // it has a star, and is not purged
    qint64 deletedAt_ms = 0;         // when it was put into the trash; its state is then final; 0: it is not there
    QList<Attempt> attempts;         // oldest first, the newest attempts_kept_max
    QList<Event> events;             // oldest first, the newest attempts_kept_max
    int dependenciesLeft = 0;        // depends: how many have not succeeded yet
    qint64 expiresAt_ms = 0;         // if it has not started by then, it fails; 0: never
    JobHold heldBy;                  // ready: filled in by a master, for lists
    QList<Transition> history;       // filled in by a master; a store leaves it empty
};

} // namespace junban
