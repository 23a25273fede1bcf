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

    // Around a change of the rows: the row at the top stays at the top, unless it was the very first.
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
    QList<JobId> m_top; // of the rows from the top on, so that one that goes can be followed by the next
};

} // namespace junban::ui
