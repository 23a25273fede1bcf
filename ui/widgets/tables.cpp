#include "ui/widgets/tables.h"

#include <QApplication>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QTableView>
#include <algorithm>

namespace junban::ui {

namespace {

constexpr char linesProperty[] = "rowLines";    // of a table
constexpr char compactProperty[] = "compactRows"; // of the application
constexpr int row_px = 26;                      // as long as the text fits

void layOut(QTableView &table)
{
    const int line = table.fontMetrics().height(), lines = table.property(linesProperty).toInt();
    const int compact = line * 3 / 2;
    const int one = qApp->property(compactProperty).toBool() ? compact : std::max(row_px, compact);
    table.verticalHeader()->setDefaultSectionSize(one + (lines - 1) * line);
}

} // namespace

void TintedDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->palette.setBrush(QPalette::HighlightedText, option->palette.brush(QPalette::Text));
}

bool beginSelection(QTableView &table, const QKeyEvent &event)
{
    const bool isDown = event.key() == Qt::Key_Down || event.key() == Qt::Key_J;
    if (!isDown || event.modifiers() != Qt::NoModifier || table.selectionModel()->hasSelection() || table.model()->rowCount() == 0)
        return false;
    table.selectRow(std::max(0, table.currentIndex().row()));
    return true;
}

void setRowLines(QTableView &table, int lines)
{
    table.setProperty(linesProperty, lines);
    layOut(table);
}

void setCompactRows(bool compact)
{
    qApp->setProperty(compactProperty, compact);
    for (QWidget *widget : QApplication::allWidgets()) {
        auto *table = qobject_cast<QTableView *>(widget);
        if (table && table->property(linesProperty).isValid())
            layOut(*table);
    }
}

} // namespace junban::ui
