#pragma once

#include "core/calendar/windows.h"

#include <QString>

namespace junban::ui {

// The days of a window in words: "Mon–Fri", "Sat, Sun", "every day".
QString daysText(quint8 days);
// The short names of the days, Monday first.
QStringList dayNames();
// A window in words: "Mon–Fri 09:00–18:00, Asia/Tokyo".
QString windowText(const Window &window);
// "HH:MM" of minutes after midnight.
QString minutesText(int minutes);

} // namespace junban::ui
