#include "tests/core/lua/lanesfixture.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// Keys that take turns: a job's key is its value's hundreds, the weight of that key its value's rest.
class TestFair : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_lanes.start());
        QTRY_COMPARE(m_lanes.link->state(), redis::LinkState::Up);
    }

    void init()
    {
        m_lanes.begin();
        ModelLimit fair, total;
        fair.kind = ModelLimit::Fair;
        total.numbers.limit = 1000;
        QVERIFY(m_lanes.setLimit(1, fair.packed()));
        QVERIFY(m_lanes.setLimit(2, total.packed()));
        QVERIFY(m_lanes.setRule([](const JobSpec &spec) {
            const int value = Lanes::valueOf(spec);
            if (value == 0)
                return QList<CarriedBucket>(); // it takes no turns
            return QList<CarriedBucket>{{1, QByteArray::number(value / 100), value % 100}, {2, "all", 1}};
        }));
    }

    void cleanup() { QCOMPARE(m_lanes.broken(), QByteArray()); }

    void keysTakeTurnsWhoeverPushedFirst()
    {
        m_lanes.push("a", QList<int>(5, 101));
        m_lanes.push("a", QList<int>(2, 201));
        m_lanes.push("b", {301});
        QCOMPARE(started(8), (QList<int>{101, 201, 301, 101, 201, 101, 101, 101}));
    }

    void weightsAreProportions()
    {
        m_lanes.push("a", QList<int>(40, 101));
        m_lanes.push("a", QList<int>(40, 203));
        const QList<int> order = started(40);
        QCOMPARE(order.count(203), 30);
        QCOMPARE(order.mid(0, 20).count(203), 15);
    }

    // What most want: a limit for all, and turns behind it.
    void theyTakeTurnsBehindAFullBucketToo()
    {
        ModelLimit total;
        total.numbers.limit = 1;
        QVERIFY(m_lanes.setLimit(2, total.packed()));
        m_lanes.push("a", QList<int>(4, 101));
        m_lanes.push("b", QList<int>(2, 201));
        m_lanes.push("a", QList<int>(2, 301));
        QCOMPARE(oneByOne(8), (QList<int>{101, 201, 301, 101, 201, 301, 101, 101}));
    }

    void aKeyThatStartedUnderOneNameBehindAFullBucketComesLaterUnderAnother()
    {
        ModelLimit total;
        total.numbers.limit = 1;
        QVERIFY(m_lanes.setLimit(2, total.packed()));
        m_lanes.push("a", {101, 101});
        m_lanes.push("b", {101, 101});
        m_lanes.push("c", {201, 201});
        QCOMPARE(oneByOne(6), (QList<int>{101, 201, 101, 201, 101, 101}));
    }

    void aBetterPriorityGoesFirstWhosoeverTurnItIs()
    {
        m_lanes.push("a", {101, 101});
        QCOMPARE(started(1), QList<int>{101});
        m_lanes.push("a", {201});
        m_lanes.push("a", {101}, -1);
        QCOMPARE(started(3), (QList<int>{101, 201, 101}));
    }

    void aNewKeyIsNotOwedTheTimeBefore()
    {
        m_lanes.push("a", QList<int>(20, 101));
        QCOMPARE(started(10).size(), 10);
        m_lanes.push("a", QList<int>(10, 201));
        QCOMPARE(started(6).count(201), 3);
    }

    void aKeyThatHadMuchIsNotForgivenByAPauseOfAMoment()
    {
        m_lanes.push("a", QList<int>(3, 101));
        m_lanes.push("a", QList<int>(9, 201));
        QCOMPARE(started(6).count(101), 3);
        m_lanes.push("a", QList<int>(3, 101));
        QCOMPARE(started(6), (QList<int>{201, 101, 201, 101, 201, 101}));
    }

    void aKeyIsForgottenWhenItHasNotStartedForSoLong()
    {
        m_lanes.push("a", {101, 101});
        QCOMPARE(started(2), (QList<int>{101, 101}));
        const auto after = [this](qint64 ms) {
            m_lanes.passTime(ms);
            m_lanes.push("a", {101});
            m_lanes.push("a", {201});
            return started(2);
        };
        QCOMPARE(after(limits::bucket_margin_s * 1000), (QList<int>{201, 101}));
        QCOMPARE(after(limits::bucket_margin_s * 1000 + 1), (QList<int>{101, 201}));
    }

    // What counts is the latest turn that was ever taken, not the last one.
    void aNewKeyIsNotOwedTheTurnsOfOneThatHadToWait()
    {
        m_lanes.push("a", {201});
        m_lanes.push("a", QList<int>(5, 101), -1);
        QCOMPARE(started(6), (QList<int>{101, 101, 101, 101, 101, 201}));
        m_lanes.push("a", QList<int>(2, 101));
        m_lanes.push("a", QList<int>(4, 301));
        QCOMPARE(started(4), (QList<int>{301, 101, 301, 101}));
    }

    void jobsThatTakeNoTurnsNeverWaitForYoungerOnes()
    {
        m_lanes.push("a", {101, 101, 101});
        m_lanes.push("a", {0});
        m_lanes.push("a", {201, 201});
        QCOMPARE(started(6), (QList<int>{101, 0, 201, 101, 201, 101}));
    }

    void anOlderJobThatTakesNoTurnsGoesBeforeThoseOfABucketThatOpened()
    {
        ModelLimit total;
        total.numbers.limit = 1;
        QVERIFY(m_lanes.setLimit(2, total.packed()));
        m_lanes.push("a", {101});
        const QList<ClaimedJob> running = m_lanes.claim(1);
        m_lanes.push("a", {0});
        m_lanes.push("a", {101});
        QVERIFY(m_lanes.finish(running.value(0)));
        QCOMPARE(started(2), (QList<int>{0, 101}));
    }

    void aKeyThatStartedUnderOneNameComesAfterAnotherKeyOfTheOtherName()
    {
        ModelLimit total;
        total.numbers.limit = 1;
        QVERIFY(m_lanes.setLimit(2, total.packed()));
        m_lanes.push("c", {201, 201});
        QCOMPARE(oneByOne(2), (QList<int>{201, 201}));
        m_lanes.push("a", {101, 101});
        const QList<ClaimedJob> running = m_lanes.claim(1, {"a"});
        m_lanes.push("b", {101, 201}); // their keys have had as much
        QVERIFY(m_lanes.finish(running.value(0)));
        const QList<ClaimedJob> next = m_lanes.claim(1, {"a"});
        QCOMPARE(next.size(), 1);
        QVERIFY(m_lanes.finish(next[0]));
        QCOMPARE(started(1, {"b"}), QList<int>{201});
    }

    // A start can hold the one whose turn it is; then the next one's turn comes, and he may be older than the next of the same lane.
    void aStartThatHoldsTheFirstInTurnLetsTheNextInTurnGoAhead()
    {
        ModelLimit total;
        total.numbers.limit = 2;
        QVERIFY(m_lanes.setLimit(2, total.packed()));
        QVERIFY(m_lanes.setRule([](const JobSpec &spec) {
            const int value = Lanes::valueOf(spec);
            if (value == 0)
                return QList<CarriedBucket>{{2, "all", 1}};
            if (value == 201)
                return QList<CarriedBucket>{{1, "2", 1}};
            return QList<CarriedBucket>{{1, "1", 1}, {2, "all", 2}};
        }));
        m_lanes.push("a", {201, 201});
        QCOMPARE(started(1), QList<int>{201}); // so it is the turn of key 1
        m_lanes.push("a", {0, 0, 101});
        QCOMPARE(started(3), (QList<int>{0, 201, 0}));
    }

    void workersOfOneNameSeeTheTurnsOfThatName()
    {
        m_lanes.push("a", QList<int>(3, 101));
        m_lanes.push("b", QList<int>(3, 101));
        m_lanes.push("b", QList<int>(3, 201));
        QCOMPARE(started(4, {"b"}), (QList<int>{101, 201, 101, 201}));
    }

private:
    QList<int> started(int count, const QList<QByteArray> &names = {})
    {
        QList<int> values;
        for (const ClaimedJob &job : m_lanes.claim(count, names))
            values.append(Lanes::valueOf(job.spec));
        return values;
    }

    // Each ends before the next is asked for.
    QList<int> oneByOne(int count)
    {
        QList<int> values;
        for (int i = 0; i < count; ++i) {
            const QList<ClaimedJob> jobs = m_lanes.claim(5);
            for (const ClaimedJob &job : jobs) {
                values.append(Lanes::valueOf(job.spec));
                if (!m_lanes.finish(job))
                    return {};
            }
            if (jobs.size() != 1)
                return values;
        }
        return values;
    }

    Lanes m_lanes;
};

JUNBAN_TEST(TestFair)
#include "test_fair.moc"
