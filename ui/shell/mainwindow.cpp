#include "ui/shell/mainwindow.h"

#include "core/access/session.h"
#include "ui/access/accesstexts.h"
#include "ui/access/auditlogpage.h"
#include "ui/access/madetokendialog.h"
#include "ui/access/tokenspage.h"
#include "ui/base/look.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"
#include "ui/inspector/jobinspector.h"
#include "ui/jobs/jobactions.h"
#include "ui/jobs/jobspage.h"
#include "ui/limits/constraintspage.h"
#include "ui/limits/filterbar.h"
#include "ui/operations/bulkwork.h"
#include "ui/operations/operationspage.h"
#include "ui/overview/overviewpage.h"
#include "ui/past/failurespage.h"
#include "ui/past/resultspage.h"
#include "ui/past/retentionpage.h"
#include "ui/schedules/schedulespage.h"
#include "ui/shell/stateitems.h"
#include "ui/shell/tokendialog.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/dimmed.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/tables.h"
#include "ui/widgets/verticalroom.h"
#include "ui/workers/workerspage.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QGuiApplication>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

namespace junban::ui {

namespace {

constexpr int CountRole = Qt::UserRole; // of a screen: how many it is about now

// Draws the count of a screen at the right.
class CountedDelegate : public TintedDelegate
{
public:
    using TintedDelegate::TintedDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        TintedDelegate::paint(painter, option, index);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        painter->save();
        painter->setPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::PlaceholderText));
        painter->drawText(option.rect.adjusted(0, 0, -option.fontMetrics.height() / 4, 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data(CountRole).toString());
        painter->restore();
    }
};

// Needs as much height as what it shows, and not as the highest of its widgets. Its width does not change with the screen.
class Screens : public QStackedWidget
{
public:
    explicit Screens(QWidget *parent) : QStackedWidget(parent)
    {
        connect(this, &QStackedWidget::currentChanged, this, [this] { updateGeometry(); });
    }

    QSize minimumSizeHint() const override
    {
        const QSize all = QStackedWidget::minimumSizeHint();
        const QWidget *current = currentWidget();
        return current ? QSize(all.width(), current->minimumSizeHint().expandedTo(current->minimumSize()).height()) : all;
    }

    int heightForWidth(int width) const override { return currentWidget() ? currentWidget()->heightForWidth(width) : -1; }
};

constexpr int keys = 10;             // screens that have a key of their own, Ctrl and a digit
const QString geometryKey = QStringLiteral("window/geometry");
const QString placeKey = QStringLiteral("window/place");
const QString stateKey = QStringLiteral("window/state");

} // namespace

MainWindow::MainWindow(client::ApiClient &client, Preferences &preferences, UiOptions options, QWidget *parent)
    : QMainWindow(parent)
    , m_client(client)
    , m_preferences(preferences)
    , m_options(std::move(options))
    , m_feed(new Feed(client, this))
{
    setObjectName(QStringLiteral("MainWindow"));
    const QString where = m_options.environment.isEmpty() ? addressText() : m_options.environment;
    setWindowTitle(tr("Junban – %1").arg(shown(where)));
    setDockNestingEnabled(true);
    buildScreens();
    buildInspector();
    m_jobs->setRoomBeside([this] { return roomForInspector(); });
    connect(m_dock->toggleViewAction(), &QAction::triggered, m_jobs, &JobsPage::keepRoomBeside); // behind what it does itself
    buildBulk();
    buildMenus();
    buildStatus();
    m_toast = new Toast(this);
    for (JobActions *actions : {m_selected, m_inspected}) {
        connect(actions, &JobActions::done, m_toast, &Toast::say);
        connect(actions, &JobActions::failed, this, [this](const QString &text) { m_toast->say(text, {}, {}); });
        connect(actions, &JobActions::openRequested, this, &MainWindow::openJob);
        connect(actions, &JobActions::jobsChanged, this, [this] {
            m_feed->retryNow();
            m_inspector->refresh();
        });
    }
    connect(m_feed, &Feed::healthChanged, this, &MainWindow::sayHealth);
    connect(m_feed, &Feed::readinessChanged, this, &MainWindow::sayStatus);
    connect(m_banner, &Banner::actionTriggered, this, &MainWindow::tryAgain);
    connect(&m_client, &client::ApiClient::insecureChanged, m_insecure, [this] { m_insecure->setVisible(m_client.isInsecure()); });
    connect(m_rollback, &Banner::actionTriggered, this, [this] {
        m_preferences.setRollbackSeen_ms(m_feed->overview()->rollback.seenAt_ms);
        sayRollback();
    });
    connect(m_feed, &Feed::arrived, this, &MainWindow::sayRollback);
    connect(m_feed, &Feed::arrived, this, &MainWindow::sayState);
    connect(m_feed, &Feed::arrived, this, &MainWindow::askSession);
    connect(m_feed, &Feed::changed, this, [this](const QList<Topic> &topics) {
        if (topics.contains(Topic::Tokens))
            askWhoAgain();
    });
    connect(m_card, &EmptyState::actionTriggered, this, &MainWindow::tryAgain);
    connect(&m_preferences, &Preferences::formatChanged, this, [this] {
        sayStatus();
        sayState();
    });
    restoreLayout();
    restorePlace();
    sayRights();
    sayHealth();
    m_feed->start();
}

MainWindow::~MainWindow()
{
    // Qt destroys the children after the members of this class. Some children emit signals then, which would use these members.
    for (QObject *child : findChildren<QObject *>())
        child->disconnect(this);
    delete m_selected;  // the actions use the screens, so they go first
    delete m_inspected;
}

void MainWindow::buildScreens()
{
    auto *centre = new QWidget(this);
    m_banner = new Banner(tr("Try now"), centre, Banner::Tone::Danger);
    m_rollback = new Banner(tr("Acknowledge"), centre);
    m_strip = new StateStrip(centre);
    m_insecure = new Banner({}, centre, Banner::Tone::Danger);
    m_insecure->say(tr("This master was started with --insecure: what is sent can be read on the way, and callers of the network need no"
                       " token while there is none."), {});
    m_insecure->setVisible(m_client.isInsecure());
    m_body = new Screens(centre);
    m_card = new EmptyState(m_body);
    m_screens = new Screens(m_body);
    m_overview = new OverviewPage(m_client, *m_feed, m_preferences, m_screens);
    m_jobs = new JobsPage(m_client, *m_feed, m_preferences, m_screens);
    m_screens->addWidget(m_overview);
    m_screens->addWidget(m_jobs);
    addPage(m_failures = new FailuresPage(m_client, *m_feed, m_preferences, m_screens));
    addPage(m_results = new ResultsPage(m_client, *m_feed, m_preferences, m_screens));
    addPage(m_schedules = new SchedulesPage(m_client, *m_feed, m_preferences, m_screens));
    addPage(m_constraints = new ConstraintsPage(m_client, *m_feed, m_preferences, m_screens));
    addPage(m_workers = new WorkersPage(m_client, *m_feed, m_preferences, m_screens));
    addPage(m_operations = new OperationsPage(m_client, *m_feed, m_preferences, m_screens));
    addPage(m_tokens = new TokensPage(m_client, *m_feed, m_preferences, m_screens));
    addPage(m_audit = new AuditLogPage(m_client, *m_feed, m_preferences, m_screens));
    addPage(m_retention = new RetentionPage(m_client, *m_feed, m_preferences, m_screens));
    m_body->addWidget(m_card);
    m_body->addWidget(m_screens);
    buildNavigation();

    auto *right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(m_insecure);
    right->addWidget(m_banner);
    right->addWidget(m_rollback);
    right->addWidget(m_strip);
    right->addWidget(new VerticalRoom(m_body, centre), 1);
    auto *layout = new QHBoxLayout(centre);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_navigation);
    layout->addLayout(right, 1);
    setCentralWidget(centre);
    connectScreens();
}

void MainWindow::connectScreens()
{
    connect(m_overview, &OverviewPage::stateRequested, this, [this](JobState state) {
        showScreen(Screen::Jobs);
        m_jobs->clearFilter();
        m_jobs->showState(state);
    });
    connect(m_overview, &OverviewPage::nameRequested, this, [this](const QByteArray &name) {
        showScreen(Screen::Jobs);
        m_jobs->showName(name);
    });
    connect(m_overview, &OverviewPage::unaskedRequested, this, &MainWindow::showUnasked);
    connect(m_overview, &OverviewPage::priorityRequested, this, [this](int priority) {
        showFound(JobState::Ready, {}, "job.priority == " + QByteArray::number(priority));
    });
    connect(m_failures, &FailuresPage::causeRequested, this, [this](const QByteArray &signature, const QByteArray &name,
                                                                  const QString &title) {
        showScreen(Screen::Jobs);
        m_jobs->showCause(signature, name, title);
    });
    connect(m_overview, &OverviewPage::causeRequested, this, [this](const QByteArray &signature) {
        showScreen(Screen::Failures);
        m_failures->showCause(signature);
    });
    connect(m_overview, &OverviewPage::constraintRequested, this, [this](const QByteArray &matcher, const QByteArray &constraint) {
        showScreen(Screen::Constraints);
        m_constraints->showConstraint(matcher, constraint);
    });
    // The screen stays, for who changes his mind.
    const auto newMatcher = [this](const QByteArray &expression) { m_constraints->create(expression); };
    connect(m_constraints, &ConstraintsPage::created, this, [this] { showScreen(Screen::Constraints); });
    connect(m_jobs, &JobsPage::matcherRequested, this, newMatcher);
    connect(m_failures, &FailuresPage::matcherRequested, this, newMatcher);
    connect(m_results, &ResultsPage::matcherRequested, this, newMatcher);
    const auto pause = [this](const QByteArray &expression) { m_constraints->askPause(expression); };
    connect(m_jobs, &JobsPage::pauseRequested, this, pause);
    connect(m_failures, &FailuresPage::pauseRequested, this, pause);
    connect(m_results, &ResultsPage::pauseRequested, this, pause);
    connect(m_overview, &OverviewPage::pauseRequested, this, pause);
    connect(m_overview, &OverviewPage::resumeRequested, m_constraints, &ConstraintsPage::resume);
    connect(m_overview, &OverviewPage::resultsRequested, this, [this] { showScreen(Screen::Results); });
    connect(m_overview, &OverviewPage::documentationRequested, this, [this] { openDocumentation(QStringLiteral("/docs")); });
    connectWorkers();
    connectAccess();
}

void MainWindow::connectAccess()
{
    connect(m_tokens, &TokensPage::auditRequested, this, [this](const QByteArray &token) {
        showScreen(Screen::Audit);
        m_audit->setFilter({token});
    });
    connect(m_tokens, &TokensPage::ownTokenMade, this, &MainWindow::askWhoAgain);
    connect(m_audit, &AuditLogPage::targetRequested, this, [this](AuditLogPage::Kind kind, const QByteArray &target) {
        using enum AuditLogPage::Kind;
        switch (kind) {
        case Matcher:
            showScreen(Screen::Constraints);
            m_constraints->showConstraint(target, {});
            break;
        case Schedule:
            showScreen(Screen::Schedules);
            m_schedules->showSchedule(target);
            break;
        case Worker: showWorker(target); break;
        case Operation:
            showScreen(Screen::Operations);
            m_operations->showOperation(target);
            break;
        case Token:
            showScreen(Screen::Tokens);
            m_tokens->showToken(target);
            break;
        default: break;
        }
    });
}

void MainWindow::showFound(std::optional<JobState> state, const QByteArray &name, const QByteArray &match)
{
    showScreen(Screen::Jobs);
    m_jobs->showJobs(state, name, match);
}

// Their ready jobs, of all of them.
void MainWindow::showUnasked(const QList<QByteArray> &names)
{
    if (names.size() == 1)
        showFound(JobState::Ready, names.first(), {});
    else
        showFound(JobState::Ready, {}, oneOf(names));
}

// The condition that a job has one of these names.
QByteArray MainWindow::oneOf(const QList<QByteArray> &names)
{
    QByteArrayList quoted;
    for (const QByteArray &name : names)
        quoted.append(quotedText(name));
    return quoted.size() == 1 ? "job.name == " + quoted.first() : "job.name in [" + quoted.join(", ") + ']';
}

QByteArray MainWindow::namesOf(const QList<Job> &jobs)
{
    QList<QByteArray> names;
    for (const Job &job : jobs) {
        if (!names.contains(job.spec.name))
            names.append(job.spec.name);
    }
    return names.isEmpty() ? QByteArray() : oneOf(names);
}

void MainWindow::buildBulk()
{
    m_bulk = new BulkWork(m_client, *m_feed, m_preferences, this);
    connect(m_bulk, &BulkWork::done, this, [this](const QString &text, const QString &offer, const std::function<void()> &act) {
        m_toast->say(text, offer, act);
    });
    connect(m_bulk, &BulkWork::failed, this, [this](const QString &text) { m_toast->say(text, {}, {}); });
    connect(m_bulk, &BulkWork::begun, m_jobs, &JobsPage::forgetAllSelected);
    connect(m_bulk, &BulkWork::working, this, &MainWindow::sayWork);
    connect(m_bulk, &BulkWork::jobsChanged, this, [this] {
        m_feed->retryNow();
        m_inspector->refresh();
        m_jobs->dropGone();
        m_jobs->countAgain();
        if (auto *page = qobject_cast<Page *>(m_screens->currentWidget()))
            page->refresh();
    });
    m_failures->setBulk(m_bulk);
    m_selected->setBulk(m_bulk);
    m_inspected->setBulk(m_bulk);
}

void MainWindow::connectWorkers()
{
    const auto ofWorker = [](const QByteArray &worker) { return "job.worker == " + quotedText(worker); };
    connect(m_overview, &OverviewPage::workersRequested, this, &MainWindow::showWorker);
    connect(m_workers, &WorkersPage::jobsRequested, this, [this, ofWorker](const QByteArray &worker, bool running) {
        showFound(running ? std::optional(JobState::Running) : std::nullopt, {}, ofWorker(worker));
    });
    connect(m_workers, &WorkersPage::failuresRequested, this, [this, ofWorker](const QByteArray &worker) {
        showScreen(Screen::Failures);
        m_failures->showMatching(ofWorker(worker));
    });
    connect(m_workers, &WorkersPage::releaseRequested, this, [this, ofWorker](const QByteArray &worker) {
        Selection selection;
        selection.state = JobState::Running;
        selection.match = ofWorker(worker);
        m_bulk->ask({BulkAction::Release, selection, tr("Worker: %1").arg(shown(worker))});
    });
}

void MainWindow::showWorker(const QByteArray &worker)
{
    showScreen(Screen::Workers);
    if (!worker.isEmpty())
        m_workers->showWorker(worker);
}

void MainWindow::addPage(Page *page)
{
    m_screens->addWidget(page);
    connect(page, &Page::openJobRequested, this, &MainWindow::openJob);
    // The inspector must not go on showing, and acting on, another job than the one that was clicked.
    connect(page, &Page::jobClicked, this, [this](const JobId &id) {
        if (m_dock->isVisible())
            openJob(id);
    });
    connect(page, &Page::done, this, [this](const QString &text, const QString &offer, const std::function<void()> &act) {
        m_toast->say(text, offer, act);
    });
    connect(page, &Page::failed, this, [this](const QString &text) { m_toast->say(text, {}, {}); });
}

void MainWindow::buildNavigation()
{
    m_navigation = new Tinted<QListWidget>(this);
    m_navigation->setAccessibleName(tr("Screens"));
    m_navigation->setFrameShape(QFrame::NoFrame);
    m_navigation->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    m_navigation->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_navigation->setBackgroundRole(QPalette::Window);
    m_navigation->viewport()->setBackgroundRole(QPalette::Window);
    m_navigation->setItemDelegate(new CountedDelegate(m_navigation));
    const int line = fontMetrics().height();
    m_navigation->setIconSize(QSize(line, line));
    // In the order of Screen.
    const std::pair<Icon, QString> screens[] = {
        {Icon::Overview, tr("Overview")}, {Icon::Jobs, tr("Jobs")}, {Icon::Warning, tr("Failures")},
        {Icon::Results, tr("Results")}, {Icon::Schedules, tr("Schedules")},
        {Icon::Constraints, tr("Constraints")}, {Icon::Workers, tr("Workers")}, {Icon::Operations, tr("Operations")},
        {Icon::Key, tr("Tokens")}, {Icon::Audit, tr("Audit")}, {Icon::Hourglass, tr("Retention")}};
    int widest = 0, number = 0;
    for (const auto &[icon, text] : screens) {
        auto *item = new QListWidgetItem(Look::icon(icon), text, m_navigation);
        item->setSizeHint(QSize(0, line * 2));
        if (++number <= keys) // there are no more digits
            item->setToolTip(tr("%1 (Ctrl+%2)", "a screen and its key").arg(text).arg(number % keys));
        widest = std::max(widest, fontMetrics().horizontalAdvance(text));
    }
    m_navigation->setFixedWidth(widest + line * 5);
    connect(m_navigation, &QListWidget::currentRowChanged, this, [this](int row) {
        m_screens->setCurrentIndex(row);
        if (row != int(Screen::Jobs))
            m_jobs->table()->clearSelection(); // what is selected is acted on by letters
        if (m_dock)
            m_dock->setVisible(screen() == Screen::Jobs && m_inspectorWanted && !m_inspectorDue);
        m_jobs->keepRoomBeside();
        sayStatus();
    });
}

void MainWindow::buildInspector()
{
    m_inspector = new JobInspector(m_client, *m_feed, m_preferences, this);
    // What is selected on a screen that is not shown is not meant.
    m_selected = new JobActions(m_client, *m_feed, m_preferences,
        [this] { return screen() == Screen::Jobs ? m_jobs->selectedJobs() : QList<Job>(); }, this);
    connect(m_screens, &QStackedWidget::currentChanged, m_selected, &JobActions::refresh);
    m_inspected = new JobActions(m_client, *m_feed, m_preferences, [this] {
        const std::optional<Job> &job = m_inspector->job();
        return job && !m_inspector->isGone() ? QList<Job>{*job} : QList<Job>();
    }, this);
    m_inspector->setActions(m_inspected);
    m_inspector->setFilter(m_jobs->filterBar(),
        {[this](const QByteArray &expression) { Q_EMIT m_jobs->matcherRequested(expression); },
         [this](const QByteArray &expression) { Q_EMIT m_jobs->pauseRequested(expression); }});
    // A filter by a value of the inspector is for the list of jobs, whatever screen is shown.
    connect(m_jobs->filterBar(), &FilterBar::applied, this, [this] {
        if (!m_jobs->filterBar()->match().isEmpty() && screen() != Screen::Jobs)
            showScreen(Screen::Jobs);
    });
    // Only a part of a cause's jobs are rows of the table. An operator who selects them all means the cause.
    m_selected->setInstead([this](JobActions::Verb verb) {
        if (screen() != Screen::Jobs)
            return false;
        if (m_jobs->isAllSelected()) {
            m_selected->actOnAll(verb, m_jobs->query());
            return true;
        }
        if (verb != JobActions::Verb::Retry || !m_jobs->isWholeCauseSelected())
            return false;
        m_failures->askRetryOf(m_jobs->list().filter().cause);
        return true;
    });
    m_dock = new QDockWidget(tr("Inspector"), this);
    m_dock->setObjectName(QStringLiteral("inspector"));
    m_dock->setWidget(m_inspector);
    m_dock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea | Qt::BottomDockWidgetArea);
    addDockWidget(Qt::RightDockWidgetArea, m_dock);
    connect(m_inspector, &JobInspector::openRequested, this, &MainWindow::openJob);
    connect(m_inspector, &JobInspector::revealFailed, this, [this](const QString &text) { m_toast->say(text, {}, {}); });
    connect(m_inspector, &JobInspector::constraintRequested, this, [this](const QByteArray &matcher, const QByteArray &constraint) {
        showScreen(Screen::Constraints);
        m_constraints->showConstraint(matcher, constraint);
    });
    connect(m_inspector, &JobInspector::jobChanged, m_inspected, &JobActions::refresh);
    m_jobs->setActions({m_selected->retry(), m_selected->cancel(), m_selected->edit(), m_selected->star(), m_selected->remove(),
                        m_selected->restore()});
    connect(m_jobs, &JobsPage::selectionChanged, m_selected, &JobActions::refresh);
    connect(&m_jobs->list(), &JobList::applied, m_selected, &JobActions::refresh);
    connect(m_jobs, &JobsPage::currentJobChanged, this, [this](const JobId &id) {
        if (!id.isNull() && std::exchange(m_inspectorDue, false) && m_inspectorWanted)
            m_dock->setVisible(screen() == Screen::Jobs);
        if (!id.isNull() && m_dock->isVisible())
            m_inspector->show(id);
    });
    connect(m_jobs, &JobsPage::openRequested, this, &MainWindow::openJob);
    connect(m_dock->toggleViewAction(), &QAction::triggered, this, [this](bool wanted) {
        m_inspectorDue = false;
        if (screen() == Screen::Jobs)
            m_inspectorWanted = wanted;
    });
    connect(m_dock, &QDockWidget::visibilityChanged, this, [this](bool visible) {
        // A dock ignores its width until it is laid out for the first time.
        if (visible && m_dockWidthDue)
            QMetaObject::invokeMethod(this, [this] { giveDockWidth(); }, Qt::QueuedConnection);
        const QList<Job> selected = visible ? m_jobs->selectedJobs() : QList<Job>();
        if (!selected.isEmpty() && m_inspector->id().isNull())
            m_inspector->show(selected.first().id);
    });
}

void MainWindow::buildStatus()
{
    statusBar()->setSizeGripEnabled(false);
    const auto label = [this](const QString &accessible) {
        QLabel *text = plainLabel({}, this);
        text->setAccessibleName(accessible);
        const int gap = characterWidth(fontMetrics());
        text->setContentsMargins(gap, 0, gap, 0);
        return text;
    };
    m_liveIcon = new QLabel(this);
    m_live = label(tr("Freshness"));
    m_redis = label(tr("Redis"));
    m_address = label(tr("Address of the master"));
    m_role = label(tr("Role"));
    m_address->setTextInteractionFlags(Qt::TextSelectableByMouse);
    statusBar()->addWidget(m_liveIcon);
    statusBar()->addWidget(m_live);
    statusBar()->addWidget(m_redis);
    m_reason = new QPushButton(this);
    m_reason->setFlat(true);
    m_reason->setAccessibleName(tr("Reason for changes"));
    connect(m_reason, &QPushButton::clicked, this, &MainWindow::askForReason);
    statusBar()->addPermanentWidget(m_reason);
    statusBar()->addPermanentWidget(m_address);
    statusBar()->addPermanentWidget(m_role);
    sayReason();
    sayRole();
}

void MainWindow::sayReason()
{
    const QString reason = shown(m_client.reason());
    const QString text = tr("Reason: %1").arg(reason);
    const QString label = fontMetrics().elidedText(text, Qt::ElideRight, fontMetrics().averageCharWidth() * 48);
    m_reason->setText(withoutKeys(label));
    m_reason->setToolTip(plainTip(text));
    m_reason->setVisible(!reason.isEmpty());
}

void MainWindow::sayRole()
{
    QString role = m_options.role;
    if (role.isEmpty())
        // The token for the embedded master has all roles.
        role = m_options.place == MasterPlace::Embedded ? tr("all roles")
            : m_client.hasToken() ? tr("with a token") : tr("without a token");
    m_role->setText(role);
}

// Who the window is to the master: once, and again when tokens were changed. A master that does not say it, as to a token for workers,
// offers what everybody may see.
void MainWindow::askSession()
{
    if (m_isKnown || m_sessionCall != 0)
        return;
    m_sessionCall = m_client.session(client::guarded<SessionView>(this, [this](const Result<SessionView> &session) {
        if (!session.ok() && session.error().code == ErrorCode::Cancelled)
            return;
        m_sessionCall = 0;
        heedSession(session);
    }));
}

void MainWindow::heedSession(const Result<SessionView> &session)
{
    if (!session.ok() && session.error().code != ErrorCode::Forbidden && session.error().code != ErrorCode::NotFound)
        return; // the next overview asks again
    m_isKnown = true;
    m_mayAdminister = session.ok() && session->allJobs && session->roles.contains(Role::Admin);
    m_tokens->setOwn(session.ok() ? session->who : QByteArray());
    sayRole();
    if (session.ok() && m_options.role.isEmpty() && m_options.place == MasterPlace::Remote && m_client.hasToken()) {
        const QString roles = AccessTexts::roles(session->roles);
        m_role->setText(session->note.isEmpty() ? roles : tr("%1 (%2)", "a person and what it may do").arg(shown(session->note), roles));
    }
    sayRights();
}

// The token is another one, or tokens were changed.
void MainWindow::askWhoAgain()
{
    m_isKnown = false;
    m_client.cancel(std::exchange(m_sessionCall, 0));
    askSession();
}

// The screens that are for administrators are shown to them only.
void MainWindow::sayRights()
{
    for (const Screen screen : {Screen::Tokens, Screen::Audit})
        m_navigation->item(int(screen))->setHidden(!m_mayAdminister);
    m_retention->setMayChange(m_mayAdminister);
    m_signOut->setVisible(m_isKnown && m_options.place == MasterPlace::Remote && m_client.hasToken());
    for (QAction *action : std::as_const(m_forAdmins))
        action->setVisible(m_mayAdminister);
    if (m_isKnown && !offers(screen()))
        showScreen(Screen::Overview);
}

bool MainWindow::offers(Screen screen) const
{
    return !m_navigation->item(int(screen))->isHidden();
}

void MainWindow::showScreen(Screen screen)
{
    m_navigation->setCurrentRow(int(screen));
    // To the list of the screen, whose rows the arrow keys choose then, and not the next screen.
    if (auto *page = qobject_cast<Page *>(m_screens->currentWidget())) {
        page->focusList();
        return;
    }
    auto *table = m_screens->currentWidget()->findChild<QTableView *>();
    (table ? table : m_screens->currentWidget())->setFocus();
}

// How many jobs, results and so on a screen is about now; nothing where there are none.
void MainWindow::sayCounts()
{
    const Overview &overview = *m_feed->overview();
    const Format format = m_preferences.format();
    qint64 all = 0;
    for (const JobState state : Look::states())
        all += isFinal(state) ? 0 : overview.count(state);
    const auto n = [](qint64 count) { return int(std::min<qint64>(count, std::numeric_limits<int>::max())); };
    const std::tuple<Screen, qint64, QString> counts[] = {
        {Screen::Jobs, all, tr("%Ln job(s) that have not ended", nullptr, n(all))},
        {Screen::Failures, overview.count(JobState::Failed), tr("%Ln failed job(s)", nullptr, n(overview.count(JobState::Failed)))},
        {Screen::Results, overview.resultsKept, tr("%Ln result(s) kept", nullptr, n(overview.resultsKept))},
        {Screen::Constraints, overview.held.jobs, tr("%Ln job(s) held", nullptr, n(overview.held.jobs))},
        {Screen::Operations, m_work.size(), tr("%Ln under way", nullptr, n(m_work.size()))}};
    for (const auto &[screen, count, words] : counts) {
        QListWidgetItem *item = m_navigation->item(int(screen));
        item->setData(CountRole, count > 0 ? format.tinyCount(count) : QString());
        item->setData(Qt::AccessibleDescriptionRole, count > 0 ? words : QString());
    }
}

MainWindow::Screen MainWindow::screen() const
{
    return Screen(m_screens->currentIndex());
}

void MainWindow::openJob(const JobId &id)
{
    if (id.isNull())
        return;
    // What acts on selected rows, such as Del, must not meet another job than the one that was just opened.
    const QList<Job> selected = m_jobs->selectedJobs();
    if (std::none_of(selected.begin(), selected.end(), [&id](const Job &job) { return job.id == id; }))
        m_jobs->table()->clearSelection();
    m_inspectorWanted = true;
    m_inspectorDue = false;
    m_dock->show();
    m_dock->raise();
    m_inspector->show(id);
}

bool MainWindow::showsConnectionCard() const
{
    return m_body->currentWidget() == m_card;
}

// The master's address, short.
QString MainWindow::addressText() const
{
    return m_client.url().authority().isEmpty() ? m_client.place() : m_client.url().authority();
}

// Why there are no new figures, in words that help an operator.
QString MainWindow::failureText() const
{
    if (m_feed->health().late)
        return tr("No answer comes: the master or its Redis hangs.");
    const Error &error = m_feed->health().error;
    switch (error.code) {
    case ErrorCode::Unreachable: return tr("The master does not answer: %1").arg(reasonText(error.reason));
    case ErrorCode::Unauthorized:
        return m_client.hasToken() ? tr("The master does not accept this token. It says: %1").arg(reasonText(error.reason))
                                   : tr("The master needs a token. It says: %1").arg(reasonText(error.reason));
    case ErrorCode::Forbidden: return tr("This token may not look at jobs.");
    case ErrorCode::StoreUnavailable: return tr("The master can't reach Redis: %1").arg(reasonText(error.reason));
    default: return reasonText(error.reason);
    }
}

bool MainWindow::needsToken() const
{
    const Health &health = m_feed->health();
    return m_options.place == MasterPlace::Remote && health.state != Health::State::Live && health.error.code == ErrorCode::Unauthorized;
}

QString MainWindow::retryWord() const
{
    return needsToken() ? tr("Enter a token") : tr("Try now");
}

void MainWindow::tryAgain()
{
    if (needsToken())
        askForToken();
    else
        m_feed->retryNow();
}

// Once for each token that is refused; after that the operator decides when.
void MainWindow::heedRefusal()
{
    if (findChild<MadeTokenDialog *>())
        return; // the token that is asked for is shown there
    if (!needsToken())
        m_tokenAsked = m_tokenAsked && m_feed->health().state != Health::State::Live;
    else if (!m_tokenAsked)
        askForToken();
}

void MainWindow::askForToken()
{
    m_tokenAsked = true;
    if (m_tokenDialog) {
        m_tokenDialog->raise();
        return;
    }
    m_tokenDialog = new TokenDialog(m_client, reasonText(m_feed->health().error.reason), this);
    connect(m_tokenDialog, &QDialog::accepted, this, [this] {
        m_tokenAsked = false;
        sayRole();
        askWhoAgain();
        m_feed->startOver();
        m_bulk->startOver();
    });
    m_tokenDialog->open();
}

void MainWindow::sayHealth()
{
    const Health &health = m_feed->health();
    const Format format = m_preferences.format();
    const QString retry = health.late ? QString() : health.retryIn_s > 0 ? tr("Next try in %1 s.").arg(health.retryIn_s) : tr("Trying…");
    if (health.state == Health::State::Connecting) {
        const QString address = shown(m_client.place());
        if (health.since_ms == 0)
            m_card->say(Icon::Plug, tr("Connecting to %1").arg(address), {});
        else
            m_card->say(Icon::Plug, tr("No connection to %1").arg(address), failureText() + QLatin1Char('\n') + retry, retryWord());
        m_body->setCurrentWidget(m_card);
    } else {
        m_body->setCurrentWidget(m_screens);
    }
    m_strip->setHidden(health.state == Health::State::Connecting);
    heedRefusal();
    m_banner->action()->setText(retryWord());
    m_banner->setVisible(health.state == Health::State::Stale);
    // Figures that are old look so.
    if (const bool old = health.state == Health::State::Stale; old != (m_screens->graphicsEffect() != nullptr))
        m_screens->setGraphicsEffect(old ? new Dimmed(m_screens) : nullptr);
    if (health.state == Health::State::Stale) {
        const QString since = tr("No updates since %1; showing the last known data.").arg(format.time(health.lastUpdate_ms));
        m_banner->say(QStringLiteral("%1\n%2 %3").arg(failureText(), since, retry),
                      QStringLiteral("%1 %2\n%3\n%4")
                          .arg(QString::fromLatin1(errorWord(health.error.code)), m_client.place(),
                               reasonText(health.error.reason), format.dateTime(health.since_ms)));
    }
    sayStatus();
    sayState();
}

// Shows a loss of Redis' history until an operator has seen it, also after a restart of the window.
void MainWindow::sayRollback()
{
    const std::optional<Overview> &overview = m_feed->overview();
    const Rollback rollback = overview ? overview->rollback : Rollback();
    m_rollback->setVisible(rollback.seenAt_ms > m_preferences.rollbackSeen_ms());
    if (m_rollback->isHidden())
        return;
    const QString at = m_preferences.format().timeToday(rollback.seenAt_ms, m_feed->now_ms());
    const int lost = int(std::min<qint64>(rollback.transactionsLost, std::numeric_limits<int>::max()));
    m_rollback->say(tr("At %1 Redis came back without %Ln or more confirmed change(s).", nullptr, lost).arg(at)
                        + QLatin1Char('\n')
                        + tr("Jobs accepted or reported just before may be missing or may run again."),
                    QStringLiteral("rollback seen_at=%1 transactions_lost=%2 %3")
                        .arg(m_preferences.format().dateTime(rollback.seenAt_ms), QString::number(rollback.transactionsLost),
                             m_client.place()));
}

void MainWindow::sayState()
{
    if (!m_feed->overview())
        return;
    const StatePlaces places{
        [this](const QByteArray &matcher, const QByteArray &constraint) {
            showScreen(Screen::Constraints);
            m_constraints->showConstraint(matcher, constraint);
        },
        [this] {
            showScreen(Screen::Constraints);
            m_constraints->showHeld();
        },
        [this](const QList<QByteArray> &names) { showUnasked(names); },
        [this](const QByteArray &pause) { m_constraints->resume(pause); },
        [this](const QByteArray &worker) { showWorker(worker); }};
    const Format format = m_preferences.format();
    // First, so that Stop stays where it is while reasons come and go.
    QList<StateItem> items;
    for (const Work &work : std::as_const(m_work))
        items.append(workItem(work));
    sayCounts();
    const bool live = m_feed->health().state == Health::State::Live;
    items += StateItems(*m_feed->overview(), m_feed->lost(), format, places).all();
    m_strip->say(items, live ? tr("Nothing keeps jobs from running") : QString());
}

StateItem MainWindow::workItem(const Work &work)
{
    StateItem item{.key = work.key, .icon = Icon::Hourglass, .text = work.text, .level = StateItem::Level::Calm};
    if (const std::optional<QByteArray> id = BulkWork::operationOf(work.key)) {
        item.open = [this, id = *id] {
            showScreen(Screen::Operations);
            if (!id.isEmpty())
                m_operations->showOperation(id);
        };
    }
    if (work.stop) {
        item.action = tr("Stop");
        item.act = work.stop;
    }
    return item;
}

void MainWindow::sayWork(const QByteArray &key, const QString &text, const std::function<void()> &stop)
{
    const auto known = std::find_if(m_work.begin(), m_work.end(), [&key](const Work &work) { return work.key == key; });
    if (text.isEmpty() && known == m_work.end())
        return;
    if (text.isEmpty())
        m_work.erase(known);
    else if (known != m_work.end())
        *known = {key, text, stop};
    else
        m_work.append({key, text, stop});
    sayState();
}

void MainWindow::sayStatus()
{
    const Health &health = m_feed->health();
    const Format format = m_preferences.format();
    const bool live = health.state == Health::State::Live;
    const bool frozen = live && m_jobs->list().mode() == JobList::Mode::Frozen && screen() == Screen::Jobs;
    const int side = fontMetrics().height();
    const Icon icon = frozen ? Icon::Snowflake : live ? Icon::Check : Icon::Warning;
    const QPixmap pixmap = live && !frozen ? Look::icon(JobState::Succeeded).pixmap(QSize(side, side), devicePixelRatioF())
                                           : Look::icon(icon).pixmap(QSize(side, side), devicePixelRatioF());
    m_liveIcon->setPixmap(pixmap);
    if (health.state == Health::State::Connecting)
        m_live->setText(tr("not connected"));
    else if (!live)
        m_live->setText(tr("stale, last update %1").arg(format.time(health.lastUpdate_ms)));
    else if (frozen)
        m_live->setText((!m_jobs->list().isPaged()                     ? tr("frozen at %1")
                         : m_jobs->list().filter().match.isEmpty() ? tr("not updated since %1") : tr("searched at %1"))
                            .arg(format.time(m_jobs->list().frozenAt_ms())));
    else
        m_live->setText(tr("live %1").arg(format.time(health.lastUpdate_ms)));

    const std::optional<client::Readiness> &redis = m_feed->readiness();
    if (health.state == Health::State::Connecting || !redis)
        m_redis->setText(tr("Redis: unknown"));
    else if (redis->ready)
        m_redis->setText(tr("Redis: ready, answer in %1").arg(format.duration(std::max<qint64>(1, redis->trip_ms))));
    else
        m_redis->setText(tr("Redis: not ready"));
    const QString address = m_options.place == MasterPlace::Embedded ? tr("This process, %1").arg(addressText()) : shown(m_client.place());
    m_address->setText(redis && redis->behindTls ? tr("%1, --behind-tls: TLS ends before the master").arg(address) : address);
    m_redis->setToolTip(redis && !redis->ready ? plainTip(reasonText(redis->why, format)) : QString());
    if (m_freeze)
        m_freeze->setChecked(m_jobs->list().mode() == JobList::Mode::Frozen);
}

void MainWindow::pace()
{
    m_feed->setPace(isVisible() && !isMinimized() ? Feed::Pace::Watched : Feed::Pace::Hidden);
}

void MainWindow::restoreLayout()
{
    const QByteArray geometry = m_preferences.layout(geometryKey);
    const int line = fontMetrics().height();
    if (geometry.isEmpty() || !restoreGeometry(geometry)) {
        const QSize room = screen() == Screen::Overview && QGuiApplication::primaryScreen()
            ? QGuiApplication::primaryScreen()->availableSize() : QSize();
        const QSize wanted(line * 92, line * 56);
        resize(room.isEmpty() ? wanted : wanted.boundedTo(room * 0.95));
    }
    if (!restoreState(m_preferences.layout(stateKey), Preferences::layoutVersion))
        m_dockWidthDue = true;
    m_dock->hide(); // until a job is chosen
}

// What is shown is what was shown last: the chart's range, the jobs with their filter, and the screen, which a filter would change.
void MainWindow::restorePlace()
{
    const QList<QByteArray> parts = m_preferences.layout(placeKey).split('\n');
    m_overview->setRange(parts.value(1).toInt());
    m_jobs->restorePlace(parts.value(2));
    m_inspectorWanted = parts.value(3) != "closed";
    m_dockWidth = parts.value(4).toInt();
    showScreen(Screen(std::clamp(parts.value(0).toInt(), 0, m_screens->count() - 1)));
}

int MainWindow::inspectorWidth() const
{
    return std::min(characterWidth(fontMetrics()) * 62, width() * 7 / 20);
}

// What the inspector will take of the jobs' screen when it opens by itself, so that no row moves under the pointer that chooses one.
int MainWindow::roomForInspector() const
{
    if (!m_inspectorDue || !m_inspectorWanted || m_dock->isVisible() || m_dock->isFloating()
        || dockWidgetArea(m_dock) == Qt::BottomDockWidgetArea)
        return 0;
    const int own = m_dockWidthDue || m_dockWidth == 0 ? inspectorWidth() : m_dockWidth;
    return std::max(own, m_inspector->minimumSizeHint().width()) + style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent);
}

void MainWindow::giveDockWidth()
{
    if (std::exchange(m_dockWidthDue, false))
        resizeDocks({m_dock}, {inspectorWidth()}, Qt::Horizontal);
}

void MainWindow::resetLayout()
{
    m_preferences.clearLayout();
    addDockWidget(Qt::RightDockWidgetArea, m_dock);
    m_dock->setFloating(false);
    m_inspectorWanted = true;
    m_inspectorDue = false;
    m_dock->show();
    resizeDocks({m_dock}, {inspectorWidth()}, Qt::Horizontal);
    m_jobs->resetLayout();
}

void MainWindow::remember()
{
    m_preferences.setLayout(geometryKey, saveGeometry());
    m_preferences.setLayout(stateKey, saveState(Preferences::layoutVersion));
    m_preferences.setLayout(placeKey,
        QByteArray::number(int(screen())) + '\n' + QByteArray::number(m_overview->range()) + '\n' + m_jobs->place()
            + (m_inspectorWanted ? "\n\n" : "\nclosed\n") + QByteArray::number(m_inspectorDue ? m_dockWidth : m_dock->width()));
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    const bool live = m_feed->health().state == Health::State::Live; // else the master has stopped already
    if (m_options.place == MasterPlace::Embedded && live && m_closing == Closing::NotAsked) {
        event->ignore();
        askBeforeClosing();
        return;
    }
    remember();
    QMainWindow::closeEvent(event);
    if (m_closing == Closing::Leave)
        Q_EMIT left();
    else
        Q_EMIT closed();
}

// This window is the only sign of the master in this process, whose workers would find nobody to report to if it stopped.
void MainWindow::askBeforeClosing()
{
    if (findChild<QMessageBox *>(QStringLiteral("closing")))
        return;
    const std::optional<Overview> &overview = m_feed->overview();
    const qint64 running = overview ? overview->count(JobState::Running) : 0;
    auto *box = new QMessageBox(this);
    box->setObjectName(QStringLiteral("closing"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIcon(QMessageBox::Question);
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(tr("Quit"));
    box->setText(running > 0 ? tr("Stop the master? %Ln job(s) are running.", nullptr, int(running)) : tr("Stop the master?"));
    box->setInformativeText(
        tr("No job is lost. Workers can report again when a master runs again, as long as their leases last.") + QLatin1Char('\n')
        + tr("Without a window, the master keeps serving at %1; “junban --connect %1” opens a window again, and “kill %2” stops it.")
              .arg(m_client.url().toString(QUrl::RemoveUserInfo), QString::number(QCoreApplication::applicationPid())));
    const std::tuple<const char *, QString, QMessageBox::ButtonRole, Closing> answers[] = {
        {"go", tr("Stop the master"), QMessageBox::DestructiveRole, Closing::Stop},
        {"leave", tr("Keep serving without a window"), QMessageBox::AcceptRole, Closing::Leave}};
    for (const auto &[name, text, role, closing] : answers) {
        QPushButton *button = box->addButton(text, role);
        button->setObjectName(QLatin1String(name));
        button->setProperty("closing", int(closing));
    }
    QPushButton *stay = box->addButton(tr("Keep the window"), QMessageBox::RejectRole);
    box->setDefaultButton(stay);
    box->setEscapeButton(stay);
    connect(box, &QMessageBox::finished, this, [this, box] {
        m_closing = Closing(box->clickedButton() ? box->clickedButton()->property("closing").toInt() : 0); // the others have none
        if (m_closing != Closing::NotAsked)
            close();
    });
    box->open();
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange)
        pace();
}

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    pace();
}

void MainWindow::hideEvent(QHideEvent *event)
{
    QMainWindow::hideEvent(event);
    pace();
}

} // namespace junban::ui
