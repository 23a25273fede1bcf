#pragma once

#include "core/jobs/jobid.h"

#include <QSet>
#include <QTableView>

namespace junban::ui {

// The jobs table's view: keys of its own (j k, Space, Enter), and rows that come or go above what is visible do not move it.
class JobTableView : public QTableView
{
    Q_OBJECT

public:
    explicit JobTableView(QWidget *parent = nullptr);

    // A search by typing would ask for every row, and letters are shortcuts here.
    void keyboardSearch(const QString &) override {}

    QSet<JobId> selectedIds() const;
    JobId currentId() const;

    // Called before and after a change of the rows: the topmost visible row stays topmost, unless it was the table's first.
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
    QList<JobId> m_top; // the topmost visible rows: when the first of them goes, the next takes its place
};

} // namespace junban::ui
