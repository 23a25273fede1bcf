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
// the end of the field). Also @hourly @daily @midnight @weekly @monthly @yearly @annually. Nothing else is accepted: no seconds, no `?`,
// `W` or `#`.
//
// Days, as in Vixie's cron: when neither day field begins with `*`, one of the two must match; otherwise both must.
//
// Clock changes: when neither minute nor hour begins with `*`, each time means a time of the wall clock, once a day. A time that the clock
// skips fires at the end of the gap, together with all others of this gap; a time that comes twice fires at the first one. Otherwise the
// expression fires whenever the clock shows a matching time, so "*/15 * * * *" fires every 15 minutes through every change.
//
// A value; constant functions may be called from any thread. docs/schedules.md explains it to users.
class Cron
{
public:
    // Errors: InvalidField for `field`, with a sentence about the part at fault; also for a date that no year has (30 February).
    static Result<Cron> parse(QByteArrayView text, const QByteArray &field);

    const QByteArray &text() const { return m_text; }
    // The first firing later than a moment, both in milliseconds since the epoch. Nothing when there is none within
    // limits::calendar_years_max, which in practice means never.
    std::optional<qint64> nextAfter_ms(qint64 after_ms, const TimeZone &zone) const;

private:
    Cron() = default;
    friend class CronReader;
    bool matchesDay(int month, int day, int daysInMonth, int weekday) const;
    bool everHappens() const;
    // The first matching wall time after `wall_ms` (see TimeZone), clock changes left aside.
    std::optional<qint64> nextWall_ms(qint64 wall_ms) const;

    QByteArray m_text;
    std::bitset<60> m_minutes;
    std::bitset<24> m_hours;
    std::bitset<32> m_days;
    std::bitset<13> m_months;
    std::bitset<7> m_weekdays;       // 0 is Sunday
    bool m_lastDay = false;
    bool m_eitherDay = false;        // one of the two day fields is enough
    bool m_realTime = false;         // minute or hour begins with `*`
};

// Fires at the anchor (milliseconds since the epoch) and then every `every_ms` of real time. Clock changes have no effect.
struct Interval {
    qint64 every_ms = 60'000;
    qint64 anchor_ms = 0;

    qint64 nextAfter_ms(qint64 after_ms) const;
    friend bool operator==(const Interval &, const Interval &) = default;
};

} // namespace junban
