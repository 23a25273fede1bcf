#include "ui/overview/throughputchart.h"

#include "ui/base/look.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <cmath>

namespace junban::ui {

namespace {

constexpr JobState looks[ThroughputChart::series] = {JobState::Ready, JobState::Awaiting, JobState::Succeeded, JobState::Failed};
constexpr qint64 gap_ms = 15'000; // the line is interrupted where samples are further apart
constexpr int gridLines = 4;
constexpr qint64 leastSpan_ms = 60'000;

// A round number, at least `value`, of which a quarter is a round number, too.
double roundUp(double value)
{
    if (value <= 2)
        return 2;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double step : {1.2, 2.0, 4.0, 6.0, 8.0}) {
        if (step * power >= value)
            return step * power;
    }
    return 12 * power;
}

} // namespace

ThroughputChart::ThroughputChart(QWidget *parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Throughput"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize ThroughputChart::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 80, fontMetrics().height() * 13};
}

QSize ThroughputChart::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 30, fontMetrics().height() * 8};
}

void ThroughputChart::setFormat(const Format &format)
{
    m_format = format;
    update();
}

void ThroughputChart::setSpan(qint64 span_ms)
{
    m_span_ms = span_ms;
    update();
}

void ThroughputChart::add(qint64 at_ms, const Rates &rates)
{
    if (!m_samples.empty() && at_ms <= m_samples.back().at_ms)
        return;
    m_samples.push_back({at_ms, {rates.enqueued, rates.started, rates.succeeded, rates.failures}});
    while (m_samples.size() > samples_max)
        m_samples.pop_front();
    describe();
    update();
}

QColor ThroughputChart::color(int index) const
{
    return Look::color(looks[index], palette());
}

QString ThroughputChart::name(int index) const
{
    switch (index) {
    case 0: return tr("enqueued");
    case 1: return tr("started");
    case 2: return tr("succeeded");
    default: return tr("failures");
    }
}

void ThroughputChart::describe()
{
    const Sample &last = m_samples.back();
    QStringList parts;
    for (int i = 0; i < series; ++i)
        parts.append(QStringLiteral("%1 %2").arg(name(i), m_format.rate(last.values[i])));
    setAccessibleDescription(parts.join(QStringLiteral(", ")));
}

ThroughputChart::Frame ThroughputChart::frame() const
{
    Frame frame;
    frame.to_ms = m_samples.empty() ? 0 : m_samples.back().at_ms;
    // As long as the samples cover less than the span, they have the whole width.
    const qint64 known_ms = m_samples.empty() ? m_span_ms : frame.to_ms - m_samples.front().at_ms;
    frame.from_ms = frame.to_ms - std::min(m_span_ms, std::max(known_ms, leastSpan_ms));
    double top = 0;
    for (auto sample = m_samples.rbegin(); sample != m_samples.rend() && sample->at_ms >= frame.from_ms; ++sample)
        top = std::max(top, *std::max_element(std::begin(sample->values), std::end(sample->values)));
    frame.top = roundUp(top * 1.05);
    const double line = fontMetrics().height();
    const double axis = fontMetrics().horizontalAdvance(m_format.rate(frame.top)) + line * 0.6;
    frame.plot = QRectF(axis, line * 1.8, width() - axis - line * 0.6, height() - line * 3.4);
    return frame;
}

void ThroughputChart::paintGrid(QPainter &painter, const Frame &frame) const
{
    const double line = fontMetrics().height();
    // The legend: a mark and a word for each line, with its newest value.
    double x = frame.plot.left();
    for (int i = 0; i < series; ++i) {
        const double value = m_samples.empty() ? 0 : m_samples.back().values[i];
        const QString text = tr("%1 %2", "a series and its rate").arg(name(i), m_format.rate(value));
        const double width = fontMetrics().horizontalAdvance(text);
        painter.fillRect(QRectF(x, line * 0.7, line * 0.7, line * 0.2), color(i));
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRectF(x + line, 0, width + line, line * 1.6), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += width + line * 2.2;
    }
    for (int i = 0; i <= gridLines; ++i) {
        const double y = frame.plot.bottom() - frame.plot.height() * i / gridLines;
        painter.setPen(QPen(palette().color(i == 0 ? QPalette::Mid : QPalette::Midlight), 1));
        painter.drawLine(QPointF(frame.plot.left(), y), QPointF(frame.plot.right(), y));
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(QRectF(0, y - line / 2, frame.plot.left() - line * 0.4, line), Qt::AlignRight | Qt::AlignVCenter,
                         m_format.rate(frame.top * i / gridLines));
    }
    const QRectF times(frame.plot.left(), frame.plot.bottom() + line * 0.2, frame.plot.width(), line * 1.2);
    if (!m_samples.empty()) {
        painter.drawText(times, Qt::AlignLeft | Qt::AlignVCenter, m_format.time(frame.from_ms));
        painter.drawText(times, Qt::AlignHCenter | Qt::AlignVCenter, m_format.time((frame.from_ms + frame.to_ms) / 2));
        painter.drawText(times, Qt::AlignRight | Qt::AlignVCenter, m_format.time(frame.to_ms));
    }
}

void ThroughputChart::paintSeries(QPainter &painter, const Frame &frame) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(frame.plot.adjusted(-1, -2, 1, 2));
    for (int i = 0; i < series; ++i) {
        QPolygonF points;
        painter.setPen(QPen(color(i), 1));
        qint64 before = 0;
        for (const Sample &sample : m_samples) {
            if (sample.at_ms < frame.from_ms - gap_ms)
                continue;
            if (before != 0 && sample.at_ms - before > gap_ms) {
                painter.drawPolyline(points);
                points.clear();
            }
            before = sample.at_ms;
            const double x = frame.plot.left() + frame.plot.width() * frame.part(sample.at_ms);
            points.append({x, frame.plot.bottom() - frame.plot.height() * std::min(1.0, sample.values[i] / frame.top)});
        }
        painter.drawPolyline(points);
    }
    painter.setClipping(false);
}

const ThroughputChart::Sample *ThroughputChart::pointed() const
{
    if (m_pointed_ms == 0)
        return nullptr;
    const Sample *best = nullptr;
    for (const Sample &sample : m_samples) {
        if (!best || std::abs(sample.at_ms - m_pointed_ms) < std::abs(best->at_ms - m_pointed_ms))
            best = &sample;
    }
    return best;
}

QString ThroughputChart::readOut() const
{
    const Sample *sample = pointed();
    if (!sample)
        return {};
    QStringList lines{m_format.time(sample->at_ms)};
    for (int i = 0; i < series; ++i)
        lines.append(tr("%1 %2", "a series and its rate").arg(name(i), m_format.rate(sample->values[i])));
    return lines.join(QLatin1Char('\n'));
}

void ThroughputChart::paintReadOut(QPainter &painter, const Frame &frame) const
{
    const Sample *sample = pointed();
    if (!sample || sample->at_ms < frame.from_ms)
        return;
    const double x = frame.plot.left() + frame.plot.width() * frame.part(sample->at_ms);
    painter.setPen(QPen(palette().color(QPalette::Dark), 1));
    painter.drawLine(QPointF(x, frame.plot.top()), QPointF(x, frame.plot.bottom()));
    const double pad = fontMetrics().height() / 3.0;
    QRectF box = fontMetrics().boundingRect(QRect(0, 0, width(), height()), Qt::AlignLeft, readOut());
    box.adjust(-pad, -pad, pad, pad);
    box.moveTop(frame.plot.top() + pad);
    box.moveLeft(x + pad + box.width() > frame.plot.right() ? x - pad - box.width() : x + pad);
    painter.setPen(QPen(palette().color(QPalette::Mid), 1));
    painter.setBrush(palette().color(QPalette::ToolTipBase));
    painter.drawRect(box);
    painter.setPen(palette().color(QPalette::ToolTipText));
    painter.drawText(box.adjusted(pad, pad, -pad, -pad), Qt::AlignLeft, readOut());
}

void ThroughputChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    const Frame all = frame();
    paintGrid(painter, all);
    paintSeries(painter, all);
    paintReadOut(painter, all);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void ThroughputChart::mouseMoveEvent(QMouseEvent *event)
{
    const Frame all = frame();
    const double part = (event->position().x() - all.plot.left()) / all.plot.width();
    m_pointed_ms = all.to_ms == 0 || part < 0 || part > 1 ? 0 : all.from_ms + qint64(part * double(all.to_ms - all.from_ms));
    update();
}

void ThroughputChart::leaveEvent(QEvent *)
{
    m_pointed_ms = 0;
    update();
}

void ThroughputChart::keyPressEvent(QKeyEvent *event)
{
    const qint64 step_ms = std::max<qint64>(1'000, m_span_ms / 60);
    const bool left = event->key() == Qt::Key_Left, right = event->key() == Qt::Key_Right;
    if (m_samples.empty() || (!left && !right)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const qint64 from = m_pointed_ms == 0 ? m_samples.back().at_ms : m_pointed_ms;
    m_pointed_ms = std::clamp(from + (left ? -step_ms : step_ms), m_samples.front().at_ms, m_samples.back().at_ms);
    update();
}

} // namespace junban::ui
