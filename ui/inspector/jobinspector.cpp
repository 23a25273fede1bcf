#include "ui/inspector/jobinspector.h"

#include "core/limits/mask.h"
#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/inspector/attemptsmodel.h"
#include "ui/inspector/errorview.h"
#include "ui/inspector/explainview.h"
#include "ui/inspector/jobfields.h"
#include "ui/inspector/jobhistory.h"
#include "ui/inspector/timeline.h"
#include "ui/limits/filterbar.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/flowlayout.h"
#include "ui/widgets/question.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/payloadview.h"
#include "ui/widgets/tables.h"
#include "ui/widgets/tabrow.h"

#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QStackedLayout>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

enum Tab { ErrorTab, AttemptsTab, ArgumentTab, ResultTab, WhyTab, HistoryTab, FieldsTab };

constexpr int leastCharacters = 46;

} // namespace

JobInspector::JobInspector(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent)
    : QWidget(parent)
    , m_client(client)
    , m_feed(feed)
    , m_preferences(preferences)
{
    setMinimumWidth(leastCharacters * characterWidth(fontMetrics())); // a window that shrinks takes all it can from a dock
    m_stack = new QStackedLayout(this);
    m_empty = new EmptyState(this);
    auto *page = new QWidget(this);
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(buildHead());
    m_timeline = new Timeline(page);
    layout->addWidget(m_timeline);
    buildTabs();
    layout->addWidget(m_tabRow);
    layout->addWidget(m_tabs, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);

    // A job that is at rest may be retried, deleted or restored, here or elsewhere, but seldom.
    m_soon.setSingleShot(true);
    m_soon.setInterval(rest_ms);
    connect(&m_soon, &QTimer::timeout, this, [this] {
        if (isVisible())
            refresh();
    });
    connect(&m_feed, &Feed::arrived, this, [this] {
        if (!isVisible() || m_id.isNull() || m_isGone || m_soon.isActive())
            return;
        if (m_job && isFinal(m_job->state))
            m_soon.start();
        else if (m_call == 0)
            refresh();
    });
    connect(&m_preferences, &Preferences::formatChanged, this, [this] { say(); });
    connect(m_empty, &EmptyState::actionTriggered, this, &JobInspector::refresh);
    showNothing();
}

QWidget *JobInspector::buildHead()
{
    auto *box = new QWidget(this);
    m_name = plainLabel({}, box);
    QFont large = font();
    large.setBold(true);
    large.setPointSizeF(large.pointSizeF() * 1.15);
    m_name->setFont(large);
    m_name->setWordWrap(true);
    m_name->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_idLabel = plainLabel({}, box);
    m_idLabel->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_idLabel->setForegroundRole(QPalette::PlaceholderText);
    m_idLabel->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    // If the dock is narrower than the id, the id is cut instead of widening the dock.
    m_idLabel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_stateIcon = new QLabel(box);
    m_state = plainLabel({}, box);
    QFont bold = font();
    bold.setBold(true);
    m_state->setFont(bold);
    m_reason = new LineLabel(box);
    QSizePolicy retaining = m_reason->sizePolicy();
    retaining.setRetainSizeWhenHidden(true); // or the tabs below would move with each start and end
    m_reason->setSizePolicy(retaining);
    m_reason->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_progress = new QProgressBar(box);
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->hide();
    m_buttons = new QWidget(box);

    const int gap = fontMetrics().height() / 2;
    auto *state = new QHBoxLayout;
    state->addWidget(m_stateIcon);
    state->addWidget(m_state, 1);
    auto *layout = new QVBoxLayout(box);
    layout->setContentsMargins(gap, gap, gap, gap);
    layout->setSpacing(gap / 2);
    layout->addWidget(m_name);
    layout->addWidget(m_idLabel);
    layout->addLayout(state);
    layout->addWidget(m_buttons);
    layout->addWidget(m_progress);
    layout->addWidget(m_reason);
    return box;
}

QWidget *JobInspector::buildAttempts()
{
    m_attempts = new AttemptsModel(this);
    auto *view = new Tinted<QTableView>(this);
    view->setModel(m_attempts);
    view->setAccessibleName(tr("Attempts"));
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setSelectionMode(QAbstractItemView::SingleSelection);
    view->setAlternatingRowColors(true);
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->setFrameShape(QFrame::NoFrame);
    view->setTabKeyNavigation(false);
    view->verticalHeader()->hide();
    view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setRowLines(*view, 1);
    view->horizontalHeader()->setStretchLastSection(true);
    view->horizontalHeader()->setHighlightSections(false);
    const int characters[] = {4, 13, 13, 17, 11, 30, 14};
    view->horizontalHeader()->setMinimumSectionSize(3 * characterWidth(fontMetrics()));
    for (int column = 0; column < AttemptsModel::columns; ++column)
        view->setColumnWidth(column, characters[column] * characterWidth(fontMetrics()));
    // The pane is narrow. Why an attempt ended is seen first.
    const AttemptsModel::Column first[] = {AttemptsModel::Number, AttemptsModel::Ended, AttemptsModel::Message};
    for (int place = 0; place < int(std::size(first)); ++place)
        view->horizontalHeader()->moveSection(view->horizontalHeader()->visualIndex(first[place]), place);
    return view;
}

void JobInspector::buildTabs()
{
    m_tabs = new QTabWidget(this);
    m_tabs->setDocumentMode(true);
    m_failure = new ErrorView(m_tabs);
    m_tabs->addTab(m_failure, tr("Error"));
    m_tabs->addTab(buildAttempts(), tr("Attempts"));
    m_argument = new PayloadView(tr("Argument"), m_tabs);
    m_tabs->addTab(m_argument, tr("Argument"));
    m_result = new PayloadView(tr("Outcome"), m_tabs);
    m_tabs->addTab(m_result, tr("Outcome"));
    m_explain = new ExplainView(m_client, m_preferences, m_tabs);
    m_tabs->addTab(m_explain, tr("Why not running"));
    connect(m_explain, &ExplainView::jobRequested, this, &JobInspector::openRequested);
    connect(m_explain, &ExplainView::constraintRequested, this, &JobInspector::constraintRequested);
    m_history = new JobHistory(m_tabs);
    m_tabs->addTab(m_history, tr("History"));
    m_fields = new JobFields(m_client, m_preferences, m_tabs);
    m_tabs->addTab(m_fields, tr("Fields"));
    connect(m_fields, &JobFields::jobRequested, this, &JobInspector::openRequested);
    m_tabs->setCurrentIndex(ArgumentTab);
    // Error and Argument give way to each other, until the operator chooses another tab.
    connect(m_tabs, &QTabWidget::currentChanged, this, [this](int tab) {
        if (m_choosesTab)
            return;
        if (!m_job) // it is still read; the tab stays when it has come
            m_tabOf = m_id;
        else if (m_job->state != JobState::Failed)
            m_otherTab = tab;
        else if (tab != WhyTab) // there is nothing to find out about the next one
            m_failedTab = tab;
    });
    m_tabs->setFocusPolicy(Qt::NoFocus); // its own tabs are hidden: Tab would end there
    m_tabRow = new TabRow(m_tabs->tabBar(), this);
    m_reveal = new QToolButton(m_tabRow);
    m_reveal->setText(tr("Reveal…"));
    m_reveal->setAutoRaise(true);
    m_reveal->setToolTip(tr("Show hidden values of this job. Viewing them is logged."));
    m_reveal->setAccessibleName(tr("Reveal hidden values"));
    m_reveal->hide();
    m_tabRow->append(m_reveal);
    connect(m_reveal, &QToolButton::clicked, this, [this] {
        const auto agreed = [this, epoch = m_epoch] {
            if (epoch == m_epoch)
                reveal();
        };
        const Question question{tr("Show the hidden values of this job?"), tr("Viewing them is logged."), tr("Show")};
        ask(window(), m_client, question, agreed);
    });
}

QString JobInspector::reason() const
{
    return m_reason->line();
}

void JobInspector::setFilter(FilterBar *bar, ConditionUses uses)
{
    m_filter = bar;
    m_uses = std::move(uses);
    m_argument->setOffer([this](QMenu *menu, const QModelIndex &part) { offerPart(menu, part); });
}

// Hidden values are not offered, because a search for what is shown in their place finds nothing, and a filter would keep those that were
// revealed.
void JobInspector::offerPart(QMenu *menu, const QModelIndex &part)
{
    QList<QByteArray> keys;
    for (QModelIndex at = part.siblingAtColumn(0); at.parent().isValid(); at = at.parent())
        keys.prepend(at.data(PayloadModel::KeyRole).toByteArray());
    const std::optional<Condition> condition = partCondition(keys, part.data(PayloadModel::BytesRole).toByteArray());
    if (m_job && (!m_job->masked || m_revealed.isEmpty()) && condition)
        offerCondition(menu, menu->insertSeparator(menu->actions().value(0)), m_filter, *condition, m_uses);
}

void JobInspector::setActions(JobActions *actions)
{
    auto *layout = new FlowLayout(m_buttons);
    layout->setContentsMargins({});
    layout->setSpacing(fontMetrics().height() / 4);
    for (QAction *action : {actions->retry(), actions->cancel()}) {
        auto *button = new QToolButton(m_buttons);
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        layout->addWidget(button);
    }
    const std::pair<QAction *, QString> icons[] = {
        {actions->edit(), tr("Edit the job")}, {actions->star(), tr("Star the job")}, {actions->copyId(), tr("Copy the job's ID")}};
    for (const auto &[action, name] : icons) {
        auto *button = new QToolButton(m_buttons);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setAccessibleName(name);
        layout->addWidget(button);
    }
    auto *more = new QToolButton(m_buttons);
    more->setIcon(Look::icon(Icon::More));
    more->setAutoRaise(true);
    more->setToolTip(tr("More to do with this job"));
    more->setAccessibleName(more->toolTip());
    auto *menu = new QMenu(more);
    for (QAction *action : actions->others())
        menu->addAction(action);
    // The menu is opened here, because a button with a menu of its own paints an arrow over its icon.
    connect(more, &QToolButton::clicked, menu, [more, menu] { menu->popup(more->mapToGlobal(more->rect().bottomLeft())); });
    layout->addWidget(more);
}

void JobInspector::show(const JobId &id)
{
    if (id == m_id || id.isNull())
        return;
    m_id = id;
    m_job.reset();
    m_error.reset();
    m_outcome.clear();
    m_hidden.clear();
    m_revealed.clear();
    m_peeked = m_isGone = false;
    ++m_epoch;
    m_client.cancel(m_call);
    m_call = 0;
    refresh();
    Q_EMIT jobChanged();
}

void JobInspector::showNothing()
{
    ++m_epoch;
    m_client.cancel(m_call);
    m_call = 0;
    m_id = {};
    m_isGone = false;
    m_job.reset();
    m_error.reset();
    m_hidden.clear();
    m_revealed.clear();
    say();
    Q_EMIT jobChanged();
}

void JobInspector::refresh()
{
    if (m_call != 0 || m_id.isNull()) {
        m_again = m_call != 0; // what is under way may have been read before the change that is looked for
        return;
    }
    m_again = false;
    m_call = m_client.job(m_id, client::guarded<Job>(this, [this, epoch = m_epoch](Result<Job> answer) {
        if (epoch != m_epoch)
            return;
        m_call = 0;
        came(std::move(answer));
        if (m_again)
            refresh();
    }));
}

void JobInspector::came(Result<Job> answer)
{
    if (answer.ok()) {
        const bool finishedNow = !m_job || m_job->finishedAt_ms != answer->finishedAt_ms;
        m_job = std::move(answer).value();
        m_isGone = false;
        m_error.reset();
        if (m_job->spec.argument != m_hidden)
            m_revealed.clear(); // it is another one now
        if (!m_job->outcome.isEmpty()) {
            if (m_revealed.isEmpty())
                m_outcome = m_job->outcome;
        } else if (finishedNow) {
            m_outcome.clear();
            m_peeked = false;
            if (m_job->resultKept)
                peek(client::Reveal::No);
        }
    } else if (answer.error().code == ErrorCode::NotFound && m_job && isFinal(m_job->state)) {
        m_isGone = true; // who reads it goes on reading
    } else if (answer.error().code == ErrorCode::NotFound || !m_job) {
        m_job.reset();
        m_error = answer.error();
    } // else: what was known stays, and the window says that it is old
    say();
    Q_EMIT jobChanged();
}

// Asks for what is hidden, once: what is shown from then on stays until the job or its argument is another.
void JobInspector::reveal()
{
    if (!m_job)
        return;
    m_client.job(m_id, client::Reveal::Yes, client::guarded<Job>(this, [this, epoch = m_epoch](Result<Job> answer) {
        if (epoch != m_epoch || !m_job)
            return;
        if (!answer.ok()) {
            Q_EMIT revealFailed(tr("Refused: %1").arg(reasonText(answer.error().reason)));
            return;
        }
        m_hidden = m_job->spec.argument;
        m_revealed = answer->spec.argument;
        if (!answer->outcome.isEmpty())
            m_outcome = answer->outcome;
        else if (m_job->resultKept)
            peek(client::Reveal::Yes);
        say();
    }));
}

bool JobInspector::hasHidden() const
{
    return m_job && m_revealed.isEmpty() && (m_job->masked || m_outcome.contains(mask_text));
}

void JobInspector::peek(client::Reveal reveal)
{
    m_client.peekResult(m_id, client::guarded<ResultNow>(this, [this, epoch = m_epoch](Result<ResultNow> answer) {
        if (epoch != m_epoch)
            return;
        m_peeked = true;
        if (answer.ok() && answer->status == ResultStatus::Ready)
            m_outcome = answer->outcome;
        sayOutcome();
        m_reveal->setVisible(hasHidden());
    }), reveal);
}

void JobInspector::say()
{
    if (!m_job) {
        if (m_id.isNull())
            m_empty->say(Icon::Search, tr("No job selected"), tr("Select a job to look into it."));
        else if (!m_error)
            m_empty->say(Icon::Hourglass, tr("Loading…"), QString::fromLatin1(m_id.text()));
        else if (m_error->code == ErrorCode::NotFound)
            m_empty->say(Icon::Search, tr("Job not found"),
                         tr("%1\nFinished jobs are kept for a while and then removed.").arg(QString::fromLatin1(m_id.text())));
        else
            m_empty->say(Icon::Warning, tr("The job could not be read"), reasonText(m_error->reason), tr("Try again"));
        m_stack->setCurrentIndex(0);
        return;
    }
    const qint64 now_ms = m_feed.now_ms();
    const Format format = m_preferences.format();
    m_stack->setCurrentIndex(1);
    sayHead();
    m_timeline->setFormat(format);
    m_timeline->setJob(*m_job, now_ms);
    m_attempts->setFormat(format);
    m_attempts->setAttempts(m_job->attempts, now_ms);
    m_tabs->setTabText(AttemptsTab, tr("Attempts (%1)").arg(m_job->attempts.size()));
    m_reveal->setVisible(hasHidden());
    for (PayloadView *value : {m_argument, m_result})
        value->setOwner(tr("%1 %2", "a name, an ID").arg(shown(m_job->spec.name), QString::fromLatin1(m_job->id.text())));
    if (!m_revealed.isEmpty())
        m_argument->setBytes(m_revealed);
    else if (!m_job->masked && m_job->argument_bytes > m_job->spec.argument.size())
        m_argument->setNote(tr("The argument is %1 long and was left out.").arg(format.bytes(m_job->argument_bytes)));
    else
        m_argument->setBytes(m_job->spec.argument);
    sayOutcome();
    chooseTab();
    ExplainView::Others others;
    if (const std::optional<Overview> &overview = m_feed.overview()) {
        for (const PriorityNow &each : overview->priorities)
            others.better += each.priority < m_job->spec.priority ? each.jobs : 0;
        others.unasked = overview->unasked.jobs;
    }
    m_explain->setJob(*m_job, now_ms, others);
    m_tabRow->refresh();
    m_history->setJob(*m_job, format, now_ms);
    m_fields->setJob(*m_job);
}

// A failed job is opened at its error, unless the operator reads another tab of each failed job. What was read of others does not count.
void JobInspector::chooseTab()
{
    if (std::exchange(m_tabOf, m_job->id) == m_job->id)
        return;
    const bool failed = m_job->state == JobState::Failed;
    const int chosen = failed ? m_failedTab : m_otherTab;
    m_choosesTab = true;
    m_tabs->setCurrentIndex(chosen >= 0 ? chosen : failed ? ErrorTab : ArgumentTab);
    m_choosesTab = false;
}

void JobInspector::sayHead()
{
    const Job &job = *m_job;
    m_name->setText(shown(job.spec.name));
    m_idLabel->setText(QString::fromLatin1(job.id.text()));
    m_idLabel->setToolTip(m_idLabel->text());
    const int side = fontMetrics().height();
    m_stateIcon->setPixmap(Look::icon(job.state).pixmap(QSize(side, side), devicePixelRatioF()));
    QString state = Look::word(job.state);
    if (job.state == JobState::Running && job.cancelRequested)
        state = tr("%1, cancel asked").arg(state);
    m_state->setText(state);
    QPalette colored = palette();
    colored.setColor(QPalette::WindowText, Look::color(job.state, palette()));
    m_state->setPalette(colored);

    QStringList reasons;
    if ((job.state == JobState::Failed || job.state == JobState::Cancelled) && !job.reason.isEmpty())
        reasons.append(Look::reason(job.reason));
    if (job.state == JobState::Scheduled && job.runAt_ms > 0)
        reasons.append(tr("runs at %1").arg(m_preferences.format().timeToday(job.runAt_ms, m_feed.now_ms())));
    if (job.state == JobState::Running && !job.worker.isEmpty())
        reasons.append(tr("on %1").arg(shown(job.worker)));
    if (!job.message.isEmpty() && job.state != JobState::Succeeded)
        reasons.append(isFinal(job.state) ? Look::message(job.message) : tr("last failure: %1").arg(Look::message(job.message)));
    if (job.deletedAt_ms > 0)
        reasons.prepend(tr("in the trash since %1").arg(m_preferences.format().timeToday(job.deletedAt_ms, m_feed.now_ms())));
    if (m_isGone)
        reasons.prepend(tr("no longer kept"));
    if (!job.progress.message.isEmpty() && job.state == JobState::Running)
        reasons.append(shownFirstLine(job.progress.message));
    m_reason->setLine(reasons.join(QStringLiteral(" · ")));
    m_reason->setVisible(!reasons.isEmpty());
    const bool progress = job.state == JobState::Running && job.progress.total > 0;
    if (progress)
        m_progressed = job.id;
    QSizePolicy policy = m_progress->sizePolicy();
    policy.setRetainSizeWhenHidden(m_progressed == job.id); // what stands below must not move when the job ends
    m_progress->setSizePolicy(policy);
    m_progress->setVisible(progress);
    if (progress) {
        m_progress->setRange(0, 1000);
        m_progress->setValue(int(1000 * std::clamp(job.progress.done / job.progress.total, 0.0, 1.0)));
    }
}

void JobInspector::sayOutcome()
{
    if (!m_job)
        return;
    m_failure->setJob(*m_job, m_outcome);
    if (!m_outcome.isEmpty())
        m_result->setBytes(m_outcome);
    else if (!isFinal(m_job->state))
        m_result->setNote(tr("The job has not finished."));
    else if (m_job->resultKept && !m_peeked)
        m_result->setNote(tr("Loading…"));
    else if (m_job->resultKept)
        m_result->setNote(tr("The result could not be read just now."));
    else if (m_job->spec.keepResult)
        m_result->setNote(tr("The result was collected, or it expired."));
    else
        m_result->setNote(tr("The pusher did not ask for the result to be kept."));
}

void JobInspector::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_job)
        sayHead();
}

} // namespace junban::ui
