#pragma once

#include "core/limits/kinds/kind.h"

#include <utility>

namespace junban {

// What one key of a `share` gets: bounds in units of the capacity, or a percentage of it (floored).
struct ShareOf {
    std::optional<qint64> min = {};
    std::optional<qint64> max = {};
    std::optional<double> percent = {};
    friend bool operator==(const ShareOf &, const ShareOf &) = default;
};
struct ShareParameters {
    qint64 capacity = 0;
    QList<std::pair<QByteArray, ShareOf>> shares = {}; // by the key's text, in the order given
    ShareOf otherwise = {};                            // keys that are not listed
    bool borrow = false;

    static const Kind kind;
    friend bool operator==(const ShareParameters &, const ShareParameters &) = default;
};

} // namespace junban
