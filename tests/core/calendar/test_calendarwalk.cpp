#include "core/base/isotime.h"
#include "core/calendar/cron.h"
#include "core/calendar/windows.h"
#include "tests/support/testmain.h"
#include "tests/support/walks.h"

#include <QRandomGenerator>
#include <QSet>
#include <QTest>
#include <QTimeZone>
#include <vector>

using namespace junban;

namespace {

constexpr qint64 minute_ms = 60'000;
constexpr qint64 day_ms = 24 * 60 * minute_ms;
constexpr qint64 longAgo = std::numeric_limits<qint64>::min();

qint64 momentOf(const char *iso)
{
    return fromIsoTime(iso).value();
}

int weekdayOf(qint64 day) // 0 is Monday
{
    return int(((day + 3) % 7 + 7) % 7);
}

// What every minute of some days of a zone shows, asked of Qt minute by minute: the slow truth that the calendar is compared with.
class Minutes
{
public:
    Minutes(const QByteArray &zone, qint64 from, int days)
        : m_from(from)
    {
        const QTimeZone truth(zone);
        m_wall.resize(days * 24 * 60);
        for (qsizetype i = 0; i < m_wall.size(); ++i) {
            const qint64 moment = from + i * minute_ms;
            m_wall[i] = moment + truth.offsetFromUtc(QDateTime::fromMSecsSinceEpoch(moment, Qt::UTC)) * 1'000LL;
        }
        m_highest = m_wall;
        m_lowest = m_wall;
        for (qsizetype i = 1; i < m_wall.size(); ++i)
            m_highest[i] = std::max(m_highest[i], m_highest[i - 1]);
        for (qsizetype i = m_wall.size() - 2; i >= 0; --i)
            m_lowest[i] = std::min(m_lowest[i], m_lowest[i + 1]);
    }

    qsizetype size() const { return m_wall.size(); }
    qint64 moment(qsizetype i) const { return m_from + i * minute_ms; }
    qint64 wall(qsizetype i) const { return m_wall[i]; }
    // The first minute that shows this or more, and the first from which on nothing less is shown.
    qsizetype first(qint64 wall) const { return std::lower_bound(m_highest.begin(), m_highest.end(), wall) - m_highest.begin(); }
    qsizetype settled(qint64 wall) const { return std::lower_bound(m_lowest.begin(), m_lowest.end(), wall) - m_lowest.begin(); }
    bool steady(qsizetype from, qsizetype to) const { return m_wall[to] - m_wall[from] == (to - from) * minute_ms; }

private:
    qint64 m_from;
    QList<qint64> m_wall, m_highest, m_lowest;
};

QList<bool> openMinutes(const QList<Window> &windows, const QHash<QByteArray, Minutes *> &zones, qsizetype size)
{
    QList<bool> open(size, false);
    for (const Window &window : windows) {
        const Minutes &minutes = *zones[window.tz];
        const qint64 first = minutes.wall(0) / day_ms;
        for (qint64 day = first; day * day_ms < minutes.wall(size - 1); ++day) {
            if (!(window.days >> weekdayOf(day) & 1))
                continue;
            const int to_min = window.to_min <= window.from_min ? window.to_min + 1'440 : window.to_min;
            for (qsizetype i = minutes.first(day * day_ms + window.from_min * minute_ms);
                 i < minutes.settled(day * day_ms + to_min * minute_ms); ++i)
                open[i] = true;
        }
    }
    return open;
}

// One field of an expression: what it says and what it means.
struct Field {
    QByteArray text;
    QSet<int> values;
    bool star = false;
};

// Lists and ranges go up to `listed` only, stars to `max`: a list of the 30th and 31st alone may never come.
Field randomField(QRandomGenerator &random, int min, int max, int listed)
{
    const auto pick = [&] { return random.bounded(min, listed + 1); };
    Field field;
    const auto range = [&field](int from, int to, int step) {
        for (int value = from; value <= to; value += step)
            field.values.insert(value);
    };
    const int step = random.bounded(2, 8);
    switch (random.bounded(6)) {
    case 0:
    case 1:
        field.text = "*";
        field.star = true;
        range(min, max, 1);
        break;
    case 2:
        field.text = "*/" + QByteArray::number(step);
        field.star = true;
        range(min, max, step);
        break;
    case 3: {
        const int from = pick();
        const int to = random.bounded(from, listed + 1);
        field.text = QByteArray::number(from) + '-' + QByteArray::number(to) + '/' + QByteArray::number(step);
        range(from, to, step);
        break;
    }
    default:
        for (int i = random.bounded(1, 4); i > 0; --i) {
            const int value = pick();
            field.text += (field.text.isEmpty() ? "" : ",") + QByteArray::number(value);
            field.values.insert(value);
        }
    }
    return field;
}

struct RandomCron {
    Field minute, hour, day, month, weekday;

    explicit RandomCron(QRandomGenerator &random)
        : minute(randomField(random, 0, 59, 59))
        , hour(randomField(random, 0, 23, 23))
        , day(randomField(random, 1, 31, 28))
        , month(randomField(random, 1, 12, 12))
        , weekday(randomField(random, 0, 6, 6))
    {
        if (random.bounded(3)) // most of them: often enough to be met in a few weeks
            month = Field{"*", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, true};
        if (random.bounded(3) == 0)
            hour = Field{"1,2", {1, 2}, false}; // when clocks change
    }
    QByteArray text() const { return minute.text + ' ' + hour.text + ' ' + day.text + ' ' + month.text + ' ' + weekday.text; }
    bool realTime() const { return minute.star || hour.star; }
    bool matches(qint64 wall) const
    {
        const QDateTime time = QDateTime::fromMSecsSinceEpoch(wall, Qt::UTC);
        const bool date = day.values.contains(time.date().day());
        const bool week = weekday.values.contains(time.date().dayOfWeek() % 7);
        return minute.values.contains(time.time().minute()) && hour.values.contains(time.time().hour())
            && month.values.contains(time.date().month()) && (day.star || weekday.star ? date && week : date || week);
    }
};

// Places and days where clocks are changed in every way there is, and one where they never are.
struct Place {
    const char *zone;
    const char *from; // 24 days from here
};
constexpr Place places[] = {
    {"Europe/Berlin", "2026-03-15T00:00:00Z"}, {"Europe/Berlin", "2026-10-12T00:00:00Z"}, {"Europe/Berlin", "2024-02-20T00:00:00Z"},
    {"America/New_York", "2027-03-01T00:00:00Z"}, {"America/New_York", "2025-10-25T00:00:00Z"},
    {"Australia/Lord_Howe", "2026-03-25T00:00:00Z"}, {"Australia/Lord_Howe", "2026-09-25T00:00:00Z"},
    {"Asia/Tokyo", "2026-06-20T00:00:00Z"}, {"Africa/Casablanca", "2026-02-08T00:00:00Z"}, {"Africa/Casablanca", "2026-03-13T00:00:00Z"},
    {"Pacific/Apia", "2011-12-20T00:00:00Z"}, {"Pacific/Apia", "2012-03-25T00:00:00Z"}, {"America/Sao_Paulo", "2018-10-25T00:00:00Z"},
    {"America/Sao_Paulo", "2019-02-06T00:00:00Z"}, {"America/Havana", "2026-10-22T00:00:00Z"}, {"Asia/Beirut", "2026-03-18T00:00:00Z"},
    {"UTC", "2024-02-20T00:00:00Z"},
};
constexpr int placeDays = 24;
constexpr int placeCount = int(std::size(places));

} // namespace

// Windows and cron expressions at random, compared with a walk minute by minute wherever clocks are changed. JUNBAN_SEED repeats a walk.
class TestCalendarWalk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        for (const Place &place : places) {
            m_here.emplace_back(place.zone, momentOf(place.from), placeDays);
            m_tokyo.emplace_back("Asia/Tokyo", momentOf(place.from), placeDays);
        }
    }

    void windowsAreOpenWhenAWalkMinuteByMinuteSaysSo()
    {
        QRandomGenerator random = seeded();
        test::Rounds rounds(4 * placeCount, 400 * placeCount);
        const test::Row row("Windows beside a walk minute by minute", rounds, "mismatches");
        while (rounds.next()) {
            const Place &place = placeOf(rounds);
            Minutes &here = minutesOf(rounds);
            Minutes &tokyo = m_tokyo[size_t(&place - places)];
            const QHash<QByteArray, Minutes *> zones{{place.zone, &here}, {"Asia/Tokyo", &tokyo}};
            const QList<Window> windows = randomWindows(random, place.zone);
            compareWindows(windows, here, openMinutes(windows, zones, here.size()), random);
            if (QTest::currentTestFailed()) {
                qWarning("%s, %s, seed %u", place.zone, windowsToMsgpack(windows).constData(), m_seed);
                return;
            }
        }
    }

    void onDaysWithoutAChangeAWindowIsWhatTheWallClockShows()
    {
        QRandomGenerator random = seeded();
        test::Rounds rounds(4 * placeCount, 400 * placeCount);
        const test::Row row("Windows beside the wall clock", rounds, "mismatches");
        while (rounds.next()) {
            const Minutes &here = minutesOf(rounds);
            Window one = randomWindows(random, placeOf(rounds).zone).first();
            one.tz = placeOf(rounds).zone;
            for (int i = 0; i < 300; ++i) {
                const qsizetype minute = random.bounded(2 * 1'440, int(here.size()) - 2 * 1'440);
                if (!here.steady(minute - 2 * 1'440, minute + 1'440))
                    continue;
                const qint64 day = here.wall(minute) / day_ms;
                const int now = int(here.wall(minute) % day_ms / minute_ms);
                const bool overnight = one.to_min <= one.from_min;
                const auto on = [&](qint64 d) { return bool(one.days >> weekdayOf(d) & 1); };
                const bool expected = overnight ? (now >= one.from_min && on(day)) || (now < one.to_min && on(day - 1))
                                                : now >= one.from_min && now < one.to_min && on(day);
                QCOMPARE(isOpen({one}, here.moment(minute)), expected);
            }
        }
    }

    void cronFiresWhenAWalkMinuteByMinuteSaysSo()
    {
        QRandomGenerator random = seeded();
        int fired = 0;
        test::Rounds rounds(8 * placeCount, 800 * placeCount);
        test::Row row("Cron beside a walk minute by minute", rounds, "mismatches");
        while (rounds.next()) {
            const Place &place = placeOf(rounds);
            const Minutes &here = minutesOf(rounds);
            const TimeZone zone = *TimeZone::named(place.zone, "tz");
            const RandomCron expression(random);
            const QList<qint64> expected = firings(expression, here);
            const Result<Cron> parsed = Cron::parse(expression.text(), "cron");
            QVERIFY2(parsed.ok(), expression.text() + (parsed.ok() ? "" : parsed.error().message()));
            qint64 moment = here.moment(3 * 1'440) - 1;
            for (const qint64 next : expected) {
                if (next <= moment)
                    continue;
                const std::optional<qint64> found = parsed->nextAfter_ms(moment, zone);
                if (found != next)
                    qWarning("%s in %s, seed %u", expression.text().constData(), place.zone, m_seed);
                QCOMPARE(isoTime(found.value()), isoTime(next));
                // From anywhere in between it is the same one.
                const qint64 between = moment + qint64(random.generateDouble() * double(next - moment));
                QCOMPARE(parsed->nextAfter_ms(between, zone).value(), next);
                moment = next;
                ++fired;
                row.add("due times", 1);
            }
        }
        QVERIFY(fired > 20 * rounds.begun() || rounds.begun() < placeCount);
    }

    void anyBytesAreReadOrRefused()
    {
        QRandomGenerator random = seeded();
        const QByteArrayList pieces{"*", "1", "5", "12", "1-3", "*/2", ",", "/", "-", "L",
             "MON", "jan", "0", "7", "60", "?", "\xff", "@daily"};
        int good = 0;
        for (int i = 0; i < 30'000; ++i) {
            QByteArray text;
            for (int field = 0; field < 5; ++field) {
                for (int n = random.bounded(1, 3); n > 0; --n)
                    text += pieces[random.bounded(random.bounded(3) ? 6 : int(pieces.size()))];
                text += ' ';
            }
            const Result<Cron> parsed = Cron::parse(text, "cron");
            if (!parsed.ok())
                continue;
            ++good;
            QVERIFY(parsed->nextAfter_ms(momentOf("2026-01-01T00:00:00Z"), TimeZone::utc()).value() > momentOf("2026-01-01T00:00:00Z"));
        }
        QVERIFY(good > 100);
    }

    void windowsComeBackAsTheyWere()
    {
        QRandomGenerator random = seeded();
        for (int i = 0; i < 200; ++i) {
            const QList<Window> windows = randomWindows(random, "Africa/Casablanca");
            QCOMPARE(windowsFromMsgpack(windowsToMsgpack(windows), "w").value(), windows);
        }
    }

private:
    // Each round is at the next place.
    static const Place &placeOf(const test::Rounds &rounds) { return places[(rounds.begun() - 1) % placeCount]; }
    Minutes &minutesOf(const test::Rounds &rounds) { return m_here[size_t((rounds.begun() - 1) % placeCount)]; }

    QRandomGenerator seeded()
    {
        m_seed = qEnvironmentVariableIsSet("JUNBAN_SEED") ? qEnvironmentVariable("JUNBAN_SEED").toUInt()
                                                          : QRandomGenerator::global()->generate();
        return QRandomGenerator(m_seed);
    }

    static QList<Window> randomWindows(QRandomGenerator &random, const QByteArray &zone)
    {
        QList<Window> windows;
        for (int i = random.bounded(1, 4); i > 0; --i) {
            Window one;
            // Half of them begin or end when clocks are changed.
            one.from_min = random.bounded(2) ? random.bounded(1'440) : random.bounded(240);
            one.to_min = random.bounded(2) ? random.bounded(1'441) : random.bounded(240);
            one.tz = random.bounded(4) ? zone : QByteArray("Asia/Tokyo");
            one.days = random.bounded(2) ? quint8(0x7f) : quint8(random.bounded(1, 128));
            windows.append(one);
        }
        return windows;
    }

    static void compareWindows(const QList<Window> &windows, const Minutes &minutes, const QList<bool> &open, QRandomGenerator &random)
    {
        // The first and the last days lack what lies outside of the walk.
        const qsizetype begin = 4 * 1'440, end = minutes.size() - 4 * 1'440;
        QList<qint64> changes;
        for (qsizetype i = begin; i < end; ++i) {
            if (open[i] != open[i - 1])
                changes.append(minutes.moment(i));
        }
        for (int i = 0; i < 60; ++i) {
            const qsizetype minute = random.bounded(int(begin), int(end));
            QCOMPARE(isOpen(windows, minutes.moment(minute)), open[minute]);
            const qsizetype next = open.indexOf(true, minute);
            if (next >= 0 && next < end)
                QCOMPARE(isoTime(nextOpening_ms(windows, minutes.moment(minute))), isoTime(minutes.moment(next)));
            QList<qint64> expected = changes;
            expected.removeIf([&](qint64 change) { return change <= minutes.moment(minute); });
            QCOMPARE(boundaries_ms(windows, minutes.moment(minute), int(expected.size())), expected);
        }
    }

    static QList<qint64> firings(const RandomCron &expression, const Minutes &minutes)
    {
        QList<qint64> moments;
        if (expression.realTime()) {
            for (qsizetype i = 0; i < minutes.size(); ++i) {
                if (expression.matches(minutes.wall(i)))
                    moments.append(minutes.moment(i));
            }
            return moments;
        }
        qint64 last = longAgo;
        for (qint64 wall = minutes.wall(0) + day_ms; wall < minutes.wall(minutes.size() - 1) - day_ms; wall += minute_ms) {
            if (!expression.matches(wall))
                continue;
            const qint64 moment = minutes.moment(minutes.first(wall));
            if (moment != last)
                moments.append(moment);
            last = moment;
        }
        return moments;
    }

    std::vector<Minutes> m_here, m_tokyo; // by place
    quint32 m_seed = 0;
};

JUNBAN_TEST(TestCalendarWalk)
#include "test_calendarwalk.moc"
