#include "core/limits/kinds/kinds.h"

#include <algorithm>

namespace junban {

std::optional<ConstraintKind> kindFromWord(QByteArrayView word)
{
    const auto isIt = [&](const Kind *kind) { return word == QByteArrayView(kind->word); };
    const auto *const found = std::find_if(constraintKinds.begin(), constraintKinds.end(), isIt);
    return found == constraintKinds.end() ? std::nullopt : std::optional(ConstraintKind(found - constraintKinds.begin()));
}

const void *addressOf(const Parameters &parameters)
{
    return std::visit([](const auto &of) -> const void * { return &of; }, parameters);
}

void *addressOf(Parameters &parameters)
{
    return std::visit([](auto &of) -> void * { return &of; }, parameters);
}

Parameters defaultParameters(ConstraintKind kind)
{
    static constexpr auto makers = []<size_t... index>(std::index_sequence<index...>) {
        return std::array<Parameters (*)(), sizeof...(index)>{+[]() { return Parameters(std::in_place_index<index>); }...};
    }(std::make_index_sequence<std::variant_size_v<Parameters>>());
    return makers[size_t(kind)]();
}

const Amount *amountOf(const Parameters &parameters)
{
    const Field *field = kindOf(parameters).amount;
    return field ? static_cast<const Amount *>(field->memberOf(const_cast<void *>(addressOf(parameters)))) : nullptr;
}

} // namespace junban
