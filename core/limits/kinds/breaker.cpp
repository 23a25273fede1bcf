#include "core/limits/kinds/kinds.h"

namespace junban {

namespace {

bool checkBreaker(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &)
{
    const auto &breaker = *static_cast<const BreakerParameters *>(object);
    return breaker.maxOpen_s >= breaker.openFor_s || refuseField(in, value, "max_open", "This must not be shorter than open_for.");
}

constexpr Field breakerFields[] = {
    field::number<&BreakerParameters::window_s>("window", 1, limits::constraint_wait_s_max),
    field::integer<&BreakerParameters::minSamples>("min_samples", 1, limits::breaker_samples_max),
    field::number<&BreakerParameters::failureRate>("failure_rate", 0.001, 1),
    field::number<&BreakerParameters::openFor_s>("open_for", 0.001, limits::constraint_wait_s_max),
    field::number<&BreakerParameters::factor>("factor", 1, limits::backoff_factor_max),
    field::number<&BreakerParameters::maxOpen_s>("max_open", 0.001, limits::constraint_wait_s_max),
    field::integer<&BreakerParameters::probes>("probes", 1, limits::breaker_samples_max),
};
constexpr Field breakerScript[] = {
    field::milliseconds<&BreakerParameters::window_s>("w"),
    field::integer<&BreakerParameters::minSamples>("ms"),
    field::of<&BreakerParameters::failureRate, codecs::number>("fr"),
    field::milliseconds<&BreakerParameters::openFor_s>("of"),
    field::of<&BreakerParameters::factor, codecs::number>("fa"),
    field::milliseconds<&BreakerParameters::maxOpen_s>("mo"),
    field::integer<&BreakerParameters::probes>("pr"),
};

} // namespace

constinit const Kind BreakerParameters::kind{
    .word = "breaker",
    .table = TableOf<BreakerParameters>{nullptr, breakerFields, checkBreaker},
    .script = TableOf<BreakerParameters>{nullptr, breakerScript},
    .gate = 3,
};

} // namespace junban
