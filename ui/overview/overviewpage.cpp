#include "ui/overview/overviewpage.h"

#include "core/base/clock.h"
#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/overview/barpanel.h"
#include "ui/overview/counttile.h"
#include "ui/overview/namesmodel.h"
#include "ui/overview/rangedialog.h"
#include "ui/overview/throughputchart.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/flowlayout.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/tables.h"

#include <QButtonGroup>
#include <QDateTime>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

constexpr qsizetype shownCharacters = 60; // of a name in a menu
constexpr JobState tileStates[] = {JobState::Ready, JobState::Running, JobState::Scheduled, JobState::Failed, JobState::Succeeded,
                                   JobState::Cancelled};
// The ranges of the chart, and how often their series are asked for.
struct ChartRange {
    qint64 range_s;
    qint64 every_ms;
};
constexpr ChartRange ranges[] = {{5 * 60, 2'000}, {3'600, 10'000}, {3 * 3'600, 10'000}, {24 * 3'600, 60'000}, {8 * 86'400, 60'000}};

constexpr qint64 past_ms = 60'000;     // likewise of a range that is over, whose end may still be counted
constexpr qint64 panels_ms = 3'000;     // how often the figures of the panels are asked for
constexpr int limits_max = 100;         // constraints that are asked for
constexpr int workers_max = 500;        // likewise workers
constexpr int wideCharacters = 90;      // from here on, panels stand side by side
constexpr int widestCharacters = 150;   // and from here on, four of them

} // namespace

OverviewPage::OverviewPage(client::ApiClient &client, Feed &feed, Preferences &preferences, QWidget *parent)
    : QWidget(parent)
    , m_client(client)
    , m_feed(feed)
    , m_preferences(preferences)
{
    m_places.state = [this](JobState state) { Q_EMIT stateRequested(state); };
    m_places.unasked = [this](const QList<QByteArray> &names) { Q_EMIT unaskedRequested(names); };
    m_places.priority = [this](int priority) { Q_EMIT priorityRequested(priority); };
    m_places.constraint = [this](const QByteArray &matcher, const QByteArray &constraint) {
        Q_EMIT constraintRequested(matcher, constraint);
    };
    m_places.cause = [this](const QByteArray &signature) { Q_EMIT causeRequested(signature); };
    m_places.worker = [this](const QByteArray &worker) { Q_EMIT workersRequested(worker); };
    m_stack = new QStackedLayout(this);
    auto *scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(buildPage());

    m_empty = new EmptyState(this);
    m_empty->say(Icon::Jobs, tr("No jobs yet"), tr("Connect a pusher. A first job is one request away:"),
                 tr("Open the API documentation"));
    m_empty->setCode(example(m_client.url()));
    connect(m_empty, &EmptyState::actionTriggered, this, &OverviewPage::documentationRequested);
    m_stack->addWidget(scroll);
    m_stack->addWidget(m_empty);

    connect(&m_feed, &Feed::arrived, this, &OverviewPage::arrived);
    connect(&m_preferences, &Preferences::formatChanged, this, [this] {
        m_chart->setFormat(m_preferences.format());
        m_names->setFormat(m_preferences.format());
    });
    m_chart->setFormat(m_preferences.format());
    m_names->setFormat(m_preferences.format());
}

QWidget *OverviewPage::buildPage()
{
    auto *page = new QWidget(this);
    const int gap = fontMetrics().height() / 2;
    m_reasons = new BarPanel(tr("Why jobs wait"), page);
    m_oldest = new BarPanel(tr("Oldest by priority"), page, 0); // their order says something
    m_limits = new BarPanel(tr("Limits in use"), page);
    m_causes = new BarPanel(tr("Failures of the last hour"), page);
    m_workers = new BarPanel(tr("Workers"), page, 0);
    for (BarPanel *panel : {m_reasons, m_oldest, m_limits, m_causes, m_workers})
        panel->say({}, tr("Loading…"));
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(gap, gap, gap, gap);
    layout->setSpacing(gap);
    layout->addWidget(buildTiles());
    const auto row = [](const QList<QPair<QWidget *, int>> &panels) {
        auto *box = new QBoxLayout(QBoxLayout::LeftToRight);
        for (const auto &[panel, stretch] : panels)
            box->addWidget(panel, stretch);
        return box;
    };
    m_rows = {row({{buildChart(), 3}, {m_reasons, 2}}), row({{m_limits, 5}, {m_causes, 5}}), row({{m_oldest, 4}, {m_workers, 3}})};
    m_panels = new QBoxLayout(QBoxLayout::LeftToRight);
    m_panels->addLayout(m_rows[1], 5);
    m_panels->addLayout(m_rows[2], 3);
    layout->addLayout(m_rows[0]);
    layout->addLayout(m_panels);
    layout->addWidget(buildNames(), 1);
    return page;
}

QString OverviewPage::example(const QUrl &url)
{
    const bool local = url.scheme() == QStringLiteral("unix");
    return QStringLiteral("curl -X POST %1/v1/jobs -H 'Content-Type: application/json' \\\n"
                          "     -d '{\"name\": \"hello\", \"argument\": {\"to\": \"world\"}}'")
        .arg(local ? QStringLiteral("--unix-socket %1 http://localhost").arg(url.path())
                   : url.toString(QUrl::RemoveUserInfo | QUrl::StripTrailingSlash));
}

CountTile *OverviewPage::tile(JobState state) const
{
    const auto found = m_tiles.find(state);
    return found == m_tiles.end() ? nullptr : found->second;
}

bool OverviewPage::showsEmpty() const
{
    return m_stack->currentWidget() == m_empty;
}

QWidget *OverviewPage::buildTiles()
{
    auto *box = new QWidget(this);
    auto *layout = new FlowLayout(box, FlowLayout::Widths::Even);
    layout->setContentsMargins({});
    layout->setSpacing(fontMetrics().height() / 3);
    for (const JobState state : tileStates) {
        auto *tile = new CountTile(state, Look::word(state), box);
        connect(tile, &QAbstractButton::clicked, this, [this, state] { Q_EMIT stateRequested(state); });
        tile->setCount(QStringLiteral("–"), {});
        layout->addWidget(tile);
        m_tiles[state] = tile;
    }
    m_results = new CountTile(std::nullopt, tr("results kept"), box);
    m_results->setCount(QStringLiteral("–"), {});
    m_results->setToolTip(tr("Results waiting for their pushers"));
    connect(m_results, &QAbstractButton::clicked, this, &OverviewPage::resultsRequested);
    layout->addWidget(m_results);
    return box;
}

QWidget *OverviewPage::buildChart()
{
    auto *box = new QFrame(this);
    box->setFrameShape(QFrame::StyledPanel);
    box->setAutoFillBackground(true);
    box->setBackgroundRole(QPalette::Base);
    m_chart = new ThroughputChart(box);
    auto *line = new QHBoxLayout;
    m_chartTitle = new LineLabel(box);
    m_chartTitle->setLine(tr("Throughput"));
    QFont bold = font();
    bold.setBold(true);
    m_chartTitle->setFont(bold);
    m_allNames = new QToolButton(box);
    m_allNames->setText(tr("All names"));
    m_allNames->setAutoRaise(true);
    m_allNames->hide();
    connect(m_allNames, &QToolButton::clicked, this, [this] { m_namesView->clearSelection(); });
    line->addWidget(m_chartTitle, 1);
    line->addWidget(m_allNames);
    m_ranges = new QButtonGroup(this);
    const QString words[] = {tr("5 min"), tr("1 h"), tr("3 h"), tr("24 h"), tr("8 days")};
    for (size_t i = 0; i < std::size(ranges); ++i) {
        auto *button = new QToolButton(box);
        button->setText(words[i]);
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setChecked(i == 0);
        button->setAccessibleName(tr("Show the last %1").arg(button->text()));
        m_ranges->addButton(button, int(i));
        line->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, i] { showRange(int(i)); });
    }
    buildOtherRanges(box);
    line->addWidget(m_otherRanges);
    auto *layout = new QVBoxLayout(box);
    layout->addLayout(line);
    layout->addWidget(m_chart, 1);
    return box;
}

void OverviewPage::buildOtherRanges(QWidget *box)
{
    m_otherRanges = new QToolButton(box);
    m_otherRanges->setText(QStringLiteral("…"));
    m_otherRanges->setAccessibleName(tr("More of the chart"));
    m_otherRanges->setToolTip(tr("Yesterday, any range, the kind of axis"));
    m_otherRanges->setCheckable(true);
    m_otherRanges->setAutoRaise(true);
    m_otherRanges->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new QMenu(m_otherRanges);
    connect(menu->addAction(tr("&Yesterday")), &QAction::triggered, this, &OverviewPage::showYesterday);
    connect(menu->addAction(tr("&From … to …")), &QAction::triggered, this, &OverviewPage::askRange);
    menu->addSeparator();
    QAction *logarithmic = menu->addAction(tr("&Logarithmic axis"));
    logarithmic->setCheckable(true);
    connect(logarithmic, &QAction::toggled, m_chart, &ThroughputChart::setLogarithmic);
    m_otherRanges->setMenu(menu);
    m_ranges->addButton(m_otherRanges, -2); // exclusive with the others
}

QWidget *OverviewPage::buildNames()
{
    auto *box = new QFrame(this);
    box->setFrameShape(QFrame::StyledPanel);
    box->setAutoFillBackground(true);
    box->setBackgroundRole(QPalette::Base);
    m_namesTitle = plainLabel(tr("Names"), box);
    QFont bold = font();
    bold.setBold(true);
    m_namesTitle->setFont(bold);
    m_names = new NamesModel(this);
    m_namesView = new Tinted<QTableView>(box);
    m_namesView->setModel(m_names);
    m_namesView->setAccessibleName(tr("Names"));
    m_namesView->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_namesView->setSelectionMode(QAbstractItemView::SingleSelection);
    m_namesView->setAlternatingRowColors(true);
    m_namesView->setShowGrid(false);
    m_namesView->setWordWrap(false);
    m_namesView->setFrameShape(QFrame::NoFrame);
    m_namesView->setTabKeyNavigation(false);
    m_namesView->verticalHeader()->hide();
    m_namesView->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setRowLines(*m_namesView, 1);
    m_namesView->horizontalHeader()->setHighlightSections(false);
    m_namesView->horizontalHeader()->setSectionResizeMode(NamesModel::Name, QHeaderView::Stretch);
    for (int column = NamesModel::Ready; column < NamesModel::columns; ++column)
        m_namesView->setColumnWidth(column, characterWidth(fontMetrics()) * 13);
    m_namesView->setMinimumHeight(fontMetrics().height() * 10);
    connect(m_namesView, &QTableView::activated, this, [this](const QModelIndex &index) {
        Q_EMIT nameRequested(index.data(NamesModel::NameRole).toByteArray());
    });
    m_namesView->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_namesView, &QWidget::customContextMenuRequested, this, &OverviewPage::openNameMenu);
    connect(m_namesView->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList rows = m_namesView->selectionModel()->selectedRows();
        showName(rows.isEmpty() ? QByteArray() : rows.first().data(NamesModel::NameRole).toByteArray());
    });
    QLabel *hint = plainLabel(tr("The chart shows the selected name. Enter shows its jobs."), box);
    hint->setForegroundRole(QPalette::PlaceholderText);
    hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    hint->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto *head = new QHBoxLayout;
    head->addWidget(m_namesTitle);
    head->addWidget(hint, 1);
    auto *layout = new QVBoxLayout(box);
    layout->addLayout(head);
    layout->addWidget(m_namesView, 1);
    return box;
}

void OverviewPage::openNameMenu(const QPoint &at)
{
    const QModelIndex index = m_namesView->indexAt(at);
    if (!index.isValid())
        return;
    const QByteArray name = index.data(NamesModel::NameRole).toByteArray();
    auto *menu = new QMenu(m_namesView);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QString its = withoutKeys(clipped(shown(name), shownCharacters));
    menu->addAction(Look::icon(Icon::Jobs), tr("Show the &jobs of %1", "a name").arg(its), this,
        [this, name] { Q_EMIT nameRequested(name); });
    if (const Pause *pause = m_names->pauseOf(name))
        menu->addAction(tr("&Resume %1", "a name").arg(its), this, [this, id = pause->id] { Q_EMIT resumeRequested(id); });
    else
        menu->addAction(Look::icon(Icon::Pause), tr("&Pause %1…", "a name").arg(its), this,
            [this, name] { Q_EMIT pauseRequested(NamesModel::expressionOf(name)); });
    menu->popup(m_namesView->viewport()->mapToGlobal(at));
}

void OverviewPage::arrived()
{
    const Overview &overview = *m_feed.overview();
    m_names->setPauses(overview.pauses);
    const Format format = m_preferences.format();
    const auto rate = [&](double perSecond) { return perSecond > 0 ? format.rate(perSecond) : QString(); };
    m_chart->setRates(overview.rates);
    for (const auto &[state, tile] : m_tiles) {
        QString note;
        CountTile::Note kind = CountTile::Note::Plain;
        if (state == JobState::Ready && overview.oldestReadyAt_ms > 0) {
            const qint64 age_ms = m_feed.now_ms() - overview.oldestReadyAt_ms;
            note = tr("oldest %1").arg(format.age(age_ms));
            kind = age_ms > oldAge_ms ? CountTile::Note::Alarm : kind;
        } else if (state == JobState::Running && overview.rates.started > 0) {
            note = tr("%1 started").arg(rate(overview.rates.started));
        } else if (state == JobState::Failed && overview.rates.failures > 0) {
            note = tr("%1 failures").arg(rate(overview.rates.failures));
        } else if (state == JobState::Succeeded) {
            note = rate(overview.rates.succeeded);
        }
        tile->setCount(format.shortCount(overview.count(state)), note, kind);
    }
    m_results->setCount(format.shortCount(overview.resultsKept), {});
    m_reasons->say(bars().reasons(overview), tr("No jobs waiting."));
    m_oldest->say(bars().oldest(overview, oldAge_ms), tr("No ready jobs."));
    const bool none = overview.totals.enqueued == 0;
    m_stack->setCurrentIndex(none ? 1 : 0);
    if (isVisible() && !none) {
        askNames();
        askSeries();
        askPanels();
    }
}

OverviewBars OverviewPage::bars() const
{
    return {m_preferences.format(), m_places};
}

void OverviewPage::askPanels()
{
    const qint64 now_ms = Clock::monotonic_ms();
    if (m_panelsAsked_ms != 0 && now_ms - m_panelsAsked_ms < panels_ms)
        return;
    m_panelsAsked_ms = now_ms;
    // What was shown before stays when a request fails; the window says that it is old.
    const auto limits = [this](const Result<client::ConstraintPage> &page) {
        if (page.ok())
            m_limits->say(bars().limits(page->constraints, m_feed.overview()->held), tr("No limits in use."));
        else if (m_limits->lines().isEmpty())
            m_limits->say({}, tr("Refused: %1").arg(reasonText(page.error().reason)));
    };
    const auto causes = [this](const Result<FailureList> &list) {
        if (list.ok())
            m_causes->say(bars().causes(list->groups), tr("Nothing failed in the last hour."));
        else if (m_causes->lines().isEmpty())
            m_causes->say({}, tr("Refused: %1").arg(reasonText(list.error().reason)));
    };
    const auto workers = [this](const Result<WorkerPage> &page) {
        if (page.ok())
            m_workers->say(bars().workers(*page, m_feed.now_ms()), tr("No workers yet."));
        else if (m_workers->lines().isEmpty())
            m_workers->say({}, tr("Refused: %1").arg(reasonText(page.error().reason)));
    };
    client::FailuresQuery query;
    query.period = client::FailurePeriod::Hour;
    query.state = GroupState::Open;
    m_client.constraints(limits_max, {}, client::guarded<client::ConstraintPage>(this, limits));
    m_client.failures(query, client::guarded<FailureList>(this, causes));
    m_client.workers(workers_max, {}, client::guarded<WorkerPage>(this, workers));
}

void OverviewPage::setRange(int range)
{
    if (QAbstractButton *button = m_ranges->button(range)) {
        button->setChecked(true);
        showRange(range);
    }
}

void OverviewPage::showRange(int range)
{
    m_range = range;
    m_span_s = ranges[range].range_s;
    m_until_s = 0;
    m_seriesAsked_ms = 0;
    m_otherRanges->setText(QStringLiteral("…"));
    m_chart->setRange(m_span_s);
    askSeries();
}

void OverviewPage::showPast(qint64 from_s, qint64 to_s, const QString &name)
{
    m_range = -1;
    m_span_s = to_s - from_s;
    m_until_s = to_s;
    m_seriesAsked_ms = 0;
    m_otherRanges->setText(name);
    m_otherRanges->setChecked(true);
    m_chart->setRange(m_span_s, m_until_s);
    askSeries();
}

qint64 OverviewPage::now_s() const
{
    return m_feed.now_ms() / 1'000;
}

// The day before, in the time zone that the operator chose.
void OverviewPage::showYesterday()
{
    const Qt::TimeSpec spec = m_preferences.timesIn() == TimesIn::Utc ? Qt::UTC : Qt::LocalTime;
    const QDate today = QDateTime::fromSecsSinceEpoch(now_s(), spec).date();
    showPast(today.addDays(-1).startOfDay(spec).toSecsSinceEpoch(), today.startOfDay(spec).toSecsSinceEpoch(), tr("Yesterday"));
}

void OverviewPage::askRange()
{
    const qint64 end_s = m_until_s > 0 ? m_until_s : now_s();
    auto *dialog = new RangeDialog(end_s - m_span_s, end_s, m_preferences.timesIn(), this);
    connect(dialog, &RangeDialog::chosen, this, [this](qint64 from_s, qint64 to_s) { showPast(from_s, to_s, tr("Range")); });
    dialog->open();
}

void OverviewPage::showName(const QByteArray &name)
{
    if (name == m_name)
        return;
    m_name = name;
    m_chartTitle->setLine(name.isEmpty() ? tr("Throughput") : shown(name)); // all else has no room at 1024 pixels
    m_allNames->setVisible(!name.isEmpty());
    m_chart->setOf(name.isEmpty() ? ThroughputChart::Of::AllNames : ThroughputChart::Of::OneName);
    m_seriesAsked_ms = 0;
    askSeries();
}

QString OverviewPage::chartTitle() const
{
    return m_chartTitle->line();
}

void OverviewPage::askSeries()
{
    const qint64 now_ms = Clock::monotonic_ms();
    const qint64 every_ms = m_range < 0 ? past_ms : ranges[m_range].every_ms;
    if (m_seriesAsked_ms != 0 && now_ms - m_seriesAsked_ms < every_ms)
        return;
    m_seriesAsked_ms = now_ms;
    for (const Metric metric : ThroughputChart::metrics) {
        const auto came = [this, span_s = m_span_s, until_s = m_until_s, name = m_name](const Result<SeriesData> &series) {
            if (series.ok() && span_s == m_span_s && until_s == m_until_s && name == m_name)
                m_chart->setSeries(*series, m_feed.now_ms());
        };
        if (m_name.isEmpty() || metric != Metric::Started)
            m_client.series({metric, m_span_s, m_name, m_until_s}, client::guarded<SeriesData>(this, came));
    }
}

void OverviewPage::askNames()
{
    if (m_askingNames)
        return;
    m_askingNames = true;
    m_client.names(names_max, {}, client::guarded<NamePage>(this, [this](Result<NamePage> page) {
        m_askingNames = false;
        if (!page.ok())
            return; // the window says that the figures are old
        m_names->setRows(page->names, page->complete);
        const int names = int(page->names.size());
        m_namesTitle->setText(page->next.isEmpty() ? tr("%Ln name(s): ready and failed now, and totals", nullptr, names)
                                                   : tr("The first %Ln name(s): ready and failed now, and totals", nullptr, names));
    }));
}

void OverviewPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_feed.overview()) {
        askNames();
        askSeries();
        askPanels();
    }
}

void OverviewPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const bool wide = width() > characterWidth(fontMetrics()) * wideCharacters;
    const bool widest = width() > characterWidth(fontMetrics()) * widestCharacters;
    for (QBoxLayout *row : std::as_const(m_rows))
        row->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_panels->setDirection(widest ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

} // namespace junban::ui
