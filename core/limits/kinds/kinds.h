#pragma once

#include "core/limits/kinds/backlog.h"
#include "core/limits/kinds/breaker.h"
#include "core/limits/kinds/concurrency.h"
#include "core/limits/kinds/cooldown.h"
#include "core/limits/kinds/fair.h"
#include "core/limits/kinds/pause.h"
#include "core/limits/kinds/rate.h"
#include "core/limits/kinds/set.h"
#include "core/limits/kinds/share.h"
#include "core/limits/kinds/window.h"

#include <array>
#include <utility>
#include <variant>

// All kinds. A new one is a file pair of this folder, its header above, and its name in both lists, which have one order.
namespace junban {

enum class ConstraintKind : quint8 { Rate, Concurrency, Share, Window, Pause, Breaker, Cooldown, Backlog, Fair, Set };
using Parameters = std::variant<RateParameters, ConcurrencyParameters, ShareParameters, WindowParameters, PauseParameters,
    BreakerParameters, CooldownParameters, BacklogParameters, FairParameters, SetParameters>;

inline constexpr auto constraintKinds = []<size_t... index>(std::index_sequence<index...>) {
    return std::array<const Kind *, sizeof...(index)>{&std::variant_alternative_t<index, Parameters>::kind...};
}(std::make_index_sequence<std::variant_size_v<Parameters>>());

inline const Kind &kindOf(ConstraintKind kind)
{
    return *constraintKinds[size_t(kind)];
}
inline const Kind &kindOf(const Parameters &parameters)
{
    return *constraintKinds[parameters.index()];
}
inline const char *kindWord(ConstraintKind kind) // "rate", "concurrency", …
{
    return kindOf(kind).word;
}
std::optional<ConstraintKind> kindFromWord(QByteArrayView word);
// The parameters as the functions and tables of their kind take them.
const void *addressOf(const Parameters &parameters);
void *addressOf(Parameters &parameters);
// What the parameters of a kind are before any is given.
Parameters defaultParameters(ConstraintKind kind);
// What a job is charged (rate, concurrency), or its key's weight (fair); null for the other kinds.
const Amount *amountOf(const Parameters &parameters);

} // namespace junban
