#include "core/base/isotime.h"
#include "core/jobs/schedule.h"
#include "tests/support/testmain.h"

#include <QRandomGenerator>
#include <QTest>

using namespace junban;

namespace {

constexpr qint64 late_ms = qint64(limits::schedule_late_s * 1000);
constexpr qint64 start_ms = 1'774'000'000'000; // in March 2026

Recurrence every(qint64 every_ms, qint64 anchor_ms = 0)
{
    Recurrence recurrence;
    recurrence.interval = {every_ms, anchor_ms};
    return recurrence;
}

Recurrence cron(const char *text, const char *tz = "UTC")
{
    Recurrence recurrence;
    recurrence.cron = text;
    recurrence.tz = tz;
    return recurrence;
}

Recurrence randomRecurrence(QRandomGenerator &random)
{
    switch (random.bounded(5)) {
    case 0: return every(1'000 * random.bounded(1, 100), random.bounded(100'000));
    case 1: return every(60'000 * random.bounded(1, 3'000));
    case 2: return cron("*/5 * * * *", "Europe/Berlin");
    case 3: return cron("* 9 * * 1", "America/New_York"); // sixty firings on Mondays only
    default: return cron("30 2 * * *", "Europe/Berlin");
    }
}

// All due times from `due_ms` to now, one by one.
QList<qint64> naive(const Firings &firings, qint64 due_ms, qint64 now_ms)
{
    QList<qint64> dues;
    for (std::optional<qint64> at = due_ms; at && *at <= now_ms; at = firings.after_ms(*at))
        dues.append(*at);
    return dues;
}

} // namespace

// What becomes of due times that no master was there for, and how the firings of a recurrence are found.
class TestFirings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFiringInTimeIsOneFiringWhateverThePolicy()
    {
        const Firings firings(every(3'600'000));
        const qint64 due = firings.after_ms(start_ms).value();
        for (const Missed missed : {Missed::Once, Missed::All, Missed::None}) {
            for (const qint64 after : {qint64(0), qint64(20), late_ms}) {
                const auto plan = planFirings(firings, due, due + after, missed, 5, 100);
                QCOMPARE(plan, (QList<PlannedFiring>{{due, due, due + 3'600'000, 0}}));
            }
        }
    }

    void onceMakesOneJobForAllThatWereMissed()
    {
        const Firings firings(every(60'000));
        const qint64 due = firings.after_ms(start_ms).value();
        const auto plan = planFirings(firings, due, due + 600'500, Missed::Once, 5, 100);
        QCOMPARE(plan, (QList<PlannedFiring>{{due, due + 600'000, due + 660'000, 10}}));
    }

    void allMakesAJobForEachOfTheLatest()
    {
        const Firings firings(every(60'000));
        const qint64 due = firings.after_ms(start_ms).value();
        QCOMPARE(planFirings(firings, due, due + 240'500, Missed::All, 3, 100),
            (QList<PlannedFiring>{{due, due + 120'000, due + 180'000, 2}, {due + 180'000, due + 180'000, due + 240'000, 0},
                {due + 240'000, due + 240'000, due + 300'000, 0}}));
        // What does not go into one call goes on from where it ended.
        const auto part = planFirings(firings, due, due + 240'500, Missed::All, 100, 2);
        QCOMPARE(part.size(), 2);
        QCOMPARE(part.last().next_ms, due + 120'000);
    }

    void noneGoesOnWithTheNextToCome()
    {
        const Firings firings(every(3'600'000));
        const qint64 due = firings.after_ms(start_ms).value();
        QCOMPARE(planFirings(firings, due, due + late_ms + 1, Missed::None, 5, 100),
            (QList<PlannedFiring>{{due, 0, due + 3'600'000, 1}}));
        QCOMPARE(planFirings(firings, due, due + 7'200'000 + late_ms + 1, Missed::None, 5, 100),
            (QList<PlannedFiring>{{due, 0, due + 10'800'000, 3}}));
        // The last of them is not late.
        QCOMPARE(planFirings(firings, due, due + 7'200'000 + 5, Missed::None, 5, 100),
            (QList<PlannedFiring>{{due, due + 7'200'000, due + 10'800'000, 2}}));
    }

    void yearsOfMissedFiringsCostNoMoreThanTheBound()
    {
        for (const Recurrence &recurrence : {every(1'000), cron("* * * * *"), cron("* 9 * * 1")}) {
            const Firings firings(recurrence);
            const qint64 due = firings.after_ms(start_ms).value();
            const qint64 now = due + 3 * 366LL * 86'400'000 + 250;
            const auto plan = planFirings(firings, due, now, Missed::All, 50, 100);
            QCOMPARE(plan.size(), 50);
            QCOMPARE(plan.first().seen_ms, due);
            QCOMPARE(plan.first().passedOver, limits::schedule_catch_up_max);
            QVERIFY(plan.last().next_ms > now && plan.last().due_ms <= now);
            for (qsizetype i = 1; i < plan.size(); ++i) {
                QCOMPARE(plan[i].seen_ms, plan[i - 1].next_ms);
                QCOMPARE(firings.after_ms(plan[i - 1].due_ms).value(), plan[i].due_ms);
            }
        }
    }

    // Seed 1544042983: those beyond the bound were taken for all there are.
    void aFewMoreThanTheBoundAreTheLatestAllTheSame()
    {
        const Firings firings(every(60'000));
        const qint64 due = firings.after_ms(start_ms).value();
        for (const int more : {0, 1, 14, 19, 20}) {
            const int total = limits::schedule_catch_up_max + more;
            const auto plan = planFirings(firings, due, due + (total - 1) * 60'000LL + 500, Missed::All, 19, 100);
            QCOMPARE(plan.size(), 19);
            QCOMPARE(plan.first().passedOver, std::min(total - 19, limits::schedule_catch_up_max));
            for (qsizetype i = 0; i < plan.size(); ++i)
                QCOMPARE(plan[i].due_ms, due + (total - 19 + i) * 60'000LL);
        }
    }

    void everyPlanIsWhatThePolicySays()
    {
        const quint32 seed = qEnvironmentVariableIsSet("JUNBAN_SEED") ? qEnvironmentVariable("JUNBAN_SEED").toUInt()
                                                                      : QRandomGenerator::global()->generate();
        QRandomGenerator random(seed);
        for (int i = 0; i < 400; ++i) {
            const Firings firings(randomRecurrence(random));
            const qint64 due = firings.after_ms(start_ms + qint64(random.bounded(1e9))).value();
            const qint64 now = due + qint64(std::pow(10, random.bounded(9.0)));
            const Missed missed = static_cast<Missed>(random.bounded(3));
            const int most = random.bounded(1, 120);
            const int bound = random.bounded(1, 60);
            const QList<qint64> dues = naive(firings, due, now);
            const auto plan = planFirings(firings, due, now, missed, bound, most);
            const int over = int(std::min<qint64>(limits::schedule_catch_up_max, dues.size() - 1));
            qsizetype wanted = missed == Missed::All ? std::min<qsizetype>(bound, dues.size()) : 1;
            QList<qint64> expected = dues.last(wanted).mid(0, most);
            if (missed == Missed::None && now - dues.last() > late_ms)
                expected = {0};
            QList<qint64> found;
            for (const PlannedFiring &firing : plan)
                found.append(firing.due_ms);
            if (found != expected)
                qWarning("seed %u, round %d", seed, i);
            QCOMPARE(found, expected);
            QCOMPARE(plan.first().seen_ms, due);
            if (expected.size() == wanted)
                QCOMPARE(plan.last().next_ms, firings.after_ms(dues.last()).value());
            if (missed == Missed::Once)
                QCOMPARE(plan.first().passedOver, over);
        }
    }

    void aRecurrenceComesBackFromTheStoreAsItWas()
    {
        for (const Recurrence &recurrence : {every(1'500, 77), cron("@daily", "Asia/Tokyo"), every(86'400'000 * 366LL)}) {
            QCOMPARE(Recurrence::unpacked(recurrence.packed()).value(), recurrence);
            QVERIFY(Firings(recurrence).known());
        }
        QVERIFY(!Recurrence::unpacked("").has_value());
        QVERIFY(!Firings(cron("* * * * *", "Europe/Nowhere")).known());
        QVERIFY(!Firings(cron("nonsense")).known());
    }
};

JUNBAN_TEST(TestFirings)
#include "test_firings.moc"
