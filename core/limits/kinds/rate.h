#pragma once

#include "core/limits/kinds/kind.h"

namespace junban {

// So many starts within a time.
enum class RateAlgorithm : quint8 { Gcra, Sliding, Fixed };
struct RateParameters {
    qint64 limit = 0;
    double period_s = 1;
    qint64 burst = 1;
    Amount cost = {};
    RateAlgorithm algorithm = RateAlgorithm::Gcra;
    QByteArray tz = "UTC";      // Fixed: where its windows are aligned

    static const Kind kind;
    friend bool operator==(const RateParameters &, const RateParameters &) = default;
};

} // namespace junban
