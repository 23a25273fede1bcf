#include "core/calendar/cron.h"

#include "core/base/durations.h"
#include "core/base/reasons/calendar.h"
#include "core/base/reasons/fields.h"
#include "core/limits.h"

#include <QList>
#include <algorithm>
#include <chrono>

namespace junban {

namespace {

using namespace std::chrono;


struct FieldRule {
    const char *name;
    int min;
    int max;
    const char *const *words; // for the values from `min` on; null: the field has no words
    int wordCount;
};

constexpr const char *monthWords[] = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
constexpr const char *weekdayWords[] = {"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"};
constexpr FieldRule rules[] = {
    {"minute", 0, 59, nullptr, 0},
    {"hour", 0, 23, nullptr, 0},
    {"day_of_month", 1, 31, nullptr, 0},
    {"month", 1, 12, monthWords, 12},
    {"day_of_week", 0, 7, weekdayWords, 7},
};

struct Macro {
    const char *word;
    const char *expression;
};
constexpr Macro macros[] = {
    {"@hourly", "0 * * * *"}, {"@daily", "0 0 * * *"}, {"@midnight", "0 0 * * *"}, {"@weekly", "0 0 * * 0"},
    {"@monthly", "0 0 1 * *"}, {"@yearly", "0 0 1 1 *"}, {"@annually", "0 0 1 1 *"},
};

int daysIn(year_month month)
{
    return int(unsigned((month / last).day()));
}

} // namespace

// Reads one expression and keeps the first error.
class CronReader
{
public:
    explicit CronReader(QByteArray field) : m_field(std::move(field)) {}

    Result<Cron> read(QByteArrayView text)
    {
        Cron cron;
        cron.m_text = text.toByteArray().simplified();
        if (text.size() > limits::cron_bytes_max)
            return reasons::textTooLong(m_field, limits::cron_bytes_max, text.size());
        QByteArray expression = cron.m_text;
        if (expression.startsWith('@')) {
            const auto *const macro = std::find_if(std::begin(macros), std::end(macros),
                [&](const Macro &candidate) { return expression.compare(candidate.word, Qt::CaseInsensitive) == 0; });
            if (macro == std::end(macros))
                return reasons::cronUnknownShortcut(m_field, expression);
            expression = macro->expression;
        }
        const QList<QByteArray> fields = expression.split(' ');
        if (fields.size() != 5 || expression.isEmpty())
            return reasons::cronNotFiveFields(m_field);
        quint64 bits[5] = {};
        for (int i = 0; i < 5; ++i) {
            if (!readField(rules[i], fields[i], bits[i], i == 2 ? &cron.m_lastDay : nullptr))
                return *m_error;
        }
        cron.m_minutes = bits[0];
        cron.m_hours = bits[1];
        cron.m_days = bits[2];
        cron.m_months = bits[3];
        cron.m_weekdays = (bits[4] & 0x7f) | (bits[4] >> 7 & 1);
        cron.m_eitherDay = !fields[2].startsWith('*') && !fields[4].startsWith('*');
        cron.m_realTime = fields[0].startsWith('*') || fields[1].startsWith('*');
        if (!cron.everHappens())
            return reasons::cronNever(m_field);
        return cron;
    }

private:
    bool fail(Error error)
    {
        m_error = std::move(error);
        return false;
    }

    bool readField(const FieldRule &rule, const QByteArray &text, quint64 &bits, bool *lastDay)
    {
        const QList<QByteArray> parts = text.split(',');
        for (const QByteArray &part : parts) {
            if (lastDay && (part == "L" || part == "l"))
                *lastDay = true;
            else if (!readPart(rule, part, bits))
                return false;
        }
        return true;
    }

    bool readPart(const FieldRule &rule, const QByteArray &part, quint64 &bits)
    {
        const qsizetype slash = part.indexOf('/');
        const QByteArray range = part.first(slash < 0 ? part.size() : slash);
        int step = 1;
        if (slash >= 0) {
            const std::optional<int> given = number(part.sliced(slash + 1));
            if (!given || *given < 1 || *given > rule.max)
                return fail(reasons::cronBadStep(m_field, part, rule.name, rule.max));
            step = *given;
        }
        int from = rule.min;
        int to = rule.max;
        if (range != "*") {
            const qsizetype dash = range.indexOf('-');
            const std::optional<int> first = value(rule, range.first(dash < 0 ? range.size() : dash));
            std::optional<int> second = dash < 0 ? first : value(rule, range.sliced(dash + 1));
            if (!first || !second)
                return fail(rule.words ? reasons::cronNotAWord(m_field, part, rule.name, rule.min, rule.max, rule.words[0],
                                             rule.words[rule.wordCount - 1])
                                       : reasons::cronOutOfRange(m_field, part, rule.name, rule.min, rule.max));
            const bool weekdays = rule.words == weekdayWords;
            if (dash >= 0 && weekdays && *second == 0 && *first > 0)
                second = 7; // FRI-SUN
            if (*second < *first)
                return fail(reasons::cronReversed(m_field, part, rule.name));
            from = *first;
            to = dash < 0 && slash >= 0 ? rule.max : *second;
        } else if (rule.max == 7) {
            to = 6; // the week has one Sunday
        }
        for (int at = from; at <= to; at += step)
            bits |= quint64(1) << at;
        return true;
    }

    static std::optional<int> number(const QByteArray &text)
    {
        const bool digits = !text.isEmpty() && text.size() <= 4
            && std::all_of(text.cbegin(), text.cend(), [](char c) { return c >= '0' && c <= '9'; });
        return digits ? std::optional<int>(text.toInt()) : std::nullopt;
    }

    static std::optional<int> value(const FieldRule &rule, const QByteArray &text)
    {
        for (int i = 0; i < rule.wordCount; ++i) {
            if (text.compare(rule.words[i], Qt::CaseInsensitive) == 0)
                return rule.min + i;
        }
        const std::optional<int> given = number(text);
        return given && *given >= rule.min && *given <= rule.max ? given : std::nullopt;
    }

    QByteArray m_field;
    std::optional<Error> m_error;
};

Result<Cron> Cron::parse(QByteArrayView text, const QByteArray &field)
{
    return CronReader(field).read(text);
}

bool Cron::matchesDay(int month, int day, int daysInMonth, int weekday) const
{
    if (!m_months[size_t(month)])
        return false;
    const bool date = m_days[size_t(day)] || (m_lastDay && day == daysInMonth);
    const bool week = m_weekdays[size_t(weekday)];
    return m_eitherDay ? date || week : date && week;
}

// Whether any year has a matching date. The day of the week does not matter: every date falls on every day of the week in some year.
bool Cron::everHappens() const
{
    for (int month = 1; month <= 12; ++month) {
        const int days = daysIn(year(2024) / month);
        for (int day = 1; day <= days; ++day) {
            for (int weekday = 0; weekday < 7; ++weekday) {
                if (matchesDay(month, day, days, weekday))
                    return true;
            }
        }
    }
    return false;
}

std::optional<qint64> Cron::nextWall_ms(qint64 wall_ms) const
{
    const auto first = floor<minutes>(milliseconds(wall_ms)) + minutes(1);
    sys_days day{floor<days>(first)};
    int minute = int((first - day.time_since_epoch()).count()); // of the day
    const year_month_day start(day);
    for (year_month month = start.year() / start.month(); month.year() <= start.year() + years(limits::calendar_years_max);) {
        const int inMonth = daysIn(month);
        if (m_months[unsigned(month.month())]) {
            for (year_month_day date(day); date.year() / date.month() == month; date = day) {
                if (matchesDay(int(unsigned(date.month())), int(unsigned(date.day())), inMonth, int(weekday(day).c_encoding()))) {
                    for (; minute < 24 * 60; ++minute) {
                        if (m_hours[size_t(minute / 60)] && m_minutes[size_t(minute % 60)])
                            return qint64(day.time_since_epoch().count()) * day_ms + minute * minute_ms;
                    }
                }
                day += days(1);
                minute = 0;
            }
        }
        month += months(1);
        day = month / 1;
        minute = 0;
    }
    return {};
}

std::optional<qint64> Cron::nextAfter_ms(qint64 after_ms, const TimeZone &zone) const
{
    if (!m_realTime) {
        const std::optional<qint64> wall_ms = nextWall_ms(zone.latestWall_ms(after_ms));
        return wall_ms ? std::optional<qint64>(zone.firstAt_ms(*wall_ms)) : std::nullopt;
    }
    // One span of equal offset after the other.
    qint64 from_ms = after_ms + 1;
    for (int spans = 0; spans < limits::calendar_years_max * 8; ++spans) {
        const qint64 offset_ms = zone.offsetAt_ms(from_ms);
        const std::optional<qint64> wall_ms = nextWall_ms(from_ms + offset_ms - 1);
        if (!wall_ms)
            return {};
        const std::optional<qint64> change_ms = zone.nextChange_ms(from_ms);
        if (!change_ms || *wall_ms - offset_ms < *change_ms)
            return *wall_ms - offset_ms;
        from_ms = *change_ms;
    }
    return {};
}

qint64 Interval::nextAfter_ms(qint64 after_ms) const
{
    if (after_ms < anchor_ms)
        return anchor_ms;
    return anchor_ms + ((after_ms - anchor_ms) / every_ms + 1) * every_ms;
}

} // namespace junban
