#pragma once

#include "ui/base/format.h"

#include <QWidget>

namespace junban::ui {

// How often something happened in each step of a span of time, as columns with their times below. Pointing at a column shows its number.
class TrendView : public QWidget
{
    Q_OBJECT

public:
    explicit TrendView(QWidget *parent = nullptr);

    void setTrend(const QList<double> &values, qint64 step_ms, qint64 now_ms, const Format &format);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    QRectF plot() const;

    QList<double> m_values;
    qint64 m_step_ms = 0;
    qint64 m_now_ms = 0;
    Format m_format;
};

} // namespace junban::ui
