#pragma once

#include "core/jobs/job.h"
#include "core/msgpack/fieldtable.h"

#include <QByteArray>
#include <QList>
#include <array>
#include <optional>

// The requests of pushers, workers and operators about jobs, and the answers. In a list each item has its job's id; in a request about one
// job the id is in the URL's path.
namespace junban {

struct Enqueued {
    JobId id;
    JobState state = JobState::Ready;
    bool duplicate = false;          // the job existed already: it has the same idempotency key, or the push was coalesced
    std::optional<DurabilityLevel> durability = {}; // the level reached, if more than the default was asked for
};
// The answer to a push that waits for the job's result.
struct Answered {
    JobId id;
    QByteArray outcome = {};         // the outcome object; nil when there is none for this push; empty: not finished in time
    bool duplicate = false;
    JobState state = JobState::Succeeded; // the job's state when it is not finished

    bool finished() const { return !outcome.isEmpty(); }
};

struct Batch {
    QList<Result<JobSpec>> jobs;     // an item that cannot be read is an error, and the others are pushed
};

struct ClaimQuery {
    QList<QByteArray> names = {};    // empty: all names
    int limit = 1;
    qint64 wait_ms = 0;              // how long the master may wait for a job
    qint64 lease_ms = 0;             // 0: each job's timeout
};
struct ClaimBody {
    QByteArray worker;
    ClaimQuery query = {};
    QList<QByteArray> labels = {};   // operators see them
    QByteArray version = {};         // of the worker's program, for operators
};
struct Claimed {
    QList<ClaimedJob> jobs;          // best first; empty when none is admissible
    bool full = false;               // the worker has no free slot
};

struct FinishItem {
    JobId id;
    QByteArray lease;
    Outcome outcome;
    double jitter = 0;               // in [0,1); drawn by the master, so that a repeated call has the same
};
struct OutcomesBody {
    QByteArray worker;
    QList<Result<FinishItem>> outcomes;
    std::optional<ClaimQuery> claim = {};
    QList<QByteArray> labels = {};
    QByteArray version = {};
};
struct Finished {
    JobState state = JobState::Succeeded;
    qint64 runAt_ms = 0;             // scheduled: when it will be tried again
    QByteArray worker = {};          // whose attempt it was; empty for a repeated report. Not part of the answer
    qint64 ran_ms = 0;               // how long it took. Not part of the answer
};

struct OutcomesReply {
    QList<Result<Finished>> results; // one for each report, in order
    QList<ClaimedJob> jobs;          // claimed in the same trip
};

struct HeartbeatItem {
    JobId id;
    QByteArray lease;
    std::optional<Progress> progress = {};
};
struct Heartbeat {
    qint64 leaseExpiresAt_ms = 0;
    bool cancel = false;             // the worker is asked to stop the job
};
struct HeartbeatsBody {
    QByteArray worker;
    QList<Result<HeartbeatItem>> leases;
};

struct ReleaseItem {
    JobId id;
    QByteArray lease;
    qint64 delay_ms = 0;
    double jitter = 0;
    bool untouched = false;          // the job certainly never reached the worker: the release is not counted
};
// Who changed a job, as its history shows it: a token's note and id, "loopback", "console", or this where nothing else is known.
inline constexpr char anOperator[] = "operator";
// The same with why, if that was said, as a job's events keep it: the reason stands behind a line end, which neither may contain.
QByteArray changedBy(const QByteArray &who, const QByteArray &reason);

struct CancelItem {
    JobId id;
    bool force = false;              // a running job is cancelled at once, and its lease is lost
    QByteArray by = anOperator;
};
struct RetryItem {
    RetryItem(JobId job = {}, QByteArray who = anOperator) : id(job), by(std::move(who)) {}

    JobId id;
    QByteArray by;
};
struct StateNow {
    JobState state = JobState::Ready;
    bool cancelRequested = false;    // a running job: its worker is told at the next heartbeat
    qint64 runAt_ms = 0;             // scheduled: when it becomes ready
};

struct HandoffItem {
    JobId id;
    QByteArray lease;
    QByteArray key;                  // the key under which the message will come; no other job may wait under it
    qint64 timeout_ms = 0;           // how long the message may take
};
struct MessageTaken {
    JobId id;
    Finished finished;
};

// A body without fields.
struct Nothing {};

// An operator's edit of a job. Fields that are not given stay as they are.
struct JobEdit {
    std::optional<qint32> priority = {};
    std::optional<qint64> runAt_ms = {};   // it starts no earlier than this time …
    std::optional<qint64> delay_ms = {};   // … or than this long after the edit; only one of the two may be given
    std::optional<QByteArray> argument = {};
    std::optional<QList<QByteArray>> tags = {};
    std::optional<int> maxRetry = {};
    std::optional<qint64> timeout_ms = {};

    bool isTimed() const { return runAt_ms || delay_ms; }
    bool isEmpty() const { return !priority && !isTimed() && !argument && !tags && !maxRetry && !timeout_ms; }
    friend bool operator==(const JobEdit &, const JobEdit &) = default;
};

// A group of jobs that are counted together. Its callback job is enqueued once, when the group is closed and all its jobs have ended.
struct GroupBody {
    std::optional<bool> open = {};   // true: more jobs may come, so the callback waits until it is closed
    std::optional<JobSpec> callback = {};
    std::optional<bool> shared = {}; // true: other pushers may see it and push into it
};
struct Group {
    QByteArray group;
    qint64 total = 0, pending = 0, succeeded = 0, failed = 0, cancelled = 0;
    bool open = false;
    bool hasCallback = false;
    JobId callback;                  // null: not enqueued yet
    Reason callbackRefused;          // why the callback could not be enqueued; empty: it was not refused
    QByteArray pusher;               // the id of the token whose it is; empty: nobody's
    bool shared = false;
    qint64 createdAt_ms = 0;
    qint64 endedAt_ms = 0;           // 0: jobs are pending
};

struct Coverage {
    qint64 scanned = 0;              // jobs looked at for this page
    qint64 total = 0;                // jobs in the requested states, before filtering
    bool complete = true;            // false: the page is not full because the work bound was reached
};
struct JobPage {
    QList<Job> jobs;                 // long arguments are left out; argument_bytes is their size
    QByteArray next;                 // empty: this is the last page
    Coverage coverage;
};

// How many jobs of each state a filter finds, as far as one request looks.
struct JobCounts {
    std::array<qint64, 9> byState{}; // by JobState's value
    QByteArray next;                 // goes on with the jobs that were not looked at; empty: all were
    Coverage coverage;
};

enum class ResultStatus { Ready, Pending, Gone };
struct ResultNow {
    ResultStatus status = ResultStatus::Gone;
    QByteArray outcome;              // Ready: the outcome object's bytes
    JobState state = JobState::Ready; // Pending
};

extern const TableOf<Enqueued> enqueuedTable;
extern const TableOf<Answered> answeredTable;
extern const TableOf<Batch> batchTable;
extern const TableOf<ClaimQuery> claimQueryTable;
extern const TableOf<ClaimBody> claimBodyTable;
extern const TableOf<Claimed> claimedTable;
extern const TableOf<Outcome> messageTable;           // a report without a lease
extern const TableOf<FinishItem> reportTable;
extern const TableOf<FinishItem> reportWithIdTable;
extern const TableOf<OutcomesBody> outcomesTable;
extern const TableOf<Finished> finishedTable;
extern const TableOf<HeartbeatItem> heartbeatItemTable;
extern const TableOf<Heartbeat> heartbeatTable;
extern const TableOf<HeartbeatsBody> heartbeatsBodyTable;
extern const TableOf<ReleaseItem> releaseTable;
extern const TableOf<CancelItem> cancelTable;
extern const TableOf<StateNow> stateNowTable;
extern const TableOf<HandoffItem> handoffTable;
extern const TableOf<MessageTaken> messageTakenTable;
extern const TableOf<Nothing> nothingTable;
extern const TableOf<JobEdit> jobEditTable;
extern const TableOf<JobPage> jobPageTable;
extern const TableOf<JobCounts> jobCountsTable;
extern const TableOf<Coverage> coverageTable;
extern const TableOf<GroupBody> groupBodyTable;
extern const TableOf<Group> groupTable;

} // namespace junban
