#pragma once

#include <QWidget>

namespace junban::ui {

// Makes a screen show what the same screen of the window before shows: the tabs, the choices and sizes inside it, and the lists, whose rows
// come later. Both must be made by the same code.
void carryOver(const QWidget &before, QWidget &now);

} // namespace junban::ui
