#pragma once

#include <QtGlobal>
#include <optional>

namespace junban {

// The enumerator with this number, from `first` to `last`; nothing when there is none. For numbers that come from outside.
template<typename Enum>
constexpr std::optional<Enum> enumOf(qint64 number, Enum last, Enum first = Enum(0))
{
    if (number < qint64(first) || number > qint64(last))
        return {};
    return static_cast<Enum>(number);
}

} // namespace junban
