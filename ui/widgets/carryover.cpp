#include "ui/widgets/carryover.h"

#include "ui/widgets/recordlist.h"

#include <QComboBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabWidget>
#include <algorithm>
#include <utility>

namespace junban::ui {

namespace {

// Appends all that is inside a widget, dialogs aside. The pages of a stack are taken by their index, because a stack makes the page that it
// shows its last child.
void gather(const QWidget &widget, QList<QWidget *> &found)
{
    QList<QWidget *> inside;
    if (const auto *stack = qobject_cast<const QStackedLayout *>(widget.layout())) {
        for (int i = 0; i < stack->count(); ++i)
            inside.append(stack->widget(i));
    } else {
        inside = widget.findChildren<QWidget *>(Qt::FindDirectChildrenOnly);
    }
    for (QWidget *one : std::as_const(inside)) {
        if (one->isWindow())
            continue;
        found.append(one);
        gather(*one, found);
    }
}

template<typename T>
QList<T *> only(const QList<QWidget *> &widgets)
{
    QList<T *> kind;
    for (QWidget *widget : widgets) {
        if (T *one = qobject_cast<T *>(widget))
            kind.append(one);
    }
    return kind;
}

// Calls this for each pair of widgets of a kind.
template<typename T, typename Take>
void each(const QList<QWidget *> &before, const QList<QWidget *> &now, const Take &take)
{
    const QList<T *> from = only<T>(before), to = only<T>(now);
    Q_ASSERT(from.size() == to.size());
    for (qsizetype i = 0; i < std::min(from.size(), to.size()); ++i)
        take(*from[i], *to[i]);
}

// What is scrolled is not as long yet as it will be.
void scrollTo(QScrollBar *bar, int value)
{
    bar->setValue(value);
    if (bar->value() != value)
        QObject::connect(bar, &QScrollBar::rangeChanged, bar, [bar, value] { bar->setValue(value); }, Qt::SingleShotConnection);
}

} // namespace

void carryOver(const QWidget &before, QWidget &now)
{
    QList<QWidget *> from, to;
    gather(before, from);
    gather(now, to);
    each<QTabWidget>(from, to, [](const QTabWidget &was, QTabWidget &is) { is.setCurrentIndex(was.currentIndex()); });
    each<QComboBox>(from, to, [](const QComboBox &was, QComboBox &is) { is.setCurrentIndex(was.currentIndex()); });
    each<QSplitter>(from, to, [](const QSplitter &was, QSplitter &is) { is.restoreState(was.saveState()); });
    each<RecordList>(from, to, [](const RecordList &was, RecordList &is) { is.follow(was); });
    each<QScrollArea>(from, to, [](const QScrollArea &was, QScrollArea &is) {
        scrollTo(is.verticalScrollBar(), was.verticalScrollBar()->value());
    });
}

} // namespace junban::ui
