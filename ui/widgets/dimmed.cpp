#include "ui/widgets/dimmed.h"

#include <QPainter>
#include <QWidget>

namespace junban::ui {

void Dimmed::draw(QPainter *painter)
{
    QPoint at;
    const QPixmap source = sourcePixmap(Qt::LogicalCoordinates, &at, QGraphicsEffect::NoPad);
    const auto *widget = qobject_cast<const QWidget *>(parent());
    painter->fillRect(QRectF(at, source.deviceIndependentSize()), (widget ? widget->palette() : QPalette()).color(QPalette::Window));
    painter->setOpacity(opacity);
    painter->drawPixmap(at, source);
    painter->setOpacity(1);
}

} // namespace junban::ui
