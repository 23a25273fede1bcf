#pragma once

#include "core/access/token.h"

#include <QDialog>

QT_BEGIN_NAMESPACE
class QLineEdit;
class QPushButton;
QT_END_NAMESPACE

namespace junban::ui {

// Shows the text of a token that was made: this once. Only its button closes it; Escape and the window's cross do not.
class MadeTokenDialog : public QDialog
{
    Q_OBJECT

public:
    // ByThisWindow: the window calls with it from now on.
    enum class Use { Elsewhere, ByThisWindow };
    MadeTokenDialog(const CreatedToken &token, Use use, QWidget *window);

    QLineEdit *text() const { return m_text; }
    QPushButton *copy() const { return m_copy; }
    QPushButton *saved() const { return m_saved; }

    void reject() override;

private:
    QLineEdit *m_text;
    QPushButton *m_copy;
    QPushButton *m_saved;
};

} // namespace junban::ui
