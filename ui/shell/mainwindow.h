#pragma once

#include "ui/base/address.h"
#include "ui/base/feed.h"
#include "ui/base/preferences.h"

#include <QMainWindow>
#include <QPointer>

QT_BEGIN_NAMESPACE
class QDockWidget;
class QLabel;
class QListWidget;
class QPushButton;
class QStackedWidget;
QT_END_NAMESPACE

namespace junban {
struct SavedFilter;
struct SessionView;
}

namespace junban::ui {

class AuditLogPage;
class Banner;
class BulkWork;
class EmptyState;
class ConstraintsPage;
class FailuresPage;
class JobActions;
class JobInspector;
class JobsPage;
class OperationsPage;
class OverviewPage;
class Page;
class ResultsPage;
class RetentionPage;
class SchedulesPage;
class StateStrip;
struct StateItem;
class Toast;
class TokenDialog;
class TokensPage;
class WorkersPage;

// Where the master runs, as the window says it.
enum class MasterPlace { Embedded, Remote };

struct UiOptions {
    MasterPlace place = MasterPlace::Remote;
    QString environment = {}; // "prod-tokyo": shown in the title; empty: nothing
    QString role = {};        // what the token may do, when the caller knows
};

// The main window: the list of screens at the left, the chosen screen in the middle, the job inspector at the right, the state of the
// connection at the bottom.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    // The client and the preferences must outlive the window.
    MainWindow(client::ApiClient &client, Preferences &preferences, UiOptions options, QWidget *parent = nullptr);
    ~MainWindow() override;

    enum class Screen { Overview, Jobs, Failures, Results, Schedules, Constraints, Workers, Operations, Tokens, Audit, Retention };
    void showScreen(Screen screen);
    Screen screen() const;
    void openJob(const JobId &id);
    // What is shown, as the web console has it in its address, and back. A screen that the window has not is not opened.
    Address address() const;
    void openAddress(const Address &address);
    // Writes its size, its screen and the filter into the preferences, for the next window.
    void remember();

    Feed &feed() { return *m_feed; }
    OverviewPage *overviewPage() const { return m_overview; }
    JobsPage *jobsPage() const { return m_jobs; }
    FailuresPage *failuresPage() const { return m_failures; }
    ResultsPage *resultsPage() const { return m_results; }
    SchedulesPage *schedulesPage() const { return m_schedules; }
    ConstraintsPage *constraintsPage() const { return m_constraints; }
    WorkersPage *workersPage() const { return m_workers; }
    OperationsPage *operationsPage() const { return m_operations; }
    TokensPage *tokensPage() const { return m_tokens; }
    AuditLogPage *auditPage() const { return m_audit; }
    RetentionPage *retentionPage() const { return m_retention; }
    // Whether the screen is in the list of screens: some are for administrators only.
    bool offers(Screen screen) const;
    JobInspector *inspector() const { return m_inspector; }
    Banner *banner() const { return m_banner; }
    Banner *rollbackBanner() const { return m_rollback; }
    StateStrip *strip() const { return m_strip; }
    Banner *insecureBanner() const { return m_insecure; }
    Toast *toast() const { return m_toast; }
    EmptyState *connectionCard() const { return m_card; }
    bool showsConnectionCard() const;
    QPushButton *reason() const { return m_reason; }
    JobActions *jobActions() const { return m_selected; }

Q_SIGNALS:
    void closed(); // the operator closed it; if that stops a master, the operator has confirmed it
    void left();   // the operator closed it, and the master in this process is to go on
    void restartRequested();

protected:
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void buildScreens();
    // Empty: the screen alone.
    void showWorker(const QByteArray &worker);
    // Nothing: jobs of all states.
    void showFound(std::optional<JobState> state, const QByteArray &name, const QByteArray &match);
    void showUnasked(const QList<QByteArray> &names);
    static QByteArray oneOf(const QList<QByteArray> &names);
    static QByteArray namesOf(const QList<Job> &jobs);
    void buildBulk();
    void connectWorkers();
    void connectScreens();
    void addPage(Page *page);
    void connectAccess();
    void buildNavigation();
    void buildInspector();
    void buildMenus();
    void buildViewMenu();
    void buildAppearanceMenu(class QMenu *appearance);
    void buildJobsMenu();
    void buildConstraintsMenu();
    void buildHelpMenu();
    void buildStatus();
    // `text`: in English.
    QAction *add(class QMenu *menu, const char *text, const QList<QKeySequence> &keys, std::function<void()> act);
    void sayHealth();
    void heedRefusal();
    void askForToken();
    void tryAgain();
    QString retryWord() const;
    void askForReason();
    void sayReason();
    void sayRole();
    void askSession();
    void heedSession(const Result<SessionView> &session);
    void sayRights();
    void askWhoAgain();
    void askSignOut();
    void sayRollback();
    void sayState();
    void sayCounts();
    struct Work;
    StateItem workItem(const Work &work);
    void sayWork(const QByteArray &key, const QString &text, const std::function<void()> &stop);
    void sayStatus();
    void pace();
    void restoreLayout();
    void restorePlace();
    int inspectorWidth() const;
    int roomForInspector() const;
    void giveDockWidth();
    void resetLayout();
    void goToJob();
    void showFilter(const SavedFilter &filter);
    void showWhy();
    void undo();
    void resumePause();
    void showPalette();
    void askBeforeClosing();
    void openDocumentation(const QString &path);
    void addressOfJobs(Address &address) const;
    void openJobs(const Address &address);
    void openFailures(const Address &address);
    void copyLink();
    QString failureText() const;
    QString addressText() const;
    bool needsToken() const;

    client::ApiClient &m_client;
    Preferences &m_preferences;
    UiOptions m_options;
    Feed *m_feed;
    QListWidget *m_navigation = nullptr;
    QStackedWidget *m_screens = nullptr;
    QStackedWidget *m_body = nullptr;
    EmptyState *m_card = nullptr;
    Banner *m_banner = nullptr;
    Banner *m_rollback = nullptr;
    StateStrip *m_strip = nullptr;
    Banner *m_insecure = nullptr;
    Toast *m_toast = nullptr;
    OverviewPage *m_overview = nullptr;
    JobsPage *m_jobs = nullptr;
    FailuresPage *m_failures = nullptr;
    ResultsPage *m_results = nullptr;
    SchedulesPage *m_schedules = nullptr;
    ConstraintsPage *m_constraints = nullptr;
    WorkersPage *m_workers = nullptr;
    OperationsPage *m_operations = nullptr;
    TokensPage *m_tokens = nullptr;
    AuditLogPage *m_audit = nullptr;
    RetentionPage *m_retention = nullptr;
    BulkWork *m_bulk = nullptr;
    JobInspector *m_inspector = nullptr;
    QDockWidget *m_dock = nullptr;
    JobActions *m_selected = nullptr;  // for the jobs selected in the table
    JobActions *m_inspected = nullptr; // for the inspector's job
    QLabel *m_live = nullptr;
    QLabel *m_liveIcon = nullptr;
    QLabel *m_redis = nullptr;
    QLabel *m_address = nullptr;
    QLabel *m_role = nullptr;
    QPushButton *m_reason = nullptr; // of all that is changed; hidden when there is none
    QAction *m_freeze = nullptr;
    struct Work {
        QByteArray key;
        QString text;
        std::function<void()> stop; // nothing: this caller may not
    };
    QList<Work> m_work;            // what goes on, in the order in which it began
    int m_dockWidth = 0;           // of the inspector in the window before; 0: unknown
    bool m_dockWidthDue = false;   // the inspector gets its width when it is first shown
    enum class Closing { NotAsked, Stop, Leave } m_closing = Closing::NotAsked; // what becomes of the master in this process
    QList<QAction *> m_forAdmins;  // in the menu
    QAction *m_signOut = nullptr;
    client::CallId m_sessionCall = 0;
    bool m_isKnown = false;        // the master has said what the caller may do
    bool m_mayAdminister = false;
    bool m_tokenAsked = false;     // for the one that the master has not accepted since
    QPointer<TokenDialog> m_tokenDialog;
    bool m_inspectorDue = true;    // it opens with the first job that is chosen
    bool m_inspectorWanted = true; // whether the operator wants to see the inspector, on screens that have one
};

} // namespace junban::ui
