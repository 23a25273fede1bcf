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

// ---- What goes in and what comes out of each verb. Lists keep their order; each item succeeds or fails on its own. ----------

struct EnqueueItem {
    JobId id;                      // made by the caller, the same when the call is repeated
    JobSpec spec;
    QByteArray owner;              // the idempotency key's scope: the token's name
};

struct ClaimRequest {
    QByteArray worker;
    QList<QByteArray> names;       // empty: all names
    int limit = 1;
    qint64 lease_ms = 0;           // 0: each job's timeout
};
struct FinishAndClaimReply {
    QList<Result<Finished>> finished;
    QList<Claimed> claimed;        // one for each claim request
};

struct MessageItem {
    QByteArray key;
    Outcome outcome;
    double jitter = 0;             // as FinishItem's
};

// Replaces what may be edited of a job. Repeating it is safe: a job that is as `after` says already is left alone.
struct EditItem {
    JobId id;
    JobSpec before;                // as it was read; Conflict ("changed meanwhile") when it is not any more
    JobSpec after;                 // differs in priority, argument, tags, max_retry or timeout only
    std::optional<qint64> runAt_ms = {}; // ready, scheduled: moves it; a time that has passed makes it ready
    QByteArray oldValues;          // a MessagePack map for the job's history
};

// A batch of jobs that is counted together; its callback job is enqueued once, when all that are in it have ended and it is closed.
struct GroupChange {
    QByteArray group;
    JobId callbackId;              // made by the caller, the same when the call is repeated
    std::optional<bool> open = {}; // true: more jobs may come, the callback waits for the close
    std::optional<JobSpec> callback = {};
};

// Whether a request for a result was already waiting when the job ended. Where pushers share a job (`coalesce`), each of those gets the
// result, within limits::receipt_s of the first.
enum class Fetch { First, Waited };

struct Swept {
    int expired = 0;
    int promoted = 0;
    int purged = 0;
    bool more = false;             // a bound was met: call again at once
    qint64 nextDue_ms = 0;         // when the next lease or schedule falls due on Redis' clock; 0: none
    QList<QByteArray> readyNames;  // names with jobs that became ready
    QList<JobId> finished;         // jobs that became final (expired for the last time)
    QList<JobId> windowsWanted;    // jobs whose stored windows run out: tell setWindows() their next ones
};

// What a page has of each job. With whole arguments limits::page_bytes_max may make it shorter.
enum class PageDetail {
    Listed, // all that a list shows; an argument that makes a record longer than limits::page_record_bytes_max is left out
    Whole,  // the same with whole arguments
    Pushed, // only what was pushed, with the whole argument
};

// One page of jobs in one state. Order: ready by (priority, id), scheduled by (run_at, id), running by (lease expiry, id), final
// states newest first.
struct PageRequest {
    JobState state = JobState::Ready;
    QByteArray name;               // ready only: one name's lane; empty: all
    int limit = limits::page_rows_default;
    // The last row of the page before, as its (order, id); nothing for the first page.
    std::optional<QPair<double, JobId>> after = {};
    PageDetail detail = PageDetail::Listed;
};
struct Page {
    QList<Job> jobs;               // attempts left out
    QList<double> orders;          // each job's order value, for the next cursor
    qint64 total = 0;              // jobs in this state (or lane) now
    bool end = true;               // nothing stands after this page
    qint64 now_ms = 0;             // when it was read
    // The last row, be it of a job that could be read or not.
    std::optional<QPair<double, JobId>> last = {};
};

// A hint that something changed, from this call or from another master: never more than a hint (ARCHITECTURE.md, "One job's way").
struct Hints {
    QList<QByteArray> readyNames;
    QList<JobId> finished;
    qint64 opens_ms = 0;           // when the first of the buckets that are shut now opens by itself; 0: none does

    bool tellOfJobs() const { return !readyNames.isEmpty() || !finished.isEmpty(); }
    bool any() const { return tellOfJobs() || opens_ms > 0; }
};

// The queue's state and its transitions (docs/semantics.md, "Transitions"): one call for each, and each is atomic. RedisStore is the real
// one; ModelStore, in the tests, is the specification in plain C++. Every call takes up to limits::script_items_max items.
//
// Threads: one, the engine's. Callbacks: once each, later, on that thread. Errors of a whole call (StoreUnavailable, StoreFull,
// StoreReadOnly, Internal) come as the callback's Error; an item's own (NotFound, LeaseLost, Conflict, …) in its place in the
// list. A call that fails as StoreUnavailable may or may not have been carried out; repeating it with the same ids, leases and
// nonces is safe, and RedisStore has already done so as long as it was worth trying.
class Store
{
public:
    Store() = default;
    Store(const Store &) = delete;
    Store &operator=(const Store &) = delete;
    virtual ~Store() = default;

    // Transitions 1 (`enqueue`), 2 (`repeat-enqueue`), 27 (`replace`), 28 (`drop`). `IdempotencyMismatch` for an item whose key was used
    // with other fields.
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
    virtual void retry(QList<JobId> ids, Callback<QList<Result<StateNow>>> callback) = 0;
    // Transition 15 (`hand-off`). Conflict (field "key") when another job waits under the key.
    virtual void handOff(HandoffItem item, Callback<StateNow> callback) = 0;
    // Transitions 8 to 10 and 24 by message key. NotFound when no job waits under it; the same message again within limits::receipt_s is
    // answered as the first.
    virtual void message(MessageItem item, Callback<MessageTaken> callback) = 0;
    // Transition 19 (`edit`). Conflict when the state does not allow it or the job is not as `before` says.
    virtual void edit(EditItem item, Callback<StateNow> callback) = 0;
    // Makes or changes a group and says how it stands.
    virtual void changeGroup(GroupChange change, Callback<Group> callback) = 0;
    virtual void group(QByteArray group, Callback<Group> callback) = 0;
    // Transitions 3, 11 and 20 to 24: what is due now, at most script_items_max of each.
    virtual void sweep(Callback<Swept> callback) = 0;
    // The next openings and closings of a job's windows, in turn, the first an opening; ms UTC.
    virtual void setWindows(JobId id, QList<qint64> boundaries, Callback<Done> callback) = 0;
    // Consumes the result. With a receipt, a repeat with the same one within limits::receipt_s gets the same object again.
    virtual void takeResult(JobId id, QByteArray receipt, Fetch fetch, Callback<ResultNow> callback) = 0;
    // Looks and consumes nothing.
    virtual void peekResult(JobId id, Callback<ResultNow> callback) = 0;
    // NotFound when there is no such job (any more).
    virtual void get(JobId id, Callback<Job> callback) = 0;
    virtual void page(PageRequest request, Callback<Page> callback) = 0;
    // These jobs as lists show them, at most limits::page_rows_max; those that are gone are left out.
    virtual void rows(QList<JobId> ids, Callback<QList<Job>> callback) = 0;
    // Without the rates, the rollback and the version, which a master adds.
    virtual void counts(Callback<Overview> callback) = 0;
    // Names in order of their first enqueue, after `after` (empty: from the first).
    virtual void names(int limit, QByteArray after, Callback<QList<NameRow>> callback) = 0;
    // What the workers of this engine ask for now, for the explanations of all masters, as long as it sweeps.
    virtual void publishAskedNames(AskedNames names, Callback<Done> callback) = 0;
    // Runs a script that reads and writes: what /readyz asks.
    virtual void probe(Callback<Done> callback) = 0;

    // Called with hints of other masters' changes; this store's own changes are in its replies.
    virtual void setHintHandler(std::function<void(const Hints &)> handler) = 0;
};

} // namespace junban
