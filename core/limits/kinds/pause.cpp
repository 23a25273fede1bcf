#include "core/limits/kinds/kinds.h"

#include "core/limits/kinds/storedwords.h"

namespace junban {

namespace {

constexpr Field pauseFields[] = {
    field::time<&PauseParameters::until_ms>("until").rare(),
    field::duration<&PauseParameters::for_ms>("for", limits::ahead_s_min, limits::ahead_s_max).rare(),
    field::bounded<&PauseParameters::reason, codecs::line>("reason", limits::matcher_title_bytes_max),
};
constexpr Field pauseScript[] = {
    field::integer<&PauseParameters::until_ms>(stored::ends).rare(),
};

bool checkPause(Decoder &in, const PackedValue &value, const void *, const FieldsSeen &seen)
{
    return onlyOneOf(in, value, seen, "until", "for");
}

} // namespace

constinit const Kind PauseParameters::kind{
    .word = "pause",
    .table = TableOf<PauseParameters>{nullptr, pauseFields, checkPause},
    .script = TableOf<PauseParameters>{nullptr, pauseScript},
    .gate = 1,
};

} // namespace junban
