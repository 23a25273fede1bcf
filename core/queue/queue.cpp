#include "core/queue/queue.h"

#include "core/base/gather.h"
#include "core/base/reasons/store.h"
#include "core/jobs/derivedid.h"
#include "core/queue/batcher.h"
#include "core/queue/claimwaits.h"
#include "core/queue/finishbatcher.h"
#include "core/queue/resultwaits.h"
#include "core/store/durability.h"

#include <QPointer>
#include <QRandomGenerator>
#include <QTimer>
#include <algorithm>

namespace junban {

namespace {

Error givenUp()
{
    return reasons::callerGone();
}

} // namespace

class Queue::Private
{
public:
    Private(Queue &queue, Store &store, Clock &clock);

    void sendEnqueues(QList<EnqueueItem> items, Callback<QList<Result<Enqueued>>> callback);
    WaitId startClaim(ClaimRequest request, qint64 wait_ms, std::function<void(Result<Claimed>)> answer);
    // Why a claim asks. Told: it is not known of how many jobs, so one that gets all that it wants wakes the next one like it. Counted: as
    // many claims were woken as there are jobs, and another would find nothing.
    enum class Woken : quint8 { No, Told, Counted };
    void ask(WaitId id, Woken woken);
    void asked(WaitId id, Woken woken, quint64 hints, Result<Claimed> claimed);
    void rest(WaitId id);
    bool isResting(const QByteArray &worker) const { return rests && rests(worker); }
    void wake(const QByteArray &name, qint64 jobs, Woken woken);
    void noteDue(qint64 at_ms);
    void noteClaimed(const Claimed &claimed);
    void noteFinal(JobId id);
    void noteFinished(JobId id, const Result<Finished> &finished);
    void noteState(JobId id, const Result<StateNow> &now);
    void giveBack(const Claimed &claimed);
    void armTimer();
    void timeIsUp();
    void later(std::function<void()> call) { QMetaObject::invokeMethod(&q, std::move(call), Qt::QueuedConnection); }

    Queue &q;
    Store &store;
    Clock &clock;
    IdMaker ids;
    Batcher<EnqueueItem, Enqueued> enqueues;
    FinishBatcher finishes;
    Batcher<HeartbeatItem, Heartbeat> heartbeats;
    Batcher<ReleaseItem, StateNow> releases;
    Batcher<CancelItem, StateNow> cancels;
    Batcher<RetryItem, StateNow> retries;
    ClaimWaits claims;
    std::function<bool(const QByteArray &)> rests; // null: no worker does
    AskedNamesLog askedNames;
    bool publishing = false; // a call of the store is under way
    ResultWaits results;             // of those who take it
    ResultWaits looks;               // of those who only look at it
    QTimer timer;
    WaitId lastWait = 0;
    Durability *durability = nullptr;
    DurabilityLevel usualDurability = DurabilityLevel::Default;
    quint64 hintsHeard = 0; // a claim that found nothing asks again if this has changed since it was sent
    bool draining = false;
};

Queue::Private::Private(Queue &queue, Store &theStore, Clock &theClock)
    : q(queue)
    , store(theStore)
    , clock(theClock)
    , enqueues([this](auto items, auto callback) { sendEnqueues(std::move(items), std::move(callback)); })
    , finishes(theStore)
    , heartbeats([this](auto items, auto callback) { store.heartbeat(std::move(items), std::move(callback)); })
    , releases([this](auto items, auto callback) { store.release(std::move(items), std::move(callback)); })
    , cancels([this](auto items, auto callback) { store.cancel(std::move(items), std::move(callback)); })
    , retries([this](auto items, auto callback) { store.retry(std::move(items), std::move(callback)); })
    , results([this](JobId job, const QByteArray &receipt, Fetch fetch, Callback<ResultNow> answer) {
        store.takeResult(job, receipt, fetch, std::move(answer));
    })
    , looks([this](JobId job, const QByteArray &, Fetch, Callback<ResultNow> answer) { store.peekResult(job, std::move(answer)); })
{
    timer.setSingleShot(true);
    timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer, &QTimer::timeout, &q, [this] { timeIsUp(); });
    store.setHintHandler([this](const Hints &hints) {
        if (hints.tellOfJobs())
            ++hintsHeard;
        for (const QByteArray &name : hints.readyNames)
            wake(name, 1, Woken::Told);
        for (const JobId &id : hints.finished)
            noteFinal(id);
        if (hints.opens_ms > 0)
            noteDue(hints.opens_ms);
    });
}

void Queue::Private::sendEnqueues(QList<EnqueueItem> items, Callback<QList<Result<Enqueued>>> callback)
{
    QHash<QByteArray, qint64> ready; // names that somebody may wait for
    bool someReady = false;
    const bool someWait = !claims.isEmpty();
    const qint64 now_ms = clock.now_ms();
    for (const EnqueueItem &item : std::as_const(items)) {
        const qint64 runAt_ms = item.spec.runAt_ms.value_or(now_ms + item.spec.delay_ms);
        if (runAt_ms > now_ms) {
            noteDue(runAt_ms);
            continue;
        }
        someReady = true;
        if (someWait)
            ++ready[item.spec.name];
    }
    store.enqueue(std::move(items), std::move(callback));
    if (someReady)
        ++hintsHeard; // a claim under way was sent before these jobs: if it finds nothing, it asks again
    // The waiting claims are sent right after the jobs on the same connection, so they find the jobs without another round trip.
    for (auto name = ready.cbegin(); name != ready.cend(); ++name)
        wake(name.key(), name.value(), Woken::Counted);
}

Queue::WaitId Queue::Private::startClaim(ClaimRequest request, qint64 wait_ms, std::function<void(Result<Claimed>)> answer)
{
    const WaitId id = ++lastWait;
    const qint64 now_ms = Clock::monotonic_ms();
    const bool idle = isResting(request.worker);
    if (!idle)
        askedNames.note(request.names, now_ms);
    claims.add({id, std::move(request), now_ms + (idle && draining ? 0 : wait_ms), std::move(answer)});
    if (idle)
        rest(id);
    else
        ask(id, Woken::No);
    return id;
}

void Queue::Private::rest(WaitId id)
{
    claims.rest(id);
    armTimer();
}

void Queue::Private::ask(WaitId id, Woken woken)
{
    finishes.addClaim(claims.request(id), [this, id, woken, hints = hintsHeard](Result<Claimed> claimed) {
        asked(id, woken, hints, std::move(claimed));
    });
}

void Queue::Private::asked(WaitId id, Woken woken, quint64 hints, Result<Claimed> claimed)
{
    const bool found = claimed.ok() && !claimed->jobs.isEmpty();
    if (!claims.contains(id)) { // it was given up
        if (found)
            giveBack(*claimed);
        return;
    }
    if (found) {
        noteClaimed(*claimed);
        const ClaimWaits::Wait wait = claims.take(id);
        const bool full = claimed->jobs.size() >= wait.request.limit;
        wait.answer(std::move(claimed));
        if (woken == Woken::Told && full) {
            if (const WaitId next = claims.wakeNextLike(wait.request))
                ask(next, woken);
        }
        return;
    }
    if (claimed.ok() && claimed->full) {
        claims.take(id).answer(std::move(claimed));
        if (woken != Woken::No)
            q.lookAgain(); // the job is for another worker
        return;
    }
    const bool timeLeft = claims.deadline_ms(id) > Clock::monotonic_ms() && !draining;
    if (!claimed.ok() || !timeLeft) {
        claims.take(id).answer(std::move(claimed));
    } else if (isResting(claims.request(id).worker)) {
        rest(id);
    } else if (hintsHeard != hints) {
        ask(id, woken);
    } else {
        claims.back(id);
        armTimer();
    }
}

void Queue::Private::wake(const QByteArray &name, qint64 jobs, Woken woken)
{
    const QList<WaitId> asking = claims.wake(name, jobs);
    for (const WaitId id : asking)
        ask(id, woken);
}

void Queue::Private::noteDue(qint64 at_ms)
{
    Q_EMIT q.due(at_ms);
}

void Queue::Private::noteClaimed(const Claimed &claimed)
{
    qint64 first_ms = std::numeric_limits<qint64>::max();
    for (const ClaimedJob &job : claimed.jobs)
        first_ms = std::min({first_ms, job.leaseExpiresAt_ms, job.deadline_ms});
    noteDue(first_ms);
}

void Queue::Private::noteFinal(JobId id)
{
    looks.noteFinal(id); // before somebody takes it
    results.noteFinal(id);
}

void Queue::Private::noteFinished(JobId id, const Result<Finished> &finished)
{
    if (!finished.ok())
        return;
    if (isFinal(finished->state))
        noteFinal(id);
    else if (finished->runAt_ms > 0)
        noteDue(finished->runAt_ms);
}

void Queue::Private::noteState(JobId id, const Result<StateNow> &now)
{
    if (now.ok() && isFinal(now->state))
        noteFinal(id);
}

void Queue::Private::giveBack(const Claimed &claimed)
{
    QList<ReleaseItem> items;
    for (const ClaimedJob &job : claimed.jobs)
        items.append({job.id, job.lease, 0, 0, true});
    q.release(std::move(items), [](const auto &) { /* if it fails, the leases expire */ });
}

void Queue::Private::armTimer()
{
    qint64 next_ms = 0;
    for (const qint64 deadline_ms : {claims.nextDeadline_ms(), results.nextDeadline_ms(), looks.nextDeadline_ms()}) {
        if (deadline_ms > 0 && (next_ms == 0 || deadline_ms < next_ms))
            next_ms = deadline_ms;
    }
    if (next_ms == 0) {
        timer.stop();
        return;
    }
    // A wait that is out is answered when its reply comes. It may be overdue, so the timer must not fire again and again for it.
    const qint64 left_ms = std::max<qint64>(next_ms - Clock::monotonic_ms(), limits::sweep_ms_min);
    if (!timer.isActive() || timer.remainingTime() > left_ms)
        timer.start(int(std::min<qint64>(left_ms, std::numeric_limits<int>::max())));
}

void Queue::Private::timeIsUp()
{
    const qint64 now_ms = Clock::monotonic_ms();
    const QList<WaitId> overdue = claims.overdue(now_ms);
    for (const WaitId id : overdue) {
        if (!claims.isOut(id))
            claims.take(id).answer(Claimed{});
    }
    results.expire(now_ms);
    looks.expire(now_ms);
    armTimer();
}

Queue::Queue(Store &store, Clock &clock, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(*this, store, clock))
{
}

Queue::~Queue()
{
    d->store.setHintHandler({});
}

void Queue::enqueue(JobSpec spec, QByteArray owner, Callback<Enqueued> callback)
{
    enqueue(std::move(spec), std::move(owner), {}, std::move(callback));
}

void Queue::enqueue(JobSpec spec, QByteArray owner, JobId id, Callback<Enqueued> callback)
{
    setPusher(spec, owner);
    if (const std::optional<Error> error = neverStarts(spec, d->clock.now_ms())) {
        d->later([callback = std::move(callback), error] { callback(*error); });
        return;
    }
    const qint64 bytes = pushBytes(spec);
    const DurabilityLevel level = spec.durability.value_or(d->usualDurability);
    if (level != DurabilityLevel::Default && d->durability)
        callback = onceAsSafe(*d->durability, level, std::move(callback));
    if (id.isNull())
        id = d->ids.make(d->clock.now_ms());
    d->enqueues.add({id, std::move(spec), std::move(owner)}, bytes, std::move(callback));
}

void Queue::setDurability(Durability *durability, DurabilityLevel usual)
{
    d->durability = durability;
    d->usualDurability = usual;
}

void Queue::setResting(std::function<bool(const QByteArray &)> rests)
{
    d->rests = std::move(rests);
}

void Queue::heedResting()
{
    const QList<WaitId> waiting = d->claims.all();
    for (const WaitId id : waiting) {
        if (!d->claims.contains(id))
            continue; // an answer before has ended it
        const bool rests = d->isResting(d->claims.request(id).worker);
        if (rests && !d->claims.isOut(id))
            d->rest(id);
        else if (!rests && d->claims.isResting(id))
            d->claims.take(id).answer(Claimed{});
    }
}

void Queue::enqueueMany(QList<JobSpec> specs, QByteArray owner, JobId first, Callback<QList<Result<Enqueued>>> callback)
{
    if (specs.isEmpty()) {
        d->later([callback = std::move(callback)] { callback(QList<Result<Enqueued>>{}); });
        return;
    }
    auto answers = Gather<Enqueued>::answers(specs.size(),
        [callback = std::move(callback)](QList<Result<Enqueued>> replies) { callback(wholeOrItems(std::move(replies))); });
    for (qsizetype i = 0; i < specs.size(); ++i)
        enqueue(std::move(specs[i]), owner, first.isNull() ? JobId() : derivedId(first, i), std::move(answers[i]));
}

Queue::WaitId Queue::claim(ClaimRequest request, qint64 wait_ms, Callback<Claimed> callback)
{
    return d->startClaim(std::move(request), wait_ms, std::move(callback));
}

Queue::WaitId Queue::finish(
    QList<FinishItem> items, std::optional<ClaimRequest> claim, qint64 wait_ms, Callback<OutcomesReply> callback)
{
    struct Both {
        QList<Result<Finished>> finished;
        Result<Claimed> claimed = Claimed{};
        int left = 0;
        Callback<OutcomesReply> callback;

        void done()
        {
            if (--left > 0)
                return;
            // Claimed jobs must reach the worker, even when all its reports failed.
            const bool jobs = claimed.ok() && !claimed->jobs.isEmpty();
            if (failedAsAWhole(finished) && !jobs)
                callback(finished.first().error());
            else if (finished.isEmpty() && !claimed.ok())
                callback(claimed.error());
            else
                callback(OutcomesReply{std::move(finished), jobs ? std::move(claimed->jobs) : QList<ClaimedJob>{}});
        }
    };
    auto both = std::make_shared<Both>();
    both->callback = std::move(callback);
    both->left = (items.isEmpty() ? 0 : 1) + (claim ? 1 : 0);
    if (both->left == 0) {
        d->later([both] { both->callback(OutcomesReply{}); });
        return 0;
    }
    if (!items.isEmpty()) {
        auto answers = Gather<Finished>::answers(items.size(), [both](QList<Result<Finished>> replies) {
            both->finished = std::move(replies);
            both->done();
        });
        for (qsizetype i = 0; i < items.size(); ++i) {
            const JobId id = items[i].id;
            d->finishes.addFinish(std::move(items[i]), [this, id, answer = std::move(answers[i])](Result<Finished> finished) {
                d->noteFinished(id, finished);
                answer(std::move(finished));
            });
        }
    }
    if (!claim)
        return 0;
    return d->startClaim(std::move(*claim), wait_ms, [both](Result<Claimed> claimed) {
        both->claimed = std::move(claimed);
        both->done();
    });
}

namespace {

// Gives every item to the verb's batcher; answers when all have been answered.
template<typename Item, typename Reply, typename Note>
void addAll(Queue &queue, Batcher<Item, Reply> &batcher, QList<Item> items, Note note, Callback<QList<Result<Reply>>> callback)
{
    if (items.isEmpty()) {
        const auto answer = [callback = std::move(callback)] { callback(QList<Result<Reply>>{}); };
        QMetaObject::invokeMethod(&queue, answer, Qt::QueuedConnection);
        return;
    }
    auto answers = Gather<Reply>::answers(items.size(),
        [callback = std::move(callback)](QList<Result<Reply>> replies) { callback(wholeOrItems(std::move(replies))); });
    for (qsizetype i = 0; i < items.size(); ++i) {
        batcher.add(items[i], 128, [note, item = items[i], answer = std::move(answers[i])](Result<Reply> reply) {
            note(item, reply);
            answer(std::move(reply));
        });
    }
}

} // namespace

void Queue::heartbeat(QList<HeartbeatItem> items, Callback<QList<Result<Heartbeat>>> callback)
{
    addAll(*this, d->heartbeats, std::move(items), [](const auto &, const auto &) {}, std::move(callback));
}

void Queue::release(QList<ReleaseItem> items, Callback<QList<Result<StateNow>>> callback)
{
    const auto note = [this](const ReleaseItem &item, const Result<StateNow> &now) {
        d->noteState(item.id, now);
        if (now.ok() && now->state == JobState::Ready)
            lookAgain();
        else if (now.ok() && now->state == JobState::Scheduled)
            d->noteDue(d->clock.now_ms() + item.delay_ms);
    };
    addAll(*this, d->releases, std::move(items), note, std::move(callback));
}

void Queue::cancel(QList<CancelItem> items, Callback<QList<Result<StateNow>>> callback)
{
    const auto note = [this](const CancelItem &item, const Result<StateNow> &now) { d->noteState(item.id, now); };
    addAll(*this, d->cancels, std::move(items), note, std::move(callback));
}

void Queue::retry(QList<RetryItem> items, Callback<QList<Result<StateNow>>> callback)
{
    const auto note = [this](const RetryItem &, const Result<StateNow> &now) {
        if (now.ok())
            lookAgain();
    };
    addAll(*this, d->retries, std::move(items), note, std::move(callback));
}

Queue::WaitId Queue::takeResult(JobId id, QByteArray receipt, qint64 wait_ms, Callback<ResultNow> callback)
{
    return takeResult(id, std::move(receipt), Fetch::First, wait_ms, std::move(callback));
}

Queue::WaitId Queue::takeResult(JobId id, QByteArray receipt, Fetch fetch, qint64 wait_ms, Callback<ResultNow> callback)
{
    const WaitId wait = ++d->lastWait;
    d->results.add(wait, id, std::move(receipt), fetch, Clock::monotonic_ms() + wait_ms, std::move(callback));
    d->armTimer();
    return wait;
}

Queue::WaitId Queue::peekResult(JobId id, qint64 wait_ms, Callback<ResultNow> callback)
{
    const WaitId wait = ++d->lastWait;
    d->looks.add(wait, id, {}, Fetch::First, Clock::monotonic_ms() + wait_ms, std::move(callback));
    d->armTimer();
    return wait;
}

void Queue::giveUp(WaitId wait)
{
    if (d->claims.contains(wait))
        d->later([answer = d->claims.take(wait).answer] { answer(givenUp()); });
    else if (ResultWaits::Answer answer = d->results.take(wait))
        d->later([answer = std::move(answer)] { answer(givenUp()); });
    else if (ResultWaits::Answer look = d->looks.take(wait))
        d->later([look = std::move(look)] { look(givenUp()); });
}

void Queue::stopWaiting()
{
    d->draining = true;
    const QList<WaitId> waiting = d->claims.all();
    for (const WaitId id : waiting) {
        if (!d->claims.isOut(id))
            d->claims.take(id).answer(Claimed{});
    }
    d->results.stop();
    d->looks.stop();
    publishAskedNames();
}

double Queue::drawJitter()
{
    return QRandomGenerator::global()->generateDouble();
}

void Queue::noteSwept(const Swept &swept)
{
    for (const QByteArray &name : swept.readyNames)
        d->wake(name, 1, Private::Woken::Told);
    for (const JobId &id : swept.finished)
        d->noteFinal(id);
}

void Queue::lookAgain()
{
    const QList<WaitId> woken = d->claims.wakeOneOfEach();
    for (const WaitId id : woken)
        d->ask(id, Private::Woken::Told);
    d->results.lookAgain();
    d->looks.lookAgain();
}

void Queue::publishAskedNames()
{
    if (d->publishing)
        return;
    std::optional<AskedNames> news = d->askedNames.news(d->claims.countsByName(), Clock::monotonic_ms(), d->clock.now_ms());
    if (!news)
        return;
    d->publishing = true;
    d->store.publishAskedNames(std::move(*news), [p = d.get(), self = QPointer<Queue>(this)](const Result<Done> &told) {
        if (!self)
            return;
        p->publishing = false;
        if (!told.ok())
            p->askedNames.tellAgain();
    });
}

} // namespace junban
