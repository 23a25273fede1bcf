#include "core/limits/kinds/kinds.h"

#include "core/base/durations.h"
#include "core/base/reasons/matchers.h"
#include "core/calendar/timezone.h"
#include "core/limits/kinds/storedwords.h"

#include <cmath>

namespace junban {

namespace {

constexpr const char *algorithmWords[] = {"gcra", "sliding", "fixed"};

const RateParameters &rateOf(const void *object)
{
    return *static_cast<const RateParameters *>(object);
}

bool checkRate(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &seen)
{
    const RateParameters &rate = rateOf(object);
    if (rate.algorithm != RateAlgorithm::Gcra && seen.has("burst"))
        return in.fail({&value.path, "burst", -1}, reasons::rateBurstNotGcra);
    if (rate.algorithm != RateAlgorithm::Fixed && seen.has("tz"))
        return in.fail({&value.path, "tz", -1}, reasons::rateZoneNotFixed);
    return rate.algorithm != RateAlgorithm::Sliding || rate.limit <= limits::rate_sliding_limit_max
        || in.fail({&value.path, "limit", -1}, reasons::rateSlidingTooLarge, limits::rate_sliding_limit_max);
}

constexpr Field rateFields[] = {
    field::integer<&RateParameters::limit>("limit", 0, limits::constraint_limit_max).needed(),
    field::number<&RateParameters::period_s>("period", limits::rate_period_s_min, limits::rate_period_s_max).needed(),
    field::word<&RateParameters::algorithm>("algorithm", algorithmWords),
    field::integer<&RateParameters::burst>("burst", 1, limits::constraint_limit_max).onlyIf(
        [](const void *object) { return rateOf(object).algorithm == RateAlgorithm::Gcra; }),
    field::zone<&RateParameters::tz>("tz").onlyIf([](const void *object) { return rateOf(object).algorithm == RateAlgorithm::Fixed; }),
    field::amount<&RateParameters::cost>("cost", limits::constraint_cost_max),
};
constexpr Field rateScript[] = {
    field::integer<&RateParameters::limit>(stored::limit),
    field::milliseconds<&RateParameters::period_s>(stored::period),
    field::integer<&RateParameters::burst>(stored::burst),
    field::word<&RateParameters::algorithm>(stored::algorithm, algorithmWords),
};

// When the periods of a zone begin, starting with the present one: at the wall times that are multiples of the period.
QList<qint64> periodBoundaries(const void *object, qint64 now_ms)
{
    const RateParameters &rate = rateOf(object);
    const Result<TimeZone> named = TimeZone::named(rate.tz, {});
    if (!named.ok())
        return {}; // nothing starts before the first boundary
    const TimeZone &zone = *named;
    const qint64 period_ms = std::max<qint64>(1, std::llround(rate.period_s * 1000));
    QList<qint64> boundaries;
    // Begins a day earlier, because an hour may come twice.
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
bool isZoned(const void *object)
{
    return rateOf(object).algorithm == RateAlgorithm::Fixed && rateOf(object).tz != "UTC";
}

} // namespace

constinit const Kind RateParameters::kind{
    .word = "rate",
    .table = TableOf<RateParameters>{nullptr, rateFields, checkRate},
    .script = TableOf<RateParameters>{nullptr, rateScript},
    .gate = 7,
    .brief = true,
    .amount = &rateFields[5],
    .followsCalendar = isZoned,
    .boundaries = periodBoundaries,
    .zone = [](const void *object) { return rateOf(object).tz; },
    .limit = [](const void *object, const QByteArray &) { return std::optional(rateOf(object).limit); },
};

} // namespace junban
