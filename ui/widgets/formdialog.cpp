#include "ui/widgets/formdialog.h"

#include "ui/base/look.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/question.h"

#include <QDialogButtonBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>

namespace junban::ui {

FormDialog::FormDialog(QWidget *window)
    : QDialog(window)
{
    setAttribute(Qt::WA_DeleteOnClose);
}

QWidget *FormDialog::makeEnd(const QString &verb, const QString &leave, client::ApiLink *client)
{
    auto *box = new QWidget(this);
    m_problem = plainLabel({}, box);
    m_problem->setWordWrap(true);
    QPalette red = palette();
    red.setColor(QPalette::WindowText, Look::red(palette()));
    m_problem->setPalette(red);
    QSizePolicy stays = m_problem->sizePolicy();
    stays.setRetainSizeWhenHidden(true); // so that no button moves when something is wrong
    m_problem->setSizePolicy(stays);
    m_problem->setMinimumHeight(m_problem->fontMetrics().lineSpacing());
    m_problem->hide();
    m_link = client;
    if (client)
        m_why = makeReasonLine(*client, box);
    m_buttons = new QDialogButtonBox(box);
    m_go = m_buttons->addButton(verb, QDialogButtonBox::AcceptRole);
    m_buttons->addButton(leave.isEmpty() ? tr("Cancel") : leave, QDialogButtonBox::RejectRole);
    connect(m_buttons, &QDialogButtonBox::accepted, this, [this] {
        if (!m_why) {
            send();
            return;
        }
        const client::ApiLink::Because reason = because();
        send();
    });
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(box);
    layout->setContentsMargins({});
    layout->addWidget(m_problem);
    if (m_why)
        layout->addWidget(m_why);
    layout->addWidget(m_buttons);
    // What was wrong may be mended now.
    for (QLineEdit *field : findChildren<QLineEdit *>())
        connect(field, &QLineEdit::textChanged, this, [this] { say({}); });
    for (QPlainTextEdit *field : findChildren<QPlainTextEdit *>())
        connect(field, &QPlainTextEdit::textChanged, this, [this] { say({}); });
    return box;
}

client::ApiLink::Because FormDialog::because() const
{
    return {*m_link, reasonIn(*m_why)};
}

bool FormDialog::isWritten() const
{
    const QList<QLineEdit *> lines = findChildren<QLineEdit *>();
    const QList<QPlainTextEdit *> texts = findChildren<QPlainTextEdit *>();
    return std::any_of(lines.begin(), lines.end(), [](const QLineEdit *line) { return line->isModified() && !line->text().isEmpty(); })
        || std::any_of(texts.begin(), texts.end(), [](const QPlainTextEdit *text) { return text->document()->isModified(); });
}

void FormDialog::keyPressEvent(QKeyEvent *event)
{
    if (!event->matches(QKeySequence::Cancel) || !isWritten()) {
        QDialog::keyPressEvent(event);
        return;
    }
    auto *box = new QMessageBox(QMessageBox::Question, windowTitle(), tr("Discard your changes?"), QMessageBox::NoButton, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton *leave = box->addButton(tr("Discard"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(tr("Keep editing"), QMessageBox::RejectRole));
    connect(leave, &QPushButton::clicked, this, &QDialog::reject);
    box->open();
}

QString FormDialog::problem() const
{
    return m_problem->text();
}

void FormDialog::say(const QString &problem)
{
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    if (problem.isEmpty() || !isVisible() || !layout())
        return;
    layout()->activate();
    const int needed = layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width()) : layout()->totalMinimumSize().height();
    if (needed > height()) // a long text has several lines
        resize(width(), std::min(needed, screen()->availableGeometry().height()));
}

} // namespace junban::ui
