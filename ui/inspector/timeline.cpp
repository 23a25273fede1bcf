#include "ui/inspector/timeline.h"

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/inspector/attemptsmodel.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace junban::ui {

Timeline::Timeline(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Timeline"));
}

QSize Timeline::sizeHint() const
{
    return {characterWidth(fontMetrics()) * 40, fontMetrics().height() * 3};
}

QSize Timeline::minimumSizeHint() const
{
    return {characterWidth(fontMetrics()) * 20, fontMetrics().height() * 3};
}

void Timeline::setFormat(const Format &format)
{
    m_format = format;
    lay();
}

void Timeline::setJob(const Job &job, qint64 now_ms)
{
    m_job = job;
    m_now_ms = now_ms;
    lay();
    update();
}

// Computes the spans from the enqueue to the end of the job, or to now.
void Timeline::lay()
{
    m_spans.clear();
    qint64 at = m_job.createdAt_ms;
    const auto wait = [&](qint64 until, JobState look) {
        if (until > at)
            m_spans.append({at, until, look, false, tr("waited %1").arg(m_format.duration(until - at))});
        at = std::max(at, until);
    };
    bool retried = false;
    for (const Attempt &attempt : std::as_const(m_job.attempts)) {
        wait(attempt.startedAt_ms, retried ? JobState::Scheduled : JobState::Ready);
        const qint64 end = attempt.endedAt_ms > 0 ? attempt.endedAt_ms : std::max(m_now_ms, at);
        m_spans.append({at, std::max(end, at), AttemptsModel::endLook(attempt), true,
                        tr("attempt %1 on %2: %3 after %4")
                            .arg(QString::number(attempt.number), shown(attempt.worker), AttemptsModel::endWord(attempt),
                                 m_format.duration(end - at))});
        at = std::max(end, at);
        retried = attempt.ended == "failure" || attempt.ended == "timeout";
    }
    if (!isFinal(m_job.state) && m_job.state != JobState::Running)
        wait(m_now_ms, m_job.state);
    else if (m_job.state == JobState::Cancelled)
        wait(m_job.finishedAt_ms, JobState::Ready);
    QStringList texts{tr("Enqueued at %1").arg(m_format.dateTime(m_job.createdAt_ms))};
    for (const Span &span : std::as_const(m_spans))
        texts.append(span.text);
    texts.append(tr("now %1").arg(Look::word(m_job.state)));
    setAccessibleDescription(listed(texts));
}

QRectF Timeline::bar() const
{
    const double line = fontMetrics().height();
    return QRectF(rect()).adjusted(line / 2, line * 0.5, -line / 2, -line * 1.5);
}

// Computes the spans' rectangles. They are to scale, but each is wide enough to be seen and pointed at.
void Timeline::layBar(const QRectF &bar)
{
    m_rects.clear();
    const double share = bar.width() / double(std::max<qsizetype>(1, m_spans.size()));
    const double least = std::min(double(characterWidth(fontMetrics())), share);
    double total = 0;
    for (const Span &span : std::as_const(m_spans))
        total += double(span.to_ms - span.from_ms);
    const double free = std::max(0.0, bar.width() - least * double(m_spans.size()));
    double x = bar.left();
    for (const Span &span : std::as_const(m_spans)) {
        const double width = least + (total > 0 ? free * double(span.to_ms - span.from_ms) / total : 0);
        m_rects.append(QRectF(x, bar.top(), width, bar.height()));
        x += width;
    }
}

void Timeline::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QRectF strip = bar();
    layBar(strip);
    painter.setPen(Qt::NoPen);
    for (qsizetype i = 0; i < m_spans.size(); ++i) {
        const double height = m_spans[i].run ? strip.height() : std::max(2.0, strip.height() / 6);
        const QRectF block(m_rects[i].left(), strip.center().y() - height / 2, std::max(1.0, m_rects[i].width() - 1), height);
        painter.setBrush(m_spans[i].run ? Look::color(m_spans[i].look, palette()) : palette().color(QPalette::PlaceholderText));
        painter.drawRect(block);
    }
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const QRectF texts(strip.left(), strip.bottom(), strip.width(), height() - strip.bottom());
    const qint64 end = m_spans.isEmpty() ? m_job.createdAt_ms : m_spans.last().to_ms;
    const QString left = m_format.timeToday(m_job.createdAt_ms, m_now_ms);
    const QString right = m_format.timeToday(end, m_now_ms);
    painter.drawText(texts, Qt::AlignLeft | Qt::AlignVCenter, left);
    painter.drawText(texts, Qt::AlignRight | Qt::AlignVCenter, isFinal(m_job.state) ? right : tr("now"));
    const QString middle = m_format.duration(end - m_job.createdAt_ms);
    const int used = fontMetrics().horizontalAdvance(left + right + middle) + characterWidth(fontMetrics()) * 4;
    if (used < texts.width())
        painter.drawText(texts, Qt::AlignHCenter | Qt::AlignVCenter, middle);
}

bool Timeline::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    for (qsizetype i = 0; i < m_rects.size() && i < m_spans.size(); ++i) {
        if (help->pos().x() >= m_rects[i].left() && help->pos().x() < m_rects[i].right()) {
            QToolTip::showText(help->globalPos(), plainTip(m_spans[i].text), this);
            return true;
        }
    }
    QToolTip::hideText();
    return true;
}

} // namespace junban::ui
