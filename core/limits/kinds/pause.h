#pragma once

#include "core/limits/kinds/kind.h"

namespace junban {

// Nothing starts.
struct PauseParameters {
    std::optional<qint64> until_ms = {};
    QByteArray reason = {};

    static const Kind kind;
    friend bool operator==(const PauseParameters &, const PauseParameters &) = default;
};

} // namespace junban
