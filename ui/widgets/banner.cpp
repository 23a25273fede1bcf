#include "ui/widgets/banner.h"

#include "ui/base/look.h"
#include "ui/base/palettes.h"
#include "ui/widgets/labels.h"

#include <QAccessible>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

namespace junban::ui {

Banner::Banner(const QString &action, QWidget *parent, Tone tone)
    : QFrame(parent)
    , m_tone(tone)
    , m_icon(new QLabel(this))
    , m_text(plainLabel({}, this))
    , m_action(new QPushButton(action, this))
    , m_copy(new QPushButton(tr("Copy details"), this))
{
    setAutoFillBackground(true);
    m_text->setWordWrap(true);
    connect(m_action, &QPushButton::clicked, this, &Banner::actionTriggered);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_details); });
    auto *layout = new QHBoxLayout(this);
    const int gap = fontMetrics().height() / 2;
    layout->setContentsMargins(gap, gap / 2, gap, gap / 2);
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_copy);
    layout->addWidget(m_action);
    m_action->setVisible(!action.isEmpty());
    m_copy->setVisible(!action.isEmpty());
    color();
    hide();
}

void Banner::say(const QString &text, const QString &details)
{
    m_details = details;
    if (m_text->text() == text)
        return;
    m_text->setText(text);
}

QString Banner::text() const { return m_text->text(); }

void Banner::color()
{
    QPalette colored = amberPalette(QGuiApplication::palette());
    if (m_tone == Tone::Danger) {
        colored.setColor(QPalette::Window, QColor::fromRgb(0xb3261e));
        colored.setColor(QPalette::WindowText, QColor::fromRgb(0xffffff));
    }
    if (colored.color(QPalette::Window) != palette().color(QPalette::Window))
        setPalette(colored);
    m_text->setForegroundRole(QPalette::WindowText);
    const int side = fontMetrics().height();
    m_icon->setPixmap(Look::icon(Icon::Warning).pixmap(QSize(side, side), devicePixelRatioF()));
}

void Banner::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_icon)
        color();
}

Toast::Toast(QWidget *window)
    : QFrame(window)
    , m_text(plainLabel({}, this))
    , m_offer(new QPushButton(this))
    , m_timer(new QTimer(this))
    , m_guard(new QWidget(window))
    , m_guarded(new QTimer(this))
{
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::ToolTipBase);
    m_text->setForegroundRole(QPalette::ToolTipText);
    auto *close = new QToolButton(this);
    close->setIcon(Look::icon(Icon::Close));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Close"));
    auto *layout = new QHBoxLayout(this);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_offer);
    layout->addWidget(close);
    m_timer->setSingleShot(true);
    m_timer->setInterval(shown_ms);
    // Not from under the pointer: it may be about to click.
    connect(m_timer, &QTimer::timeout, this, [this] {
        if (underMouse())
            m_timer->start();
        else
            hide();
    });
    m_guard->hide();
    m_guarded->setSingleShot(true);
    m_guarded->setInterval(guarded_ms);
    connect(m_guarded, &QTimer::timeout, m_guard, &QWidget::hide);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_offer, &QPushButton::clicked, this, [this] {
        hide();
        if (m_act)
            std::exchange(m_act, {})();
    });
    window->installEventFilter(this);
    m_offer->hide();
    hide();
}

void Toast::say(const QString &text, const QString &offer, std::function<void()> act)
{
    m_text->setText(text);
    m_act = std::move(act);
    m_offer->setText(offer);
    m_offer->setVisible(!offer.isEmpty());
    setAccessibleName(text);
    adjustSize();
    place();
    show();
    raise();
    m_timer->start();
    QAccessibleEvent announced(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&announced);
}

QString Toast::text() const { return m_text->text(); }

void Toast::place()
{
    const QWidget *window = parentWidget();
    move((window->width() - width()) / 2, window->height() - height()); // over the foot: a list's last rows are to be seen
}

// A click that comes too late must not go to what is beneath.
void Toast::hideEvent(QHideEvent *event)
{
    QFrame::hideEvent(event);
    if (event->spontaneous())
        return; // the whole window goes
    m_guard->setGeometry(geometry());
    m_guard->show();
    m_guard->raise();
    m_guarded->start();
}

bool Toast::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize && isVisible())
        place();
    return QFrame::eventFilter(watched, event);
}

} // namespace junban::ui
