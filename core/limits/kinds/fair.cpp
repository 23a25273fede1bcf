#include "core/limits/kinds/kinds.h"

namespace junban {

namespace {

constexpr Field fairFields[] = {
    field::amount<&FairParameters::weight>("weight", limits::fair_weight_max),
};

} // namespace

constinit const Kind FairParameters::kind{
    .word = "fair",
    .table = TableOf<FairParameters>{nullptr, fairFields},
    .script = TableOf<FairParameters>{nullptr, {}}, // weights come with the jobs
    .by = Kind::By::Needed,
    .ranked = true,
    .amount = &fairFields[0],
};

} // namespace junban
