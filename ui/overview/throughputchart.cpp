#include "ui/overview/throughputchart.h"

#include "core/base/durations.h"
#include "ui/base/look.h"
#include "ui/base/text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <cmath>
#include <numeric>
#include <tuple>

namespace junban::ui {

namespace {

constexpr JobState looks[ThroughputChart::metrics.size()] = {JobState::Ready, JobState::Awaiting, JobState::Succeeded, JobState::Failed};
constexpr int gridLines = 4;
constexpr int labels = 5; // on the time axis
constexpr qint64 live_s = 5 * 60; // up to this range the legend has the present rates
constexpr double logFrom = 0.1; // jobs per second, below which a logarithmic axis is nearly linear
constexpr qint64 underWay_ms_min = 2'000; // a step that has just begun has no rate yet

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
    return {characterWidth(fontMetrics()) * 80, fontMetrics().height() * 13};
}

QSize ThroughputChart::minimumSizeHint() const
{
    return {characterWidth(fontMetrics()) * 30, fontMetrics().height() * 8};
}

void ThroughputChart::setFormat(const Format &format)
{
    m_format = format;
    update();
}

void ThroughputChart::setRange(qint64 range_s, qint64 until_s)
{
    m_range_s = range_s;
    m_until_s = until_s;
    m_series = {};
    m_pointed_ms = 0;
    update();
}

void ThroughputChart::setOf(Of of)
{
    m_of = of;
    setRange(m_range_s, m_until_s);
}

void ThroughputChart::setLogarithmic(bool logarithmic)
{
    m_logarithmic = logarithmic;
    update();
}

std::pair<qint64, qint64> ThroughputChart::axis() const
{
    const qint64 to_ms = m_until_s > 0 ? m_until_s * 1'000 : m_now_ms;
    return {m_series[0] ? m_series[0]->from_s * 1'000 : to_ms - m_range_s * 1'000, to_ms};
}

double ThroughputChart::Frame::y(double value) const
{
    const double part = logarithmic ? std::log1p(value / logFrom) / std::log1p(top / logFrom) : value / top;
    return plot.bottom() - plot.height() * std::min(1.0, part);
}

QList<double> ThroughputChart::gridRates(const Frame &frame)
{
    QList<double> rates{0};
    if (frame.logarithmic) {
        for (double rate = logFrom; rate <= frame.top * 1.001; rate *= 10)
            rates.append(rate);
    } else {
        for (int i = 1; i <= gridLines; ++i)
            rates.append(frame.top * i / gridLines);
    }
    return rates;
}

void ThroughputChart::setSeries(const SeriesData &line, qint64 now_ms)
{
    for (size_t i = 0; i < metrics.size(); ++i) {
        if (metrics[i] == line.metric)
            m_series[i] = line;
    }
    m_now_ms = now_ms;
    update();
}

void ThroughputChart::setRates(const Rates &rates)
{
    m_rates = rates;
    m_known = true;
    const double values[] = {rates.enqueued, rates.started, rates.succeeded, rates.failures};
    QStringList parts;
    for (size_t i = 0; i < metrics.size(); ++i)
        parts.append(QStringLiteral("%1 %2").arg(name(i), m_format.rate(values[i])));
    setAccessibleDescription(listed(parts));
    update();
}

QColor ThroughputChart::color(size_t index) const
{
    return Look::color(looks[index], palette());
}

QString ThroughputChart::name(size_t index) const
{
    switch (index) {
    case 0: return tr("enqueued");
    case 1: return tr("started");
    case 2: return tr("succeeded");
    default: return tr("failures");
    }
}

const std::optional<SeriesData> &ThroughputChart::seriesOf(Metric metric) const
{
    const auto found = std::find(metrics.begin(), metrics.end(), metric);
    return m_series[size_t(found - metrics.begin())];
}

ThroughputChart::Step ThroughputChart::step(const SeriesData &line, qsizetype index) const
{
    const qint64 at_s = line.from_s + index * line.step_s;
    Step step{at_s * 1'000};
    const auto isIn = [at_s](const SeriesGap &gap) { return gap.from_s <= at_s && at_s < gap.to_s; };
    const bool gap = std::any_of(line.gaps.begin(), line.gaps.end(), isIn);
    // The last step is not over, so it has had less time.
    const qint64 passed_ms = std::min(line.step_s * 1'000, m_now_ms - step.at_ms);
    const bool over = passed_ms == line.step_s * 1'000;
    if (!gap && (over || passed_ms >= std::max(underWay_ms_min, line.step_s * 100)))
        step.rate = double(line.values[index]) * 1'000 / double(passed_ms);
    return step;
}

QList<QList<QPointF>> ThroughputChart::pieces(Metric metric) const
{
    const std::optional<SeriesData> &line = seriesOf(metric);
    QList<QList<QPointF>> all;
    bool goesOn = false;
    for (qsizetype i = 0; line && i < line->values.size(); ++i) {
        const Step at = step(*line, i);
        if (at.rate && !goesOn)
            all.append(QList<QPointF>());
        if (at.rate)
            all.last().append({double(at.at_ms + line->step_s * 500), *at.rate});
        goesOn = at.rate.has_value();
    }
    return all;
}

ThroughputChart::Frame ThroughputChart::frame() const
{
    Frame frame;
    std::tie(frame.from_ms, frame.to_ms) = axis();
    frame.logarithmic = m_logarithmic;
    double top = 0;
    for (size_t i = 0; i < metrics.size(); ++i) {
        for (const QList<QPointF> &piece : isDrawn(i) ? pieces(metrics[i]) : QList<QList<QPointF>>()) {
            for (const QPointF &point : piece)
                top = std::max(top, point.y());
        }
    }
    frame.top = m_logarithmic ? std::pow(10, std::ceil(std::log10(std::max(1.0, top)))) : roundUp(top * 1.05);
    const double line = fontMetrics().height();
    const double axis = fontMetrics().horizontalAdvance(m_format.rate(frame.top)) + line * 0.6;
    frame.plot = QRectF(axis, line * 1.8, width() - axis - line * 0.6, height() - line * 3.4);
    return frame;
}

// A mark and a word for each line, with its present rate and how many there were in the chosen time where there is room for all of them.
QList<ThroughputChart::Entry> ThroughputChart::legend(const Frame &frame) const
{
    for (const Figures figures : {Figures::RateAndSum, Figures::Rate}) {
        const QList<Entry> entries = legend(frame, figures);
        if (entries.isEmpty() || entries.last().place.right() <= width())
            return entries;
    }
    return legend(frame, Figures::None);
}

// How many there were in the chosen time; nothing before its series has come.
std::optional<qint64> ThroughputChart::sum(size_t index) const
{
    const std::optional<SeriesData> &line = m_series[index];
    return line ? std::optional(std::accumulate(line->values.begin(), line->values.end(), qint64(0))) : std::nullopt;
}

bool ThroughputChart::isMean() const
{
    return m_range_s > live_s || m_until_s > 0;
}

// The rate now; or the mean of what masters counted.
std::optional<double> ThroughputChart::present(size_t index) const
{
    if (isMean()) {
        double all = 0;
        qsizetype steps = 0;
        for (const QList<QPointF> &piece : pieces(metrics[index])) {
            for (const QPointF &point : piece)
                all += point.y();
            steps += piece.size();
        }
        return steps > 0 ? std::optional(all / double(steps)) : std::nullopt;
    }
    if (m_of == Of::OneName) {
        const QList<QList<QPointF>> drawn = pieces(metrics[index]);
        return drawn.isEmpty() ? std::nullopt : std::optional(drawn.last().last().y());
    }
    const double values[] = {m_rates.enqueued, m_rates.started, m_rates.succeeded, m_rates.failures};
    return m_known ? std::optional(values[index]) : std::nullopt;
}

QList<ThroughputChart::Entry> ThroughputChart::legend(const Frame &frame, Figures figures) const
{
    const double line = fontMetrics().height();
    QList<Entry> entries;
    double x = frame.plot.left();
    for (size_t i = 0; i < metrics.size(); ++i) {
        if (!isKept(i))
            continue;
        const std::optional<double> rate = figures != Figures::None ? present(i) : std::nullopt;
        const QString rated = isMean() ? tr("%1 avg %2", "a series and its mean rate") : tr("%1 %2", "a series and its rate");
        QString text = rate ? rated.arg(name(i), m_format.rate(*rate)) : name(i);
        if (const std::optional<qint64> all = sum(i); all && figures == Figures::RateAndSum)
            text = tr("%1 (%2)", "a series and its rate, how many in the chosen time").arg(text, m_format.count(*all));
        const double width = line * 2 + fontMetrics().horizontalAdvance(text);
        entries.append({i, QRectF(x, 0, width, line * 1.6), text});
        x += width + line * 0.2;
    }
    return entries;
}

std::optional<size_t> ThroughputChart::entryAt(const QPointF &at) const
{
    const QList<Entry> entries = legend(frame());
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry &entry) { return entry.place.contains(at); });
    return found == entries.end() ? std::nullopt : std::optional(found->index);
}

void ThroughputChart::toggle(Metric metric)
{
    const auto index = size_t(std::find(metrics.begin(), metrics.end(), metric) - metrics.begin());
    m_hidden[index] = !m_hidden[index];
    bool any = false;
    for (size_t i = 0; i < metrics.size(); ++i)
        any = any || isDrawn(i);
    if (!any)
        m_hidden[index] = false;
    update();
}

bool ThroughputChart::hides(Metric metric) const
{
    return m_hidden[size_t(std::find(metrics.begin(), metrics.end(), metric) - metrics.begin())];
}

QPair<QRectF, QString> ThroughputChart::legendOf(Metric metric) const
{
    for (const Entry &entry : legend(frame())) {
        if (metrics[entry.index] == metric)
            return {entry.place, entry.text};
    }
    return {};
}

void ThroughputChart::paintGrid(QPainter &painter, const Frame &frame) const
{
    const double line = fontMetrics().height();
    for (const Entry &entry : legend(frame)) {
        const bool drawn = isDrawn(entry.index);
        const QColor mark = drawn ? color(entry.index) : palette().color(QPalette::Midlight);
        painter.fillRect(QRectF(entry.place.left(), line * 0.7, line * 0.7, line * 0.2), mark);
        painter.setPen(palette().color(drawn ? QPalette::Text : QPalette::PlaceholderText));
        painter.drawText(entry.place.adjusted(line, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, entry.text);
    }
    double below = height();
    for (const double rate : gridRates(frame)) {
        const double y = frame.y(rate);
        painter.setPen(QPen(palette().color(rate > 0 ? QPalette::Midlight : QPalette::Mid), 1));
        painter.drawLine(QPointF(frame.plot.left(), y), QPointF(frame.plot.right(), y));
        if (y > below - line)
            continue; // no room for its text
        below = y;
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(QRectF(0, y - line / 2, frame.plot.left() - line * 0.4, line), Qt::AlignRight | Qt::AlignVCenter,
                         m_format.rate(rate));
    }
    if (m_now_ms == 0)
        return;
    for (const auto &[place, text] : axisLabels(frame))
        painter.drawText(place, Qt::AlignCenter, text);
}

// Where the times stand on the axis, from the right; those that would touch the one to their right are left out.
QList<QPair<QRectF, QString>> ThroughputChart::axisLabels(const Frame &frame) const
{
    const double line = fontMetrics().height();
    QList<QPair<QRectF, QString>> places;
    for (int i = labels - 1; i >= 0; --i) {
        const qint64 at_ms = frame.from_ms + (frame.to_ms - frame.from_ms) * i / (labels - 1);
        const qint64 span_ms = m_until_s > 0 ? std::max(m_range_s * 1'000, 3 * day_ms) : m_range_s * 1'000; // with the day
        const QString text = i == labels - 1 ? m_format.axisTimeZoned(at_ms, span_ms) : m_format.axisTime(at_ms, span_ms);
        const double width = fontMetrics().horizontalAdvance(text) + 1;
        const double left = std::clamp(frame.x(at_ms) - width / 2, frame.plot.left(), frame.plot.right() - width);
        if (places.isEmpty() || left + width + line / 2 <= places.last().first.left())
            places.append({QRectF(left, frame.plot.bottom() + line * 0.2, width, line * 1.2), text});
    }
    return places;
}

QList<QRectF> ThroughputChart::labelPlaces() const
{
    QList<QRectF> places;
    for (const auto &[place, text] : axisLabels(frame()))
        places.append(place);
    return places;
}

// Where no master counted.
void ThroughputChart::paintGaps(QPainter &painter, const Frame &frame) const
{
    if (!m_series[0])
        return;
    for (const SeriesGap &gap : m_series[0]->gaps) {
        const double left = std::max(frame.x(gap.from_s * 1'000), frame.plot.left());
        const double right = std::min(frame.x(gap.to_s * 1'000), frame.plot.right());
        if (right > left)
            painter.fillRect(QRectF(left, frame.plot.top(), right - left, frame.plot.height()), palette().color(QPalette::AlternateBase));
    }
}

void ThroughputChart::paintSeries(QPainter &painter, const Frame &frame) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(frame.plot.adjusted(-1, -2, 1, 2));
    for (size_t i = 0; i < metrics.size(); ++i) {
        painter.setPen(QPen(color(i), 1));
        for (const QList<QPointF> &piece : isDrawn(i) ? pieces(metrics[i]) : QList<QList<QPointF>>()) {
            QPolygonF points;
            for (const QPointF &point : piece)
                points.append({frame.x(qint64(point.x())), frame.y(point.y())});
            if (points.size() == 1) // a line of one point would not be seen
                painter.drawEllipse(points.first(), 1, 1);
            painter.drawPolyline(points);
        }
    }
    painter.setClipping(false);
    if (m_of == Of::OneName && m_series[0] && pieces(metrics[0]).isEmpty()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(frame.plot, Qt::AlignCenter | Qt::TextWordWrap, tr("This name was not counted separately in this period."));
    }
}

std::optional<qsizetype> ThroughputChart::pointed() const
{
    if (m_pointed_ms == 0 || steps() == 0)
        return {};
    const qint64 index = (m_pointed_ms / 1'000 - m_series[0]->from_s) / m_series[0]->step_s;
    return std::clamp<qint64>(index, 0, steps() - 1);
}

QString ThroughputChart::readOut() const
{
    const std::optional<qsizetype> index = pointed();
    if (!index)
        return {};
    const Step first = step(*m_series[0], *index);
    QStringList lines{m_format.axisTimeZoned(first.at_ms, 0)};
    for (size_t i = 0; i < metrics.size(); ++i) {
        if (!isDrawn(i))
            continue;
        const std::optional<SeriesData> &line = m_series[i];
        const std::optional<double> rate = line && *index < line->values.size() ? step(*line, *index).rate : std::nullopt;
        lines.append(tr("%1 %2", "a series and its rate").arg(name(i), rate ? m_format.rate(*rate) : tr("not known")));
    }
    return lines.join(QLatin1Char('\n'));
}

void ThroughputChart::paintReadOut(QPainter &painter, const Frame &frame) const
{
    const std::optional<qsizetype> index = pointed();
    if (!index)
        return;
    const double x = std::max(frame.plot.left(), frame.x(step(*m_series[0], *index).at_ms + m_series[0]->step_s * 500));
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
    paintGaps(painter, all);
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

bool ThroughputChart::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    auto *help = static_cast<QHelpEvent *>(event);
    const std::optional<size_t> entry = entryAt(help->pos());
    if (entry) {
        QStringList lines{m_hidden[*entry] ? tr("Click to show this line") : tr("Click to hide this line")};
        if (const std::optional<qint64> all = sum(*entry))
            lines.prepend(tr("%1: %2 in the chosen time", "a series, how many").arg(name(*entry), m_format.count(*all)));
        QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
    } else {
        QToolTip::hideText();
    }
    return true;
}

void ThroughputChart::mousePressEvent(QMouseEvent *event)
{
    const std::optional<size_t> entry = entryAt(event->position());
    if (event->button() == Qt::LeftButton && entry)
        toggle(metrics[*entry]);
    else
        QWidget::mousePressEvent(event);
}

void ThroughputChart::mouseMoveEvent(QMouseEvent *event)
{
    setCursor(entryAt(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    const Frame all = frame();
    const double part = (event->position().x() - all.plot.left()) / all.plot.width();
    m_pointed_ms = m_now_ms == 0 || part < 0 || part > 1 ? 0 : all.from_ms + qint64(part * double(all.to_ms - all.from_ms));
    update();
}

void ThroughputChart::leaveEvent(QEvent *)
{
    m_pointed_ms = 0;
    update();
}

void ThroughputChart::keyPressEvent(QKeyEvent *event)
{
    const int number = event->key() - Qt::Key_1;
    if (number >= 0 && number < int(metrics.size()) && isKept(size_t(number))) {
        toggle(metrics[size_t(number)]);
        return;
    }
    const bool left = event->key() == Qt::Key_Left, right = event->key() == Qt::Key_Right;
    if (steps() == 0 || (!left && !right)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const qint64 step_ms = std::max(m_series[0]->step_s * 1'000, m_range_s * 1'000 / 60);
    const auto [from_ms, to_ms] = axis();
    m_pointed_ms = std::clamp((m_pointed_ms == 0 ? to_ms : m_pointed_ms) + (left ? -step_ms : step_ms), from_ms, to_ms);
    update();
}

} // namespace junban::ui
