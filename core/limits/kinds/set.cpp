#include "core/limits/kinds/kinds.h"

#include "core/base/reasons/matchers.h"

#include <limits>

namespace junban {

namespace {

bool checkSet(Decoder &in, const PackedValue &value, const void *object, const FieldsSeen &)
{
    return *static_cast<const SetParameters *>(object) != SetParameters{}
        || in.fail({&value.path, "priority", -1}, reasons::setNothing);
}

// Like that of jobs (core/jobs/jobfields.cpp), but a maximum below the base is allowed, and whole numbers are written as integers.
constexpr Field setBackoffFields[] = {
    field::duration<&Backoff::base_ms>("base", 0, limits::backoff_base_s_max),
    field::number<&Backoff::factor>("factor", 1, limits::backoff_factor_max),
    field::duration<&Backoff::max_ms>("max", 0, limits::backoff_max_s_max),
    field::number<&Backoff::jitter>("jitter", 0, limits::backoff_jitter_max),
};
constexpr TableOf<Backoff> setBackoffTable{nullptr, setBackoffFields};

constexpr Field setFields[] = {
    field::integer<&SetParameters::priority>("priority", std::numeric_limits<qint32>::min(), std::numeric_limits<qint32>::max()).rare(),
    field::duration<&SetParameters::timeout_ms>("timeout", limits::timeout_s_min, limits::timeout_s_max).rare(),
    field::integer<&SetParameters::maxRetry>("max_retry", 0, limits::max_retry_max).rare(),
    field::of<&SetParameters::backoff, codecs::object>("backoff").describedBy(setBackoffTable).rare(),
};

} // namespace

constinit const Kind SetParameters::kind{
    .word = "set",
    .table = TableOf<SetParameters>{nullptr, setFields, checkSet},
    .script = TableOf<SetParameters>{nullptr, {}}, // what it sets is set before a job is kept
    .by = Kind::By::Never,
    .ranked = true,
};

} // namespace junban
