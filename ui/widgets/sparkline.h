#pragma once

#include <QStyledItemDelegate>

namespace junban::ui {

// Draws numbers as small columns on a base line; the largest of them has the full height.
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
