#include "ui/shell/statestrip.h"

#include "ui/base/look.h"
#include "ui/base/palettes.h"
#include "ui/base/text.h"

#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

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
    , m_more(new QToolButton(this))
    , m_rest(new QFrame(this, Qt::Popup))
    , m_restLines(new QVBoxLayout(m_rest))
{
    setAccessibleName(tr("What keeps jobs from running"));
    setAutoFillBackground(true);
    const int gap = fontMetrics().height() / 4;
    m_rest->setFrameShape(QFrame::StyledPanel);
    m_rest->setAccessibleName(tr("More reasons"));
    m_restLines->setContentsMargins(gap, gap, gap, gap);
    m_restLines->setSpacing(gap);
    m_more->setAutoRaise(true);
    m_more->hide();
    connect(m_more, &QToolButton::clicked, this, &StateStrip::openRest);
    QPushButton button(QStringLiteral("x"));
    setFixedHeight(std::max(StateLine().sizeHint().height(), button.sizeHint().height()) + 2 * gap);
    color();
}

void StateStrip::openRest()
{
    m_rest->setMaximumWidth(m_more->screen()->availableGeometry().width());
    m_rest->adjustSize();
    const QPoint right = m_more->mapToGlobal(QPoint(m_more->width(), m_more->height()));
    const int left = m_more->screen()->availableGeometry().left();
    m_rest->move(std::max(left, right.x() - m_rest->width()), right.y());
    m_rest->show();
    if (auto *first = m_rest->findChild<QAbstractButton *>())
        first->setFocus();
}

// Into the strip, or into the list of the rest where there is no place for it.
void StateStrip::placeBox(Shown &shown, const QRect &rect)
{
    QWidget *const parent = rect.isNull() ? m_rest : static_cast<QWidget *>(this);
    if (shown.box->parentWidget() != parent) {
        m_restLines->removeWidget(shown.box);
        shown.box->setParent(parent);
    }
    if (rect.isNull())
        m_restLines->addWidget(shown.box);
    else
        shown.box->setGeometry(rect);
    shown.box->show();
}

void StateStrip::place()
{
    const int gap = fontMetrics().height() / 4;
    int wanted = gap;
    for (const QByteArray &key : std::as_const(m_order))
        wanted += m_shown.value(key)->box->sizeHint().width() + gap;
    m_more->setText(QStringLiteral("+%1").arg(m_order.size()));
    const int more = wanted <= width() ? 0 : m_more->sizeHint().width() + gap;
    const auto isShown = [this](const Shown &shown) { return shown.box->parentWidget() == this && !shown.box->isHidden(); };
    const bool held = (underMouse() || m_rest->isVisible())
        && std::any_of(m_order.begin(), m_order.end(), [&](const QByteArray &key) { return isShown(*m_shown.value(key)); });
    int x = gap;
    bool full = false;
    QStringList rest;
    for (const QByteArray &key : std::as_const(m_order)) {
        Shown &shown = *m_shown.value(key);
        const QSize hint = shown.box->sizeHint();
        const int room = width() - gap - more - x;
        if (held && isShown(shown)) {
            continue;
        } else if (!held && !full && (hint.width() <= room || x == gap)) {
            placeBox(shown, QRect(x, (height() - hint.height()) / 2, std::min(hint.width(), std::max(1, room)), hint.height()));
            x += hint.width() + gap;
        } else {
            full = true; // what is less important does not pass what is more so
            rest.append(shown.line->text());
            placeBox(shown, {});
        }
    }
    m_more->setVisible(!rest.isEmpty());
    m_more->setText(QStringLiteral("+%1").arg(rest.size()));
    m_more->setToolTip(plainTip(rest.join(QLatin1Char('\n'))));
    m_more->setAccessibleName(tr("%Ln more", nullptr, int(rest.size())) + QLatin1Char('\n') + rest.join(QLatin1Char('\n')));
    const QSize button = m_more->sizeHint();
    m_more->setGeometry(width() - gap - button.width(), (height() - button.height()) / 2, button.width(), button.height());
    if (rest.isEmpty())
        m_rest->hide();
}

void StateStrip::leaveEvent(QEvent *event)
{
    QFrame::leaveEvent(event);
    place();
}

void StateStrip::resizeEvent(QResizeEvent *event)
{
    QFrame::resizeEvent(event);
    place();
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
        m_rest->hide();
        if (const auto open = now ? now->item.open : nullptr)
            open();
    });
    shown.action = new QPushButton(shown.box); // also when there is nothing to do now: there may be later
    layout->addWidget(shown.action);
    connect(shown.action, &QPushButton::clicked, this, [this, key = item.key] {
        const std::shared_ptr<Shown> now = m_shown.value(key);
        m_rest->hide();
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
    for (const QByteArray &key : std::as_const(m_order)) {
        if (order.contains(key))
            continue;
        QWidget *gone = m_shown.take(key)->box;
        gone->hide();
        gone->deleteLater();
    }
    for (const StateItem &item : items) {
        std::shared_ptr<Shown> &shown = m_shown[item.key];
        if (!shown)
            shown = std::make_shared<Shown>(make(item));
        shown->item = item;
        shown->line->say(item);
        shown->action->setText(item.action);
        shown->action->setVisible(!item.action.isEmpty());
        shown->box->layout()->activate();
    }
    m_order = order;
    color();
    place();
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
    const bool warns = std::any_of(m_order.begin(), m_order.end(), [this](const QByteArray &key) {
        return key != otherwiseKey && m_shown.value(key)->item.level == StateItem::Level::Warning;
    });
    QPalette wanted = warns ? amberPalette(plain) : plain;
    if (!warns && !text().isEmpty())
        wanted.setColor(QPalette::Window, plain.color(QPalette::Button));
    if (wanted.color(QPalette::Window) == palette().color(QPalette::Window)
        && wanted.color(QPalette::WindowText) == palette().color(QPalette::WindowText))
        return;
    setPalette(wanted);
    m_rest->setPalette(wanted);
}

void StateStrip::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_rest)
        color();
}

} // namespace junban::ui
