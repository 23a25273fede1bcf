#pragma once

#include <QColor>
#include <QPalette>

namespace junban::ui {

QPalette lightPalette();
QPalette darkPalette();
bool isDark(const QPalette &palette);
// The same with amber behind texts: something is wrong.
QPalette amberPalette(QPalette palette);
// The same with a tint behind what is selected, on which all texts of the base can be read.
QPalette tintedSelection(QPalette palette);

// WCAG's contrast ratio of two colours, 1 to 21.
double contrast(const QColor &a, const QColor &b);

} // namespace junban::ui
