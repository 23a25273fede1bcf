#include "core/base/isotime.h"
#include "core/limits/constraint.h"
#include "core/msgpack/json.h"
#include "tests/support/testmain.h"

#include <QDateTime>
#include <QTest>
#include <QTimeZone>
#include <random>

using namespace junban;

namespace {

WindowParameters windowOf(const QByteArray &json)
{
    const Result<Constraint> constraint = Constraint::fromMsgpack(*json::toMsgpack(json), "c");
    if (!constraint.ok())
        qFatal("%s: %s", constraint.error().field.constData(), constraint.error().message().constData());
    return std::get<WindowParameters>(constraint->parameters);
}

qint64 at(const char *time)
{
    return *fromIsoTime(QByteArrayView(time));
}

QList<QByteArray> times(const QList<qint64> &all)
{
    QList<QByteArray> texts;
    for (const qint64 each : all)
        texts.append(isoTime(each).left(16));
    return texts;
}

// Whether a wall clock in a zone without changes of clocks stands in a window, told minute by minute.
bool naive(const QList<ConstraintWindow> &windows, const QDateTime &wall)
{
    const int minute = wall.time().hour() * 60 + wall.time().minute();
    for (const ConstraintWindow &each : windows) {
        const bool overnight = each.window.to_min <= each.window.from_min;
        const auto day = [&](const QDate &date) {
            return each.dates.isEmpty() ? bool(each.window.days >> (date.dayOfWeek() - 1) & 1)
                                        : each.dates.contains(date.toString(Qt::ISODate).toLatin1());
        };
        if (minute >= each.window.from_min && (overnight || minute < each.window.to_min) && day(wall.date()))
            return true;
        if (overnight && minute < each.window.to_min && day(wall.date().addDays(-1)))
            return true;
    }
    return false;
}

} // namespace

class TestConstraintWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsDeniedIsCutOutOfWhatIsAllowed()
    {
        const WindowParameters window = windowOf(R"({"kind": "window", "tz": "Asia/Tokyo", "allow": [{"from": "09:00", "to": "18:00",
            "days": ["mon", "tue", "wed", "thu", "fri"]}], "deny": [{"from": "12:00", "to": "13:00"}, {"dates": ["2026-01-01"]}]})");
        QVERIFY(isOpen(window, at("2025-12-31T00:00:00Z")));  // 09:00 on a Wednesday
        QVERIFY(!isOpen(window, at("2025-12-31T03:30:00Z"))); // lunch
        QVERIFY(!isOpen(window, at("2026-01-01T00:30:00Z"))); // the first of January
        QCOMPARE(times(boundaries_ms(window, at("2025-12-31T00:00:00Z"), 5)),
            (QList<QByteArray>{"2025-12-31T03:00", "2025-12-31T04:00", "2025-12-31T09:00", "2026-01-02T00:00", "2026-01-02T03:00"}));
    }

    void aNightWhenClocksAreChangedIsOneOpening()
    {
        const WindowParameters window = windowOf(
            R"({"kind": "window", "tz": "Europe/Paris", "allow": [{"from": "22:00", "to": "06:00"}]})");
        QCOMPARE(times(boundaries_ms(window, at("2026-03-28T12:00:00Z"), 3)),
            (QList<QByteArray>{"2026-03-28T21:00", "2026-03-29T04:00", "2026-03-29T20:00"}));
        QCOMPARE(times(boundaries_ms(window, at("2026-10-24T12:00:00Z"), 2)), (QList<QByteArray>{"2026-10-24T20:00", "2026-10-25T05:00"}));
    }

    void whatNeverChangesHasNoBoundaries()
    {
        const WindowParameters past = windowOf(R"({"kind": "window", "deny": [{"dates": ["2020-01-01"]}]})");
        QVERIFY(isOpen(past, at("2026-01-01T00:00:00Z")) && !isOpen(past, at("2020-01-01T12:00:00Z")));
        QCOMPARE(boundaries_ms(past, at("2026-01-01T00:00:00Z"), 8), QList<qint64>());
        const WindowParameters far = windowOf(R"({"kind": "window", "allow": [{"dates": ["2026-12-24"]}]})");
        QCOMPARE(times(boundaries_ms(far, at("2026-01-01T00:00:00Z"), 8)), (QList<QByteArray>{"2026-12-24T00:00", "2026-12-25T00:00"}));
    }

    void everyMinuteAgreesWithANaiveClock()
    {
        std::mt19937 random(5);
        const auto pick = [&](int below) { return int(random() % quint32(below)); };
        const QDateTime start(QDate(2026, 3, 1), QTime(0, 0), Qt::UTC);
        for (int round = 0; round < 60; ++round) {
            WindowParameters window;
            window.tz = pick(2) == 0 ? "UTC" : "Asia/Tokyo";
            for (QList<ConstraintWindow> *list : {&window.allow, &window.deny}) {
                for (int count = pick(3); count > 0; --count) {
                    ConstraintWindow each;
                    each.window.from_min = pick(1'440);
                    each.window.to_min = 1 + pick(1'440);
                    each.window.days = quint8(pick(128));
                    each.window.tz = window.tz;
                    if (pick(3) == 0)
                        each.dates = {"2026-03-0" + QByteArray::number(1 + pick(9))};
                    list->append(each);
                }
            }
            const int offset_min = window.tz == "UTC" ? 0 : 9 * 60;
            bool open = isOpen(window, start.toMSecsSinceEpoch());
            QList<qint64> expected;
            for (int minute = 0; minute < 6 * 1'440; ++minute) {
                const QDateTime wall = start.addSecs(60LL * (minute + offset_min));
                const bool now = (window.allow.isEmpty() || naive(window.allow, wall)) && !naive(window.deny, wall);
                if (minute == 0)
                    QCOMPARE(now, open);
                if (now != open)
                    expected.append(start.addSecs(60LL * minute).toMSecsSinceEpoch());
                open = now;
            }
            QList<qint64> found = boundaries_ms(window, start.toMSecsSinceEpoch(), 100);
            found.removeIf([&](qint64 boundary) { return boundary >= start.addDays(6).toMSecsSinceEpoch(); });
            QCOMPARE(times(found), times(expected));
        }
    }
};

JUNBAN_TEST(TestConstraintWindow)
#include "test_constraintwindow.moc"
