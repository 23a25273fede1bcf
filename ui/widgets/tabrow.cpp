#include "ui/widgets/tabrow.h"

#include "ui/widgets/flowlayout.h"

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
        if (tab == m_tabs->currentIndex())
            button->setChecked(true);
    }
}

void TabRow::append(QWidget *widget)
{
    m_layout->addWidget(widget);
}

} // namespace junban::ui
