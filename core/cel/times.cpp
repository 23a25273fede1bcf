#include "core/cel/times.h"

#include "core/calendar/timezone.h"

#include <chrono>
#include <limits>

namespace junban::cel::times {

namespace {

using namespace std::chrono;

__extension__ typedef __int128 Wide; // no sum or product of 64-bit counts overflows it

constexpr qint64 seconds_min = -62'135'596'800; // 0001-01-01T00:00:00Z
constexpr qint64 seconds_max = 253'402'300'799; // 9999-12-31T23:59:59Z
constexpr qint64 nanoseconds_of_second = 1'000'000'000;

// Reads a text from its beginning. A take… function that fails does not move on.
class Scanner
{
public:
    explicit Scanner(QByteArrayView text) : m_text(text) {}

    bool atEnd() const { return m_text.isEmpty(); }
    bool take(char wanted)
    {
        if (!m_text.startsWith(wanted))
            return false;
        m_text = m_text.sliced(1);
        return true;
    }
    bool takeWord(QByteArrayView word)
    {
        if (!m_text.startsWith(word))
            return false;
        m_text = m_text.sliced(word.size());
        return true;
    }
    std::optional<char> takeDigit()
    {
        if (m_text.isEmpty() || m_text.front() < '0' || m_text.front() > '9')
            return {};
        const char digit = m_text.front();
        m_text = m_text.sliced(1);
        return digit;
    }
    // Exactly `digits` digits.
    std::optional<int> takeNumber(int digits)
    {
        int number = 0;
        for (; digits > 0; --digits) {
            const auto digit = takeDigit();
            if (!digit)
                return {};
            number = number * 10 + (*digit - '0');
        }
        return number;
    }

private:
    QByteArrayView m_text;
};

// "hh:mm" in seconds.
std::optional<qint64> clockOffset(Scanner &scanner)
{
    const auto hours = scanner.takeNumber(2);
    const bool colon = scanner.take(':');
    const auto minutes = scanner.takeNumber(2);
    if (!hours || !colon || !minutes || *hours > 23 || *minutes > 59)
        return {};
    return *hours * 3'600 + *minutes * 60;
}

std::optional<qint64> fractionOfSecond(Scanner &scanner)
{
    if (!scanner.take('.'))
        return 0;
    qint64 nanoseconds = 0;
    qint64 weight = nanoseconds_of_second / 10;
    int digits = 0;
    for (; const auto digit = scanner.takeDigit(); ++digits, weight /= 10)
        nanoseconds += (*digit - '0') * weight; // the weight is 0 after the ninth digit
    return digits > 0 ? std::optional(nanoseconds) : std::nullopt;
}

// A number with its unit, in nanoseconds; parts of a nanosecond are dropped. It has 128 bits, so that an overflow (2^63 hours) is noticed.
std::optional<Wide> quantity(Scanner &scanner)
{
    constexpr Wide whole_max = std::numeric_limits<qint64>::max();
    Wide whole = 0;
    Wide fraction = 0;
    Wide scale = 1;
    int digits = 0;
    for (; const auto digit = scanner.takeDigit(); ++digits) {
        whole = whole * 10 + (*digit - '0');
        if (whole > whole_max)
            return {};
    }
    if (scanner.take('.')) {
        for (; const auto digit = scanner.takeDigit(); ++digits) {
            if (scale < 1'000'000'000'000'000) {
                fraction = fraction * 10 + (*digit - '0');
                scale *= 10;
            }
        }
    }
    if (digits == 0)
        return {};
    static constexpr struct {
        const char *word;
        qint64 nanoseconds;
    } units[] = {{"ns", 1}, {"us", 1'000}, {"\xc2\xb5s", 1'000}, {"\xce\xbcs", 1'000}, {"ms", 1'000'000}, {"s", nanoseconds_of_second},
        {"m", 60 * nanoseconds_of_second}, {"h", 3'600 * nanoseconds_of_second}};
    for (const auto &unit : units) {
        if (scanner.takeWord(QByteArrayView(unit.word)))
            return whole * unit.nanoseconds + fraction * unit.nanoseconds / scale;
    }
    return {};
}

void putNumber(QByteArray &out, qint64 value, int digits)
{
    out += QByteArray::number(value).rightJustified(digits, '0');
}

void putFraction(QByteArray &out, qint64 nanoseconds)
{
    if (nanoseconds == 0)
        return;
    out += '.';
    QByteArray digits = QByteArray::number(nanoseconds).rightJustified(9, '0');
    while (digits.endsWith('0'))
        digits.chop(1);
    out += digits;
}

} // namespace

std::optional<Value> timestampAt(qint64 seconds, qint64 nanoseconds)
{
    if (seconds < seconds_min || seconds > seconds_max)
        return {};
    return Value::timestamp(seconds, qint32(nanoseconds));
}

std::optional<Value> parseTimestamp(QByteArrayView text)
{
    Scanner scanner(text);
    const auto year_ = scanner.takeNumber(4);
    const bool dash = scanner.take('-');
    const auto month_ = scanner.takeNumber(2);
    const bool dash2 = scanner.take('-');
    const auto day_ = scanner.takeNumber(2);
    if (!year_ || !dash || !month_ || !dash2 || !day_ || !scanner.take('T'))
        return {};
    const auto hour = scanner.takeNumber(2);
    const bool colon = scanner.take(':');
    const auto minute = scanner.takeNumber(2);
    const bool colon2 = scanner.take(':');
    const auto second = scanner.takeNumber(2);
    if (!hour || !colon || !minute || !colon2 || !second || *hour > 23 || *minute > 59 || *second > 59)
        return {};
    const auto nanoseconds = fractionOfSecond(scanner);
    if (!nanoseconds)
        return {};
    qint64 offset = 0;
    if (!scanner.take('Z')) {
        const int sign = scanner.take('+') ? 1 : scanner.take('-') ? -1 : 0;
        const auto distance = clockOffset(scanner);
        if (sign == 0 || !distance)
            return {};
        offset = sign * *distance;
    }
    const year_month_day date{year(*year_), month(unsigned(*month_)), day(unsigned(*day_))};
    if (!scanner.atEnd() || !date.ok())
        return {};
    const qint64 days = sys_days(date).time_since_epoch().count();
    return timestampAt(days * 86'400 + *hour * 3'600 + *minute * 60 + *second - offset, *nanoseconds);
}

std::optional<Value> parseDuration(QByteArrayView text)
{
    Scanner scanner(text);
    const bool negative = scanner.take('-');
    if (!negative)
        scanner.take('+');
    if (scanner.atEnd())
        return {};
    Wide total = 0;
    if (text.endsWith('0') && text.size() <= 2) {
        const auto zero = scanner.takeNumber(1);
        return zero == 0 && scanner.atEnd() ? std::optional(Value::duration(0)) : std::nullopt;
    }
    while (!scanner.atEnd()) {
        const auto next = quantity(scanner);
        if (!next)
            return {};
        total += *next;
        if (total > Wide(std::numeric_limits<qint64>::max()) + 1)
            return {};
    }
    if (negative)
        total = -total;
    if (total > std::numeric_limits<qint64>::max())
        return {};
    return Value::duration(qint64(total));
}

std::optional<Value> shifted(const Value &timestamp, const Value &duration, int sign)
{
    // Rounded down, so that the nanoseconds stay positive.
    const Wide shift = Wide(sign) * duration.durationNanoseconds() + timestamp.nanoseconds();
    Wide seconds = shift / nanoseconds_of_second;
    Wide nanoseconds = shift % nanoseconds_of_second;
    if (nanoseconds < 0) {
        nanoseconds += nanoseconds_of_second;
        --seconds;
    }
    return timestampAt(qint64(timestamp.seconds() + seconds), qint64(nanoseconds));
}

std::optional<Value> between(const Value &later, const Value &earlier)
{
    const Wide difference = Wide(later.seconds() - earlier.seconds()) * nanoseconds_of_second
        + (later.nanoseconds() - earlier.nanoseconds());
    if (difference > std::numeric_limits<qint64>::max() || difference < std::numeric_limits<qint64>::min())
        return {};
    return Value::duration(qint64(difference));
}

QByteArray timestampText(const Value &timestamp)
{
    const sys_seconds at{std::chrono::seconds(timestamp.seconds())};
    const sys_days date = floor<days>(at);
    const year_month_day civil(date);
    const hh_mm_ss<std::chrono::seconds> clock(at - date);
    QByteArray text;
    putNumber(text, int(civil.year()), 4);
    putNumber(text += '-', unsigned(civil.month()), 2);
    putNumber(text += '-', unsigned(civil.day()), 2);
    putNumber(text += 'T', clock.hours().count(), 2);
    putNumber(text += ':', clock.minutes().count(), 2);
    putNumber(text += ':', clock.seconds().count(), 2);
    putFraction(text, timestamp.nanoseconds());
    return text += 'Z';
}

QByteArray durationText(const Value &duration)
{
    const qint64 total = duration.durationNanoseconds();
    QByteArray text(total < 0 ? "-" : "");
    // Each part is made positive by itself: the smallest duration has no positive counterpart.
    text += QByteArray::number(qAbs(total / nanoseconds_of_second));
    putFraction(text, qAbs(total % nanoseconds_of_second));
    return text += 's';
}

std::optional<qint64> zoneOffset_s(QByteArrayView zone, qint64 at_s)
{
    if (zone == "UTC")
        return 0;
    if (zone.size() == 5 || zone.size() == 6) {
        Scanner scanner(zone);
        const int sign = scanner.take('-') ? -1 : 1;
        if (sign > 0)
            scanner.take('+');
        const auto distance = clockOffset(scanner);
        if (distance && scanner.atEnd())
            return sign * *distance;
    }
    const Result<TimeZone> named = TimeZone::named(zone, {});
    return named.ok() ? std::optional(named->offsetAt_ms(at_s * 1'000) / 1'000) : std::nullopt;
}

std::optional<qint64> part(const Value &timestamp, Part part, QByteArrayView zone)
{
    const auto offset = zoneOffset_s(zone, timestamp.seconds());
    if (!offset)
        return {};
    const sys_seconds local{std::chrono::seconds(timestamp.seconds() + *offset)};
    const sys_days date = floor<days>(local);
    const year_month_day civil(date);
    const hh_mm_ss<std::chrono::seconds> clock(local - date);
    switch (part) {
    case Part::FullYear: return int(civil.year());
    case Part::Month: return qint64(unsigned(civil.month())) - 1;
    case Part::DayOfYear: return (date - sys_days(civil.year() / January / 1)).count();
    case Part::DayOfMonth: return qint64(unsigned(civil.day())) - 1;
    case Part::Date: return qint64(unsigned(civil.day()));
    case Part::DayOfWeek: return qint64(weekday(date).c_encoding());
    case Part::Hours: return clock.hours().count();
    case Part::Minutes: return clock.minutes().count();
    case Part::Seconds: return clock.seconds().count();
    case Part::Milliseconds: return timestamp.nanoseconds() / 1'000'000;
    }
    return {};
}

qint64 durationPart(const Value &duration, Part part)
{
    const qint64 total = duration.durationNanoseconds();
    switch (part) {
    case Part::Hours: return total / (3'600 * nanoseconds_of_second);
    case Part::Minutes: return total / (60 * nanoseconds_of_second);
    case Part::Seconds: return total / nanoseconds_of_second;
    default: return total % nanoseconds_of_second / 1'000'000;
    }
}

} // namespace junban::cel::times
