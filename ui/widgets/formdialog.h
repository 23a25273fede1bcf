#pragma once

#include <QDialog>

QT_BEGIN_NAMESPACE
class QDialogButtonBox;
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace junban::ui {

// A form over a window, whose entries the master has to take: what is wrong stands in a line above the buttons, and the form stays open
// until they are taken. It owns itself.
class FormDialog : public QDialog
{
    Q_OBJECT

public:
    // Sends what was filled in.
    QPushButton *go() const { return m_go; }
    // What is wrong, as it is shown; empty when nothing is.
    QString problem() const;

protected:
    explicit FormDialog(QWidget *window);

    // The line and the buttons, to stand below the fields, and to be made after them: the keys go from field to field in the order in which
    // they were made. `verb`: what the button that sends says; `leave`: the other one, if it is not "Do nothing".
    QWidget *makeEnd(const QString &verb, const QString &leave = {});
    virtual void send() = 0;
    // An empty text takes the line away.
    void say(const QString &problem);
    QDialogButtonBox *buttons() const { return m_buttons; }

private:
    QLabel *m_problem = nullptr;
    QDialogButtonBox *m_buttons = nullptr;
    QPushButton *m_go = nullptr;
};

} // namespace junban::ui
