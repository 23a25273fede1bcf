#pragma once

#include "core/limits/constraint.h"

#include <QList>

namespace junban {

// When a `window` constraint is open: within one of `allow` (always, when there is none) and within none of `deny`. Hours are as
// core/calendar/windows.h has them, so overnight and on days when clocks are changed; with dates, the window opens on those days only,
// whatever `days` says.
bool isOpen(const WindowParameters &window, qint64 at_ms);

// The next `count` moments after `from_ms` at which it opens or closes, in turns: the first one closes it when it is open at `from_ms`.
// Fewer when it does not change so often within 400 days.
QList<qint64> boundaries_ms(const WindowParameters &window, qint64 from_ms, int count);

} // namespace junban
