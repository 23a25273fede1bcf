#include "tests/core/lua/pastfixture.h"
#include "tests/support/testmain.h"

#include <QRandomGenerator>
#include <QTest>

using namespace junban;
using namespace junban::test;

// What the charts show: the totals' growth and the states' sizes by the second and by the minute.
class TestSeries : public QObject, private PastFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(start()); }
    void init() { begin(); }
    void cleanup()
    {
        const QByteArray wrong = end();
        QCOMPARE(wrong, QByteArray());
    }

    void aSeriesCountsWhatHappenedWhateverTheNumberOfMasters()
    {
        sweep();
        pass(second_ms);
        for (int i = 0; i < 5; ++i)
            push(named("a"));
        sweep();
        push(named("a"));
        push(named("a"));
        sweep(); // another master in the same second: what came since is of the next
        pass(second_ms);
        push(named("a"));
        sweep();
        auto last = [this](Metric metric, qint64 range_s, int n) { return series(metric, range_s).values.last(n); };
        QCOMPARE(last(Metric::Enqueued, 600, 3), (QList<qint64>{0, 5, 3}));
        QCOMPARE(last(Metric::ReadyJobs, 600, 3), (QList<qint64>{0, 5, 8}));
        QCOMPARE(last(Metric::Enqueued, 3'600, 1), QList<qint64>{8});
        QCOMPARE(last(Metric::Enqueued, 7 * 86'400, 1), QList<qint64>{8});
        pass(minute_ms);
        sweep();
        QCOMPARE(last(Metric::Enqueued, 3'600, 2), (QList<qint64>{8, 0}));
        QCOMPARE(last(Metric::ReadyJobs, 3'600, 2), (QList<qint64>{8, 8}));
        QCOMPARE(series(Metric::Enqueued, 600).values.size(), 600);
        QCOMPARE(sumOf(series(Metric::Enqueued, 600)), 8);
    }

    void eachStateHasItsSize()
    {
        sweep();
        pass(second_ms);
        JobSpec later = named("later");
        later.delay_ms = hour_ms;
        for (int i = 0; i < 2; ++i)
            push(later);
        for (int i = 0; i < 3; ++i) {
            push(named("runs"));
            (void)claimOf("runs");
        }
        for (int i = 0; i < 4; ++i)
            push(named("waits"));
        for (int i = 0; i < 5; ++i)
            failed("fails", "x");
        JobSpec after = named("after");
        after.dependsOn = {push(named("waits"))};
        for (int i = 0; i < 6; ++i)
            push(after);
        for (int i = 0; i < 7; ++i) {
            push(named("awaits"));
            const ClaimedJob job = claimOf("awaits");
            const HandoffItem item{job.id, job.lease, QByteArray::number(i), hour_ms};
            QVERIFY(await<StateNow>([&](auto done) { m_store->handOff(item, done); }).ok());
        }
        sweep();
        const auto now = [this](Metric metric) { return series(metric, 600).values.last(); };
        QCOMPARE(now(Metric::ScheduledJobs), 2);
        QCOMPARE(now(Metric::RunningJobs), 3);
        QCOMPARE(now(Metric::ReadyJobs), 5);
        QCOMPARE(now(Metric::FailedJobs), 5);
        QCOMPARE(now(Metric::DependsJobs), 6);
        QCOMPARE(now(Metric::AwaitingJobs), 7);
    }

    void aSecondThatNobodySampledSharesWithTheNext()
    {
        sweep();
        for (int i = 0; i < 6; ++i)
            push(named("a"));
        pass(3 * second_ms);
        sweep();
        QCOMPARE(series(Metric::Enqueued, 600).values.last(3), (QList<qint64>{2, 2, 2}));
    }

    void secondsInWhichNoMasterLookedAreNone()
    {
        QList<qint64> enqueued(600, 0), ready(600, 0), sampled(600, 0);
        sampled.last() = 1;
        QList<int> gaps(60, 10); // then there is something everywhere
        for (const int gap_s : {11, 200, 2, 587, 1, 10, 599, 1, 600, 3, 10'000, 1})
            gaps.append(gap_s);
        sweep();
        qint64 all = 0;
        for (const int gap_s : std::as_const(gaps)) {
            const int jobs = gap_s % 7 + 1;
            for (int i = 0; i < jobs; ++i)
                push(named("a"));
            pass(gap_s * second_ms);
            sweep();
            all += jobs;
            const int shared = gap_s <= 10 ? gap_s : 1;
            for (int s = 1; s <= gap_s; ++s) {
                const int share = s - (gap_s - shared);
                enqueued.append(share < 1 ? 0 : jobs * share / shared - jobs * (share - 1) / shared);
                ready.append(share < 1 ? 0 : all);
                sampled.append(share == shared || (share >= 1 && shared <= 3));
            }
            QCOMPARE(series(Metric::Enqueued, 600).values, enqueued.last(600));
            QCOMPARE(series(Metric::ReadyJobs, 600).values, ready.last(600));
            QCOMPARE(sumOf(series(Metric::Failures, 600)), 0);
            QCOMPARE(sampledIn(series(Metric::Enqueued, 600)), sampled.last(600));
        }
    }

    void minutesInWhichNoMasterLookedAreGaps()
    {
        sweep();
        pass(10 * minute_ms);
        sweep();
        pass(5 * minute_ms);
        sweep();
        QList<qint64> sampled(60, 0);
        sampled[44] = sampled[54] = sampled[59] = 1;
        QCOMPARE(sampledIn(series(Metric::ReadyJobs, 3'600)), sampled);
        pass(2 * minute_ms); // the present minute and the one before have no sample
        sampled = sampled.sliced(2) + QList<qint64>{0, 0};
        QCOMPARE(sampledIn(series(Metric::ReadyJobs, 3'600)), sampled);
    }

    void aSeriesCrossesMidnightAndIsKeptEightDays()
    {
        sweep();
        for (int n = 0; n < 30; ++n) {
            push(named("a"));
            pass(hour_ms);
            sweep();
        }
        const SeriesData data = series(Metric::Enqueued, 3 * 86'400);
        QCOMPARE(data.step_s, 300);
        QCOMPARE(sumOf(data), 30);
        QCOMPARE(data.from_s + qint64(data.values.size()) * data.step_s, (m_now_ms / 300'000 + 1) * 300);
        pass(6 * day_ms);
        sweep();
        QCOMPARE(sumOf(series(Metric::Enqueued, 8 * 86'400)), 30);
        pass(3 * day_ms);
        sweep();
        QCOMPARE(sumOf(series(Metric::Enqueued, 8 * 86'400)), 0);
        QCOMPARE(keys("ser:*"), 4); // the seconds, the two days that were seen of the last eight, and the names' totals
    }

    void aNameHasASeriesOfItsOwnFromTheFirstLookOn()
    {
        push(named("a"));
        sweep();
        push(named("a"));
        push(named("b"));
        pass(10 * second_ms);
        sweep();
        for (int n = 0; n < 4; ++n)
            push(named("b"));
        pass(minute_ms);
        sweep();
        const auto last = [this](const QByteArray &name, qint64 range_s, int n) {
            return series(Metric::Enqueued, range_s, name).values.last(n);
        };
        QCOMPARE(last("a", 3'600, 2), (QList<qint64>{1, 0}));
        QCOMPARE(last("b", 3'600, 2), (QList<qint64>{1, 4}));
        QCOMPARE(last("a", 3 * 86'400, 1), QList<qint64>{1});
        QCOMPARE(series(Metric::Enqueued, 300, "b").step_s, 60); // there are no seconds of a name
        QCOMPARE(series(Metric::Enqueued, 300, "b").values.size(), 5);
        QCOMPARE(sumOf(series(Metric::Failures, 3'600, "b")), 0);
        QCOMPARE(sumOf(series(Metric::Enqueued, 3'600, "never seen")), 0);
        // Before the first look nothing is known of names.
        QCOMPARE(sampledIn(series(Metric::Enqueued, 3'600, "a")), (QList<qint64>(58, 0) + QList<qint64>{1, 1}));
    }

    void whatNamesCountIsWhatAllCountTogether()
    {
        sweep();
        QRandomGenerator random(15);
        for (int n = 0; n < 300; ++n) {
            for (int job = random.bounded(4); job > 0; --job)
                push(named("name " + QByteArray::number(random.bounded(3))));
            pass(random.bounded(1, 14) * second_ms);
            sweep();
        }
        pass(10 * second_ms);
        sweep();
        qint64 sum = 0;
        for (const char *name : {"name 0", "name 1", "name 2"})
            sum += sumOf(series(Metric::Enqueued, 3 * 3'600, name));
        QCOMPARE(sum, sumOf(series(Metric::Enqueued, 3 * 3'600)));
    }

    void namesBeyondTheBoundHaveGapsAlone()
    {
        sweep();
        for (int n = 0; n < limits::series_names_max + 1; ++n)
            push(named("name " + QByteArray::number(n)));
        pass(10 * second_ms);
        sweep();
        const QByteArray last = "name " + QByteArray::number(limits::series_names_max);
        QCOMPARE(sumOf(series(Metric::Enqueued, 3'600, "name " + QByteArray::number(limits::series_names_max - 1))), 1);
        QCOMPARE(sumOf(series(Metric::Enqueued, 3'600, last)), 0);
        pass(minute_ms);
        sweep();
        QCOMPARE(sampledIn(series(Metric::Enqueued, 3'600, last)).first(59), QList<qint64>(59, 0));
    }

private:
    SeriesData series(Metric metric, qint64 range_s, const QByteArray &name = {})
    {
        return await<SeriesData>([&](auto done) { m_past->series({metric, range_s, name}, done); }).value();
    }
    // 1 for each step that is in no gap.
    static QList<qint64> sampledIn(const SeriesData &data)
    {
        QList<qint64> sampled(data.values.size(), 1);
        for (const SeriesGap &gap : data.gaps) {
            for (qint64 at = gap.from_s; at < gap.to_s; at += data.step_s)
                sampled[(at - data.from_s) / data.step_s] = 0;
        }
        return sampled;
    }
    static qint64 sumOf(const SeriesData &data)
    {
        qint64 sum = 0;
        for (const qint64 value : data.values)
            sum += value;
        return sum;
    }
};

JUNBAN_TEST(TestSeries)
#include "test_series.moc"
