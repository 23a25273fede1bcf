#include "ui/shell/statestrip.h"

#include "ui/base/look.h"
#include "ui/base/palettes.h"
#include "ui/base/text.h"
#include "ui/widgets/flowlayout.h"

#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>

namespace junban::ui {

namespace {

const QByteArray otherwiseKey = "otherwise"; // of the line that says that there are no items

} // namespace

StateLine::StateLine(QWidget *parent)
    : QAbstractButton(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void StateLine::say(const StateItem &item)
{
    m_icon = item.icon;
    m_opens = item.open != nullptr;
    setCursor(m_opens ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setFocusPolicy(m_opens ? Qt::StrongFocus : Qt::NoFocus);
    setToolTip(plainTip(item.tip.isEmpty() ? item.text : item.tip));
    if (text() != item.text) {
        setText(item.text);
        setAccessibleName(item.text);
        updateGeometry();
    }
    update();
}

QSize StateLine::sizeHint() const
{
    const int line = fontMetrics().height();
    return {fontMetrics().horizontalAdvance(text()) + line * 2 + line / 2, line + line / 2};
}

QSize StateLine::minimumSizeHint() const
{
    return {fontMetrics().height() * 6, sizeHint().height()};
}

void StateLine::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int line = fontMetrics().height();
    const QColor ink = palette().color(QPalette::WindowText);
    if (m_opens && (underMouse() || hasFocus())) {
        painter.setPen(QPen(ink, 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), line / 4.0, line / 4.0);
    }
    drawIcon(painter, m_icon, QRectF(line * 0.3, (height() - line * 0.9) / 2, line * 0.9, line * 0.9), ink);
    painter.setPen(ink);
    const QRect room = rect().adjusted(line + line / 2, 0, -line / 2, 0);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(text(), Qt::ElideRight, room.width()));
}

StateStrip::StateStrip(QWidget *parent)
    : QFrame(parent)
    , m_layout(new FlowLayout(this))
{
    setAccessibleName(tr("What keeps jobs from running"));
    const int gap = fontMetrics().height() / 4;
    m_layout->setContentsMargins(gap, gap, gap, gap);
    m_layout->setSpacing(gap);
    m_settles.setSingleShot(true);
    m_settles.setInterval(settles_ms);
    connect(&m_settles, &QTimer::timeout, this, [this] {
        if (isPointing())
            m_settles.start(still_ms);
        else
            settle();
    });
    m_grows.setSingleShot(true);
    m_grows.setInterval(still_ms / 5);
    connect(&m_grows, &QTimer::timeout, this, &StateStrip::grow);
    qApp->installEventFilter(this);
    QPushButton button(QStringLiteral("x"));
    m_line = std::max(StateLine().sizeHint().height(), button.sizeHint().height()) + 2 * gap;
    setFixedHeight(m_line);
    color();
}

bool StateStrip::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonPress || event->type() == QEvent::Wheel)
        m_pointed.start();
    return QFrame::eventFilter(watched, event);
}

bool StateStrip::isPointing() const
{
    return m_pointed.isValid() && m_pointed.elapsed() < still_ms;
}

void StateStrip::settle()
{
    m_settles.stop();
    m_grows.stop();
    m_waiting.invalidate();
    setFixedHeight(neededHeight());
}

int StateStrip::neededHeight() const
{
    return std::max(m_line, m_layout->heightForWidth(width()));
}

// What stands below must not jump with each reason that goes, so the strip stays as high as it was for a while.
void StateStrip::keepHeight()
{
    const int needed = neededHeight();
    if (needed < height() && isVisible())
        return;
    if (needed > height() && isVisible()) {
        if (!m_waiting.isValid())
            m_waiting.start();
        grow();
        return;
    }
    settle();
    m_settles.start();
}

void StateStrip::grow()
{
    if (isPointing() && m_waiting.isValid() && m_waiting.elapsed() < pointing_max_ms) {
        m_grows.start();
        return;
    }
    if (neededHeight() > height())
        settle();
    m_waiting.invalidate();
    m_settles.start();
}

// Only as high as there is something to say: the rest that is kept is no reason.
void StateStrip::paintEvent(QPaintEvent *)
{
    if (!m_order.isEmpty())
        QPainter(this).fillRect(QRect(0, 0, width(), neededHeight()), palette().window());
}

void StateStrip::resizeEvent(QResizeEvent *event)
{
    QFrame::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        settle();
}

StateStrip::Shown StateStrip::make(const StateItem &item)
{
    Shown shown;
    shown.box = new QWidget(this);
    auto *layout = new QHBoxLayout(shown.box);
    layout->setContentsMargins({});
    shown.line = new StateLine(shown.box);
    layout->addWidget(shown.line, 1);
    connect(shown.line, &QAbstractButton::clicked, this, [this, key = item.key] {
        const std::shared_ptr<Shown> now = m_shown.value(key);
        if (const auto open = now ? now->item.open : nullptr)
            open();
    });
    shown.action = new QPushButton(shown.box); // also when there is nothing to do now: there may be later
    layout->addWidget(shown.action);
    connect(shown.action, &QPushButton::clicked, this, [this, key = item.key] {
        const std::shared_ptr<Shown> now = m_shown.value(key);
        if (const auto act = now ? now->item.act : nullptr)
            act();
    });
    return shown;
}

void StateStrip::say(QList<StateItem> items, const QString &otherwise)
{
    if (items.isEmpty() && !otherwise.isEmpty())
        items.append({.key = otherwiseKey, .icon = Icon::Check, .text = otherwise});
    QList<QByteArray> order;
    for (const StateItem &item : items)
        order.append(item.key);
    if (order != m_order) {
        while (QLayoutItem *item = m_layout->takeAt(0))
            delete item;
        for (const QByteArray &key : std::as_const(m_order)) {
            if (!order.contains(key))
                m_shown.take(key)->box->deleteLater();
        }
    }
    for (const StateItem &item : items) {
        std::shared_ptr<Shown> &shown = m_shown[item.key];
        if (!shown)
            shown = std::make_shared<Shown>(make(item));
        shown->item = item;
        shown->line->say(item);
        shown->action->setText(item.action);
        shown->action->setVisible(!item.action.isEmpty());
        if (order != m_order) {
            m_layout->addWidget(shown->box);
            shown->box->show();
        }
    }
    m_order = order;
    color();
    m_layout->invalidate();
    update();
    keepHeight();
}

QString StateStrip::text() const
{
    QStringList lines;
    for (const QByteArray &key : m_order) {
        if (key != otherwiseKey)
            lines.append(m_shown.value(key)->line->text());
    }
    return lines.join(QLatin1Char('\n'));
}

StateLine *StateStrip::line(const QByteArray &key) const
{
    const std::shared_ptr<Shown> shown = m_shown.value(key);
    return shown ? shown->line : nullptr;
}

QPushButton *StateStrip::action(const QByteArray &key) const
{
    const std::shared_ptr<Shown> shown = m_shown.value(key);
    return shown ? shown->action : nullptr;
}

void StateStrip::color()
{
    const QPalette plain = QGuiApplication::palette();
    const QPalette wanted = text().isEmpty() ? plain : amberPalette(plain);
    if (wanted.color(QPalette::Window) != palette().color(QPalette::Window)
        || wanted.color(QPalette::WindowText) != palette().color(QPalette::WindowText))
        setPalette(wanted);
}

void StateStrip::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_layout)
        color();
}

} // namespace junban::ui
