#pragma once

#include <QToolButton>

namespace junban::ui {

// A button for an action. It keeps its width whichever of the action's texts it shows, so that the buttons beside it keep their places.
class SteadyButton : public QToolButton
{
public:
    SteadyButton(QAction *action, QWidget *parent);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

private:
    mutable int m_widest = 0; // what it wanted so far
};

// All texts that an action may have. To be called before its buttons are made.
void setTexts(QAction &action, const QStringList &texts);

} // namespace junban::ui
