#include "core/limits/kinds/kinds.h"

#include "core/base/reasons/matchers.h"
#include "core/limits/kinds/storedwords.h"

namespace junban {

namespace {

bool checkBreaker(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &)
{
    const auto &breaker = *static_cast<const BreakerParameters *>(object);
    return breaker.maxOpen_s >= breaker.openFor_s || in.fail({&value.path, "max_open", -1}, reasons::breakerMaxOpenShort);
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
    field::milliseconds<&BreakerParameters::window_s>(stored::window),
    field::integer<&BreakerParameters::minSamples>(stored::samples),
    field::of<&BreakerParameters::failureRate, codecs::number>(stored::failure_rate),
    field::milliseconds<&BreakerParameters::openFor_s>(stored::open_for),
    field::of<&BreakerParameters::factor, codecs::number>(stored::factor),
    field::milliseconds<&BreakerParameters::maxOpen_s>(stored::open_most),
    field::integer<&BreakerParameters::probes>(stored::probes),
};

} // namespace

constinit const Kind BreakerParameters::kind{
    .word = "breaker",
    .table = TableOf<BreakerParameters>{nullptr, breakerFields, checkBreaker},
    .script = TableOf<BreakerParameters>{nullptr, breakerScript},
    .gate = 3,
};

} // namespace junban
