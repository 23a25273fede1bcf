#pragma once

#include "core/base/result.h"
#include "core/jobs/administration.h"
#include "core/jobs/jobcalls.h"
#include "core/store/askednames.h"

#include <QByteArray>
#include <QList>
#include <QPair>
#include <optional>

namespace junban {

// ---- The arguments and replies of the verbs. Replies are in the order of the items; each item succeeds or fails by itself. ----

struct EnqueueItem {
    JobId id;                      // made by the caller; a repeated call has the same
    JobSpec spec;
    QByteArray owner;              // the token's name; idempotency keys of different owners are different keys
};

struct ClaimRequest {
    QByteArray worker;
    QList<QByteArray> names;       // empty: all names
    int limit = 1;
    qint64 lease_ms = 0;           // 0: each job's timeout
    QByteArray token = {};         // the id of the token that claims; empty: none was needed
    bool served = false;           // for a worker that serves HTTP, which never gets more jobs than it has slots
    QByteArray request = {};       // the id of a request that another master has passed on, from which the leases derive; empty: none
    bool isRepeated = false;       // jobs that the same request has claimed already are its jobs again
};
struct FinishAndClaimReply {
    QList<Result<Finished>> finished;
    QList<Claimed> claimed;        // one for each claim request
};

struct MessageItem {
    QByteArray key;
    Outcome outcome;
    double jitter = 0;             // as FinishItem::jitter
};

// Replaces the fields of a job that may be edited. Repeating it is safe: a job that already is as `after` says is not changed.
struct EditItem {
    JobId id;
    JobSpec before;                // as it was read; Conflict when the job has changed since
    JobSpec after;                 // differs in priority, argument, tags, max_retry or timeout only
    std::optional<qint64> runAt_ms = {}; // for a ready or scheduled job: its new time; one that has passed makes it ready
    QByteArray oldValues;          // a MessagePack map for the job's history
    QByteArray by = anOperator;
};

// A group of jobs that are counted together. Its callback job is enqueued once, when the group is closed and all its jobs have ended.
struct GroupChange {
    QByteArray group;
    JobId callbackId;              // made by the caller; a repeated call has the same
    std::optional<bool> open = {}; // true: more jobs may come, so the callback waits until it is closed
    std::optional<JobSpec> callback = {};
    std::optional<bool> shared = {};
    GroupCaller caller = {};
};

// Waited: the request for the result was already waiting when the job ended. Several pushers can share a job (`coalesce`); each that
// waited gets the result, within limits::receipt_s of the first.
enum class Fetch { First, Waited };

struct Swept {
    int expired = 0;
    int promoted = 0;
    int purged = 0;
    bool more = false;             // there was more to do than one call may: call again at once
    qint64 nextDue_ms = 0;         // when the next lease or scheduled job falls due, on Redis' clock; 0: none
    QList<QByteArray> readyNames;  // names with jobs that became ready
    QList<JobId> finished;         // jobs that became final
    QList<JobId> windowsWanted;    // jobs that need their next windows: call setWindows() for each
};

// How much of each job a page has. With arguments of any length, limits::page_bytes_max may make the page shorter.
enum class PageDetail {
    Listed, // what a list shows; an argument that makes the record longer than limits::page_record_bytes_max is left out
    Whole,  // the same with arguments of any length
    Pushed, // only what was pushed, with arguments of any length
};

// One page of jobs in one state. Order: ready by (priority, id), scheduled by (run_at, id), running by (lease expiry, id), final
// states newest first.
struct PageRequest {
    JobState state = JobState::Ready;
    QByteArray name;               // Ready only: jobs of this name; empty: all
    int limit = limits::page_rows_default;
    // The last row of the page before, as its (order, id); nothing for the first page.
    std::optional<QPair<double, JobId>> after = {};
    PageDetail detail = PageDetail::Listed;
    bool reversed = false;         // from the other end of the order
};
struct Page {
    QList<Job> jobs;               // without their attempts
    QList<double> orders;          // each job's order, for the next page's `after`
    qint64 total = 0;              // jobs in this state (or of this name) now
    bool end = true;               // this is the last page
    qint64 now_ms = 0;             // when it was read, on Redis' clock
    qint64 rest = 0;               // of the jobs of a failure group: how many come after these
    // The (order, id) of the last row, even if its job could not be read.
    std::optional<QPair<double, JobId>> last = {};
};

// Says that jobs became ready or ended, in this call or at another master. Hints can be lost, so nothing may depend on them
// (ARCHITECTURE.md, "One job's way").
struct Hints {
    QList<QByteArray> readyNames;
    QList<JobId> finished;
    qint64 opens_ms = 0;           // when the first closed bucket opens by itself, on Redis' clock; 0: none does

    bool tellOfJobs() const { return !readyNames.isEmpty() || !finished.isEmpty(); }
    bool any() const { return tellOfJobs() || opens_ms > 0; }
};

// The queue's state and its transitions (docs/semantics.md, "Transitions"). Each call is atomic, and takes up to limits::script_items_max
// items. RedisStore implements it; ModelStore, in the tests, is the specification in plain C++.
//
// Threads: one, the engine's. Callbacks: once each, later, on that thread. An error of the whole call (StoreUnavailable, StoreFull,
// StoreReadOnly, Internal) is the callback's Error; an error of one item (NotFound, LeaseLost, Conflict, …) has the item's place in the
// list. A call that fails with StoreUnavailable may have been carried out or not. Repeating it with the same ids, leases and nonces is
// safe; RedisStore has already repeated it as long as that could help.
class Store
{
public:
    Store() = default;
    Store(const Store &) = delete;
    Store &operator=(const Store &) = delete;
    virtual ~Store() = default;

    // Transitions 1 (`enqueue`), 2 (`repeat-enqueue`), 27 (`replace`), 28 (`drop`). IdempotencyMismatch when an item's idempotency key was
    // used with other fields; BacklogFull.
    virtual void enqueue(QList<EnqueueItem> items, Callback<QList<Result<Enqueued>>> callback) = 0;
    // Transitions 8 to 10, 12 to 14 and 24 for `items`, then 4 (`claim`) for `claims`; either may be empty.
    virtual void finishAndClaim(QList<FinishItem> items, QList<ClaimRequest> claims, Callback<FinishAndClaimReply> callback) = 0;
    // Transitions 5 (`heartbeat`) and 6 (`progress`).
    virtual void heartbeat(QList<HeartbeatItem> items, Callback<QList<Result<Heartbeat>>> callback) = 0;
    // Transitions 7 (`release`) and 24 (`end-cancelled`).
    virtual void release(QList<ReleaseItem> items, Callback<QList<Result<StateNow>>> callback) = 0;
    // Transitions 16 (`cancel-waiting`) and 17 (`cancel-running`). Conflict when the job is final.
    virtual void cancel(QList<CancelItem> items, Callback<QList<Result<StateNow>>> callback) = 0;
    // Transition 18 (`retry`). Conflict when the job is neither failed nor cancelled.
    virtual void retry(QList<RetryItem> items, Callback<QList<Result<StateNow>>> callback) = 0;
    // Transition 15 (`hand-off`). Conflict (field "key") when another job waits under the key.
    virtual void handOff(HandoffItem item, Callback<StateNow> callback) = 0;
    // Transitions 8 to 10 and 24, for the job that waits under a message key. NotFound when none does. The same message again within
    // limits::receipt_s gets the same answer.
    virtual void message(MessageItem item, Callback<MessageTaken> callback) = 0;
    // Transition 19 (`edit`). Conflict when the state does not allow it or the job is not as `before` says.
    virtual void edit(EditItem item, Callback<StateNow> callback) = 0;
    // Makes or changes a group; the answer is its state.
    virtual void changeGroup(GroupChange change, Callback<Group> callback) = 0;
    virtual void group(QByteArray group, GroupCaller caller, Callback<Group> callback) = 0;
    // Transitions 3, 11 and 20 to 24 for everything that is due now, at most limits::script_items_max jobs of each.
    virtual void sweep(Callback<Swept> callback) = 0;
    // Stores the next openings and closings of a job's windows, in milliseconds since the epoch. They alternate, from an opening on.
    virtual void setWindows(JobId id, QList<qint64> boundaries, Callback<Done> callback) = 0;
    // Hands out the result and deletes it. A request with the same receipt gets the same result again for limits::receipt_s.
    virtual void takeResult(JobId id, QByteArray receipt, Fetch fetch, Callback<ResultNow> callback) = 0;
    // Reads the result without deleting it.
    virtual void peekResult(JobId id, Callback<ResultNow> callback) = 0;
    // NotFound when there is no such job, or no longer.
    virtual void get(JobId id, Callback<Job> callback) = 0;
    virtual void page(PageRequest request, Callback<Page> callback) = 0;
    // These jobs as lists show them, at most limits::page_rows_max; jobs that no longer exist are left out. With arguments of any length,
    // limits::page_bytes_max may leave out the last ones. Pushed is not allowed.
    virtual void rows(QList<JobId> ids, PageDetail detail, Callback<QList<Job>> callback) = 0;
    // Without the rates, the rollback and the version, which a master adds.
    virtual void counts(Callback<Overview> callback) = 0;
    // Job names in the order of their first enqueue, after the name `after` (empty: from the first).
    virtual void names(int limit, QByteArray after, Callback<QList<NameRow>> callback) = 0;
    // Stores which names the workers of this engine ask for, for the explanations of all masters. It counts as long as the engine sweeps.
    virtual void publishAskedNames(AskedNames names, Callback<Done> callback) = 0;
    // Runs a script that reads and writes; /readyz uses it.
    virtual void probe(Callback<Done> callback) = 0;

    // The handler is called with the hints of other masters. Hints of this store's own calls are in their replies.
    virtual void setHintHandler(std::function<void(const Hints &)> handler) = 0;
};

} // namespace junban
