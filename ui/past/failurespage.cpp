#include "ui/past/failurespage.h"

#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/limits/argumentpaths.h"
#include "ui/limits/condition.h"
#include "ui/limits/filterbar.h"
#include "ui/limits/savedfilters.h"
#include "ui/operations/bulkwork.h"
#include "ui/past/trendview.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/flowlayout.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/recordlist.h"
#include "ui/widgets/steadybutton.h"

#include <QAction>
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QShowEvent>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <limits>

namespace junban::ui {

namespace {

enum Column { CauseColumn, NameColumn, ReasonColumn, FailuresColumn, LastHourColumn, TrendColumn, FirstColumn, LastColumn, FailedColumn };

// In the order of the combo box.
constexpr GroupState states[] = {GroupState::Open, GroupState::Resolved, GroupState::Muted, GroupState::All};

} // namespace

// The jobs of several causes, which are read one cause after the other.
struct FailuresPage::Together {
    QList<Cause> causes;
    qsizetype at = 0;
    Selection selection;
};

FailuresPage::FailuresPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent)
    : Page(client, feed, preferences, parent)
{
    m_query.state = states[0];
    m_query.limit = limits::page_rows_max;
    using enum RecordColumn::Side;
    using enum RecordColumn::Sort;
    m_list = new RecordList({{tr("Cause"), 44, Left, {}, Up}, {tr("Name"), 18, Left, {}, Up, false, false, true},
                             {tr("Reason"), 14, Left, {}, Up, true, false, true},
                             {tr("Failures"), 12, Right, tr("Failed attempts in this period"), Down},
                             {tr("Last hour"), 10, Right, {}, Down, false, true}, {tr("Trend"), 12, Left, {}, None, false, true},
                             {tr("First"), 18, Left, {}, Down, true, true},
                             {tr("Last"), 18, Left, {}, Down, true}, {tr("Failed jobs"), 12, Right, tr("Jobs that are failed now"), Down}},
                            tr("Failures"), this);
    m_list->table()->setSort(LastColumn, Qt::DescendingOrder);
    m_list->table()->remember(preferences, QStringLiteral("failures/header"));
    m_list->table()->allowSeveral();
    setRowLines(*m_list->table(), 2);
    buildActions();
    m_detail = buildDetail();
    arrange({buildHead(), buildFilter()}, m_list, m_detail, Detail::UntilChosen);
    // Not before: an order that is remembered is one that has changed, too.
    connect(m_list->table(), &RecordTable::sortChanged, this, &FailuresPage::sortAnew);
    connect(m_list->table(), &RecordTable::chosenChanged, this, [this](const QByteArray &key) {
        if (m_chosen && m_cause.key != key)
            m_chosen.reset();
        sayDetail();
        askChosen();
    });
    connect(m_list, &RecordList::moreRequested, this, &FailuresPage::toggleFolded);
    connect(m_list->empty(), &EmptyState::actionTriggered, this, [this] {
        if (!unreadable() && m_folded > 0) {
            toggleFolded();
            return;
        }
        if (!unreadable() && !m_query.match.isEmpty())
            m_bar->setFilter({});
        else if (!unreadable())
            m_state->setCurrentIndex(int(std::size(states)) - 1);
        refresh();
    });
    connect(&m_preferences, &Preferences::formatChanged, this, &FailuresPage::say);
    say();
}

QWidget *FailuresPage::buildHead()
{
    auto *box = new QWidget(this);
    auto *layout = new FlowLayout(box);
    const int gap = fontMetrics().height() / 2;
    layout->setContentsMargins(gap, gap, gap, gap);
    layout->setSpacing(gap / 2);
    layout->addWidget(plainLabel(tr("Period"), box));
    m_windows = new QButtonGroup(this);
    const QString words[] = {tr("1 h"), tr("3 h"), tr("24 h"), tr("3 d"), tr("7 d")};
    for (int window = 0; window < int(std::size(words)); ++window) {
        auto *button = new QToolButton(box);
        button->setText(words[window]);
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setChecked(window == int(m_query.period));
        button->setAccessibleName(tr("Failures of the last %1").arg(words[window]));
        m_windows->addButton(button, window);
        layout->addWidget(button);
    }
    connect(m_windows, &QButtonGroup::idClicked, this, [this](int window) { setWindow(client::FailurePeriod(window)); });
    m_state = new QComboBox(box);
    m_state->addItems({tr("unresolved"), tr("resolved"), tr("muted"), tr("all states")});
    m_state->setAccessibleName(tr("State of the groups"));
    connect(m_state, &QComboBox::currentIndexChanged, this, [this](int state) {
        m_query.state = states[state];
        askAnew();
    });
    layout->addWidget(m_state);
    layout->addWidget(plainLabel(tr("Group by"), box));
    m_by = new QComboBox(box);
    m_by->addItems({tr("cause"), tr("name"), tr("reason"), tr("worker")});
    m_by->setAccessibleName(tr("Group by"));
    connect(m_by, &QComboBox::currentIndexChanged, this, [this](int by) {
        m_groupedBy = By(by);
        m_list->setRecords({});
        askAnew();
    });
    layout->addWidget(m_by);
    return box;
}

QWidget *FailuresPage::buildFilter()
{
    auto *box = new QWidget(this);
    QHBoxLayout *layout = headLine(box);
    layout->setContentsMargins(layout->contentsMargins() - QMargins(0, layout->contentsMargins().top(), 0, 0)); // the line above has a gap
    m_bar = new FilterBar(m_preferences, Searched::Failures, box);
    m_bar->append(new SavedFilters(m_client, m_preferences, *m_bar, FilterScreen::Failures, m_bar));
    layout->addWidget(m_bar);
    connect(m_bar, &FilterBar::entered, m_list->table(), qOverload<>(&QWidget::setFocus));
    setTabOrder(m_bar->edit(), m_list->table());
    suggest();
    connect(m_bar, &FilterBar::applied, this, [this] {
        m_query.match = m_bar->match();
        askAnew();
    });
    return box;
}

// What the groups that are listed share is suggested, as long as nobody is writing.
void FailuresPage::suggest()
{
    if (m_bar->edit()->hasFocus() || !m_query.match.isEmpty())
        return;
    QList<Job> alike;
    for (const Cause &group : std::as_const(m_causes)) {
        Job job;
        job.spec.name = group.name;
        job.reason = group.reason;
        job.worker = group.workers.isEmpty() ? QByteArray() : group.workers.first().first;
        alike.append(job);
    }
    m_bar->setSuggestions(suggestionsFrom(m_groupedBy == By::Cause ? alike : QList<Job>(), cel::groupEnvironment()));
}

void FailuresPage::offerCell(QMenu *menu, const QModelIndex &cell)
{
    const QByteArray key = cell.data(RecordModel::KeyRole).toByteArray();
    const auto group = std::find_if(m_causes.cbegin(), m_causes.cend(), [&](const Cause &each) { return each.key == key; });
    if (group == m_causes.cend())
        return;
    const Condition name{"job.name", quotedText(group->sum ? group->key : group->name), Condition::Is::Equal, true, true};
    const Condition reason{"job.reason", quotedText(group->sum ? group->key : group->reason), Condition::Is::Equal, false};
    const Condition others = group->sum ? Condition{"job.worker", quotedText(group->key), Condition::Is::Equal, false}
                                        : Condition{"job.message", quotedText(group->title), Condition::Is::Equal, false};
    const bool ofName = group->sum ? m_groupedBy == By::Name : cell.column() == 1;
    const bool ofReason = group->sum ? m_groupedBy == By::Reason : cell.column() == 2;
    const ConditionUses uses{[this](const QByteArray &expression) { Q_EMIT matcherRequested(expression); },
                             [this](const QByteArray &expression) { Q_EMIT pauseRequested(expression); }};
    if (cell.column() <= 2)
        offerCondition(menu, menu->actions().value(0), m_bar, ofName ? name : ofReason ? reason : others, uses);
    if (cell.column() == CauseColumn && !group->sum)
        offerConditions(menu, menu->actions().value(0), tr("Name and reason"), m_bar, {name, reason}, uses);
}

void FailuresPage::buildActions()
{
    m_retry = new QAction(Look::icon(Icon::Refresh), tr("&Retry…"), this);
    m_show = new QAction(Look::icon(Icon::Jobs), tr("&Show jobs"), this);
    m_mute = new QAction(Look::icon(Icon::Pause), tr("&Mute for an hour"), this);
    m_resolve = new QAction(Look::icon(Icon::Check), tr("Mark as reso&lved"), this);
    m_resolve->setToolTip(tr("The next failure reopens it"));
    setTexts(*m_mute, {tr("&Mute for an hour"), tr("Un&mute")});
    setTexts(*m_resolve, {tr("Mark as reso&lved"), tr("Re&open")});
    connect(m_retry, &QAction::triggered, this, [this] {
        if (const QList<Cause> causes = chosenCauses(); causes.size() > 1)
            askRetryTogether(causes);
        else if (m_chosen)
            askRetry(m_cause);
    });
    connect(m_show, &QAction::triggered, this, [this] {
        if (m_chosen)
            Q_EMIT causeRequested(m_cause.key, m_cause.name, titleOf(m_cause));
    });
    connect(m_mute, &QAction::triggered, this, &FailuresPage::toggleMute);
    connect(m_resolve, &QAction::triggered, this, &FailuresPage::toggleResolved);
    offer(m_list, actions(), [this](QMenu *menu, const QModelIndex &cell) { offerCell(menu, cell); });
}

QWidget *FailuresPage::buildDetail()
{
    auto *box = new QWidget(this);
    m_title = titleLabel(box);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_about = aboutLabel(box);
    m_jobs = new RecordList({{tr("Job"), 24}, {tr("Failed"), 16, RecordColumn::Side::Left, {}, RecordColumn::Sort::None, true},
                             {tr("Attempts"), 10}, {tr("Worker"), 14}, {tr("Message"), 40}},
                            tr("Jobs of this group"), box);
    m_jobs->empty()->say(Icon::Check, tr("No failed jobs left"), {});
    openJobsOf(m_jobs);
    m_workers = new RecordList({{tr("Worker"), 16}, {tr("Failures"), 10, RecordColumn::Side::Right},
                                {tr("Share"), 8, RecordColumn::Side::Right}}, tr("Workers of this group"), box);
    m_workers->empty()->say(Icon::Search, tr("No known workers"), {});
    m_trend = new TrendView(box);
    auto *left = new QTabWidget(box);
    left->setDocumentMode(true);
    left->addTab(m_jobs, tr("Failed jobs"));
    auto *right = new QTabWidget(box);
    right->setDocumentMode(true);
    right->addTab(m_trend, tr("Trend"));
    right->addTab(m_workers, tr("Workers"));
    m_panes = new QWidget(box);
    auto *panes = new QHBoxLayout(m_panes);
    panes->setContentsMargins({});
    panes->setSpacing(fontMetrics().height() / 2);
    panes->addWidget(left, 5);
    panes->addWidget(right, 3);
    QVBoxLayout *layout = layOutDetail(box, {m_title, m_about}, actions());
    layout->addWidget(m_panes, 1);
    layout->addStretch(); // in place of the panes while they are hidden
    return box;
}

void FailuresPage::setWindow(client::FailurePeriod window)
{
    m_query.period = window;
    m_windows->button(int(window))->setChecked(true);
    askAnew();
}

// Asks again after the choice has changed, and drops answers to the choice before.
void FailuresPage::askAnew()
{
    m_sorted = true;
    ++m_epoch;
    m_client.cancel(m_call);
    m_call = 0;
    refresh();
}

void FailuresPage::refresh()
{
    if (m_call != 0)
        return;
    if (m_groupedBy == By::Cause) {
        m_call = m_client.failures(m_query, client::guarded<FailureList>(this, [this, epoch = m_epoch](auto answer) {
            if (epoch != m_epoch)
                return;
            QList<Cause> causes;
            for (const FailureGroup &group : answer.ok() ? answer->groups : QList<FailureGroup>())
                causes.append(causeOf(group));
            came(answer, causes, answer.ok() && answer->next.isEmpty());
        }));
    } else {
        const auto by = SumBy(int(m_groupedBy) - 1);
        m_call = m_client.failureSums(m_query, by,
                                      client::guarded<FailureList>(this, [this, epoch = m_epoch](auto answer) {
            if (epoch != m_epoch)
                return;
            QList<Cause> causes;
            for (const FailureSum &sum : answer.ok() ? answer->sums : QList<FailureSum>())
                causes.append(causeOf(sum));
            came(answer, causes, answer.ok() && answer->complete);
        }));
    }
    askChosen();
}

template<typename T>
void FailuresPage::came(const Result<T> &answer, const QList<Cause> &causes, bool complete)
{
    m_call = 0;
    if (learned(answer)) {
        m_causes = causes;
        m_complete = complete;
        suggest();
    }
    say();
}

void FailuresPage::askChosen()
{
    const QByteArray signature = m_list->table()->chosen();
    m_client.cancel(m_chosenCall);
    m_chosenCall = 0;
    if (signature.isEmpty() || m_groupedBy != By::Cause)
        return;
    m_chosenCall = m_client.failureGroup(signature, m_query.period, jobs_max, {},
                                         client::guarded<FailurePage>(this, [this, signature](Result<FailurePage> page) {
        if (!page.ok() || signature != m_list->table()->chosen())
            return;
        m_chosen = std::move(page).value();
        m_cause = causeOf(m_chosen->group);
        sayDetail();
    }));
}

QString FailuresPage::titleOf(const Cause &group) const
{
    if (!group.title.isEmpty())
        return Look::message(group.title);
    return group.reason == "timeout" ? tr("(no message: it took too long)") : tr("(no message)");
}

// What stands below the cause.
QString FailuresPage::belowCause(const Cause &group) const
{
    if (group.sum)
        return tr("%Ln group(s)", nullptr, int(group.groups));
    QStringList parts{shown(group.name), Look::reason(group.reason)};
    if (group.failed > 0)
        parts.append(tr("%1 failed now", "jobs").arg(format().count(group.failed)));
    return parts.join(QStringLiteral(" · "));
}

Cell FailuresPage::causeCell(const Cause &group) const
{
    if (group.sum)
        return {m_groupedBy == By::Reason ? Look::reason(group.key) : shown(group.key)};
    if (group.resolvedAt_ms > 0)
        return {titleOf(group), {}, Look::icon(JobState::Succeeded), Tone::Faint};
    if (group.mutedUntil_ms > m_feed.now_ms())
        return {titleOf(group), tr("Muted until %1").arg(format().timeToday(group.mutedUntil_ms, m_feed.now_ms())),
                Look::icon(Icon::Pause), Tone::Faint};
    return {titleOf(group), {}, Look::icon(JobState::Failed)};
}

Record FailuresPage::record(const Cause &group) const
{
    Record record{group.key, {causeCell(group)}};
    record.cells.first().below = belowCause(group);
    record.cells.append({group.sum ? tr("%Ln group(s)", nullptr, int(group.groups)) : shown(group.name), {}, {},
                         group.sum ? Tone::Faint : Tone::Plain});
    record.cells.append({group.sum ? QString() : Look::reason(group.reason)});
    record.cells.append({format().count(group.inPeriod), tr("%1 since it was first seen").arg(format().count(group.count))});
    record.cells.append({format().count(group.lastHour), {}, {}, group.lastHour > 0 ? Tone::Plain : Tone::Faint});
    QStringList trend;
    for (const double count : group.trend)
        trend.append(format().count(qint64(count)));
    record.cells.append({listed(trend), tr("Failures in each %1").arg(format().span(group.step_ms)), {}, Tone::Plain,
                         group.trend});
    record.cells.append({ago(group.firstAt_ms), format().dateTime(group.firstAt_ms)});
    record.cells.append({ago(group.lastAt_ms), format().dateTime(group.lastAt_ms)});
    record.cells.append({format().count(group.failed), {}, {}, group.failed > 0 ? Tone::Bad : Tone::Faint});
    return record;
}

bool FailuresPage::comesBefore(const Cause &a, const Cause &b) const
{
    switch (m_list->table()->sortColumn()) {
    case CauseColumn: return QString::localeAwareCompare(causeCell(a).text, causeCell(b).text) < 0;
    case NameColumn: return a.sum ? a.groups < b.groups : a.name < b.name;
    case ReasonColumn: return QString::localeAwareCompare(Look::reason(a.reason), Look::reason(b.reason)) < 0;
    case FailuresColumn: return a.inPeriod < b.inPeriod;
    case LastHourColumn: return a.lastHour < b.lastHour;
    case FirstColumn: return a.firstAt_ms < b.firstAt_ms;
    case FailedColumn: return a.failed < b.failed;
    default: return a.lastAt_ms < b.lastAt_ms;
    }
}

void FailuresPage::sortAnew()
{
    m_sorted = true;
    say();
}

// Who comes to the screen finds the order of now.
void FailuresPage::showEvent(QShowEvent *event)
{
    m_sorted = m_sorted || !event->spontaneous();
    Page::showEvent(event);
}

void FailuresPage::showCause(const QByteArray &signature)
{
    m_by->setCurrentIndex(int(By::Cause)); // else there is no row for it
    m_state->setCurrentIndex(0);
    m_bar->setFilter({});
    m_wanted = signature;
    say();
}

void FailuresPage::showMatching(const QByteArray &expression)
{
    m_by->setCurrentIndex(int(By::Cause));
    m_state->setCurrentIndex(0);
    m_bar->setFilter(QString::fromUtf8(expression));
}

// Rows keep their places while somebody points at one or has chosen one, unless it was asked for another order.
void FailuresPage::say()
{
    const bool down = m_list->table()->sortOrder() == Qt::DescendingOrder;
    std::stable_sort(m_causes.begin(), m_causes.end(), [this, down](const Cause &a, const Cause &b) {
        return down ? comesBefore(b, a) : comesBefore(a, b);
    });
    const bool isHeld = m_list->table()->isHeld();
    const auto isFolded = [&](const Cause &group) {
        return m_groupedBy == By::Cause && m_query.state == GroupState::Open && group.failed == 0
            && !(isHeld && m_list->model()->rowOf(group.key) >= 0);
    };
    const qint64 foldable = std::count_if(m_causes.cbegin(), m_causes.cend(), isFolded);
    for (const Cause &group : std::as_const(m_causes))
        m_unfolded = m_unfolded || (group.key == m_wanted && isFolded(group));
    m_folded = m_unfolded ? 0 : foldable;
    QList<Record> records;
    for (const Cause &group : std::as_const(m_causes)) {
        if (m_unfolded || !isFolded(group))
            records.append(record(group));
    }
    const bool held = !std::exchange(m_sorted, false) && m_list->table()->isHeld();
    m_list->setRecords(records, held ? RecordModel::Order::Held : RecordModel::Order::Given);
    if (m_list->model()->rowOf(m_wanted) >= 0)
        m_list->table()->choose(std::exchange(m_wanted, {}));
    qsizetype moved = 0;
    for (qsizetype row = 0; row < records.size(); ++row)
        moved += m_list->model()->keyAt(int(row)) != records[row].key;
    m_heldSince_ms = moved == 0 ? 0 : m_heldSince_ms > 0 ? m_heldSince_ms : m_feed.now_ms();
    const QString window = m_windows->checkedButton()->text();
    EmptyState *empty = m_list->empty();
    const bool unknown = saidUnknown(empty, tr("The failures could not be read"));
    if (!unknown && m_folded > 0)
        empty->say(Icon::Check, tr("No failed jobs right now"), foldedText(), tr("Show"));
    else if (!unknown && !m_query.match.isEmpty())
        empty->say(Icon::Search, tr("No group of failures matches"), m_bar->edit()->toPlainText(), tr("Clear filter"));
    else if (!unknown && (m_query.state == GroupState::Resolved || m_query.state == GroupState::Muted))
        empty->say(Icon::Search, tr("No group is %1").arg(m_state->currentText()), {}, tr("Show all states"));
    else if (!unknown)
        empty->say(Icon::Check, tr("Nothing failed in %1").arg(window), {});
    QStringList foot;
    if (!m_complete && m_groupedBy != By::Cause)
        foot.append(tr("Total of the latest groups only"));
    else if (!m_complete)
        foot.append(tr("The latest %Ln group(s)", nullptr, int(m_causes.size())));
    if (m_heldSince_ms > 0)
        foot.append(tr("the order is of %1, F5 sorts again").arg(format().time(m_heldSince_ms)));
    if (m_folded > 0 && !records.isEmpty())
        foot.append(foldedText());
    const bool folds = !records.isEmpty() && foldable > 0;
    m_list->setFoot(foot.join(QStringLiteral("  ·  ")), folds ? RecordList::More::Offered : RecordList::More::None,
                    m_unfolded ? tr("Hide causes without failed jobs") : tr("Show"));
    sayDetail();
}

QString FailuresPage::foldedText() const
{
    return tr("%Ln cause(s) without failed jobs now", nullptr, int(m_folded));
}

void FailuresPage::toggleFolded()
{
    m_unfolded = !m_unfolded;
    say();
}

QList<Cause> FailuresPage::chosenCauses() const
{
    QList<Cause> causes;
    for (const QByteArray &key : m_groupedBy == By::Cause ? m_list->table()->allChosen() : QByteArrayList()) {
        const auto found = std::find_if(m_causes.cbegin(), m_causes.cend(), [&key](const Cause &each) { return each.key == key; });
        if (found != m_causes.cend())
            causes.append(*found);
    }
    return causes;
}

void FailuresPage::saySeveral(const QList<Cause> &causes)
{
    qint64 failed = 0, failures = 0;
    for (const Cause &cause : causes) {
        failed += cause.failed;
        failures += cause.inPeriod;
    }
    m_detail->show();
    for (QAction *action : actions())
        action->setEnabled(false);
    m_retry->setToolTip(retryTip(failed));
    m_retry->setEnabled(failed > 0 && !m_gathering);
    m_title->setText(tr("%Ln causes are selected", nullptr, int(causes.size())));
    m_title->setToolTip({});
    const int shownFailures = int(std::min<qint64>(failures, std::numeric_limits<int>::max()));
    m_about->setText(tr("%Ln failure(s)", nullptr, shownFailures) + QStringLiteral(" · ")
                     + tr("failed jobs now: %1").arg(format().count(failed)));
    m_about->setToolTip({});
}

// How many there are is in the tip and beside the cause, as the button must not move those beside it.
QString FailuresPage::retryTip(qint64 failed) const
{
    return failed > 0 ? tr("Run the failed jobs again: %1").arg(format().count(failed)) : tr("No failed jobs left");
}

void FailuresPage::sayDetail()
{
    const QList<Cause> several = chosenCauses();
    m_panes->setVisible(several.size() <= 1);
    if (several.size() > 1) {
        saySeveral(several);
        return;
    }
    const bool chosen = m_chosen.has_value() && m_groupedBy == By::Cause && !m_list->table()->chosen().isEmpty();
    m_detail->setVisible(chosen);
    for (QAction *action : actions())
        action->setEnabled(chosen);
    if (!chosen)
        return;
    const Cause &group = m_cause;
    const bool muted = group.mutedUntil_ms > m_feed.now_ms();
    m_retry->setToolTip(retryTip(group.failed));
    m_retry->setEnabled(group.failed > 0);
    m_show->setEnabled(group.failed > 0);
    m_show->setToolTip(group.failed > 0 ? tr("The failed jobs of this group") : tr("No failed jobs left"));
    m_mute->setText(muted ? tr("Un&mute") : tr("&Mute for an hour"));
    m_resolve->setText(group.resolvedAt_ms > 0 ? tr("Re&open") : tr("Mark as reso&lved"));
    m_title->setText(titleOf(group));
    m_title->setToolTip(plainTip(m_title->text()));
    QStringList about{shown(group.name), Look::reason(group.reason), tr("failed jobs now: %1").arg(format().count(group.failed)),
                      tr("%Ln failure(s)", nullptr, int(group.count)),
                      tr("%1 of them final").arg(format().count(group.final)),
                      tr("first seen %1").arg(format().dateTime(group.firstAt_ms))};
    if (group.resolvedAt_ms > 0)
        about.append(tr("resolved %1").arg(ago(group.resolvedAt_ms)));
    if (muted)
        about.append(tr("muted until %1").arg(format().timeToday(group.mutedUntil_ms, m_feed.now_ms())));
    m_about->setText(about.join(QStringLiteral(" · ")));
    m_about->setToolTip(plainTip(m_about->text()));
    m_trend->setTrend(group.trend, group.step_ms, m_feed.now_ms(), format());
    sayJobs();
}

void FailuresPage::sayJobs()
{
    const Cause &group = m_cause;
    QList<Record> jobs;
    for (const Job &job : std::as_const(m_chosen->jobs)) {
        const QByteArray id = job.id.text();
        jobs.append({id, {{QString::fromLatin1(id), {}, Look::icon(job.state)},
                          {ago(job.finishedAt_ms), format().dateTime(job.finishedAt_ms)},
                          {tr("%1 of %2").arg(job.attempt).arg(Look::attemptsPossible(job))}, {shown(job.worker)},
                          {Look::message(job.message), Look::messageLines(job.message)}}});
    }
    m_jobs->setRecords(jobs);
    const bool more = m_chosen->total > m_chosen->jobs.size();
    m_jobs->setFoot(more ? tr("The newest %1 of %2").arg(format().count(m_chosen->jobs.size()), format().count(m_chosen->total))
                         : QString());
    qint64 all = 0;
    for (const auto &[worker, count] : group.workers)
        all += count;
    QList<Record> workers;
    for (const auto &[worker, count] : group.workers) {
        const auto percent = std::lround(100.0 * double(count) / double(std::max<qint64>(1, all)));
        workers.append({worker, {{shown(worker)}, {format().count(count)}, {tr("%1 %", "percent").arg(percent)}}});
    }
    m_workers->setRecords(workers);
}

void FailuresPage::askRetryOf(const QByteArray &signature)
{
    m_client.failureGroup(signature, m_query.period, 1, {}, client::guarded<FailurePage>(this, [this](Result<FailurePage> page) {
        if (page.ok())
            askRetry(causeOf(page->group));
        else
            Q_EMIT failed(tr("Refused: %1").arg(reasonText(page.error().reason)));
    }));
}

// Those that are failed now are retried: the master freezes them, so it does not chase those that fail again.
void FailuresPage::askRetry(const Cause &group)
{
    if (!m_bulk)
        return;
    Selection selection;
    selection.signature = group.key;
    m_bulk->ask({BulkAction::Retry, selection, whatOf(group)});
}

QString FailuresPage::whatOf(const Cause &group) const
{
    return tr("Name: %1\nCause: %2").arg(shown(group.name), titleOf(group));
}

// A selection of the API has one cause, so the failed jobs are named.
void FailuresPage::askRetryTogether(const QList<Cause> &causes)
{
    if (!m_bulk || m_gathering)
        return;
    auto together = std::make_shared<Together>();
    together->selection.state = JobState::Failed;
    for (const Cause &cause : causes) {
        if (cause.failed > 0)
            together->causes.append(cause);
    }
    if (together->causes.size() == 1) {
        askRetry(together->causes.first());
    } else if (!together->causes.isEmpty()) {
        m_gathering = true;
        sayDetail();
        gather(together, {});
    }
}

void FailuresPage::gather(const std::shared_ptr<Together> &together, const QByteArray &cursor)
{
    const auto came = [this, together](const Result<FailurePage> &page) {
        Selection &selection = together->selection;
        for (const Job &job : page.ok() ? page->jobs : QList<Job>())
            selection.ids.append(job.id);
        const bool tooMany = selection.ids.size() > limits::selection_ids_max;
        if (page.ok() && !tooMany && !page->next.isEmpty()) {
            gather(together, page->next);
            return;
        }
        if (page.ok() && !tooMany && ++together->at < together->causes.size()) {
            gather(together, {});
            return;
        }
        m_gathering = false;
        sayDetail();
        if (!page.ok()) {
            Q_EMIT failed(tr("Refused: %1").arg(reasonText(page.error().reason)));
            return;
        }
        if (tooMany) {
            Q_EMIT failed(tr("These causes have more than %1 failed jobs together. Retry fewer causes at a time.")
                              .arg(format().count(limits::selection_ids_max)));
            return;
        }
        if (selection.ids.isEmpty()) { // they all run again
            Q_EMIT failed(tr("No failed jobs left"));
            return;
        }
        QStringList what;
        for (const Cause &cause : together->causes.mid(0, together_max))
            what.append(tr("%1: %2", "a name, a cause").arg(shown(cause.name), titleOf(cause)));
        if (together->causes.size() > together_max)
            what.append(tr("and %Ln more cause(s)", nullptr, int(together->causes.size() - together_max)));
        m_bulk->ask({BulkAction::Retry, selection, what.join(QLatin1Char('\n'))});
    };
    m_client.failureGroup(together->causes[together->at].key, m_query.period, limits::page_rows_max, cursor,
                          client::guarded<FailurePage>(this, came));
}

void FailuresPage::toggleMute()
{
    if (!m_chosen)
        return;
    const bool muted = m_cause.mutedUntil_ms > m_feed.now_ms();
    const auto came = client::guarded<FailureGroup>(this, [this, muted](Result<FailureGroup> answer) {
        acted(answer, muted ? tr("Unmuted") : tr("Muted for an hour"));
    });
    if (muted)
        m_client.muteFailures(m_cause.key, 0, came);
    else
        m_client.muteFailuresFor(m_cause.key, mute_ms, came);
}

void FailuresPage::toggleResolved()
{
    if (!m_chosen)
        return;
    const bool resolved = m_cause.resolvedAt_ms > 0;
    m_client.resolveFailures(m_cause.key, !resolved,
                             client::guarded<FailureGroup>(this, [this, resolved](Result<FailureGroup> answer) {
        acted(answer, resolved ? tr("Reopened") : tr("Marked as resolved"));
    }));
}

} // namespace junban::ui
