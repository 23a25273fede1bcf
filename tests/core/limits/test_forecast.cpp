#include "core/limits/forecast.h"
#include "tests/support/testmain.h"

#include <QtTest>

using namespace junban;

// When a backlog is gone, from what waits, starts and comes.
class TestForecast : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatComesMakesABacklogLastLonger()
    {
        BacklogSeen seen{.waiting = 600, .starts = 1'200, .seen_s = 120}; // ten a second
        QCOMPARE(forecastOf(seen).before_s, 60);
        seen.arrivals = 5;
        QCOMPARE(forecastOf(seen).before_s, 120);
        QCOMPARE(forecastOf(seen).after->most_s, 120);
        QCOMPARE(forecastOf(seen).after->least_s, 0); // no limit holds them
        QCOMPARE(forecastOf(seen).growth, 0);
    }

    void aBacklogToWhichMoreComesThanStartsGrowsAndHasNoEnd()
    {
        const Forecast forecast = forecastOf({.waiting = 600, .starts = 1'200, .seen_s = 120, .arrivals = 12});
        QVERIFY(!forecast.before_s && !forecast.after);
        QCOMPARE(forecast.growth, 2);
    }

    void aFewMoreThanStartAreChance()
    {
        const Forecast forecast = forecastOf({.waiting = 600, .starts = 1'200, .seen_s = 120, .arrivals = 10.2});
        QVERIFY(!forecast.before_s && !forecast.after);
        QCOMPARE(forecast.growth, 0);
    }

    void aLimitLetsThoseThatComeStart()
    {
        BacklogSeen seen{.waiting = 600, .starts = 12'000, .seen_s = 120, .arrivals = 5};
        seen.gates = {{"own.c1", 600, 5, 8}};
        const Forecast forecast = forecastOf(seen);
        QCOMPARE(forecast.after->least_s, 200); // three of eight a second are left for what waits
        QCOMPARE(forecast.after->most_s, 200);
        QCOMPARE(forecast.after->limit, QByteArray("own.c1"));
        seen.gates[0].allowed = 4;
        QVERIFY(!forecastOf(seen).after);
        QCOMPARE(forecastOf(seen).growth, 1);
    }

    void theTightestLimitCountsAlsoWhenItIsAnothers()
    {
        BacklogSeen seen{.waiting = 600, .starts = 12'000, .seen_s = 120, .arrivals = 1};
        seen.gates = {{"own.c1", 600, 1, 100}, {"other.c1", 600, 1, 3}};
        QCOMPARE(forecastOf(seen).after->least_s, 300);
        QCOMPARE(forecastOf(seen).after->limit, QByteArray("other.c1"));
    }

    // Jobs of two keys are different jobs; those of two limits may be the same.
    void growthIsOfTheKeysOfOneLimit()
    {
        BacklogSeen seen{.waiting = 600, .starts = 12'000, .seen_s = 120};
        seen.gates = {{"a", 1, 3, 1}, {"a", 1, 3, 2}, {"a", 1, 1, 9}, {"b", 1, 3, 1}};
        QCOMPARE(forecastOf(seen).growth, 3);
    }

    void aRaisedLimitThatSetThePaceShortensItByAsMuch()
    {
        BacklogSeen seen{.waiting = 120, .starts = 60, .seen_s = 60}; // one a second, as the limit has it
        seen.gatesNow = {{"c", 120, 0, 1}};
        seen.gates = {{"c", 120, 0, 60}};
        QCOMPARE(forecastOf(seen).after->least_s, 2);
        QCOMPARE(forecastOf(seen).after->most_s, 2);
        seen.gatesNow[0].allowed = 60; // it did not, so workers do
        QCOMPARE(forecastOf(seen).after->least_s, 2);
        QCOMPARE(forecastOf(seen).after->most_s, 120);
    }

    void withoutAStartNothingIsKnown()
    {
        const Forecast forecast = forecastOf({.waiting = 10, .starts = 0});
        QVERIFY(!forecast.before_s && !forecast.after);
    }
};

JUNBAN_TEST(TestForecast)
#include "test_forecast.moc"
