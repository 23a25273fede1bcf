#pragma once

#include "core/jobs/administration.h"
#include "ui/base/format.h"

#include <QWidget>
#include <deque>

namespace junban::ui {

// How many jobs per second were enqueued, started, succeeded and failed in the last minutes, as this window saw it. The lines have width 1,
// because wider ones take fifty times as long to draw. The pointer or the arrow keys show the values of one moment.
class ThroughputChart : public QWidget
{
    Q_OBJECT

public:
    explicit ThroughputChart(QWidget *parent = nullptr);

    void add(qint64 at_ms, const Rates &rates);
    void setFormat(const Format &format);
    void setSpan(qint64 span_ms);

    // The values of the moment that is pointed at; empty when none is.
    QString readOut() const;

    static constexpr int samples_max = 3 * 3'600; // three hours of one a second
    static constexpr int series = 4;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Sample {
        qint64 at_ms = 0;
        double values[series] = {};
    };
    struct Frame {
        QRectF plot;
        qint64 from_ms = 0, to_ms = 0;
        double top = 1;
        double part(qint64 at_ms) const { return double(at_ms - from_ms) / double(std::max<qint64>(1, to_ms - from_ms)); }
    };
    Frame frame() const;
    QColor color(int index) const;
    QString name(int index) const;
    void paintGrid(QPainter &painter, const Frame &frame) const;
    void paintSeries(QPainter &painter, const Frame &frame) const;
    void paintReadOut(QPainter &painter, const Frame &frame) const;
    const Sample *pointed() const;
    void describe();

    std::deque<Sample> m_samples;
    qint64 m_span_ms = 5 * 60'000;
    qint64 m_pointed_ms = 0; // the moment whose values are shown; 0: none
    Format m_format;
};

} // namespace junban::ui
