#pragma once

#include "ui/widgets/tables.h"

namespace junban::ui {

// Draws numbers as small columns on a base line; `top` has the full height, or with 0 the largest of them.
void drawSparkline(QPainter &painter, const QRectF &rect, const QList<double> &values, const QColor &color, double top = 0);

// Draws cells with a trend (RecordModel::TrendRole) as such columns, and other cells as usual, with a second line (RecordModel::BelowRole)
// where there is one.
class SparklineDelegate : public TintedDelegate
{
    Q_OBJECT

public:
    using TintedDelegate::TintedDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintTwoLines(QPainter &painter, const QStyleOptionViewItem &option, const QModelIndex &index, const QString &below) const;
};

} // namespace junban::ui
