#pragma once

#include "core/jobs/job.h"
#include "ui/base/format.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QList>
#include <QSet>

namespace junban::ui {

// The rows of the jobs table. Only differences are applied, and the model is never reset, so that selection, current row and scroll
// position stay with their jobs.
//
// A job that leaves the list while it is selected stays in the table as a ghost, as long as it is selected, so that the rows under the
// cursor do not move.
class JobTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column {
        State, Name, Priority, Attempts, Age, NextRun, Worker, Duration, Message, Argument, Tags, Failures, Timeout, Size, Enqueued,
        Started, Finished, Id, HeldBy, Reason, columns
    };
    enum Role { IdRole = Qt::UserRole, GhostRole };

    explicit JobTableModel(QObject *parent = nullptr);

    // Shows these jobs in this order. Jobs in `kept` that are not among them stay where they are, as ghosts.
    void apply(const QList<Job> &jobs, const QSet<JobId> &kept);
    // Appends these jobs; those that have a row already are updated in place.
    void append(const QList<Job> &jobs);
    // Updates one job; does nothing when it has no row.
    void patch(const Job &job);
    void clear();
    // Removes the ghosts that are not in `kept`.
    void dropGhosts(const QSet<JobId> &kept);

    // Sets the master's time, for ages. It emits no signals for all rows each second; views repaint what is visible.
    void setNow(qint64 now_ms) { m_now_ms = now_ms; }
    void setFormat(const Format &format);

    const Job *jobAt(int row) const;
    const Job *find(const JobId &id) const;
    int rowOf(const JobId &id) const { return m_rowOf.value(id, -1); }
    int ghosts() const { return m_ghosts; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    static QString title(Column column);
    static QString heldReady(); // the state of a job that is ready, and held
    static QString cancelling(); // of one that runs, and was asked to stop
    static QString running(int percent); // likewise of one that runs, and has said how far it is
    // The column that the master orders jobs of this state by; none: it keeps no order that a column shows.
    static std::optional<Column> ordered(std::optional<JobState> state);
    // Of which state the rows are (none: of several), for the tooltips of the headers.
    void setState(std::optional<JobState> state);

private:
    struct Row {
        Job job;
        QString preview;  // of the argument, made when the row comes
        bool ghost = false;
        qint64 heldAt_ms = 0; // when the master said last that it is held
    };
    Row rowFor(const Job &job) const;
    bool isStillHeld(const Row &row, const Job &now) const;
    static bool sameRow(const Job &a, const Job &b);
    void removeMissing(const QSet<JobId> &wanted);
    void arrange(const QList<JobId> &target, const QHash<JobId, const Job *> &jobs);
    void update(const QList<int> &rows);
    void renumber(int from);
    QString text(const Row &row, Column column) const;
    QString stateText(const Row &row) const;
    QString duration(const Job &job) const;
    QString heldText(const JobHold &hold) const;
    QString orderTip(Column column) const;
    QString sentence(const Row &row) const;
    QVariant look(const Row &row, Column column, int role) const;

    QList<Row> m_rows;
    QHash<JobId, int> m_rowOf;
    Format m_format;
    qint64 m_now_ms = 0;
    int m_ghosts = 0;
    bool m_changing = false;        // rows are being removed or put in order
    std::optional<JobState> m_state;
};

} // namespace junban::ui
