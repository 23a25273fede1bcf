#include "ui/overview/barpanel.h"

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/widgets/labels.h"

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

namespace junban::ui {

BarLine::BarLine(QWidget *parent)
    : QAbstractButton(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QAbstractButton::clicked, this, [this] {
        if (const auto open = m_bar.open)
            open();
    });
}

void BarLine::say(const Bar &bar)
{
    m_bar = bar;
    setText(bar.text + QLatin1Char(' ') + bar.value);
    setAccessibleName(text());
    setToolTip(plainTip(bar.text + QLatin1Char('\n') + bar.value));
    update();
}

QSize BarLine::sizeHint() const
{
    return {characterWidth(fontMetrics()) * 30, fontMetrics().height() * 8 / 5};
}

QSize BarLine::minimumSizeHint() const
{
    return {characterWidth(fontMetrics()) * 16, sizeHint().height()};
}

void BarLine::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QFontMetrics metrics = fontMetrics();
    const int line = metrics.height(), thick = std::max(2, line / 5);
    const bool alarm = m_bar.tone == Bar::Tone::Alarm;
    const QRect track(0, height() - thick, width(), thick);
    painter.fillRect(track, palette().color(QPalette::AlternateBase));
    const int filled = m_bar.part > 0 ? std::max(1, int(track.width() * std::min(1.0, m_bar.part))) : 0;
    painter.fillRect(QRect(track.topLeft(), QSize(filled, thick)),
                     alarm ? Look::amber(palette()) : palette().color(QPalette::Highlight));
    const QRect room(0, 0, width(), height() - thick);
    painter.setPen(alarm ? Look::amber(palette()) : palette().color(QPalette::Text));
    // What is cut is the end of either text: a figure without its first digits would be another one.
    const int title = std::min(metrics.horizontalAdvance(m_bar.text), room.width() * 2 / 5);
    const QString shown = metrics.elidedText(m_bar.value, Qt::ElideRight, std::max(0, room.width() - title - line));
    painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, shown);
    QFont font = painter.font();
    font.setUnderline(underMouse() || hasFocus());
    painter.setFont(font);
    painter.setPen(palette().color(QPalette::Text));
    const int left = std::max(0, room.width() - metrics.horizontalAdvance(shown) - line);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(m_bar.text, Qt::ElideRight, left));
}

BarPanel::BarPanel(const QString &title, QWidget *parent, int orders_ms)
    : QFrame(parent)
    , m_layout(new QVBoxLayout(this))
    , m_otherwise(plainLabel({}, this))
    , m_orders_ms(orders_ms)
{
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setAccessibleName(title);
    QLabel *head = plainLabel(title, this);
    QFont bold = font();
    bold.setBold(true);
    head->setFont(bold);
    m_otherwise->setForegroundRole(QPalette::PlaceholderText);
    m_otherwise->setWordWrap(true);
    m_layout->addWidget(head);
    m_layout->addWidget(m_otherwise);
    m_layout->addStretch();
}

void BarPanel::say(QList<Bar> bars, const QString &otherwise)
{
    const bool stays = m_orders_ms > 0 && (underMouse() || (m_shown > 0 && !m_ordered.hasExpired(m_orders_ms)));
    if (!stays)
        m_ordered.start();
    if (stays) {
        const auto place = [this](const Bar &bar) { return quint64(m_texts.indexOf(bar.text)); }; // new ones come last
        std::stable_sort(bars.begin(), bars.end(), [&](const Bar &a, const Bar &b) { return place(a) < place(b); });
    }
    bars.resize(std::min(bars.size(), bars_max));
    m_texts.clear();
    for (const Bar &bar : std::as_const(bars))
        m_texts.append(bar.text);
    while (m_lines.size() < bars.size()) {
        m_lines.append(new BarLine(this));
        QSizePolicy policy = m_lines.last()->sizePolicy();
        policy.setRetainSizeWhenHidden(m_lines.size() > 1); // the sentence takes the place of the first
        m_lines.last()->setSizePolicy(policy);
        m_layout->insertWidget(m_layout->count() - 1, m_lines.last());
    }
    for (qsizetype i = 0; i < m_lines.size(); ++i) {
        m_lines[i]->setVisible(i < bars.size());
        if (i < bars.size())
            m_lines[i]->say(bars[i]);
    }
    m_shown = bars.size();
    m_otherwise->setText(otherwise);
    m_otherwise->setVisible(bars.isEmpty());
}

} // namespace junban::ui
