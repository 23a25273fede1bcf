#pragma once

#include <QGraphicsEffect>

namespace junban::ui {

// Draws a widget pale, on the window's colour. QGraphicsOpacityEffect would draw it over what was there before, because parents do not
// paint below children that fill their background.
class Dimmed : public QGraphicsEffect
{
public:
    using QGraphicsEffect::QGraphicsEffect;

    static constexpr double opacity = 0.7;

protected:
    void draw(QPainter *painter) override;
};

} // namespace junban::ui
