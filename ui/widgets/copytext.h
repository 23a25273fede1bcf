#pragma once

#include <QString>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace junban::ui {

// Copies a text, and says so beside the widget that it was copied from.
void copyText(const QString &text, QWidget *from);

} // namespace junban::ui
