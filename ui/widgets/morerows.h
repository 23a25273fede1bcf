#pragma once

#include <QHash>
#include <QToolButton>
#include <QVariant>

QT_BEGIN_NAMESPACE
class QFormLayout;
QT_END_NAMESPACE

namespace junban::ui {

// A button "More" in a form, which shows and hides the rows below it: those that are rarely filled in.
class MoreRows : public QToolButton
{
    Q_OBJECT

public:
    // Adds the button as the next row of the form, which must have a parent widget.
    explicit MoreRows(QFormLayout *form);

    // Hides the rows below, and the button if there are none. Call it once, when the rows are complete and have their default values.
    void fold();
    // Shows the rows if one of them has another value than the default, so that nothing that counts is hidden.
    void showFilled();

private:
    void setOpen(bool open);

    QFormLayout *m_form;
    int m_row;
    QHash<QWidget *, QVariant> m_defaults; // by the widget that is filled in
};

} // namespace junban::ui
