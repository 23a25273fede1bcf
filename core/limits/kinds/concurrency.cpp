#include "core/limits/kinds/kinds.h"

namespace junban {

namespace {

constexpr Field concurrencyFields[] = {
    field::integer<&ConcurrencyParameters::limit>("limit", 0, limits::constraint_limit_max).needed(),
    field::amount<&ConcurrencyParameters::cost>("cost", limits::constraint_cost_max),
    field::number<&ConcurrencyParameters::reserveAfter_s>("reserve_after", 0, limits::constraint_wait_s_max).rare(),
};
constexpr Field concurrencyScript[] = {
    field::integer<&ConcurrencyParameters::limit>("l"),
    field::milliseconds<&ConcurrencyParameters::reserveAfter_s>("ra").rare(),
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
    .amount = &concurrencyFields[1],
    .limit = concurrencyLimit,
};

} // namespace junban
