#include "ui/widgets/question.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace junban::ui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(Question)
};

} // namespace

void ask(QWidget *window, const Question &question, std::function<void()> act)
{
    auto *box = new QMessageBox(window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(Texts::tr("Junban"));
    box->setIcon(question.weight == Question::Weight::Grave ? QMessageBox::Warning : QMessageBox::Question);
    box->setTextFormat(Qt::PlainText);
    box->setText(question.title);
    box->setInformativeText(question.details);
    QPushButton *go = box->addButton(question.button, QMessageBox::AcceptRole);
    go->setObjectName(QStringLiteral("go"));
    QPushButton *leave = box->addButton(Texts::tr("Do nothing"), QMessageBox::RejectRole);
    box->setDefaultButton(leave);
    box->setEscapeButton(leave);
    QObject::connect(box, &QMessageBox::finished, window, [box, go, act = std::move(act)] {
        if (box->clickedButton() == go)
            act();
    });
    box->open();
}

} // namespace junban::ui
