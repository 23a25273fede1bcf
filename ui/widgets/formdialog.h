#pragma once

#include "client/apilink.h"

#include <QDialog>

QT_BEGIN_NAMESPACE
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPushButton;
QT_END_NAMESPACE

namespace junban::ui {

// A dialog with a form that is sent to the master. It stays open until the master accepts the form; a line above the buttons says what is
// wrong. It deletes itself when it is closed.
class FormDialog : public QDialog
{
    Q_OBJECT

public:
    // The button that sends the entries.
    QPushButton *go() const { return m_go; }
    // The line for why it is sent; null when the form has none.
    QLineEdit *why() const { return m_why; }
    // The text that says what is wrong; empty when nothing is.
    QString problem() const;

protected:
    explicit FormDialog(QWidget *window);

    // Makes the line and the buttons below the fields. Call it after the fields are made, because Tab visits widgets in the order in which
    // they were made. `verb`: the text of the button that sends; `leave`: that of the other button, empty: "Cancel". With a client
    // there is a line for the reason, too, and send() is called for that reason. The client must outlive the dialog.
    QWidget *makeEnd(const QString &verb, const QString &leave = {}, client::ApiLink *client = nullptr);
    virtual void send() = 0;
    // Requests sent while the returned object exists carry the reason entered in the line.
    client::ApiLink::Because because() const;
    // Shows what is wrong; an empty text hides the line.
    void say(const QString &problem);
    QDialogButtonBox *buttons() const { return m_buttons; }

    // Escape asks first when somebody has written something.
    void keyPressEvent(QKeyEvent *event) override;

private:
    bool isWritten() const;

    QLabel *m_problem = nullptr;
    client::ApiLink *m_link = nullptr;
    QLineEdit *m_why = nullptr;
    QDialogButtonBox *m_buttons = nullptr;
    QPushButton *m_go = nullptr;
};

} // namespace junban::ui
