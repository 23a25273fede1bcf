#include "tests/core/lanesfixture.h"

#include <QRandomGenerator>
#include <QTest>
#include <algorithm>
#include <map>
#include <numeric>

using namespace junban;
using namespace junban::test;

// More buckets that open at the same moment than one script call looks at.
class TestOpenings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_lanes.start());
        QTRY_COMPARE(m_lanes.link->state(), redis::LinkState::Up);
    }

    // However many buckets open at once: the best job first, as if each of them had been looked at.
    void whatOpensAtOnceStartsInItsOrder_data()
    {
        QTest::addColumn<bool>("byTime");
        QTest::addColumn<int>("open");
        QTest::newRow("an edit that opens all") << false << 1;
        QTest::newRow("an edit that opens every third") << false << 3;
        QTest::newRow("time") << true << 1;
    }
    void whatOpensAtOnceStartsInItsOrder()
    {
        QFETCH(bool, byTime);
        QFETCH(int, open);
        m_lanes.scriptClock = redis::ScriptClock::TestKey;
        m_lanes.begin();
        constexpr int keys = 300;
        ModelLimit limit;
        limit.kind = byTime ? ModelLimit::Rate : ModelLimit::Concurrency;
        limit.numbers.limit = byTime ? 1 : 0;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QVERIFY(m_lanes.setRule([](const JobSpec &spec) {
            return QList<CarriedBucket>{{1, QByteArray::number(Lanes::valueOf(spec)), 1}};
        }));
        if (byTime) { // one job of each key takes what its rate gives
            QList<int> all(keys);
            std::iota(all.begin(), all.end(), 0);
            m_lanes.push("a", all);
            for (int started = 0; started < keys; started += 50)
                QCOMPARE(m_lanes.claim(50).size(), 50);
        }
        QRandomGenerator random(quint32(open + byTime));
        std::map<std::pair<int, JobId>, QByteArray> expected;
        for (int key = 0; key < keys; ++key) {
            const QByteArray name(1, char('a' + random.bounded(2)));
            const int priority = random.bounded(-3, 4);
            const JobId id = m_lanes.push(name, {key}, priority).first();
            if (key % open == 0)
                expected[{priority, id}] = name;
        }
        QCOMPARE(m_lanes.claim(1).size(), 0);
        if (byTime) {
            m_lanes.passTime(1000);
        } else {
            limit.numbers.limit = 1;
            for (int key = 0; key < keys; ++key) {
                if (key % open != 0)
                    limit.overrides[QByteArray::number(key)] = ModelLimit::Numbers{0};
            }
            QVERIFY(m_lanes.setLimit(1, limit.packed()));
        }
        while (!expected.empty()) {
            const bool onlyB = random.bounded(3) == 0;
            auto best = expected.begin();
            if (onlyB)
                best = std::find_if(best, expected.end(), [](const auto &job) { return job.second == "b"; });
            const auto got = m_lanes.claimIds(1, onlyB ? QList<QByteArray>{"b"} : QList<QByteArray>{});
            if (best == expected.end()) {
                QCOMPARE(got.size(), 0);
                continue;
            }
            QCOMPARE(got, QList<JobId>{best->first.second});
            expected.erase(best);
        }
        QCOMPARE(m_lanes.claim(1).size(), 0);
        QCOMPARE(m_lanes.broken(), QByteArray());
    }

private:
    Lanes m_lanes;
};

QTEST_GUILESS_MAIN(TestOpenings)
#include "test_openings.moc"
