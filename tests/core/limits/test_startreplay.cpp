#include "core/limits/startreplay.h"
#include "tests/support/testmain.h"

#include <QtTest>

using namespace junban;

namespace {

Constraint with(Parameters parameters)
{
    Constraint constraint;
    constraint.parameters = std::move(parameters);
    return constraint;
}

// Starts one second after another, of jobs that ran for five; keys in turn.
QList<PastStart> starts(int count, int keys, qint64 apart_ms, qint64 cost = 1)
{
    QList<PastStart> list;
    for (int i = 0; i < count; ++i)
        list.append({1'000'000 + i * apart_ms, 5'000, {{0, QByteArray::number(i % keys), cost}}});
    return list;
}

} // namespace

class TestStartReplay : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void limitsDelayWhatTheyWouldHaveHeld_data()
    {
        QTest::addColumn<QList<PastStart>>("past");
        QTest::addColumn<Constraint>("limit");
        QTest::addColumn<qint64>("delayed");
        QTest::addColumn<qint64>("sum_s");
        QTest::addColumn<qint64>("most_s");
        const Constraint sliding = with(RateParameters{2, 10, 1, {}, RateAlgorithm::Sliding});
        QTest::newRow("sliding, all at once") << starts(10, 1, 0) << sliding << qint64(8) << qint64(200) << qint64(40);
        QTest::newRow("sliding, two keys") << starts(4, 2, 0) << sliding << qint64(0) << qint64(0) << qint64(0);
        QTest::newRow("sliding, far enough apart") << starts(10, 1, 5'000) << sliding << qint64(0) << qint64(0) << qint64(0);
        QTest::newRow("sliding, each costs two") << starts(3, 1, 0, 2) << sliding << qint64(2) << qint64(30) << qint64(20);
        QTest::newRow("gcra") << starts(4, 1, 0) << with(RateParameters{1, 10}) << qint64(3) << qint64(60) << qint64(30);
        QTest::newRow("gcra with a burst") << starts(4, 1, 0) << with(RateParameters{1, 10, 3}) << qint64(1) << qint64(10) << qint64(10);
        QTest::newRow("fixed") << starts(3, 1, 0) << with(RateParameters{1, 100, 1, {}, RateAlgorithm::Fixed}) << qint64(2)
                               << qint64(300) << qint64(200);
        QTest::newRow("concurrency") << starts(6, 1, 0) << with(ConcurrencyParameters{2}) << qint64(4) << qint64(30) << qint64(10);
        QTest::newRow("concurrency, one costs more than there is") << starts(2, 1, 0, 9) << with(ConcurrencyParameters{2}) << qint64(1)
                                                                   << qint64(5) << qint64(5);
        QTest::newRow("a window is left out") << starts(3, 1, 0) << with(WindowParameters{}) << qint64(0) << qint64(0) << qint64(0);
        QTest::newRow("a limit of 0 is left out") << starts(3, 1, 0) << with(ConcurrencyParameters{0}) << qint64(0) << qint64(0)
                                                  << qint64(0);
    }
    void limitsDelayWhatTheyWouldHaveHeld()
    {
        QFETCH(QList<PastStart>, past);
        QFETCH(Constraint, limit);
        const Replayed replayed = replay(past, {limit});
        QCOMPARE(replayed.starts, past.size());
        QTEST(replayed.delayed, "delayed");
        QTEST(replayed.delaySum_ms / 1000, "sum_s");
        QTEST(replayed.delayMost_ms / 1000, "most_s");
    }

    void aBurstIsNoRate()
    {
        QCOMPARE(steadyRate({}), 0);
        QCOMPARE(steadyRate({0, 0, 600, 0, 0}), 0);
        QCOMPARE(steadyRate({120, 120, 0, 120, 9'000}), 2);
        QCOMPARE(steadyRate({0, 0, 0, 0, 0, 0, 120, 60, 120}), 2); // they began to come three minutes ago
        QCOMPARE(steadyRate({0, 0, 0, 0, 0, 0, 0, 0, 9'000}), 0);
    }

    void startsAreCountedInSteps()
    {
        const Replayed replayed = replay(starts(4, 1, 0), {with(RateParameters{1, 10})});
        QCOMPARE(inSteps(replayed.startedAt_ms, replayed.startedAt_ms.first() + 39'999, 10'000, 4), QList<qint64>({1, 1, 1, 1}));
        QCOMPARE(inSteps({999, 1'000, 1'001, 2'000, 3'000, 3'001}, 3'000, 1'000, 2), QList<qint64>({1, 2}));
        QCOMPARE(inSteps({}, 3'000, 1'000, 2), QList<qint64>({0, 0}));
    }

    void severalLimitsHoldTogether()
    {
        QList<PastStart> past = starts(4, 1, 0);
        for (PastStart &start : past)
            start.carried.append({1, {}, 1});
        const Replayed replayed
            = replay(past, {with(ConcurrencyParameters{1}), with(RateParameters{2, 60, 1, {}, RateAlgorithm::Sliding})});
        // 0, then 5 (the first ran so long), then a minute after the first, then five seconds after that one.
        QCOMPARE(replayed.delaySum_ms, 5'000 + 60'000 + 65'000);
    }
};

JUNBAN_TEST(TestStartReplay)
#include "test_startreplay.moc"
