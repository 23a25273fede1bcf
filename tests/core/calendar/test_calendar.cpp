#include "core/base/isotime.h"
#include "core/calendar/cron.h"
#include "core/calendar/windows.h"
#include "core/calendar/zonelinks.h"
#include "core/limits.h"
#include "core/msgpack/msgpackwriter.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <QTimeZone>

using namespace junban;

namespace {

qint64 at(const char *iso)
{
    return fromIsoTime(iso).value();
}

Cron cron(const char *text)
{
    const Result<Cron> parsed = Cron::parse(text, "cron");
    if (!parsed.ok())
        qFatal("%s", parsed.error().message().constData());
    return *parsed;
}

QByteArray nextText(const char *text, const char *zone, const char *after, int count)
{
    const TimeZone tz = *TimeZone::named(zone, "tz");
    QByteArrayList times;
    qint64 moment = at(after);
    for (int i = 0; i < count; ++i) {
        moment = cron(text).nextAfter_ms(moment, tz).value();
        times.append(isoTime(moment).left(16));
    }
    return times.join(' ');
}

Window window(const char *from, const char *to, const char *tz = "UTC", const QList<QByteArray> &days = {})
{
    MsgpackWriter writer;
    writer.array(1).map(days.isEmpty() ? 3 : 4).text("from").text(from).text("to").text(to).text("tz").text(tz);
    if (!days.isEmpty()) {
        writer.text("days").array(days.size());
        for (const QByteArray &day : days)
            writer.text(day);
    }
    return windowsFromMsgpack(writer.take(), "windows").value().first();
}

QByteArray boundaryText(const QList<Window> &windows, const char *from, int count)
{
    QByteArrayList times;
    for (const qint64 boundary : boundaries_ms(windows, at(from), count))
        times.append(isoTime(boundary).left(16));
    return times.join(' ');
}

} // namespace

// Windows, cron expressions and intervals by examples whose answers anyone can check on paper.
class TestCalendar : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSkippedTimeIsMadeUpForOnceRightAfterTheGap()
    {
        // Berlin, 29 March 2026: 02:00 is 03:00.
        QCOMPARE(nextText("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 3), "2026-03-28T01:30 2026-03-29T01:00 2026-03-30T00:30");
        QCOMPARE(nextText("5,10,15 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2), "2026-03-29T01:00 2026-03-30T00:05");
        QCOMPARE(nextText("0 2,3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2), "2026-03-29T01:00 2026-03-30T00:00");
        // Samoa had no 30 December 2011.
        QCOMPARE(nextText("0 9 * * *", "Pacific/Apia", "2011-12-29T12:00:00Z", 3),
            "2011-12-29T19:00 2011-12-30T10:00 2011-12-30T19:00");
    }

    void aTimeThatComesTwiceIsOneFiring()
    {
        // Berlin, 25 October 2026: 03:00 is 02:00.
        QCOMPARE(nextText("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2), "2026-10-25T00:30 2026-10-26T01:30");
        QCOMPARE(nextText("30 2 * * *", "Europe/Berlin", "2026-10-25T00:45:00Z", 1), "2026-10-26T01:30");
        // Lord Howe puts its clocks back by half an hour.
        QCOMPARE(nextText("45 1 * * *", "Australia/Lord_Howe", "2026-04-04T10:00:00Z", 2), "2026-04-04T14:45 2026-04-05T15:15");
    }

    void starsGoOnInRealTimeThroughEveryChange()
    {
        QCOMPARE(nextText("*/30 * * * *", "Europe/Berlin", "2026-03-29T00:10:00Z", 3),
            "2026-03-29T00:30 2026-03-29T01:00 2026-03-29T01:30");
        QCOMPARE(nextText("0 * * * *", "Europe/Berlin", "2026-10-24T23:30:00Z", 4),
            "2026-10-25T00:00 2026-10-25T01:00 2026-10-25T02:00 2026-10-25T03:00");
        QCOMPARE(nextText("*/20 2 * * *", "Europe/Berlin", "2026-10-24T23:30:00Z", 7),
            "2026-10-25T00:00 2026-10-25T00:20 2026-10-25T00:40 2026-10-25T01:00 2026-10-25T01:20 2026-10-25T01:40 2026-10-26T01:00");
    }

    void expressionsMeanWhatTheySay()
    {
        const char *from = "2026-01-01T00:00:00Z"; // a Thursday
        QCOMPARE(nextText("0 12 13 * FRI", "UTC", from, 3), "2026-01-02T12:00 2026-01-09T12:00 2026-01-13T12:00"); // either
        QCOMPARE(nextText("0 12 * * FRI", "UTC", from, 2), "2026-01-02T12:00 2026-01-09T12:00");
        QCOMPARE(nextText("0 12 */10 * FRI", "UTC", from, 2), "2026-05-01T12:00 2026-07-31T12:00"); // both
        QCOMPARE(nextText("0 0 L * *", "UTC", from, 3), "2026-01-31T00:00 2026-02-28T00:00 2026-03-31T00:00");
        QCOMPARE(nextText("0 0 29 2 *", "UTC", from, 2), "2028-02-29T00:00 2032-02-29T00:00");
        QCOMPARE(nextText("0 0 29 2 *", "UTC", "2096-03-01T00:00:00Z", 1), "2104-02-29T00:00");
        QCOMPARE(nextText("30 4 1,15 jan,JUL-sep *", "UTC", from, 3), "2026-01-01T04:30 2026-01-15T04:30 2026-07-01T04:30");
        QCOMPARE(nextText("0 6 * * FRI-SUN", "UTC", from, 4), "2026-01-02T06:00 2026-01-03T06:00 2026-01-04T06:00 2026-01-09T06:00");
        QCOMPARE(nextText("0 6 * * 7", "UTC", from, 1), "2026-01-04T06:00");
        QCOMPARE(nextText("50/5 23 * * *", "UTC", from, 3), "2026-01-01T23:50 2026-01-01T23:55 2026-01-02T23:50");
        QCOMPARE(nextText("@Weekly", "Asia/Tokyo", from, 1), "2026-01-03T15:00");
        QCOMPARE(nextText("  @yearly ", "UTC", from, 1), "2027-01-01T00:00");
        QCOMPARE(nextText("0  0\t1 * *", "UTC", from, 1), "2026-02-01T00:00");
    }

    void whatIsNoExpressionIsRefusedWithItsField()
    {
        for (const char *bad : {"", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *", "* * * 13 *",
                 "* * * * 8", "* * * FOO *", "*/0 * * * *", "*/99 * * * *", "5-1 * * * *", "1, * * * *", "-1 * * * *", "1-2-3 * * * *",
                 "? * * * *", "@reboot", "@every 5m", "0 0 30 2 *", "0 0 31 4,6,9,11 *", "* * L-3 * *", "* * * * 5#2", "* * * L *",
                 "1e1 * * * *", "+1 * * * *", "99999999999 * * * *"}) {
            const Result<Cron> parsed = Cron::parse(bad, "schedule.cron");
            QVERIFY2(!parsed.ok(), bad);
            QCOMPARE(parsed.error().code, ErrorCode::InvalidField);
            QCOMPARE(parsed.error().field, QByteArray("schedule.cron"));
            QVERIFY(parsed.error().message().startsWith("'schedule.cron' "));
        }
        QVERIFY(!Cron::parse(QByteArray("0 0 * * ") + QByteArray(limits::cron_bytes_max, '1'), "cron").ok());
        QVERIFY(Cron::parse("0 0 30 2 MON", "cron").ok()); // every Monday of February
    }

    void intervalsKeepTheirAnchor()
    {
        const Interval interval{90'000, 1'000};
        for (const auto &[after, next] : std::initializer_list<QPair<qint64, qint64>>{
                 {1'000, 91'000}, {999, 1'000}, {90'999, 91'000}, {91'000, 181'000}, {-89'001, 1'000}, {0, 1'000}})
            QCOMPARE(interval.nextAfter_ms(after), next);
    }

    void aWindowAcrossAChangeIsOneSpanOfRealTime()
    {
        const auto berlin = [](const char *from, const char *to) { return QList<Window>{window(from, to, "Europe/Berlin")}; };
        QCOMPARE(boundaryText(berlin("01:30", "03:30"), "2026-03-28T12:00:00Z", 2), "2026-03-29T00:30 2026-03-29T01:30");
        QCOMPARE(boundaryText(berlin("02:15", "04:00"), "2026-03-28T12:00:00Z", 2), "2026-03-29T01:00 2026-03-29T02:00");
        QCOMPARE(boundaryText(berlin("02:15", "02:45"), "2026-03-28T12:00:00Z", 2), "2026-03-30T00:15 2026-03-30T00:45"); // in the gap
        QCOMPARE(boundaryText(berlin("02:15", "02:45"), "2026-10-24T12:00:00Z", 2), "2026-10-25T00:15 2026-10-25T01:45"); // comes twice
        QCOMPARE(boundaryText({window("22:00", "06:00", "Pacific/Apia")}, "2011-12-29T20:00:00Z", 4),
            "2011-12-30T08:00 2011-12-30T16:00 2011-12-31T08:00 2011-12-31T16:00");
    }

    void windowsAreAUnion()
    {
        const QList<Window> day{window("05:00", "07:00"), window("06:00", "08:30"), window("08:30", "09:00"), window("22:00", "02:00")};
        QCOMPARE(boundaryText(day, "2026-01-01T05:00:00Z", 5),
            "2026-01-01T09:00 2026-01-01T22:00 2026-01-02T02:00 2026-01-02T05:00 2026-01-02T09:00");
        QCOMPARE(isoTime(nextOpening_ms(day, at("2026-01-01T09:00:00Z"))), "2026-01-01T22:00:00.000Z");
        QCOMPARE(nextOpening_ms(day, at("2026-01-01T08:59:59.999Z")), at("2026-01-01T08:59:59.999Z"));
        QVERIFY(!isOpen(day, at("2026-01-01T04:59:59.999Z")));
    }

    void anOvernightWindowBelongsToTheDayItOpensOn()
    {
        const QList<Window> friday{window("22:00", "06:00", "UTC", {"fri"})};
        QCOMPARE(boundaryText(friday, "2026-01-01T00:00:00Z", 3), "2026-01-02T22:00 2026-01-03T06:00 2026-01-09T22:00");
        const QList<Window> whole{window("00:00", "24:00", "UTC", {"sat"})};
        QCOMPARE(boundaryText(whole, "2026-01-01T00:00:00Z", 2), "2026-01-03T00:00 2026-01-04T00:00");
        const QList<Window> fromNine{window("09:00", "09:00", "UTC", {"sat"})}; // a whole day from then on
        QCOMPARE(boundaryText(fromNine, "2026-01-01T00:00:00Z", 2), "2026-01-03T09:00 2026-01-04T09:00");
    }

    void whatIsAlwaysOpenNeverChanges()
    {
        QCOMPARE(boundaries_ms({window("00:00", "24:00", "Europe/Berlin")}, at("2026-03-01T00:00:00Z"), 8), QList<qint64>());
        QCOMPARE(boundaries_ms({window("07:00", "07:00", "America/Sao_Paulo")}, at("2018-10-20T00:00:00Z"), 8), QList<qint64>());
        QCOMPARE(boundaries_ms({}, 0, 8), QList<qint64>());
        QVERIFY(isOpen({}, 0));
        QCOMPARE(boundaries_ms({window("05:00", "07:00", "UTC", {"mon"})}, at("2026-01-01T00:00:00Z"), 20).size(), 20);
    }

    void whatIsNoWindowIsRefusedWithItsPath()
    {
        const auto error = [](const QByteArray &array) {
            const Result<QList<Window>> windows = windowsFromMsgpack(array, "jobs[2].windows");
            return windows.ok() ? QByteArray("accepted") : windows.error().field;
        };
        const auto with = [](const char *key, const char *value) {
            MsgpackWriter writer;
            return writer.array(1).map(3).text("from").text("05:00").text("to").text("07:00").text(key).text(value).take();
        };
        for (const auto &[key, value] : std::initializer_list<QPair<const char *, const char *>>{{"tz", "Europe/Nowhere"}, {"tz", ""},
                 {"tz", "../../../etc/passwd"}, {"tz", "EST5EDT4"}, {"tz", "right/Europe/Berlin"}, {"tz", "UTC+3"}, {"days", "mon"},
                 {"from", "06:00"}, {"colour", "red"}, {"tz", "europe/berlin"}, {"tz", "Mars"}, {"tz", "leapseconds"},
                 {"tz", "Europe"}, {"tz", "/Europe/Berlin"}}) {
            QCOMPARE(error(with(key, value)), QByteArray("jobs[2].windows[0].") + key);
        }
        QCOMPARE(error(with("\x07\xff", "red")), QByteArray("jobs[2].windows[0].\xef\xbf\xbd\xef\xbf\xbd"));
        QVERIFY(error(with(QByteArray(100'000, 'k').constData(), "red")).size() < 300);
        for (const char *bad : {"24:00", "5:00", "05:60", "0500", "05:00:00", "-1:00", "", "25:00"}) {
            MsgpackWriter writer;
            QCOMPARE(error(writer.array(1).map(2).text("from").text(bad).text("to").text("07:00").take()),
                QByteArray("jobs[2].windows[0].from"));
        }
        MsgpackWriter noEnd, noDays, badDay, many, noList;
        noEnd.array(1).map(1).text("from").text("05:00");
        noDays.array(1).map(1).text("days").array(0);
        badDay.array(1).map(1).text("days").array(2).text("mon").text("Tue");
        many.array(limits::windows_max + 1);
        noList.map(0);
        QCOMPARE(error(noEnd.take()), QByteArray("jobs[2].windows[0].to"));
        QCOMPARE(error(noDays.take()), QByteArray("jobs[2].windows[0].days"));
        QCOMPARE(error(badDay.take()), QByteArray("jobs[2].windows[0].days[1]"));
        QCOMPARE(error(many.take()), QByteArray("jobs[2].windows"));
        QCOMPARE(error(noList.take()), QByteArray("jobs[2].windows"));
    }

    void everyZoneOfTheDatabaseCanBeNamed()
    {
        const QList<QByteArray> ids = QTimeZone::availableTimeZoneIds();
        QVERIFY(ids.size() > 300);
        for (const QByteArray &id : ids) {
            if (id.startsWith("UTC"))
                continue; // Qt's own names for plain offsets
            QVERIFY2(TimeZone::named(id, "tz").ok(), id.constData());
        }
        for (const char *name : {"Etc/GMT+5", "Japan", "EST5EDT"})
            QVERIFY2(TimeZone::named(name, "tz").ok(), name);
        QCOMPARE(TimeZone::named("Etc/GMT+5", "tz").value().offsetAt_ms(0), -5 * 3'600'000);
    }

    void filesOfTheDatabaseThatAreNoZonesAreRefused()
    {
        for (const char *name : {"localtime", "posixrules", "Factory", "posix/Europe/Berlin", "right/Europe/Berlin", "europe/berlin",
                 "UTC+1", "EUROPE/BERLIN", "/usr/share/zoneinfo/Europe/Berlin", "../zoneinfo/Europe/Berlin", "Europe", "leapseconds",
                 "zone.tab", ""})
            QVERIFY2(!TimeZone::named(name, "tz").ok(), name);
    }

    void anOldNameIsTheZoneItIsLinkedToWhereItsFileIsGone()
    {
        QTemporaryDir database;
        const auto keep = [&](const char *name) {
            const QString path = database.filePath(QString::fromLatin1(name));
            QVERIFY(QDir().mkpath(QFileInfo(path).path()));
            QVERIFY(QFile::copy(QStringLiteral("/usr/share/zoneinfo/") + QString::fromLatin1(name), path));
        };
        for (const char *name : {"America/Los_Angeles", "Europe/Kyiv", "Asia/Kolkata", "America/New_York"})
            keep(name);
        qputenv("TZDIR", database.path().toLocal8Bit());
        const auto restore = qScopeGuard([] { qunsetenv("TZDIR"); });
        const qint64 at_ms = 1'784'000'000'000; // in July
        for (const auto &[old, hours] : {std::pair("US/Pacific", -7.0), std::pair("Europe/Kiev", 3.0), std::pair("Asia/Calcutta", 5.5),
                 std::pair("EST5EDT", -4.0), std::pair("Zulu", 0.0)}) {
            const Result<TimeZone> zone = TimeZone::named(old, "tz");
            QVERIFY2(zone.ok(), old);
            QCOMPARE(zone->name(), QByteArray(old)); // as it was saved
            QCOMPARE(zone->offsetAt_ms(at_ms), qint64(hours * 3'600'000));
        }
        QVERIFY(!TimeZone::named("Europe/Berlin", "tz").ok());
        QVERIFY(!TimeZone::named("GB", "tz").ok()); // its Europe/London is gone, too
    }

    // Each link leads to a zone of this machine, and not to another link.
    void linksLeadToZones()
    {
        for (const char *old : {"US/Pacific", "Europe/Kiev", "CET", "GB", "Zulu", "Asia/Saigon"}) {
            const QByteArrayView now = linkedZone(old);
            QVERIFY2(!now.isEmpty() && linkedZone(now).isEmpty() && TimeZone::named(now, "tz").ok(), old);
        }
        QVERIFY(linkedZone("Europe/Berlin").isEmpty() && linkedZone("UTC").isEmpty() && linkedZone("").isEmpty());
    }

    // Nobody knows when such windows open, so they do not.
    void windowsInAZoneThatIsGoneStayClosed()
    {
        const Window window{0, 1'440, "Mars/City"};
        QCOMPARE(lostZone({window}), std::optional<QByteArray>("Mars/City"));
        QCOMPARE(lostZone({Window()}), std::nullopt);
        QVERIFY(!isOpen({window, Window()}, 0));
        QVERIFY(boundaries_ms({window, Window()}, 0, 4).isEmpty());
        MsgpackWriter stored;
        stored.array(1).map(3).text("from").text("05:00").text("to").text("07:00").text("tz").text("Mars/City");
        const QByteArray list = stored.take();
        QVERIFY(!windowsFromMsgpack(list, "windows").ok());
        QCOMPARE(windowsFromMsgpack(list, "windows", Zones::Any)->first().tz, QByteArray("Mars/City"));
    }
};

JUNBAN_TEST(TestCalendar)
#include "test_calendar.moc"
