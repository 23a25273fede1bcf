#include "ui/jobs/jobtablemodel.h"

#include "ui/base/look.h"
#include "ui/base/payloadtext.h"
#include "ui/base/text.h"
#include "ui/limits/constrainttexts.h"

#include <QFont>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QScopedValueRollback>

namespace junban::ui {

namespace {

constexpr qsizetype previewCharacters = 200;
constexpr qsizetype cellCharacters = 300;

int alignment(JobTableModel::Column column)
{
    switch (column) {
    case JobTableModel::Failures:
    case JobTableModel::Size: return int(Qt::AlignRight | Qt::AlignVCenter);
    default: return int(Qt::AlignLeft | Qt::AlignVCenter);
    }
}

} // namespace

JobTableModel::JobTableModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

JobTableModel::Row JobTableModel::rowFor(const Job &job) const
{
    Row row{job, {}, false, job.heldBy.kind.isEmpty() ? 0 : m_now_ms};
    const bool leftOut = !job.masked && job.argument_bytes > job.spec.argument.size();
    if (!leftOut)
        row.preview = payloadPreview(job.spec.argument, previewCharacters);
    return row;
}

// A limit on starts or on running jobs is open for a moment between one job and the next; the rows behind it would come and go.
bool JobTableModel::isStillHeld(const Row &row, const Job &now) const
{
    const JobHold &before = row.job.heldBy;
    return row.job.state == JobState::Ready && now.state == JobState::Ready && now.heldBy.kind.isEmpty() && opensBriefly(before.kind)
        && m_now_ms - row.heldAt_ms < limits::held_lingers_ms;
}

bool JobTableModel::sameRow(const Job &a, const Job &b)
{
    return a.state == b.state && a.attempt == b.attempt && a.failures == b.failures && a.runAt_ms == b.runAt_ms
        && a.startedAt_ms == b.startedAt_ms && a.finishedAt_ms == b.finishedAt_ms && a.worker == b.worker
        && a.cancelRequested == b.cancelRequested && a.message == b.message && a.reason == b.reason
        && a.progress.done == b.progress.done && a.progress.total == b.progress.total && a.spec == b.spec
        && a.argument_bytes == b.argument_bytes && a.leaseExpiresAt_ms == b.leaseExpiresAt_ms && a.resultKept == b.resultKept
        && a.tracked == b.tracked && a.deletedAt_ms == b.deletedAt_ms && a.heldBy == b.heldBy;
}

void JobTableModel::apply(const QList<Job> &jobs, const QSet<JobId> &kept)
{
    QHash<JobId, const Job *> incoming;
    QList<JobId> order;
    for (const Job &job : jobs) {
        if (incoming.contains(job.id))
            continue; // a job that moved between two reads is on both pages
        incoming.insert(job.id, &job);
        order.append(job.id);
    }
    QSet<JobId> wanted(order.begin(), order.end());
    // A ghost stays below the row that was above it before.
    QHash<JobId, QList<JobId>> behind;
    JobId last;
    for (const Row &row : std::as_const(m_rows)) {
        if (incoming.contains(row.job.id)) {
            last = row.job.id;
        } else if (kept.contains(row.job.id)) {
            behind[last].append(row.job.id);
            wanted.insert(row.job.id);
        }
    }
    QList<JobId> target = behind.value(JobId());
    for (const JobId &id : std::as_const(order)) {
        target.append(id);
        target.append(behind.value(id));
    }
    removeMissing(wanted);
    arrange(target, incoming);
}

void JobTableModel::removeMissing(const QSet<JobId> &wanted)
{
    const QScopedValueRollback changing(m_changing, true);
    for (int last = int(m_rows.size()) - 1; last >= 0; --last) {
        if (wanted.contains(m_rows[last].job.id))
            continue;
        int first = last;
        while (first > 0 && !wanted.contains(m_rows[first - 1].job.id))
            --first;
        beginRemoveRows({}, first, last);
        for (int row = first; row <= last; ++row)
            m_rowOf.remove(m_rows[row].job.id);
        m_rows.remove(first, last - first + 1);
        renumber(first);
        endRemoveRows();
        last = first;
    }
}

// Gives the rows the order of `target`, which has every present row. Adjacent new jobs are inserted together.
void JobTableModel::arrange(const QList<JobId> &target, const QHash<JobId, const Job *> &jobs)
{
    const QScopedValueRollback changing(m_changing, true);
    QList<int> changed;
    for (int at = 0; at < target.size(); ++at) {
        const int now = m_rowOf.value(target[at], -1);
        if (now < 0) {
            int end = at;
            while (end < target.size() && !m_rowOf.contains(target[end]))
                ++end;
            beginInsertRows({}, at, end - 1);
            m_rows.insert(at, end - at, Row());
            for (int row = at; row < end; ++row)
                m_rows[row] = rowFor(*jobs.value(target[row]));
            renumber(at);
            endInsertRows();
            at = end - 1;
            continue;
        }
        if (now != at) {
            beginMoveRows({}, now, now, {}, at);
            m_rows.move(now, at);
            renumber(at);
            endMoveRows();
        }
        Row &row = m_rows[at];
        const Job *job = jobs.value(target[at]);
        Job held; // the same job, still held
        if (job && isStillHeld(row, *job)) {
            held = *job;
            held.heldBy = row.job.heldBy;
            job = &held;
        } else if (job && !job->heldBy.kind.isEmpty()) {
            row.heldAt_ms = m_now_ms;
        }
        if (job && (row.ghost || !sameRow(row.job, *job))) {
            const qint64 heldAt_ms = job == &held ? row.heldAt_ms : m_now_ms;
            row = rowFor(*job);
            row.heldAt_ms = heldAt_ms;
            changed.append(at);
        } else if (!job && !row.ghost) {
            row.ghost = true;
            changed.append(at);
        }
    }
    m_ghosts = int(std::count_if(m_rows.cbegin(), m_rows.cend(), [](const Row &row) { return row.ghost; }));
    update(changed);
}

void JobTableModel::append(const QList<Job> &jobs)
{
    QHash<JobId, const Job *> known;
    QList<JobId> target;
    for (const Row &row : std::as_const(m_rows)) {
        known.insert(row.job.id, &row.job);
        target.append(row.job.id);
    }
    // The jobs are copied, because arrange() moves the rows that hold them.
    QList<Job> own;
    own.reserve(m_rows.size());
    for (const Row &row : std::as_const(m_rows)) {
        if (!row.ghost) {
            own.append(row.job);
            known.insert(row.job.id, &own.last());
        } else {
            known.remove(row.job.id);
        }
    }
    for (const Job &job : jobs) {
        if (!m_rowOf.contains(job.id) && !known.contains(job.id))
            target.append(job.id);
        known.insert(job.id, &job);
    }
    arrange(target, known);
}

void JobTableModel::patch(const Job &job)
{
    const int at = rowOf(job.id);
    if (at < 0)
        return;
    Row &row = m_rows[at];
    if (sameRow(row.job, job))
        return;
    const bool ghost = row.ghost;
    row = rowFor(job);
    row.ghost = ghost;
    update({at});
}

void JobTableModel::clear()
{
    if (m_rows.isEmpty())
        return;
    removeMissing({});
    m_ghosts = 0;
}

void JobTableModel::dropGhosts(const QSet<JobId> &kept)
{
    // Rows that go change the selection, and who hears of that may want ghosts to go, too.
    if (m_ghosts == 0 || m_changing)
        return;
    QSet<JobId> wanted;
    for (const Row &row : std::as_const(m_rows)) {
        if (!row.ghost || kept.contains(row.job.id))
            wanted.insert(row.job.id);
    }
    removeMissing(wanted);
    m_ghosts = int(std::count_if(m_rows.cbegin(), m_rows.cend(), [](const Row &row) { return row.ghost; }));
}

void JobTableModel::setFormat(const Format &format)
{
    m_format = format;
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(int(m_rows.size()) - 1, columns - 1));
}

void JobTableModel::renumber(int from)
{
    for (int row = from; row < m_rows.size(); ++row)
        m_rowOf.insert(m_rows[row].job.id, row);
}

// Emits one signal for each run of adjacent rows, or one for all rows when more than half of them changed.
void JobTableModel::update(const QList<int> &rows)
{
    if (rows.isEmpty())
        return;
    if (rows.size() * 2 > m_rows.size()) {
        Q_EMIT dataChanged(index(rows.first(), 0), index(rows.last(), columns - 1));
        return;
    }
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const int first = rows[i];
        while (i + 1 < rows.size() && rows[i + 1] == rows[i] + 1)
            ++i;
        Q_EMIT dataChanged(index(first, 0), index(rows[i], columns - 1));
    }
}

const Job *JobTableModel::jobAt(int row) const
{
    return row >= 0 && row < m_rows.size() ? &m_rows[row].job : nullptr;
}

const Job *JobTableModel::find(const JobId &id) const
{
    return jobAt(rowOf(id));
}

int JobTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int JobTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

QString JobTableModel::title(Column column)
{
    switch (column) {
    case State: return tr("State");
    case Name: return tr("Name");
    case Priority: return tr("Priority");
    case Attempts: return tr("Attempt");
    case Age: return tr("Age");
    case NextRun: return tr("Next run");
    case Worker: return tr("Worker");
    case Duration: return tr("Duration");
    case Message: return tr("Last failure");
    case Argument: return tr("Argument");
    case Tags: return tr("Tags");
    case Failures: return tr("Failures");
    case Timeout: return tr("Timeout");
    case Size: return tr("Argument size");
    case Enqueued: return tr("Enqueued");
    case Started: return tr("Started");
    case Finished: return tr("Finished");
    case Id: return tr("ID");
    case HeldBy: return tr("Held by");
    case Reason: return tr("Reason");
    case columns: break;
    }
    return {};
}

QVariant JobTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return {};
    const bool isTime = section == Enqueued || section == Started || section == Finished;
    if (role == Qt::DisplayRole)
        return isTime ? m_format.columnTitle(title(Column(section)), m_now_ms) : title(Column(section));
    if (role == Qt::TextAlignmentRole)
        return alignment(Column(section));
    if (role == Qt::ToolTipRole)
        return plainTip(orderTip(Column(section)));
    return {};
}

std::optional<JobTableModel::Column> JobTableModel::ordered(std::optional<JobState> state)
{
    if (!state)
        return {};
    if (isFinal(*state))
        return Finished;
    if (*state == JobState::Ready)
        return Priority;
    if (*state == JobState::Scheduled)
        return NextRun;
    return {};
}

void JobTableModel::setState(std::optional<JobState> state)
{
    m_state = state;
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columns - 1);
}

// Why a click on the header sorts, or does not.
QString JobTableModel::orderTip(Column column) const
{
    const std::optional<Column> by = ordered(m_state);
    if (by == column)
        return tr("Click to reverse the order");
    if (by)
        return tr("The master keeps these jobs in the order of “%1” only").arg(title(*by));
    if (m_state == JobState::Running)
        return tr("The master keeps running jobs in the order in which their leases expire");
    if (m_state)
        return tr("The master keeps these jobs in the order in which they came");
    return tr("Jobs of all states cannot be sorted together: choose the tab of one state");
}

QVariant JobTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_rows.size())
        return {};
    const Row &row = m_rows[index.row()];
    const auto column = Column(index.column());
    switch (role) {
    case Qt::DisplayRole: return text(row, column);
    case IdRole: return QVariant::fromValue(row.job.id.bytes());
    case GhostRole: return row.ghost;
    case Qt::AccessibleTextRole: return column == State ? sentence(row) : text(row, column);
    case Qt::ToolTipRole:
        switch (column) {
        case Age:
        case Enqueued: return m_format.dateTime(row.job.createdAt_ms);
        case NextRun: return m_format.dateTime(row.job.runAt_ms);
        case Started:
        case Duration: return m_format.dateTime(row.job.startedAt_ms);
        case Finished: return m_format.dateTime(row.job.finishedAt_ms);
        case State: return plainTip(sentence(row));
        case HeldBy: return plainTip(heldText(row.job.heldBy));
        case Message: return plainTip(Look::messageLines(row.job.message));
        case Argument: return plainTip(row.preview);
        default: break;
        }
        return {};
    default: return look(row, column, role);
    }
}

QVariant JobTableModel::look(const Row &row, Column column, int role) const
{
    switch (role) {
    case Qt::DecorationRole:
        if (column == State)
            return Look::icon(row.job.state);
        return {};
    case Qt::ForegroundRole:
        if (row.ghost)
            return QGuiApplication::palette().brush(QPalette::Disabled, QPalette::Text);
        if (column == State)
            return Look::color(row.job.state, QGuiApplication::palette());
        return {};
    case Qt::FontRole: {
        if (!row.ghost && column != Id)
            return {};
        QFont font = column == Id ? QFontDatabase::systemFont(QFontDatabase::FixedFont) : QGuiApplication::font();
        font.setStrikeOut(row.ghost);
        return font;
    }
    case Qt::TextAlignmentRole: return alignment(column);
    default: return {};
    }
}

QString JobTableModel::heldReady()
{
    return tr("%1, held", "a state").arg(Look::word(JobState::Ready));
}

QString JobTableModel::cancelling()
{
    return tr("cancelling", "the state of a job that runs and was asked to stop");
}

QString JobTableModel::running(int percent)
{
    return tr("%1 %2 %", "a state and how much is done").arg(Look::word(JobState::Running)).arg(percent);
}

QString JobTableModel::stateText(const Row &row) const
{
    const Job &job = row.job;
    const QString word = Look::word(job.state);
    if (job.state == JobState::Ready && !job.heldBy.kind.isEmpty())
        return heldReady();
    if (job.state == JobState::Running && job.cancelRequested)
        return cancelling();
    if (job.state == JobState::Running && job.progress.total > 0)
        return running(int(100 * job.progress.done / job.progress.total));
    return word;
}

QString JobTableModel::heldText(const JobHold &hold) const
{
    if (hold.kind.isEmpty())
        return {};
    QString text = hold.title.isEmpty() ? tr("too many constraints") : holderText(hold.kind, hold.title);
    if (!hold.key.isEmpty())
        text = tr("%1 for %2", "a limit and the key it is for").arg(text, shown(hold.key));
    if (hold.opensAt_ms > m_now_ms)
        text = tr("%1, again in %2", "a limit and a duration").arg(text, m_format.age(hold.opensAt_ms - m_now_ms + 999));
    return text;
}

// How long the last attempt took, or has taken so far.
QString JobTableModel::duration(const Job &job) const
{
    if (job.startedAt_ms == 0)
        return {};
    if (job.state == JobState::Running || job.state == JobState::Awaiting)
        return m_format.duration(m_now_ms - job.startedAt_ms);
    if (job.finishedAt_ms >= job.startedAt_ms)
        return m_format.duration(job.finishedAt_ms - job.startedAt_ms);
    return {};
}

QString JobTableModel::text(const Row &row, Column column) const
{
    const Job &job = row.job;
    switch (column) {
    case State: return stateText(row);
    case Name: return shown(job.spec.name);
    case Priority: return m_format.count(job.spec.priority);
    // The first run is not a retry: with max_retry 4 there may be 5 attempts.
    case Attempts: return QStringLiteral("%1/%2").arg(job.attempt).arg(Look::attemptsPossible(job));
    case Age: return m_format.age(m_now_ms - job.createdAt_ms);
    case NextRun:
        if (job.state != JobState::Scheduled || job.runAt_ms == 0)
            return {};
        return job.runAt_ms > m_now_ms ? tr("in %1").arg(m_format.age(job.runAt_ms - m_now_ms + 999)) : tr("now");
    case Worker: return shown(job.worker);
    case Duration: return duration(job);
    case Message: return clipped(Look::message(job.message), cellCharacters);
    case Argument:
        if (row.preview.isEmpty() && job.argument_bytes > 0)
            return tr("%1, open the job to see it").arg(m_format.bytes(job.argument_bytes));
        return row.preview;
    case Tags: {
        QStringList tags;
        for (const QByteArray &tag : job.spec.tags)
            tags.append(shown(tag));
        return listed(tags);
    }
    case Failures: return m_format.count(job.failures);
    case Timeout: return m_format.span(job.spec.timeout_ms);
    case Size: return m_format.bytes(job.argument_bytes);
    case Enqueued: return m_format.timeInColumn(job.createdAt_ms, m_now_ms);
    case Started: return m_format.timeInColumn(job.startedAt_ms, m_now_ms);
    case Finished: return m_format.timeInColumn(job.finishedAt_ms, m_now_ms);
    case Id: return QString::fromLatin1(job.id.text());
    case HeldBy: return job.state == JobState::Ready ? heldText(job.heldBy) : QString();
    case Reason: return job.reason.isEmpty() ? QString() : Look::reason(job.reason);
    case columns: break;
    }
    return {};
}

// The whole row as a sentence, for screen readers and for the tooltip.
QString JobTableModel::sentence(const Row &row) const
{
    QString said = tr("%1: %2, attempt %3 of %4, enqueued %5 ago")
                       .arg(shown(row.job.spec.name), stateText(row), QString::number(row.job.attempt),
                            QString::number(Look::attemptsPossible(row.job)), m_format.age(m_now_ms - row.job.createdAt_ms));
    if (!row.job.heldBy.kind.isEmpty())
        said = tr("%1, held by %2", "a job and a limit").arg(said, heldText(row.job.heldBy));
    if (row.ghost)
        said = tr("%1 (no longer in this list)").arg(said);
    return said;
}

} // namespace junban::ui
