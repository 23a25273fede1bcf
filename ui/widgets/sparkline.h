#pragma once

#include <QStyledItemDelegate>

namespace junban::ui {

// Draws a row of numbers as small columns over a ground line, from 0 to the largest of them.
void drawSparkline(QPainter &painter, const QRectF &rect, const QList<double> &values, const QColor &color);

// Draws cells with a trend (RecordModel::TrendRole) as such columns, and other cells as usual.
class SparklineDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace junban::ui
