#include "core/base/clock.h"
#include "core/base/isotime.h"
#include "core/msgpack/msgpackwriter.h"
#include "tests/support/testmain.h"
#include "tests/ui/packed.h"
#include "tests/ui/windowfixture.h"
#include "ui/inspector/jobinspector.h"
#include "ui/jobs/jobactions.h"
#include "ui/jobs/jobspage.h"
#include "ui/limits/filterbar.h"
#include "ui/overview/counttile.h"
#include "ui/overview/overviewpage.h"
#include "ui/overview/throughputchart.h"
#include "ui/shell/palettedialog.h"
#include "ui/shell/startfailure.h"
#include "ui/shell/statestrip.h"
#include "ui/shell/tokendialog.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/payloadview.h"

#include <QClipboard>
#include <QDockWidget>
#include <QLabel>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

using namespace junban;
using namespace junban::ui;
using junban::test::packed;
using junban::test::ScriptedMaster;
using junban::test::WindowFixture;

namespace {

template<typename T>
T *named(QWidget *parent, const char *accessibleName)
{
    for (T *widget : parent->findChildren<T *>()) {
        if (widget->accessibleName() == QLatin1String(accessibleName))
            return widget;
    }
    return nullptr;
}

} // namespace

// Every screen's states, against a master that says what the test wants.
class TestWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_fixture = std::make_unique<WindowFixture>(); }
    void cleanup() { m_fixture.reset(); }

    void withoutAMasterThereIsACardThatSaysWhyAndTriesAgain()
    {
        m_fixture->open();
        MainWindow &window = m_fixture->window();
        QVERIFY(window.showsConnectionCard());
        QTRY_VERIFY(window.connectionCard()->title().contains(QLatin1String("No connection to http://127.0.0.1:9")));
        QVERIFY(window.connectionCard()->text().contains(QLatin1String("Next try in")));
        QVERIFY(!window.banner()->isVisible());
    }

    void aMasterThatComesLaterIsFoundWithoutAnyonesHelp()
    {
        QVERIFY(m_fixture->serve());
        const quint16 port = m_fixture->master().port();
        m_fixture->open();
        m_fixture->master().kill();
        QTRY_VERIFY(m_fixture->window().feed().health().since_ms > 0);
        QVERIFY(m_fixture->window().showsConnectionCard());
        QVERIFY(m_fixture->serve(port));
        QTRY_VERIFY(!m_fixture->window().showsConnectionCard());
    }

    void aRefusedTokenIsSaidInWords()
    {
        m_fixture->instead.insert("/v1/overview", {401, WindowFixture::problem(401, "unauthorized", "no"), "application/vnd.msgpack"});
        QVERIFY(m_fixture->serve());
        m_fixture->open();
        QTRY_VERIFY(m_fixture->window().connectionCard()->text().contains(QLatin1String("The master needs a token. It says: no")));
    }

    void aMasterThatWantsATokenIsGivenOne()
    {
        QByteArray wanted = "jt_good";
        m_fixture->guard = [&wanted](const ScriptedMaster::Request &request) {
            const QByteArray given = request.fields.value("authorization");
            if (given == "Bearer " + wanted)
                return std::optional<ScriptedMaster::Answer>();
            const char *why = given.isEmpty() ? "A token is needed." : "The token is not known.";
            return std::optional(ScriptedMaster::Answer{401, WindowFixture::problem(401, "unauthorized", why), "application/vnd.msgpack"});
        };
        QVERIFY(m_fixture->serve());
        m_fixture->open();
        MainWindow &window = m_fixture->window();
        const auto dialog = [&window] { return window.findChild<TokenDialog *>(QStringLiteral("token")); };
        QTRY_VERIFY(dialog());
        QString asked = dialog()->findChild<QLabel *>()->text();
        QVERIFY(asked.contains(m_fixture->master().url().toString()));
        QVERIFY(asked.contains(QLatin1String("A token is needed.")));
        QCOMPARE(dialog()->token()->echoMode(), QLineEdit::Password);
        dialog()->go()->click();
        QVERIFY(!dialog()->problem().isEmpty());
        dialog()->token()->setText(QStringLiteral("jt_bad"));
        dialog()->go()->click();
        QTRY_VERIFY(dialog() && dialog()->findChild<QLabel *>()->text().contains(QLatin1String("The token is not known.")));
        // Who says no is not asked again, but can say it.
        dialog()->reject();
        QTRY_VERIFY(!dialog());
        const int asks = m_fixture->requestsTo("/v1/overview");
        QTRY_VERIFY(m_fixture->requestsTo("/v1/overview") > asks);
        QVERIFY(!dialog());
        QCOMPARE(window.connectionCard()->action()->text(), QStringLiteral("Enter a token"));
        window.connectionCard()->action()->click();
        QTRY_VERIFY(dialog());
        dialog()->token()->setText(QStringLiteral(" jt_good\n"));
        dialog()->go()->click();
        QTRY_VERIFY(!window.showsConnectionCard());
        // Revoked while the window is open.
        wanted = "jt_other";
        QTRY_VERIFY(dialog());
        QVERIFY(window.banner()->isVisible());
        QCOMPARE(window.banner()->action()->text(), QStringLiteral("Enter a token"));
        dialog()->token()->setText(QStringLiteral("jt_other"));
        dialog()->go()->click();
        QTRY_VERIFY(!window.banner()->isVisible());
    }

    void aMasterThatIsInsecureIsShownInRed()
    {
        QVERIFY(m_fixture->openLive());
        Banner *banner = m_fixture->window().insecureBanner();
        QVERIFY(!banner->isVisible());
        m_fixture->fields = {{"Junban-Insecure", "true"}};
        QTRY_VERIFY(banner->isVisible());
        QVERIFY(banner->text().contains(QLatin1String("--insecure")));
        const QColor color = banner->palette().color(QPalette::Window);
        QVERIFY(color.red() > 2 * color.green() && color.red() > 2 * color.blue());
        QVERIFY(!banner->action()->isVisible());
        m_fixture->fields.clear();
        QTRY_VERIFY(!banner->isVisible());
    }

    void anEmptyQueueOffersAFirstJobToCopy()
    {
        m_fixture->enqueuedTotal = 0;
        QVERIFY(m_fixture->openLive());
        OverviewPage *page = m_fixture->window().overviewPage();
        QVERIFY(page->showsEmpty());
        named<QToolButton>(page->empty(), "Copy the command")->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(m_fixture->master().url().toString() + QLatin1String("/v1/jobs")));
        m_fixture->enqueuedTotal = 1;
        QTRY_VERIFY(!page->showsEmpty());
    }

    void theOverviewCountsAndDrawsWhatComes()
    {
        m_fixture->answers.insert("/v1/series", [](const ScriptedMaster::Request &) {
            const qint64 from_s = Clock::machine_ms() / 1'000 - 299;
            MsgpackWriter series;
            series.map(5).text("metric").text("enqueued").text("step").integer(1).text("from").text(isoTime(from_s * 1'000));
            series.text("values").array(300);
            for (int i = 0; i < 300; ++i)
                series.integer(13);
            series.text("gaps").array(1).map(2).text("from").text(isoTime((from_s + 20) * 1'000));
            return ScriptedMaster::Answer{200, series.text("to").text(isoTime((from_s + 40) * 1'000)).take()};
        });
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2), WindowFixture::job(3, JobState::Failed)};
        QVERIFY(m_fixture->openLive());
        OverviewPage *page = m_fixture->window().overviewPage();
        QTRY_COMPARE(page->tile(JobState::Ready)->count(), QStringLiteral("2"));
        QCOMPARE(page->tile(JobState::Failed)->count(), QStringLiteral("1"));
        ThroughputChart *chart = page->chart();
        QVERIFY(chart->accessibleDescription().contains(QLatin1String("enqueued 13/s")));
        QTRY_COMPARE(chart->pieces(Metric::Enqueued).size(), 2); // nobody counted for twenty seconds
        QVERIFY(chart->readOut().isEmpty());
        QTest::mouseMove(chart, chart->rect().center() + QPoint(chart->width() / 3, 0));
        QTRY_VERIFY(chart->readOut().contains(QLatin1String("enqueued 13/s")));
        QTest::keyClick(chart, Qt::Key_Left);
        QVERIFY(!chart->readOut().isEmpty());
        page->tile(JobState::Failed)->click();
        QCOMPARE(m_fixture->window().screen(), MainWindow::Screen::Jobs);
        QTRY_COMPARE(m_fixture->window().jobsPage()->list().model().rowCount(), 1);
    }

    void whatKeepsJobsFromRunningIsSaidOnEveryScreenAndLeadsToItsPlace()
    {
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        StateStrip &strip = *window.strip();
        QVERIFY(!strip.isVisible());
        const QByteArray pause = "{'id':'pause-1','reason':'vendor\\noutage','since':'2026-01-02T03:00:00.000Z','by':'ken',"
                                 "'until':'2026-01-03T03:00:00.000Z'}";
        const QByteArray held = "{'jobs':3,'complete':true,'by':[{'matcher':'m','title':'Mail','constraint':'m.rate1','kind':'rate',"
                                "'jobs':3,'keys':1},{'matcher':'pause-1','constraint':'pause-1.pause1','kind':'pause','jobs':2,'keys':1}]}";
        m_fixture->overviewMore = {{"pauses", packed("[" + pause + "]")}, {"held", packed(held)},
                                   {"breakers", packed("[{'matcher':'b','title':'Payments','constraint':'b.breaker1','keys':1}]")}};
        m_fixture->instead.insert("/v1/resume", {200, packed("{'pauses':[" + pause + "]}")});
        QTRY_VERIFY(strip.isVisible());
        QCOMPARE(strip.text(), QStringLiteral("All jobs are paused · vendor\\noutage · since 2026-01-02 03:00:00 UTC by ken"
                                              " · until 2026-01-03 03:00:00 UTC\n"
                                              "A breaker is open: Payments\n3 jobs are held · most by Mail"));
        for (const int screen : {0, 1, 2, 3, 4, 5}) {
            window.showScreen(MainWindow::Screen(screen));
            QVERIFY(strip.isVisible());
        }
        for (const char *key : {"pause pause-1", "breakers", "held"}) {
            window.showScreen(MainWindow::Screen::Overview);
            strip.line(key)->click();
            QCOMPARE(window.screen(), MainWindow::Screen::Constraints);
        }
        const QPointer<QPushButton> resume = strip.action("pause pause-1");
        resume->click();
        QTRY_COMPARE(m_fixture->requestsTo("/v1/resume"), 1);
        m_fixture->overviewMore.removeLast(); // the button stays the same while others come and go
        QTRY_VERIFY(!strip.line("breakers"));
        QVERIFY(resume && resume == strip.action("pause pause-1"));
        m_fixture->overviewMore.clear();
        QTRY_VERIFY(!strip.isVisible());
    }

    void whatIsShownStaysWhenTheMasterGoesAndIsSaidToBeOld()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 2);
        const quint16 port = m_fixture->master().port();
        m_fixture->master().kill();
        QTRY_VERIFY(window.banner()->isVisible());
        QVERIFY(window.banner()->text().contains(QLatin1String("The master does not answer")));
        QVERIFY(window.banner()->text().contains(QLatin1String("last known")));
        QCOMPARE(window.jobsPage()->list().model().rowCount(), 2);
        QVERIFY(!window.showsConnectionCard());
        QVERIFY(m_fixture->serve(port));
        window.banner()->findChild<QPushButton *>()->parentWidget()->findChildren<QPushButton *>().first()->click();
        QTRY_VERIFY(!window.banner()->isVisible());
    }

    void whatBecameOfRedisIsSaidForAWhile()
    {
        QVERIFY(m_fixture->openLive());
        StateStrip &strip = *m_fixture->window().strip();
        const QByteArray at = isoTime(Clock::machine_ms() - 60'000);
        m_fixture->overviewMore = {{"redis", packed("{'started_at':'" + at + "','used_bytes':943718400,'max_bytes':1073741824,'back_at':'"
            + at + "','away':6.5,'restarted':true}")}};
        QTRY_VERIFY(strip.isVisible());
        QCOMPARE(strip.line("memory")->text(),
                 QStringLiteral("Redis uses 87 % of its memory (900.0 MiB of 1.0 GiB); at 100 % it refuses new jobs"));
        QVERIFY(strip.line("away")->text().startsWith(QLatin1String("Redis was restarted: no answer for 6.5 s, back at ")));
        QVERIFY(strip.line("away")->text().endsWith(QStringLiteral(" · nothing that it had confirmed is missing")));
        m_fixture->rollbackAt_ms = Clock::machine_ms() - 60'000; // but it has lost something
        QTRY_VERIFY(!strip.line("away")->text().contains(QLatin1String("missing")));
        const QByteArray before = isoTime(Clock::machine_ms() - 3'600'000);
        m_fixture->overviewMore = {{"redis", packed("{'started_at':'" + at + "','used_bytes':1,'back_at':'" + before + "','away':6.5,"
            "'restarted':false}")}};
        QTRY_VERIFY(!strip.isVisible());
    }

    void aMasterThatHangsIsSaidToHangBeforeAnyRequestHasFailed()
    {
        m_fixture->deadline_ms = 60'000;
        QVERIFY(m_fixture->openLive());
        m_fixture->voice = WindowFixture::Voice::Silent;
        QTRY_VERIFY(m_fixture->window().banner()->isVisible());
        QVERIFY(m_fixture->window().banner()->text().startsWith(QLatin1String("No answer comes")));
        QCOMPARE(m_fixture->window().feed().health().state, Health::State::Stale);
    }

    void aMasterThatCannotStartSaysWhyAndOffersAnotherPortAndAnotherRedis()
    {
        StartFailure failure(QStringLiteral("The port is taken."), QStringLiteral("127.0.0.1:7717"), {});
        QSignalSpy retry(&failure, &StartFailure::retryRequested), quit(&failure, &StartFailure::quitRequested);
        failure.show();
        QCOMPARE(failure.why(), QStringLiteral("The port is taken."));
        QCOMPARE(failure.listen()->text(), QStringLiteral("127.0.0.1:7717"));
        failure.listen()->setText(QStringLiteral(" 127.0.0.1:0 "));
        failure.redis()->setText(QStringLiteral("redis://127.0.0.1:1"));
        failure.again()->click();
        QCOMPARE(retry.size(), 1);
        QCOMPARE(retry.first(), (QList<QVariant>{QStringLiteral("127.0.0.1:0"), QStringLiteral("redis://127.0.0.1:1")}));
        failure.close();
        QCOMPARE(quit.size(), 1);
    }

    void redisAwayIsNotTheMasterAway()
    {
        QVERIFY(m_fixture->openLive());
        const auto problem = WindowFixture::problem(503, "store_unavailable", "Redis is loading.");
        m_fixture->instead.insert("/v1/overview", {503, problem});
        m_fixture->instead.insert("/readyz", {503, "redis is away", "text/plain"});
        QTRY_VERIFY(m_fixture->window().banner()->isVisible());
        QVERIFY(m_fixture->window().banner()->text().contains(QLatin1String("does not reach Redis: Redis is loading.")));
    }

    void anErrorOfTheListIsSaidWhereTheListWouldBe()
    {
        m_fixture->instead.insert("/v1/jobs", {500, WindowFixture::problem(500, "internal", "It broke <b>here</b>.")});
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        EmptyState *empty = window.jobsPage()->findChild<EmptyState *>();
        QTRY_VERIFY(empty->isVisible() && empty->title() == QLatin1String("The jobs could not be read"));
        QCOMPARE(empty->text(), QStringLiteral("It broke <b>here</b>."));
        m_fixture->jobs = {WindowFixture::job(1)};
        m_fixture->instead.clear();
        empty->action()->click();
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        QTRY_VERIFY(!empty->isVisible());
    }

    void aFilterThatFindsNothingSaysWhichAndIsCleared()
    {
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        named<QLineEdit>(window.jobsPage(), "Only jobs with this name")->setText(QStringLiteral("nobody"));
        EmptyState *empty = window.jobsPage()->findChild<EmptyState *>();
        QTRY_VERIFY(empty->isVisible() && empty->text().contains(QStringLiteral("with the name “nobody”")));
        empty->action()->click();
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
    }

    void keysReachEveryScreen()
    {
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(window.screen(), MainWindow::Screen::Jobs);
        QTest::keyClick(&window, Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(window.screen(), MainWindow::Screen::Overview);
        QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
        QCOMPARE(window.screen(), MainWindow::Screen::Jobs);
        QVERIFY(window.jobsPage()->filterBar()->edit()->hasFocus());
        auto *dock = window.findChild<QDockWidget *>(QStringLiteral("inspector"));
        QVERIFY(dock->isVisible());
        QTest::keyClick(&window, Qt::Key_I, Qt::ControlModifier);
        QVERIFY(!dock->isVisible());
        // Hidden by the operator, it stays so on the way to the overview and back.
        window.showScreen(MainWindow::Screen::Overview);
        window.showScreen(MainWindow::Screen::Jobs);
        QVERIFY(!dock->isVisible());
    }

    void aFrozenTableDoesNotMove()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        JobsPage *page = window.jobsPage();
        QTRY_COMPARE(page->list().model().rowCount(), 2);
        QTest::keyClick(page->table(), Qt::Key_Space);
        QCOMPARE(page->list().mode(), JobList::Mode::Frozen);
        m_fixture->jobs.prepend(WindowFixture::job(3));
        const int before = m_fixture->requestsTo("/v1/overview");
        QTRY_VERIFY(m_fixture->requestsTo("/v1/overview") >= before + 2);
        QCOMPARE(page->list().model().rowCount(), 2);
        QTest::keyClick(page->table(), Qt::Key_Space);
        QTRY_COMPARE(page->list().model().rowCount(), 3);
    }

    void theSelectionFollowsItsJobAndAJobThatLeavesStaysAsAGhost()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        JobsPage *page = window.jobsPage();
        page->showState(JobState::Ready);
        QTRY_COMPARE(page->list().model().rowCount(), 2);
        page->table()->selectRow(1);
        m_fixture->jobs.prepend(WindowFixture::job(3));
        QTRY_COMPARE(page->list().model().rowCount(), 3);
        QCOMPARE(page->table()->currentId(), WindowFixture::job(2).id);
        QCOMPARE(page->selectedJobs().first().id, WindowFixture::job(2).id);
        m_fixture->jobs[2].state = JobState::Succeeded;
        QTRY_COMPARE(page->list().model().ghosts(), 1);
        QTRY_COMPARE(page->list().model().find(WindowFixture::job(2).id)->state, JobState::Succeeded);
        page->table()->selectRow(0);
        QTRY_COMPARE(page->list().model().rowCount(), 2);
    }

    void aFailedJobThatRunsAgainIsNotShownAsFailed()
    {
        m_fixture->jobs = {WindowFixture::job(1, JobState::Failed)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        JobsPage *page = window.jobsPage();
        page->showState(JobState::Failed);
        QTRY_COMPARE(page->list().model().rowCount(), 1);
        page->table()->selectRow(0);
        m_fixture->jobs[0].state = JobState::Running;
        QTRY_COMPARE(page->list().model().ghosts(), 1);
        QTRY_COMPARE(page->list().model().jobAt(0)->state, JobState::Running);
        QTRY_VERIFY(!window.jobActions()->retry()->isEnabled());
    }

    void moreRowsComeAndTheTableStandsStillBeyondWhatCanBeLive()
    {
        for (int number = 0; number < 700; ++number)
            m_fixture->jobs.append(WindowFixture::job(number));
        m_fixture->next = "cursor-1";
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        JobList &list = window.jobsPage()->list();
        QTRY_COMPARE(list.model().rowCount(), 100);
        for (int rows = 200; rows <= 500; rows += 100) {
            list.more();
            QTRY_COMPARE(list.model().rowCount(), rows);
            QCOMPARE(list.mode(), JobList::Mode::Live);
        }
        m_fixture->jobs = m_fixture->jobs.sliced(500);
        m_fixture->next.clear();
        list.more();
        QTRY_COMPARE(list.model().rowCount(), 700);
        QCOMPARE(list.mode(), JobList::Mode::Frozen);
        QVERIFY(!list.hasMore());
        // These rows are of several moments, so the list is not called frozen.
        QVERIFY(window.jobsPage()->footText().startsWith(QLatin1String("Loaded from ")));
        window.jobsPage()->refresh();
        QTRY_VERIFY(!window.jobsPage()->footText().contains(QLatin1String("Loaded from ")));
        QCOMPARE(m_fixture->requestsTo("/v1/jobs", "cursor=cursor-1"), 1);
    }

    void countsOfTheWholeQueueAreShownOnlyWhileNothingElseIsFiltered()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        JobsPage &page = *m_fixture->window().jobsPage();
        QTRY_COMPARE(page.tabs()->tabText(0), QStringLiteral("All 2"));
        page.showName("job.1");
        QCOMPARE(page.tabs()->tabText(0), QStringLiteral("All"));
        page.clearFilter();
        QCOMPARE(page.tabs()->tabText(0), QStringLiteral("All 2"));
    }

    void aSearchIsPlainTextAPatternOrAnExpression()
    {
        QCOMPARE(plainSearch(QStringLiteral("mail.*")), QByteArray("job.name.startsWith(\"mail.\")"));
        QCOMPARE(plainSearch(QStringLiteral("mail.*end")), QByteArray("job.name.matches(\"^mail\\\\..*end$\")"));
        QVERIFY(plainSearch(QStringLiteral("timeout")).startsWith("job.name.contains(\"timeout\") || "));
        QVERIFY(plainSearch(QStringLiteral("job.priority")).isEmpty());
        QVERIFY(plainSearch(QStringLiteral("job.priority < 3")).isEmpty());
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        FilterBar &bar = *m_fixture->window().jobsPage()->filterBar();
        QTest::keyClicks(bar.edit(), QStringLiteral("job.name =="));
        QCOMPARE(bar.edit()->state(), ExpressionEdit::State::Invalid);
        QTest::keyClick(bar.edit(), Qt::Key_Return);
        QVERIFY(bar.match().isEmpty());
        QVERIFY(bar.mark()->toolTip().contains(QLatin1String("Line 1, column")));
        bar.edit()->setPlainText(QStringLiteral("mail.*"));
        QCOMPARE(bar.edit()->state(), ExpressionEdit::State::Valid);
        QTest::keyClick(bar.edit(), Qt::Key_Return);
        QTRY_VERIFY(m_fixture->requestsTo("/v1/jobs", "match=job.name.startsWith") > 0);
        bar.edit()->clear();
        QTRY_VERIFY(m_fixture->window().jobsPage()->list().filter().match.isEmpty());
        Q_EMIT bar.history()->aboutToShow();
        QCOMPARE(bar.history()->actions().value(0)->text(), QStringLiteral("mail.*"));
        bar.history()->actions().first()->trigger();
        QCOMPARE(bar.match(), QByteArray("job.name.startsWith(\"mail.\")"));
    }

    void aLongSearchGoesOnByItselfAndCanBeStopped()
    {
        QVERIFY(m_fixture->openLive());
        const auto asked = std::make_shared<int>(0);
        const int &pages = *asked;
        m_fixture->answers.insert("/v1/jobs", [asked](const ScriptedMaster::Request &request) {
            const bool searched = request.query.contains("match=");
            *asked += searched;
            return ScriptedMaster::Answer{200, packed(searched
                ? QByteArray("{'jobs':[],'next':'more','coverage':{'scanned':20000,'total':1000000000,'complete':false}}")
                : QByteArray("{'jobs':[],'coverage':{'scanned':0,'total':0,'complete':true}}"))};
        });
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        JobsPage &page = *m_fixture->window().jobsPage();
        page.filterBar()->setFilter(QStringLiteral("job.priority > 3"));
        QTRY_VERIFY(pages >= 5);
        QVERIFY(page.list().isSearching());
        QCOMPARE(page.moreButton()->text(), QStringLiteral("Stop"));
        page.moreButton()->click();
        QVERIFY(!page.list().isSearching());
        QTRY_VERIFY(!page.list().isLoadingMore());
        const int stopped = pages;
        const int beats = m_fixture->requestsTo("/v1/overview");
        QTRY_VERIFY(m_fixture->requestsTo("/v1/overview") >= beats + 2);
        QCOMPARE(pages, stopped);
        QCOMPARE(page.moreButton()->text(), QStringLiteral("Search on"));
        QVERIFY(page.footText().contains(QLatin1String(" of 1,000,000,000")));
    }

    void oneRetryIsDoneAtOnceAndCanBeCancelledAfterAll()
    {
        m_fixture->jobs = {WindowFixture::job(1, JobState::Failed)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        window.jobsPage()->table()->selectRow(0);
        QTest::keyClick(window.jobsPage()->table(), Qt::Key_R);
        const QByteArray path = "/v1/jobs/" + WindowFixture::job(1).id.text();
        QTRY_COMPARE(m_fixture->requestsTo(path + "/retry"), 1);
        QTRY_VERIFY(window.toast()->isVisible());
        QCOMPARE(window.toast()->text(), QStringLiteral("1 job will run again"));
        window.toast()->offer()->click();
        QTRY_COMPARE(m_fixture->requestsTo(path + "/cancel"), 1);
    }

    void severalJobsAreAskedAboutWithTheirNumbers()
    {
        for (int number = 0; number < 9; ++number)
            m_fixture->jobs.append(WindowFixture::job(number, number == 0 ? JobState::Running : JobState::Failed));
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 9);
        window.jobsPage()->table()->selectAll();
        const auto retries = [&] {
            int count = 0;
            for (const ScriptedMaster::Request &request : m_fixture->master().requests())
                count += request.path.endsWith("/retry");
            return count;
        };
        window.jobActions()->retry()->trigger();
        auto *box = window.findChild<QMessageBox *>();
        QVERIFY(box);
        QCOMPARE(box->text(), QStringLiteral("Retry 8 jobs?"));
        QVERIFY(box->informativeText().contains(QLatin1String("running: 1, left alone")));
        QCOMPARE(box->defaultButton()->text(), QStringLiteral("Do nothing"));
        QTest::keyClick(box, Qt::Key_Escape);
        QTRY_VERIFY(!window.findChild<QMessageBox *>());
        QCOMPARE(retries(), 0);
        window.jobActions()->retry()->trigger();
        box = window.findChild<QMessageBox *>();
        box->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(retries(), 8);
        QTRY_COMPARE(window.toast()->text(), QStringLiteral("8 jobs will run again"));
    }

    void forceIsAlwaysAskedAbout()
    {
        m_fixture->jobs = {WindowFixture::job(1, JobState::Running)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        window.jobsPage()->table()->selectRow(0);
        QVERIFY(!window.jobActions()->retry()->isEnabled());
        window.jobActions()->forceCancel()->trigger();
        auto *box = window.findChild<QMessageBox *>();
        QVERIFY(box);
        box->findChild<QPushButton *>(QStringLiteral("go"))->click();
        const QByteArray path = "/v1/jobs/" + WindowFixture::job(1).id.text() + "/cancel";
        QTRY_COMPARE(m_fixture->requestsTo(path), 1);
        for (const ScriptedMaster::Request &request : m_fixture->master().requests()) {
            if (request.path == path)
                QCOMPARE(request.body, MsgpackWriter().map(1).text("force").boolean(true).take());
        }
    }

    void aRefusedActionSaysTheReason()
    {
        m_fixture->jobs = {WindowFixture::job(1, JobState::Failed)};
        const QByteArray path = "/v1/jobs/" + WindowFixture::job(1).id.text() + "/retry";
        m_fixture->instead.insert(path, {409, WindowFixture::problem(409, "conflict", "Its argument is not kept.")});
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.jobActions()->act(JobActions::Verb::Retry, m_fixture->jobs);
        QTRY_COMPARE(window.toast()->text(), QStringLiteral("Refused: Its argument is not kept."));
    }

    void theInspectorShowsAJobAndPeeksWithoutConsuming()
    {
        Job job = WindowFixture::job(1, JobState::Succeeded);
        job.resultKept = true;
        job.startedAt_ms = job.createdAt_ms + 1'000;
        job.finishedAt_ms = job.createdAt_ms + 3'000;
        job.attempts = {Attempt{1, "w-1", job.startedAt_ms, job.finishedAt_ms, "success", {}, false, 0}};
        m_fixture->jobs = {job};
        m_fixture->outcome = MsgpackWriter().map(2).text("type").text("success").text("result").integer(42).take();
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.openJob(job.id);
        JobInspector *inspector = window.inspector();
        QTRY_VERIFY(inspector->job().has_value());
        const auto view = [&](int tab) { return qobject_cast<PayloadView *>(inspector->tabs()->widget(tab)); };
        QCOMPARE(view(1)->model().bytes(), job.spec.argument);
        QTRY_COMPARE(view(2)->model().bytes(), m_fixture->outcome);
        const QByteArray path = "/v1/jobs/" + job.id.text() + "/result";
        QCOMPARE(m_fixture->requestsTo(path), 1);
        QCOMPARE(m_fixture->requestsTo(path, "peek=true"), 1);
    }

    void theInspectorFollowsTheSelectionAndNothingElse()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 2);
        window.jobsPage()->table()->clearFocus();
        window.jobsPage()->table()->setFocus();
        QVERIFY(window.inspector()->id().isNull());
        QTest::keyClick(window.jobsPage()->table(), Qt::Key_J);
        QCOMPARE(window.inspector()->id(), window.jobsPage()->table()->currentId());
        QVERIFY(!window.inspector()->id().isNull());
    }

    void aHistoryThatWentBackIsSaidUntilSomeoneHasSeenIt()
    {
        m_fixture->rollbackAt_ms = 1'767'322'800'000;
        QVERIFY(m_fixture->openLive());
        const Banner &banner = *m_fixture->window().rollbackBanner();
        QTRY_VERIFY(banner.isVisible());
        QVERIFY(banner.text().contains(QLatin1String("at least 41 changes are gone")));
        QVERIFY(!m_fixture->window().banner()->isVisible());
        banner.action()->click();
        QVERIFY(!banner.isVisible());
        const int before = m_fixture->requestsTo("/v1/overview");
        QTRY_VERIFY(m_fixture->requestsTo("/v1/overview") > before);
        QVERIFY(!banner.isVisible());
        m_fixture->rollbackAt_ms += 1; // another one
        QTRY_VERIFY(banner.isVisible());
    }

    void aJobThatDoesNotExistIsSaidToBeGone()
    {
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.openJob(WindowFixture::job(77).id);
        EmptyState *empty = window.inspector()->findChild<EmptyState *>();
        QTRY_COMPARE(empty->title(), QStringLiteral("There is no such job"));
    }

    void anotherLanguageComesWithoutARestartAndKeepsThePlace()
    {
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        m_fixture->window().openJob(WindowFixture::job(1).id);
        m_fixture->console().preferences().setLanguage(QStringLiteral("ja"));
        QTRY_COMPARE(m_fixture->window().inspector()->tabs()->tabText(1), QStringLiteral("引数"));
        QCOMPARE(m_fixture->window().screen(), MainWindow::Screen::Jobs);
        QCOMPARE(m_fixture->window().inspector()->id(), WindowFixture::job(1).id);
    }

    void thePaletteFindsCommandsJobsAndNames()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        const auto type = [&](const QString &text) {
            window.activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(&window));
            QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
            auto *palette = window.findChild<PaletteDialog *>();
            QVERIFY(palette);
            palette->input()->setText(text);
            QTest::keyClick(palette->input(), Qt::Key_Return);
            QTRY_VERIFY(!window.findChild<PaletteDialog *>());
        };
        type(QStringLiteral("freez"));
        QCOMPARE(window.jobsPage()->list().mode(), JobList::Mode::Frozen);
        type(QString::fromLatin1(WindowFixture::job(2).id.text()));
        QTRY_VERIFY(window.inspector()->job() && window.inspector()->job()->id == WindowFixture::job(2).id);
        type(QStringLiteral("job.1"));
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        QCOMPARE(window.jobsPage()->list().filter().name, QByteArray("job.1"));
    }

    void closingTheWindowOfAMasterWithRunningJobsIsAskedAbout()
    {
        m_fixture->place = MasterPlace::Embedded;
        m_fixture->jobs = {WindowFixture::job(1, JobState::Running)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        QSignalSpy closed(&m_fixture->console(), &Console::closed);
        window.close();
        auto *box = window.findChild<QMessageBox *>();
        QVERIFY(box);
        QCOMPARE(box->text(), QStringLiteral("Stop the master? 1 job is running."));
        QTest::keyClick(box, Qt::Key_Escape);
        QTRY_VERIFY(!window.findChild<QMessageBox *>());
        QVERIFY(window.isVisible());
        QCOMPARE(closed.size(), 0);
        window.close();
        window.findChild<QMessageBox *>()->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(closed.size(), 1);
        QVERIFY(!window.isVisible());
    }

    void theWindowOfAMasterMayGoWhileTheMasterServesOn()
    {
        m_fixture->place = MasterPlace::Embedded;
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        QSignalSpy closed(&m_fixture->console(), &Console::closed), left(&m_fixture->console(), &Console::left);
        window.close(); // no job is running, but the master would be gone all the same
        auto *box = window.findChild<QMessageBox *>();
        QVERIFY(box);
        QCOMPARE(box->text(), QStringLiteral("Stop the master?"));
        QVERIFY(box->informativeText().contains(QLatin1String("junban --connect ") + m_fixture->master().url().toString()));
        box->findChild<QPushButton *>(QStringLiteral("leave"))->click();
        QTRY_COMPARE(left.size(), 1);
        QCOMPARE(closed.size(), 0);
        QVERIFY(!window.isVisible());
    }

    void aChangeOfLanguageLeavesTheInspectorOnItsScreen()
    {
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        m_fixture->window().openJob(WindowFixture::job(1).id);
        QTRY_VERIFY(m_fixture->window().inspector()->job().has_value());
        m_fixture->window().showScreen(MainWindow::Screen::Failures);
        const MainWindow *before = &m_fixture->window();
        m_fixture->console().preferences().setLanguage(QStringLiteral("ja"));
        QTRY_VERIFY(&m_fixture->window() != before);
        auto *dock = m_fixture->window().findChild<QDockWidget *>();
        QVERIFY(!dock->isVisible());
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        QVERIFY(dock->isVisible());
        QCOMPARE(m_fixture->window().inspector()->id(), WindowFixture::job(1).id);
    }

    void closingIsTold()
    {
        QVERIFY(m_fixture->openLive());
        QSignalSpy closed(&m_fixture->console(), &Console::closed);
        m_fixture->window().close();
        QTRY_COMPARE(closed.size(), 1);
    }

private:
    std::unique_ptr<WindowFixture> m_fixture;
};

JUNBAN_TEST(TestWindow)
#include "test_window.moc"
