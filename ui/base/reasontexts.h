#pragma once

#include "core/base/reason.h"
#include "ui/base/format.h"

#include <QString>

namespace junban::ui {

// The sentence of a reason in the window's language, with its numbers and times as that language writes them. A reason that is not known,
// such as one of a newer master, keeps its English sentence. Values are shown().
QString reasonText(const Reason &reason, const Format &format = Format());

} // namespace junban::ui
