#pragma once

#include <QWidget>

QT_BEGIN_NAMESPACE
class QTabBar;
class QToolButton;
QT_END_NAMESPACE

namespace junban::ui {

class FlowLayout;

// The tabs of a bar as buttons, in as many lines as they need. The bar itself, which would cut them off in a narrow pane, is hidden.
class TabRow : public QWidget
{
    Q_OBJECT

public:
    // All tabs must be there already.
    explicit TabRow(QTabBar *tabs, QWidget *parent = nullptr);

    // Takes over which tabs are visible and what they are called. A tab stays as wide as it was, so that none goes to another line when a
    // number in it changes.
    void refresh();
    // Puts a widget behind the tabs.
    void append(QWidget *widget);
    // Leaves so much room free at the right.
    void setRoomBeside(int room_px);
    QToolButton *button(int tab) const { return m_buttons[tab]; }

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    QTabBar *m_tabs;
    FlowLayout *m_layout;
    QList<QToolButton *> m_buttons;
};

} // namespace junban::ui
