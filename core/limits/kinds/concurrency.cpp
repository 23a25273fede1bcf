#include "core/limits/kinds/kinds.h"

#include "core/limits/kinds/storedwords.h"

namespace junban {

namespace {

constexpr Field concurrencyFields[] = {
    field::integer<&ConcurrencyParameters::limit>("limit", 0, limits::constraint_limit_max).needed(),
    field::amount<&ConcurrencyParameters::cost>("cost", limits::constraint_cost_max),
    field::number<&ConcurrencyParameters::reserveAfter_s>("reserve_after", 0, limits::constraint_wait_s_max).rare(),
};
constexpr Field concurrencyScript[] = {
    field::integer<&ConcurrencyParameters::limit>(stored::limit),
    field::milliseconds<&ConcurrencyParameters::reserveAfter_s>(stored::reserve_after).rare(),
};

std::optional<qint64> concurrencyLimit(const void *object, const QByteArray &)
{
    return static_cast<const ConcurrencyParameters *>(object)->limit;
}

} // namespace

constinit const Kind ConcurrencyParameters::kind{
    .word = "concurrency",
    .table = TableOf<ConcurrencyParameters>{nullptr, concurrencyFields},
    .script = TableOf<ConcurrencyParameters>{nullptr, concurrencyScript},
    .gate = 5,
    .brief = true,
    .amount = &concurrencyFields[1],
    .limit = concurrencyLimit,
};

} // namespace junban
