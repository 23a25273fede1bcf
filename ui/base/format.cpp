#include "ui/base/format.h"

#include "core/base/durations.h"
#include "core/calendar/timezone.h"

#include <QDateTime>
#include <QTimeZone>

namespace junban::ui {

namespace {

QDateTime dateOf(qint64 at_ms, TimesIn timesIn)
{
    return QDateTime::fromMSecsSinceEpoch(at_ms, timesIn == TimesIn::Utc ? Qt::UTC : Qt::LocalTime);
}

QString padded(qint64 value)
{
    return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0'));
}

// "UTC+9"
QString offsetOf(const QDateTime &at)
{
    const int offset_min = at.offsetFromUtc() / 60;
    QString zone = QStringLiteral("UTC");
    if (offset_min != 0) {
        zone += offset_min > 0 ? QLatin1Char('+') : QChar(0x2212);
        zone += QString::number(std::abs(offset_min) / 60);
        if (offset_min % 60 != 0)
            zone += QLatin1Char(':') + padded(std::abs(offset_min) % 60);
    }
    return zone;
}

} // namespace

QString Format::count(qint64 value) const
{
    return m_locale.toString(value);
}

QString Format::shortCount(qint64 value) const
{
    if (value < 100'000)
        return count(value);
    if (m_locale.language() == QLocale::Japanese) {
        // Japanese counts in ten thousands.
        if (value < 100'000'000)
            return m_locale.toString(double(value) / 1e4, 'f', value < 10'000'000 ? 1 : 0) + QStringLiteral("万");
        return m_locale.toString(double(value) / 1e8, 'f', 2) + QStringLiteral("億");
    }
    if (value < 1'000'000)
        return tr("%1k", "thousands").arg(m_locale.toString(double(value) / 1e3, 'f', 0));
    return tr("%1M", "millions").arg(m_locale.toString(double(value) / 1e6, 'f', value < 10'000'000 ? 2 : 1));
}

QString Format::tinyCount(qint64 value) const
{
    if (value < 10'000)
        return count(value);
    if (m_locale.language() == QLocale::Japanese)
        return m_locale.toString(double(value) / 1e4, 'f', value < 100'000 ? 1 : 0) + QStringLiteral("万");
    return value < 1'000'000 ? tr("%1k", "thousands").arg(m_locale.toString(double(value) / 1e3, 'f', 0)) : shortCount(value);
}

QString Format::rate(double perSecond) const
{
    if (perSecond > 0 && perSecond < 0.1) // "0.0/s" would say that there are none
        return tr("%1/min", "per minute").arg(m_locale.toString(perSecond * 60, 'f', 1));
    const int decimals = perSecond < 10 && perSecond > 0 ? 1 : 0;
    return tr("%1/s", "per second").arg(m_locale.toString(perSecond, 'f', decimals));
}

QString Format::bytes(qint64 size) const
{
    return m_locale.formattedDataSize(size, size < 1024 ? 0 : 1, QLocale::DataSizeIecFormat);
}

QString Format::time(qint64 at_ms) const
{
    if (at_ms <= 0)
        return {};
    const QDateTime at = dateOf(at_ms, m_timesIn);
    return at.toString(QStringLiteral("HH:mm:ss ")) + offsetOf(at);
}

QString Format::timeToday(qint64 at_ms, qint64 now_ms) const
{
    if (at_ms <= 0)
        return {};
    const QDateTime at = dateOf(at_ms, m_timesIn);
    if (at.date() == dateOf(now_ms, m_timesIn).date())
        return time(at_ms);
    return at.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss ")) + offsetOf(at);
}

QString Format::timeInColumn(qint64 at_ms, qint64 now_ms) const
{
    const QString zone = QLatin1Char(' ') + offsetOf(dateOf(now_ms, m_timesIn));
    QString text = timeToday(at_ms, now_ms);
    if (text.endsWith(zone))
        text.chop(zone.size());
    return text;
}

QString Format::columnTitle(const QString &title, qint64 now_ms) const
{
    return now_ms <= 0 ? title : QStringLiteral("%1 (%2)").arg(title, offsetOf(dateOf(now_ms, m_timesIn)));
}

QString Format::timeIn(const QByteArray &zone, qint64 at_ms, qint64 now_ms) const
{
    const Result<TimeZone> known = TimeZone::named(zone, "zone");
    if (at_ms <= 0 || !known.ok())
        return timeToday(at_ms, now_ms);
    const auto wall = [&](qint64 moment_ms) { return QDateTime::fromMSecsSinceEpoch(known->wallAt_ms(moment_ms), Qt::UTC); };
    const QDateTime there = wall(at_ms), here = dateOf(at_ms, m_timesIn);
    const QString date = there.date() == wall(now_ms).date() ? QString() : there.date().toString(QStringLiteral("yyyy-MM-dd "));
    const QString text = QStringLiteral("%1%2 %3 %4").arg(date, m_locale.dayName(there.date().dayOfWeek(), QLocale::ShortFormat),
                                                          there.time().toString(QStringLiteral("HH:mm:ss")), QString::fromUtf8(zone));
    if (here.offsetFromUtc() * 1'000 == known->offsetAt_ms(at_ms))
        return text;
    const QString dateHere = here.date() == there.date() ? QString() : here.toString(QStringLiteral("yyyy-MM-dd "));
    return tr("%1 = %2", "the same moment in two time zones").arg(text, dateHere + time(at_ms));
}

QString Format::axisTime(qint64 at_ms, qint64 span_ms) const
{
    const QDateTime at = dateOf(at_ms, m_timesIn);
    if (span_ms == 0)
        return at.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    if (span_ms > 2 * day_ms)
        return at.toString(QStringLiteral("MM-dd HH:mm"));
    return at.toString(span_ms > hour_ms / 2 ? QStringLiteral("HH:mm") : QStringLiteral("HH:mm:ss"));
}

QString Format::axisTimeZoned(qint64 at_ms, qint64 span_ms) const
{
    return axisTime(at_ms, span_ms) + QLatin1Char(' ') + offsetOf(dateOf(at_ms, m_timesIn));
}

QString Format::dateTime(qint64 at_ms) const
{
    if (at_ms <= 0)
        return {};
    const QDateTime at = dateOf(at_ms, m_timesIn);
    return at.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz ")) + offsetOf(at);
}

QString Format::duration(qint64 span_ms) const
{
    qint64 span = std::max<qint64>(0, span_ms);
    if (span < second_ms)
        return tr("%1 ms", "milliseconds").arg(span);
    if (span < 10 * second_ms)
        return tr("%1 s", "seconds").arg(m_locale.toString(double(span) / second_ms, 'f', 1));
    const qint64 unit = span < hour_ms ? second_ms : span < day_ms ? minute_ms : hour_ms; // the smallest that is shown
    span = (span + unit / 2) / unit * unit;
    if (span < minute_ms)
        return tr("%1 s", "seconds").arg(span / second_ms);
    if (span < hour_ms)
        return tr("%1 m %2 s", "minutes and seconds").arg(span / minute_ms).arg(padded(span % minute_ms / second_ms));
    if (span < day_ms)
        return tr("%1 h %2 m", "hours and minutes").arg(span / hour_ms).arg(padded(span % hour_ms / minute_ms));
    return tr("%1 d %2 h", "days and hours").arg(span / day_ms).arg(span % day_ms / hour_ms);
}

QString Format::span(qint64 span_ms) const
{
    if (span_ms >= day_ms && span_ms % day_ms == 0)
        return tr("%1 d", "days").arg(span_ms / day_ms);
    if (span_ms >= hour_ms && span_ms < day_ms && span_ms % hour_ms == 0)
        return tr("%1 h", "hours").arg(span_ms / hour_ms);
    if (span_ms >= minute_ms && span_ms < hour_ms && span_ms % minute_ms == 0)
        return tr("%1 m", "minutes").arg(span_ms / minute_ms);
    if (span_ms >= second_ms && span_ms < minute_ms && span_ms % second_ms == 0)
        return tr("%1 s", "seconds").arg(span_ms / second_ms);
    return duration(span_ms);
}

QString Format::estimate(qint64 span_ms) const
{
    if (span_ms < minute_ms || span_ms >= hour_ms)
        return age(span_ms);
    return span((span_ms + minute_ms / 2) / minute_ms * minute_ms);
}

QString Format::age(qint64 span_ms) const
{
    const qint64 span = std::max<qint64>(0, span_ms);
    if (span < minute_ms)
        return tr("%1 s", "seconds").arg(span / second_ms);
    if (span < hour_ms)
        return duration(span / (10 * second_ms) * (10 * second_ms));
    return duration(span);
}

} // namespace junban::ui
