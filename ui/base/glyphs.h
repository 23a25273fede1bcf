#pragma once

#include <QColor>
#include <QIcon>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace junban::ui {

// Pictures that are drawn rather than stored: sharp at any size, in the palette's colours.
enum class Glyph {
    Clock, Chain, Circle, Play, Hourglass, Check, Cross, Minus,                    // states
    Overview, Jobs, Failures, Results, Schedules, Constraints,                     // screens
    Refresh, Snowflake, Copy, Retry, Close, Search, Warning, Plug, More, Star, StarFilled, Save, Pause, Bin, Pencil, // the rest
};

// An icon that draws `glyph` at any size, in `light` on light palettes and `dark` on dark ones; invalid colours: the text's own.
QIcon glyphIcon(Glyph glyph, QColor light, QColor dark);

// Draws it into `rect` with this colour.
void drawGlyph(QPainter &painter, Glyph glyph, const QRectF &rect, const QColor &color);

} // namespace junban::ui
