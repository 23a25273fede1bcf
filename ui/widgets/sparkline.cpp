#include "ui/widgets/sparkline.h"

#include "ui/base/look.h"
#include "ui/widgets/recordmodel.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>
#include <utility>

namespace junban::ui {

namespace {

constexpr int meter_px = 3; // how high a bar is
constexpr int gap_px = 12; // between a number on the right of a column and the text of the next

} // namespace

void drawSparkline(QPainter &painter, const QRectF &rect, const QList<double> &values, const QColor &color, double top)
{
    if (values.isEmpty() || rect.width() < 2)
        return;
    if (top <= 0)
        top = std::max(1e-9, *std::max_element(values.cbegin(), values.cend()));
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

// What it is, in bold, and below it what else there is to say.
void SparklineDelegate::paintTwoLines(QPainter &painter, const QStyleOptionViewItem &option, const QModelIndex &index,
                                      const QString &below) const
{
    QStyleOptionViewItem whole = option;
    initStyleOption(&whole, index);
    const QString first = std::exchange(whole.text, {});
    const QStyle *style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &whole, &painter, option.widget);
    const int gap = style->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, option.widget) + 1;
    const int icon = whole.icon.isNull() ? 0 : whole.decorationSize.width() + 2 * gap;
    const QRect room = option.rect.adjusted(icon + gap, 0, -gap, 0);
    const int line = option.fontMetrics.height(), top = room.top() + (room.height() - 2 * line) / 2;
    painter.save();
    QFont bold = option.font;
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(whole.palette.color(QPalette::Active, QPalette::Text));
    painter.drawText(QRect(room.left(), top, room.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(bold).elidedText(first, Qt::ElideRight, room.width()));
    painter.setFont(option.font);
    painter.setPen(whole.palette.color(QPalette::Active, QPalette::PlaceholderText));
    painter.drawText(QRect(room.left(), top + line, room.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     option.fontMetrics.elidedText(below, Qt::ElideRight, room.width()));
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
        inner.rect.adjust(0, 0, -gap_px, 0);
    }
    if (const QVariant below = index.data(RecordModel::BelowRole); below.isValid()) {
        paintTwoLines(*painter, option, index, below.toString());
        return;
    }
    TintedDelegate::paint(painter, inner, index);
    if (const QVariant meter = index.data(RecordModel::MeterRole); meter.isValid()) {
        const double part = std::clamp(meter.toDouble(), 0.0, 1.0);
        const QRectF bar(inner.rect.left() + gap_px / 2.0, inner.rect.bottom() - meter_px, inner.rect.width() - gap_px / 2.0, meter_px - 1);
        painter->fillRect(bar, option.palette.color(QPalette::Midlight));
        painter->fillRect(QRectF(bar.topLeft(), QSizeF(bar.width() * part, bar.height())),
                          part >= 1 ? Look::amber(option.palette) : option.palette.color(QPalette::Link));
    }
    const QVariant trend = index.data(RecordModel::TrendRole);
    if (!trend.isValid())
        return;
    const QColor color = Look::red(option.palette);
    const double inset = option.rect.height() / 6.0;
    drawSparkline(*painter, QRectF(option.rect).adjusted(inset, inset, -inset, -inset), trend.value<QList<double>>(), color);
}

} // namespace junban::ui
