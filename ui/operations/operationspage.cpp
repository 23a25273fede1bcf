#include "ui/operations/operationspage.h"

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/operations/operationtexts.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/question.h"
#include "ui/widgets/recordlist.h"

#include <QAction>
#include <QLabel>
#include <QTabWidget>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

constexpr int causes_max = 50; // groups of failures whose titles are asked for
constexpr int firsts_max = 50; // operations on selected jobs whose first name is asked for

QString between(QStringList parts)
{
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

} // namespace

OperationsPage::OperationsPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent)
    : Page(client, feed, preferences, parent)
{
    using enum RecordColumn::Side;
    using enum RecordColumn::Sort;
    m_list = new RecordList({{tr("Operation"), 24}, {tr("Jobs"), 30, Left, tr("The jobs it acts on"), None, false, false, false, true},
                             {tr("State"), 12, Left, {}, None, true}, {tr("Progress"), 9, Right},
                             {tr("Done"), 9, Right}, {tr("Skipped"), 9, Right, tr("Skipped jobs")},
                             {tr("Pace"), 9, Right, {}, None, false, true}, {tr("Started"), 18, Left, {}, None, true},
                             {tr("Took"), 9, Right, {}, None, false, true},
                             {tr("By"), 12}, {tr("Reason"), 20}},
                            tr("Operations"), this);
    m_list->table()->remember(preferences, QStringLiteral("operations/header"));
    buildActions();
    m_detail = buildDetail();
    arrange({}, m_list, m_detail, Detail::UntilChosen);
    connect(m_list->table(), &RecordTable::chosenChanged, this, [this] {
        sayDetail();
        askSkipped();
        askJobs();
    });
    connect(m_list->empty(), &EmptyState::actionTriggered, this, &OperationsPage::refresh);
    connect(&m_preferences, &Preferences::formatChanged, this, &OperationsPage::say);
    say();
}

void OperationsPage::buildActions()
{
    m_pause = new QAction(Look::icon(Icon::Pause), tr("&Pause"), this);
    m_resume = new QAction(Look::icon(Icon::Play), tr("Re&sume"), this);
    m_stop = new QAction(Look::icon(Icon::Close), tr("S&top"), this);
    m_undo = new QAction(Look::icon(Icon::Refresh), tr("&Undo"), this);
    m_stop->setToolTip(tr("Changes so far remain"));
    const auto connectTo = [this](QAction *action, const QString &text, auto call) {
        connect(action, &QAction::triggered, this, [this, text, call] {
            const QByteArray id = m_list->table()->chosen();
            if (!id.isEmpty())
                call(id, client::guarded<BulkOperation>(this, [this, text](Result<BulkOperation> answer) { acted(answer, text); }));
        });
    };
    connectTo(m_pause, tr("Operation paused"), [this](const QByteArray &id, auto done) { m_client.pauseOperation(id, done); });
    connectTo(m_resume, tr("Operation resumed"), [this](const QByteArray &id, auto done) { m_client.resumeOperation(id, done); });
    connectTo(m_stop, tr("Operation stopped"), [this](const QByteArray &id, auto done) { m_client.stopOperation(id, done); });
    connect(m_undo, &QAction::triggered, this, &OperationsPage::askUndo);
    offer(m_list, actions());
}

QWidget *OperationsPage::buildDetail()
{
    auto *box = new QWidget(this);
    m_title = titleLabel(box);
    m_about = aboutLabel(box);
    m_skipped = new RecordList({{tr("Job"), 40}, {tr("Why it was skipped"), 40}}, tr("Skipped jobs"), box);
    m_skipped->empty()->say(Icon::Check, tr("No jobs skipped"), {});
    openJobsOf(m_skipped);
    m_jobs = new RecordList({{tr("Job"), 40}, {tr("Name"), 30}, {tr("State now"), 14, RecordColumn::Side::Left, {},
                                                                   RecordColumn::Sort::None, true}}, tr("Jobs of the operation"), box);
    m_jobs->empty()->say(Icon::Jobs, tr("None of its jobs are kept"), {});
    openJobsOf(m_jobs);
    auto *tabs = new QTabWidget(box);
    tabs->setDocumentMode(true);
    tabs->addTab(m_jobs, tr("Its jobs"));
    tabs->addTab(m_skipped, tr("Skipped"));
    layOutDetail(box, {m_title, m_about}, actions())->addWidget(tabs, 1);
    return box;
}

void OperationsPage::askUndo()
{
    const std::optional<BulkOperation> operation = chosen();
    if (!operation)
        return;
    ask(window(), m_client,
        {tr("Undo “%1”?", "an operation").arg(OperationTexts::what(*operation)), undoText(*operation), tr("Undo"),
         Question::Weight::Normal},
        [this, id = operation->id] {
            m_client.undoOperation(id, client::guarded<BulkOperation>(this, [this](const Result<BulkOperation> &answer) {
                acted(answer, tr("Undo has started"));
            }));
        });
}

void OperationsPage::refresh()
{
    if (m_call != 0)
        return;
    m_call = m_client.operations(client::guarded<OperationList>(this, [this](Result<OperationList> answer) {
        m_call = 0;
        if (learned(answer)) {
            m_operations.clear();
            for (const BulkOperation &operation : std::as_const(answer->operations)) {
                if (operation.state != OperationState::Prepared) // nobody has begun it
                    m_operations.append(operation);
            }
        }
        say();
        askSkipped();
        askJobs();
        askCauses();
        askFirsts();
    }));
}

// What the groups of failures are called of which operations are, each once.
void OperationsPage::askCauses()
{
    for (const BulkOperation &operation : std::as_const(m_operations)) {
        const QByteArray &signature = operation.selection.signature;
        if (signature.isEmpty() || m_causes.contains(signature))
            continue;
        if (m_causes.size() == causes_max)
            return;
        m_causes.insert(signature, {});
        const auto came = [this, signature](const Result<FailurePage> &page) {
            if (!page.ok() || page->group.title.isEmpty())
                return;
            m_causes.insert(signature, shown(page->group.name) + QStringLiteral(" · ") + Look::message(page->group.title));
            say();
        };
        m_client.failureGroup(signature, client::FailurePeriod::Week, 1, {}, client::guarded<FailurePage>(this, came));
    }
}

// What the first of the selected jobs is called, of each operation on such jobs once.
void OperationsPage::askFirsts()
{
    for (const BulkOperation &operation : std::as_const(m_operations)) {
        if (operation.selection.ids.isEmpty() || m_firsts.contains(operation.id))
            continue;
        if (m_firsts.size() == firsts_max)
            return;
        m_firsts.insert(operation.id, {});
        const auto came = [this, of = operation](const Result<ViewPage> &page) {
            const JobId first = of.selection.ids.first();
            for (const Job &job : page.ok() ? page->jobs : QList<Job>()) {
                if (job.id == first)
                    m_firsts.insert(of.id, shown(job.spec.name));
            }
            say();
        };
        m_client.view(operation.view, 0, 1, client::guarded<ViewPage>(this, came));
    }
}

QString OperationsPage::jobsText(const BulkOperation &operation) const
{
    return OperationTexts::jobs(operation.selection, m_causes.value(operation.selection.signature), operation.count,
                                m_firsts.value(operation.id));
}

std::optional<BulkOperation> OperationsPage::chosen() const
{
    const QByteArray id = m_list->table()->chosen();
    const auto found = std::find_if(m_operations.cbegin(), m_operations.cend(), [&](const BulkOperation &each) { return each.id == id; });
    return found == m_operations.cend() ? std::nullopt : std::optional(*found);
}

void OperationsPage::askSkipped()
{
    const std::optional<BulkOperation> operation = chosen();
    if (!operation || (operation->id == m_skippedOf && operation->skipped == m_skippedAt))
        return;
    if (operation->id != m_skippedOf)
        m_skipped->setRecords({});
    m_skippedOf = operation->id;
    m_skippedAt = operation->skipped;
    m_client.cancel(m_skippedCall);
    const auto came = [this, of = *operation](const Result<SkippedPage> &page) {
        if (!page.ok() || of.id != m_skippedOf)
            return;
        QList<Record> records;
        for (const SkippedJob &job : page->skipped)
            records.append({job.id.text(), {{QString::fromLatin1(job.id.text())}, {OperationTexts::reason(job.reason)}}});
        m_skipped->setRecords(records);
        m_skipped->setFoot(of.skipped > records.size()
                               ? tr("The first %1 of %2").arg(format().count(records.size()), format().count(of.skipped)) : QString());
    };
    m_skippedCall = m_client.skipped(operation->id, 0, skipped_max, client::guarded<SkippedPage>(this, came));
}

// The first jobs of its view, as they are now.
void OperationsPage::askJobs()
{
    const std::optional<BulkOperation> operation = chosen();
    if (!operation)
        return;
    if (operation->id != m_jobsOf)
        m_jobs->setRecords({});
    m_jobsOf = operation->id;
    m_client.cancel(m_jobsCall);
    const auto came = [this, id = operation->id](const Result<ViewPage> &page) {
        if (!page.ok() || id != m_jobsOf)
            return;
        QList<Record> records;
        bool waits = page->view.count > page->ids.size();
        for (const Job &job : page->jobs) {
            waits = waits || job.state == JobState::Ready || job.state == JobState::Scheduled || job.state == JobState::Depends;
            const QString state = job.deletedAt_ms > 0 ? tr("in the trash") : Look::word(job.state);
            const QByteArray its = job.id.text();
            records.append({its, {{QString::fromLatin1(its), {}, Look::icon(job.state)}, {shown(job.spec.name)}, {state}}});
        }
        m_jobs->setRecords(records);
        m_startedOf = waits ? QByteArray() : id;
        sayDetail();
        const bool more = page->view.count > page->ids.size();
        const QString first = format().count(page->ids.size()), all = format().count(page->view.count);
        m_jobs->empty()->say(Icon::Jobs, more ? tr("None of its first jobs are kept") : tr("None of its jobs are kept"),
                             {});
        m_jobs->setFoot(more ? tr("The first %1 of %2, without removed ones").arg(first, all) : QString());
    };
    m_jobsCall = m_client.view(operation->view, 0, jobs_max, client::guarded<ViewPage>(this, came));
}

// What takes an operation back may find that jobs have started meanwhile, and leave them.
QString OperationsPage::stateText(const BulkOperation &operation) const
{
    if (operation.undoneBy.isEmpty())
        return OperationTexts::state(operation.state);
    const auto by = std::find_if(m_operations.begin(), m_operations.end(), [&](const auto &one) { return one.id == operation.undoneBy; });
    return by == m_operations.end() ? tr("undone")
                                    : tr("undone: %1 of %2", "jobs").arg(format().count(by->done), format().count(operation.done));
}

// Nothing is left to be cancelled of what was retried.
bool OperationsPage::haveStarted(const BulkOperation &operation) const
{
    return operation.action == BulkAction::Retry && operation.id == m_startedOf;
}

QString OperationsPage::undoText(const BulkOperation &operation) const
{
    if (operation.undoable && operation.action == BulkAction::Retry)
        return haveStarted(operation) ? tr("All its jobs have started since")
                                      : tr("A new operation cancels its jobs that have not started since");
    if (operation.undoable)
        return tr("A new operation reverses this one where possible");
    if (operation.action == BulkAction::Cancel)
        return tr("Cancelled jobs do not return to their place; a retry runs them again");
    if (!undoOf(operation.action))
        return tr("This action cannot be undone");
    if (!operation.undoneBy.isEmpty())
        return tr("Already undone");
    if (!operation.undoes.isEmpty())
        return tr("This is an undo");
    return operation.endedAt_ms > 0 ? tr("No jobs changed") : tr("Stop it first, or wait until it has ended");
}

Record OperationsPage::record(const BulkOperation &operation) const
{
    const bool over = operation.endedAt_ms > 0;
    const QIcon icon = operation.state == OperationState::Ended ? Look::icon(JobState::Succeeded)
        : operation.state == OperationState::Stopped          ? Look::icon(Icon::Close)
        : operation.state == OperationState::Paused           ? Look::icon(Icon::Pause) : Look::icon(JobState::Running);
    const qint64 took_ms = (over ? operation.endedAt_ms : m_feed.now_ms()) - operation.startedAt_ms;
    Record record{operation.id, {{OperationTexts::what(operation), shown(operation.id), icon}}};
    record.cells.append({jobsText(operation)});
    record.cells.append({stateText(operation), {}, {}, operation.state == OperationState::Paused ? Tone::Amber : Tone::Plain});
    record.cells.append({tr("%1 %", "percent").arg(OperationProgress(operation).percent())});
    record.cells.append({format().count(operation.done)});
    const qint64 left = operation.skipped + OperationProgress(operation).unreached;
    QStringList why{OperationTexts::skipped(operation, format()), OperationTexts::unreached(operation)};
    why.removeAll(QString());
    record.cells.append({left > 0 ? format().count(left) : QString(), why.join(QLatin1Char('\n')), {}, Tone::Amber});
    record.cells.append({operation.rate > 0 ? format().rate(operation.rate) : QString()});
    record.cells.append({ago(operation.startedAt_ms), format().dateTime(operation.startedAt_ms)});
    record.cells.append({operation.startedAt_ms > 0 ? format().duration(std::max<qint64>(0, took_ms)) : QString()});
    record.cells.append({Look::actor(operation.by)});
    record.cells.append({shown(operation.reason)});
    return record;
}

void OperationsPage::showOperation(const QByteArray &id)
{
    m_wanted = id;
    say();
}

void OperationsPage::say()
{
    QList<Record> records;
    for (const BulkOperation &operation : std::as_const(m_operations))
        records.append(record(operation));
    m_list->setRecords(records);
    if (m_list->model()->rowOf(m_wanted) >= 0)
        m_list->table()->choose(std::exchange(m_wanted, {}));
    if (!saidUnknown(m_list->empty(), tr("The operations could not be read")))
        m_list->empty()->say(Icon::Operations, tr("No operation yet"),
                             tr("Bulk actions, such as retrying all failed jobs, are listed here for a day."));
    sayDetail();
}

void OperationsPage::sayDetail()
{
    const std::optional<BulkOperation> operation = chosen();
    m_detail->setVisible(operation.has_value());
    const auto is = [&](OperationState state) { return operation && operation->state == state; };
    m_pause->setEnabled(is(OperationState::Running));
    m_resume->setEnabled(is(OperationState::Paused));
    m_stop->setEnabled(is(OperationState::Running) || is(OperationState::Paused));
    m_undo->setEnabled(operation && operation->undoable && !haveStarted(*operation));
    if (!operation)
        return;
    m_undo->setToolTip(undoText(*operation));
    const QString unreached = OperationTexts::unreached(*operation);
    m_skipped->empty()->say(unreached.isEmpty() ? Icon::Check : Icon::Close,
        unreached.isEmpty() ? tr("No jobs skipped") : tr("No jobs skipped so far"), unreached);
    const bool over = operation->endedAt_ms > 0;
    m_title->setText(!over                           ? OperationTexts::progress(*operation, format())
                     : operation->undoneBy.isEmpty() ? OperationTexts::outcome(*operation, format())
                                                     : between({OperationTexts::what(*operation), stateText(*operation)}));
    m_title->setToolTip(plainTip(m_title->text()));
    QStringList about{jobsText(*operation), tr("prepared %1").arg(format().dateTime(operation->preparedAt_ms))};
    if (over)
        about.append(tr("ended %1").arg(format().dateTime(operation->endedAt_ms)));
    if (!operation->by.isEmpty())
        about.append(tr("by %1").arg(Look::actor(operation->by)));
    if (!operation->reason.isEmpty())
        about.append(shown(operation->reason));
    m_about->setText(between(about));
    m_about->setToolTip(plainTip(m_about->text()));
}

} // namespace junban::ui
