#include "ui/widgets/verticalroom.h"

#include <QEvent>

namespace junban::ui {

namespace {

constexpr int least_lines = 12;

} // namespace

VerticalRoom::VerticalRoom(QWidget *inner, QWidget *parent)
    : QScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidgetResizable(true);
    setWidget(inner);
    inner->installEventFilter(this);
}

QSize VerticalRoom::minimumSizeHint() const
{
    const QSize inner = widget()->minimumSizeHint();
    return {inner.width(), std::min(inner.height(), fontMetrics().height() * least_lines)};
}

bool VerticalRoom::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

} // namespace junban::ui
