#pragma once

#include "ui/widgets/page.h"
#include "ui/widgets/recordmodel.h"

QT_BEGIN_NAMESPACE
class QAction;
class QLabel;
class QListWidget;
QT_END_NAMESPACE

namespace junban::ui {

class PayloadView;
class RecordList;

// Recurring jobs: when each fires next and how its last job ended. Below are the next and the latest runs of the chosen one, and the job
// that it enqueues.
class SchedulesPage : public Page
{
    Q_OBJECT

public:
    SchedulesPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent = nullptr);

    void refresh() override;
    // Opens the form for a new schedule.
    void create();
    // Chooses a schedule, as soon as it is known.
    void showSchedule(const QByteArray &id);

    RecordList *list() const { return m_list; }
    RecordList *runs() const { return m_runs; }
    QListWidget *nextRuns() const { return m_next; }
    const std::optional<Schedule> &chosen() const { return m_chosen; }
    QList<QAction *> actions() const { return {m_run, m_pause, m_edit, m_delete}; }
    QAction *run() const { return m_run; }
    QAction *pause() const { return m_pause; }
    QAction *edit() const { return m_edit; }
    QAction *remove() const { return m_delete; }

    static constexpr int rows_max = 500;

private:
    QWidget *buildHead();
    QWidget *buildDetail();
    void buildActions();
    void askChosen();
    void came(Result<SchedulePage> answer);
    void chosenCame(Result<Schedule> answer);
    void say();
    void sayDetail();
    Record record(const Schedule &schedule) const;
    QString whenText(const Schedule &schedule) const;
    void runNow();
    void togglePause();
    void openForm(const std::optional<Schedule> &schedule);
    void askDelete();
    void restore(const Schedule &schedule);

    QList<Schedule> m_schedules;
    QByteArray m_wanted;             // the schedule to choose as soon as its row is there
    std::optional<Schedule> m_chosen; // read in full
    bool m_more = false;
    client::CallId m_call = 0;
    client::CallId m_chosenCall = 0;
    RecordList *m_list = nullptr;
    QWidget *m_detail = nullptr;
    QLabel *m_title = nullptr;
    QLabel *m_about = nullptr;
    QListWidget *m_next = nullptr;
    RecordList *m_runs = nullptr;
    PayloadView *m_job = nullptr;
    QAction *m_run = nullptr;
    QAction *m_pause = nullptr;
    QAction *m_edit = nullptr;
    QAction *m_delete = nullptr;
};

} // namespace junban::ui
