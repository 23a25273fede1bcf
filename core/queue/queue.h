#pragma once

#include "core/base/clock.h"
#include "core/store/store.h"

#include <QObject>
#include <functional>
#include <memory>

namespace junban {

class Durability;

// The write side of the queue: what pushers and workers ask for. Requests of one pass of the event loop become one script call for each
// verb (group commit). Claims and requests for results that cannot be answered yet wait here, without a socket or a thread of their own.
//
// Threads: the engine's only. Every callback is called once, later, on that thread. Callbacks that are still due when the queue is
// destroyed are dropped, so its owner must drain the callers first. Errors as for Store, and Cancelled after giveUp().
class Queue : public QObject
{
    Q_OBJECT

public:
    // The store and the clock must outlive the queue.
    Queue(Store &store, Clock &clock, QObject *parent = nullptr);
    ~Queue() override;

    // Call it before the first enqueue. `durability` waits for levels above the default and must outlive the queue; `usual` is the level of
    // jobs that name none.
    void setDurability(Durability *durability, DurabilityLevel usual);

    // Identifies a waiting request, so that it can be given up. 0: no request.
    using WaitId = quint64;

    // Pushes a job for the token `owner`. Errors: those of Store::enqueue(), and InvalidField when it would start too far ahead.
    void enqueue(JobSpec spec, QByteArray owner, Callback<Enqueued> callback);
    // The same for a call that may be made again, with the same id. Null: the queue draws one.
    void enqueue(JobSpec spec, QByteArray owner, JobId id, Callback<Enqueued> callback);
    // At most limits::enqueue_batch_max jobs; the answers are in the same order, one for each job. `first`: the first one's id, from which
    // the others derive. Null: the queue draws all.
    void enqueueMany(QList<JobSpec> specs, QByteArray owner, JobId first, Callback<QList<Result<Enqueued>>> callback);

    // Says of a worker that it rests: it gets no job, and its claims are answered when they have waited. Call heedResting() when it says
    // otherwise of some.
    void setResting(std::function<bool(const QByteArray &worker)> rests);
    // Claims of workers that rest now ask for nothing more. Those of workers that rest no longer are answered, so that they come again.
    void heedResting();

    // Answers when at least one job was claimed, or with an empty list after `wait_ms`.
    WaitId claim(ClaimRequest request, qint64 wait_ms, Callback<Claimed> callback);

    // Reports outcomes and claims the next jobs in the same script call. The answer may wait for jobs, if there is a claim and `wait_ms` is
    // not 0; the reports are carried out at once in any case.
    WaitId finish(QList<FinishItem> items, std::optional<ClaimRequest> claim, qint64 wait_ms, Callback<OutcomesReply> callback);

    // As the verbs of Store with these names, but for any number of items; one answer for each item, in order.
    void heartbeat(QList<HeartbeatItem> items, Callback<QList<Result<Heartbeat>>> callback);
    void release(QList<ReleaseItem> items, Callback<QList<Result<StateNow>>> callback);
    void cancel(QList<CancelItem> items, Callback<QList<Result<StateNow>>> callback);
    void retry(QList<RetryItem> items, Callback<QList<Result<StateNow>>> callback);

    // Shows the result and leaves it where it is. Waits as takeResult() does.
    WaitId peekResult(JobId id, qint64 wait_ms, Callback<ResultNow> callback);
    // Hands out the result and deletes it. Waits up to `wait_ms` for the job to end; the answer is Pending when it has not.
    WaitId takeResult(JobId id, QByteArray receipt, qint64 wait_ms, Callback<ResultNow> callback);
    // The same; `fetch` is Waited for a caller that began to wait before the job could end.
    WaitId takeResult(JobId id, QByteArray receipt, Fetch fetch, qint64 wait_ms, Callback<ResultNow> callback);

    // The caller of a waiting request has gone: its callback gets Cancelled, and jobs that are being claimed for it are released. Ids of
    // requests that have been answered, and unknown ids, are ignored.
    void giveUp(WaitId wait);

    // For a master that stops: waiting requests are answered with what there is, and from now on none waits.
    void stopWaiting();

    // A random number in [0,1) for FinishItem::jitter and ReleaseItem::jitter.
    static double drawJitter();

    // Wakes the requests that wait for what a sweep did.
    void noteSwept(const Swept &swept);
    // Asks the store again for waiting requests, in case a hint was lost; the work is bounded. The sweeper calls it about once a second.
    void lookAgain();
    // Stores which names workers ask this engine for, if that has changed or claims wait. The sweeper calls it about once a second.
    void publishAskedNames();

Q_SIGNALS:
    // Something falls due (a delay, a backoff, a lease) at this time on Redis' clock. The sweeper listens to this.
    void due(qint64 at_ms);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban
