// The window's menus and keys. Every action is in a menu.
#include "ui/access/auditlogpage.h"
#include "ui/access/tokenspage.h"
#include "ui/base/reasontexts.h"
#include "ui/inspector/explainview.h"
#include "ui/inspector/jobinspector.h"
#include "ui/jobs/jobactions.h"
#include "ui/jobs/jobspage.h"
#include "ui/limits/constraintspage.h"
#include "ui/limits/filterbar.h"
#include "ui/limits/savedfilters.h"
#include "ui/operations/operationspage.h"
#include "ui/past/failurespage.h"
#include "ui/past/resultspage.h"
#include "ui/schedules/schedulespage.h"
#include "ui/shell/dialogs.h"
#include "ui/shell/mainwindow.h"
#include "ui/shell/palettedialog.h"
#include "ui/shell/reasondialog.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/question.h"
#include "ui/widgets/tables.h"

#include <QActionGroup>
#include <QDesktopServices>
#include <QDockWidget>
#include <QInputDialog>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>

namespace junban::ui {

QAction *MainWindow::add(QMenu *menu, const char *text, const QList<QKeySequence> &keys, std::function<void()> act)
{
    QAction *action = menu->addAction(tr(text));
    action->setProperty(PaletteDialog::englishProperty, QString::fromUtf8(text));
    action->setShortcuts(keys);
    connect(action, &QAction::triggered, this, std::move(act));
    return action;
}

void MainWindow::buildMenus()
{
    QMenu *file = menuBar()->addMenu(tr("&File"));
    add(file, QT_TR_NOOP("Se&ttings…"), {QKeySequence(Qt::CTRL | Qt::Key_Comma)}, [this] {
        showSettings(m_preferences, this, [this] { Q_EMIT restartRequested(); });
    })
        ->setMenuRole(QAction::PreferencesRole);
    m_forAdmins.append(add(file, QT_TR_NOOP("New to&ken…"), {}, [this] {
        showScreen(Screen::Tokens);
        m_tokens->create();
    }));
    add(file, QT_TR_NOOP("&Reason for changes…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)}, [this] { askForReason(); });
    m_signOut = add(file, QT_TR_NOOP("Sign &out everywhere…"), {}, [this] { askSignOut(); });
    file->addSeparator();
    add(file, QT_TR_NOOP("&Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)}, [this] { close(); })->setMenuRole(QAction::QuitRole);
    buildViewMenu();
    buildJobsMenu();
    buildConstraintsMenu();
    buildHelpMenu();
}

void MainWindow::buildViewMenu()
{
    QMenu *view = menuBar()->addMenu(tr("&View"));
    add(view, QT_TR_NOOP("&Overview"), {QKeySequence(Qt::CTRL | Qt::Key_1)}, [this] { showScreen(Screen::Overview); });
    add(view, QT_TR_NOOP("&Jobs"), {QKeySequence(Qt::CTRL | Qt::Key_2)}, [this] { showScreen(Screen::Jobs); });
    add(view, QT_TR_NOOP("Fai&lures"), {QKeySequence(Qt::CTRL | Qt::Key_3)}, [this] { showScreen(Screen::Failures); });
    add(view, QT_TR_NOOP("Res&ults"), {QKeySequence(Qt::CTRL | Qt::Key_4)}, [this] { showScreen(Screen::Results); });
    add(view, QT_TR_NOOP("S&chedules"), {QKeySequence(Qt::CTRL | Qt::Key_5)}, [this] { showScreen(Screen::Schedules); });
    add(view, QT_TR_NOOP("Co&nstraints"), {QKeySequence(Qt::CTRL | Qt::Key_6)}, [this] { showScreen(Screen::Constraints); });
    add(view, QT_TR_NOOP("&Workers"), {QKeySequence(Qt::CTRL | Qt::Key_7)}, [this] { showScreen(Screen::Workers); });
    add(view, QT_TR_NOOP("O&perations"), {QKeySequence(Qt::CTRL | Qt::Key_8)}, [this] { showScreen(Screen::Operations); });
    m_forAdmins.append(add(view, QT_TR_NOOP("&Tokens"), {QKeySequence(Qt::CTRL | Qt::Key_9)}, [this] { showScreen(Screen::Tokens); }));
    m_forAdmins.append(add(view, QT_TR_NOOP("Au&dit"), {QKeySequence(Qt::CTRL | Qt::Key_0)}, [this] { showScreen(Screen::Audit); }));
    add(view, QT_TR_NOOP("R&etention"), {}, [this] { showScreen(Screen::Retention); });
    view->addSeparator();
    add(view, QT_TR_NOOP("&Filter"), {QKeySequence(Qt::CTRL | Qt::Key_F), QKeySequence(Qt::Key_Slash)}, [this] {
        if (screen() == Screen::Failures) {
            m_failures->filterBar()->enter();
        } else if (screen() == Screen::Results) {
            m_results->filterBar()->enter();
        } else if (screen() == Screen::Audit) {
            m_audit->enterFilter();
        } else {
            showScreen(Screen::Jobs);
            m_jobs->focusFilter();
        }
    });
    add(view, QT_TR_NOOP("&Go to job…"), {QKeySequence(Qt::CTRL | Qt::Key_G)}, [this] { goToJob(); });
    add(view, QT_TR_NOOP("Copy lin&k"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)}, [this] { copyLink(); });
    add(view, QT_TR_NOOP("Co&mmand…"), {QKeySequence(Qt::CTRL | Qt::Key_K)}, [this] { showPalette(); });
    add(view, QT_TR_NOOP("&Refresh and go live"), {QKeySequence(Qt::Key_F5)}, [this] {
        m_feed->retryNow();
        m_jobs->refresh();
        m_inspector->refresh();
        if (auto *page = qobject_cast<Page *>(m_screens->currentWidget()))
            page->refreshNow();
    });
    // The table handles the Space key; the menu only shows it.
    m_freeze = add(view, QT_TR_NOOP("Free&ze the table"), {}, [this] { m_jobs->toggleFreeze(); });
    m_freeze->setCheckable(true);
    connect(&m_jobs->list(), &JobList::changed, this, &MainWindow::sayStatus);
    view->addSeparator();
    QAction *inspector = m_dock->toggleViewAction();
    inspector->setText(tr("&Inspector"));
    inspector->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_I));
    view->addAction(inspector);
    add(view, QT_TR_NOOP("Reset la&yout"), {}, [this] { resetLayout(); });
    view->addSeparator();
    setCompactRows(m_preferences.hasCompactRows());
    QAction *compact = add(view, QT_TR_NOOP("Compact row&s"), {}, [] {});
    compact->setCheckable(true);
    compact->setChecked(m_preferences.hasCompactRows());
    connect(compact, &QAction::toggled, this, [this](bool on) {
        m_preferences.setCompactRows(on);
        setCompactRows(on);
    });
    buildAppearanceMenu(view->addMenu(tr("&Appearance")));
}

void MainWindow::buildAppearanceMenu(QMenu *appearance)
{
    auto *group = new QActionGroup(this);
    const std::pair<Appearance, const char *> looks[] = {
        {Appearance::System, QT_TR_NOOP("&System default")}, {Appearance::Light, QT_TR_NOOP("&Light")},
        {Appearance::Dark, QT_TR_NOOP("&Dark")}};
    for (const auto &[look, text] : looks) {
        QAction *action = add(appearance, text, {}, [this, look = look] { m_preferences.setAppearance(look); });
        action->setCheckable(true);
        action->setChecked(m_preferences.appearance() == look);
        group->addAction(action);
        connect(&m_preferences, &Preferences::appearanceChanged, action, [this, action, look = look] {
            action->setChecked(m_preferences.appearance() == look);
        });
    }
}

void MainWindow::buildJobsMenu()
{
    QMenu *jobs = menuBar()->addMenu(tr("&Jobs"));
    add(jobs, QT_TR_NOOP("&New job…"), {QKeySequence(Qt::CTRL | Qt::Key_N)}, [this] { m_selected->enqueueLike({}); });
    add(jobs, QT_TR_NOOP("New sc&hedule…"), {}, [this] {
        showScreen(Screen::Schedules);
        m_schedules->create();
    });
    jobs->addSeparator();
    add(jobs, QT_TR_NOOP("&Open in the inspector"), {}, [this] { openJob(m_jobs->table()->currentId()); });
    QAction *why = add(jobs, QT_TR_NOOP("&Why not running"), {QKeySequence(Qt::Key_W)}, [this] { showWhy(); });
    add(jobs, QT_TR_NOOP("&Undo"), {QKeySequence(Qt::CTRL | Qt::Key_Z)}, [this] { undo(); });
    jobs->addSeparator();
    for (QAction *action : {m_selected->retry(), m_selected->cancel(), m_selected->forceCancel()})
        jobs->addAction(action);
    jobs->addSeparator();
    for (QAction *action : {m_selected->edit(), m_selected->star(), m_selected->duplicate(), m_selected->restore(), m_selected->remove()})
        jobs->addAction(action);
    jobs->addAction(m_selected->copyId());
    // Letters are shortcuts only in the table, so that they can be typed elsewhere.
    m_selected->retry()->setShortcuts({QKeySequence(Qt::Key_R), QKeySequence(Qt::SHIFT | Qt::Key_R)});
    m_selected->cancel()->setShortcut(QKeySequence(Qt::Key_Delete));
    m_selected->copyId()->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_C));
    m_selected->edit()->setShortcut(QKeySequence(Qt::Key_E));
    m_selected->star()->setShortcut(QKeySequence(Qt::Key_S));
    m_selected->remove()->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_D)); // Shift, so that it is not pressed by mistake
    for (QAction *action : {m_selected->retry(), m_selected->cancel(), m_selected->copyId(), m_selected->edit(), m_selected->star(),
                            m_selected->remove(), why}) {
        action->setShortcutContext(Qt::WidgetShortcut);
        m_jobs->table()->addAction(action);
    }
    m_jobs->setJobMenu(jobs);
}

void MainWindow::showWhy()
{
    if (const JobId id = screen() == Screen::Jobs ? m_jobs->table()->currentId() : JobId(); !id.isNull())
        openJob(id);
    m_inspector->tabs()->setCurrentWidget(m_inspector->explanation());
}

// What the toast offers, or what was done to many jobs, as long as the master can take it back.
void MainWindow::undo()
{
    if (m_toast->isVisible() && m_toast->offer()->isVisible())
        m_toast->offer()->click();
    else
        showScreen(Screen::Operations);
}

// The only pause; of several the operator chooses.
void MainWindow::resumePause()
{
    const QList<Pause> pauses = m_feed->overview() ? m_feed->overview()->pauses : QList<Pause>();
    if (pauses.size() == 1)
        m_constraints->resume(pauses.first().id);
    else if (pauses.isEmpty())
        m_toast->say(tr("Nothing is paused."), {}, {});
    else
        showScreen(Screen::Constraints);
}

void MainWindow::buildConstraintsMenu()
{
    QMenu *constraints = menuBar()->addMenu(tr("&Constraints"));
    add(constraints, QT_TR_NOOP("&New JobMatcher…"), {}, [this] { m_constraints->create(); });
    add(constraints, QT_TR_NOOP("&Pause…"), {}, [this] {
        m_constraints->askPause(screen() == Screen::Jobs          ? namesOf(m_jobs->selectedJobs())
                                : screen() == Screen::Constraints ? m_constraints->chosenExpression()
                                                                  : QByteArray());
    });
    add(constraints, QT_TR_NOOP("Resu&me a pause"), {}, [this] { resumePause(); });
    constraints->addSeparator();
    for (QAction *action : m_constraints->actions())
        constraints->addAction(action);
}

void MainWindow::buildHelpMenu()
{
    QMenu *help = menuBar()->addMenu(tr("&Help"));
    add(help, QT_TR_NOOP("&Keys"), {QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question)}, [this] { showKeys(this); });
    add(help, QT_TR_NOOP("&Manual"), {}, [this] { openDocumentation(QStringLiteral("/manual")); });
    add(help, QT_TR_NOOP("&API documentation"), {}, [this] { openDocumentation(QStringLiteral("/docs")); });
    help->addSeparator();
    add(help, QT_TR_NOOP("A&bout Junban"), {}, [this] {
        const std::optional<Overview> &overview = m_feed->overview();
        showAbout(overview ? overview->version : QByteArray(), this);
    })->setMenuRole(QAction::AboutRole);
}

void MainWindow::askForReason()
{
    auto *dialog = new ReasonDialog(m_client, this);
    connect(dialog, &QDialog::accepted, this, &MainWindow::sayReason);
    dialog->open();
}

// The browsers that signed in with the token that this window calls with.
void MainWindow::askSignOut()
{
    ask(this, m_client, {tr("Sign out everywhere?"),
                         tr("All browsers that signed in with the token of this window are signed out, on every device. The token itself "
                            "stays, and this window goes on."), tr("Sign out everywhere"), Question::Weight::Grave},
        [this] {
            m_client.signOutEverywhere(client::guarded<Done>(this, [this](const Result<Done> &answer) {
                m_toast->say(answer.ok() ? tr("All browsers are signed out.") : reasonText(answer.error().reason), {}, {});
            }));
        });
}

void MainWindow::openDocumentation(const QString &path)
{
    QUrl url = m_client.url();
    if (url.authority().isEmpty()) {
        m_toast->say(tr("A browser cannot open the documentation over a unix socket."), {}, {});
        return;
    }
    url.setUserInfo({});
    url.setPath(path);
    QDesktopServices::openUrl(url);
}

void MainWindow::showPalette()
{
    QList<QAction *> actions;
    for (const QAction *entry : menuBar()->actions()) {
        for (QAction *action : entry->menu()->actions()) {
            if (!action->menu() && !action->isSeparator() && action->isVisible())
                actions.append(action);
        }
    }
    const PalettePlaces places{
        [this](const JobId &id) { openJob(id); },
        [this](const QByteArray &name) {
            showScreen(Screen::Jobs);
            m_jobs->showName(name);
        },
        [this](const QByteArray &matcher, const QByteArray &constraint) {
            showScreen(Screen::Constraints);
            m_constraints->showConstraint(matcher, constraint);
        },
        [this](const QByteArray &schedule) {
            showScreen(Screen::Schedules);
            m_schedules->showSchedule(schedule);
        },
        [this](const QByteArray &worker) { showWorker(worker); },
        [this](const QByteArray &operation) {
            showScreen(Screen::Operations);
            m_operations->showOperation(operation);
        },
        [this](const SavedFilter &filter) { showFilter(filter); }};
    (new PaletteDialog(actions, m_client, m_preferences.format(), places, this))->open();
}

void MainWindow::showFilter(const SavedFilter &filter)
{
    FilterBar *bar = m_jobs->filterBar();
    switch (filter.body.screen) {
    case FilterScreen::Failures:
        showScreen(Screen::Failures);
        bar = m_failures->filterBar();
        break;
    case FilterScreen::Results:
        showScreen(Screen::Results);
        bar = m_results->filterBar();
        break;
    default: // the other screens have no filter
        showScreen(Screen::Jobs);
        if (filter.body.screen == FilterScreen::Trash)
            m_jobs->showWhich(client::JobsOf::Trash);
        break;
    }
    SavedFilters::apply(*bar, filter);
}

void MainWindow::goToJob()
{
    auto *dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Go to job"));
    dialog->setLabelText(tr("ID of the job"));
    dialog->setInputMode(QInputDialog::TextInput);
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString &text) {
        const std::optional<JobId> id = JobId::fromText(text.trimmed().toLatin1());
        if (id)
            openJob(*id);
        else
            Q_EMIT m_selected->failed(tr("That is not a job ID."));
    });
    dialog->open();
}

} // namespace junban::ui
