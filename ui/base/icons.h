#pragma once

#include <QIcon>
#include <QObject>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace junban::ui {
Q_NAMESPACE

// The pictures in resources/icons. Each file has the icon's name in lower case: StarFilled is starfilled.svg.
enum class Icon {
    Clock, Chain, Circle, Play, Hourglass, Check, Cross, Minus,                                   // states
    Overview, Jobs, Results, Schedules, Constraints, Workers, Operations,                         // screens
    Refresh, Snowflake, Copy, Close, Search, Warning, Plug, More, Star, StarFilled, Save, Pause, Bin, Pencil,
    Key, Audit,
};
Q_ENUM_NS(Icon)

// Draws the icon into the middle of `rect`, as large as it fits, with `color` in place of its `currentColor`.
void drawIcon(QPainter &painter, Icon icon, const QRectF &rect, const QColor &color);

// An icon that is sharp at any size: `light` on light palettes and `dark` on dark ones, or the text's colour where these are invalid.
QIcon tintedIcon(Icon icon, const QColor &light, const QColor &dark);

} // namespace junban::ui
