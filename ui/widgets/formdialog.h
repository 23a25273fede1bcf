#pragma once

#include <QDialog>

QT_BEGIN_NAMESPACE
class QDialogButtonBox;
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace junban::ui {

// A form over a window that sends its entries to the master. It stays open until the master takes them; what is wrong stands in a line
// above the buttons. It owns itself.
class FormDialog : public QDialog
{
    Q_OBJECT

public:
    // The button that sends the entries.
    QPushButton *go() const { return m_go; }
    // What is wrong, as it is shown; empty when nothing is.
    QString problem() const;

protected:
    explicit FormDialog(QWidget *window);

    // Makes the line and the buttons, which stand below the fields. Called after the fields are made, because Tab visits widgets in the
    // order in which they were made. `verb`: the text of the button that sends; `leave`: that of the other one, empty: "Do nothing".
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
