#include "ui/jobs/jobspage.h"

#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/jobs/jobcolumns.h"
#include "ui/limits/argumentpaths.h"
#include "ui/limits/condition.h"
#include "ui/limits/filterbar.h"
#include "ui/limits/savedfilters.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/flowlayout.h"
#include "ui/widgets/headertip.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/steadybutton.h"
#include "ui/widgets/tabrow.h"

#include <QCompleter>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QStringListModel>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <climits>
#include <numeric>

namespace junban::ui {

namespace {

constexpr int filterPause_ms = 250;
constexpr int loadingPause_ms = 200;
constexpr int namesOffered = 500;
constexpr int wideCharacters = 130; // from here on, the filter's fields stand in one line
constexpr int nameCharacters = 16, tagCharacters = 8; // that can be read in these fields, whatever stands beside them
constexpr int whichTabs = 100; // added to a tab's data when it is no state

} // namespace

JobsPage::JobsPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent)
    : QWidget(parent)
    , m_client(client)
    , m_feed(feed)
    , m_preferences(preferences)
    , m_view(new JobTableView(this))
    , m_list(client, feed, [this] { return m_view->selectedIds(); })
    , m_counts(client)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(buildFilter());
    layout->addWidget(buildTable(), 1);
    m_buttons = new QWidget(this);
    layout->addWidget(m_buttons);
    layout->addWidget(buildFoot());

    m_filterPause.setSingleShot(true);
    m_filterPause.setInterval(filterPause_ms);
    m_loadingPause.setSingleShot(true);
    m_loadingPause.setInterval(loadingPause_ms);
    connect(&m_filterPause, &QTimer::timeout, this, &JobsPage::applyFilter);
    connect(&m_loadingPause, &QTimer::timeout, this, &JobsPage::sayState);
    connect(&m_list, &JobList::changed, this, [this] {
        sayState();
        countFound();
    });
    connect(&m_list, &JobList::applying, m_view, &JobTableView::rememberTop);
    connect(&m_list, &JobList::applied, m_view, &JobTableView::restoreTop);
    connect(&m_list, &JobList::applying, this, [this] { m_applying = true; });
    connect(&m_list, &JobList::applied, this, [this] {
        m_applying = false;
        saySelection();
        QTimer::singleShot(0, this, &JobsPage::loadMore); // the view has not laid out the rows yet
    });
    connect(&m_counts, &TabCounts::changed, this, [this] {
        m_countedAt_ms = m_feed.now_ms();
        countTabs();
        sayState(); // an empty list says whether other states have some
    });
    connect(&m_feed, &Feed::arrived, this, [this] {
        if (isVisible())
            m_counts.beat();
        countTabs();
        m_view->viewport()->update(); // ages
    });
    connect(&m_preferences, &Preferences::formatChanged, this, [this] { m_list.model().setFormat(m_preferences.format()); });
    m_list.model().setFormat(m_preferences.format());
    showOrder();
    countTabs();
    sayState();
}

JobsPage::~JobsPage()
{
    // The list asks the view which jobs are selected, and the view is deleted first.
    m_list.disconnect(this);
    m_view->disconnect(this);
    m_view->setModel(nullptr);
}

void JobsPage::buildTabs(QWidget *box)
{
    m_tabs = new QTabBar(box);
    m_tabs->addTab(tr("All"));
    for (const JobState state : Look::states()) {
        const int tab = m_tabs->addTab(Look::icon(state), Look::word(state));
        m_tabs->setTabData(tab, int(state));
    }
    using client::JobsOf;
    // Only icons, to save room. Tooltips and accessible names have the words.
    const std::tuple<JobsOf, Icon, QString> others[] = {
        {JobsOf::Tracked, Icon::Star, tr("Starred")}, {JobsOf::Trash, Icon::Bin, tr("Trash")}};
    for (const auto &[of, icon, text] : others) {
        const int tab = m_tabs->addTab(Look::icon(icon), QString());
        m_tabs->setTabData(tab, whichTabs + int(of));
        m_tabs->setTabToolTip(tab, text);
        m_tabs->setAccessibleTabName(tab, text);
    }
    connect(m_tabs, &QTabBar::currentChanged, this, &JobsPage::applyFilter);
    m_tabRow = new TabRow(m_tabs, box);
    m_tabRow->setAccessibleName(tr("State"));
}

void JobsPage::buildFilterFields(QWidget *box)
{
    m_bar = new FilterBar(m_preferences, Searched::Jobs, box);
    m_saved = new SavedFilters(m_client, m_preferences, *m_bar, FilterScreen::Jobs, m_bar);
    m_bar->append(m_saved);
    connect(m_bar, &FilterBar::applied, this, &JobsPage::applyFilter);
    connect(m_bar, &FilterBar::entered, m_view, qOverload<>(&QWidget::setFocus));
    m_name = new QLineEdit(box);
    m_name->setPlaceholderText(tr("Name"));
    m_name->setAccessibleName(tr("Only jobs with this name"));
    m_name->setToolTip(tr("Only jobs with exactly this name; mail.* finds all names that begin with mail."));
    m_name->setClearButtonEnabled(true);
    m_name->addAction(Look::icon(Icon::Search), QLineEdit::LeadingPosition);
    m_names = new QStringListModel(this);
    auto *completer = new QCompleter(m_names, this);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_name->setCompleter(completer);
    m_tag = new QLineEdit(box);
    m_tag->setPlaceholderText(tr("Tag"));
    m_tag->setAccessibleName(tr("Only jobs with this tag"));
    m_tag->setToolTip(tr("Only jobs with exactly this tag"));
    m_tag->setClearButtonEnabled(true);
    // An icon takes a line's height, and there is one on the left and one on the right.
    const int character = characterWidth(fontMetrics()), icon = fontMetrics().height() * 3 / 2;
    m_name->setMinimumWidth(nameCharacters * character + 2 * icon);
    m_tag->setMinimumWidth(tagCharacters * character + icon);
    connect(m_name, &QLineEdit::textChanged, &m_filterPause, qOverload<>(&QTimer::start));
    connect(m_tag, &QLineEdit::textChanged, &m_filterPause, qOverload<>(&QTimer::start));
    for (QLineEdit *field : {m_name, m_tag}) {
        connect(field, &QLineEdit::returnPressed, this, &JobsPage::applyFilter);
        connect(field, &QLineEdit::returnPressed, m_view, qOverload<>(&QWidget::setFocus));
    }
}

QWidget *JobsPage::buildFilter()
{
    auto *box = new QWidget(this);
    buildTabs(box);
    buildFilterFields(box);
    m_clear = new QToolButton(box);
    m_clear->setText(tr("Clear filter"));
    m_clear->setIcon(Look::icon(Icon::Close));
    m_clear->setToolTip(m_clear->text());
    m_clear->setAccessibleName(m_clear->text());
    m_clear->setAutoRaise(true);
    connect(m_clear, &QToolButton::clicked, this, &JobsPage::clearFilter);
    m_freeze = new QToolButton(box);
    m_freeze->setIcon(Look::icon(Icon::Snowflake));
    m_freeze->setText(tr("Freeze"));
    m_freeze->setCheckable(true);
    m_freeze->setToolTip(tr("Stop updating the table (Space)"));
    connect(m_freeze, &QToolButton::clicked, this, &JobsPage::toggleFreeze);
    auto *again = new QToolButton(box);
    again->setIcon(Look::icon(Icon::Refresh));
    again->setAccessibleName(tr("Refresh"));
    again->setToolTip(tr("Refresh and go live (F5)"));
    connect(again, &QToolButton::clicked, this, &JobsPage::refresh);
    setTabOrder(again, m_view);

    const int gap = fontMetrics().height() / 2;
    m_line = new QBoxLayout(QBoxLayout::LeftToRight);
    m_line->setSpacing(gap);
    m_causeLabel = plainLabel({}, box);
    m_causeLabel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_causeLabel->hide();
    m_line->addWidget(m_causeLabel, 5);
    m_only = new QToolButton(box);
    m_only->setIcon(Look::icon(Icon::Close));
    m_only->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_only->setToolTip(tr("Search in all states"));
    m_only->hide();
    connect(m_only, &QToolButton::clicked, this, [this] { m_tabs->setCurrentIndex(0); });
    m_line->addWidget(m_only);
    m_line->addWidget(m_bar, 6);
    auto *line = new QHBoxLayout;
    line->setSpacing(gap);
    m_line->addLayout(line, 5);
    line->addWidget(m_name, 2);
    line->addWidget(m_tag, 1);
    line->addWidget(m_clear);
    line->addWidget(m_freeze);
    line->addWidget(again);
    auto *layout = new QVBoxLayout(box);
    layout->setContentsMargins(gap, gap, gap, gap);
    layout->setSpacing(gap);
    layout->addWidget(m_tabRow);
    layout->addLayout(m_line);
    // Fields that stand in one line must not widen a window that could have them in two.
    int least = 6 * gap + m_name->minimumWidth() + m_tag->minimumWidth();
    for (QToolButton *button : {m_clear, m_freeze, again}) {
        button->setToolButtonStyle(button == m_freeze ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
        least += button->sizeHint().width();
    }
    box->setMinimumWidth(least); // in place of what its layout needs
    return box;
}

QWidget *JobsPage::buildTable()
{
    auto *box = new QWidget(this);
    m_stack = new QStackedLayout(box);
    m_view->setModel(&m_list.model());
    m_view->setAccessibleName(tr("Jobs"));
    m_empty = new EmptyState(box);
    m_empty->setAutoFillBackground(true);
    m_empty->setBackgroundRole(QPalette::Base);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    m_columns = new JobColumns(*m_view, m_preferences, this);
    QHeaderView *header = m_view->horizontalHeader();
    header->setSectionsClickable(true);
    header->setSortIndicatorShown(true);
    m_columns->show({}); // a title needs room for the mark, too
    connect(header, &QHeaderView::sortIndicatorChanged, this, &JobsPage::sortBy);
    connect(header, &QHeaderView::sectionClicked, this, [this, header](int column) {
        if (JobTableModel::ordered(m_list.filter().state) != JobTableModel::Column(column))
            tipAtHeader(*header, column, m_list.model().headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
    });
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, &JobsPage::loadMore);
    connect(m_view, &JobTableView::freezeRequested, this, &JobsPage::toggleFreeze);
    connect(m_view, &JobTableView::openRequested, this, [this] { Q_EMIT openRequested(m_view->currentId()); });
    connect(m_view, &QTableView::doubleClicked, this, [this] { Q_EMIT openRequested(m_view->currentId()); });
    connect(m_view, &JobTableView::selectionMoved, this, [this] {
        m_allSelected = m_allSelected && m_applying; // rows that come and go are no choice of the operator
        saySelection();
        if (m_list.mode() == JobList::Mode::Live)
            m_list.model().dropGhosts(m_view->selectedIds());
        // Only a selected row counts, because a table that gets the focus makes its first row the current one.
        const JobId id = m_view->currentId();
        if (id != m_current && m_view->selectedIds().contains(id)) {
            m_current = id;
            Q_EMIT currentJobChanged(id);
        }
        Q_EMIT selectionChanged();
    });
    connect(m_view, &QWidget::customContextMenuRequested, this, &JobsPage::openJobMenu);
    connect(m_empty, &EmptyState::actionTriggered, this, [this] {
        if (m_list.phase() == JobList::Phase::Failed)
            m_list.refresh();
        else if (canSearchOn())
            m_list.searchFurther();
        else if (matchingElsewhere() > 0)
            m_tabs->setCurrentIndex(0);
        else
            clearFilter();
    });
    return box;
}

// They are always there and keep their places, whatever is selected.
void JobsPage::setActions(const QList<QAction *> &actions)
{
    auto *layout = new FlowLayout(m_buttons);
    const int gap = fontMetrics().height() / 2;
    layout->setContentsMargins(gap, gap / 2, gap, 0);
    layout->setSpacing(gap / 2);
    for (QAction *action : actions)
        layout->addWidget(new SteadyButton(action, m_buttons));
}

void JobsPage::saySelection()
{
    const int rows = m_list.model().rowCount(), selected = int(m_view->selectedIds().size());
    const QString total = m_preferences.format().count(m_list.coverage().total);
    const QString those = tr("%Ln row(s) are selected", nullptr, selected);
    const bool isPart = m_allSelected || (selected > 1 && (selected < rows || m_list.hasMore()));
    m_selectAll->setVisible(isPart && m_list.filter().cause.isEmpty() && m_list.filter().which != client::JobsOf::Tracked);
    if (selected == 0) {
        m_selectionText.clear();
    } else if (isWholeCauseSelected()) {
        m_selectionText = tr("%1; a retry runs all %2 of this cause").arg(those, total);
    } else if (m_allSelected) {
        m_selectionText = isFiltered() ? tr("All jobs that match are selected, also those that are not loaded")
                                       : tr("All %1 jobs of this list are selected, also those that are not loaded").arg(total);
        m_selectAll->setText(tr("Only the selected rows"));
    } else {
        m_selectionText = those;
        m_selectAll->setText(isFiltered() ? tr("Select all that match") : tr("Select all %1").arg(total));
    }
    sayFoot();
}

// What is selected comes before what the list shows.
void JobsPage::sayFoot()
{
    const QString foot = footText();
    m_foot->setLine(m_selectionText.isEmpty() ? foot : foot.isEmpty() ? m_selectionText : m_selectionText + QStringLiteral("  ·  ") + foot);
}

client::JobQuery JobsPage::query() const
{
    const JobList::Filter &filter = m_list.filter();
    return {.state = filter.state, .name = filter.name, .tag = filter.tag, .of = filter.which, .match = filter.match};
}

// Pages come while one scrolls: the next one when less than another screen of rows is left.
void JobsPage::loadMore()
{
    if (!isVisible() || m_list.isSearching() || !m_list.coverage().complete || !m_list.hasMore())
        return;
    const int height = m_view->viewport()->height();
    const int last = m_view->rowAt(height - 1);
    if (last < 0 || last + height / m_view->verticalHeader()->defaultSectionSize() >= m_list.model().rowCount())
        m_list.more();
}

// The master keeps jobs of one state in one order, which can be read from either end.
void JobsPage::sortBy(int column, Qt::SortOrder order)
{
    const std::optional<JobState> state = m_list.filter().state;
    if (JobTableModel::ordered(state) != JobTableModel::Column(column)) {
        showOrder();
        return;
    }
    setReversed(order != (isFinal(*state) ? Qt::DescendingOrder : Qt::AscendingOrder));
}

void JobsPage::setReversed(bool reversed)
{
    if (reversed == m_reversed)
        return;
    m_reversed = reversed;
    applyFilter();
}

void JobsPage::showOrder()
{
    const std::optional<JobState> state = m_list.filter().state;
    const std::optional<JobTableModel::Column> by = JobTableModel::ordered(state);
    const bool down = (state && isFinal(*state)) != m_reversed;
    const QSignalBlocker quiet(m_view->horizontalHeader());
    m_view->horizontalHeader()->setSortIndicator(by ? int(*by) : -1, down ? Qt::DescendingOrder : Qt::AscendingOrder);
    m_view->horizontalHeader()->viewport()->update();
}

QWidget *JobsPage::buildFoot()
{
    auto *box = new QWidget(this);
    m_foot = new LineLabel(box);
    m_selectAll = new QPushButton(box);
    m_selectAll->hide(); // saySelection() gives it a text
    connect(m_selectAll, &QPushButton::clicked, this, [this] {
        const bool all = !m_allSelected;
        if (all)
            m_view->selectAll();
        m_allSelected = all;
        m_view->setFocus(); // whose keys act on them
        saySelection();
        Q_EMIT selectionChanged();
    });
    m_search = new QPushButton(box);
    connect(m_search, &QPushButton::clicked, this, [this] {
        if (m_list.isSearching())
            m_list.stopSearch();
        else
            m_list.searchFurther();
    });
    m_progress = new QProgressBar(box);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(characterWidth(fontMetrics()) * 24);
    m_progress->setAccessibleName(tr("Search progress"));
    m_progress->hide();
    auto *layout = new QHBoxLayout(box);
    const int gap = fontMetrics().height() / 2;
    layout->setContentsMargins(gap, gap / 2, gap, gap / 2);
    layout->addWidget(m_selectAll); // on the left, as it comes and goes, and the other button has its place on the right
    layout->addWidget(m_foot, 1);
    layout->addWidget(m_progress);
    layout->addWidget(m_search);
    m_search->setText(tr("Stop"));
    box->setFixedHeight(m_search->sizeHint().height() + 2 * (gap / 2)); // also without a button
    return box;
}

void JobsPage::showState(std::optional<JobState> state)
{
    for (int tab = 0; tab < m_tabs->count(); ++tab) {
        const QVariant tabState = m_tabs->tabData(tab);
        if (state ? tabState.isValid() && tabState.toInt() == int(*state) : !tabState.isValid()) {
            m_tabs->setTabVisible(tab, true);
            m_tabs->setCurrentIndex(tab);
        }
    }
    applyFilter();
}

void JobsPage::showWhich(client::JobsOf which)
{
    for (int tab = 0; tab < m_tabs->count(); ++tab) {
        if (m_tabs->tabData(tab).toInt() == whichTabs + int(which))
            m_tabs->setCurrentIndex(tab);
    }
}

QByteArray JobsPage::place() const
{
    const QVariant tab = m_tabs->tabData(m_tabs->currentIndex());
    const QString filter = m_bar->match().isEmpty() ? QString() : m_bar->edit()->toPlainText();
    return (tab.isValid() ? QByteArray::number(tab.toInt()) : QByteArray("all")) + ' ' + filter.toUtf8().replace('\n', ' ');
}

void JobsPage::restorePlace(const QByteArray &line)
{
    const qsizetype end = line.indexOf(' ');
    bool isTab = false;
    const int wanted = line.left(end).toInt(&isTab);
    for (int tab = 0; isTab && tab < m_tabs->count(); ++tab) {
        if (m_tabs->tabData(tab).isValid() && m_tabs->tabData(tab).toInt() == wanted) {
            m_tabs->setTabVisible(tab, true);
            m_tabs->setCurrentIndex(tab);
        }
    }
    if (end >= 0 && end + 1 < line.size())
        m_bar->setFilter(QString::fromUtf8(line.mid(end + 1)));
}

void JobsPage::showName(const QByteArray &name)
{
    showJobs({}, name, {});
}

void JobsPage::showJobs(std::optional<JobState> state, const QByteArray &name, const QByteArray &match)
{
    m_cause.clear();
    m_bar->setFilter(QString::fromUtf8(match));
    m_name->setText(QString::fromUtf8(name));
    m_tag->clear();
    showState(state);
}

void JobsPage::showCause(const QByteArray &signature, const QByteArray &name, const QString &title)
{
    m_name->clear();
    m_tag->clear();
    m_bar->setFilter({});
    m_cause = signature;
    m_causeName = name;
    m_causeTitle = title;
    showState(JobState::Failed);
}

QString JobsPage::causeText() const
{
    return tr("%1 failed with: %2", "a name, a cause").arg(shown(m_causeName), m_causeTitle);
}

void JobsPage::forgetAllSelected()
{
    m_allSelected = false;
    saySelection();
}

bool JobsPage::isWholeCauseSelected() const
{
    const int rows = m_list.model().rowCount();
    return !m_list.filter().cause.isEmpty() && m_list.hasMore() && rows > 0 && m_view->selectedIds().size() == rows;
}

void JobsPage::clearFilter()
{
    m_cause.clear();
    m_bar->setFilter({});
    m_name->clear();
    m_tag->clear();
    applyFilter();
}

void JobsPage::focusFilter()
{
    m_bar->enter();
}

void JobsPage::toggleFreeze()
{
    m_list.setMode(m_list.mode() == JobList::Mode::Live ? JobList::Mode::Frozen : JobList::Mode::Live);
    sayState();
}

void JobsPage::applyFilter()
{
    m_filterPause.stop();
    JobList::Filter filter;
    const QVariant tab = m_tabs->tabData(m_tabs->currentIndex());
    if (tab.isValid() && tab.toInt() >= whichTabs)
        filter.which = client::JobsOf(tab.toInt() - whichTabs);
    else if (tab.isValid())
        filter.state = JobState(tab.toInt());
    if (filter.state != JobState::Failed || !m_bar->match().isEmpty()) // the operator wants to see other jobs
        m_cause.clear();
    const QString name = m_name->text().trimmed();
    filter.name = hasJoker(name) ? QByteArray() : name.toUtf8();
    filter.tag = m_tag->text().trimmed().toUtf8();
    filter.match = bothOf(hasJoker(name) ? namePattern(name) : QByteArray(), m_bar->match());
    filter.cause = m_cause;
    m_saved->setScreen(filter.which == client::JobsOf::Trash ? FilterScreen::Trash : FilterScreen::Jobs);
    sayFields();
    if (filter.state != m_list.filter().state)
        m_reversed = false;
    filter.reversed = m_reversed;
    const client::JobQuery before = query();
    m_allSelected = false;
    m_list.setFilter(filter);
    m_list.model().setState(filter.state);
    m_columns->show(filter.state);
    showOrder();
    if (!m_counts.counts() || before.name != filter.name || before.tag != filter.tag || before.match != filter.match) {
        m_counts.forget();
        m_countsDue = isCounted();
    } else if (!isCounted()) {
        m_counts.forget();
    }
    countFound();
    countTabs();
    m_loadingPause.start();
    sayState();
}

void JobsPage::sayFields()
{
    m_causeLabel->setText(m_cause.isEmpty() ? QString() : causeText());
    m_causeLabel->setToolTip(plainTip(m_causeLabel->text()));
    m_causeLabel->setVisible(!m_cause.isEmpty());
    m_bar->setVisible(m_cause.isEmpty());
    m_name->setVisible(m_cause.isEmpty());
    m_tag->setVisible(m_cause.isEmpty());
}

// How many jobs the filter finds in other states than the one whose tab is shown, as far as that is known.
qint64 JobsPage::matchingElsewhere() const
{
    const std::optional<JobState> state = m_list.filter().state;
    if (!state || !isCounted() || !m_counts.counts())
        return 0;
    const auto &counts = m_counts.counts()->byState;
    return std::accumulate(counts.begin(), counts.end(), qint64(0)) - counts[size_t(*state)];
}

bool JobsPage::isFiltered() const
{
    const JobList::Filter &filter = m_list.filter();
    return !filter.name.isEmpty() || !filter.tag.isEmpty() || !filter.match.isEmpty() || !filter.cause.isEmpty();
}

// Whether the tabs have counts of their own, of what the filter finds.
bool JobsPage::isCounted() const
{
    return isFiltered() && m_list.filter().cause.isEmpty();
}

// Counting looks at the same jobs as the search for rows, which would take twice as long beside it. So rows come first; when they are all
// there are, nothing is left to count. A search that was stopped is not followed by a count.
void JobsPage::countFound()
{
    if (!m_countsDue || m_list.phase() != JobList::Phase::Shown || m_list.isSearching() || !m_list.coverage().complete)
        return;
    m_countsDue = false;
    const JobList::Filter &filter = m_list.filter();
    const client::JobQuery query{.name = filter.name, .tag = filter.tag, .match = filter.match};
    if (!m_list.isWhole() || filter.state || filter.which != client::JobsOf::States) {
        m_counts.count(query);
        return;
    }
    JobCounts counts;
    counts.coverage = m_list.coverage();
    for (int row = 0; row < m_list.model().rowCount(); ++row)
        ++counts.byState[size_t(m_list.model().jobAt(row)->state)];
    m_counts.know(query, counts);
}

// The counts follow the filter; one with a + is of the jobs that have been looked at so far.
void JobsPage::countTabs()
{
    const bool counted = isCounted();
    const bool counts = counted ? m_counts.counts().has_value() : m_feed.overview() && !isFiltered();
    const auto countOf = [&](JobState state) -> qint64 {
        if (counted)
            return m_counts.counts() ? m_counts.counts()->byState[size_t(state)] : 0;
        return m_feed.overview() ? m_feed.overview()->count(state) : 0;
    };
    const QString more = counted && counts && !m_counts.counts()->coverage.complete ? QStringLiteral("+") : QString();
    const Format format = m_preferences.format();
    // “0+” would say that there are none.
    const auto said = [&](const QString &word, qint64 count) {
        return !counts || (count == 0 && !more.isEmpty()) ? word
                                                          : tr("%1 %2", "a state and its count").arg(word, format.shortCount(count) + more);
    };
    qint64 all = 0;
    for (int tab = 1; tab < m_tabs->count(); ++tab) {
        if (m_tabs->tabData(tab).toInt() >= whichTabs)
            continue;
        const auto state = JobState(m_tabs->tabData(tab).toInt());
        const qint64 count = countOf(state);
        all += count;
        m_tabs->setTabText(tab, said(Look::word(state), count));
        // The tabs of rare states are shown only when there are jobs in these states. Once shown they stay, or the list would move.
        if (state == JobState::Depends || state == JobState::Awaiting || state == JobState::Cancelled) {
            if (count > 0)
                m_met.insert(state);
            m_tabs->setTabVisible(tab, m_met.contains(state) || tab == m_tabs->currentIndex());
        }
    }
    m_tabs->setTabText(0, said(tr("All"), all));
    m_tabRow->refresh();
}

// What matters most comes first, because the end may have no room.
QString JobsPage::footText() const
{
    const Format format = m_preferences.format();
    const Coverage &coverage = m_list.coverage();
    const int rows = m_list.model().rowCount({});
    QStringList parts;
    if (m_list.phase() == JobList::Phase::Shown) {
        parts.append(tr("%Ln row(s)", nullptr, rows));
        // A cause has a list of its own, which is not searched.
        // The rows and what was searched are newer than the total.
        const qint64 total = std::max({coverage.total, coverage.scanned, qint64(rows)});
        if (m_list.filter().name.isEmpty() && m_list.filter().tag.isEmpty() && m_list.filter().match.isEmpty())
            parts.append(tr("%1 in all").arg(format.count(total)));
        else if (m_list.isWhole())
            parts.append(tr("all %1 searched").arg(format.count(total)));
        else if (!coverage.complete)
            parts.append(tr("searched %1 of %2").arg(format.count(coverage.scanned), format.count(total)));
        if (m_list.model().rowCount() >= JobList::rows_max)
            parts.append(tr("narrow the filter to see others"));
    }
    if (isCounted() && m_counts.counts() && m_counts.isStill())
        parts.append(tr("tabs counted at %1").arg(format.time(m_countedAt_ms)));
    const QString from = format.time(m_list.frozenAt_ms()), to = format.time(m_list.pagedAt_ms());
    const bool searched = m_list.isPaged() && !m_list.filter().match.isEmpty();
    if (searched)
        parts.append(from == to ? tr("searched at %1").arg(from) : tr("searched from %1 to %2").arg(from, to));
    else if (m_list.isPaged() && from == to)
        parts.append(tr("loaded at %1, not updated since").arg(from));
    else if (m_list.isPaged())
        parts.append(tr("loaded from %1 to %2, not updated since").arg(from, to));
    else if (m_list.mode() == JobList::Mode::Frozen)
        parts.append(tr("frozen at %1").arg(format.time(m_list.frozenAt_ms())));
    return parts.join(QStringLiteral("  ·  "));
}

// A tab that was chosen before must not narrow a search in silence.
void JobsPage::sayOnly()
{
    const int tab = m_tabs->currentIndex();
    m_only->setVisible(isCounted() && tab > 0);
    const std::optional<JobState> state = m_list.filter().state;
    m_only->setText(tr("Only: %1").arg(state ? Look::word(*state) : m_tabs->tabToolTip(tab)));
}

void JobsPage::sayState()
{
    const JobList::Filter &filter = m_list.filter();
    const bool filtered = isFiltered();
    m_clear->setVisible(filtered);
    sayOnly();
    m_freeze->setChecked(m_list.mode() == JobList::Mode::Frozen);
    m_freeze->setText(m_list.isPaged()                          ? tr("Go live")
                          : m_list.mode() == JobList::Mode::Frozen ? tr("Frozen – go live") : tr("Freeze"));
    const bool searching = m_list.isSearching();
    m_search->setVisible(searching || canSearchOn());
    m_search->setEnabled(searching || !m_list.isLoadingMore());
    m_search->setText(searching ? tr("Stop") : tr("Search on"));
    m_progress->setVisible(searching);
    m_progress->setRange(0, 1'000);
    m_progress->setValue(int(1'000 * m_list.coverage().scanned / std::max<qint64>(1, m_list.coverage().total)));
    sayFoot();

    using client::JobsOf;
    const QString what = filter.which == JobsOf::Tracked ? tr("No job is starred")
        : filter.which == JobsOf::Trash                  ? tr("The trash is empty")
        : filter.state ? tr("No job is in the state “%1”").arg(Look::word(*filter.state)) : tr("No jobs");
    if (m_list.phase() == JobList::Phase::Failed && m_list.model().rowCount() == 0) {
        m_empty->say(Icon::Warning, tr("The jobs could not be read"), reasonText(m_list.error().reason), tr("Try again"));
        m_stack->setCurrentWidget(m_empty);
    } else if (m_list.model().rowCount() > 0) {
        m_stack->setCurrentWidget(m_view);
    } else if (m_list.phase() == JobList::Phase::Loading) {
        if (!m_loadingPause.isActive()) {
            m_empty->say(Icon::Hourglass, tr("Loading…"), {});
            m_stack->setCurrentWidget(m_empty);
        }
    } else if (filtered) {
        QStringList conditions;
        if (!filter.cause.isEmpty())
            conditions.append(causeText());
        if (const QString name = m_name->text().trimmed(); !name.isEmpty())
            conditions.append((hasJoker(name) ? tr("with a name like “%1”") : tr("with the name “%1”")).arg(shown(name)));
        const QString word = m_bar->word();
        if (!word.isEmpty())
            conditions.append(m_bar->meant() == Meant::Pattern && !word.contains(QLatin1Char(' '))
                    ? tr("with a name like “%1”").arg(word)
                    : tr("with “%1” in the name, message, tags, ID or argument").arg(word));
        else if (!m_bar->match().isEmpty())
            conditions.append(QString::fromUtf8(m_bar->match())); // the line may have another text by now
        if (!filter.tag.isEmpty())
            conditions.append(tr("with the tag “%1”").arg(shown(filter.tag)));
        const Coverage &coverage = m_list.coverage();
        QString text = conditions.join(QLatin1Char('\n'));
        if (!coverage.complete)
            text += QLatin1Char('\n')
                + tr("Searched %1 of %2 so far.")
                      .arg(m_preferences.format().count(coverage.scanned), m_preferences.format().count(coverage.total));
        const QString soFar = m_list.isSearching() ? tr("Searching…")
            : coverage.complete                    ? tr("No jobs match") : tr("None found so far");
        const qint64 elsewhere = matchingElsewhere();
        if (elsewhere > 0)
            text += QLatin1Char('\n') + tr("%Ln job(s) match in other states.", nullptr, int(std::min<qint64>(elsewhere, INT_MAX)));
        m_empty->say(Icon::Search, soFar, text,
                     canSearchOn() ? tr("Search on") : elsewhere > 0 ? tr("Search in all states") : tr("Clear filter"));
        m_stack->setCurrentWidget(m_empty);
    } else {
        const QString text = filter.which == JobsOf::Tracked ? tr("Starred jobs are easy to find and are never removed.")
            : filter.which == JobsOf::Trash                  ? tr("Deleted jobs stay here for 24 hours.") : QString();
        const Icon icon = filter.which == JobsOf::Tracked ? Icon::Star : filter.which == JobsOf::Trash ? Icon::Bin : Icon::Jobs;
        m_empty->say(filter.state ? Look::iconOf(*filter.state) : icon, what, text);
        m_stack->setCurrentWidget(m_empty);
    }
}

// A search that has not looked at all jobs yet has come to rest.
bool JobsPage::canSearchOn() const
{
    return !m_list.isSearching() && m_list.hasMore() && !m_list.coverage().complete;
}

QList<Job> JobsPage::selectedJobs() const
{
    QList<Job> jobs;
    const QSet<JobId> ids = m_view->selectedIds();
    const auto *model = static_cast<const JobTableModel *>(m_view->model());
    for (int row = 0; model && row < model->rowCount(); ++row) {
        const Job *job = model->jobAt(row);
        if (ids.contains(job->id))
            jobs.append(*job);
    }
    return jobs;
}

std::optional<Condition> JobsPage::conditionOf(const Job &job, int column) const
{
    using enum Condition::Is;
    const auto text = [](const char *field, const QByteArray &value, bool always = true, bool fixed = false) {
        return value.isEmpty() ? std::nullopt : std::optional(Condition{field, quotedText(value), Equal, always, fixed});
    };
    switch (JobTableModel::Column(column)) {
    case JobTableModel::Name: return text("job.name", job.spec.name, true, true);
    case JobTableModel::State: return text("job.state", stateWord(job.state));
    case JobTableModel::Worker: return text("job.worker", job.worker, false);
    case JobTableModel::Message: return text("job.message", job.message, false);
    case JobTableModel::Id: return text("job.id", job.id.text());
    case JobTableModel::Priority: return Condition{"job.priority", QByteArray::number(job.spec.priority), Equal, true, true};
    case JobTableModel::Failures: return Condition{"job.failures", QByteArray::number(job.failures)};
    case JobTableModel::Tags:
        if (job.spec.tags.isEmpty())
            return {};
        return Condition{"job.tags", quotedText(job.spec.tags.first()), Among, true, true};
    default: return {};
    }
}

void JobsPage::openJobMenu(const QPoint &at)
{
    const QModelIndex index = m_view->indexAt(at);
    if (!m_jobMenu || !index.isValid())
        return;
    offerCell(index);
    m_jobMenu->popup(m_view->viewport()->mapToGlobal(at));
}

void JobsPage::offerCell(const QModelIndex &index)
{
    const Job *job = m_list.model().jobAt(index.row());
    if (!job)
        return;
    QAction *first = m_jobMenu->actions().value(0);
    const ConditionUses uses{[this](const QByteArray &expression) { Q_EMIT matcherRequested(expression); },
        [this](const QByteArray &expression) { Q_EMIT pauseRequested(expression); }};
    if (const std::optional<Condition> condition = conditionOf(*job, index.column()))
        offerCondition(m_jobMenu, first, m_bar, *condition, uses);
    offerConditions(m_jobMenu, first, tr("By its argument"), m_bar, argumentConditions(*job), uses);
}

void JobsPage::askNames()
{
    m_client.jobs({.limit = limits::page_rows_max}, client::guarded<JobPage>(this, [this](Result<JobPage> page) {
        if (page.ok())
            m_bar->setSuggestions(suggestionsFrom(page->jobs, cel::searchEnvironment()));
    }));
    m_client.names(namesOffered, {}, client::guarded<NamePage>(this, [this](Result<NamePage> page) {
        if (!page.ok())
            return;
        QStringList names;
        for (const NameRow &row : page->names)
            names.append(QString::fromUtf8(row.name));
        m_names->setStringList(names);
    }));
}

void JobsPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_list.setWatched(true);
    m_loadingPause.start();
    askNames();
}

// An expression needs room to be read, so the filter has a line of its own where it is narrow.
void JobsPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    keepRoomBeside();
}

void JobsPage::setRoomBeside(std::function<int()> room_px)
{
    m_roomBeside_px = std::move(room_px);
    keepRoomBeside();
}

void JobsPage::keepRoomBeside()
{
    const int beside = m_roomBeside_px ? m_roomBeside_px() : 0;
    m_tabRow->setRoomBeside(beside);
    if (QLayout *buttons = m_buttons->layout()) {
        QMargins margins = buttons->contentsMargins();
        margins.setRight(margins.left() + beside);
        buttons->setContentsMargins(margins);
    }
    const bool wide = width() - beside > characterWidth(fontMetrics()) * wideCharacters;
    m_line->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_clear->setToolButtonStyle(wide ? Qt::ToolButtonTextOnly : Qt::ToolButtonIconOnly);
}

void JobsPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_list.setWatched(false);
}

} // namespace junban::ui
