#include "ui/past/trendview.h"

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/widgets/sparkline.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace junban::ui {

TrendView::TrendView(QWidget *parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Trend"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setMinimumHeight(fontMetrics().height() * 5);
}

QSize TrendView::sizeHint() const
{
    return {characterWidth(fontMetrics()) * 40, fontMetrics().height() * 8};
}

void TrendView::setTrend(const QList<double> &values, qint64 step_ms, qint64 now_ms, const Format &format)
{
    m_values = values;
    m_step_ms = step_ms;
    m_now_ms = now_ms;
    m_format = format;
    QStringList counts;
    for (const double value : values)
        counts.append(format.count(qint64(value)));
    setAccessibleDescription(tr("Failures in each %1, oldest first: %2").arg(format.span(step_ms), listed(counts)));
    update();
}

QRectF TrendView::plot() const
{
    const double line = fontMetrics().height();
    return QRectF(rect()).adjusted(line / 2, line * 1.5, -line / 2, -line * 1.5);
}

void TrendView::paintEvent(QPaintEvent *)
{
    if (m_values.isEmpty())
        return;
    QPainter painter(this);
    const QRectF area = plot();
    drawSparkline(painter, area, m_values, Look::red(palette()));
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const qint64 span_ms = m_step_ms * m_values.size();
    const QRectF below(area.left(), area.bottom(), area.width(), height() - area.bottom());
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, m_format.timeToday(m_now_ms - span_ms, m_now_ms));
    painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter, tr("now"));
    const double top = *std::max_element(m_values.cbegin(), m_values.cend());
    const QString most = tr("at most %1 in %2").arg(m_format.count(qint64(top)), m_format.span(m_step_ms));
    painter.drawText(QRectF(area.left(), 0, area.width(), area.top()), Qt::AlignLeft | Qt::AlignVCenter, most);
}

bool TrendView::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip || m_values.isEmpty())
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QRectF area = plot();
    const auto at = qsizetype((help->pos().x() - area.left()) / area.width() * double(m_values.size()));
    if (at >= 0 && at < m_values.size() && area.width() > 0) {
        const qint64 from_ms = m_now_ms - m_step_ms * (m_values.size() - at);
        const QString text = tr("%1: %Ln failure(s)", nullptr, int(m_values[at])).arg(m_format.timeToday(from_ms, m_now_ms));
        QToolTip::showText(help->globalPos(), plainTip(text), this);
    }
    return true;
}

} // namespace junban::ui
