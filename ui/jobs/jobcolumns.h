#pragma once

#include "core/jobs/job.h"
#include "ui/base/preferences.h"

#include <QTimer>

namespace junban::ui {

class JobTableView;

// Which columns the job table shows. Each state has its own columns at first; the operator shows and hides columns with the header's menu,
// and the choice is saved. Columns that nobody has changed follow the width of the table; where it is narrow, the less important ones are
// left out.
class JobColumns : public QObject
{
    Q_OBJECT

public:
    JobColumns(JobTableView &view, Preferences &preferences, QObject *parent = nullptr);

    // Shows the columns of a state; none: those of all jobs.
    void show(std::optional<JobState> state);
    void reset();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fit();
    int stateNeeds() const;
    void keepStates();
    int wantedBy(int column) const;
    int neededBy(int column) const;
    void changed();
    void save();
    void restore();
    void menu(const QPoint &at);

    JobTableView &m_view;
    Preferences &m_preferences;
    std::optional<JobState> m_state;
    QTimer m_pause;      // dragging changes the header many times; only the last change is saved
    bool m_shown = false;
    int m_fitted = -1;   // the width of the table that the columns were made for last
    bool m_held = false; // the operator holds the mouse button on the header
};

} // namespace junban::ui
