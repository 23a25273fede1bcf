#pragma once

#include <QString>

QT_BEGIN_NAMESPACE
class QLabel;
class QWidget;
QT_END_NAMESPACE

namespace junban::ui {

// A label for text from outside the program: it is never shown as rich text.
QLabel *plainLabel(const QString &text = {}, QWidget *parent = nullptr);

} // namespace junban::ui
