#include "ui/widgets/carryover.h"

#include "ui/widgets/recordlist.h"

#include <QComboBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTabWidget>

namespace junban::ui {

namespace {

// Calls this for each pair of widgets of a kind.
template<typename T, typename Take>
void each(const QWidget &before, const QWidget &now, const Take &take)
{
    const QList<T *> from = before.findChildren<T *>(), to = now.findChildren<T *>();
    for (qsizetype i = 0; from.size() == to.size() && i < to.size(); ++i)
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
    each<QTabWidget>(before, now, [](const QTabWidget &from, QTabWidget &to) { to.setCurrentIndex(from.currentIndex()); });
    each<QComboBox>(before, now, [](const QComboBox &from, QComboBox &to) { to.setCurrentIndex(from.currentIndex()); });
    each<QSplitter>(before, now, [](const QSplitter &from, QSplitter &to) { to.restoreState(from.saveState()); });
    each<RecordList>(before, now, [](const RecordList &from, RecordList &to) { to.follow(from); });
    each<QScrollArea>(before, now, [](const QScrollArea &from, QScrollArea &to) {
        scrollTo(to.verticalScrollBar(), from.verticalScrollBar()->value());
    });
}

} // namespace junban::ui
