#include "ui/shell/startfailure.h"

#include "core/base/clock.h"
#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/widgets/labels.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace junban::ui {

StartFailure::StartFailure(const Reason &why, const QString &listen, const QString &redis, QWidget *parent)
    : QDialog(parent)
    , m_why(plainLabel(reasonText(why), this))
    , m_tried(plainLabel({}, this))
    , m_listen(new QLineEdit(listen, this))
    , m_redis(new QLineEdit(redis, this))
{
    setWindowTitle(tr("Junban"));
    const int line = fontMetrics().height();
    auto *icon = new QLabel(this);
    icon->setPixmap(Look::icon(Icon::Warning).pixmap(QSize(line * 2, line * 2), devicePixelRatioF()));
    QLabel *title = plainLabel(tr("The master does not run"), this);
    QFont bold = font();
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() * 1.3);
    title->setFont(bold);
    auto *head = new QHBoxLayout;
    head->setSpacing(line);
    head->addWidget(icon);
    head->addWidget(title, 1);
    m_why->setWordWrap(true);
    m_why->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_tried->hide();
    m_redis->setPlaceholderText(tr("the embedded Redis"));
    auto *form = new QFormLayout;
    form->addRow(tr("&Listen at"), m_listen);
    form->addRow(tr("&Redis"), m_redis);
    auto *buttons = new QDialogButtonBox(this);
    m_again = buttons->addButton(tr("Try &again"), QDialogButtonBox::AcceptRole);
    buttons->addButton(tr("&Quit"), QDialogButtonBox::RejectRole);
    m_again->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        m_again->setEnabled(false);
        Q_EMIT retryRequested(m_listen->text().simplified(), m_redis->text().trimmed());
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &StartFailure::reject);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(line);
    layout->addLayout(head);
    layout->addWidget(m_why);
    layout->addWidget(m_tried);
    layout->addLayout(form);
    layout->addWidget(buttons);
    resize(characterWidth(fontMetrics()) * 80, sizeHint().height());
}

void StartFailure::sayTried(const Format &format)
{
    m_tried->setText(tr("Tried again at %1, without success.").arg(format.time(Clock::machine_ms())));
    m_tried->show();
}

QString StartFailure::tried() const { return m_tried->text(); }

QString StartFailure::why() const { return m_why->text(); }

void StartFailure::reject()
{
    Q_EMIT quitRequested();
}

} // namespace junban::ui
