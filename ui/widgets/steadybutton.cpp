#include "ui/widgets/steadybutton.h"

#include <QAction>
#include <algorithm>

namespace junban::ui {

namespace {

constexpr char textsProperty[] = "texts"; // of an action

} // namespace

SteadyButton::SteadyButton(QAction *action, QWidget *parent)
    : QToolButton(parent)
{
    setDefaultAction(action);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
}

QSize SteadyButton::sizeHint() const
{
    QSize size = QToolButton::sizeHint();
    const auto widthOf = [this](const QString &text) { return fontMetrics().size(Qt::TextShowMnemonic, text).width(); };
    const QStringList texts = defaultAction() ? defaultAction()->property(textsProperty).toStringList() : QStringList();
    int widest = size.width();
    for (const QString &each : texts)
        widest = std::max(widest, size.width() + widthOf(each) - widthOf(text()));
    m_widest = std::max(m_widest, widest);
    size.setWidth(m_widest);
    return size;
}

void setTexts(QAction &action, const QStringList &texts)
{
    action.setProperty(textsProperty, texts);
}

} // namespace junban::ui
