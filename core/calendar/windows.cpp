#include "core/calendar/windows.h"

#include "core/base/durations.h"
#include "core/base/reasons/calendar.h"
#include "core/base/reasons/fields.h"
#include "core/base/text.h"
#include "core/calendar/timezone.h"
#include "core/limits.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/payload.h"

#include <algorithm>
#include <chrono>

namespace junban {

namespace {

constexpr const char *dayWords[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};

struct Span {
    qint64 from_ms;
    qint64 to_ms;
};

// 0 is Monday; `day` counts from 1970-01-01, a Thursday.
int weekday(qint64 day)
{
    return int(((day + 3) % 7 + 7) % 7);
}

qint64 dayOf(qint64 at_ms)
{
    return std::chrono::floor<std::chrono::days>(std::chrono::milliseconds(at_ms)).count();
}

QByteArray timeText(int minutes)
{
    return QByteArray::number(minutes / 60).rightJustified(2, '0') + ':' + QByteArray::number(minutes % 60).rightJustified(2, '0');
}

// The openings of a union of windows around a moment, in order; openings that touch are merged.
class Openings
{
public:
    explicit Openings(const QList<Window> &windows)
    {
        for (const Window &window : windows) {
            const Result<TimeZone> zone = TimeZone::named(window.tz, {});
            if (!zone.ok()) {
                m_windows.clear();
                return;
            }
            m_windows.append({window, *zone});
        }
    }
    // False when this machine lacks a zone.
    bool known() const { return !m_windows.isEmpty(); }

    // The openings that end after `from_ms`, of the days up to `days` later. The list is complete up to `known_ms`; an opening that ends
    // there or later may in fact last longer, and further ones may follow.
    QList<Span> after(qint64 from_ms, int days, qint64 &known_ms) const
    {
        // Days are counted in UTC here, and wall clocks differ from UTC by more than half a day. So a window of two days ago may still be
        // open, and a window of the day after the last one may open two days before it.
        const qint64 first = dayOf(from_ms) - 3;
        const qint64 last = dayOf(from_ms) + days;
        known_ms = (last - 1) * day_ms;
        QList<Span> all;
        for (const auto &[window, zone] : m_windows) {
            for (qint64 day = first; day <= last; ++day) {
                if (!(window.days >> weekday(day) & 1))
                    continue;
                const int to_min = window.to_min > window.from_min ? window.to_min : window.to_min + day_min;
                const Span span{zone.firstAt_ms(day * day_ms + window.from_min * minute_ms),
                    zone.settledAt_ms(day * day_ms + to_min * minute_ms)};
                if (span.to_ms > span.from_ms && span.to_ms > from_ms)
                    all.append(span);
            }
        }
        return merged(std::move(all));
    }

private:
    static QList<Span> merged(QList<Span> all)
    {
        std::sort(all.begin(), all.end(), [](const Span &a, const Span &b) { return a.from_ms < b.from_ms; });
        QList<Span> out;
        for (const Span &span : std::as_const(all)) {
            if (!out.isEmpty() && span.from_ms <= out.last().to_ms)
                out.last().to_ms = std::max(out.last().to_ms, span.to_ms);
            else
                out.append(span);
        }
        return out;
    }

    QList<QPair<Window, TimeZone>> m_windows;
};

// Reads one list; stops at the first error.
class WindowReader
{
public:
    WindowReader(QByteArrayView array, QByteArray field, Zones zones) : m_reader(array), m_field(std::move(field)), m_zones(zones) {}

    Result<Window> readOne() { return readWindow(m_field); }
    Result<QList<Window>> read()
    {
        const std::optional<payload::Token> head = m_reader.next();
        if (!head)
            return reasons::windowsIncomplete();
        if (head->type != payload::Type::Array)
            return reasons::arrayExpected(m_field, payload::typeWord(head->type));
        if (head->count > quint32(limits::windows_max))
            return reasons::arrayTooLong(m_field, limits::windows_max, head->count);
        QList<Window> windows;
        for (quint32 i = 0; i < head->count; ++i) {
            Result<Window> window = readWindow(m_field + '[' + QByteArray::number(i) + ']');
            if (!window.ok())
                return window.error();
            windows.append(std::move(*window));
        }
        return windows;
    }

private:
    using Token = payload::Token;

    Result<Window> readWindow(const QByteArray &field)
    {
        const std::optional<Token> head = m_reader.next();
        if (!head)
            return reasons::windowsIncomplete();
        if (head->type != payload::Type::Map)
            return reasons::mapExpected(field, payload::typeWord(head->type));
        Window window;
        QList<QByteArray> seen;
        for (quint32 i = 0; i < head->count; ++i) {
            const std::optional<Token> key = m_reader.next();
            const std::optional<Token> value = key && key->type == payload::Type::String ? m_reader.next() : std::nullopt;
            if (!value)
                return m_reader.failed() || !key ? reasons::windowsIncomplete() : reasons::keyNotString(field);
            const QByteArray name = key->bytes.toByteArray();
            const QByteArray path = field + '.' + shown(name, limits::shown_bytes_max);
            if (seen.contains(name))
                return reasons::fieldGivenTwice(path);
            seen.append(name);
            if (const std::optional<Error> error = readField(name, *value, path, window))
                return *error;
        }
        for (const char *needed : {"from", "to"}) {
            if (!seen.contains(QByteArray(needed)))
                return reasons::fieldRequired(field + '.' + needed);
        }
        return window;
    }

    std::optional<Error> readField(const QByteArray &name, const Token &value, const QByteArray &path, Window &window)
    {
        if (name == "from")
            return readTime(value, path, day_min - 1, window.from_min);
        if (name == "to")
            return readTime(value, path, day_min, window.to_min);
        if (name == "tz")
            return readZone(value, path, window.tz);
        if (name == "days")
            return readDays(value, path, window.days);
        return reasons::windowUnknownField(path);
    }

    static std::optional<Error> readTime(const Token &value, const QByteArray &path, int max_min, int &out_min)
    {
        const QByteArrayView text = value.type == payload::Type::String ? value.bytes : QByteArrayView();
        const auto digit = [text](qsizetype at) { return text[at] >= '0' && text[at] <= '9'; };
        if (text.size() == 5 && text[2] == ':' && digit(0) && digit(1) && digit(3) && digit(4)) {
            const int hours = (text[0] - '0') * 10 + text[1] - '0';
            const int minutes = (text[3] - '0') * 10 + text[4] - '0';
            out_min = hours * 60 + minutes;
            if (minutes < 60 && out_min <= max_min)
                return {};
        }
        return reasons::windowBadTime(path, timeText(max_min));
    }

    std::optional<Error> readZone(const Token &value, const QByteArray &path, QByteArray &out) const
    {
        if (value.type != payload::Type::String)
            return reasons::stringExpected(path, payload::typeWord(value.type));
        if (m_zones == Zones::Any) {
            out = value.bytes.toByteArray();
            return {};
        }
        const Result<TimeZone> zone = TimeZone::named(value.bytes, path);
        if (!zone.ok())
            return zone.error();
        out = zone->name();
        return {};
    }

    std::optional<Error> readDays(const Token &value, const QByteArray &path, quint8 &out)
    {
        if (value.type != payload::Type::Array || value.count == 0 || value.count > 7)
            return reasons::windowBadDays(path);
        out = 0;
        for (quint32 i = 0; i < value.count; ++i) {
            const std::optional<Token> day = m_reader.next();
            const auto *const word = std::find_if(std::begin(dayWords), std::end(dayWords), [&](const char *candidate) {
                return day && day->type == payload::Type::String && day->bytes == candidate;
            });
            if (word == std::end(dayWords))
                return reasons::windowBadDay(path + '[' + QByteArray::number(i) + ']');
            out = quint8(out | 1 << (word - std::begin(dayWords)));
        }
        return {};
    }

    payload::Reader m_reader;
    QByteArray m_field;
    Zones m_zones;
};

} // namespace

Result<QList<Window>> windowsFromMsgpack(QByteArrayView array, const QByteArray &field, Zones zones)
{
    return WindowReader(array, field, zones).read();
}

std::optional<QByteArray> lostZone(const QList<Window> &windows)
{
    for (const Window &window : windows) {
        if (!TimeZone::named(window.tz, {}).ok())
            return window.tz;
    }
    return {};
}

Result<Window> windowFromMsgpack(QByteArrayView map, const QByteArray &field)
{
    return WindowReader(map, field, Zones::Checked).readOne();
}

QByteArray windowsToMsgpack(const QList<Window> &windows)
{
    MsgpackWriter writer;
    writer.array(windows.size());
    for (const Window &window : windows) {
        writer.map(4).text("from").text(timeText(window.from_min)).text("to").text(timeText(window.to_min)).text("tz").text(window.tz);
        QList<QByteArray> days;
        for (int day = 0; day < 7; ++day) {
            if (window.days >> day & 1)
                days.append(dayWords[day]);
        }
        writer.text("days").array(days.size());
        for (const QByteArray &day : std::as_const(days))
            writer.text(day);
    }
    return writer.take();
}

bool isOpen(const QList<Window> &windows, qint64 at_ms)
{
    return nextOpening_ms(windows, at_ms) == at_ms;
}

qint64 nextOpening_ms(const QList<Window> &windows, qint64 at_ms)
{
    if (windows.isEmpty())
        return at_ms;
    const Openings openings(windows);
    if (!openings.known())
        return at_ms + 24 * day_ms; // the caller asks again then
    // Most windows open within two days and all within two weeks; a skipped day or hour can cost one more week.
    for (const int days : {3, 24}) {
        qint64 known_ms = 0;
        const QList<Span> spans = openings.after(at_ms, days, known_ms);
        if (!spans.isEmpty() && spans.first().from_ms < known_ms)
            return std::max(at_ms, spans.first().from_ms);
    }
    return at_ms + 24 * day_ms; // no day is set, so they never open: the caller asks again then
}

QList<qint64> boundaries_ms(const QList<Window> &windows, qint64 from_ms, int count)
{
    QList<qint64> boundaries;
    if (windows.isEmpty())
        return boundaries;
    const Openings openings(windows);
    if (!openings.known())
        return boundaries;
    const int days_max = 7 * (count + 4);
    for (int days = std::min(14, days_max);; days = std::min(days * 4, days_max)) {
        qint64 known_ms = 0;
        const QList<Span> spans = openings.after(from_ms, days, known_ms);
        boundaries.clear();
        for (const Span &span : spans) {
            for (const qint64 boundary_ms : {span.from_ms, span.to_ms}) {
                if (boundary_ms > from_ms && boundary_ms < known_ms && boundaries.size() < count)
                    boundaries.append(boundary_ms);
            }
        }
        if (boundaries.size() == count || days == days_max)
            return boundaries;
    }
}

} // namespace junban
