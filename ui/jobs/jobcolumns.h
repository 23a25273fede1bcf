#pragma once

#include "core/jobs/job.h"
#include "ui/base/preferences.h"

#include <QTimer>

namespace junban::ui {

class JobTableView;

// Which columns the job table shows. Each state begins with its own; the operator shows and hides them by the header's menu, and that
// is kept.
class JobColumns : public QObject
{
    Q_OBJECT

public:
    JobColumns(JobTableView &view, Preferences &preferences, QObject *parent = nullptr);

    // Shows the columns of a state; none: those of all jobs.
    void show(std::optional<JobState> state);
    void reset();

private:
    void save();
    void restore();
    void menu(const QPoint &at);

    JobTableView &m_view;
    Preferences &m_preferences;
    std::optional<JobState> m_state;
    QTimer m_pause;      // a drag is many moves; the last of them counts
    bool m_shown = false;
};

} // namespace junban::ui
