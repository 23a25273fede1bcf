#include "core/limits/constraintwindow.h"

#include "core/base/durations.h"
#include "core/calendar/timezone.h"

#include <algorithm>
#include <chrono>

namespace junban {

namespace {


struct Span {
    qint64 from_ms;
    qint64 to_ms;
};

qint64 dayOf(qint64 at_ms)
{
    return std::chrono::floor<std::chrono::days>(std::chrono::milliseconds(at_ms)).count();
}

QByteArray dateText(qint64 day)
{
    const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
    const auto part = [](unsigned number, int digits) { return QByteArray::number(number).rightJustified(digits, '0'); };
    return part(unsigned(int(date.year())), 4) + '-' + part(unsigned(date.month()), 2) + '-' + part(unsigned(date.day()), 2);
}

bool isOnDay(const ConstraintWindow &window, qint64 day)
{
    if (!window.dates.isEmpty())
        return window.dates.contains(dateText(day));
    const auto weekday = ((day + 3) % 7 + 7) % 7; // 0 is Monday; day 0 was a Thursday
    return window.window.days >> weekday & 1;
}

// The union of the windows' openings from `from_ms` to `to_ms`, in order and apart from each other.
QList<Span> openings(const QList<ConstraintWindow> &windows, const TimeZone &zone, qint64 from_ms, qint64 to_ms)
{
    QList<Span> all;
    for (const ConstraintWindow &each : windows) {
        const int end_min = each.window.to_min > each.window.from_min ? each.window.to_min : each.window.to_min + day_min;
        // A window of two days ago may still be open, wherever on Earth.
        for (qint64 day = dayOf(from_ms) - 3; day <= dayOf(to_ms) + 1; ++day) {
            if (!isOnDay(each, day))
                continue;
            const Span span{std::max(from_ms, zone.firstAt_ms(day * day_ms + each.window.from_min * minute_ms)),
                std::min(to_ms, zone.settledAt_ms(day * day_ms + end_min * minute_ms))};
            if (span.to_ms > span.from_ms)
                all.append(span);
        }
    }
    std::sort(all.begin(), all.end(), [](const Span &a, const Span &b) { return a.from_ms < b.from_ms; });
    QList<Span> merged;
    for (const Span &span : std::as_const(all)) {
        if (!merged.isEmpty() && span.from_ms <= merged.last().to_ms)
            merged.last().to_ms = std::max(merged.last().to_ms, span.to_ms);
        else
            merged.append(span);
    }
    return merged;
}

QList<Span> without(const QList<Span> &spans, const QList<Span> &denied)
{
    QList<Span> left;
    for (Span span : spans) {
        for (const Span &cut : denied) {
            if (cut.to_ms <= span.from_ms || cut.from_ms >= span.to_ms)
                continue;
            if (cut.from_ms > span.from_ms)
                left.append({span.from_ms, cut.from_ms});
            span.from_ms = std::min(cut.to_ms, span.to_ms);
        }
        if (span.to_ms > span.from_ms)
            left.append(span);
    }
    return left;
}

QList<Span> openSpans(const WindowParameters &window, qint64 from_ms, qint64 to_ms)
{
    const Result<TimeZone> named = TimeZone::named(window.tz, {});
    const TimeZone zone = named.ok() ? *named : TimeZone::utc();
    const QList<Span> allowed = window.allow.isEmpty() ? QList<Span>{{from_ms, to_ms}} : openings(window.allow, zone, from_ms, to_ms);
    return without(allowed, openings(window.deny, zone, from_ms, to_ms));
}

} // namespace

bool isOpen(const WindowParameters &window, qint64 at_ms)
{
    return !openSpans(window, at_ms, at_ms + 1).isEmpty();
}

QList<qint64> boundaries_ms(const WindowParameters &window, qint64 from_ms, int count)
{
    QList<qint64> boundaries;
    // Most windows change several times in a few days; dates can be far away.
    for (const int days : {4, 30, 400}) {
        boundaries.clear();
        const qint64 end_ms = from_ms + days * day_ms;
        const QList<Span> spans = openSpans(window, from_ms, end_ms);
        for (const Span &span : spans) {
            if (span.from_ms > from_ms)
                boundaries.append(span.from_ms);
            if (span.to_ms < end_ms)
                boundaries.append(span.to_ms);
        }
        if (boundaries.size() >= count)
            break;
    }
    boundaries.resize(std::min(boundaries.size(), qsizetype(count)));
    return boundaries;
}

} // namespace junban
