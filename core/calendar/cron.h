#pragma once

#include "core/base/result.h"
#include "core/calendar/timezone.h"

#include <QByteArray>
#include <QByteArrayView>
#include <bitset>
#include <optional>

namespace junban {

// A cron expression of five fields: minute (0–59), hour (0–23), day of the month (1–31, `L` for its last), month (1–12 or JAN–DEC), day
// of the week (0–7 or SUN–SAT, 0 and 7 are Sunday). A field is a list of `*`, `a`, `a-b`, each of them with `/step` (`a/step` runs to
// the end of the field). Also @hourly @daily @midnight @weekly @monthly @yearly @annually. Nothing else is taken: no seconds, `?`, `W`
// or `#`.
//
// Days: as in Vixie's cron, when neither day field begins with `*` either of them suffices; otherwise both must match.
//
// Clock changes: when neither minute nor hour begins with `*` the times are meant by the wall clock, each once a day: those that are
// skipped stand for the end of the gap (and are one firing there), of one that comes twice the first counts. Otherwise real time
// counts: it fires whenever the clock shows a matching time, so "*/15 * * * *" goes on every 15 minutes through every change.
//
// A value, for any thread.
class Cron
{
public:
    // Errors: InvalidField with `field` as it is given and a sentence about the part at fault; also for a date that no year has.
    static Result<Cron> parse(QByteArrayView text, const QByteArray &field);

    const QByteArray &text() const { return m_text; }
    // The first firing after a moment; nothing when there is none within limits::calendar_years_max (then never, in practice).
    std::optional<qint64> nextAfter_ms(qint64 after_ms, const TimeZone &zone) const;

private:
    Cron() = default;
    friend class CronReader;
    bool matchesDay(int month, int day, int daysInMonth, int weekday) const;
    bool everHappens() const;
    // The first matching wall time later than this one.
    std::optional<qint64> nextWall_ms(qint64 wall_ms) const;

    QByteArray m_text;
    std::bitset<60> m_minutes;
    std::bitset<24> m_hours;
    std::bitset<32> m_days;
    std::bitset<13> m_months;
    std::bitset<7> m_weekdays;       // 0 is Sunday
    bool m_lastDay = false;
    bool m_eitherDay = false;        // day of the month or day of the week
    bool m_realTime = false;
};

// Every so often from an anchor on, which is the first firing: no clock change moves it.
struct Interval {
    qint64 every_ms = 60'000;
    qint64 anchor_ms = 0;

    qint64 nextAfter_ms(qint64 after_ms) const;
    friend bool operator==(const Interval &, const Interval &) = default;
};

} // namespace junban
