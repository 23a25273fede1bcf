#include "tests/core/lua/lanesfixture.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// Entries of the ready indexes that lead to no job, as a loss of keys leaves them: a claim drops them and goes on.
class TestDeadEnds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_lanes.start());
        QTRY_COMPARE(m_lanes.link->state(), redis::LinkState::Up);
    }
    void init() { m_lanes.begin(); }

    void aLaneWithoutJobs()
    {
        QVERIFY(m_lanes.setRule({}));
        m_lanes.push("a", {1});
        theOtherStartsAfterTheLossOf("lane:*");
    }

    void aLaneOfWhichNothingIsKnown()
    {
        QVERIFY(m_lanes.setRule(limited));
        m_lanes.push("a", {1});
        theOtherStartsAfterTheLossOf("li:*");
    }

    void aLaneWithoutJobsThatIsToBeRead()
    {
        QVERIFY(m_lanes.setRule(limited));
        m_lanes.push("a", {1});
        QVERIFY(m_lanes.setRule(limited));
        theOtherStartsAfterTheLossOf("lane:*");
    }

private:
    static QList<CarriedBucket> limited(const JobSpec &spec) { return {{1, QByteArray::number(Lanes::valueOf(spec)), 1}}; }

    void theOtherStartsAfterTheLossOf(const QByteArray &pattern)
    {
        const redis::Reply lost = m_lanes.command({"KEYS", "jq:{lanes}:" + pattern});
        QCOMPARE(lost.size(), 1);
        m_lanes.command({"DEL", lost[0].bytes()});
        const QList<JobId> other = m_lanes.push("b", {2});
        QCOMPARE(m_lanes.claimIds(2), other);
        QCOMPARE(m_lanes.command({"EXISTS", "jq:{lanes}:ready"}).integer(), 0);
    }

    Lanes m_lanes;
};

JUNBAN_TEST(TestDeadEnds)
#include "test_deadends.moc"
