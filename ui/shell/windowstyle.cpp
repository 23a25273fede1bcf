#include "ui/shell/windowstyle.h"

#include "ui/base/palettes.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

namespace junban::ui {

WindowStyle::WindowStyle()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{
}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    const bool isBox = element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck;
    if (!(isBox || element == PE_IndicatorRadioButton) || !isDark(option->palette))
        return;
    const QPalette::ColorGroup group = option->state.testFlag(State_Enabled) ? QPalette::Active : QPalette::Disabled;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, !isBox);
    painter->setPen(option->palette.color(group, QPalette::PlaceholderText));
    painter->setBrush(Qt::NoBrush);
    const QRect frame = option->rect.adjusted(0, 0, -1, -1);
    if (isBox)
        painter->drawRect(frame);
    else
        painter->drawEllipse(QRectF(frame).adjusted(0.5, 0.5, -0.5, -0.5));
    painter->restore();
}

} // namespace junban::ui
