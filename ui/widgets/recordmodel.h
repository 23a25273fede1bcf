#pragma once

#include "core/jobs/job.h"

#include <QAbstractTableModel>
#include <QIcon>
#include <optional>

namespace junban::ui {

// How a cell's text is meant. The palette decides how that looks.
enum class Tone { Plain, Faint, Good, Amber, Bad };

struct Cell {
    QString text = {};
    QString tip = {};           // plain text
    QIcon icon = {};
    Tone tone = Tone::Plain;
    QList<double> trend = {};   // drawn as a line instead of a text; `text` is read out
    std::optional<double> meter = {}; // how much of a limit is taken, 0 to 1: a bar below the text
    QString below = {};         // a second line, in which case the first one is bold
};

// One row: its cells, and a key that stays the same for as long as the row is about the same thing.
struct Record {
    QByteArray key;
    QList<Cell> cells;
};

struct RecordColumn {
    QString title;
    int characters = 12;        // its width at first
    enum class Side { Left, Right } side = Side::Left;
    QString tip = {};
    enum class Sort { None, Up, Down } sort = Sort::None; // whether a click on its header sorts, and how the first one does
    bool whole = false;         // a text that is not cut: a time, a word; numbers, which stand on the right, never are
    bool spare = false;         // left out where the table is too narrow to show all columns well
    bool extra = false;         // shown when the operator chooses it only
    bool rest = false;          // takes the width that the others leave, instead of the first
    int read = 0;               // how many characters of it are to be read before spare columns are shown, if more than of others
};

// The rows of a page's table. Rows are inserted, removed and moved by their keys, so that the same record stays selected.
class RecordModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Role { KeyRole = Qt::UserRole, TrendRole, BelowRole, MeterRole };

    explicit RecordModel(QList<RecordColumn> columns, QObject *parent = nullptr);

    // Each record has a cell for every column. Of several records with the same key, only the first is shown. Order::Held: rows that are
    // there already stay in their order, and new ones come below them.
    enum class Order { Given, Held };
    void setRecords(const QList<Record> &records, Order order = Order::Given);
    const QList<RecordColumn> &columns() const { return m_columns; }
    QByteArray keyAt(int row) const { return m_records.value(row).key; }
    int rowOf(const QByteArray &key) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void removeMissing(const QSet<QByteArray> &wanted);

    QList<RecordColumn> m_columns;
    QList<Record> m_records;
};

} // namespace junban::ui
