#include "ui/widgets/tabrow.h"

#include "ui/widgets/flowlayout.h"

#include <QKeyEvent>
#include <QTabBar>
#include <QToolButton>
#include <algorithm>

namespace junban::ui {

TabRow::TabRow(QTabBar *tabs, QWidget *parent)
    : QWidget(parent)
    , m_tabs(tabs)
    , m_layout(new FlowLayout(this))
{
    const int gap = fontMetrics().height() / 4;
    m_layout->setContentsMargins(gap * 2, gap, gap * 2, gap);
    m_layout->setSpacing(gap);
    for (int tab = 0; tab < tabs->count(); ++tab) {
        auto *button = new QToolButton(this);
        button->setCheckable(true);
        button->setAutoExclusive(true);
        button->setAutoRaise(true);
        button->setIcon(tabs->tabIcon(tab));
        button->setToolTip(tabs->tabToolTip(tab));
        button->setAccessibleName(tabs->accessibleTabName(tab));
        button->setToolButtonStyle(tabs->tabText(tab).isEmpty() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
        connect(button, &QToolButton::clicked, tabs, [tabs, tab] { tabs->setCurrentIndex(tab); });
        m_layout->addWidget(button);
        m_buttons.append(button);
    }
    tabs->hide();
    connect(tabs, &QTabBar::currentChanged, this, &TabRow::refresh);
    refresh();
}

void TabRow::refresh()
{
    for (int tab = 0; tab < m_buttons.size(); ++tab) {
        QToolButton *button = m_buttons[tab];
        button->setText(m_tabs->tabText(tab));
        button->setMinimumWidth(std::max(button->minimumWidth(), button->sizeHint().width()));
        button->setVisible(m_tabs->isTabVisible(tab));
        // Tab reaches the chosen one, and the arrow keys the others.
        button->setFocusPolicy(tab == m_tabs->currentIndex() ? Qt::TabFocus : Qt::NoFocus);
        if (tab == m_tabs->currentIndex())
            button->setChecked(true);
    }
}

// The arrow keys go on in the next line; within a line the buttons move by themselves.
void TabRow::keyPressEvent(QKeyEvent *event)
{
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    int tab = m_tabs->currentIndex() + step;
    while (tab >= 0 && tab < m_buttons.size() && !m_tabs->isTabVisible(tab))
        tab += step;
    if (step == 0 || tab < 0 || tab >= m_buttons.size()) {
        QWidget::keyPressEvent(event);
        return;
    }
    m_tabs->setCurrentIndex(tab);
    m_buttons[tab]->setFocus();
}

void TabRow::setRoomBeside(int room_px)
{
    QMargins margins = m_layout->contentsMargins();
    margins.setRight(margins.left() + room_px);
    m_layout->setContentsMargins(margins);
}

void TabRow::append(QWidget *widget)
{
    m_layout->addWidget(widget);
}

} // namespace junban::ui
