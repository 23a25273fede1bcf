#include "ui/widgets/emptystate.h"

#include "ui/base/look.h"
#include "ui/widgets/labels.h"

#include <QClipboard>
#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace junban::ui {

EmptyState::EmptyState(QWidget *parent)
    : QWidget(parent)
    , m_picture(new QLabel(this))
    , m_title(plainLabel({}, this))
    , m_text(plainLabel({}, this))
    , m_codeBox(new QWidget(this))
    , m_code(plainLabel({}, m_codeBox))
    , m_action(new QPushButton(this))
{
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    m_title->setFont(large);
    m_title->setAlignment(Qt::AlignCenter);
    m_title->setWordWrap(true);
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_picture->setAlignment(Qt::AlignCenter);

    m_code->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_code->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_code->setMargin(fontMetrics().height() / 2);
    m_code->setWordWrap(true);
    m_code->setAutoFillBackground(true);
    m_code->setBackgroundRole(QPalette::Base);
    m_code->setFrameShape(QFrame::StyledPanel);
    auto *copy = new QToolButton(m_codeBox);
    copy->setIcon(Look::icon(Icon::Copy));
    copy->setText(tr("Copy"));
    copy->setToolTip(tr("Copy this command"));
    copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    copy->setAccessibleName(tr("Copy the command"));
    connect(copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_code->text()); });
    auto *codeLayout = new QHBoxLayout(m_codeBox);
    codeLayout->setContentsMargins({});
    codeLayout->addStretch();
    codeLayout->addWidget(m_code, 1'000); // up to its own width
    codeLayout->addWidget(copy, 0, Qt::AlignTop);
    codeLayout->addStretch();
    m_codeBox->hide();

    connect(m_action, &QPushButton::clicked, this, &EmptyState::actionTriggered);
    auto *layout = new QVBoxLayout(this);
    const int gap = fontMetrics().height();
    layout->setSpacing(3 * gap / 4);
    layout->setContentsMargins(2 * gap, gap / 2, 2 * gap, gap / 2); // a screen has two, which are to fit into a small window
    layout->addStretch(2);
    layout->addWidget(m_picture);
    layout->addWidget(m_title);
    layout->addWidget(m_text);
    layout->addWidget(m_codeBox);
    layout->addWidget(m_action, 0, Qt::AlignCenter);
    layout->addStretch(3);
}

void EmptyState::say(Icon icon, const QString &title, const QString &text, const QString &action)
{
    const bool newPicture = m_icon != icon || m_picture->pixmap(Qt::ReturnByValue).isNull();
    m_icon = icon;
    m_title->setText(title);
    m_text->setText(text);
    m_text->setVisible(!text.isEmpty());
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    if (newPicture)
        paintPicture();
}

void EmptyState::setCode(const QString &code)
{
    m_code->setText(code);
    m_code->setMaximumWidth(m_code->fontMetrics().size(0, code).width() + 2 * (m_code->margin() + m_code->frameWidth()) + 1);
    m_codeBox->setVisible(!code.isEmpty());
}

QString EmptyState::title() const { return m_title->text(); }
QString EmptyState::text() const { return m_text->text(); }

void EmptyState::paintPicture()
{
    const int side = fontMetrics().height() * 3;
    QPixmap pixmap(QSize(side, side) * devicePixelRatioF());
    pixmap.setDevicePixelRatio(devicePixelRatioF());
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawIcon(painter, m_icon, QRectF(0, 0, side, side), palette().color(QPalette::PlaceholderText));
    m_picture->setPixmap(pixmap);
}

void EmptyState::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_title->text().isEmpty())
        paintPicture();
}

} // namespace junban::ui
