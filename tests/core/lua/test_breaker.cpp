#include "tests/core/lua/lanesfixture.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// Breakers: what opens and closes them, by what was counted and by hand.
class TestBreaker : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_lanes.start());
        QTRY_COMPARE(m_lanes.link->state(), redis::LinkState::Up);
    }

    void init() { m_lanes.begin(); }

    void aBreakerCountsWithinAShortWindow()
    {
        ModelLimit limit = limitOf(ModelLimit::Breaker);
        limit.window_ms = 6000;
        limit.samples = 3;
        under(limit);
        m_lanes.push("a", {1, 1, 1, 1, 1});
        for (int i = 0; i < 3; ++i) {
            const auto jobs = m_lanes.claim(1);
            QCOMPARE(jobs.size(), 1);
            QVERIFY(m_lanes.finish(jobs[0], OutcomeType::Failure));
            m_lanes.passTime(150);
        }
        QCOMPARE(m_lanes.claim(1).size(), 0); // three failures within six seconds
        m_lanes.passTime(limit.openFor_ms);
        QCOMPARE(m_lanes.claim(2).size(), 1); // one probe
    }

    void theEndsOfOneCallCountInTheirOrder()
    {
        ModelLimit limit = limitOf(ModelLimit::Breaker);
        limit.samples = 1;
        limit.failureRate = 0.6;
        under(limit);
        m_lanes.push("a", {1, 1, 1});
        const QList<ClaimedJob> jobs = m_lanes.claim(2);
        QCOMPARE(jobs.size(), 2);
        const QList<FinishItem> reports{Lanes::report(jobs[0].id, jobs[0].lease, OutcomeType::Success, 0),
                                        Lanes::report(jobs[1].id, jobs[1].lease, OutcomeType::Failure, 0)};
        QVERIFY(await<FinishAndClaimReply>([&](auto done) { m_lanes.stores[0]->finishAndClaim(reports, {}, done); }).ok());
        QCOMPARE(m_lanes.claim(1).size(), 1); // a failure of two
    }

    void withAnotherWindowItCountsAnew()
    {
        ModelLimit limit = limitOf(ModelLimit::Breaker);
        limit.samples = 3;
        under(limit);
        m_lanes.push("a", QList<int>(6, 1));
        const auto fail = [this] { return m_lanes.finish(m_lanes.claim(1).value(0), OutcomeType::Failure); };
        QVERIFY(fail() && fail());
        limit.window_ms *= 2;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QVERIFY(fail() && fail()); // these are two, with those of before four
        QVERIFY(fail());
        QCOMPARE(m_lanes.claim(1).size(), 0);
    }

    void failuresCountUntilTheyAreOldAlsoWhenNothingWaitsBetweenThem()
    {
        ModelLimit limit = limitOf(ModelLimit::Breaker);
        limit.samples = 3;
        limit.openFor_ms = 60'000;
        under(limit);
        for (int failure = 0; failure < 3; ++failure) {
            m_lanes.push("a", {1});
            QVERIFY(m_lanes.finish(m_lanes.claim(1).value(0), OutcomeType::Failure));
            m_lanes.passTime(limit.window_ms / 6);
            QVERIFY(m_lanes.sweep());
        }
        m_lanes.push("a", {1});
        QCOMPARE(m_lanes.claim(1).size(), 0);
    }

    void aFailureIsForgottenInItsTimeWhenTheClockWasSetBackBeforeIt()
    {
        ModelLimit limit = limitOf(ModelLimit::Breaker);
        limit.window_ms = 6000;
        limit.samples = 3;
        under(limit);
        m_lanes.push("a", {1, 1, 1, 1});
        QVERIFY(m_lanes.finish(m_lanes.claim(1)[0]));
        m_lanes.passTime(-1500);
        QVERIFY(m_lanes.finish(m_lanes.claim(1)[0], OutcomeType::Failure));
        m_lanes.passTime(6100);
        QVERIFY(m_lanes.finish(m_lanes.claim(1)[0], OutcomeType::Failure));
        QCOMPARE(m_lanes.claim(1).size(), 1); // a success and a failure within six seconds
    }

    void aBreakerThatAsksForFewerProbesThanSucceededCloses()
    {
        ModelLimit limit = limitOf(ModelLimit::Breaker);
        limit.samples = 1;
        limit.numbers.probes = 3;
        under(limit);
        m_lanes.push("a", {1, 1, 1, 1, 1, 1});
        QVERIFY(m_lanes.finish(m_lanes.claim(1)[0], OutcomeType::Failure));
        m_lanes.passTime(limit.openFor_ms);
        const auto probes = m_lanes.claim(3);
        QCOMPARE(probes.size(), 3);
        QVERIFY(m_lanes.finish(probes[0]) && m_lanes.finish(probes[1]));
        limit.numbers.probes = 2;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QCOMPARE(m_lanes.claim(2).size(), 2);
        QCOMPARE(m_lanes.command({"KEYS", "jq:{lanes}:bp:*"}).size(), 0); // the third one is no probe any more
    }

    void aBreakerThatClosedCountsAnew()
    {
        ModelLimit limit = limitOf(ModelLimit::Breaker);
        limit.samples = 1;
        under(limit);
        m_lanes.push("a", {1, 1, 1, 1});
        QVERIFY(m_lanes.finish(m_lanes.claim(1)[0], OutcomeType::Failure));
        m_lanes.passTime(limit.openFor_ms);
        QVERIFY(m_lanes.finish(m_lanes.claim(1).value(0)));
        const auto page = await<ConstraintStore::Buckets>([&](auto done) { m_lanes.constraints->buckets(1, 0, done); });
        QCOMPARE(page->buckets.value(0).breaker, BreakerState::Closed);
        QVERIFY(m_lanes.finish(m_lanes.claim(1).value(0), OutcomeType::Failure));
        QVERIFY(m_lanes.claim(1).isEmpty());
    }

    void probesOfAnEarlierOpeningTakeNoPlaceInTheNext()
    {
        ModelLimit limit = limitOf(ModelLimit::Breaker);
        limit.samples = 1;
        limit.numbers.probes = 2;
        under(limit);
        m_lanes.push("a", {1, 1, 1, 1, 1, 1});
        QVERIFY(m_lanes.finish(m_lanes.claim(1)[0], OutcomeType::Failure));
        m_lanes.passTime(limit.openFor_ms);
        const auto probes = m_lanes.claim(5);
        QCOMPARE(probes.size(), 2);
        QVERIFY(m_lanes.finish(probes[0], OutcomeType::Failure));
        m_lanes.passTime(limit.openMost_ms);
        QCOMPARE(m_lanes.claim(5).size(), 2); // though the other one still runs
    }

    void aFailedProbeOpensForLonger()
    {
        ModelLimit limit = limitOf(ModelLimit::Breaker);
        limit.samples = 1;
        under(limit);
        m_lanes.push("a", {1, 1, 1, 1});
        QVERIFY(m_lanes.finish(m_lanes.claim(1)[0], OutcomeType::Failure));
        m_lanes.passTime(1000);
        QVERIFY(m_lanes.finish(m_lanes.claim(1)[0], OutcomeType::Failure));
        m_lanes.passTime(1999);
        QCOMPARE(m_lanes.claim(1).size(), 0);
        m_lanes.passTime(1);
        const auto probe = m_lanes.claim(2);
        QCOMPARE(probe.size(), 1);
        QVERIFY(m_lanes.finish(probe[0]));
        QCOMPARE(m_lanes.claim(2).size(), 1);
    }

    void aBreakerIsTrippedAndResetByHand()
    {
        ModelLimit limit = limitOf(ModelLimit::Breaker);
        limit.openFor_ms = 1000;
        under(limit);
        m_lanes.push("a", {1, 1, 101, 101});
        const auto stateOf = [&](const QByteArray &key) {
            const auto page = await<ConstraintStore::Buckets>([&](auto done) { m_lanes.constraints->buckets(1, 0, done); });
            for (const BucketState &bucket : page.ok() ? page->buckets : QList<BucketState>()) {
                if (bucket.key == key)
                    return bucket;
            }
            return BucketState{};
        };
        BreakerSwitch open{BreakerState::Open, "1", {}};
        QCOMPARE(*m_lanes.switchBreaker(1, open), 1);
        QCOMPARE(stateOf("1").breaker, BreakerState::Open);
        QCOMPARE(stateOf("0").breaker, BreakerState::Closed);
        QCOMPARE(stateOf("1").opensAt_ms, m_lanes.now_ms + 1000);
        QCOMPARE(m_lanes.claim(4).size(), 2); // only those of the other key
        // Tripped again while it is open: the same opening from now on, so that a call may be repeated.
        m_lanes.passTime(400);
        QCOMPARE(*m_lanes.switchBreaker(1, open), 1);
        QCOMPARE(stateOf("1").opensAt_ms, m_lanes.now_ms + 1000);
        m_lanes.passTime(999);
        QCOMPARE(m_lanes.claim(4).size(), 0);
        QCOMPARE(*m_lanes.switchBreaker(1, {BreakerState::Closed, "1", {}}), 1);
        QCOMPARE(stateOf("1").breaker, BreakerState::Closed);
        QCOMPARE(m_lanes.claim(4).size(), 2); // not one probe, but all
        QCOMPARE(m_lanes.broken(), QByteArray());
    }

    void aBreakerThatWasTrippedForALongTimeLetsProbesThroughAfterIt()
    {
        ModelLimit limit = limitOf(ModelLimit::Breaker);
        under(limit);
        m_lanes.push("a", {1, 1, 101});
        QCOMPARE(*m_lanes.switchBreaker(1, {BreakerState::Open, {}, 60'000}), 2);
        m_lanes.passTime(59'999);
        QVERIFY(m_lanes.sweep());
        QCOMPARE(m_lanes.claim(4).size(), 0);
        m_lanes.passTime(1);
        QVERIFY(m_lanes.sweep());
        QCOMPARE(m_lanes.claim(4).size(), 2); // one probe of each key
        QCOMPARE(m_lanes.broken(), QByteArray());
    }

    void theOnlyBucketOfABreakerIsTrippedBeforeAnyJobNeedsIt()
    {
        QVERIFY(m_lanes.setLimit(1, limitOf(ModelLimit::Breaker).packed()));
        const CarriedBucket only{1, {}, 1, "only"};
        QVERIFY(m_lanes.setRule([only](const JobSpec &) { return QList{only}; }));
        QCOMPARE(*m_lanes.switchBreaker(1, {BreakerState::Closed, {}, {}, only}), 0);
        QCOMPARE(*m_lanes.switchBreaker(1, {BreakerState::Open, {}, {}, only}), 1);
        QCOMPARE(*m_lanes.switchBreaker(1, {BreakerState::Open, {}, {}, only}), 1); // and not one more
        QCOMPARE(m_lanes.broken(), QByteArray());
        m_lanes.push("a", {1});
        QCOMPARE(m_lanes.claim(1).size(), 0);
        QCOMPARE(m_lanes.broken(), QByteArray());
        QCOMPARE(*m_lanes.switchBreaker(1, {BreakerState::Closed, {}, {}, only}), 1);
        QCOMPARE(m_lanes.claim(1).size(), 1);
    }

    void aTripSaysWhenTheLastBucketLetsProbesThrough()
    {
        under(limitOf(ModelLimit::Breaker));
        m_lanes.push("a", {1, 101});
        QCOMPARE(*m_lanes.switchBreaker(1, {BreakerState::Open, "1", {}}), 1);
        m_lanes.passTime(1000);
        const auto switched = await<ConstraintStore::Switched>(
            [&](auto done) { m_lanes.constraints->switchBreaker(1, {BreakerState::Open, {}, {}}, 0, done); });
        QVERIFY(switched.ok());
        QCOMPARE(switched->opensAt_ms, m_lanes.now_ms + 2000); // the second opening in a row is longer
    }

    void aBreakerOfManyKeysIsTrippedInSlices()
    {
        under(limitOf(ModelLimit::Breaker));
        QList<int> values;
        for (int key = 0; key < 6 * limits::script_items_max; ++key)
            values.append(100 * key);
        QCOMPARE(m_lanes.push("a", values).size(), values.size());
        QCOMPARE(*m_lanes.switchBreaker(1, {BreakerState::Open, {}, {}}), int(values.size()));
        QCOMPARE(m_lanes.claim(1).size(), 0);
        QCOMPARE(*m_lanes.switchBreaker(1, {BreakerState::Closed, "7", {}}), 1);
        QCOMPARE(m_lanes.claim(2).size(), 1);
    }

    void whatIsNoBreakerIsNeitherTrippedNorReset()
    {
        under(limitOf(ModelLimit::Concurrency));
        m_lanes.push("a", {1});
        const BreakerSwitch open{BreakerState::Open, {}, {}};
        QCOMPARE(m_lanes.switchBreaker(1, open).error().code, ErrorCode::Conflict);
        QCOMPARE(m_lanes.switchBreaker(7, open).error().code, ErrorCode::NotFound);
        QCOMPARE(m_lanes.claim(1).size(), 1);
    }

private:
    // Every job carries the bucket of constraint 1 whose key is its value's hundreds.
    void under(const ModelLimit &limit)
    {
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QVERIFY(m_lanes.setRule([](const JobSpec &spec) {
            return QList<CarriedBucket>{{1, QByteArray::number(Lanes::valueOf(spec) / 100), 1}};
        }));
    }
    static ModelLimit limitOf(ModelLimit::Kind kind)
    {
        ModelLimit made;
        made.kind = kind;
        return made;
    }

    Lanes m_lanes;
};

JUNBAN_TEST(TestBreaker)
#include "test_breaker.moc"
