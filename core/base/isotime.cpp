#include "core/base/isotime.h"

#include "core/base/reasons/fields.h"
#include "core/limits.h"

#include <algorithm>
#include <chrono>

namespace junban {

QByteArray isoTime(qint64 at_ms)
{
    // Without QDateTime, which takes microseconds: two times are written for every claimed job.
    using namespace std::chrono;
    const sys_time<milliseconds> time{milliseconds(at_ms)};
    const sys_days day = floor<days>(time);
    const year_month_day date(day);
    const hh_mm_ss<milliseconds> clock(time - day);
    char text[25] = "0000-00-00T00:00:00.000Z";
    const auto put = [&text](int at, int digits, long value) {
        for (int i = at + digits - 1; i >= at; --i, value /= 10)
            text[i] = char('0' + value % 10);
    };
    put(0, 4, int(date.year()));
    put(5, 2, long(unsigned(date.month())));
    put(8, 2, long(unsigned(date.day())));
    put(11, 2, clock.hours().count());
    put(14, 2, clock.minutes().count());
    put(17, 2, clock.seconds().count());
    put(20, 3, clock.subseconds().count());
    return QByteArray(text, 24);
}

namespace {

using namespace std::chrono;

// Reads a text from its front.
class Scanner
{
public:
    explicit Scanner(QByteArrayView text) : m_rest(text) {}

    bool atEnd() const { return m_rest.isEmpty(); }
    // Whether a digit is next.
    bool atDigit() const { return digits(1) == 1; }
    // How many digits are next, `most` at most.
    int digits(int most) const
    {
        int count = 0;
        while (count < most && count < m_rest.size() && m_rest[count] >= '0' && m_rest[count] <= '9')
            ++count;
        return count;
    }
    bool take(char mark)
    {
        if (!m_rest.startsWith(mark))
            return false;
        m_rest = m_rest.sliced(1);
        return true;
    }
    // A number of exactly `width` digits.
    std::optional<int> number(int width)
    {
        if (digits(width) < width)
            return {};
        int value = 0;
        for (const char digit : m_rest.first(width))
            value = 10 * value + (digit - '0');
        m_rest = m_rest.sliced(width);
        return value;
    }

private:
    QByteArrayView m_rest;
};

// Week 1 is the week of 4 January. A week belongs to the year of its Thursday.
std::optional<sys_days> weekDay(year inYear, int week, int day)
{
    if (week < 1 || day < 1 || day > 7)
        return {};
    const sys_days fourth(inYear / January / 4);
    const sys_days monday = fourth - (weekday(fourth) - Monday) + weeks(week - 1);
    if (year_month_day(monday + days(3)).year() != inYear)
        return {};
    return monday + days(day - 1);
}

std::optional<sys_days> dayOfYear(year inYear, int day)
{
    const sys_days date = sys_days(inYear / January / 1) + days(day - 1);
    return year_month_day(date).year() == inYear ? std::optional(date) : std::nullopt;
}

// 2026-01-02, 2026-W01-5, 2026-002, and the same without dashes.
std::optional<sys_days> readDate(Scanner &in)
{
    const std::optional<int> number = in.number(4);
    if (!number)
        return {};
    const year inYear(*number);
    const bool dashed = in.take('-');
    const bool byWeek = in.take('W');
    if (!byWeek && in.digits(4) == 3)
        return dayOfYear(inYear, *in.number(3));
    const std::optional<int> part = in.number(2); // month or week
    if (!part || in.take('-') != dashed)
        return {};
    const std::optional<int> dayOfPart = in.number(byWeek ? 1 : 2);
    if (!dayOfPart)
        return {};
    if (byWeek)
        return weekDay(inYear, *part, *dayOfPart);
    const year_month_day date(inYear, month(unsigned(*part)), day(unsigned(*dayOfPart)));
    return date.ok() ? std::optional(sys_days(date)) : std::nullopt;
}

// The digits behind a decimal sign, as a fraction of `unit`; digits after the ninth are ignored.
std::optional<milliseconds> readFraction(Scanner &in, milliseconds unit)
{
    if (!in.atDigit())
        return {};
    qint64 value = 0;
    qint64 scale = 1;
    while (const std::optional<int> digit = in.number(1)) {
        if (scale < 1'000'000'000) {
            value = 10 * value + *digit;
            scale *= 10;
        }
    }
    return unit * value / scale;
}

struct TimeOfDay {
    milliseconds sinceMidnight{0};
    bool leap = false; // second 60, counted as the second after it
};

// 03:04:05.678, 03:04:05, 03:04, 03, and the same without colons; 24:00:00 is the end of the day.
std::optional<TimeOfDay> readTimeOfDay(Scanner &in)
{
    const std::optional<int> hour = in.number(2);
    const bool colons = in.take(':');
    std::optional<int> minute = 0;
    std::optional<int> second = 0;
    milliseconds unit = hours(1);
    if (colons || in.atDigit()) {
        minute = in.number(2);
        unit = minutes(1);
        if (colons ? in.take(':') : in.atDigit()) {
            second = in.number(2);
            unit = seconds(1);
        }
    }
    if (!hour || !minute || !second || *hour > 24 || *minute > 59 || *second > 60)
        return {};
    milliseconds time = hours(*hour) + minutes(*minute) + seconds(*second);
    if (in.take('.') || in.take(',')) {
        const std::optional<milliseconds> fraction = readFraction(in, unit);
        if (!fraction)
            return {};
        time += *fraction;
    }
    if (*hour == 24 && time > hours(24))
        return {};
    return TimeOfDay{time, *second == 60};
}

// How far the time is ahead of UTC: Z, +01:00, +0100, +01; an empty text means UTC.
std::optional<minutes> readZone(Scanner &in)
{
    if (in.atEnd() || in.take('Z') || in.take('z'))
        return minutes(0);
    const bool ahead = in.take('+');
    if (!ahead && !in.take('-'))
        return {};
    const std::optional<int> hour = in.number(2);
    const std::optional<int> minute = in.take(':') || in.atDigit() ? in.number(2) : std::optional(0);
    if (!hour || !minute || *hour > 23 || *minute > 59)
        return {};
    const minutes offset = hours(*hour) + minutes(*minute);
    return ahead ? offset : -offset;
}

std::optional<qint64> readWhole(QByteArrayView text)
{
    Scanner in(text);
    const std::optional<sys_days> date = readDate(in);
    if (!date)
        return {};
    sys_time<milliseconds> time = *date;
    if (in.atEnd())
        return time.time_since_epoch().count();
    const std::optional<TimeOfDay> clock = in.take('T') || in.take('t') || in.take(' ') ? readTimeOfDay(in) : std::nullopt;
    const std::optional<minutes> ahead = clock ? readZone(in) : std::nullopt;
    if (!ahead || !in.atEnd())
        return {};
    time += clock->sinceMidnight - *ahead;
    if (clock->leap && time - floor<days>(time) >= seconds(1)) // a leap second is always the last one of a UTC day
        return {};
    return time.time_since_epoch().count();
}

// Whether it begins like 2026-01-02T03:04, has no second 60, and ends with a zone.
bool isUsualForm(QByteArrayView text)
{
    if (text.size() < 17 || text[4] != '-' || text[7] != '-' || text[5] == 'W' || text[13] != ':')
        return false;
    const QByteArrayView rest = text.sliced(16);
    const bool hasLeapSecond = rest.startsWith(":6");
    const auto beginsZone = [](char c) { return c == 'Z' || c == 'z' || c == '+' || c == '-'; };
    return !hasLeapSecond && std::any_of(rest.begin(), rest.end(), beginsZone);
}

} // namespace

std::optional<qint64> fromIsoTime(QByteArrayView text)
{
    return isUsualForm(text) ? readWhole(text) : std::nullopt;
}

std::optional<qint64> fromAnyIsoTime(QByteArrayView text)
{
    return readWhole(text);
}

SentTime readTime(QByteArrayView text, Zone zone)
{
    const bool isLoose = zone == Zone::MayBeLeftOut;
    const std::optional<qint64> at_ms = isLoose ? fromAnyIsoTime(text) : fromIsoTime(text);
    if (!at_ms)
        return {{}, isLoose ? reasons::dateOrTimeExpected : reasons::timeExpected};
    if (*at_ms < limits::time_ms_min || *at_ms > limits::time_ms_max)
        return {{}, reasons::timeOutOfRange};
    return {at_ms};
}

bool isDay(QByteArrayView text)
{
    const bool isUsual = text.size() == 10 && text[4] == '-' && text[7] == '-';
    return isUsual && readTime(text, Zone::MayBeLeftOut).at_ms;
}

} // namespace junban
