#pragma once

#include "client/apiclient.h"
#include "core/jobs/operation.h"
#include "ui/base/feed.h"
#include "ui/base/preferences.h"

#include <QAction>
#include <QObject>
#include <QWidget>
#include <functional>

namespace junban::ui {

class BulkWork;

// What an operator can do to jobs, as actions for menus, buttons and keys. An action on one job is done at once, and can be undone where
// that is possible. An action on several jobs, or one that takes a job from its worker, asks first and says how many jobs it concerns.
class JobActions : public QObject
{
    Q_OBJECT

public:
    // `targets` returns the jobs that the actions are for; it is called when one is triggered. `window` owns the questions.
    JobActions(
        client::ApiClient &client, const Feed &feed, Preferences &preferences, std::function<QList<Job>()> targets, QWidget *window);

    QAction *retry() const { return m_retry; }
    QAction *cancel() const { return m_cancel; }
    QAction *forceCancel() const { return m_force; }
    QAction *duplicate() const { return m_duplicate; }
    QAction *edit() const { return m_edit; }
    QAction *star() const { return m_star; }
    QAction *remove() const { return m_delete; }
    QAction *restore() const { return m_restore; }
    QAction *copyId() const { return m_copyId; }
    // The actions that have no button of their own in the inspector.
    QList<QAction *> others() const { return {m_duplicate, m_force, m_restore, m_delete}; }
    // Opens the form for a new job; `like`: a job whose fields it copies.
    void enqueueLike(const std::optional<JobSpec> &like);
    // Enables the actions that the targets allow. To be called when the targets change.
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
    // Does the action for those of these jobs that allow it.
    void act(Verb verb, const QList<Job> &targets);
    // Does the action for all jobs of a query that allow it and are there now; asks first.
    void actOnAll(Verb verb, const client::JobQuery &query);
    // What acts on many jobs. It must outlive this.
    void setBulk(BulkWork *bulk) { m_bulk = bulk; }
    // `instead` is asked first, and returns true if it does the action itself.
    void setInstead(std::function<bool(Verb)> instead) { m_instead = std::move(instead); }

    static constexpr int atOnce_max = 4; // requests under way for one action

Q_SIGNALS:
    // Something was done. `offer` is the text of a button, such as "Undo", that calls `act`; empty: no button.
    void done(const QString &text, const QString &offer, const std::function<void()> &act);
    void failed(const QString &text);
    void jobsChanged(); // the screens should refresh
    void openRequested(const junban::JobId &id);

private:
    struct Run;
    void trigger(Verb verb);
    // The operation that does the same with many jobs; none: it is done job by job.
    static std::optional<BulkAction> bulkOf(Verb verb);
    static std::pair<QString, QString> titleAndButton(Verb verb, int count);
    void askAgain(const Job &job);
    void start(Verb verb, const QList<Job> &jobs);
    void next(const std::shared_ptr<Run> &run);
    void finish(const Run &run);
    void send(Verb verb, const JobId &id, const Callback<StateNow> &came);
    void openEdit(const Job &job);
    void undoEdit(const Job &before, const JobEdit &edit);
    static bool allows(Verb verb, const Job &job);
    // Reads the one target in full, because lists leave long arguments out.
    void withWhole(std::function<void(const Job &)> act);
    void readWhole(const JobId &id, const std::function<void(const Job &)> &act);

    client::ApiClient &m_client;
    const Feed &m_feed;
    Preferences &m_preferences;
    std::function<QList<Job>()> m_targets;
    std::function<bool(Verb)> m_instead;
    BulkWork *m_bulk = nullptr;
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
