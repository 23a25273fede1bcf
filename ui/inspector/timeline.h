#pragma once

#include "core/jobs/job.h"
#include "ui/base/format.h"

#include <QWidget>

namespace junban::ui {

// A job's life as a strip: thin where it waited, thick where it ran, in the colour of how that attempt ended. Pointing at a span says
// what it is; the accessible description says the same.
class Timeline : public QWidget
{
    Q_OBJECT

public:
    explicit Timeline(QWidget *parent = nullptr);

    void setJob(const Job &job, qint64 now_ms);
    void setFormat(const Format &format);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    struct Span {
        qint64 from_ms = 0;
        qint64 to_ms = 0;
        JobState look = JobState::Ready;
        bool run = false;
        QString text;
    };
    void lay();
    void layBar(const QRectF &bar);
    QRectF bar() const;

    Job m_job;
    qint64 m_now_ms = 0;
    Format m_format;
    QList<Span> m_spans;
    QList<QRectF> m_rects; // of the spans
};

} // namespace junban::ui
