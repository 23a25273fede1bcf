#pragma once

#include "core/base/clock.h"
#include "core/store/store.h"

#include <QObject>
#include <memory>

namespace junban {

class Durability;

// The write side of the queue: what pushers and workers ask for. Requests of one pass of the event loop become one script call
// per verb (group commit); claims and results that cannot be answered yet wait here without a socket or a thread of their own.
//
// Threads: the engine's only. Every callback is called once, later, on that thread; those still pending when the queue is
// destroyed are dropped, so whoever destroys it has drained its own callers first.
class Queue : public QObject
{
    Q_OBJECT

public:
    // The store and the clock must outlive the queue.
    Queue(Store &store, Clock &clock, QObject *parent = nullptr);
    ~Queue() override;

    // Before the first enqueue: who waits for more than the default, and what is asked for of jobs that do not say. Outlives the queue.
    void setDurability(Durability *durability, DurabilityLevel usual);

    // Names a request that waits, so that it can be given up. 0 is none.
    using WaitId = quint64;

    void enqueue(JobSpec spec, QByteArray owner, Callback<Enqueued> callback);
    // ≤ limits::enqueue_batch_max jobs, answered in order, each on its own.
    void enqueueMany(QList<JobSpec> specs, QByteArray owner, Callback<QList<Result<Enqueued>>> callback);

    // Answers when at least one job was claimed or `wait_ms` has passed (then with an empty list).
    WaitId claim(ClaimRequest request, qint64 wait_ms, Callback<Claimed> callback);

    // Reports, and claims the next in the same trip; waits for jobs only when there is a claim with a wait, and then the reports
    // are carried out at once all the same.
    WaitId finish(QList<FinishItem> items, std::optional<ClaimRequest> claim, qint64 wait_ms, Callback<OutcomesReply> callback);

    void heartbeat(QList<HeartbeatItem> items, Callback<QList<Result<Heartbeat>>> callback);
    void release(QList<ReleaseItem> items, Callback<QList<Result<StateNow>>> callback);
    void cancel(QList<CancelItem> items, Callback<QList<Result<StateNow>>> callback);
    void retry(QList<JobId> ids, Callback<QList<Result<StateNow>>> callback);

    // Consumes the result, waiting for the job to finish for up to `wait_ms`; Pending when it has not by then.
    WaitId takeResult(JobId id, QByteArray receipt, qint64 wait_ms, Callback<ResultNow> callback);
    // `fetch` Waited: the caller is waiting since before the job could end.
    WaitId takeResult(JobId id, QByteArray receipt, Fetch fetch, qint64 wait_ms, Callback<ResultNow> callback);

    // The caller of a waiting request went away: its callback is called with Cancelled, and jobs that were being claimed for it
    // go back untouched. Unknown and finished ids are ignored.
    void giveUp(WaitId wait);

    // From now on nothing waits: waiting requests are answered with what there is (a drain of the master).
    void stopWaiting();

    // A draw in [0,1) for FinishItem::jitter and ReleaseItem::jitter.
    static double drawJitter();

    // What a sweep did: wakes those who wait for it.
    void noteSwept(const Swept &swept);
    // Looks again for those who wait, in case a hint was lost; bounded. The sweeper calls it about once a second.
    void lookAgain();
    // Tells all masters which names workers ask for here, when that has changed or a claim waits. The sweeper calls it about once a second.
    void publishAskedNames();

Q_SIGNALS:
    // A job falls due (its delay, its backoff, its lease) at this time on Redis' clock: the sweeper should look then.
    void due(qint64 at_ms);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban
