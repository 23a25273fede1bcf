#pragma once

#include "core/jobs/recordvalues.h"
#include "core/jobs/administration.h"
#include "ui/base/format.h"

#include <QWidget>
#include <array>
#include <optional>

namespace junban::ui {

// How many jobs per second were enqueued, started, succeeded and failed, from the series that the masters keep. The axis is the chosen
// range, from the first step of its series on, so that the sums of the legend are of what is drawn; where no master counted, there is no
// line. The lines have width 1, because wider
// ones take fifty times as long to draw. The pointer or the arrow keys show the values of one step.
class ThroughputChart : public QWidget
{
    Q_OBJECT

public:
    explicit ThroughputChart(QWidget *parent = nullptr);

    static constexpr std::array<Metric, 4> metrics{Metric::Enqueued, Metric::Started, Metric::Succeeded, Metric::Failures};

    // Shows another range; the lines are gone until their series come. `until_s`: when it ends, in seconds since the epoch; 0: now.
    void setRange(qint64 range_s, qint64 until_s = 0);
    qint64 range_s() const { return m_range_s; }
    // Shows small rates beside large ones.
    void setLogarithmic(bool logarithmic);
    // Shows one name (or all together again); the lines are gone until their series come. There is no series of its starts.
    enum class Of { AllNames, OneName };
    void setOf(Of of);
    // One line, of the metric that it names. `now_ms`: the master's clock.
    void setSeries(const SeriesData &line, qint64 now_ms);
    // The present rates, for the legend of all names. That of one name has the rate of each line's last step; that of a range of more
    // than five minutes, or that is over, has the mean and says so.
    void setRates(const Rates &rates);
    void setFormat(const Format &format);

    // Hides a line, or shows it again, so that the others have the whole height; the last one stays. A click into the legend does it, or
    // the keys from 1 on.
    void toggle(Metric metric);
    bool hides(Metric metric) const;
    // Where the legend names a metric, and in what words.
    QPair<QRectF, QString> legendOf(Metric metric) const;

    // The values of the step that is pointed at; empty when none is.
    QString readOut() const;
    // The line of a metric as it is drawn: points (ms since the epoch, jobs per second) in pieces, between which no master counted.
    QList<QList<QPointF>> pieces(Metric metric) const;
    // What the axis shows, in ms since the epoch.
    std::pair<qint64, qint64> axis() const;
    // The rates for which the axis has lines.
    QList<double> gridRates() const { return gridRates(frame()); }

    // Where the times of the axis stand, from the right.
    QList<QRectF> labelPlaces() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Frame {
        QRectF plot;
        qint64 from_ms = 0, to_ms = 0;
        double top = 1;
        bool logarithmic = false;
        double part(qint64 at_ms) const { return double(at_ms - from_ms) / double(std::max<qint64>(1, to_ms - from_ms)); }
        double x(qint64 at_ms) const { return plot.left() + plot.width() * part(at_ms); }
        double y(double value) const;
    };
    // A step: when it begins, and its rate; nothing where no master counted.
    struct Step {
        qint64 at_ms = 0;
        std::optional<double> rate = {};
    };
    Frame frame() const;
    static QList<double> gridRates(const Frame &frame);
    bool isMean() const;
    QColor color(size_t index) const;
    QString name(size_t index) const;
    const std::optional<SeriesData> &seriesOf(Metric metric) const;
    bool isKept(size_t index) const { return m_of == Of::AllNames || metrics[index] != Metric::Started; }
    bool isDrawn(size_t index) const { return isKept(index) && !m_hidden[index]; }
    struct Entry { // of the legend
        size_t index;
        QRectF place;
        QString text;
    };
    QList<Entry> legend(const Frame &frame) const;
    enum class Figures { None, Rate, RateAndSum };
    QList<Entry> legend(const Frame &frame, Figures figures) const;
    std::optional<qint64> sum(size_t index) const;
    std::optional<double> present(size_t index) const;
    std::optional<size_t> entryAt(const QPointF &at) const;
    qsizetype steps() const { return m_series[0] ? m_series[0]->values.size() : 0; }
    Step step(const SeriesData &line, qsizetype index) const;
    std::optional<qsizetype> pointed() const;
    QList<QPair<QRectF, QString>> axisLabels(const Frame &frame) const;
    void paintGrid(QPainter &painter, const Frame &frame) const;
    void paintSeries(QPainter &painter, const Frame &frame) const;
    void paintGaps(QPainter &painter, const Frame &frame) const;
    void paintReadOut(QPainter &painter, const Frame &frame) const;

    std::array<std::optional<SeriesData>, metrics.size()> m_series;
    std::array<bool, metrics.size()> m_hidden{};
    Rates m_rates;
    bool m_known = false;          // rates have come
    Of m_of = Of::AllNames;
    qint64 m_range_s = 5 * 60;
    qint64 m_until_s = 0;
    bool m_logarithmic = false;
    qint64 m_now_ms = 0;
    qint64 m_pointed_ms = 0;       // the moment whose values are shown; 0: none
    Format m_format;
};

} // namespace junban::ui
