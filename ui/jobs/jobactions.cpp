#include "ui/jobs/jobactions.h"

#include "core/base/clock.h"
#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/jobs/editdialog.h"
#include "ui/jobs/jobdialog.h"
#include "ui/operations/bulkwork.h"
#include "ui/widgets/question.h"
#include "ui/widgets/steadybutton.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMap>

namespace junban::ui {

struct JobActions::Run {
    Verb verb = Verb::Retry;
    QList<Job> jobs;
    qsizetype started = 0;
    int underWay = 0;
    int asked = 0;             // running jobs that were marked; their workers are told to stop them
    QList<JobId> succeeded;
    int refused = 0;
    Error lastError;
};

JobActions::JobActions(
    client::ApiClient &client, const Feed &feed, Preferences &preferences, std::function<QList<Job>()> targets, QWidget *window)
    : QObject(window)
    , m_client(client)
    , m_feed(feed)
    , m_preferences(preferences)
    , m_targets(std::move(targets))
    , m_window(window)
    , m_retry(new QAction(Look::icon(Icon::Refresh), tr("&Retry"), this))
    , m_cancel(new QAction(Look::icon(Icon::Close), tr("&Cancel job"), this))
    , m_force(new QAction(tr("Cancel by &force…"), this))
    , m_duplicate(new QAction(tr("&Duplicate and edit…"), this))
    , m_edit(new QAction(Look::icon(Icon::Pencil), tr("&Edit…"), this))
    , m_star(new QAction(Look::icon(Icon::Star), tr("&Star"), this))
    , m_delete(new QAction(Look::icon(Icon::Bin), tr("De&lete"), this))
    , m_restore(new QAction(tr("Res&tore from the trash"), this))
    , m_copyId(new QAction(Look::icon(Icon::Copy), tr("Copy &ID"), this))
{
    setTexts(*m_cancel, {tr("&Cancel job"), tr("&Cancel jobs")});
    m_retry->setToolTip(tr("Run the job again (R)"));
    m_cancel->setToolTip(tr("Cancel the job; a running one hears it at its next heartbeat (Delete)"));
    m_force->setToolTip(tr("Take a running job from its worker at once"));
    const std::pair<QAction *, Verb> verbs[] = {{m_retry, Verb::Retry}, {m_cancel, Verb::Cancel}, {m_force, Verb::Force},
                                                {m_delete, Verb::Delete}, {m_restore, Verb::Restore}};
    for (const auto &[action, verb] : verbs)
        connect(action, &QAction::triggered, this, [this, verb = verb] { trigger(verb); });
    m_star->setCheckable(true);
    m_star->setToolTip(tr("A starred job is kept until it is unstarred"));
    m_delete->setToolTip(tr("Put the job into the trash; it can be restored for 24 hours (Shift+D)"));
    connect(m_star, &QAction::triggered, this, [this] {
        const QList<Job> jobs = m_targets();
        const bool all = std::all_of(jobs.begin(), jobs.end(), [](const Job &job) { return job.tracked; });
        QList<Job> changed;
        std::copy_if(jobs.begin(), jobs.end(), std::back_inserter(changed), [all](const Job &job) { return job.tracked == all; });
        start(all ? Verb::Unstar : Verb::Star, changed); // without a question, because nothing is lost
    });
    m_duplicate->setToolTip(tr("Enqueue a new job like this one"));
    connect(m_duplicate, &QAction::triggered, this, [this] { withWhole([this](const Job &job) { enqueueLike(job.spec); }); });
    m_edit->setToolTip(tr("Change a job that is ready, scheduled or failed (E)"));
    connect(m_edit, &QAction::triggered, this, [this] { withWhole([this](const Job &job) { openEdit(job); }); });
    connect(m_copyId, &QAction::triggered, this, [this] {
        QStringList ids;
        for (const Job &job : m_targets())
            ids.append(QString::fromLatin1(job.id.text()));
        QGuiApplication::clipboard()->setText(ids.join(QLatin1Char('\n')));
    });
    refresh();
}

bool JobActions::allows(Verb verb, const Job &job)
{
    switch (verb) {
    case Verb::Retry: return canRetry(job);
    case Verb::Cancel: return canCancel(job);
    case Verb::Force: return canForce(job);
    case Verb::Delete: return canDelete(job);
    case Verb::Restore: return canRestore(job);
    case Verb::Star: return !job.tracked;
    case Verb::Unstar: return job.tracked;
    }
    return false;
}

void JobActions::refresh()
{
    const QList<Job> jobs = m_targets();
    m_retry->setEnabled(std::any_of(jobs.begin(), jobs.end(), canRetry));
    m_cancel->setEnabled(std::any_of(jobs.begin(), jobs.end(), canCancel));
    m_cancel->setText(jobs.size() > 1 ? tr("&Cancel jobs") : tr("&Cancel job"));
    m_force->setEnabled(std::any_of(jobs.begin(), jobs.end(), canForce));
    m_duplicate->setEnabled(jobs.size() == 1);
    m_edit->setEnabled(jobs.size() == 1 && canEdit(jobs.first()));
    const bool starred = !jobs.isEmpty() && std::all_of(jobs.begin(), jobs.end(), [](const Job &job) { return job.tracked; });
    m_star->setEnabled(!jobs.isEmpty());
    m_star->setChecked(starred);
    m_star->setIcon(Look::icon(starred ? Icon::StarFilled : Icon::Star));
    m_delete->setEnabled(std::any_of(jobs.begin(), jobs.end(), canDelete));
    const bool trash = std::any_of(jobs.begin(), jobs.end(), canRestore);
    m_restore->setVisible(trash); // before it is enabled, because an invisible action stays disabled
    m_restore->setEnabled(trash);
    m_copyId->setEnabled(!jobs.isEmpty());
}

void JobActions::withWhole(std::function<void(const Job &)> act)
{
    const QList<Job> jobs = m_targets();
    if (jobs.size() != 1)
        return;
    const auto read = [this, id = jobs.first().id, act = std::move(act)] { readWhole(id, act); };
    if (!jobs.first().masked) {
        read();
        return;
    }
    ask(m_window, m_client, {tr("Show the hidden values of this job?"),
                             tr("The form has its whole argument. Viewing it is logged."), tr("Show")}, read);
}

// What is edited or enqueued again must not be what is shown in place of hidden values.
void JobActions::readWhole(const JobId &id, const std::function<void(const Job &)> &act)
{
    m_client.job(id, client::Reveal::Yes, client::guarded<Job>(this, [this, act](Result<Job> answer) {
        if (answer.ok())
            act(*answer);
        else
            Q_EMIT failed(tr("The job could not be read: %1").arg(reasonText(answer.error().reason)));
    }));
}

void JobActions::enqueueLike(const std::optional<JobSpec> &like)
{
    auto *dialog = new JobDialog(m_client, like, m_preferences.timesIn(), m_feed.now_ms(), m_window);
    connect(dialog, &JobDialog::enqueued, this, [this](const JobId &id) {
        Q_EMIT jobsChanged();
        Q_EMIT done(tr("Job enqueued"), tr("Open"), [this, id] { Q_EMIT openRequested(id); });
    });
    dialog->open();
}

void JobActions::openEdit(const Job &job)
{
    auto *dialog = new EditDialog(m_client, job, m_preferences.timesIn(), m_feed.now_ms(), m_window);
    connect(dialog, &EditDialog::edited, this, [this](const Job &before, const JobEdit &edit) {
        Q_EMIT jobsChanged();
        Q_EMIT done(tr("Job changed"), tr("Undo"), [this, before, edit] { undoEdit(before, edit); });
    });
    dialog->open();
}

// Gives the changed fields their old values again.
void JobActions::undoEdit(const Job &before, const JobEdit &edit)
{
    JobEdit back;
    if (edit.priority)
        back.priority = before.spec.priority;
    if (edit.argument)
        back.argument = before.spec.argument;
    if (edit.tags)
        back.tags = before.spec.tags;
    if (edit.maxRetry)
        back.maxRetry = before.spec.maxRetry;
    if (edit.timeout_ms)
        back.timeout_ms = before.spec.timeout_ms;
    if (edit.isTimed() && before.state == JobState::Scheduled)
        back.runAt_ms = before.runAt_ms;
    else if (edit.isTimed())
        back.delay_ms = 0;
    m_client.editJob(before.id, back, client::guarded<Job>(this, [this](Result<Job> answer) {
        Q_EMIT jobsChanged();
        if (answer.ok())
            Q_EMIT done(tr("Edit undone"), {}, {});
        else
            Q_EMIT failed(tr("Refused: %1").arg(reasonText(answer.error().reason)));
    }));
}

// The title and the button of the question; both empty for actions that ask none.
std::pair<QString, QString> JobActions::titleAndButton(Verb verb, int count)
{
    switch (verb) {
    case Verb::Retry: return {tr("Retry %Ln job(s)?", nullptr, count), tr("Retry %Ln", "button", count)};
    case Verb::Cancel: return {tr("Cancel %Ln job(s)?", nullptr, count), tr("Cancel %Ln job(s)", "button", count)};
    case Verb::Force: return {tr("Take %Ln running job(s) from their workers?", nullptr, count), tr("Force %Ln", "button", count)};
    case Verb::Delete: return {tr("Delete %Ln job(s)?", nullptr, count), tr("Delete %Ln", "button", count)};
    case Verb::Restore: return {tr("Restore %Ln job(s)?", nullptr, count), tr("Restore %Ln", "button", count)};
    case Verb::Star:
    case Verb::Unstar: break;
    }
    return {};
}

void JobActions::act(Verb verb, const QList<Job> &targets)
{
    QList<Job> jobs;
    QMap<JobState, int> counts, excluded;
    for (const Job &job : targets) {
        if (allows(verb, job)) {
            jobs.append(job);
            ++counts[job.state];
        } else {
            ++excluded[job.state];
        }
    }
    if (jobs.isEmpty())
        return;
    const bool one = jobs.size() == 1 && excluded.isEmpty();
    if (one && verb == Verb::Retry && jobs.first().attempt > 0) {
        askAgain(jobs.first());
        return;
    }
    if (one && verb != Verb::Force) {
        start(verb, jobs);
        return;
    }
    if (const std::optional<BulkAction> action = bulkOf(verb); action && m_bulk) {
        Selection selection;
        for (const Job &job : targets)
            selection.ids.append(job.id);
        m_bulk->ask({*action, selection, {}});
        return;
    }
    const Format format = m_preferences.format();
    QStringList lines;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        lines.append(tr("%1: %2", "a state and a count").arg(Look::word(it.key()), format.count(it.value())));
    for (auto it = excluded.cbegin(); it != excluded.cend(); ++it)
        lines.append(tr("%1: %2, skipped", "a state and a count").arg(Look::word(it.key()), format.count(it.value())));
    if (verb == Verb::Delete)
        lines.append(tr("They stay in the trash for 24 hours."));
    if (verb == Verb::Force)
        lines.append(tr("The workers may continue for a while; their reports will be refused."));
    const auto [title, button] = titleAndButton(verb, int(jobs.size()));
    const auto weight = verb == Verb::Force ? Question::Weight::Destroys : Question::Weight::Normal;
    const QString leave = verb == Verb::Cancel || verb == Verb::Force ? tr("Close") : QString();
    ask(m_window, m_client, {title, lines.join(QLatin1Char('\n')), button, weight, nullptr, leave},
        [this, verb, jobs] { start(verb, jobs); });
}

// A job that has run before may have done a part of its work, and there is no undo in time: a worker has it at once.
void JobActions::askAgain(const Job &job)
{
    QStringList lines{tr("%1 has run %Ln time(s).", "a job's name", job.attempt).arg(shown(job.spec.name))};
    if (!job.message.isEmpty())
        lines.append(Look::message(job.message));
    ask(m_window, m_client, {tr("Run this job again?"), lines.join(QLatin1Char('\n')), tr("Retry")},
        [this, job] { start(Verb::Retry, {job}); });
}

void JobActions::start(Verb verb, const QList<Job> &jobs)
{
    auto run = std::make_shared<Run>();
    run->verb = verb;
    run->jobs = jobs;
    for (int i = 0; i < atOnce_max; ++i)
        next(run);
}

void JobActions::next(const std::shared_ptr<Run> &run)
{
    if (run->started == run->jobs.size())
        return;
    const JobId id = run->jobs[run->started++].id;
    ++run->underWay;
    auto came = client::guarded<StateNow>(this, [this, run, id](Result<StateNow> answer) {
        --run->underWay;
        if (answer.ok()) {
            run->succeeded.append(id);
            run->asked += answer->cancelRequested ? 1 : 0;
        } else {
            ++run->refused;
            run->lastError = answer.error();
        }
        next(run);
        if (run->underWay == 0 && run->started == run->jobs.size())
            finish(*run);
    });
    send(run->verb, id, came);
}

void JobActions::trigger(Verb verb)
{
    if (!m_instead || !m_instead(verb))
        act(verb, m_targets());
}

std::optional<BulkAction> JobActions::bulkOf(Verb verb)
{
    switch (verb) {
    case Verb::Retry: return BulkAction::Retry;
    case Verb::Cancel: return BulkAction::Cancel;
    case Verb::Delete: return BulkAction::Delete;
    case Verb::Restore: return BulkAction::Restore;
    case Verb::Force:
    case Verb::Star:
    case Verb::Unstar: break;
    }
    return {};
}

void JobActions::actOnAll(Verb verb, const client::JobQuery &query)
{
    const std::optional<BulkAction> action = bulkOf(verb);
    if (!action || !m_bulk) {
        act(verb, m_targets());
        return;
    }
    QStringList lines;
    if (query.state)
        lines.append(tr("State: %1").arg(Look::word(*query.state)));
    if (!query.name.isEmpty())
        lines.append(tr("Name: %1").arg(shown(query.name)));
    if (!query.tag.isEmpty())
        lines.append(tr("Tag: %1").arg(shown(query.tag)));
    if (!query.match.isEmpty())
        lines.append(tr("Filter: %1").arg(shown(query.match)));
    Selection selection;
    selection.state = query.state;
    selection.name = query.name;
    selection.tag = query.tag;
    selection.match = query.match;
    selection.trash = query.of == client::JobsOf::Trash;
    m_bulk->ask({*action, selection, lines.join(QLatin1Char('\n'))});
}

void JobActions::send(Verb verb, const JobId &id, const Callback<StateNow> &came)
{
    switch (verb) {
    case Verb::Retry: m_client.retryJob(id, came); return;
    case Verb::Cancel: m_client.cancelJob(id, client::CancelMode::Ask, came); return;
    case Verb::Force: m_client.cancelJob(id, client::CancelMode::Force, came); return;
    case Verb::Delete: m_client.deleteJob(id, came); return;
    case Verb::Restore: m_client.restoreJob(id, came); return;
    case Verb::Star:
    case Verb::Unstar:
        m_client.track(id, verb == Verb::Star, [came](Result<Done> answer) {
            came(answer.ok() ? Result<StateNow>(StateNow()) : Result<StateNow>(answer.error()));
        });
        return;
    }
}

void JobActions::finish(const Run &run)
{
    Q_EMIT jobsChanged();
    const int count = int(run.succeeded.size());
    if (run.refused > 0) {
        const QString reason = reasonText(run.lastError.reason);
        Q_EMIT failed(count > 0 ? tr("%1 done, %2 refused: %3")
                                      .arg(m_preferences.format().count(count), m_preferences.format().count(run.refused), reason)
                                : tr("Refused: %1").arg(reason));
        return;
    }
    switch (run.verb) {
    case Verb::Retry: {
        // A retried job cannot become failed again. An operator who did not want the retry can cancel the job.
        const QList<Job> jobs = run.jobs;
        Q_EMIT done(tr("%Ln job(s) will run again", nullptr, count), tr("Undo: cancel"), [this, jobs] { start(Verb::Cancel, jobs); });
        return;
    }
    case Verb::Cancel: {
        if (run.asked > 0) {
            Q_EMIT done(tr("%Ln worker(s) will be told to cancel it", nullptr, run.asked), {}, {});
            return;
        }
        const QList<Job> jobs = run.jobs;
        Q_EMIT done(tr("%Ln job(s) cancelled", nullptr, count), tr("Undo: run again"), [this, jobs] { start(Verb::Retry, jobs); });
        return;
    }
    case Verb::Delete: {
        const QList<Job> jobs = run.jobs;
        Q_EMIT done(tr("%Ln job(s) deleted", nullptr, count), tr("Undo"), [this, jobs] { start(Verb::Restore, jobs); });
        return;
    }
    case Verb::Restore: Q_EMIT done(tr("%Ln job(s) restored", nullptr, count), {}, {}); return;
    case Verb::Star: Q_EMIT done(tr("%Ln job(s) starred", nullptr, count), {}, {}); return;
    case Verb::Unstar: Q_EMIT done(tr("%Ln job(s) without a star", nullptr, count), {}, {}); return;
    case Verb::Force: Q_EMIT done(tr("%Ln job(s) taken from their workers", nullptr, count), {}, {}); return;
    }
}

} // namespace junban::ui
