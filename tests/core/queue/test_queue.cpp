#include "core/queue/queue.h"
#include "tests/support/await.h"
#include "tests/support/modelstore.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

namespace {

// Counts what reaches the store, and can hold answers back.
class CountingStore : public ModelStore
{
public:
    void enqueue(QList<EnqueueItem> items, Callback<QList<Result<Enqueued>>> callback) override
    {
        enqueueCalls.append(items.size());
        ModelStore::enqueue(std::move(items), std::move(callback));
    }
    void finishAndClaim(QList<FinishItem> items, QList<ClaimRequest> claims, Callback<FinishAndClaimReply> callback) override
    {
        finishCalls.append({items.size(), claims.size()});
        if (failing) {
            QMetaObject::invokeMethod(
                qApp, [callback] { callback(Error{ErrorCode::StoreUnavailable, Reason("test", {}, "away")}); }, Qt::QueuedConnection);
            return;
        }
        ModelStore::finishAndClaim(std::move(items), std::move(claims), std::move(callback));
    }
    void release(QList<ReleaseItem> items, Callback<QList<Result<StateNow>>> callback) override
    {
        for (const ReleaseItem &item : std::as_const(items))
            untouched += item.untouched ? 1 : 0;
        ModelStore::release(std::move(items), std::move(callback));
    }
    void publishAskedNames(AskedNames record, Callback<Done> callback) override
    {
        if (failing)
            QMetaObject::invokeMethod(
                qApp, [callback] { callback(Error{ErrorCode::StoreUnavailable, Reason("test", {}, "away")}); }, Qt::QueuedConnection);
        else
            ModelStore::publishAskedNames(std::move(record), std::move(callback));
    }
    QList<qsizetype> enqueueCalls;
    QList<QPair<qsizetype, qsizetype>> finishCalls;
    int untouched = 0;
    bool failing = false;
};

JobSpec named(const char *name)
{
    JobSpec spec;
    spec.name = name;
    return spec;
}

} // namespace

// Group commit and waiting, over the model.
class TestQueue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_store = std::make_unique<CountingStore>();
        m_store->now_ms = 1'000'000;
        m_queue = std::make_unique<Queue>(*m_store, m_clock);
    }
    void cleanup()
    {
        m_queue.reset();
        m_store.reset();
    }

    void requestsOfOnePassLeaveAsOneCall()
    {
        int answered = 0;
        for (int i = 0; i < 30; ++i)
            m_queue->enqueue(named("a"), {}, [&](const Result<Enqueued> &enqueued) { answered += enqueued.ok() ? 1 : 0; });
        QCOMPARE(answered, 0);
        QTRY_COMPARE(answered, 30);
        QCOMPARE(m_store->enqueueCalls, QList<qsizetype>{30});
    }

    void aLargeBatchIsSplitAndKeepsItsOrder()
    {
        QList<JobSpec> specs;
        for (int i = 0; i < 250; ++i) {
            specs.append(named("a"));
            specs.last().priority = i;
        }
        const auto replies = await<QList<Result<Enqueued>>>([&](auto done) { m_queue->enqueueMany(specs, {}, {}, done); });
        QCOMPARE(replies->size(), 250);
        QCOMPARE(m_store->enqueueCalls, (QList<qsizetype>{100, 100, 50}));
        for (int i = 0; i < 250; ++i) {
            const auto job = await<Job>([&](auto done) { m_store->get((*replies)[i]->id, done); });
            QCOMPARE(job->spec.priority, i);
        }
        QCOMPARE(await<QList<Result<Enqueued>>>([&](auto done) { m_queue->enqueueMany({}, {}, {}, done); })->size(), 0);
    }

    void reportsAndClaimsShareACall()
    {
        push("a");
        push("a");
        const ClaimedJob job = await<Claimed>([&](auto done) { m_queue->claim({"w", {}, 1, 0}, 0, done); })->jobs.first();
        m_store->finishCalls.clear();
        FinishItem item{job.id, job.lease, {}, 0};
        const auto reply = await<OutcomesReply>(
            [&](auto done) { m_queue->finish({item}, ClaimRequest{"w", {}, 1, 0}, 0, done); });
        QCOMPARE(reply->results.first()->state, JobState::Succeeded);
        QCOMPARE(reply->jobs.size(), 1);
        QCOMPARE(m_store->finishCalls, (QList<QPair<qsizetype, qsizetype>>{{1, 1}}));
    }

    void aWaitingClaimGetsTheNextJobOfItsNames()
    {
        QList<ClaimedJob> first, second;
        m_queue->claim({"w1", {"b"}, 1, 0}, 60'000, [&](const Result<Claimed> &claimed) { first = claimed->jobs; });
        m_queue->claim({"w2", {}, 1, 0}, 60'000, [&](const Result<Claimed> &claimed) { second = claimed->jobs; });
        QTest::qWait(50);
        push("a");
        QTRY_COMPARE(second.size(), 1);
        QCOMPARE(second.first().spec.name, QByteArray("a"));
        QVERIFY(first.isEmpty());
        push("b");
        QTRY_COMPARE(first.size(), 1);
    }

    void jobsThatCameTogetherWakeEveryWaitingWorker()
    {
        int got = 0;
        for (int i = 0; i < 20; ++i)
            m_queue->claim({"w", {"a"}, 1, 0}, 60'000, [&](const Result<Claimed> &claimed) { got += int(claimed->jobs.size()); });
        QTest::qWait(50);
        QList<JobSpec> specs(20, named("a"));
        QVERIFY(await<QList<Result<Enqueued>>>([&](auto done) { m_queue->enqueueMany(specs, {}, {}, done); }).ok());
        QTRY_COMPARE(got, 20);
    }

    void noMoreClaimsAreWokenThanThereAreJobs()
    {
        int got = 0;
        for (int i = 0; i < 5; ++i)
            m_queue->claim({"w", {"a"}, 1, 0}, 60'000, [&](const Result<Claimed> &claimed) { got += int(claimed->jobs.size()); });
        QTest::qWait(50);
        m_store->finishCalls.clear();
        push("a");
        QTRY_COMPARE(got, 1);
        QTest::qWait(50);
        QCOMPARE(m_store->finishCalls, (QList<QPair<qsizetype, qsizetype>>{{0, 1}}));
        QVERIFY(await<QList<Result<Enqueued>>>([&](auto done) { m_queue->enqueueMany({named("a"), named("a")}, {}, {}, done); }).ok());
        QTRY_COMPARE(got, 3);
        QTest::qWait(50);
        QCOMPARE(m_store->finishCalls, (QList<QPair<qsizetype, qsizetype>>{{0, 1}, {0, 2}}));
    }

    void jobsOfAnotherMasterAreFoundByLookingAgain()
    {
        int got = 0;
        for (int i = 0; i < 5; ++i)
            m_queue->claim({"w", {"a"}, 1, 0}, 60'000, [&](const Result<Claimed> &claimed) { got += int(claimed->jobs.size()); });
        QTest::qWait(50);
        IdMaker ids;
        QList<EnqueueItem> items;
        for (int i = 0; i < 5; ++i)
            items.append({ids.make(1'000'000), named("a"), {}});
        QVERIFY(await<QList<Result<Enqueued>>>([&](auto done) { m_store->enqueue(items, done); }).ok());
        QTest::qWait(50);
        QCOMPARE(got, 0);
        m_queue->lookAgain(); // one claim; each that finds a job wakes the next
        QTRY_COMPARE(got, 5);
    }

    void aClaimAnswersEmptyWhenItsTimeIsUp()
    {
        const auto claimed = await<Claimed>([&](auto done) { m_queue->claim({"w", {}, 1, 0}, 100, done); });
        QVERIFY(claimed.ok());
        QVERIFY(claimed->jobs.isEmpty());
    }

    void aClaimThatIsGivenUpLeavesItsJobUntouched()
    {
        push("a");
        Result<Claimed> answer = Claimed{};
        bool called = false;
        const Queue::WaitId wait = m_queue->claim({"w", {}, 1, 0}, 60'000, [&](Result<Claimed> claimed) {
            answer = std::move(claimed);
            called = true;
        });
        m_queue->giveUp(wait); // its call has not even left
        QVERIFY(!called);
        QTRY_VERIFY(called);
        QCOMPARE(answer.error().code, ErrorCode::Cancelled);
        QTRY_COMPARE(m_store->untouched, 1);
        QCOMPARE(await<Claimed>([&](auto done) { m_queue->claim({"w", {}, 1, 0}, 0, done); })->jobs.size(), 1);
    }

    void everyoneWhoWaitsForAResultGetsItAndThenItIsGone()
    {
        JobSpec spec = named("a");
        spec.keepResult = true;
        const JobId id = await<Enqueued>([&](auto done) { m_queue->enqueue(spec, {}, done); })->id;
        int ready = 0;
        for (int i = 0; i < 3; ++i)
            m_queue->takeResult(id, {}, 60'000, [&](const Result<ResultNow> &now) { ready += now->status == ResultStatus::Ready ? 1 : 0; });
        QCOMPARE(await<ResultNow>([&](auto done) { m_queue->takeResult(id, {}, 0, done); })->status, ResultStatus::Pending);
        const ClaimedJob job = await<Claimed>([&](auto done) { m_queue->claim({"w", {}, 1, 0}, 0, done); })->jobs.first();
        m_queue->finish({{job.id, job.lease, {}, 0}}, {}, 0, [](const auto &) {});
        QTRY_COMPARE(ready, 3);
        QCOMPARE(await<ResultNow>([&](auto done) { m_queue->takeResult(id, {}, 0, done); })->status, ResultStatus::Gone);
    }

    void whoOnlyLooksAtAResultSeesItWhenTheJobEndsAndLeavesIt()
    {
        JobSpec spec = named("a");
        spec.keepResult = true;
        const JobId id = await<Enqueued>([&](auto done) { m_queue->enqueue(spec, {}, done); })->id;
        QCOMPARE(await<ResultNow>([&](auto done) { m_queue->peekResult(id, 0, done); })->status, ResultStatus::Pending);
        int seen = 0, givenUp = 0;
        for (int i = 0; i < 2; ++i)
            m_queue->peekResult(id, 60'000, [&](const Result<ResultNow> &now) { seen += now->status == ResultStatus::Ready ? 1 : 0; });
        const Queue::WaitId wait = m_queue->peekResult(id, 60'000, [&](const Result<ResultNow> &now) { givenUp += now.ok() ? 0 : 1; });
        m_queue->giveUp(wait);
        QTRY_COMPARE(givenUp, 1);
        const ClaimedJob job = await<Claimed>([&](auto done) { m_queue->claim({"w", {}, 1, 0}, 0, done); })->jobs.first();
        m_queue->finish({{job.id, job.lease, {}, 0}}, {}, 0, [](const auto &) {});
        QTRY_COMPARE(seen, 2);
        QCOMPARE(await<ResultNow>([&](auto done) { m_queue->peekResult(id, 60'000, done); })->status, ResultStatus::Ready);
        QCOMPARE(await<ResultNow>([&](auto done) { m_queue->takeResult(id, {}, 0, done); })->status, ResultStatus::Ready);
        QCOMPARE(await<ResultNow>([&](auto done) { m_queue->peekResult(id, 60'000, done); })->status, ResultStatus::Gone);
    }

    void aDrainAnswersEveryoneWhoWaits()
    {
        JobSpec spec = named("kept");
        spec.keepResult = true;
        const JobId id = await<Enqueued>([&](auto done) { m_queue->enqueue(spec, {}, done); })->id;
        int claims = 0, results = 0, looks = 0;
        m_queue->peekResult(id, 60'000, [&](const Result<ResultNow> &now) { looks += now->status == ResultStatus::Pending ? 1 : 0; });
        m_queue->claim({"w", {"a"}, 1, 0}, 60'000, [&](const Result<Claimed> &claimed) { claims += claimed.ok() ? 1 : 0; });
        m_queue->takeResult(id, {}, 60'000, [&](const Result<ResultNow> &now) { results += now->status == ResultStatus::Pending ? 1 : 0; });
        QTest::qWait(50);
        m_queue->stopWaiting();
        QTRY_COMPARE(claims, 1);
        QTRY_COMPARE(results, 1);
        QTRY_COMPARE(looks, 1);
    }

    void aWorkerThatRestsGetsNothingUntilItDoesNotRestAnyMore()
    {
        QSet<QByteArray> resting;
        m_queue->setResting([&](const QByteArray &worker) { return resting.contains(worker); });
        int answered = 0, jobs = 0;
        const auto count = [&](const Result<Claimed> &claimed) {
            ++answered;
            jobs += int(claimed->jobs.size());
        };
        m_queue->claim({"w", {"a"}, 1, 0}, 60'000, count); // it waits when the rest begins
        QTest::qWait(50);
        resting.insert("w");
        m_queue->heedResting();
        m_queue->claim({"w", {"a"}, 1, 0}, 60'000, count); // it comes afterwards
        m_queue->publishAskedNames();
        QCOMPARE(waitingFor("a"), 0);
        push("a");
        m_queue->lookAgain();
        QTest::qWait(50);
        QCOMPARE(answered, 0);
        QVERIFY(await<Claimed>([&](auto done) { m_queue->claim({"w", {"a"}, 1, 0}, 0, done); })->jobs.isEmpty());
        resting.clear();
        m_queue->heedResting();
        QTRY_COMPARE(answered, 2);
        QCOMPARE(jobs, 0);
        QCOMPARE(await<Claimed>([&](auto done) { m_queue->claim({"w", {"a"}, 1, 0}, 0, done); })->jobs.size(), 1);
    }

    void aClaimThatWasAskingWhenItsWorkerBeganToRestRests()
    {
        bool rests = false;
        m_queue->setResting([&](const QByteArray &) { return rests; });
        int answered = 0;
        m_queue->claim({"w", {"a"}, 1, 0}, 60'000, [&](const auto &) { ++answered; });
        rests = true;
        m_queue->heedResting(); // its call has not even left
        QTest::qWait(50);
        push("a");
        QTest::qWait(50);
        QCOMPARE(answered, 0);
        m_queue->stopWaiting();
        QTRY_COMPARE(answered, 1);
        m_queue->claim({"w", {"a"}, 1, 0}, 60'000, [&](const auto &) { ++answered; });
        QTRY_COMPARE(answered, 2); // from now on nobody waits
    }

    void aStoreThatIsAwayFailsTheWholeRequestAndNothingHangs()
    {
        m_store->failing = true;
        const FinishItem item{IdMaker().make(1), "1.x", {}, 0};
        const auto reply = await<OutcomesReply>(
            [&](auto done) { m_queue->finish({item, item}, ClaimRequest{"w", {}, 1, 0}, 60'000, done); });
        QCOMPARE(reply.error().code, ErrorCode::StoreUnavailable);
        QCOMPARE(await<Claimed>([&](auto done) { m_queue->claim({"w", {}, 1, 0}, 60'000, done); }).error().code,
            ErrorCode::StoreUnavailable);
    }

    void itIsToldWhichNamesWorkersAskForAndHowManyWait()
    {
        m_queue->publishAskedNames();
        QVERIFY(m_store->asked.isEmpty()); // nobody has
        m_queue->claim({"w1", {"a"}, 1, 0}, 60'000, [](const auto &) {});
        const Queue::WaitId leaves = m_queue->claim({"w2", {"b", "a"}, 1, 0}, 60'000, [](const auto &) {});
        m_queue->claim({"w3", {}, 1, 0}, 60'000, [](const auto &) {});
        QVERIFY(await<Claimed>([&](auto done) { m_queue->claim({"w4", {"c"}, 1, 0}, 0, done); }).ok());
        m_queue->publishAskedNames();
        QCOMPARE(m_store->asked.size(), 1);
        QCOMPARE(waitingFor("a"), 3);
        QCOMPARE(waitingFor("b"), 2);
        QCOMPARE(waitingFor("c"), 1); // who accepts all
        QVERIFY(std::abs(askedFor(m_store->asked, "c").askedAt_ms - m_clock.now_ms()) < 60'000);
        m_queue->giveUp(leaves);
        m_queue->publishAskedNames();
        QCOMPARE(m_store->asked.size(), 1); // what was told is not answered yet
        QCoreApplication::processEvents();
        m_queue->publishAskedNames();
        QCOMPARE(m_store->asked.size(), 2);
        QCOMPARE(waitingFor("a"), 2);
        QCoreApplication::processEvents();
        m_queue->stopWaiting();
        QCOMPARE(m_store->asked.size(), 3);
        QCOMPARE(waitingFor("a"), 0);
        QCoreApplication::processEvents();
        m_queue->publishAskedNames();
        QCOMPARE(m_store->asked.size(), 3); // no news
    }

    void whatTheStoreCouldNotBeToldIsToldLater()
    {
        QVERIFY(await<Claimed>([&](auto done) { m_queue->claim({"w", {"a"}, 1, 0}, 0, done); }).ok());
        m_store->failing = true;
        m_queue->publishAskedNames();
        QCoreApplication::processEvents();
        m_store->failing = false;
        m_queue->publishAskedNames();
        QCOMPARE(m_store->asked.size(), 1);
    }

private:
    // By what was told last.
    qint64 waitingFor(const QByteArray &name) const { return askedFor({m_store->asked.last()}, name).waiting; }
    void push(const char *name)
    {
        QVERIFY(await<Enqueued>([&](auto done) { m_queue->enqueue(named(name), {}, done); }).ok());
    }

    Clock m_clock;
    std::unique_ptr<CountingStore> m_store;
    std::unique_ptr<Queue> m_queue;
};

JUNBAN_TEST(TestQueue)
#include "test_queue.moc"
