#include "core/limits/kinds/kinds.h"

#include "core/base/durations.h"
#include "core/base/isotime.h"
#include "core/base/reasons/matchers.h"
#include "core/calendar/timezone.h"
#include "core/limits/kinds/storedwords.h"
#include "core/msgpack/msgpackwriter.h"

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

// The union of the windows' openings from `from_ms` to `to_ms`, in order and without overlaps.
QList<Span> openings(const QList<ConstraintWindow> &windows, const TimeZone &zone, qint64 from_ms, qint64 to_ms)
{
    QList<Span> all;
    for (const ConstraintWindow &each : windows) {
        const int end_min = each.window.to_min > each.window.from_min ? each.window.to_min : each.window.to_min + day_min;
        // A window that began two days ago may still be open, in any zone.
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
    const Result<TimeZone> zone = TimeZone::named(window.tz, {});
    if (!zone.ok())
        return {}; // nobody knows
    const QList<Span> allowed = window.allow.isEmpty() ? QList<Span>{{from_ms, to_ms}} : openings(window.allow, *zone, from_ms, to_ms);
    return without(allowed, openings(window.deny, *zone, from_ms, to_ms));
}

// --- Reading and writing ----------------------------------------------------------------------------------------------------------------

constexpr const char *calendarFields[] = {"from", "to", "days"};

// The calendar reads hours and days. Dates are read here, and the zone is a field of the constraint.
bool readConstraintWindow(Decoder &in, const PackedValue &value, ConstraintWindow &window)
{
    std::optional<QByteArrayView> hours[std::size(calendarFields)];
    bool dated = false;
    const bool readable = in.map(value, [&](QByteArrayView key, const PackedValue &field) {
        if (key == "dates") {
            dated = true;
            return readTexts(in, field, window.dates, limits::constraint_dates_max, isDay, reasons::windowDateExpected);
        }
        const auto *known = std::find(std::begin(calendarFields), std::end(calendarFields), key);
        if (known == std::end(calendarFields))
            return false;
        hours[known - std::begin(calendarFields)] = field.raw();
        return true;
    });
    if (!readable)
        return false;
    const QByteArray midnight = MsgpackWriter().text("00:00").take();
    const QByteArray dayEnd = MsgpackWriter().text("24:00").take();
    if (dated && !hours[0] && !hours[1]) {
        hours[0] = midnight;
        hours[1] = dayEnd;
    }
    MsgpackWriter plain;
    plain.map(std::count_if(std::begin(hours), std::end(hours), [](const auto &field) { return field.has_value(); }));
    for (size_t i = 0; i < std::size(hours); ++i) {
        if (hours[i])
            plain.text(calendarFields[i]).raw(*hours[i]);
    }
    const Result<Window> read = windowFromMsgpack(plain.take(), value.path.text());
    if (!read.ok())
        return in.lenient() ? false : in.refuse(read.error());
    window.window = *read;
    return true;
}

bool readConstraintWindows(Decoder &in, const PackedValue &value, void *member, const Field &field)
{
    auto &windows = *static_cast<QList<ConstraintWindow> *>(member);
    windows.clear();
    if (value.head.type == payload::Type::Array && !fewEnough(in, value, field.count_max))
        return false;
    return in.array(value, field.count_max, [&](const PackedValue &element) {
        ConstraintWindow window;
        if (!readConstraintWindow(in, element, window))
            return in.lenient() ? in.useless(element.path) : false;
        windows.append(window);
        return true;
    });
}

// Hours and days as the calendar writes them, without the zone, and the dates.
void writeConstraintWindows(MsgpackWriter &out, const void *member, const Field &, Written)
{
    const auto &windows = *static_cast<const QList<ConstraintWindow> *>(member);
    out.array(windows.size());
    for (const ConstraintWindow &window : windows) {
        const QByteArray plain = windowsToMsgpack({window.window});
        out.map(std::ssize(calendarFields) + (window.dates.isEmpty() ? 0 : 1));
        for (const char *field : calendarFields) {
            const payload::Step path[] = {{{}, 0}, {QByteArrayView(field), -1}};
            out.text(field).raw(*payload::find(plain, path));
        }
        if (window.dates.isEmpty())
            continue;
        out.text("dates").array(window.dates.size());
        for (const QByteArray &date : window.dates)
            out.text(date);
    }
}
constexpr Codec constraintWindows{readConstraintWindows, writeConstraintWindows, codecs::same<QList<ConstraintWindow>>, "windows"};

bool checkWindow(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &)
{
    const auto &window = *static_cast<const WindowParameters *>(object);
    return !window.allow.isEmpty() || !window.deny.isEmpty() || in.fail({&value.path, "allow", -1}, reasons::windowEmpty);
}

// All windows have the zone of the constraint.
void normalizeWindow(void *object)
{
    auto &window = *static_cast<WindowParameters *>(object);
    for (QList<ConstraintWindow> *windows : {&window.allow, &window.deny}) {
        for (ConstraintWindow &each : *windows)
            each.window.tz = window.tz;
    }
}

constexpr const char *onCloseWords[] = {"finish", "cancel"};
constexpr Field windowFields[] = {
    field::of<&WindowParameters::allow, constraintWindows>("allow").atMost(limits::constraint_windows_max).rare(),
    field::of<&WindowParameters::deny, constraintWindows>("deny").atMost(limits::constraint_windows_max).rare(),
    field::zone<&WindowParameters::tz>("tz"),
    field::word<&WindowParameters::onClose>("on_close", onCloseWords),
};

bool readNoWindow(Decoder &, const PackedValue &, void *, const Field &)
{
    return false;
}
void writeCancels(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.boolean(*static_cast<const OnClose *>(member) == OnClose::Cancel);
}
constexpr Codec cancelsCodec{readNoWindow, writeCancels, codecs::same<OnClose>, "boolean"};
constexpr Field windowScript[] = {
    field::of<&WindowParameters::onClose, cancelsCodec>(stored::cancels),
};

// Openings and closings in turn, the first an opening.
QList<qint64> windowBoundaries(const void *object, qint64 now_ms)
{
    const auto &window = *static_cast<const WindowParameters *>(object);
    QList<qint64> boundaries = boundaries_ms(window, now_ms, boundaries_given);
    if (isOpen(window, now_ms))
        boundaries.prepend(0);
    return boundaries;
}

} // namespace

constinit const Kind WindowParameters::kind{
    .word = "window",
    .table = TableOf<WindowParameters>{nullptr, windowFields, checkWindow},
    .script = TableOf<WindowParameters>{nullptr, windowScript},
    .gate = 2,
    .normalize = normalizeWindow,
    .followsCalendar = [](const void *) { return true; },
    .boundaries = windowBoundaries,
    .zone = [](const void *object) { return static_cast<const WindowParameters *>(object)->tz; },
};

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
