#include "ui/widgets/question.h"

#include "client/apilink.h"
#include "ui/base/look.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>

namespace junban::ui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(Question)
};

// A line for the reason, and what there is to choose above it, between the texts of the box and its buttons.
QLineEdit *addReason(QMessageBox &box, const client::ApiLink &client, QWidget *field)
{
    QLineEdit *reason = makeReasonLine(client, &box);
    auto *grid = qobject_cast<QGridLayout *>(box.layout());
    auto *buttons = box.findChild<QDialogButtonBox *>();
    grid->removeWidget(buttons);
    if (field)
        grid->addWidget(field, grid->rowCount(), 0, 1, grid->columnCount());
    const int row = grid->rowCount();
    grid->addWidget(reason, row, 0, 1, grid->columnCount());
    grid->addWidget(buttons, row + 1, 0, 1, grid->columnCount());
    return reason;
}

} // namespace

QLineEdit *makeReasonLine(const client::ApiLink &client, QWidget *parent)
{
    auto *reason = new QLineEdit(QString::fromUtf8(client.reason()), parent);
    reason->setObjectName(QStringLiteral("reason"));
    reason->setPlaceholderText(Texts::tr("Reason, for the audit (not required)"));
    reason->setAccessibleName(Texts::tr("Reason"));
    reason->setMaxLength(limits::audit_text_bytes_max / 4); // a character has four bytes at most
    return reason;
}

QByteArray reasonIn(const QLineEdit &line)
{
    return line.text().trimmed().toUtf8();
}

void ask(QWidget *window, client::ApiLink &client, const Question &question, std::function<void()> act)
{
    auto *box = new QMessageBox(window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(Texts::tr("Junban"));
    box->setIcon(question.weight == Question::Weight::Normal ? QMessageBox::Question : QMessageBox::Warning);
    box->setTextFormat(Qt::PlainText);
    box->setText(question.title);
    box->setInformativeText(question.details);
    QPushButton *go = box->addButton(question.button, QMessageBox::AcceptRole);
    go->setObjectName(QStringLiteral("go"));
    if (question.weight == Question::Weight::Destroys) {
        QPalette red = go->palette();
        red.setColor(QPalette::ButtonText, Look::red(red));
        go->setPalette(red);
    }
    QPushButton *leave = box->addButton(question.leave.isEmpty() ? Texts::tr("Cancel") : question.leave, QMessageBox::RejectRole);
    box->setDefaultButton(leave);
    box->setEscapeButton(leave);
    QLineEdit *reason = addReason(*box, client, question.field);
    // Not by QMessageBox::setDefaultButton(): that moves the focus there, and the next space would press the button.
    QObject::connect(reason, &QLineEdit::textChanged, box,
        [go, leave](const QString &text) { (text.trimmed().isEmpty() ? leave : go)->setDefault(true); });
    QObject::connect(box, &QMessageBox::finished, window, [box, go, reason, &client, act = std::move(act)] {
        if (box->clickedButton() != go)
            return;
        const client::ApiLink::Because because(client, reasonIn(*reason));
        act();
    });
    box->open();
}

} // namespace junban::ui
