#include "tests/core/lua/lanesfixture.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// What a bucket keeps from one call to the next: when enough starts are old, who has waited longest, what an edit makes of it, and for how
// long all of it matters.
class TestLimitState : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_lanes.start());
        QTRY_COMPARE(m_lanes.link->state(), redis::LinkState::Up);
    }
    void init() { m_lanes.begin(); }
    void cleanup() { QCOMPARE(m_lanes.broken(), QByteArray()); }

    void aSlidingRateOpensWhenEnoughOfItsStartsAreOld()
    {
        ModelLimit limit;
        limit.kind = ModelLimit::Rate;
        limit.algorithm = ModelLimit::Sliding;
        limit.numbers.limit = 3;
        limit.period_ms = 10'000;
        QVERIFY(under(limit));
        const qint64 first_ms = m_lanes.now_ms;
        for (int start = 0; start < 3; ++start) {
            m_lanes.push("a", {1});
            QCOMPARE(m_lanes.claim(1).size(), 1);
            m_lanes.passTime(1'000);
        }
        const QList<JobId> waits = m_lanes.push("a", {1, 2, 3});
        QVERIFY(m_lanes.claim(3).isEmpty());
        for (int cost = 1; cost <= 3; ++cost)
            QCOMPARE(gate(waits[cost - 1], cost).opensAt_ms, first_ms + (cost - 1) * 1'000 + limit.period_ms);
    }

    void whatALimitWithReservedUnitsHeldStartsWhenItIsRaised()
    {
        ModelLimit limit;
        limit.kind = ModelLimit::Concurrency;
        limit.numbers.limit = 0;
        limit.reserve_ms = 1'000;
        QVERIFY(under(limit));
        QList<JobId> jobs = m_lanes.push("a", {1});
        jobs += m_lanes.push("b", {1});
        QVERIFY(m_lanes.claim(2).isEmpty());
        limit.numbers.limit = 2;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QCOMPARE(m_lanes.claimIds(2), jobs);
    }

    void jobsThatWaitedForTooLongLeaveTheirLane()
    {
        ModelLimit limit;
        limit.kind = ModelLimit::Concurrency;
        limit.numbers.limit = 9;
        QVERIFY(under(limit));
        QList<EnqueueItem> items{m_lanes.item("a", 1), m_lanes.item("a", 1), m_lanes.item("a", 1)};
        for (qsizetype late = 0; late < 2; ++late)
            items[late].spec.expiresIn_ms = 1'000;
        QVERIFY(await<QList<Result<Enqueued>>>([&](auto done) { m_lanes.stores[0]->enqueue(items, done); }).ok());
        m_lanes.passTime(1'000);
        QCOMPARE(m_lanes.claimIds(3), QList<JobId>{items[2].id});
    }

    void unitsAreNotReservedForAJobThatIsGone()
    {
        ModelLimit limit;
        limit.kind = ModelLimit::Concurrency;
        limit.numbers.limit = 3;
        limit.reserve_ms = 1'000;
        QVERIFY(under(limit));
        m_lanes.push("a", {2});
        QCOMPARE(m_lanes.claim(1).size(), 1);
        const JobId large = m_lanes.push("a", {3})[0];
        QVERIFY(m_lanes.claim(1).isEmpty());
        QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { m_lanes.stores[0]->cancel({{large, false}}, done); })->first().ok());
        const JobId small = m_lanes.push("b", {1})[0];
        m_lanes.passTime(limit.reserve_ms);
        QVERIFY(gate(small, 1).admits);
        QCOMPARE(m_lanes.claimIds(1), QList<JobId>{small});
    }

    // The bucket knows the starts of the old algorithm only, until a job starts by the new one.
    void aRateThatGotAnotherAlgorithmIsRememberedForItsPeriod()
    {
        ModelLimit limit = rateOf(ModelLimit::Gcra);
        QVERIFY(under(limit));
        m_lanes.push("a", {1});
        const QList<ClaimedJob> first = m_lanes.claim(1);
        QCOMPARE(first.size(), 1);
        QVERIFY(m_lanes.finish(first[0]));
        limit.algorithm = ModelLimit::Sliding;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        m_lanes.passTime(30'000);
        QVERIFY(m_lanes.sweep());
        m_lanes.push("a", {1});
        QVERIFY(m_lanes.claim(1).isEmpty());
        m_lanes.passTime(30'000);
        QVERIFY(m_lanes.sweep());
        QCOMPARE(m_lanes.claim(1).size(), 1);
    }

    void aRateThatChangedItsAlgorithmTwiceKnowsAllOfItsStarts()
    {
        ModelLimit limit = rateOf(ModelLimit::Sliding);
        limit.numbers.limit = limit.numbers.burst = 3;
        QVERIFY(under(limit));
        m_lanes.push("a", {1, 1, 1, 1, 1});
        QCOMPARE(m_lanes.claim(2).size(), 2);
        limit.algorithm = ModelLimit::Gcra;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QCOMPARE(m_lanes.claim(5).size(), 1);
        limit.algorithm = ModelLimit::Fixed;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QCOMPARE(m_lanes.claim(5).size(), 0);
    }

    void aStartThatAnotherAlgorithmCountedIsNotGivenBack()
    {
        ModelLimit limit = rateOf(ModelLimit::Gcra);
        QVERIFY(under(limit));
        m_lanes.push("a", {1, 1});
        const QList<ClaimedJob> started = m_lanes.claim(2);
        QCOMPARE(started.size(), 1);
        limit.algorithm = ModelLimit::Fixed;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QVERIFY(takenBack(started[0]));
        QVERIFY(m_lanes.claim(2).isEmpty());
    }

    void aStartThatWasTakenBackIsCountedByNoOtherAlgorithm()
    {
        ModelLimit limit = rateOf(ModelLimit::Gcra);
        QVERIFY(under(limit));
        m_lanes.push("a", {1, 1});
        m_lanes.passTime(1);
        const QList<ClaimedJob> started = m_lanes.claim(2);
        QCOMPARE(started.size(), 1);
        QVERIFY(takenBack(started[0]));
        limit.algorithm = ModelLimit::Fixed;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QCOMPARE(m_lanes.claim(2).size(), 1);
    }

    void aStartThatARateOfNoneLetThroughGivesNothingBack()
    {
        const ModelLimit limit = rateOf(ModelLimit::Fixed);
        QVERIFY(under(limit));
        m_lanes.push("a", {1, 1});
        QCOMPARE(m_lanes.claim(2).size(), 1);
        ModelLimit none = limit;
        none.numbers.limit = 0;
        none.mode = "observe";
        QVERIFY(m_lanes.setLimit(1, none.packed()));
        const QList<ClaimedJob> started = m_lanes.claim(2);
        QCOMPARE(started.size(), 1);
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QVERIFY(takenBack(started[0]));
        QVERIFY(m_lanes.claim(2).isEmpty());
    }

    void aSweepTellsOfWhatOpensByItself()
    {
        ModelLimit limit;
        limit.kind = ModelLimit::Rate;
        QVERIFY(under(limit));
        m_lanes.push("a", {1, 1});
        QCOMPARE(m_lanes.claim(2).size(), 1);
        const auto ready = [this] {
            return await<Swept>([&](auto done) { m_lanes.stores[0]->sweep(done); }).value().readyNames;
        };
        QVERIFY(ready().isEmpty());
        m_lanes.passTime(limit.period_ms);
        QCOMPARE(ready(), QList<QByteArray>{"a"});
    }

    void anEditedJobIsReadAnew()
    {
        ModelLimit limit;
        limit.numbers.limit = 0;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QVERIFY(m_lanes.setRule([](const JobSpec &spec) {
            return Lanes::valueOf(spec) == 1 ? QList<CarriedBucket>{{1, "k", 1}} : QList<CarriedBucket>();
        }));
        EnqueueItem pushed = m_lanes.item("a", 1);
        QVERIFY(await<QList<Result<Enqueued>>>([&](auto done) { m_lanes.stores[0]->enqueue({pushed}, done); })->first().ok());
        QVERIFY(m_lanes.claim(1).isEmpty());
        EditItem edit{pushed.id, pushed.spec, pushed.spec, {}, "\x80"};
        edit.after.argument = m_lanes.item("a", 2).spec.argument;
        QVERIFY(await<StateNow>([&](auto done) { m_lanes.stores[0]->edit(edit, done); }).ok());
        QCOMPARE(m_lanes.broken(), QByteArray());
        QVERIFY(m_lanes.readStale(10));
        const QList<ClaimedJob> jobs = m_lanes.claim(1);
        QCOMPARE(jobs.size(), 1);
        QCOMPARE(m_lanes.command({"EXISTS", "jq:{lanes}:b:1.k"}).integer(), 0);
        QVERIFY(m_lanes.finish(jobs[0]));
    }

    // It joins a group that waits until nothing runs, and is the first there.
    void aCostAboveAllThatABucketTellsApartWaitsUntilNothingRuns()
    {
        ModelLimit limit;
        limit.kind = ModelLimit::Concurrency;
        limit.numbers.limit = 200;
        QVERIFY(under(limit));
        m_lanes.push("a", {199});
        const QList<ClaimedJob> running = m_lanes.claim(1);
        QList<int> costs;
        for (int cost = 11; cost <= 11 + limits::bucket_costs_max; ++cost)
            costs.append(cost);
        const QList<JobId> waits = m_lanes.push("a", costs);
        QVERIFY(m_lanes.claim(1).isEmpty());
        QVERIFY(m_lanes.finish(running.value(0)));
        QSet<JobId> started;
        for (QList<ClaimedJob> jobs = m_lanes.claim(9); !jobs.isEmpty(); jobs = m_lanes.claim(9)) {
            for (const ClaimedJob &job : jobs) {
                started.insert(job.id);
                QVERIFY(m_lanes.finish(job));
            }
        }
        QCOMPARE(started, QSet<JobId>(waits.begin(), waits.end()));
    }

    void aKeyLacksLessOfItsShareWithEachOfItsJobsThatStarts()
    {
        QVERIFY(forEachKey(halfForKey1()));
        m_lanes.push("a", {1, 1, 1}); // one more than may run
        m_lanes.push("b", {2, 2, 2});
        QCOMPARE(m_lanes.claim(5, {"a"}).size(), 2);
        QCOMPARE(m_lanes.claim(5, {"b"}).size(), 2);
    }

    void aKeyLacksMoreOfItsShareWhenOneOfItsJobsEnds()
    {
        QVERIFY(forEachKey(halfForKey1()));
        m_lanes.push("a", {1, 1, 1});
        m_lanes.push("b", {2, 2, 2});
        const QList<ClaimedJob> running = m_lanes.claim(2, {"a"});
        QCOMPARE(running.size(), 2);
        QVERIFY(m_lanes.finish(running[0]));
        QCOMPARE(m_lanes.claim(5, {"b"}).size(), 2); // a place is kept for the third of key 1
    }

    // One key is full again while the others have not been looked at since the change before.
    void aSecondChangeFindsTheKeysThatTheFirstOpenedAndThoseThatAreFullAgain()
    {
        ModelLimit limit;
        limit.kind = ModelLimit::Concurrency;
        limit.numbers.limit = 0;
        QVERIFY(forEachKey(limit));
        m_lanes.push("a", {1, 1, 2, 2, 3, 3});
        QVERIFY(m_lanes.claim(1).isEmpty());
        ++limit.numbers.limit;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QCOMPARE(m_lanes.claim(1).size(), 1);
        ++limit.numbers.limit;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QCOMPARE(m_lanes.broken(), QByteArray());
        QCOMPARE(m_lanes.claim(9).size(), 5);
    }

    void ofADeletedShareNothingIsLeft()
    {
        ModelLimit limit;
        limit.kind = ModelLimit::Share;
        QVERIFY(under(limit));
        m_lanes.push("a", {1});
        const QList<ClaimedJob> jobs = m_lanes.claim(1);
        QCOMPARE(jobs.size(), 1);
        QVERIFY(m_lanes.finish(jobs[0]));
        const auto sums = [this] { return m_lanes.command({"EXISTS", "jq:{lanes}:cs:1"}).integer(); };
        QCOMPARE(sums(), 1);
        QVERIFY(m_lanes.setLimit(1, {}));
        QCOMPARE(sums(), 0);
    }

private:
    static ModelLimit rateOf(ModelLimit::Algorithm algorithm)
    {
        ModelLimit limit;
        limit.kind = ModelLimit::Rate;
        limit.algorithm = algorithm;
        limit.period_ms = 60'000;
        return limit;
    }
    // What key 1 does not use of its half, others may borrow while none of its jobs waits.
    static ModelLimit halfForKey1()
    {
        ModelLimit limit;
        limit.kind = ModelLimit::Share;
        limit.capacity = 4;
        limit.borrow = true;
        limit.shares["1"] = {2, 2, -1};
        return limit;
    }
    // All jobs are under it, each with its value as cost.
    bool under(const ModelLimit &limit)
    {
        return m_lanes.setLimit(1, limit.packed())
            && m_lanes.setRule([](const JobSpec &spec) { return QList<CarriedBucket>{{1, "k", Lanes::valueOf(spec)}}; });
    }
    // The value of a job is its key.
    bool forEachKey(const ModelLimit &limit)
    {
        return m_lanes.setLimit(1, limit.packed()) && m_lanes.setRule([](const JobSpec &spec) {
            return QList<CarriedBucket>{{1, QByteArray::number(Lanes::valueOf(spec)), 1}};
        });
    }
    // No worker has had it.
    bool takenBack(const ClaimedJob &job)
    {
        const ReleaseItem back{job.id, job.lease, 0, 0, true};
        return await<QList<Result<StateNow>>>([&](auto done) { m_lanes.stores[0]->release({back}, done); })->first().ok();
    }
    BucketGate gate(JobId id, int cost) { return m_lanes.explain(id, {{1, "k", cost}})->gates.value(0); }

    Lanes m_lanes;
};

JUNBAN_TEST(TestLimitState)
#include "test_limitstate.moc"
