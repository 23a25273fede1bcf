#include "ui/widgets/recordmodel.h"

#include "ui/base/look.h"
#include "ui/base/text.h"

#include <QGuiApplication>
#include <QHash>
#include <QSet>

#include <algorithm>

namespace junban::ui {

RecordModel::RecordModel(QList<RecordColumn> columns, QObject *parent)
    : QAbstractTableModel(parent)
    , m_columns(std::move(columns))
{
}

int RecordModel::rowOf(const QByteArray &key) const
{
    const auto found = std::find_if(m_records.cbegin(), m_records.cend(), [&](const Record &record) { return record.key == key; });
    return found == m_records.cend() ? -1 : int(found - m_records.cbegin());
}

void RecordModel::removeMissing(const QSet<QByteArray> &wanted)
{
    for (int row = int(m_records.size()) - 1; row >= 0; --row) {
        if (wanted.contains(m_records[row].key))
            continue;
        beginRemoveRows({}, row, row);
        m_records.remove(row);
        endRemoveRows();
    }
}

void RecordModel::setRecords(const QList<Record> &records, Order order)
{
    QSet<QByteArray> wanted;
    QList<const Record *> target;
    for (const Record &record : records) {
        if (!wanted.contains(record.key))
            target.append(&record);
        wanted.insert(record.key);
    }
    removeMissing(wanted);
    if (order == Order::Held) {
        QHash<QByteArray, qsizetype> places;
        for (const Record &record : std::as_const(m_records))
            places.insert(record.key, places.size());
        std::stable_sort(target.begin(), target.end(), [&places](const Record *a, const Record *b) {
            return places.value(a->key, places.size()) < places.value(b->key, places.size());
        });
    }
    for (int at = 0; at < target.size(); ++at) {
        const int now = at < m_records.size() && m_records[at].key == target[at]->key ? at : rowOf(target[at]->key);
        if (now < 0) {
            beginInsertRows({}, at, at);
            m_records.insert(at, *target[at]);
            endInsertRows();
            continue;
        }
        if (now != at) {
            beginMoveRows({}, now, now, {}, at);
            m_records.move(now, at);
            endMoveRows();
        }
        m_records[at] = *target[at];
    }
    if (!m_records.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(int(m_records.size()) - 1, int(m_columns.size()) - 1));
}

int RecordModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_records.size());
}

int RecordModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

QVariant RecordModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_records.size())
        return {};
    const Record &record = m_records[index.row()];
    if (role == KeyRole)
        return record.key;
    if (index.column() >= record.cells.size())
        return {};
    const Cell &cell = record.cells[index.column()];
    const QPalette palette = QGuiApplication::palette();
    switch (role) {
    case Qt::DisplayRole: return cell.trend.isEmpty() ? cell.text : QString();
    case Qt::AccessibleTextRole:
        return m_columns[index.column()].title + QStringLiteral(": ") + cell.text
            + (cell.below.isEmpty() ? QString() : QStringLiteral(", ") + cell.below);
    case Qt::DecorationRole: return cell.icon.isNull() ? QVariant() : QVariant(cell.icon);
    case Qt::ToolTipRole: return plainTip(cell.tip.isEmpty() ? cell.text : cell.tip);
    case BelowRole: return cell.below.isEmpty() ? QVariant() : QVariant(cell.below);
    case MeterRole: return cell.meter ? QVariant(*cell.meter) : QVariant();
    case TrendRole: return cell.trend.isEmpty() ? QVariant() : QVariant::fromValue(cell.trend);
    case Qt::TextAlignmentRole:
        return int((m_columns[index.column()].side == RecordColumn::Side::Right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        switch (cell.tone) {
        case Tone::Plain: return {};
        case Tone::Faint: return palette.color(QPalette::PlaceholderText);
        case Tone::Good: return Look::green(palette);
        case Tone::Amber: return Look::amber(palette);
        case Tone::Bad: return Look::red(palette);
        }
        return {};
    default: return {};
    }
}

QVariant RecordModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= m_columns.size())
        return {};
    const RecordColumn &column = m_columns[section];
    switch (role) {
    // The blank keeps a title on the right from the next one on the left.
    case Qt::DisplayRole: return column.side == RecordColumn::Side::Right ? column.title + QChar(0x2002) : column.title;
    case Qt::ToolTipRole: return plainTip(column.tip);
    case Qt::InitialSortOrderRole: return int(column.sort == RecordColumn::Sort::Down ? Qt::DescendingOrder : Qt::AscendingOrder);
    case Qt::TextAlignmentRole:
        return int((column.side == RecordColumn::Side::Right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default: return {};
    }
}

} // namespace junban::ui
