#include "core/limits/constraintscript.h"

#include "core/base/durations.h"
#include "core/calendar/timezone.h"
#include "core/limits/constraintwindow.h"
#include "core/msgpack/mapwriter.h"

#include <cmath>

namespace junban {

namespace {


qint64 milliseconds(double seconds)
{
    return std::llround(seconds * 1000);
}

// Openings and closings in turn, the first an opening.
QList<qint64> windowBoundaries(const WindowParameters &window, qint64 now_ms)
{
    QList<qint64> boundaries = boundaries_ms(window, now_ms, boundaries_given);
    if (isOpen(window, now_ms))
        boundaries.prepend(0);
    return boundaries;
}

// Where the periods of a zone begin, from the one that holds `now_ms` on: at the wall times that are multiples of the period.
QList<qint64> periodBoundaries(const RateParameters &rate, qint64 now_ms)
{
    const Result<TimeZone> named = TimeZone::named(rate.tz, {});
    const TimeZone zone = named.ok() ? *named : TimeZone::utc();
    const qint64 period_ms = std::max<qint64>(1, milliseconds(rate.period_s));
    QList<qint64> boundaries;
    // A day back, as a part of the day may come twice.
    qint64 wall_ms = (zone.wallAt_ms(now_ms) - day_ms) / period_ms * period_ms;
    for (int made = 0; made < boundaries_given; wall_ms += period_ms) {
        const qint64 at_ms = zone.firstAt_ms(wall_ms);
        if (!boundaries.isEmpty() && at_ms <= boundaries.last())
            continue; // the hour that is skipped
        if (at_ms <= now_ms)
            boundaries.clear();
        else
            ++made;
        boundaries.append(at_ms);
    }
    return boundaries;
}

// Periods that are aligned to UTC need no calendar.
bool hasBoundaries(const Parameters &parameters)
{
    const auto *rate = std::get_if<RateParameters>(&parameters);
    return std::holds_alternative<WindowParameters>(parameters)
        || (rate && rate->algorithm == RateAlgorithm::Fixed && rate->tz != "UTC");
}

QList<qint64> boundariesOf(const Parameters &parameters, qint64 now_ms)
{
    if (const auto *window = std::get_if<WindowParameters>(&parameters))
        return windowBoundaries(*window, now_ms);
    return periodBoundaries(std::get<RateParameters>(parameters), now_ms);
}

void writeBoundaries(MapWriter &map, const Parameters &parameters, qint64 now_ms)
{
    if (!hasBoundaries(parameters))
        return;
    const QList<qint64> boundaries = boundariesOf(parameters, now_ms);
    MsgpackWriter list;
    list.array(boundaries.size());
    for (const qint64 at_ms : boundaries)
        list.integer(at_ms);
    map.raw("bd", list.take());
}

QByteArray packedForScript(const ShareOf &share)
{
    MapWriter map;
    if (share.min)
        map.integer("mn", *share.min);
    if (share.max)
        map.integer("mx", *share.max);
    if (share.percent)
        map.number("pc", *share.percent);
    return map.take();
}

void writeForScript(MapWriter &map, const RateParameters &rate)
{
    static constexpr const char *words[] = {"gcra", "sliding", "fixed"};
    map.integer("l", rate.limit).number("p", double(milliseconds(rate.period_s))).integer("b", rate.burst);
    map.text("a", words[size_t(rate.algorithm)]);
}

void writeForScript(MapWriter &map, const ConcurrencyParameters &concurrency)
{
    map.integer("l", concurrency.limit);
    if (concurrency.reserveAfter_s)
        map.integer("ra", milliseconds(*concurrency.reserveAfter_s));
}

void writeForScript(MapWriter &map, const ShareParameters &share)
{
    MapWriter shares;
    for (const auto &[key, of] : share.shares)
        shares.raw(key.constData(), packedForScript(of));
    map.integer("cap", share.capacity).raw("sh", shares.take()).raw("df", packedForScript(share.otherwise)).boolean("bo", share.borrow);
}

void writeForScript(MapWriter &map, const PauseParameters &pause)
{
    if (pause.until_ms)
        map.integer("t", *pause.until_ms);
}

void writeForScript(MapWriter &map, const BreakerParameters &breaker)
{
    map.integer("w", milliseconds(breaker.window_s)).integer("ms", breaker.minSamples).number("fr", breaker.failureRate);
    map.integer("of", milliseconds(breaker.openFor_s)).number("fa", breaker.factor).integer("mo", milliseconds(breaker.maxOpen_s));
    map.integer("pr", breaker.probes);
}

void writeForScript(MapWriter &map, const CooldownParameters &cooldown)
{
    map.integer("mx", milliseconds(cooldown.max_s));
}

void writeForScript(MapWriter &map, const BacklogParameters &backlog)
{
    static constexpr const char *words[] = {"reject", "drop_oldest", "coalesce"};
    map.integer("mr", backlog.maxReady).text("ov", words[size_t(backlog.overflow)]);
}

void writeForScript(MapWriter &map, const WindowParameters &window)
{
    map.boolean("oc", window.onClose == OnClose::Cancel);
}

// Weights come with the jobs; what `set` sets is set before a job is kept.
void writeForScript(MapWriter &, const FairParameters &) {}
void writeForScript(MapWriter &, const SetParameters &) {}

} // namespace

QByteArray packForScripts(const Constraint &constraint, bool enabled, qint64 now_ms)
{
    const auto writeAll = [&](MapWriter &map, const Parameters &parameters) {
        std::visit([&](const auto &of) { writeForScript(map, of); }, parameters);
        writeBoundaries(map, parameters, now_ms);
    };
    MapWriter map;
    map.text("k", kindWord(constraint.kind())).text("m", modeWord(enabled ? constraint.mode : ConstraintMode::Off));
    writeAll(map, constraint.parameters);
    if (!constraint.overrides.isEmpty()) {
        MapWriter overrides;
        for (const Override &override : constraint.overrides) {
            MapWriter own;
            writeAll(own, constraint.parametersFor(override.key));
            overrides.raw(override.key.constData(), own.take());
        }
        map.raw("o", overrides.take());
    }
    return map.take();
}

bool followsCalendar(const Constraint &constraint)
{
    return hasBoundaries(constraint.parameters);
}

qint64 boundariesEnd_ms(const Constraint &constraint, qint64 now_ms)
{
    if (!hasBoundaries(constraint.parameters))
        return 0;
    const QList<qint64> boundaries = boundariesOf(constraint.parameters, now_ms);
    return boundaries.size() < boundaries_given / 2 ? 0 : boundaries[boundaries.size() / 2];
}

} // namespace junban
