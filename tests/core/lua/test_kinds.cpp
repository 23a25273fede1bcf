#include "tests/core/lua/lanesfixture.h"
#include "tests/support/testmain.h"
#include "tests/support/walks.h"

#include <QRandomGenerator>
#include <QTest>

using namespace junban;
using namespace junban::test;

// Single kinds of constraint, a named scenario each; many were counter-examples of test_lanes.
class TestKinds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_lanes.start());
        QTRY_COMPARE(m_lanes.link->state(), redis::LinkState::Up);
    }

    void init() { m_lanes.begin(); }

    // Every job carries the bucket of constraint 1 whose key is its value's hundreds, at the cost of its value's rest.
    void under(const ModelLimit &limit)
    {
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QVERIFY(m_lanes.setRule(carried));
    }
    static QList<CarriedBucket> carried(const JobSpec &spec)
    {
        const int value = Lanes::valueOf(spec);
        return {{1, QByteArray::number(value / 100), std::max(1, value % 100)}};
    }
    static ModelLimit limitOf(ModelLimit::Kind kind, int limit = 1)
    {
        ModelLimit made;
        made.kind = kind;
        made.numbers.limit = limit;
        return made;
    }
    static ModelLimit rateOf(ModelLimit::Algorithm algorithm, int limit, qint64 period_ms, int burst = 1)
    {
        ModelLimit made = limitOf(ModelLimit::Rate, limit);
        made.algorithm = algorithm;
        made.period_ms = period_ms;
        made.numbers.burst = burst;
        return made;
    }
    qint64 keys()
    {
        const auto size = m_lanes.command({"DBSIZE"});
        return size.integer();
    }

    void aJobThatIsEditedAfterItRanIsReadAgain()
    {
        under(limitOf(ModelLimit::Concurrency));
        m_lanes.push("a", {1});
        const auto jobs = m_lanes.claim(1);
        const ReleaseItem back{jobs[0].id, jobs[0].lease, 0, 0, false};
        QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { m_lanes.stores[0]->release({back}, done); }).ok());
        m_lanes.push("a", {201});
        QCOMPARE(m_lanes.claim(1, {"a"}).size(), 1); // the released one: it is older
        const auto again = m_lanes.claim(1);
        QCOMPARE(again.size(), 1);
        const ReleaseItem second{again[0].id, again[0].lease, 0, 0, false};
        QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { m_lanes.stores[0]->release({second}, done); }).ok());
        JobSpec after = again[0].spec;
        MsgpackWriter argument;
        after.argument = argument.integer(1).take(); // under the key whose only slot is taken
        QVERIFY(await<StateNow>([&](auto done) { m_lanes.stores[0]->edit({again[0].id, again[0].spec, after, {}, {}}, done); }).ok());
        QCOMPARE(m_lanes.claim(1).size(), 0);
    }

    void aJobThatWasCancelledAfterItRanDoesNotStart()
    {
        under(limitOf(ModelLimit::Concurrency));
        m_lanes.push("a", {1});
        const auto jobs = m_lanes.claim(1);
        QVERIFY(m_lanes.setRule(carried)); // another epoch: it comes back into a lane that the matchers must read
        const ReleaseItem back{jobs[0].id, jobs[0].lease, 0, 0, false};
        QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { m_lanes.stores[0]->release({back}, done); }).ok());
        QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { m_lanes.stores[0]->cancel({{jobs[0].id, false}}, done); }).ok());
        QCOMPARE(m_lanes.claim(1).size(), 0);
    }

    void aRaisedMinimumIsKeptFromTheReplyOn()
    {
        ModelLimit limit = limitOf(ModelLimit::Share);
        limit.capacity = 4;
        limit.borrow = true;
        under(limit);
        m_lanes.push("b", {201}); // of key 2, and nobody asks for it
        m_lanes.push("a", {101, 101, 101, 101, 101});
        QCOMPARE(m_lanes.claim(2, {"a"}).size(), 2);
        limit.shares["2"].min = 2;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QCOMPARE(m_lanes.claim(2, {"a"}).size(), 0);
        QCOMPARE(m_lanes.claim(1, {"b"}).size(), 1); // and now key 2 has no backlog
        QCOMPARE(m_lanes.claim(3, {"a"}).size(), 1);
    }

    void sharesWithoutBorrowingArePercentagesOfTheCapacity()
    {
        ModelLimit limit = limitOf(ModelLimit::Share);
        limit.capacity = 10;
        limit.shares["1"].percent = 40;
        limit.shares["2"].percent = 30;
        limit.otherwise.percent = 30;
        under(limit);
        for (const int key : {100, 200, 300})
            m_lanes.push("a", QList<int>(6, key));
        QHash<int, int> got;
        for (const ClaimedJob &job : m_lanes.claim(20))
            ++got[Lanes::valueOf(job.spec)];
        QCOMPARE(got, (QHash<int, int>{{100, 4}, {200, 3}, {300, 3}}));
    }

    void noMoreStartInAFixedWindowWhenTheClockIsSetBack()
    {
        under(rateOf(ModelLimit::Fixed, 2, 1000));
        m_lanes.push("a", QList<int>(9, 1));
        QCOMPARE(m_lanes.claim(5).size(), 2);
        m_lanes.passTime(1000);
        QCOMPARE(m_lanes.claim(5).size(), 2);
        m_lanes.passTime(-900);
        QCOMPARE(m_lanes.claim(5).size(), 0);
        m_lanes.passTime(1000);
        QCOMPARE(m_lanes.claim(5).size(), 0);
        m_lanes.passTime(900);
        QCOMPARE(m_lanes.claim(5).size(), 2);
    }

    void aWindowOfTheCalendarBeginsInItsVeryMillisecond()
    {
        ModelLimit limit = rateOf(ModelLimit::Fixed, 1, 1000);
        for (int i = 0; i < 4; ++i)
            limit.boundaries.append(m_lanes.now_ms + i * 3000);
        under(limit);
        m_lanes.push("a", QList<int>(9, 1));
        QCOMPARE(m_lanes.claim(5).size(), 1);
        m_lanes.passTime(2999);
        QCOMPARE(m_lanes.claim(5).size(), 0);
        m_lanes.passTime(1);
        QCOMPARE(m_lanes.claim(5).size(), 1);
    }

    // It is as if what started had started by the new numbers; before the edit they were 1 a minute.
    void aRaisedRateIsInForceAtOnce()
    {
        struct Row {
            int limit;
            qint64 period_ms;
            int burst;
            qint64 opens_ms; // after the start
        };
        for (const Row row : {Row{60, 60'000, 1, 1000}, Row{1, 1000, 1, 1000}, Row{60, 60'000, 3, 1000}, Row{1, 3'600'000, 1, 60'000}}) {
            m_lanes.begin();
            under(rateOf(ModelLimit::Gcra, 1, 60'000));
            m_lanes.push("a", QList<int>(9, 1));
            QCOMPARE(m_lanes.claim(9).size(), 1);
            ModelLimit raised = rateOf(ModelLimit::Gcra, row.limit, row.period_ms);
            raised.numbers.burst = row.burst;
            QVERIFY(m_lanes.setLimit(1, raised.packed()));
            m_lanes.passTime(row.opens_ms - 1);
            QCOMPARE(m_lanes.claim(9).size(), 0);
            m_lanes.passTime(1);
            QCOMPARE(m_lanes.claim(9).size(), 1);
        }
    }

    // 1000 an hour, one every 3.6 s for an hour, then 900 an hour. What is too many by the new number has to leave the last hour first,
    // which takes six minutes less a step, and not all that started.
    void aLoweredRateWaitsNoLongerThanItMust()
    {
        const qint64 hour_ms = 3'600'000;
        under(rateOf(ModelLimit::Gcra, 1000, hour_ms));
        m_lanes.push("a", QList<int>(1002, 1));
        for (int i = 0; i < 1000; ++i) {
            QCOMPARE(m_lanes.claim(5).size(), 1);
            m_lanes.passTime(3600);
        }
        QVERIFY(m_lanes.setLimit(1, rateOf(ModelLimit::Gcra, 900, hour_ms).packed()));
        m_lanes.passTime(356'399);
        QCOMPARE(m_lanes.claim(5).size(), 0);
        m_lanes.passTime(1);
        QCOMPARE(m_lanes.claim(5).size(), 1);
    }

    // Four starts are known as four, whatever the old numbers permitted.
    void aLoweredRateCountsWhatStarted()
    {
        under(rateOf(ModelLimit::Gcra, 1000, 60'000));
        m_lanes.push("a", QList<int>(9, 1));
        for (int i = 0; i < 4; ++i) {
            m_lanes.passTime(100);
            QCOMPARE(m_lanes.claim(5).size(), 1);
        }
        QVERIFY(m_lanes.setLimit(1, rateOf(ModelLimit::Gcra, 6, 60'000).packed()));
        m_lanes.passTime(29'999);
        QCOMPARE(m_lanes.claim(5).size(), 0);
        m_lanes.passTime(1);
        QCOMPARE(m_lanes.claim(5).size(), 1);
    }

    // The same when another algorithm was there for a while, under which nothing started.
    void aLoweredRateCountsWhatStartedBeforeAnotherAlgorithm()
    {
        under(rateOf(ModelLimit::Gcra, 5, 1000, 3));
        m_lanes.push("a", QList<int>(9, 1));
        QCOMPARE(m_lanes.claim(2).size(), 2);
        QVERIFY(m_lanes.setLimit(1, rateOf(ModelLimit::Sliding, 1, 1000).packed()));
        m_lanes.passTime(500);
        QCOMPARE(m_lanes.claim(5).size(), 0);
        QVERIFY(m_lanes.setLimit(1, rateOf(ModelLimit::Gcra, 1, 1000).packed()));
        m_lanes.passTime(499);
        QCOMPARE(m_lanes.claim(5).size(), 0); // it would be the third in a second; limit and burst are 2
        m_lanes.passTime(1);
        QCOMPARE(m_lanes.claim(5).size(), 1);
    }

    // Three started at once and owe three steps, by the new number too, though its burst is one.
    void aRaisedRateWithALowerBurstKeepsWhatIsOwed()
    {
        under(rateOf(ModelLimit::Gcra, 1, 1000, 3));
        m_lanes.push("a", QList<int>(9, 1));
        QCOMPARE(m_lanes.claim(5).size(), 3);
        QVERIFY(m_lanes.setLimit(1, rateOf(ModelLimit::Gcra, 2, 1000).packed()));
        m_lanes.passTime(1499);
        QCOMPARE(m_lanes.claim(5).size(), 0);
        m_lanes.passTime(1);
        QCOMPARE(m_lanes.claim(5).size(), 1);
    }

    // What started under one algorithm counts under the next.
    void anotherAlgorithmGoesOnFromWhatStarted_data()
    {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        static const char *const names[] = {"gcra", "sliding", "fixed"};
        for (int from = 0; from < 3; ++from) {
            for (int to = 0; to < 3; ++to) {
                if (from != to)
                    QTest::addRow("%s to %s", names[from], names[to]) << from << to;
            }
        }
    }
    void anotherAlgorithmGoesOnFromWhatStarted()
    {
        QFETCH(int, from);
        QFETCH(int, to);
        const auto algorithm = [](int number) { return ModelLimit::Algorithm(number); };
        const int limit = 4;
        under(rateOf(algorithm(from), limit, 60'000, limit));
        m_lanes.push("a", QList<int>(20, 1));
        m_lanes.passTime(60'000 - m_lanes.now_ms % 60'000 + 10'000); // ten seconds into a minute
        QCOMPARE(m_lanes.claim(9).size(), limit);
        QVERIFY(m_lanes.setLimit(1, rateOf(algorithm(to), limit, 60'000).packed()));
        QCOMPARE(m_lanes.claim(9).size(), 0);
        m_lanes.passTime(49'999);
        QVERIFY(m_lanes.claim(9).size() <= (to == ModelLimit::Gcra ? 1 : 0)); // gcra pays them off one by one
        m_lanes.passTime(10'001);
        QVERIFY(m_lanes.claim(9).size() > 0);
        QCOMPARE(m_lanes.broken(), QByteArray());
    }

    // After any changes of the algorithm and the limit, no start is one too many by what the present algorithm counts, of all starts.
    void noAlgorithmStartsMoreThanItCounts()
    {
        for (quint32 round = 0; round < 30; ++round) {
            const quint32 seed = round % 2 ? round : QRandomGenerator::global()->generate();
            QRandomGenerator random(seed);
            m_lanes.begin();
            const qint64 period_ms = 1'000;
            QList<qint64> starts_ms;
            m_lanes.push("a", QList<int>(200, 1));
            for (int change = 0; change < 6; ++change) {
                const auto algorithm = ModelLimit::Algorithm(random.bounded(3));
                const int limit = random.bounded(1, 6), burst = random.bounded(1, 4);
                under(rateOf(algorithm, limit, period_ms, burst));
                for (int step = 0; step < 8; ++step) {
                    m_lanes.passTime(random.bounded(2) ? random.bounded(1, 60) : random.bounded(1, 500));
                    const qint64 now_ms = m_lanes.now_ms;
                    const qsizetype started = m_lanes.claim(random.bounded(1, 9)).size();
                    starts_ms += QList<qint64>(started, now_ms);
                    const qint64 from_ms = algorithm == ModelLimit::Fixed ? now_ms / period_ms * period_ms : now_ms - period_ms + 1;
                    const auto counted
                        = std::count_if(starts_ms.cbegin(), starts_ms.cend(), [from_ms](qint64 at_ms) { return at_ms >= from_ms; });
                    const int most = algorithm == ModelLimit::Gcra ? limit + burst : limit;
                    QVERIFY2(started == 0 || counted <= most,
                        QByteArray::number(counted) + " of " + QByteArray::number(most) + " by algorithm " + QByteArray::number(algorithm)
                            + ", seed " + QByteArray::number(seed));
                }
            }
        }
    }

    void aLateSuccessLeavesNoBucketBehind()
    {
        under(limitOf(ModelLimit::Concurrency, 1));
        EnqueueItem item = m_lanes.item("a", 1);
        item.spec.maxRetry = 1;
        QVERIFY(await<QList<Result<Enqueued>>>([&](auto done) { m_lanes.stores[0]->enqueue({item}, done); }).ok());
        const auto jobs = m_lanes.claim(1, {}, 1000);
        m_lanes.passTime(1001);
        QVERIFY(m_lanes.sweep()); // it waits for its second attempt
        m_lanes.passTime(1);
        QVERIFY(m_lanes.sweep());
        QCOMPARE(m_lanes.command({"KEYS", "jq:{lanes}:b:*"}).size(), 0);
        QVERIFY(m_lanes.finish(jobs[0]));
        QCOMPARE(m_lanes.command({"KEYS", "jq:{lanes}:b:*"}).size(), 0);
        QCOMPARE(m_lanes.broken(), QByteArray());
    }

    void anExplanationCountsWhatHolds()
    {
        ModelLimit limit = limitOf(ModelLimit::Concurrency, 3);
        limit.reserve_ms = 1000;
        under(limit);
        m_lanes.push("a", {1, 1, 1});
        const QList<ClaimedJob> running = m_lanes.claim(3);
        m_lanes.push("a", {3});
        const JobId light = m_lanes.push("a", {1}).first();
        m_lanes.passTime(1000);
        QVERIFY(m_lanes.finish(running[0]));
        QCOMPARE(m_lanes.claim(1).size(), 0);
        BucketGate gate = m_lanes.explain(light, {{1, "0", 1}})->gates.value(0);
        QVERIFY(!gate.admits && !gate.ofAllKeys);
        QCOMPARE(gate.used, 3); // one of them is kept for the heavy one
        const auto held = [this] {
            return await<ConstraintStore::Held>([this](auto done) { m_lanes.constraints->held({1}, 9, done); })->buckets.value(0);
        };
        QVERIFY(held().used == 3 && !held().ofAllKeys);
        limit = limitOf(ModelLimit::Share);
        limit.capacity = 2;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        gate = m_lanes.explain(light, {{1, "other", 1}})->gates.value(0);
        QVERIFY(!gate.admits && gate.ofAllKeys);
        QCOMPARE(gate.used, 2);
        QVERIFY(held().used == 2 && held().ofAllKeys);
    }

    void whatAJobDidNotTakeIsNotGivenBack()
    {
        under(limitOf(ModelLimit::Pause));
        ModelLimit limit = rateOf(ModelLimit::Gcra, 1, 60'000);
        QVERIFY(m_lanes.setLimit(2, limit.packed()));
        m_lanes.setRule({});
        m_lanes.push("a", {1, 1, 1});
        const auto free = m_lanes.claim(1);
        const auto rule = [](const JobSpec &) { return QList<CarriedBucket>{{2, "k", 1}}; };
        QVERIFY(m_lanes.setRule(rule));
        QCOMPARE(m_lanes.claim(1).size(), 1);
        const ReleaseItem back{free[0].id, free[0].lease, 0, 0, true};
        QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { m_lanes.stores[0]->release({back}, done); }).ok());
        QCOMPARE(m_lanes.claim(1).size(), 0);
    }

    void anUntouchedReleaseGivesItsStartBack()
    {
        for (const auto algorithm : {ModelLimit::Gcra, ModelLimit::Sliding, ModelLimit::Fixed}) {
            m_lanes.begin();
            under(rateOf(algorithm, 1, 60'000));
            m_lanes.push("a", {1, 1});
            m_lanes.passTime(1);
            const auto jobs = m_lanes.claim(2);
            QCOMPARE(jobs.size(), 1);
            const ReleaseItem back{jobs[0].id, jobs[0].lease, 0, 0, true};
            QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { m_lanes.stores[0]->release({back}, done); }).ok());
            QCOMPARE(m_lanes.claim(2).size(), 1);
        }
    }

    void unitsAreKeptForTheJobThatWaitsForLong()
    {
        ModelLimit limit = limitOf(ModelLimit::Concurrency, 3);
        limit.reserve_ms = 1000;
        under(limit);
        m_lanes.push("a", QList<int>(3, 1));
        QList<ClaimedJob> running = m_lanes.claim(3);
        const QList<JobId> heavy = m_lanes.push("a", {3});
        m_lanes.push("a", QList<int>(6, 1));
        QVERIFY(m_lanes.finish(running.takeFirst()));
        running += m_lanes.claim(1); // a small one still fits before it
        QCOMPARE(running.size(), 3);
        m_lanes.passTime(1000);
        for (int i = 0; i < 3; ++i) {
            QVERIFY(m_lanes.finish(running.takeFirst()));
            QCOMPARE(m_lanes.claimIds(1), i < 2 ? QList<JobId>() : heavy);
        }
        QCOMPARE(m_lanes.claim(1).size(), 0);
    }

    void unitsAreFreeAgainWhenWhoWaitedForThemIsCancelled()
    {
        ModelLimit limit = limitOf(ModelLimit::Concurrency, 3);
        limit.reserve_ms = 1000;
        under(limit);
        m_lanes.push("a", {1});
        QCOMPARE(m_lanes.claim(1).size(), 1);
        const QList<JobId> heavy = m_lanes.push("a", {3});
        QCOMPARE(m_lanes.claim(1).size(), 0);
        m_lanes.passTime(1000);
        const QList<JobId> small = m_lanes.push("b", {1});
        QCOMPARE(m_lanes.claim(1).size(), 0);
        QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { m_lanes.stores[0]->cancel({{heavy[0], false}}, done); }).ok());
        QCOMPARE(m_lanes.claimIds(1), small);
    }

    void aFailureClosesTheBucketOfItsKeyAsLongAsItSays()
    {
        ModelLimit limit = limitOf(ModelLimit::Cooldown);
        limit.numbers.cooldown_ms = 5000;
        under(limit);
        m_lanes.push("a", {101, 101, 201});
        QVERIFY(m_lanes.finish(m_lanes.claim(1)[0], OutcomeType::Failure, 2000));
        const auto other = m_lanes.claim(2);
        QCOMPARE(other.size(), 1);
        QCOMPARE(Lanes::valueOf(other[0].spec), 201);
        m_lanes.passTime(2000);
        const auto last = m_lanes.claim(1);
        QCOMPARE(last.size(), 1);
        QVERIFY(m_lanes.finish(last[0], OutcomeType::Failure, 60'000)); // more than the most
        m_lanes.push("a", {101});
        m_lanes.passTime(4999);
        QCOMPARE(m_lanes.claim(1).size(), 0);
        m_lanes.passTime(1);
        QCOMPARE(m_lanes.claim(1).size(), 1);
    }

    void whatOnlyObservesCountsWhatItWouldHaveHeld()
    {
        ModelLimit limit = limitOf(ModelLimit::Concurrency, 2);
        limit.mode = "observe";
        under(limit);
        m_lanes.push("a", QList<int>(5, 1));
        QCOMPARE(m_lanes.claim(9).size(), 5);
        const auto page = await<ConstraintStore::Buckets>([&](auto done) { m_lanes.constraints->buckets(1, 0, done); });
        QVERIFY(page.ok());
        QCOMPARE(page->buckets.size(), 1);
        QCOMPARE(page->buckets[0].wouldHold, 3);
        QVERIFY(page->buckets[0].open);
    }

    void aBucketThatIsClosedSaysWhenItOpensAndWhoHoldsIt()
    {
        under(rateOf(ModelLimit::Gcra, 1, 60'000));
        m_lanes.push("a", {1, 1});
        const auto bucket = [this] {
            const auto page = await<ConstraintStore::Buckets>([&](auto done) { m_lanes.constraints->buckets(1, 0, done); });
            return page.ok() && page->buckets.size() == 1 && page->next == 0 ? page->buckets.first() : BucketState();
        };
        QVERIFY(bucket().open);
        QCOMPARE(bucket().opensAt_ms, 0);
        const auto jobs = m_lanes.claim(2);
        QCOMPARE(jobs.size(), 1);
        QVERIFY(!bucket().open);
        QCOMPARE(bucket().opensAt_ms, m_lanes.now_ms + 60'000);
        QCOMPARE(bucket().used, 1);
        QCOMPARE(bucket().waiting, 1);
        QCOMPARE(bucket().holders, QList<JobId>{jobs[0].id});
        m_lanes.passTime(60'000); // a rate knows when it opened; that is of no interest any more
        QVERIFY(bucket().open);
        QCOMPARE(bucket().opensAt_ms, 0);
    }

    void aJobOfTooManyBucketsIsHeldWithAGateThatSaysSo()
    {
        const auto rule = [](const JobSpec &spec) {
            QList<CarriedBucket> buckets;
            for (int i = 1; i <= Lanes::valueOf(spec); ++i)
                buckets.append({i, "k", 1});
            return buckets;
        };
        QVERIFY(m_lanes.setRule(rule));
        const QList<JobId> jobs = m_lanes.push("a", {limits::job_buckets_max + 1, limits::job_buckets_max});
        QCOMPARE(m_lanes.claimIds(2), jobs.mid(1));
        JobSpec spec;
        spec.argument = m_lanes.item("a", limits::job_buckets_max + 1).spec.argument;
        const auto told = m_lanes.explain(jobs[0], rule(spec));
        QVERIFY(told.ok());
        QCOMPARE(told->gates.size(), 1);
        QCOMPARE(told->gates[0].constraint, 0);
        QVERIFY(!told->gates[0].admits);
    }

    void moreCostsThanABucketTellsApartAreRoundedUp()
    {
        under(limitOf(ModelLimit::Concurrency, 200));
        m_lanes.push("a", {99, 99});
        const auto running = m_lanes.claim(2);
        QCOMPARE(running.size(), 2);
        QList<int> costs;
        for (int cost = 90; cost > 10; --cost)
            costs.append(cost);
        m_lanes.push("a", costs);
        QCOMPARE(m_lanes.claim(1).size(), 0);
        const auto classes = m_lanes.command({"EVAL", "return redis.call('HLEN', redis.call('KEYS', '*}:bc:*')[1])", "0"});
        QVERIFY(classes.integer() <= limits::bucket_costs_max + 1); // the last: until nothing runs
        QVERIFY(m_lanes.finish(running[0]) && m_lanes.finish(running[1]));
        int started = 0;
        for (QList<ClaimedJob> jobs = m_lanes.claim(9); !jobs.isEmpty(); jobs = m_lanes.claim(9)) {
            started += int(jobs.size());
            for (const ClaimedJob &job : jobs)
                QVERIFY(m_lanes.finish(job));
        }
        QCOMPARE(started, int(costs.size()));
    }

    void bucketsWithoutJobsAreForgotten()
    {
        for (const auto kind : {ModelLimit::Concurrency, ModelLimit::Rate, ModelLimit::Share, ModelLimit::Breaker, ModelLimit::Cooldown}) {
            for (const auto algorithm : {ModelLimit::Gcra, ModelLimit::Sliding, ModelLimit::Fixed}) {
                m_lanes.begin();
                ModelLimit limit = rateOf(algorithm, 1, 1000);
                limit.kind = kind;
                limit.samples = 1;
                limit.borrow = true;
                under(limit);
                m_lanes.push("a", {101, 101, 201});
                for (int i = 0; i < 9; ++i) {
                    const auto jobs = m_lanes.claim(1);
                    for (const ClaimedJob &job : jobs)
                        QVERIFY(m_lanes.finish(job, i == 0 ? OutcomeType::Failure : OutcomeType::Success, 100));
                    m_lanes.passTime(1500);
                }
                QCOMPARE(bucketsLeftAfterADay(), QByteArray());
            }
        }
    }

    // A bucket that was of gcra seemed to have begun a window of fixed at every look, and was looked at every ten seconds for ever.
    void aBucketThatWasOfAnotherAlgorithmIsForgotten_data() { anotherAlgorithmGoesOnFromWhatStarted_data(); }
    void aBucketThatWasOfAnotherAlgorithmIsForgotten()
    {
        QFETCH(int, from);
        QFETCH(int, to);
        under(rateOf(ModelLimit::Algorithm(from), 2, 1000));
        m_lanes.push("a", {101});
        const auto jobs = m_lanes.claim(1);
        QCOMPARE(jobs.size(), 1);
        QVERIFY(m_lanes.setLimit(1, rateOf(ModelLimit::Algorithm(to), 2, 1000).packed()));
        QVERIFY(m_lanes.finish(jobs[0]));
        QCOMPARE(bucketsLeftAfterADay(), QByteArray());
    }

    // Starts of a rate beside a log of them, over random pushes and claims: no window has more than it may.
    void ratesHoldOverTheLogOfStarts()
    {
        Rounds rounds(20, 2000);
        Row row("Rates beside a log of starts", rounds, "violations");
        while (rounds.next()) {
            const quint32 seed = rounds.begun() % 2 ? quint32(rounds.begun()) : QRandomGenerator::global()->generate();
            QRandomGenerator random(seed);
            m_lanes.begin();
            const auto algorithm = ModelLimit::Algorithm(random.bounded(3));
            const ModelLimit limit = rateOf(algorithm, random.bounded(1, 6), random.bounded(100, 2000), random.bounded(1, 5));
            under(limit);
            std::vector<std::pair<qint64, int>> log;
            const int most = std::max(1, limit.numbers.limit);
            for (int step = 0; step < 60; ++step) {
                m_lanes.push("a", {random.bounded(1, most + 1), 1});
                for (const ClaimedJob &job : m_lanes.claim(random.bounded(1, 6))) {
                    log.emplace_back(m_lanes.now_ms, std::max(1, Lanes::valueOf(job.spec)));
                    QVERIFY(m_lanes.finish(job));
                }
                m_lanes.passTime(random.bounded(1, 300));
            }
            row.add("operations", qint64(log.size()));
            QVERIFY(!log.empty());
            for (size_t from = 0; from < log.size(); ++from) {
                int sum = 0;
                for (size_t to = from; to < log.size(); ++to) {
                    sum += log[to].second;
                    const qint64 span_ms = log[to].first - log[from].first;
                    const qint64 period = limit.period_ms;
                    bool fine = true;
                    if (algorithm == ModelLimit::Gcra) // a cost above the burst borrows from the future
                        fine = sum <= double(span_ms) * limit.numbers.limit / double(period) + std::max(limit.numbers.burst, log[to].second)
                                + 0.01;
                    else if (algorithm == ModelLimit::Sliding)
                        fine = span_ms >= period || sum <= limit.numbers.limit;
                    else
                        fine = log[to].first / period != log[from].first / period || sum <= limit.numbers.limit;
                    QVERIFY2(fine, QByteArray::number(seed));
                }
            }
        }
    }

private:
    QByteArray bucketsLeftAfterADay()
    {
        for (int hour = 0; hour < 26 && m_lanes.sweep(); ++hour)
            m_lanes.passTime(3'600'000);
        const auto left = m_lanes.command(
            {"EVAL", "local t = '' for _, k in ipairs({'b:*', 'b?:*', 'bidle', 'wake', 'cb:*', 'cw:*'}) do t = t .. "
                     "table.concat(redis.call('KEYS', 'jq:{lanes}:' .. k), ' ') end return t", "0"});
        return left.bytes();
    }

    Lanes m_lanes;
};

JUNBAN_TEST(TestKinds)
#include "test_kinds.moc"
