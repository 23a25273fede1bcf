#include "ui/overview/counttile.h"

#include "ui/base/icons.h"

#include <QPainter>

namespace junban::ui {

namespace {

constexpr double firstScale = 2.1, otherScale = 1.5; // of the counts' font

} // namespace

CountTile::CountTile(std::optional<JobState> state, const QString &title, QWidget *parent)
    : QAbstractButton(parent)
    , m_state(state)
    , m_title(title)
{
    setText(title);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void CountTile::setCount(const QString &count, const QString &note, Note kind)
{
    if (m_count == count && m_note == note && m_kind == kind)
        return;
    m_count = count;
    m_note = note;
    m_kind = kind;
    setAccessibleName(QStringLiteral("%1: %2 %3").arg(m_title, m_count, m_note).trimmed());
    update();
}

// What an operator looks for first is larger than the rest.
QFont CountTile::largeFont() const
{
    const bool first = m_state == JobState::Ready || m_state == JobState::Failed;
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * (first ? firstScale : otherScale));
    large.setBold(first);
    return large;
}

// Of the largest ones, so that all tiles are as high.
double CountTile::countHeight() const
{
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * firstScale);
    return QFontMetricsF(large).height();
}

QSize CountTile::sizeHint() const
{
    const QFontMetrics small(font()), large(largeFont());
    const int title = small.horizontalAdvance(m_title) + small.height() * (m_state ? 13 : 7) / 5; // as it is painted
    return {std::max(title, large.horizontalAdvance(QStringLiteral("888,888"))),
            small.height() * 3 + int(countHeight())};
}

void CountTile::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double line = fontMetrics().height();
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(palette().color(hasFocus() || underMouse() ? QPalette::Highlight : QPalette::Mid), 1));
    painter.setBrush(palette().color(isDown() ? QPalette::AlternateBase : QPalette::Base));
    painter.drawRoundedRect(box, line / 4, line / 4);

    const QRectF inner = box.adjusted(line * 0.7, line * 0.5, -line * 0.5, -line * 0.4);
    double x = inner.left();
    if (m_state) {
        drawIcon(painter, Look::iconOf(*m_state), QRectF(x, inner.top() + line * 0.05, line * 0.9, line * 0.9),
                  Look::color(*m_state, palette()));
        x += line * 1.3;
    }
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const QRectF title(x, inner.top(), inner.right() - x, line);
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(m_title, Qt::ElideRight, int(title.width())));
    const QFont small = painter.font();
    painter.setFont(largeFont());
    const bool failed = m_state == JobState::Failed && m_count != QLatin1String("0") && m_count != QStringLiteral("–");
    painter.setPen(failed ? Look::red(palette()) : palette().color(QPalette::Text));
    const double large = countHeight();
    painter.drawText(QRectF(inner.left(), inner.top() + line * 1.1, inner.width(), large), Qt::AlignLeft | Qt::AlignVCenter, m_count);
    painter.setFont(small);
    painter.setPen(m_kind == Note::Alarm ? Look::amber(palette()) : palette().color(QPalette::PlaceholderText));
    const QRectF note(inner.left(), inner.top() + line * 1.1 + large, inner.width(), line);
    painter.drawText(note, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(m_note, Qt::ElideRight, int(note.width())));
}

} // namespace junban::ui
