#include "ui/widgets/flowlayout.h"

#include <QWidget>
#include <algorithm>

namespace junban::ui {

FlowLayout::FlowLayout(QWidget *parent)
    : QLayout(parent)
{
}

FlowLayout::~FlowLayout()
{
    while (QLayoutItem *item = takeAt(0))
        delete item;
}

int FlowLayout::heightForWidth(int width) const
{
    return arrange(QRect(0, 0, width, 0), Do::Measure);
}

QSize FlowLayout::sizeHint() const
{
    int width = 0, height = 0;
    for (const QLayoutItem *item : m_items) {
        width += item->sizeHint().width() + spacing();
        height = std::max(height, item->sizeHint().height());
    }
    const QMargins margins = contentsMargins();
    return {width + margins.left() + margins.right(), height + margins.top() + margins.bottom()};
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const QLayoutItem *item : m_items)
        size = size.expandedTo(item->minimumSize());
    return size.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect &rect)
{
    QLayout::setGeometry(rect);
    arrange(rect, Do::Place);
}

// Returns the height that is needed.
int FlowLayout::arrange(const QRect &rect, Do what) const
{
    const QRect inner = rect.marginsRemoved(contentsMargins());
    int x = inner.left(), y = inner.top(), line = 0;
    for (QLayoutItem *item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize hint = item->sizeHint();
        const int width = std::min(hint.width(), inner.width());
        if (x > inner.left() && x + width > inner.left() + inner.width()) {
            x = inner.left();
            y += line + spacing();
            line = 0;
        }
        if (what == Do::Place)
            item->setGeometry(QRect(x, y, width, hint.height()));
        x += width + spacing();
        line = std::max(line, hint.height());
    }
    return y + line - rect.top() + contentsMargins().bottom();
}

} // namespace junban::ui
