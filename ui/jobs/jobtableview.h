#pragma once

#include "core/jobs/jobid.h"
#include "ui/widgets/tables.h"

#include <QSet>
#include <QTableView>

namespace junban::ui {

// The view of the jobs table. It has its own keys (j, k, Space, Enter), and it does not scroll when rows are inserted or removed above the
// visible ones.
class JobTableView : public Tinted<QTableView>
{
    Q_OBJECT

public:
    explicit JobTableView(QWidget *parent = nullptr);

    // No search by typing: it would read every row, and letters are shortcuts here.
    void keyboardSearch(const QString &) override {}

    QSet<JobId> selectedIds() const;
    JobId currentId() const;

    // To be called before and after a change of the rows. The topmost visible row stays at the top, unless it was the table's first.
    void rememberTop();
    void restoreTop();

Q_SIGNALS:
    void freezeRequested();
    void openRequested();
    void selectionMoved();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void selectionChanged(const QItemSelection &selected, const QItemSelection &deselected) override;

private:
    QList<JobId> m_top; // the topmost visible rows; if the first one is removed, the next one stays at the top
};

} // namespace junban::ui
