#pragma once

#include "ui/base/palettes.h"

#include <QStyledItemDelegate>

QT_BEGIN_NAMESPACE
class QKeyEvent;
class QTableView;
QT_END_NAMESPACE

namespace junban::ui {

// Gives the text of a selected item its own colour.
class TintedDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

// A view of items that shows a selected row by a tint, so that the colours of its texts and icons stay.
template<class View>
class Tinted : public View
{
public:
    explicit Tinted(QWidget *parent = nullptr) : View(parent) { this->setItemDelegate(new TintedDelegate(this)); }

protected:
    void initViewItemOption(QStyleOptionViewItem *option) const override
    {
        View::initViewItemOption(option);
        option->palette = tintedSelection(option->palette);
    }
};

// Where no row is selected yet, the key that moves down selects the current row, else the first one. Returns whether it did.
bool beginSelection(QTableView &table, const QKeyEvent &event);
// Gives all rows of a table the height that the operator chose, for rows of one line or two, and keeps it up to date.
void setRowLines(QTableView &table, int lines);
// Of all tables, those that are made later, too.
void setCompactRows(bool compact);

} // namespace junban::ui
