#include "ui/inspector/attemptsmodel.h"

#include "ui/base/look.h"
#include "ui/base/text.h"

#include <QGuiApplication>

namespace junban::ui {

AttemptsModel::AttemptsModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void AttemptsModel::setAttempts(const QList<Attempt> &attempts, qint64 now_ms)
{
    m_now_ms = now_ms;
    const int before = int(m_attempts.size()), after = int(attempts.size());
    QList<Attempt> newestFirst(attempts.rbegin(), attempts.rend());
    if (after > before)
        beginInsertRows({}, 0, after - before - 1);
    else if (after < before)
        beginRemoveRows({}, 0, before - after - 1);
    m_attempts = std::move(newestFirst);
    if (after > before)
        endInsertRows();
    else if (after < before)
        endRemoveRows();
    if (after > 0)
        Q_EMIT dataChanged(index(0, 0), index(after - 1, columns - 1));
}

int AttemptsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_attempts.size());
}

int AttemptsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

QString AttemptsModel::endWord(const Attempt &attempt)
{
    if (attempt.ended.isEmpty())
        return tr("running");
    if (attempt.ended == "success")
        return tr("success");
    if (attempt.ended == "failure")
        return tr("failure");
    if (attempt.ended == "timeout")
        return tr("timeout");
    if (attempt.ended == "released")
        return tr("released");
    if (attempt.ended == "cancelled")
        return tr("cancelled");
    return shown(attempt.ended);
}

JobState AttemptsModel::endLook(const Attempt &attempt)
{
    if (attempt.ended.isEmpty())
        return JobState::Running;
    if (attempt.ended == "success")
        return JobState::Succeeded;
    if (attempt.ended == "failure" || attempt.ended == "timeout")
        return JobState::Failed;
    return attempt.ended == "released" ? JobState::Ready : JobState::Cancelled;
}

QString AttemptsModel::text(const Attempt &attempt, Column column) const
{
    switch (column) {
    case Number: return QString::number(attempt.number);
    case Ended: return endWord(attempt);
    case Worker: return shown(attempt.worker);
    case Started: return m_format.timeInColumn(attempt.startedAt_ms, m_now_ms);
    case Duration: return m_format.duration((attempt.endedAt_ms > 0 ? attempt.endedAt_ms : m_now_ms) - attempt.startedAt_ms);
    case Message: return Look::message(attempt.message);
    case NextRun:
        if (attempt.nextRunAt_ms > 0)
            return tr("after %1").arg(m_format.duration(attempt.nextRunAt_ms - attempt.endedAt_ms));
        return attempt.ended == "failure" && !attempt.shouldRetry ? tr("no, as the worker asked") : QString();
    case columns: break;
    }
    return {};
}

QVariant AttemptsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_attempts.size())
        return {};
    const Attempt &attempt = m_attempts[index.row()];
    const auto column = Column(index.column());
    switch (role) {
    case Qt::DisplayRole: return text(attempt, column);
    case Qt::DecorationRole: return column == Ended ? QVariant(Look::icon(endLook(attempt))) : QVariant();
    case Qt::ForegroundRole:
        return column == Ended ? QVariant(Look::color(endLook(attempt), QGuiApplication::palette())) : QVariant();
    case Qt::ToolTipRole:
        if (column == Started)
            return m_format.dateTime(attempt.startedAt_ms);
        if (column == NextRun)
            return m_format.dateTime(attempt.nextRunAt_ms);
        if (column == Message)
            return plainTip(Look::messageLines(attempt.message));
        return {};
    default: return {};
    }
}

QVariant AttemptsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(section)) {
    case Number: return tr("#", "number of an attempt");
    case Ended: return tr("Outcome");
    case Worker: return tr("Worker");
    case Started: return m_format.columnTitle(tr("Started"), m_now_ms);
    case Duration: return tr("Duration");
    case Message: return tr("Message");
    case NextRun: return tr("Tried again");
    case columns: break;
    }
    return {};
}

} // namespace junban::ui
