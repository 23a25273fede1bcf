#include "ui/widgets/flowlayout.h"

#include <QWidget>
#include <algorithm>

namespace junban::ui {

FlowLayout::FlowLayout(QWidget *parent, Widths widths)
    : QLayout(parent)
    , m_widths(widths)
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

// The width of each item when all are as wide, and no line has many fewer than another.
int FlowLayout::evenWidth(int room) const
{
    int widest = 1;
    for (const QLayoutItem *item : m_items)
        widest = std::max(widest, item->minimumSize().width());
    const int items = std::max(1, count()), fit = std::clamp((room + spacing()) / (widest + spacing()), 1, items);
    const int lines = (items + fit - 1) / fit, columns = (items + lines - 1) / lines;
    return (room + spacing()) / columns - spacing();
}

// Returns the height that is needed.
int FlowLayout::arrange(const QRect &rect, Do what) const
{
    const QRect inner = rect.marginsRemoved(contentsMargins());
    const int even = m_widths == Widths::Even ? evenWidth(inner.width()) : 0;
    int x = inner.left(), y = inner.top(), line = 0;
    QList<QPair<QLayoutItem *, QRect>> together; // of the line
    const auto endLine = [&] {
        for (const auto &[item, place] : std::as_const(together)) {
            if (what == Do::Place)
                item->setGeometry(place.translated(0, (line - place.height()) / 2));
        }
        together.clear();
    };
    for (QLayoutItem *item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize hint = item->sizeHint();
        const int width = even > 0 ? even : std::min(hint.width(), inner.width());
        if (x > inner.left() && x + width > inner.left() + inner.width()) {
            endLine();
            x = inner.left();
            y += line + spacing();
            line = 0;
        }
        together.append({item, QRect(x, y, width, hint.height())});
        x += width + spacing();
        line = std::max(line, hint.height());
    }
    endLine();
    return y + line - rect.top() + contentsMargins().bottom();
}

} // namespace junban::ui
