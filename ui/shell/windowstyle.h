#pragma once

#include <QProxyStyle>

namespace junban::ui {

// Fusion, with a frame around check boxes and radio buttons that can be seen in the dark look: Fusion's own is darker than the window.
class WindowStyle : public QProxyStyle
{
public:
    WindowStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
};

} // namespace junban::ui
