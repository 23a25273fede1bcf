#include "tests/simulation/world.h"
#include "tests/support/testmain.h"
#include "tests/support/walks.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// Masters, the engine, the journal and Redis servers from a seed. JUNBAN_SIMULATION_SEED repeats a run; JUNBAN_LONG takes many more.
class TestSimulation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasAnsweredIsThere()
    {
        Walks all("JUNBAN_SIMULATION_SEED", 24, 4'000);
        Row row("P1–P8 engine, journal and servers", all, "violations");
        World::Counts sum;
        while (all.next()) {
            World world(all.seed(), SimServer::Fence::Whole, steps);
            const QByteArray wrong = world.run();
            const World::Counts &one = world.counts();
            row.add("calls", one.calls);
            row.add("told", one.told);
            row.add("takes", one.taken);
            row.add("healed", one.healed);
            row.add("failovers", one.failovers);
            row.add("lost", one.lost);
            row.add("compared", one.compared);
            sum.told += one.told;
            sum.healed += one.healed;
            sum.failovers += one.failovers;
            sum.compared += one.compared;
            QVERIFY2(wrong.isEmpty(), QByteArray(all.variable()) + '=' + QByteArray::number(all.seed()) + ": " + wrong);
        }
        QVERIFY(all.repeated() || all.begun() < 20 || (sum.told > 1'000 && sum.healed > 0 && sum.failovers > 10 && sum.compared > 20));
    }

    void eachFaultOfTheFenceIsFound_data()
    {
        QTest::addColumn<int>("fence");
        QTest::newRow("CLIENT KILL") << int(SimServer::Fence::ClientKill);
        QTest::newRow("no id") << int(SimServer::Fence::WithoutId);
        QTest::newRow("no number") << int(SimServer::Fence::WithoutNumber);
    }

    void eachFaultOfTheFenceIsFound()
    {
        QFETCH(int, fence);
        constexpr quint32 seeds = 40;
        QByteArray found;
        quint32 seed = 1;
        for (; found.isEmpty() && seed <= seeds; ++seed)
            found = World(seed, SimServer::Fence(fence), steps).run();
        QVERIFY(!found.isEmpty());
        qInfo("seed %u: %s", seed - 1, found.constData());
    }

private:
    static constexpr int steps = 8'000;
};

JUNBAN_TEST(TestSimulation)
#include "test_simulation.moc"
