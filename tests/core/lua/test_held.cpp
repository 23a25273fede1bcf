#include "tests/core/lua/lanesfixture.h"
#include "tests/support/testmain.h"

#include <QTest>
#include <algorithm>

using namespace junban;
using namespace junban::test;

// What operators see of limits (explain, held), and how jobs are read again after a change: those that wait and those that run.
class TestHeld : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_lanes.start());
        QTRY_COMPARE(m_lanes.link->state(), redis::LinkState::Up);
    }
    void init() { m_lanes.begin(); }

    void whatIsHeldCountsAsTheOldestThatIsReady()
    {
        under(1, limitOf(ModelLimit::Concurrency, 0));
        const JobId held = m_lanes.push("a", {1})[0];
        QVERIFY(m_lanes.claim(1).isEmpty()); // by now it stands in no ready index
        const auto counts = await<Overview>([&](auto done) { m_lanes.stores[0]->counts(done); });
        QVERIFY(counts.ok());
        QCOMPARE(counts->oldestReadyAt_ms, held.created_ms());
    }

    void jobsOfANameAreListedWhetherLimitsHoldThemOrNot()
    {
        under(1, limitOf(ModelLimit::Concurrency, 0));
        QVERIFY(m_lanes.setRule([](const JobSpec &spec) {
            return Lanes::valueOf(spec) == 1 ? QList<CarriedBucket>{{1, "1", 1}} : QList<CarriedBucket>();
        }));
        const QList<JobId> pushed = m_lanes.push("a", {1, 2, 1, 2});
        const auto listed = [&](const QByteArray &name) {
            PageRequest request;
            request.name = name;
            const Page page = await<Page>([&](auto done) { m_lanes.stores[0]->page(request, done); }).value();
            QList<JobId> ids;
            for (const Job &job : page.jobs)
                ids.append(job.id);
            return page.total == ids.size() ? ids : QList<JobId>();
        };
        QCOMPARE(listed("a"), pushed);
        QCOMPARE(listed(""), pushed);
        for (int edits = 1; edits < limits::epochs_listed_max; ++edits)
            QVERIFY(m_lanes.setRule(m_lanes.rules[0]->inForce)); // nobody has read the jobs again yet
        QCOMPARE(listed("a"), pushed);
        QCOMPARE(listed(""), pushed);
    }

    void theOthersOfANameAreListedWhenOneLeaves()
    {
        under(1, limitOf(ModelLimit::Concurrency));
        const QList<JobId> jobs = m_lanes.push("a", {1, 1, 1});
        const auto listed = [&] {
            const Page page = await<Page>([&](auto done) { m_lanes.stores[0]->page({}, done); }).value();
            QList<JobId> ids;
            for (const Job &job : page.jobs)
                ids.append(job.id);
            return ids;
        };
        QCOMPARE(m_lanes.claimIds(1), jobs.first(1));
        QCOMPARE(listed(), jobs.mid(1));
        for (int left = 2; left <= 3; ++left) {
            QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { m_lanes.stores[0]->cancel({{jobs[left - 1], false}}, done); }).ok());
            QCOMPARE(listed(), jobs.mid(left));
        }
    }

    // --- explain
    void aJobThatIsGoneHasNoGates()
    {
        under(1, limitOf(ModelLimit::Concurrency));
        m_lanes.push("a", {1});
        const auto told = m_lanes.explain(m_lanes.ids.make(m_lanes.now_ms), {{1, "1", 1}});
        QVERIFY(told.ok() && told->gates.isEmpty() && !told->stale);
        QCOMPARE(told->position, -1);
    }

    void anExplanationSaysWhereTheJobStandsAndWhetherItWasRead()
    {
        const QList<JobId> plain = m_lanes.push("a", {1, 1}); // no matcher has ever been
        QCOMPARE(m_lanes.explain(plain[1], {})->position, 1);
        QVERIFY(!m_lanes.explain(plain[1], {})->stale);
        under(1, limitOf(ModelLimit::Concurrency));
        QVERIFY(m_lanes.explain(plain[0], {})->stale);
        QVERIFY(m_lanes.readStale(10));
        QVERIFY(!m_lanes.explain(plain[0], {})->stale);
        const ClaimedJob running = m_lanes.claim(1).value(0);
        QCOMPARE(running.id, plain[0]);
        QCOMPARE(m_lanes.explain(plain[0], {})->position, -1);
        QVERIFY(!m_lanes.explain(plain[0], {})->stale);
        QCOMPARE(m_lanes.explain(plain[1], {})->position, 0);
        under(1, limitOf(ModelLimit::Concurrency));
        QVERIFY(m_lanes.explain(plain[1], {})->stale);
        const auto told = m_lanes.explain(running.id, {}); // what runs waits in no lane that could be stale
        QVERIFY(told.ok() && !told->stale);
    }

    void aGateSaysWhoHoldsItAndWhenItOpens()
    {
        ModelLimit most = limitOf(ModelLimit::Concurrency, 3), pause = limitOf(ModelLimit::Pause), watches = limitOf(ModelLimit::Pause);
        most.overrides["2"] = {5, 1, 1, 0};
        pause.until_ms = m_lanes.now_ms + 5000;
        watches.mode = "observe";
        under(1, most);
        const auto running = (m_lanes.push("a", {1, 1, 1}), m_lanes.claim(2));
        QCOMPARE(running.size(), 2);
        QVERIFY(m_lanes.setLimit(2, pause.packed()) && m_lanes.setLimit(3, watches.packed()));
        const JobId waits = m_lanes.push("a", {1})[0];
        const auto told = m_lanes.explain(waits, {{1, "1", 2}, {2, "k", 1}, {3, "k", 1}, {1, "2", 4}});
        QVERIFY(told.ok());
        QCOMPARE(told->now_ms, m_lanes.now_ms);
        QCOMPARE(told->gates.size(), 4);
        const auto gate = [&](int number, const QByteArray &key) {
            for (const BucketGate &each : told->gates) {
                if (each.constraint == number && each.key == key)
                    return each;
            }
            return BucketGate();
        };
        const BucketGate first = gate(1, "1"), second = gate(2, "k"), third = gate(3, "k"), other = gate(1, "2");
        QCOMPARE(first.constraint, 1);
        QCOMPARE(first.key, QByteArray("1"));
        QCOMPARE(first.cost, 2);
        QVERIFY(!first.admits && !first.observed); // two run, and it costs two
        QCOMPARE(first.used, 2);
        QCOMPARE(first.waiting, 2);
        QCOMPARE(first.opensAt_ms, 0);
        QCOMPARE(QSet<JobId>(first.holders.begin(), first.holders.end()), (QSet<JobId>{running[0].id, running[1].id}));
        QVERIFY(!second.admits);
        QCOMPARE(second.opensAt_ms, m_lanes.now_ms + 5000);
        QVERIFY(second.holders.isEmpty() && second.used == 0 && second.waiting == 0);
        QVERIFY(third.admits && third.observed);
        QCOMPARE(third.opensAt_ms, 0);
        QVERIFY(other.constraint == 1 && other.admits); // a key with a limit of its own
    }

    // --- which workers there are
    void whatEachEngineToldIsInTheExplanationAsLongAsItSweeps()
    {
        const JobId id = m_lanes.push("a", {1})[0];
        const auto told = [&] { return askedFor(m_lanes.explain(id, {})->asked, "a"); };
        QVERIFY(sweepAndTell(0, {{{"a", m_lanes.now_ms - 5, 2}}, true}));
        m_lanes.passTime(1);
        QVERIFY(sweepAndTell(1, {{{"", m_lanes.now_ms, 1}, {"b", m_lanes.now_ms, 9}}, true}));
        QCOMPARE(told().waiting, 3);
        QCOMPARE(told().askedAt_ms, m_lanes.now_ms);
        QVERIFY(sweepAndTell(1, {{{"a", m_lanes.now_ms, 0}}, true})); // instead of what it told before
        QCOMPARE(told().waiting, 2);
        m_lanes.passTime(engine_ms - 2); // the first has not swept for this much and one more
        QCOMPARE(told().waiting, 2);
        m_lanes.passTime(1);
        QCOMPARE(told().waiting, 0);
        QCOMPARE(told().askedAt_ms, m_lanes.now_ms - engine_ms + 1);
        m_lanes.passTime(1);
        QVERIFY(m_lanes.explain(id, {})->asked.isEmpty());
        QVERIFY(m_lanes.explain(m_lanes.ids.make(m_lanes.now_ms), {})->asked.isEmpty());
    }

    void whatEnginesToldThatAreGoneIsForgotten()
    {
        const auto fields = [&] { return m_lanes.command({"HLEN", asks}).integer(); };
        QVERIFY(sweepAndTell(0, {{{"a", m_lanes.now_ms, 2}}, true}) && sweepAndTell(1, {{{"b", m_lanes.now_ms, 1}}, true}));
        QCOMPARE(fields(), 2);
        const qint64 left_ms = m_lanes.command({"PTTL", asks}).integer(), kept_ms = qint64(limits::asked_kept_s * 1'000);
        QVERIFY(left_ms <= kept_ms && left_ms > kept_ms - 120'000); // by a clock that no test stops
        QCOMPARE(m_lanes.broken(), QByteArray());
        m_lanes.passTime(engine_ms);
        QVERIFY(sweepAndTell(1, {{{"b", m_lanes.now_ms, 1}}, true}));
        QCOMPARE(fields(), 1);
        QVERIFY(sweepAndTell(1, {}));
        QCOMPARE(m_lanes.command({"EXISTS", asks}).integer(), 0);
        QVERIFY(sweepAndTell(1, {})); // nothing to take away
        QCOMPARE(m_lanes.command({"EXISTS", asks}).integer(), 0);
    }

    void readyJobsAreSummedUpByNameAndByPriority()
    {
        const JobId first = m_lanes.push("a", {1})[0];
        m_lanes.passTime(10);
        under(1, limitOf(ModelLimit::Concurrency, 0)); // it holds the next ones
        const QList<JobId> pushed = m_lanes.push("a", {1, 1});
        QVERIFY(m_lanes.claim(1).isEmpty());
        m_lanes.passTime(10);
        const JobId later = m_lanes.push("b", {7}, 5)[0];
        QVERIFY(sweepAndTell(0, {{{"b", m_lanes.now_ms, 1}}, true}));
        const auto waiting = await<ConstraintStore::Waiting>([&](auto done) { m_lanes.constraints->waiting(done); });
        QVERIFY(waiting.ok() && waiting->complete);
        QCOMPARE(waiting->names.size(), 2);
        const auto of = [&](const QByteArray &name) {
            for (const ConstraintStore::Waiting::Name &each : waiting->names) {
                if (each.name == name)
                    return std::pair(each.jobs, each.oldestAt_ms);
            }
            return std::pair(qint64(-1), qint64(-1));
        };
        QCOMPARE(of("a"), std::pair(qint64(3), first.created_ms()));
        QCOMPARE(of("b"), std::pair(qint64(1), later.created_ms()));
        QHash<int, std::pair<qint64, qint64>> priorities;
        for (const PriorityNow &each : waiting->priorities)
            priorities.insert(each.priority, {each.jobs, each.oldestAt_ms});
        QCOMPARE(priorities.size(), 2);
        QCOMPARE(priorities.value(0), std::pair(qint64(3), first.created_ms()));
        QCOMPARE(priorities.value(5), std::pair(qint64(1), later.created_ms()));
        QCOMPARE(askedFor(waiting->asked, "b").waiting, 1);
        QCOMPARE(askedFor(waiting->asked, "a").askedAt_ms, 0);
    }

    void ofTooManyPrioritiesTheLastOnesAreLookedAt()
    {
        const int names = limits::priority_reads_max / 100 + 1;
        for (int name = 0; name < names; ++name) {
            for (int priority = 0; priority < 100; ++priority)
                m_lanes.push("n" + QByteArray::number(name), {1}, priority);
        }
        const auto waiting = await<ConstraintStore::Waiting>([&](auto done) { m_lanes.constraints->waiting(done); });
        QVERIFY(waiting.ok() && !waiting->complete);
        QCOMPARE(waiting->names.size(), names);
        qint64 jobs = 0;
        for (const ConstraintStore::Waiting::Name &each : waiting->names)
            jobs += each.jobs;
        QCOMPARE(jobs, names * 100);
        QCOMPARE(std::count_if(waiting->names.begin(), waiting->names.end(), [](const auto &each) { return each.oldestAt_ms == 0; }), 1);
        QCOMPARE(waiting->priorities.size(), 100);
    }

    // --- held
    void whatHoldsJobsIsListedWithHowManyAndSinceWhen()
    {
        under(1, limitOf(ModelLimit::Concurrency));
        QVERIFY(held({1}).buckets.isEmpty());
        m_lanes.push("a", {1, 1, 2});
        QVERIFY(held({1}).buckets.isEmpty()); // all of them may start
        QCOMPARE(m_lanes.claim(2).size(), 2);
        const qint64 first_ms = m_lanes.now_ms;
        m_lanes.passTime(1000);
        m_lanes.push("b", {1, 1});
        const auto found = held({1});
        QVERIFY(found.complete);
        QCOMPARE(found.buckets.size(), 1);
        QCOMPARE(found.buckets[0].constraint, 1);
        QCOMPARE(found.buckets[0].key, QByteArray("1"));
        QCOMPARE(found.buckets[0].jobs, 3);
        QCOMPARE(found.buckets[0].used, 1);
        QCOMPARE(found.buckets[0].opensAt_ms, 0);
        QCOMPARE(found.buckets[0].oldestAt_ms, first_ms);
    }

    void aBucketThatLetsSmallJobsByCountsThoseItHolds()
    {
        ModelLimit limit = limitOf(ModelLimit::Concurrency, 3);
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QVERIFY(m_lanes.setRule([](const JobSpec &spec) { return QList<CarriedBucket>{{1, "k", Lanes::valueOf(spec)}}; }));
        m_lanes.push("a", {2, 1});
        const auto running = m_lanes.claim(2);
        QCOMPARE(running.size(), 2);
        m_lanes.push("a", {2, 2, 1, 1});
        QCOMPARE(held({1}).buckets[0].jobs, 4);
        QVERIFY(m_lanes.finish(running[1]));
        const auto found = held({1});
        QCOMPARE(found.buckets.size(), 1);
        QCOMPARE(found.buckets[0].jobs, 2);
        QCOMPARE(found.buckets[0].used, 2);
    }

    void theFirstOfItsOpeningsIsTold()
    {
        ModelLimit limit = limitOf(ModelLimit::Rate, 10);
        limit.period_ms = 10'000;
        limit.numbers.burst = 5;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QVERIFY(m_lanes.setRule([](const JobSpec &spec) { return QList<CarriedBucket>{{1, "k", Lanes::valueOf(spec)}}; }));
        m_lanes.push("a", {5, 5, 3, 4});
        QCOMPARE(m_lanes.claim(1).size(), 1);
        QCOMPARE(m_lanes.claim(1).size(), 0);
        const auto found = held({1});
        QCOMPARE(found.buckets.size(), 1);
        QCOMPARE(found.buckets[0].opensAt_ms, m_lanes.now_ms + 3000); // for the cost of three
        QCOMPARE(found.buckets[0].jobs, 3);
    }

    void aRateThatSetsThePaceHoldsAlsoWhileItAdmitsOne_data()
    {
        QTest::addColumn<int>("algorithm");
        QTest::newRow("gcra") << int(ModelLimit::Gcra);
        QTest::newRow("sliding") << int(ModelLimit::Sliding);
        QTest::newRow("fixed") << int(ModelLimit::Fixed);
    }
    void aRateThatSetsThePaceHoldsAlsoWhileItAdmitsOne()
    {
        QFETCH(int, algorithm);
        ModelLimit limit = limitOf(ModelLimit::Rate, 1);
        limit.algorithm = ModelLimit::Algorithm(algorithm);
        limit.period_ms = 100;
        under(1, limit);
        const int startsMeanwhile = limits::paces_ms / 100, behind = 2 * startsMeanwhile;
        const QList<JobId> jobs = m_lanes.push("a", QList<int>(behind + 1, 1));
        m_lanes.passTime(1000);
        QVERIFY(held({1}).buckets.isEmpty()); // nobody works
        QCOMPARE(m_lanes.claim(9).size(), 1);
        m_lanes.passTime(100);
        QCOMPARE(keysOf(held({1})), QList<QByteArray>{"1 1 " + QByteArray::number(behind)});
        QCOMPARE(held({1}).unmet + parkedIn(held({1})), behind);
        const auto isOpen = [&] {
            return await<ConstraintStore::Buckets>([&](auto done) { m_lanes.constraints->buckets(1, 0, done); })->buckets[0].open;
        };
        QVERIFY(!isOpen());
        QCOMPARE(held({1}).buckets[0].opensAt_ms, m_lanes.now_ms);
        const auto gate = [&] { return m_lanes.explain(jobs[2], {{1, "1", 1}})->gates[0]; };
        QVERIFY(gate().admits && gate().paces); // a claim would start it, if it came to it
        m_lanes.passTime(limits::paces_ms - 1);
        QCOMPARE(keysOf(held({1})).size(), 1);
        m_lanes.passTime(1);
        QVERIFY(held({1}).buckets.isEmpty()); // nobody works any more
        QVERIFY(isOpen());
        QVERIFY(gate().admits && !gate().paces);
        for (int i = 0; i < startsMeanwhile; ++i) {
            QCOMPARE(m_lanes.claim(1).size(), 1);
            m_lanes.passTime(100);
        }
        QVERIFY(held({1}).buckets.isEmpty()); // the others are gone in that time
    }

    void aClosedBucketIsListedThoughItsJobsWaitAtAnother()
    {
        const auto both = [](const JobSpec &) { return QList<CarriedBucket>{{1, "k", 1}, {2, "k", 1}}; };
        ModelLimit pause = limitOf(ModelLimit::Pause);
        QVERIFY(m_lanes.setLimit(1, pause.packed()));
        pause.until_ms = m_lanes.now_ms + 5000;
        QVERIFY(m_lanes.setLimit(2, pause.packed()));
        QVERIFY(m_lanes.setRule(both));
        m_lanes.push("a", {1, 1});
        QCOMPARE(m_lanes.claim(1).size(), 0);
        QCOMPARE(keysOf(held({1, 2})), (QList<QByteArray>{"1 k 2", "2 k 2"}));
        QCOMPARE(parkedIn(held({1, 2})), 2); // both hold the same jobs
        QCOMPARE(held({2}).buckets[0].opensAt_ms, m_lanes.now_ms + 5000);
        for (const HeldBucket &bucket : held({1, 2}).buckets)
            QCOMPARE(bucket.oldestAt_ms, m_lanes.now_ms);
        m_lanes.passTime(5000);
        QCOMPARE(keysOf(held({1, 2})), QList<QByteArray>{"1 k 2"});
    }

    void theOldestIsKnownThoughNoClaimHasLookedYet()
    {
        under(1, limitOf(ModelLimit::Pause));
        const qint64 first_ms = m_lanes.now_ms;
        m_lanes.push("a", {1});
        m_lanes.passTime(1000);
        m_lanes.push("b", {1, 1});
        const auto found = held({1});
        QCOMPARE(found.buckets.size(), 1);
        QCOMPARE(found.buckets[0].jobs, 3);
        QCOMPARE(found.buckets[0].oldestAt_ms, first_ms);
    }

    void theOldestIsKnownThoughNoLaneWaitsAtTheBucket()
    {
        under(1, limitOf(ModelLimit::Concurrency));
        m_lanes.push("a", {1});
        m_lanes.passTime(1000);
        const qint64 second_ms = m_lanes.now_ms;
        m_lanes.push("b", {1});
        m_lanes.passTime(1000);
        m_lanes.push("c", {1});
        QCOMPARE(m_lanes.claim(1).size(), 1);
        QCOMPARE(m_lanes.command({"HLEN", "jq:{lanes}:parked"}).integer(), 0);
        const auto found = held({1});
        QCOMPARE(found.buckets.size(), 1);
        QCOMPARE(found.buckets[0].jobs, 2);
        QCOMPARE(found.buckets[0].oldestAt_ms, second_ms);
    }

    void jobsThatNoClaimHasMetSinceTheirBucketClosedAreCountedOnce()
    {
        setLimits({1, 2}, limitOf(ModelLimit::Concurrency));
        setLimits({3}, limitOf(ModelLimit::Fair));
        QVERIFY(m_lanes.setRule([](const JobSpec &spec) { return carriedBy(spec.name); }));
        m_lanes.push("one", {1, 1, 1});
        m_lanes.push("two", {1, 1});
        m_lanes.push("both", {1, 1, 1, 1, 1});
        m_lanes.push("turns", {1, 1, 1, 1, 1, 1, 1});
        m_lanes.push("free", {1});
        QCOMPARE(held({1, 2, 3}).unmet, 0);
        setLimits({1, 2}, limitOf(ModelLimit::Concurrency, 0)); // their lanes stay in the ready indexes
        const auto found = held({1, 2, 3});
        QCOMPARE(keysOf(found), (QList<QByteArray>{"1 k 15", "2 k 7"}));
        QCOMPARE(parkedIn(found), 0);
        QCOMPARE(found.unmet, 17);
        QCOMPARE(m_lanes.claim(9).size(), 1);
        QCOMPARE(parkedIn(held({1, 2, 3})), 17);
        QCOMPARE(held({1, 2, 3}).unmet, 0);
    }

    void jobsThatWaitAtAnOpenBucketAreCountedIfAnotherHoldsThem()
    {
        setLimits({1}, limitOf(ModelLimit::Concurrency, 0));
        setLimits({2}, limitOf(ModelLimit::Concurrency));
        setLimits({3}, limitOf(ModelLimit::Fair));
        QVERIFY(m_lanes.setRule([](const JobSpec &spec) { return carriedBy(spec.name); }));
        m_lanes.push("one", {1, 1, 1});
        m_lanes.push("both", {1, 1, 1, 1, 1});
        m_lanes.push("all", {1, 1, 1, 1, 1, 1, 1});
        QCOMPARE(parkedIn(held({1, 2, 3})), 15); // at the first
        QCOMPARE(held({1, 2, 3}).unmet, 0);
        setLimits({2}, limitOf(ModelLimit::Concurrency, 0));
        QCOMPARE(held({1, 2, 3}).unmet, 0);
        setLimits({1}, limitOf(ModelLimit::Concurrency, 9));
        const auto found = held({1, 2, 3});
        QCOMPARE(keysOf(found), QList<QByteArray>{"2 k 12"});
        QCOMPARE(parkedIn(found), 0);
        QCOMPARE(found.unmet, 12);
        QCOMPARE(m_lanes.claim(9).size(), 3);
        QCOMPARE(parkedIn(held({1, 2, 3})), 12);
        QCOMPARE(held({1, 2, 3}).unmet, 0);
    }

    void onlySoManyBucketsAreLookedAt()
    {
        under(1, limitOf(ModelLimit::Pause));
        under(2, limitOf(ModelLimit::Pause));
        QVERIFY(m_lanes.setRule([](const JobSpec &spec) {
            const int value = Lanes::valueOf(spec);
            return QList<CarriedBucket>{{value / 10, QByteArray::number(value % 10), 1}};
        }));
        m_lanes.push("a", {11, 12, 13, 21});
        QCOMPARE(keysOf(held({1, 2}, 4)).size(), 4);
        QVERIFY(held({1, 2}, 4).complete);
        QVERIFY(held({1}, 3).complete);
        QVERIFY(!held({1, 2}, 3).complete); // nothing is left for the second
        QCOMPARE(held({1, 2}, 3).buckets.size(), 3);
        QVERIFY(!held({1}, 2).complete);
        QCOMPARE(held({1}, 2).buckets.size(), 2);
        QVERIFY(!held({1, 2}, 2).complete);
    }

    void whoTakesTurnsIsCountedToo()
    {
        ModelLimit turns = limitOf(ModelLimit::Fair);
        QVERIFY(m_lanes.setLimit(1, turns.packed()) && m_lanes.setLimit(2, limitOf(ModelLimit::Pause).packed()));
        QVERIFY(m_lanes.setRule([](const JobSpec &) { return QList<CarriedBucket>{{1, "k", 1}, {2, "k", 1}}; }));
        m_lanes.push("a", {1, 1, 1});
        const auto found = held({2});
        QCOMPARE(keysOf(found), QList<QByteArray>{"2 k 3"});
        QCOMPARE(found.buckets[0].oldestAt_ms, m_lanes.now_ms);
    }

    // --- jobs that wait are read again
    void whatIsStaleIsToldLaneAfterLane()
    {
        QVERIFY(stale().lane.isEmpty()); // there are no matchers
        m_lanes.push("a", {1, 2});
        m_lanes.push("b", {1});
        QVERIFY(stale().lane.isEmpty() && stale().left == 0);
        QVERIFY(m_lanes.beginRule([](const JobSpec &) { return QList<CarriedBucket>(); }));
        const auto first = stale();
        QCOMPARE(first.epoch, 1);
        QCOMPARE(first.jobs.size(), 2);
        QCOMPARE(first.left, 3);
        QCOMPARE(first.recharged, 0);
        QVERIFY(relane(first));
        const auto second = stale();
        QVERIFY(second.lane != first.lane);
        QCOMPARE(second.jobs.size(), 1);
        QCOMPARE(second.left, 1);
        QVERIFY(relane(second));
        QVERIFY(stale().lane.isEmpty());
        QVERIFY(m_lanes.setRule([](const JobSpec &) { return QList<CarriedBucket>(); }));
        QCOMPARE(stale().left, 3); // now they stand in lanes of the epoch before
        QVERIFY(m_lanes.readStale(5));
        QVERIFY(stale().lane.isEmpty());
        QCOMPARE(m_lanes.claim(9).size(), 3);
    }

    void aJobThatIsOnlyMovedIsNotReadAgain()
    {
        under(1, limitOf(ModelLimit::Concurrency));
        EnqueueItem late = m_lanes.item("a", 1);
        late.spec.delay_ms = 60'000;
        QVERIFY(await<QList<Result<Enqueued>>>([&](auto done) { m_lanes.stores[0]->enqueue({late}, done); }).ok());
        const auto edit = [&](const JobSpec &after, qint64 runAt_ms) {
            return await<StateNow>([&](auto done) { m_lanes.stores[0]->edit({late.id, late.spec, after, runAt_ms, {}}, done); });
        };
        QCOMPARE(edit(late.spec, m_lanes.now_ms)->state, JobState::Ready);
        QVERIFY(!m_lanes.explain(late.id, {})->stale);
        JobSpec after = late.spec;
        after.priority = 5;
        QVERIFY(edit(after, m_lanes.now_ms).ok());
        QVERIFY(m_lanes.explain(late.id, {})->stale); // it may be under other limits now
    }

    // A claim looks at some of the buckets that opened, then goes on in another call.
    void aClaimOfManyCallsTakesOneSlot()
    {
        ModelLimit limit = limitOf(ModelLimit::Rate, 1);
        limit.period_ms = 1000;
        under(1, limit);
        for (int key = 0; key < 300; ++key)
            m_lanes.push("a", {key, key});
        for (qsizetype claimed = 0; claimed < 300;) {
            const qsizetype some = m_lanes.claim(limits::claim_limit_max).size();
            QVERIFY(some > 0);
            claimed += some;
        }
        m_lanes.passTime(1000);
        const auto calls = [this] {
            const QByteArray stats = m_lanes.command({"INFO", "commandstats"}).bytes();
            const QByteArray line = stats.mid(stats.indexOf("cmdstat_fcall:calls=") + 20);
            return line.left(line.indexOf(',')).toInt();
        };
        const int before = calls();
        QCOMPARE(m_lanes.claim(1).size(), 1);
        QVERIFY(calls() > before + 2);
        QCOMPARE(m_lanes.command({"KEYS", "jq:{lanes}:nonce:*"}).size(), 1);
    }

    void longJobsAreToldAFewAtATime()
    {
        QVERIFY(m_lanes.setRule([](const JobSpec &) { return QList<CarriedBucket>(); }));
        QList<EnqueueItem> items;
        const auto size = qsizetype(limits::stale_bytes_max / 2);
        for (const qsizetype bytes : {size * 2 + 100, size, size, size}) {
            items.append(m_lanes.item("a", 1));
            MsgpackWriter argument;
            items.last().spec.argument = argument.text(QByteArray(bytes, 'x')).take();
        }
        QVERIFY(await<QList<Result<Enqueued>>>([&](auto done) { m_lanes.stores[0]->enqueue(items, done); }).ok());
        QVERIFY(m_lanes.setRule([](const JobSpec &) { return QList<CarriedBucket>(); }));
        QCOMPARE(stale().jobs.size(), 1); // one that is too long comes alone
        QVERIFY(relane(stale()));
        QCOMPARE(stale().jobs.size(), 2);
        QVERIFY(m_lanes.readStale(5));
        QVERIFY(m_lanes.setRule([](const JobSpec &) { return QList<CarriedBucket>(); }));
        qsizetype claimed = 0;
        for (int calls = 0; calls < 9; ++calls) // a claim that meets them has them read in the same pieces
            claimed += m_lanes.claim(9).size();
        QCOMPARE(claimed, 4);
        QVERIFY(m_lanes.beginRule([](const JobSpec &) { return QList<CarriedBucket>{{1, "k", 1}}; }));
        QSet<JobId> seen;
        qsizetype calls = 0;
        for (;; ++calls) {
            const auto some = unread(ConstraintStore::WhichJobs::Running);
            if (some.jobs.isEmpty())
                break;
            QVERIFY(some.jobs.size() <= 2);
            QCOMPARE(some.end, seen.size() + some.jobs.size() == 4);
            for (const StoredJob &job : some.jobs)
                seen.insert(job.id);
            QVERIFY(recharge(m_lanes.epoch, some.jobs));
        }
        QCOMPARE(seen.size(), 4);
        QVERIFY(calls >= 2);
    }

    void aDamagedLaneKeepsItsJobs()
    {
        under(1, limitOf(ModelLimit::Concurrency));
        m_lanes.push("a", {1, 2});
        QVERIFY(m_lanes.setRule([](const JobSpec &) { return QList<CarriedBucket>(); }));
        const auto before = stale();
        QCOMPARE(before.lane.left(1), QByteArray("c"));
        m_lanes.command({"DEL", "jq:{lanes}:li:" + before.lane});
        QVERIFY(!relane(before));
        QCOMPARE(m_lanes.command({"ZCARD", "jq:{lanes}:lane:" + before.lane}).integer(), before.jobs.size());
        m_lanes.begin();
    }

    void whatWasThoughtOutAtAnotherEpochMovesNothing()
    {
        m_lanes.push("a", {1});
        under(1, limitOf(ModelLimit::Pause));
        const auto before = stale();
        QVERIFY(m_lanes.setRule([](const JobSpec &) { return QList<CarriedBucket>(); }));
        QVERIFY(!relane(before));
        QCOMPARE(stale().jobs.size(), 1);
        QVERIFY(!recharge(before.epoch, {}));
    }

    // --- jobs that run are charged anew
    void whatRunsIsUnreadUntilItIsCharged()
    {
        m_lanes.push("a", {1, 1, 1});
        const auto jobs = m_lanes.claim(2);
        QVERIFY(await<StateNow>([&](auto done) { m_lanes.stores[0]->handOff({jobs[1].id, jobs[1].lease, "key", 60'000}, done); }).ok());
        QVERIFY(m_lanes.setLimit(1, limitOf(ModelLimit::Concurrency, 2).packed()));
        QVERIFY(m_lanes.beginRule([](const JobSpec &) { return QList<CarriedBucket>{{1, "k", 1}}; }));
        const auto running = unread(ConstraintStore::WhichJobs::Running), awaiting = unread(ConstraintStore::WhichJobs::Awaiting);
        QCOMPARE(running.epoch, 1);
        QVERIFY(running.end && awaiting.end);
        QCOMPARE(running.jobs.size(), 1);
        QCOMPARE(running.jobs[0].id, jobs[0].id);
        QCOMPARE(awaiting.jobs.size(), 1);
        QCOMPARE(awaiting.jobs[0].id, jobs[1].id);
        QVERIFY(recharge(1, running.jobs + awaiting.jobs));
        QVERIFY(unread(ConstraintStore::WhichJobs::Running).jobs.isEmpty());
        QVERIFY(unread(ConstraintStore::WhichJobs::Awaiting).jobs.isEmpty());
        QCOMPARE(stale().recharged, 1);
        QCOMPARE(m_lanes.claim(1).size(), 0); // both count
        QVERIFY(m_lanes.finish(jobs[0]));
        QCOMPARE(m_lanes.claim(9).size(), 1);
        QCOMPARE(m_lanes.broken(), QByteArray());
    }

    // A change of `by` gives running jobs other buckets. Until they are charged there, nothing may start beside them: else four would run
    // under a limit that was never more than three.
    void nothingStartsAtALimitWhileRunningJobsAreUncharged()
    {
        for (const auto kind : {ModelLimit::Concurrency, ModelLimit::Share}) {
            m_lanes.begin();
            ModelLimit limit = limitOf(kind, 3);
            limit.capacity = 3;
            QVERIFY(m_lanes.setLimit(1, limit.packed()));
            const auto by = [](const QByteArray &key) {
                return [key](const JobSpec &spec) {
                    return spec.name == "free" ? QList<CarriedBucket>() : QList<CarriedBucket>{{1, key, 1}};
                };
            };
            QVERIFY(m_lanes.setRule(by("one")));
            m_lanes.push("a", QList<int>(6, 1));
            const QList<ClaimedJob> running = m_lanes.claim(2);
            QCOMPARE(running.size(), 2);
            m_lanes.push("free", {1});
            QVERIFY(m_lanes.beginRule(by("other")));
            const QList<ClaimedJob> free = m_lanes.claim(6);
            QCOMPARE(free.size(), 1); // only the job without a limit
            QCOMPARE(free[0].spec.name, QByteArray("free"));
            QVERIFY(!m_lanes.explain(running[0].id, {{1, "other", 1}})->gates[0].admits);
            QVERIFY(m_lanes.chargeRunning());
            QCOMPARE(m_lanes.claim(6).size(), 1); // at once, and no more
            QVERIFY(m_lanes.finish(running[0]));
            QCOMPARE(m_lanes.claim(6).size(), 1);
            QCOMPARE(m_lanes.broken(), QByteArray());
        }
    }

    void onlyWhatChangedIsFreedAndCharged()
    {
        for (const int number : {1, 2, 3})
            QVERIFY(m_lanes.setLimit(number, limitOf(ModelLimit::Concurrency, 9).packed()));
        QVERIFY(m_lanes.setRule([](const JobSpec &) { return QList<CarriedBucket>{{1, "k", 2}, {2, "k", 2}}; }));
        const JobId ready = (m_lanes.push("a", {1, 1}), m_lanes.claim(1), m_lanes.push("a", {1})[0]);
        QVERIFY(m_lanes.beginRule([](const JobSpec &) { return QList<CarriedBucket>{{2, "k", 3}, {3, "k", 1}}; }));
        auto jobs = unread(ConstraintStore::WhichJobs::Running).jobs;
        QCOMPARE(jobs.size(), 1);
        QCOMPARE(stale().recharged, 1);
        StoredJob waits = jobs[0];
        waits.id = ready;
        jobs.append(waits); // it does not run, and is charged when it starts
        QVERIFY(await<Done>([&](auto done) {
            m_lanes.constraints->recharge(m_lanes.epoch, buckets(jobs), ConstraintStore::Recharged::Some, done);
        }).ok());
        QCOMPARE(stale().recharged, 1); // there may be more
        const auto used = [this](int number) {
            const auto page = await<ConstraintStore::Buckets>([&](auto done) { m_lanes.constraints->buckets(number, 0, done); });
            return page.ok() && page->buckets.size() == 1 ? page->buckets[0].used : -1;
        };
        QCOMPARE(used(1), 0);
        QCOMPARE(used(2), 3);
        QCOMPARE(used(3), 1);
        QVERIFY(recharge(m_lanes.epoch, jobs)); // again: nothing is charged twice
        QCOMPARE(used(2), 3);
        QCOMPARE(used(3), 1);
        QCOMPARE(m_lanes.broken(), QByteArray());
    }

private:
    static constexpr char asks[] = "jq:{lanes}:asks";
    static constexpr qint64 engine_ms = qint64(limits::engine_seen_s) * 1'000;

    bool sweepAndTell(int engine, const AskedNames &record)
    {
        return await<Swept>([&](auto done) { m_lanes.stores[engine]->sweep(done); }).ok()
            && await<Done>([&](auto done) { m_lanes.stores[engine]->publishAskedNames(record, done); }).ok();
    }
    static ModelLimit limitOf(ModelLimit::Kind kind, int limit = 1)
    {
        ModelLimit made;
        made.kind = kind;
        made.numbers.limit = limit;
        return made;
    }
    // Every job carries the bucket of this constraint whose key is its value.
    void under(int number, const ModelLimit &limit)
    {
        QVERIFY(m_lanes.setLimit(number, limit.packed()));
        QVERIFY(m_lanes.setRule([number](const JobSpec &spec) {
            return QList<CarriedBucket>{{number, QByteArray::number(Lanes::valueOf(spec)), 1}};
        }));
    }
    ConstraintStore::Held held(const QList<int> &constraints, int most = 100)
    {
        return await<ConstraintStore::Held>([&](auto done) { m_lanes.constraints->held(constraints, most, done); }).value();
    }
    void setLimits(const QList<int> &numbers, const ModelLimit &limit)
    {
        for (const int number : numbers)
            QVERIFY(m_lanes.setLimit(number, limit.packed()));
    }
    // Limits 1 and 2 hold jobs, and 3 makes them take turns.
    static QList<CarriedBucket> carriedBy(const QByteArray &name)
    {
        const QHash<QByteArray, QList<int>> numbers{{"one", {1}}, {"two", {2}}, {"both", {1, 2}}, {"turns", {1, 3}}, {"all", {1, 2, 3}}};
        QList<CarriedBucket> carried;
        for (const int number : numbers.value(name))
            carried.append({number, "k", 1});
        return carried;
    }
    static qint64 parkedIn(const ConstraintStore::Held &held)
    {
        qint64 parked = 0;
        for (const HeldBucket &bucket : held.buckets)
            parked += bucket.parked;
        return parked;
    }
    static QList<QByteArray> keysOf(const ConstraintStore::Held &held)
    {
        QList<QByteArray> keys;
        for (const HeldBucket &bucket : held.buckets)
            keys.append(QByteArray::number(bucket.constraint) + ' ' + bucket.key + ' ' + QByteArray::number(bucket.jobs));
        std::sort(keys.begin(), keys.end());
        return keys;
    }
    // The first lane of what is told.
    struct First : LanePiece<StoredJob> {
        qint64 epoch, left, recharged;
    };
    First stale()
    {
        const auto told = await<ConstraintStore::Stale>([&](auto done) { m_lanes.constraints->stale(done); }).value();
        return {told.lanes.value(0), told.epoch, told.left, told.recharged};
    }
    ConstraintStore::Unread unread(ConstraintStore::WhichJobs which)
    {
        return await<ConstraintStore::Unread>([&](auto done) { m_lanes.constraints->unread(which, 0, done); }).value();
    }
    QList<JobBuckets> buckets(const QList<StoredJob> &jobs)
    {
        QList<JobBuckets> all;
        for (const StoredJob &job : jobs)
            all.append(readAgain(*m_lanes.rules[0], job));
        return all;
    }
    bool relane(const First &stale)
    {
        const auto read = readAgain(*m_lanes.rules[0], QList<LanePiece<StoredJob>>{stale});
        return await<Done>([&](auto done) { m_lanes.constraints->relane(stale.epoch, read, done); }).ok();
    }
    bool recharge(qint64 epoch, const QList<StoredJob> &jobs)
    {
        return await<Done>([&](auto done) {
            m_lanes.constraints->recharge(epoch, buckets(jobs), ConstraintStore::Recharged::All, done);
        }).ok();
    }

    Lanes m_lanes;
};

JUNBAN_TEST(TestHeld)
#include "test_held.moc"
