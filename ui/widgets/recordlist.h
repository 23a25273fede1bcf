#pragma once

#include "ui/base/preferences.h"
#include "ui/widgets/recordmodel.h"
#include "ui/widgets/tables.h"

#include <QTableView>
#include <QTimer>

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
class QStackedLayout;
QT_END_NAMESPACE

namespace junban::ui {

class EmptyState;

// A table of records, one of which can be chosen: with the mouse, the arrows, or J and K. Enter opens it. Where several can be chosen, Ctrl
// and Shift add rows, and Ctrl+A chooses all.
class RecordTable : public Tinted<QTableView>
{
    Q_OBJECT

public:
    explicit RecordTable(RecordModel *model, QWidget *parent = nullptr);

    // The record that is selected, of several the first one; empty when none is.
    QByteArray chosen() const;
    // All that are selected, in the order of the rows.
    QByteArrayList allChosen() const;
    void allowSeveral();
    void choose(const QByteArray &key);
    // By which column the records are to be sorted: one that can be.
    void setSort(int column, Qt::SortOrder order);
    int sortColumn() const { return m_sortColumn; }
    Qt::SortOrder sortOrder() const { return m_sortOrder; }
    // Whether somebody points at a row or has chosen one, so that no row may move.
    bool isHeld() const { return viewport()->underMouse() || !chosen().isEmpty(); }
    // Restores the columns as the operator left them, and keeps what is changed from now on.
    void remember(Preferences &preferences, const QString &key);
    // Shows texts in full: rows are as high as they need, and the last column takes the width that is left. For few rows only.
    void wrap();
    // Widens columns where these records need it: for numbers and whole texts always, for other texts where there is room left.
    void makeRoom(const QList<Record> &records);
    void keyboardSearch(const QString &) override {} // letters are shortcuts in this table

Q_SIGNALS:
    void columnsChosen(); // the operator shows or hides one
    void chosenChanged(const QByteArray &key);
    void openRequested(const QByteArray &key);
    void sortChanged(); // by a click on a header

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void rowsAboutToBeRemoved(const QModelIndex &parent, int start, int end) override;
    void selectionChanged(const QItemSelection &selected, const QItemSelection &deselected) override;

private:
    void enableSorting(const QList<RecordColumn> &columns);
    void fit();
    void leaveOut();
    void openColumns(const QPoint &at);
    void keepRest();
    void giveTheRest(int rest);
    int leastOf(int column, int characters) const;
    static int restOf(const QList<RecordColumn> &columns);
    int leastOfRest() const;

    const int m_rest;       // the column that takes the width that the others leave
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    QHash<int, int> m_numbers; // the widths that columns with numbers and whole texts need
    QHash<int, int> m_texts;   // the widths that texts would need, so that none is cut
    int m_below = 0;           // the width that the second lines of the first column need
    bool m_fits = true;     // the columns follow the table's width, until the operator changes one
    bool m_fitting = false;
    bool m_wraps = false;
};

// A page's table, an empty state in its place while it has no rows, and a line below that says how many there are.
class RecordList : public QWidget
{
    Q_OBJECT

public:
    // `accessibleName`: says what the rows are.
    RecordList(QList<RecordColumn> columns, const QString &accessibleName, QWidget *parent = nullptr);

    void setRecords(const QList<Record> &records, RecordModel::Order order = RecordModel::Order::Given);
    // Shown while there are no records.
    EmptyState *empty() const { return m_empty; }
    bool showsEmpty() const;
    // An empty text hides the line. `more`: whether there is a button that loads more.
    enum class More { None, Offered, Loading };
    // `word`: the button's text; empty: “Load more”.
    void setFoot(const QString &text, More more = More::None, const QString &word = {});

    RecordModel *model() const { return m_model; }
    RecordTable *table() const { return m_table; }

Q_SIGNALS:
    void moreRequested();

private:
    RecordModel *m_model;
    RecordTable *m_table;
    EmptyState *m_empty;
    QStackedLayout *m_stack;
    QWidget *m_footBox;
    QLabel *m_foot;
    QPushButton *m_more;
};

} // namespace junban::ui
