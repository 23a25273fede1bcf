#include "core/limits/kinds/kinds.h"

#include "core/limits/kinds/storedwords.h"

namespace junban {

namespace {

constexpr Field pauseFields[] = {
    field::time<&PauseParameters::until_ms>("until").rare(),
    field::bounded<&PauseParameters::reason, codecs::line>("reason", limits::matcher_title_bytes_max),
};
constexpr Field pauseScript[] = {
    field::integer<&PauseParameters::until_ms>(stored::ends).rare(),
};

} // namespace

constinit const Kind PauseParameters::kind{
    .word = "pause",
    .table = TableOf<PauseParameters>{nullptr, pauseFields},
    .script = TableOf<PauseParameters>{nullptr, pauseScript},
    .gate = 1,
};

} // namespace junban
