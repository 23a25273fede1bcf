#pragma once

#include "core/calendar/windows.h"
#include "core/limits/kinds/kind.h"

namespace junban {

// Starts at certain hours only.
enum class OnClose : quint8 { Finish, Cancel };
// Some hours of some days; with dates, of those days only ("2026-12-24").
struct ConstraintWindow {
    Window window = {};
    QList<QByteArray> dates = {};
    friend bool operator==(const ConstraintWindow &, const ConstraintWindow &) = default;
};
struct WindowParameters {
    QList<ConstraintWindow> allow = {}; // none: always, but for `deny`
    QList<ConstraintWindow> deny = {};
    QByteArray tz = "UTC";
    OnClose onClose = OnClose::Finish;

    static const Kind kind;
    friend bool operator==(const WindowParameters &, const WindowParameters &) = default;
};

// When a `window` constraint is open: within one of `allow` (always, when there is none) and within none of `deny`. Hours are as
// core/calendar/windows.h has them, so overnight and on days when clocks are changed; with dates, the window opens on those days only,
// whatever `days` says.
bool isOpen(const WindowParameters &window, qint64 at_ms);

// The next `count` moments after `from_ms` at which it opens or closes, in turns: the first one closes it when it is open at `from_ms`.
// Fewer when it does not change so often within 400 days.
QList<qint64> boundaries_ms(const WindowParameters &window, qint64 from_ms, int count);

} // namespace junban
