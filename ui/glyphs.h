#pragma once

#include "ui/look.h"

namespace junban::ui {

// An icon that draws `glyph` at any size, in `light` on light palettes and `dark` on dark ones; invalid colours: the text's own.
QIcon glyphIcon(Glyph glyph, QColor light, QColor dark);

// Draws it into `rect` with this colour.
void drawGlyph(QPainter &painter, Glyph glyph, const QRectF &rect, const QColor &color);

} // namespace junban::ui
