#pragma once

#include "ui/limits/parameterform.h"

namespace junban::ui {

// The form of a kind, with its defaults.
ParameterForm *makeParameterForm(ConstraintKind kind, QWidget *parent);

} // namespace junban::ui
