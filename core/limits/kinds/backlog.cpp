#include "core/limits/kinds/kinds.h"

#include "core/limits/kinds/storedwords.h"

namespace junban {

namespace {

constexpr Field backlogFields[] = {
    field::integer<&BacklogParameters::maxReady>("max_ready", 0, limits::constraint_limit_max).needed(),
    field::word<&BacklogParameters::overflow>("overflow", overflowWords),
};
constexpr Field backlogScript[] = {
    field::integer<&BacklogParameters::maxReady>(stored::max_ready),
    field::word<&BacklogParameters::overflow>(stored::overflow, overflowWords),
};

std::optional<qint64> backlogLimit(const void *object, const QByteArray &)
{
    return static_cast<const BacklogParameters *>(object)->maxReady;
}

} // namespace

constinit const Kind BacklogParameters::kind{
    .word = "backlog",
    .table = TableOf<BacklogParameters>{nullptr, backlogFields},
    .script = TableOf<BacklogParameters>{nullptr, backlogScript},
    .limit = backlogLimit,
};

} // namespace junban
