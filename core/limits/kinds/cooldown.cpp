#include "core/limits/kinds/kinds.h"

#include "core/limits/kinds/storedwords.h"

namespace junban {

namespace {

constexpr Field cooldownFields[] = {
    field::number<&CooldownParameters::max_s>("max", 0.001, limits::constraint_wait_s_max),
};
constexpr Field cooldownScript[] = {
    field::milliseconds<&CooldownParameters::max_s>(stored::most),
};

} // namespace

constinit const Kind CooldownParameters::kind{
    .word = "cooldown",
    .table = TableOf<CooldownParameters>{nullptr, cooldownFields},
    .script = TableOf<CooldownParameters>{nullptr, cooldownScript},
    .gate = 4,
};

} // namespace junban
