#pragma once

#include <QCoreApplication>
#include <QLocale>
#include <QString>

namespace junban::ui {

enum class TimesIn { Local, Utc };

// How numbers, times and durations are written: in the language's own way, and in the time zone that the operator chose.
class Format
{
    Q_DECLARE_TR_FUNCTIONS(Format)

public:
    explicit Format(QLocale locale = QLocale(), TimesIn timesIn = TimesIn::Local) : m_locale(std::move(locale)), m_timesIn(timesIn) {}

    const QLocale &locale() const { return m_locale; }
    QString count(qint64 value) const;
    // 12,480 in full below 100,000, then 2.1M.
    QString shortCount(qint64 value) const;
    // Five characters or so: 9,999, 12k, 2.1M.
    QString tinyCount(qint64 value) const;
    QString rate(double perSecond) const;
    QString bytes(qint64 size) const;
    // These take milliseconds since 1970 and give an empty text for 0.
    QString time(qint64 at_ms) const;      // 12:01:03 UTC+9
    QString timeToday(qint64 at_ms, qint64 now_ms) const; // with its date, unless that is today's
    // Likewise, in a column whose title has the zone of now: only a time of another offset has it, too.
    QString timeInColumn(qint64 at_ms, qint64 now_ms) const;
    QString columnTitle(const QString &title, qint64 now_ms) const; // Finished (UTC+9)
    QString dateTime(qint64 at_ms) const;  // 2026-01-02 12:01:03.412 UTC+9
    // In a time zone of its own, with the day of the week, and in the operator's: Mon 09:00:00 Asia/Tokyo = 00:00:00 UTC. When both clocks
    // show the same, or this machine does not know the zone, once.
    QString timeIn(const QByteArray &zone, qint64 at_ms, qint64 now_ms) const;
    // For an axis that spans so much: 12:01:03, 12:01, 01-02; with the zone: 12:01 UTC+9. A span of 0: everything to the second.
    QString axisTime(qint64 at_ms, qint64 span_ms) const;
    QString axisTimeZoned(qint64 at_ms, qint64 span_ms) const;
    // 3 ms, 41 s, 6 m 02 s, 2 h 07 m, 3 d 4 h
    QString duration(qint64 span_ms) const;
    // What somebody set: without smaller units that are nothing. 30 s, 1 m, 1 h, 1 m 30 s
    QString span(qint64 span_ms) const;
    // What is known roughly: of minutes without seconds. 40 s, 6 m, 1 h 43 m
    QString estimate(qint64 span_ms) const;
    // As a duration, but in steps of ten seconds above a minute, so that a displayed age does not change all the time.
    QString age(qint64 span_ms) const;

private:
    QLocale m_locale;
    TimesIn m_timesIn;
};

} // namespace junban::ui
