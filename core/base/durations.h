#pragma once

#include <QtGlobal>

namespace junban {

inline constexpr qint64 second_ms = 1'000, minute_ms = 60 * second_ms, hour_ms = 60 * minute_ms, day_ms = 24 * hour_ms;
inline constexpr int minute_s = 60, hour_s = 60 * minute_s, day_s = 24 * hour_s;
inline constexpr int hour_min = 60, day_min = 24 * hour_min;

} // namespace junban
