#pragma once

#include "client/apiclient.h"
#include "ui/base/preferences.h"

#include <QAction>
#include <QObject>
#include <QWidget>
#include <functional>

namespace junban::ui {

// What an operator can do to jobs, as actions for menus, buttons and keys. What is done to one job is done at once, and offers to be
// undone where it can. What is done to several jobs, or takes a job from its worker, is asked about first, with the numbers.
class JobActions : public QObject
{
    Q_OBJECT

public:
    // `targets`: the jobs that the actions are about, when they are triggered. `window` owns the questions.
    JobActions(client::ApiClient &client, Preferences &preferences, std::function<QList<Job>()> targets, QWidget *window);

    QAction *retry() const { return m_retry; }
    QAction *cancel() const { return m_cancel; }
    QAction *forceCancel() const { return m_force; }
    QAction *duplicate() const { return m_duplicate; }
    QAction *edit() const { return m_edit; }
    QAction *star() const { return m_star; }
    QAction *remove() const { return m_delete; }
    QAction *restore() const { return m_restore; }
    QAction *copyId() const { return m_copyId; }
    // What has no button of its own in the inspector.
    QList<QAction *> others() const { return {m_duplicate, m_force, m_restore, m_delete}; }
    // Opens a form for a job; nothing: for a new one.
    void enqueueLike(const std::optional<JobSpec> &like);
    // Enables what the targets allow. Called when they change.
    void refresh();

    static bool canRetry(const Job &job) { return job.deletedAt_ms == 0 && isOver(job); }
    static bool isOver(const Job &job) { return job.state == JobState::Failed || job.state == JobState::Cancelled; }
    static bool canEdit(const Job &job)
    {
        return job.deletedAt_ms == 0
            && (job.state == JobState::Ready || job.state == JobState::Scheduled || job.state == JobState::Failed);
    }
    static bool canDelete(const Job &job) { return !canForce(job) && job.deletedAt_ms == 0; }
    static bool canRestore(const Job &job) { return job.deletedAt_ms > 0; }
    static bool canCancel(const Job &job) { return !isFinal(job.state) && !job.cancelRequested; }
    static bool canForce(const Job &job) { return job.state == JobState::Running || job.state == JobState::Awaiting; }

    enum class Verb { Retry, Cancel, Force, Delete, Restore, Star, Unstar };
    // As if the action was triggered, for those of these jobs that allow it.
    void act(Verb verb, const QList<Job> &targets);

    static constexpr int atOnce_max = 4; // requests under way for one action

Q_SIGNALS:
    // Something was done; `offer` names what `act` would do about it, and may be empty.
    void done(const QString &text, const QString &offer, const std::function<void()> &act);
    void failed(const QString &text);
    void jobsChanged(); // the screens should look again
    void openRequested(const junban::JobId &id);

private:
    struct Run;
    static std::pair<QString, QString> titleAndButton(Verb verb, int count);
    void start(Verb verb, const QList<Job> &jobs);
    void next(const std::shared_ptr<Run> &run);
    void finish(const Run &run);
    void send(Verb verb, const JobId &id, const Callback<client::StateNow> &came);
    void openEdit(const Job &job);
    void undoEdit(const Job &before, const client::JobEdit &edit);
    static bool allows(Verb verb, const Job &job);
    // Reads the one target in full, for lists leave long arguments out.
    void withWhole(std::function<void(const Job &)> act);

    client::ApiClient &m_client;
    Preferences &m_preferences;
    std::function<QList<Job>()> m_targets;
    QWidget *m_window;
    QAction *m_retry;
    QAction *m_cancel;
    QAction *m_force;
    QAction *m_duplicate;
    QAction *m_edit;
    QAction *m_star;
    QAction *m_delete;
    QAction *m_restore;
    QAction *m_copyId;
};

} // namespace junban::ui
