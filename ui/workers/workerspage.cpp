#include "ui/workers/workerspage.h"

#include "core/limits.h"
#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/question.h"
#include "ui/widgets/recordlist.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace junban::ui {

namespace {

QString joined(const QList<QByteArray> &texts)
{
    QStringList all;
    for (const QByteArray &text : texts)
        all.append(shown(text));
    return listed(all);
}

} // namespace

WorkersPage::WorkersPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent)
    : Page(client, feed, preferences, parent)
{
    using enum RecordColumn::Side;
    m_list = new RecordList({{tr("Worker"), 28}, {tr("State"), 14}, {tr("Kind"), 12}, {tr("Names"), 28},
                             {tr("Running"), 12, Right, tr("Running jobs, and slots")},
                             {tr("Last contact"), 18, Left, {}, RecordColumn::Sort::None, true},
                             {tr("Succeeded"), 12, Right}, {tr("Failed"), 10, Right},
                             {tr("p50"), 10, Right, tr("Half of its last attempts took no longer"), RecordColumn::Sort::None, false, true},
                             {tr("p95"), 10, Right, tr("95 % of its last attempts took no longer")},
                             {tr("Version"), 12, Left, {}, RecordColumn::Sort::None, false, true}},
                            tr("Workers"), this);
    m_list->table()->remember(preferences, QStringLiteral("workers/header"));
    buildActions();
    m_detail = buildDetail();
    arrange({buildHead()}, m_list, m_detail, Detail::UntilChosen);
    connect(m_list->table(), &RecordTable::chosenChanged, this, &WorkersPage::sayDetail);
    connect(m_list->empty(), &EmptyState::actionTriggered, this, &WorkersPage::refresh);
    connect(&m_preferences, &Preferences::formatChanged, this, &WorkersPage::say);
    say();
}

QWidget *WorkersPage::buildHead()
{
    auto *box = new QWidget(this);
    m_summary = plainLabel({}, box);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    headLine(box)->addWidget(m_summary, 1);
    return box;
}

void WorkersPage::buildActions()
{
    m_drain = new QAction(Look::icon(Icon::Pause), tr("&Drain"), this);
    m_resume = new QAction(Look::icon(Icon::Play), tr("Re&sume"), this);
    m_release = new QAction(Look::icon(Icon::Refresh), tr("Re&queue its jobs…"), this);
    m_show = new QAction(Look::icon(Icon::Jobs), tr("S&how its jobs"), this);
    m_failures = new QAction(Look::icon(Icon::Cross), tr("Show its fail&ures"), this);
    m_delete = new QAction(Look::icon(Icon::Bin), tr("&Forget…"), this);
    m_drain->setToolTip(tr("Gets no new jobs and finishes its running ones"));
    m_show->setToolTip(tr("Its running jobs, or the last ones it ran"));
    m_failures->setToolTip(tr("Causes of failures at this worker, including jobs taken by other workers since"));
    m_release->setToolTip(tr("Its running jobs become ready again; later reports about them are refused"));
    const auto connectTo = [this](QAction *action, const QString &text, auto call) {
        connect(action, &QAction::triggered, this, [this, text, call] {
            const QByteArray worker = m_list->table()->chosen();
            if (!worker.isEmpty())
                call(worker, client::guarded<Done>(this, [this, text](Result<Done> answer) { acted(answer, text); }));
        });
    };
    connectTo(m_drain, tr("The worker gets no more jobs"),
              [this](const QByteArray &worker, auto done) { m_client.drainWorker(worker, done); });
    connectTo(m_resume, tr("The worker gets jobs again"),
              [this](const QByteArray &worker, auto done) { m_client.resumeWorker(worker, done); });
    connect(m_release, &QAction::triggered, this, [this] { Q_EMIT releaseRequested(m_list->table()->chosen()); });
    connect(m_show, &QAction::triggered, this, [this] {
        if (const std::optional<Worker> worker = chosen())
            Q_EMIT jobsRequested(worker->worker, worker->running > 0);
    });
    connect(m_failures, &QAction::triggered, this, [this] {
        if (const QByteArray worker = m_list->table()->chosen(); !worker.isEmpty())
            Q_EMIT failuresRequested(worker);
    });
    connect(m_delete, &QAction::triggered, this, &WorkersPage::askDelete);
    offer(m_list, actions());
}

QWidget *WorkersPage::buildDetail()
{
    auto *box = new QWidget(this);
    m_title = titleLabel(box);
    m_about = aboutLabel(box);
    m_jobs = new RecordList({{tr("Running job"), 40}}, tr("Jobs that the worker runs"), box);
    m_jobs->empty()->say(Icon::Jobs, tr("No running jobs"), {});
    openJobsOf(m_jobs);
    layOutDetail(box, {m_title, m_about}, actions())->addWidget(m_jobs, 1);
    return box;
}

void WorkersPage::refresh()
{
    if (m_call != 0)
        return;
    m_call = m_client.workers(rows_max, {}, client::guarded<WorkerPage>(this, [this](Result<WorkerPage> answer) {
        m_call = 0;
        if (learned(answer)) {
            m_workers = answer->workers;
            m_more = !answer->next.isEmpty();
        }
        say();
    }));
}

void WorkersPage::showWorker(const QByteArray &worker)
{
    m_wanted = worker;
    say();
}

std::optional<Worker> WorkersPage::chosen() const
{
    const QByteArray key = m_list->table()->chosen();
    const auto found = std::find_if(m_workers.cbegin(), m_workers.cend(), [&](const Worker &each) { return each.worker == key; });
    return found == m_workers.cend() ? std::nullopt : std::optional(*found);
}

// Leases may be longer than a worker is silent. The master takes it for alive as long as they hold, an operator may know better.
bool WorkersPage::isSilent(const Worker &worker) const
{
    return worker.state != WorkerState::Lost && worker.lastContact_ms > 0
        && m_feed.now_ms() - worker.lastContact_ms > qint64(limits::worker_lost_s * 1000);
}

// A lost worker has left jobs to others, a late one is about to.
int WorkersPage::urgency(const Worker &worker) const
{
    switch (worker.state) {
    case WorkerState::Lost: return 4;
    case WorkerState::Unreachable: return 3;
    case WorkerState::Late: return 2;
    case WorkerState::Up: return isSilent(worker) ? 1 : 0;
    case WorkerState::Draining: return 0;
    }
    return 0;
}

QString WorkersPage::stateText(const Worker &worker) const
{
    switch (worker.state) {
    case WorkerState::Up: return isSilent(worker) ? tr("silent") : tr("online");
    case WorkerState::Late: return tr("late");
    case WorkerState::Draining: return tr("draining");
    case WorkerState::Lost: return tr("lost");
    case WorkerState::Unreachable: return tr("unreachable");
    }
    return {};
}

Record WorkersPage::record(const Worker &worker) const
{
    const bool lost = worker.state == WorkerState::Lost, draining = worker.state == WorkerState::Draining;
    const bool unreachable = worker.state == WorkerState::Unreachable;
    const bool silent = isSilent(worker) || worker.state == WorkerState::Late;
    const QString tip = tr("Last heard from %1", "how long ago").arg(ago(worker.lastContact_ms));
    const QIcon icon = lost || unreachable ? Look::icon(Icon::Warning) : draining ? Look::icon(Icon::Pause) : Look::icon(JobState::Running);
    Record record{worker.worker, {{shown(worker.worker), {}, icon}}};
    record.cells.append({stateText(worker), unreachable ? reasonText(worker.trouble) : lost || silent ? tip : QString(), {},
                         lost || unreachable ? Tone::Bad : draining || silent ? Tone::Amber : Tone::Good});
    record.cells.append({worker.kind == WorkerKind::Served ? tr("pushed to") : tr("pulls"),
                         worker.kind == WorkerKind::Served ? shown(worker.url) : tr("Pulls jobs from the master")});
    record.cells.append({worker.told.names.isEmpty() ? tr("(any)", "names of jobs") : joined(worker.told.names), {}, {},
                         worker.told.names.isEmpty() ? Tone::Faint : Tone::Plain});
    record.cells.append({worker.slots ? tr("%1 of %2").arg(format().count(worker.running), format().count(*worker.slots))
                                      : format().count(worker.running)});
    record.cells.append({ago(worker.lastContact_ms), format().dateTime(worker.lastContact_ms), {},
                         lost ? Tone::Bad : silent ? Tone::Amber : Tone::Plain});
    record.cells.append({format().count(worker.succeeded)});
    record.cells.append({format().count(worker.failed), {}, {}, worker.failed > 0 ? Tone::Bad : Tone::Faint});
    record.cells.append({worker.p50_ms ? format().duration(*worker.p50_ms) : QString()});
    record.cells.append({worker.p95_ms ? format().duration(*worker.p95_ms) : QString()});
    record.cells.append({shown(worker.told.version)});
    return record;
}

// "8 up · 1 draining · 1 lost"
QString WorkersPage::summary() const
{
    const auto count = [this](WorkerState state) {
        return int(std::count_if(m_workers.begin(), m_workers.end(), [state](const Worker &worker) { return worker.state == state; }));
    };
    const int silent = int(std::count_if(m_workers.begin(), m_workers.end(),
        [this](const Worker &worker) { return worker.state == WorkerState::Up && isSilent(worker); }));
    QStringList parts{tr("%Ln worker(s) online", nullptr, count(WorkerState::Up) - silent)};
    if (silent > 0)
        parts.append(tr("%Ln silent", nullptr, silent));
    if (const int draining = count(WorkerState::Draining); draining > 0)
        parts.append(tr("%Ln draining", nullptr, draining));
    if (const int unreachable = count(WorkerState::Unreachable); unreachable > 0)
        parts.append(tr("%Ln unreachable", nullptr, unreachable));
    if (const int late = count(WorkerState::Late); late > 0)
        parts.append(tr("%Ln late", nullptr, late));
    if (const int lost = count(WorkerState::Lost); lost > 0)
        parts.append(tr("%Ln lost", nullptr, lost));
    if (m_more)
        parts.append(tr("the first %Ln by name", nullptr, int(m_workers.size())));
    return parts.join(QStringLiteral(" · "));
}

void WorkersPage::say()
{
    QList<Worker> workers = m_workers;
    std::stable_sort(workers.begin(), workers.end(), [this](const Worker &a, const Worker &b) { return urgency(a) > urgency(b); });
    QList<Record> records;
    for (const Worker &worker : std::as_const(workers))
        records.append(record(worker));
    m_list->setRecords(records, m_list->table()->isHeld() ? RecordModel::Order::Held : RecordModel::Order::Given);
    m_summary->setText(m_workers.isEmpty() ? QString() : summary());
    if (m_list->model()->rowOf(m_wanted) >= 0)
        m_list->table()->choose(std::exchange(m_wanted, {}));
    if (!saidUnknown(m_list->empty(), tr("The workers could not be read")))
        m_list->empty()->say(Icon::Workers, tr("No worker yet"), tr("A worker is listed as soon as it asks for a job or is registered."));
    sayDetail();
}

void WorkersPage::sayDetail()
{
    const std::optional<Worker> worker = chosen();
    m_detail->setVisible(worker.has_value());
    m_drain->setEnabled(worker && worker->state != WorkerState::Draining);
    const bool unreachable = worker && worker->state == WorkerState::Unreachable;
    m_resume->setEnabled(worker && worker->state != WorkerState::Up && !unreachable); // a lost one may have been drained
    m_release->setEnabled(worker && worker->running > 0);
    m_show->setEnabled(worker.has_value());
    const bool isServed = worker && worker->kind == WorkerKind::Served;
    const bool isLost = worker && worker->state == WorkerState::Lost;
    m_delete->setEnabled(isServed || isLost);
    m_delete->setToolTip(isServed            ? tr("A worker that the master calls gets no more calls")
                         : !worker || isLost ? tr("Removes a lost worker from the list")
                                             : tr("A worker that pulls can be forgotten once it is lost"));
    if (!worker)
        return;
    m_title->setText(shown(worker->worker));
    QStringList about{stateText(*worker), tr("first seen %1").arg(format().dateTime(worker->firstSeen_ms))};
    if (worker->state == WorkerState::Lost || worker->state == WorkerState::Late || isSilent(*worker))
        about.insert(1, tr("nothing heard since %1 (%2)", "a time, how long ago").arg(format().dateTime(worker->lastContact_ms),
                            ago(worker->lastContact_ms)));
    if (!worker->told.labels.isEmpty())
        about.append(joined(worker->told.labels));
    if (!worker->url.isEmpty())
        about.append(shown(worker->url));
    if (worker->isSigned)
        about.append(tr("requests are signed"));
    if (!worker->trouble.isEmpty())
        about.append(tr("call failed %1: %2").arg(ago(worker->troubleAt_ms), reasonText(worker->trouble)));
    m_about->setText(about.join(QStringLiteral(" · ")));
    m_about->setToolTip(plainTip(m_about->text()));
    QList<Record> jobs;
    for (const JobId &id : worker->jobs)
        jobs.append({id.text(), {{QString::fromLatin1(id.text()), {}, Look::icon(JobState::Running)}}});
    m_jobs->setRecords(jobs);
    const QString taken = tr("Its jobs were released when their leases ended. “Show its jobs” lists those that no other worker has taken "
                             "since, “Show its failures” the causes of all.");
    m_jobs->empty()->say(Icon::Jobs, tr("No running jobs"), worker->state == WorkerState::Lost ? taken : QString());
    m_jobs->setFoot(worker->running > jobs.size()
                        ? tr("%1 of %2").arg(format().count(jobs.size()), format().count(worker->running)) : QString());
}

void WorkersPage::askDelete()
{
    const std::optional<Worker> which = chosen();
    if (!which)
        return;
    const QByteArray worker = which->worker;
    const bool isServed = which->kind == WorkerKind::Served;
    ask(window(), m_client,
        {tr("Forget the worker “%1”?").arg(shown(worker)),
         isServed ? tr("It gets no more calls until it registers again. Its running jobs continue.")
                  : tr("It leaves the list with its figures. It is listed again when it asks for jobs."),
         tr("Forget"), isServed ? Question::Weight::Grave : Question::Weight::Normal},
        [this, worker] {
            m_client.deleteWorker(worker, client::guarded<Done>(this, [this](Result<Done> answer) {
                acted(answer, tr("Worker forgotten"));
            }));
        });
}

} // namespace junban::ui
