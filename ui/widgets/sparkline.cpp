#include "ui/widgets/sparkline.h"

#include "ui/base/look.h"
#include "ui/widgets/recordmodel.h"

#include <QApplication>
#include <QPainter>

namespace junban::ui {

void drawSparkline(QPainter &painter, const QRectF &rect, const QList<double> &values, const QColor &color)
{
    if (values.isEmpty() || rect.width() < 2)
        return;
    const double top = std::max(1e-9, *std::max_element(values.cbegin(), values.cend()));
    const double bar = rect.width() / double(values.size());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    QColor faint = color;
    faint.setAlphaF(0.25F);
    // The base line shows that there is a trend, even where all numbers are 0.
    painter.setBrush(faint);
    painter.drawRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1));
    painter.setBrush(color);
    for (qsizetype i = 0; i < values.size(); ++i) {
        if (values[i] <= 0)
            continue;
        const double height = std::max(1.0, rect.height() * values[i] / top);
        painter.drawRect(QRectF(rect.left() + bar * double(i), rect.bottom() - height, std::max(1.0, bar - 1), height));
    }
    painter.restore();
}

void SparklineDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem inner = option;
    if (Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt()).testFlag(Qt::AlignRight)) {
        // A number must not touch the text of the next column.
        QStyleOptionViewItem whole = option;
        initStyleOption(&whole, index);
        const QStyle *style = option.widget ? option.widget->style() : QApplication::style();
        style->drawPrimitive(QStyle::PE_PanelItemViewItem, &whole, painter, option.widget);
        inner.rect.adjust(0, 0, -characterWidth(option.fontMetrics), 0);
    }
    QStyledItemDelegate::paint(painter, inner, index);
    const QVariant trend = index.data(RecordModel::TrendRole);
    if (!trend.isValid())
        return;
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const QColor color = selected ? option.palette.color(QPalette::HighlightedText) : Look::red(option.palette);
    const double inset = option.rect.height() / 6.0;
    drawSparkline(*painter, QRectF(option.rect).adjusted(inset, inset, -inset, -inset), trend.value<QList<double>>(), color);
}

} // namespace junban::ui
