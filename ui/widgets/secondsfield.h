#pragma once

#include <QtGlobal>

QT_BEGIN_NAMESPACE
class QDoubleSpinBox;
class QWidget;
QT_END_NAMESPACE

namespace junban::ui {

// A field for seconds, as wide as it needs to be.
QDoubleSpinBox *secondsField(double least_s, double most_s, QWidget *parent);

} // namespace junban::ui
