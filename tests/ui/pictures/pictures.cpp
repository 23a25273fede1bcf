// Takes pictures of the window: junban_pictures URL FOLDER LANGUAGE APPEARANCE WIDTHxHEIGHT [dialogs|access]; `dialogs`: also of its
// dialogs, of the retention and of a past range of the chart; `access`: of the screens for administrators alone, and of their dialogs.
// JUNBAN_TOKEN is the token of an administrator, if one is needed. Prints the least size of each screen.
#include "client/apiclient.h"
#include "tests/support/await.h"
#include "ui/access/auditlogpage.h"
#include "ui/access/tokenspage.h"
#include "ui/inspector/explainview.h"
#include "ui/inspector/jobinspector.h"
#include "ui/jobs/jobactions.h"
#include "ui/jobs/jobspage.h"
#include "ui/jobs/jobtableview.h"
#include "ui/limits/constraintspage.h"
#include "ui/operations/operationspage.h"
#include "ui/overview/overviewpage.h"
#include "ui/past/failurespage.h"
#include "ui/past/resultspage.h"
#include "ui/past/retentionpage.h"
#include "ui/schedules/schedulespage.h"
#include "ui/shell/console.h"
#include "ui/shell/palettedialog.h"
#include "ui/widgets/recordlist.h"
#include "ui/workers/workerspage.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QMenu>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <cstdio>
#include <functional>

using namespace junban;
using namespace junban::ui;
using junban::test::await;

namespace {

constexpr int settle_ms = 2'500; // until what a screen asks for has come

class Photographer
{
public:
    Photographer(MainWindow &window, const QString &folder, bool dialogs) : m_window(window), m_folder(folder), m_dialogs(dialogs) {}

    void take(const QString &name)
    {
        QTest::qWait(settle_ms);
        const QSize least = m_window.minimumSizeHint();
        std::printf("at least %dx%d: ", least.width(), least.height());
        save(m_window.grab(), name);
    }

    // The dialog that the action opens, which is closed again; nothing unless dialogs are wanted.
    void takeDialog(const QString &name, QAction *action)
    {
        if (!m_dialogs)
            return;
        if (!QTest::qWaitFor([action] { return action->isEnabled(); }, 20'000))
            qFatal("%s is never enabled", qPrintable(action->text()));
        action->trigger();
        const auto shownDialog = [this]() -> QDialog * {
            for (QDialog *dialog : m_window.findChildren<QDialog *>()) {
                if (dialog->isVisible())
                    return dialog;
            }
            return nullptr;
        };
        if (!QTest::qWaitFor([&] { return shownDialog() != nullptr; }, 20'000))
            qFatal("%s opens no dialog", qPrintable(action->text()));
        QTest::qWait(settle_ms);
        QDialog *dialog = shownDialog();
        save(dialog->grab(), name);
        dialog->reject();
        if (!QTest::qWaitFor([&] { return shownDialog() == nullptr; }))
            qFatal("%s stays open", qPrintable(name));
    }

private:
    void save(const QPixmap &picture, const QString &name)
    {
        const QString path = m_folder.filePath(name + QStringLiteral(".png"));
        std::printf("%s %dx%d\n", qPrintable(path), picture.width(), picture.height());
        if (!picture.save(path))
            qFatal("%s cannot be written", qPrintable(path));
    }

    MainWindow &m_window;
    QDir m_folder;
    bool m_dialogs;
};

void choose(RecordList *list, int row)
{
    if (!QTest::qWaitFor([&] { return list->model()->rowCount() > row; }, 20'000))
        qFatal("a list has too few rows; let the demonstration run longer");
    list->table()->selectRow(row);
}

// One of the first hundred jobs in a state, the last that `fits`; waits for one.
Job someJob(client::ApiClient &client, JobState state, const std::function<bool(const Job &)> &fits = [](const Job &) { return true; })
{
    client::JobQuery query;
    query.state = state;
    query.limit = 100;
    for (int look = 0; look < 120; ++look) {
        const auto page = await<JobPage>([&](auto callback) { client.jobs(query, callback); });
        const QList<Job> jobs = page.ok() ? page->jobs : QList<Job>();
        if (const auto found = std::find_if(jobs.rbegin(), jobs.rend(), fits); found != jobs.rend())
            return *found;
        QTest::qWait(500);
    }
    qFatal("no such job within a minute; let the demonstration run longer");
}

// So that there is an operation to be shown: it runs slowly. Of one name, so that others stay failed for the next language.
void beginOperation(client::ApiClient &client)
{
    NewOperation operation;
    operation.action = BulkAction::Retry;
    operation.selection.state = JobState::Failed;
    operation.selection.match = "job.name == \"" + someJob(client, JobState::Failed).spec.name + '"';
    operation.rate = 2;
    const auto prepared = await<OperationPreview>([&](auto callback) { client.prepareOperation(operation, callback); }, 60'000);
    if (!prepared.ok() || !await<BulkOperation>([&](auto callback) { client.startOperation(prepared->token, callback); }).ok())
        qFatal("no operation could be started");
}

// The screens for administrators.
void takeAccess(MainWindow &window, Photographer &photographer)
{
    if (!QTest::qWaitFor([&] { return window.offers(MainWindow::Screen::Audit); }, 20'000))
        qFatal("the audit is not offered");
    window.showScreen(MainWindow::Screen::Tokens);
    if (QTest::qWaitFor([&] { return window.tokensPage()->list()->model()->rowCount() > 0; }, settle_ms))
        window.tokensPage()->list()->table()->selectRow(0);
    photographer.take(QStringLiteral("tokens"));
    photographer.takeDialog(QStringLiteral("dialog-token"), window.tokensPage()->make());
    if (window.tokensPage()->revoke()->isEnabled())
        photographer.takeDialog(QStringLiteral("dialog-revoke"), window.tokensPage()->revoke());
    window.showScreen(MainWindow::Screen::Audit);
    choose(window.auditPage()->list(), 1);
    photographer.take(QStringLiteral("audit"));
}

void takeAll(MainWindow &window, client::ApiClient &client, Photographer &photographer)
{
    using Screen = MainWindow::Screen;
    photographer.take(QStringLiteral("overview"));
    window.showScreen(Screen::Jobs);
    window.jobsPage()->showState(JobState::Failed);
    window.openJob(someJob(client, JobState::Failed).id);
    photographer.take(QStringLiteral("failed-job"));
    window.jobsPage()->showState(JobState::Ready);
    window.openJob(someJob(client, JobState::Ready, [](const Job &job) { return !job.heldBy.kind.isEmpty(); }).id);
    window.inspector()->tabs()->setCurrentWidget(window.inspector()->explanation());
    photographer.take(QStringLiteral("why-not-running"));
    window.jobsPage()->table()->selectRow(0);
    photographer.takeDialog(QStringLiteral("dialog-edit-job"), window.jobActions()->edit());
    window.showScreen(Screen::Failures);
    choose(window.failuresPage()->list(), 0);
    photographer.take(QStringLiteral("failures"));
    photographer.takeDialog(QStringLiteral("dialog-retry-cause"), window.failuresPage()->retry());
    window.showScreen(Screen::Results);
    choose(window.resultsPage()->list(), 0);
    photographer.take(QStringLiteral("results"));
    window.showScreen(Screen::Schedules);
    choose(window.schedulesPage()->list(), 1);
    photographer.take(QStringLiteral("schedules"));
    photographer.takeDialog(QStringLiteral("dialog-schedule"), window.schedulesPage()->edit());
    window.showScreen(Screen::Constraints);
    choose(window.constraintsPage()->list(), 6);
    photographer.take(QStringLiteral("constraints"));
    choose(window.constraintsPage()->list(), 3);
    photographer.takeDialog(QStringLiteral("dialog-matcher"), window.constraintsPage()->edit());
    photographer.takeDialog(QStringLiteral("dialog-delete-matcher"), window.constraintsPage()->remove());
    window.showScreen(Screen::Workers);
    choose(window.workersPage()->list(), 0);
    photographer.take(QStringLiteral("workers"));
    beginOperation(client);
    window.showScreen(Screen::Operations);
    choose(window.operationsPage()->list(), 0);
    photographer.take(QStringLiteral("operations"));
    takeAccess(window, photographer);
}

// What the manual does not show. An entry of the menu is found by its English text.
void takeMore(MainWindow &window, Photographer &photographer)
{
    const auto entry = [&window](const char *text) {
        const QList<QAction *> actions = window.findChildren<QAction *>();
        const auto found = std::find_if(actions.begin(), actions.end(), [text](const QAction *action) {
            return action->property(PaletteDialog::englishProperty).toString() == QString::fromUtf8(text); // which may end with …
        });
        if (found == actions.end())
            qFatal("no entry %s", text);
        return *found;
    };
    window.showScreen(MainWindow::Screen::Retention);
    choose(window.retentionPage()->list(), 0);
    photographer.take(QStringLiteral("retention"));
    photographer.takeDialog(QStringLiteral("dialog-retention"), window.retentionPage()->edit());
    photographer.takeDialog(QStringLiteral("dialog-retention-name"), window.retentionPage()->add());
    window.showScreen(MainWindow::Screen::Overview);
    window.overviewPage()->otherRanges()->menu()->actions().first()->trigger(); // yesterday
    photographer.take(QStringLiteral("overview-yesterday"));
    photographer.takeDialog(QStringLiteral("dialog-pause"), entry("&Pause…"));
    photographer.takeDialog(QStringLiteral("dialog-new-job"), entry("&New job…"));
    photographer.takeDialog(QStringLiteral("dialog-new-matcher"), entry("&New JobMatcher…"));
    photographer.takeDialog(QStringLiteral("dialog-new-schedule"), entry("New sc&hedule…"));
    photographer.takeDialog(QStringLiteral("dialog-palette"), entry("Co&mmand…"));
    photographer.takeDialog(QStringLiteral("dialog-settings"), entry("Se&ttings…"));
    photographer.takeDialog(QStringLiteral("dialog-reason"), entry("&Reason for changes…"));
    photographer.takeDialog(QStringLiteral("dialog-keys"), entry("&Keys"));
}

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    const QStringList size = words.value(5).split(QLatin1Char('x'));
    if (words.size() < 6 || words.size() > 7 || size.size() != 2)
        qFatal("junban_pictures URL FOLDER LANGUAGE APPEARANCE WIDTHxHEIGHT [dialogs|access]");
    QTemporaryDir scratch;
    client::ApiClient client({QUrl(words[1]), qgetenv("JUNBAN_TOKEN")});
    Console console(client, {MasterPlace::Remote, QStringLiteral("demo"), {}}, scratch.filePath(QStringLiteral("console.ini")));
    console.preferences().setAppearance(words[4] == QLatin1String("dark") ? Appearance::Dark : Appearance::Light);
    console.preferences().setLanguage(words[3]);
    console.restart();
    console.window()->resize(size[0].toInt(), size[1].toInt());
    if (!QTest::qWaitFor([&] { return console.window()->feed().health().state == Health::State::Live; }, 20'000))
        qFatal("no connection to %s", qPrintable(words[1]));
    QDir().mkpath(words[2]);
    Photographer photographer(*console.window(), words[2], words.size() > 6);
    if (words.value(6) == QLatin1String("access"))
        takeAccess(*console.window(), photographer);
    else
        takeAll(*console.window(), client, photographer);
    if (words.value(6) == QLatin1String("dialogs"))
        takeMore(*console.window(), photographer);
    return 0;
}
