#include "core/queue/queue.h"
#include "tests/core/lua/lanesfixture.h"
#include "tests/support/testmain.h"

#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <map>
#include <numeric>

using namespace junban;
using namespace junban::test;

// Who hears when buckets open by themselves; and more that open at the same moment than one script call looks at.
class TestOpenings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_lanes.start());
        QTRY_COMPARE(m_lanes.link->state(), redis::LinkState::Up);
    }

    // Whoever found a bucket shut hears when it opens by itself: one master has to look then.
    void whenABucketOpensIsTold()
    {
        underRate(ModelLimit::Sliding, 300);
        Queue queue(*m_lanes.stores[0], m_lanes.clock);
        QSignalSpy due(&queue, &Queue::due);
        const auto told_ms = [&] { return due.isEmpty() ? 0 : due.takeLast().first().toLongLong(); };
        m_lanes.push("a", {1, 1});
        QCOMPARE(m_lanes.claim(9).size(), 1);
        QCOMPARE(told_ms(), m_lanes.now_ms + 300);
        m_lanes.passTime(100);
        m_lanes.push("b", {1}); // waits at it from now on
        QCOMPARE(told_ms(), m_lanes.now_ms + 200);
        m_lanes.passTime(1000);
        QCOMPARE(m_lanes.claim(9).size(), 1);
        QCOMPARE(told_ms(), m_lanes.now_ms + 300);
        EnqueueItem late = m_lanes.item("c", 1);
        late.spec.delay_ms = 100;
        QVERIFY(await<QList<Result<Enqueued>>>([&](auto done) { m_lanes.stores[0]->enqueue({late}, done); }).ok());
        m_lanes.passTime(100);
        const auto swept = await<Swept>([&](auto done) { m_lanes.stores[0]->sweep(done); });
        QCOMPARE(swept->nextDue_ms, m_lanes.now_ms + 200);
    }

    // An edit is nobody's engine: its hint is heard by all, be it the only master.
    void whenABucketOpensAfterAnEditIsHeard()
    {
        underRate(ModelLimit::Gcra, 86'400'000);
        redis::Link subscribed(*redis::Address::fromUrl(m_lanes.url()));
        redis::RedisStore store(*m_lanes.link, &subscribed, "lanes", m_lanes.clock, m_lanes.scriptClock);
        qint64 opens_ms = 0;
        store.setHintHandler([&](const Hints &hints) { opens_ms = hints.opens_ms; });
        subscribed.start();
        QTRY_COMPARE(subscribed.state(), redis::LinkState::Up);
        m_lanes.push("a", {1, 1});
        QCOMPARE(m_lanes.claim(9).size(), 1);
        QTRY_COMPARE(m_lanes.command({"PUBSUB", "NUMSUB", "jq:{lanes}:hint"})[1].integer(), 1);
        QVERIFY(m_lanes.setLimit(1, oneIn(ModelLimit::Gcra, 700).packed()));
        QTRY_COMPARE(opens_ms, m_lanes.now_ms + 700);
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

    // A key's last waiting job starts, and what was kept for the key lets others go, of more names than one call reaches: the best of them
    // is next, be it in another call.
    void whatAStartOpensIsReachedBeforeTheNext()
    {
        m_lanes.scriptClock = redis::ScriptClock::TestKeyNarrow;
        m_lanes.begin();
        ModelLimit limit;
        limit.kind = ModelLimit::Share;
        limit.capacity = 3;
        limit.borrow = true;
        limit.shares["kept"].min = 3;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QVERIFY(m_lanes.setRule([](const JobSpec &spec) {
            return QList<CarriedBucket>{{1, Lanes::valueOf(spec) == 0 ? "kept" : "other", 1}};
        }));
        QList<JobId> expected = m_lanes.push("kept", {0}, 9);
        constexpr int names = 20;
        for (int i = 0; i < names; ++i)
            expected.insert(1, m_lanes.push("other" + QByteArray::number(i), {1}, -i).first());
        QList<JobId> got;
        for (int call = 0; call < 3 && got.size() < 3; ++call)
            got += m_lanes.claimIds(9);
        QCOMPARE(got, expected.first(3));
        QCOMPARE(m_lanes.broken(), QByteArray());
    }

private:
    static ModelLimit oneIn(ModelLimit::Algorithm algorithm, qint64 period_ms)
    {
        ModelLimit limit;
        limit.kind = ModelLimit::Rate;
        limit.algorithm = algorithm;
        limit.period_ms = period_ms;
        return limit;
    }
    // Every job carries the one bucket of a rate of one in so long.
    void underRate(ModelLimit::Algorithm algorithm, qint64 period_ms)
    {
        m_lanes.scriptClock = redis::ScriptClock::TestKey;
        m_lanes.begin();
        QVERIFY(m_lanes.setLimit(1, oneIn(algorithm, period_ms).packed()));
        QVERIFY(m_lanes.setRule([](const JobSpec &) { return QList<CarriedBucket>{{1, "k", 1}}; }));
    }

    Lanes m_lanes;
};

JUNBAN_TEST(TestOpenings)
#include "test_openings.moc"
