#include "ui/overview/namesmodel.h"

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/limits/filterbar.h"

#include <QGuiApplication>

namespace junban::ui {

NamesModel::NamesModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void NamesModel::setRows(const QList<NameRow> &rows, bool complete)
{
    m_complete = complete;
    // Both lists are in the same order, so names that are gone are removed, new ones inserted, and the others updated.
    qsizetype at = 0;
    for (const NameRow &row : rows) {
        const auto found = std::find_if(m_rows.cbegin() + at, m_rows.cend(), [&](const auto &own) { return own.name == row.name; });
        if (found == m_rows.cend()) {
            beginInsertRows({}, int(at), int(at));
            m_rows.insert(at, row);
            endInsertRows();
        } else {
            const qsizetype there = found - m_rows.cbegin();
            if (there > at) {
                beginRemoveRows({}, int(at), int(there) - 1);
                m_rows.remove(at, there - at);
                endRemoveRows();
            }
            m_rows[at] = row;
        }
        ++at;
    }
    if (at < m_rows.size()) {
        beginRemoveRows({}, int(at), int(m_rows.size()) - 1);
        m_rows.remove(at, m_rows.size() - at);
        endRemoveRows();
    }
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(int(m_rows.size()) - 1, columns - 1));
}

void NamesModel::setFormat(const Format &format)
{
    m_format = format;
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(int(m_rows.size()) - 1, columns - 1));
}

void NamesModel::setPauses(const QList<Pause> &pauses)
{
    const auto same = [](const Pause &a, const Pause &b) { return a.id == b.id && a.match == b.match && a.reason == b.reason; };
    if (std::equal(pauses.begin(), pauses.end(), m_pauses.begin(), m_pauses.end(), same))
        return;
    m_pauses = pauses;
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0, Name), index(int(m_rows.size()) - 1, Name));
}

QByteArray NamesModel::expressionOf(const QByteArray &name)
{
    return "job.name == " + quotedText(name);
}

const Pause *NamesModel::pauseOf(const QByteArray &name) const
{
    const QByteArray its = expressionOf(name);
    const auto found = std::find_if(m_pauses.begin(), m_pauses.end(), [&](const Pause &pause) { return pause.match == its; });
    return found == m_pauses.end() ? nullptr : &*found;
}

// Also one of all jobs.
const Pause *NamesModel::pausing(const QByteArray &name) const
{
    const auto all = std::find_if(m_pauses.begin(), m_pauses.end(), [](const Pause &pause) { return pause.match.isEmpty(); });
    return all == m_pauses.end() ? pauseOf(name) : &*all;
}

int NamesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int NamesModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

QString NamesModel::text(const NameRow &row, Column column) const
{
    switch (column) {
    case Name: return shown(row.name);
    case Ready: return m_format.count(row.ready);
    case Enqueued: return m_format.count(row.totals.enqueued);
    case Succeeded: return m_format.count(row.totals.succeeded);
    case Failed: return m_complete ? m_format.count(row.failed) : tr("%1 or more", "a number").arg(m_format.count(row.failed));
    case columns: break;
    }
    return {};
}

QVariant NamesModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_rows.size())
        return {};
    const NameRow &row = m_rows[index.row()];
    const auto column = Column(index.column());
    switch (role) {
    case Qt::DisplayRole: return text(row, column);
    case NameRole: return row.name;
    case Qt::TextAlignmentRole: return int((column == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (column == Failed && row.failed > 0)
            return Look::color(JobState::Failed, QGuiApplication::palette());
        return {};
    case Qt::DecorationRole: return column == Name && pausing(row.name) ? QVariant(Look::icon(Icon::Pause)) : QVariant();
    case Qt::ToolTipRole:
        if (column != Name)
            return {};
        if (const Pause *pause = pausing(row.name))
            return plainTip(tr("%1 · paused: %2", "a name, a reason").arg(shown(row.name), shown(pause->reason)));
        return plainTip(shown(row.name));
    default: return {};
    }
}

QVariant NamesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return {};
    const auto column = Column(section);
    if (role == Qt::TextAlignmentRole)
        return int((column == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        switch (column) {
        case Ready: return tr("Jobs that are ready now");
        case Failed: return tr("Jobs that are failed now");
        case Enqueued: return tr("All jobs ever enqueued");
        case Succeeded: return tr("All jobs that ever succeeded");
        default: return {};
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Name: return tr("Name");
    case Ready: return tr("Ready");
    case Enqueued: return tr("Enqueued");
    case Succeeded: return tr("Succeeded");
    case Failed: return tr("Failed");
    case columns: break;
    }
    return {};
}

} // namespace junban::ui
