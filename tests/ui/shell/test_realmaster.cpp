#include "client/apiclient.h"
#include "core/base/clock.h"
#include "core/base/isotime.h"
#include "core/msgpack/msgpackwriter.h"
#include "tests/support/await.h"
#include "tests/support/testmain.h"
#include "tests/ui/realmaster.h"
#include "ui/inspector/explainview.h"
#include "ui/inspector/jobinspector.h"
#include "ui/jobs/jobactions.h"
#include "ui/jobs/jobform.h"
#include "ui/jobs/jobspage.h"
#include "ui/limits/bucketsview.h"
#include "ui/limits/constraintform.h"
#include "ui/limits/constraintspage.h"
#include "ui/limits/expressionedit.h"
#include "ui/limits/filterbar.h"
#include "ui/limits/matcherdialog.h"
#include "ui/limits/overridedialog.h"
#include "ui/limits/kinds/parameterform.h"
#include "ui/limits/pausedialog.h"
#include "ui/limits/previewtree.h"
#include "ui/limits/revisionsdialog.h"
#include "ui/limits/testpanel.h"
#include "ui/overview/counttile.h"
#include "ui/overview/namesmodel.h"
#include "ui/overview/overviewpage.h"
#include "ui/past/failurespage.h"
#include "ui/past/resultspage.h"
#include "ui/schedules/scheduledialog.h"
#include "ui/schedules/schedulespage.h"
#include "ui/shell/console.h"
#include "ui/shell/statestrip.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/payloadview.h"
#include "ui/widgets/recordlist.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QRadioButton>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace junban;
using namespace junban::client;
using namespace junban::ui;
using junban::test::await;

// The window on a real master with a real Redis: a job's life as an operator sees it.
class TestRealMaster : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_directory.isValid());
        QVERIFY(startMaster(QStringLiteral("127.0.0.1:0")));
        m_client = std::make_unique<ApiClient>(ApiClient::Options{m_url});
        const QString preferences = m_directory.filePath(QStringLiteral("console.ini"));
        m_console = std::make_unique<Console>(*m_client, UiOptions{}, preferences);
        m_console->preferences().setAppearance(Appearance::Light);
        m_console->show();
        QTRY_COMPARE(window().feed().health().state, Health::State::Live);
    }

    void cleanupTestCase()
    {
        m_console.reset();
        m_client.reset();
        if (m_master.state() != QProcess::NotRunning) {
            m_master.terminate();
            QVERIFY(m_master.waitForFinished(20'000));
        }
    }

    void aNewMasterIsEmpty()
    {
        QVERIFY(window().overviewPage()->showsEmpty());
        QTRY_VERIFY(window().feed().readiness() && window().feed().readiness()->ready);
    }

    void aPushedJobStandsInTheTable()
    {
        JobSpec spec{.name = "invoice.render"};
        spec.argument = MsgpackWriter().map(1).text("invoice").integer(9'007'199'254'740'993).take();
        spec.keepResult = true;
        spec.priority = -3;
        spec.tags = {"jp"};
        const auto enqueued = await<Enqueued>([&](auto callback) { m_client->enqueue(spec, callback); });
        QVERIFY2(enqueued.ok(), enqueued.ok() ? "" : enqueued.error().message().constData());
        m_job = enqueued->id;
        QTRY_COMPARE(window().overviewPage()->tile(JobState::Ready)->count(), QStringLiteral("1"));
        QVERIFY(!window().overviewPage()->showsEmpty());
        window().showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(model().rowCount(), 1);
        QCOMPARE(cell(JobTableModel::Name), QStringLiteral("invoice.render"));
        QCOMPARE(cell(JobTableModel::Priority), QStringLiteral("-3"));
        QCOMPARE(cell(JobTableModel::Argument), QStringLiteral("{invoice: 9007199254740993}"));
        QCOMPARE(cell(JobTableModel::Tags), QStringLiteral("jp"));
        QCOMPARE(model().jobAt(0)->state, JobState::Ready);
    }

    void aRunningJobShowsItsWorkerAndProgress()
    {
        window().jobsPage()->table()->selectRow(0);
        QTRY_VERIFY(window().inspector()->job().has_value());
        QVERIFY(claim());
        QTRY_COMPARE(model().jobAt(0)->state, JobState::Running);
        QCOMPARE(cell(JobTableModel::Worker), QStringLiteral("w-1"));
        const HeartbeatItem progress{m_lease.id, m_lease.lease, Progress{1, 4, "page 1"}};
        const auto beat = await<Heartbeat>([&](auto callback) { m_client->heartbeat(progress, callback); });
        QVERIFY(beat.ok());
        QTRY_COMPARE(cell(JobTableModel::State), QStringLiteral("running 25 %"));
    }

    void aFailedJobSaysWhy()
    {
        Outcome outcome;
        outcome.type = OutcomeType::Failure;
        outcome.finishedAt = isoTime(Clock::machine_ms());
        outcome.message = "No such invoice <script>";
        const auto finished = await<Finished>([&](auto callback) { m_client->report({m_lease.id, m_lease.lease, outcome}, callback); });
        QVERIFY(finished.ok());
        QCOMPARE(finished->state, JobState::Failed);
        QTRY_COMPARE(model().jobAt(0)->state, JobState::Failed);
        QCOMPARE(cell(JobTableModel::Message), QStringLiteral("No such invoice <script>"));
        QTRY_COMPARE(window().inspector()->job()->state, JobState::Failed);
        QTRY_COMPARE(window().inspector()->job()->attempts.size(), 1);
        QCOMPARE(window().inspector()->job()->attempts.first().ended, QByteArray("failure"));
    }

    void aRetryFromTheTableRunsItAgain()
    {
        QTest::keyClick(window().jobsPage()->table(), Qt::Key_R);
        auto *box = window().findChild<QMessageBox *>(); // it has run before
        QVERIFY(box && box->informativeText().contains(QLatin1String("has run 1 time")));
        QCOMPARE(model().jobAt(0)->state, JobState::Failed);
        box->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(model().jobAt(0)->state, JobState::Ready);
        QVERIFY(window().toast()->isVisible());
        QVERIFY(claim());
        Outcome outcome;
        outcome.finishedAt = isoTime(Clock::machine_ms());
        outcome.result = MsgpackWriter().map(1).text("pages").integer(12).take();
        const auto finished = await<Finished>([&](auto callback) { m_client->report({m_lease.id, m_lease.lease, outcome}, callback); });
        QVERIFY(finished.ok());
        QTRY_COMPARE(model().jobAt(0)->state, JobState::Succeeded);
        PayloadView *result = window().inspector()->outcome();
        QTRY_VERIFY(result->model().bytes().contains("pages"));
    }

    void lookingAtAResultLeavesItForThePusher()
    {
        auto result = await<ResultNow>([&](auto callback) { m_client->result(m_job, {}, callback); });
        QVERIFY(result.ok());
        QCOMPARE(result->status, ResultStatus::Ready);
        QVERIFY(result->outcome.contains("pages"));
        result = await<ResultNow>([&](auto callback) { m_client->result(m_job, {}, callback); });
        QCOMPARE(result->status, ResultStatus::Gone);
    }

    void aStarredJobHasItsOwnList()
    {
        window().jobsPage()->table()->selectRow(0);
        window().jobActions()->star()->trigger();
        window().jobsPage()->showWhich(JobsOf::Tracked);
        QTRY_COMPARE(model().rowCount(), 1);
        QTRY_VERIFY(model().jobAt(0)->tracked);
        window().jobsPage()->showState({});
        QTRY_COMPARE(model().rowCount(), 1);
    }

    void aDeletedJobIsInTheTrashAndComesBack()
    {
        QTRY_COMPARE(model().rowCount(), 1);
        window().jobsPage()->table()->selectRow(0);
        window().jobActions()->remove()->trigger();
        window().jobsPage()->showWhich(JobsOf::Trash);
        QTRY_COMPARE(model().rowCount(), 1);
        window().jobsPage()->table()->selectRow(0);
        QTRY_VERIFY(window().jobActions()->restore()->isEnabled());
        window().jobActions()->restore()->trigger();
        window().jobsPage()->table()->clearSelection();
        window().jobsPage()->showState({});
        QTRY_COMPARE(model().rowCount(), 1);
        QTRY_COMPARE(model().jobAt(0)->state, JobState::Succeeded);
    }

    void theFailureOfBeforeIsAGroupThatCanBeResolved()
    {
        window().showScreen(MainWindow::Screen::Failures);
        FailuresPage &page = *window().failuresPage();
        QTRY_COMPARE(page.list()->empty()->title(), QStringLiteral("No failed jobs right now")); // it ran again meanwhile
        page.list()->empty()->action()->click();
        QCOMPARE(page.list()->model()->rowCount(), 1);
        QCOMPARE(page.list()->model()->index(0, 1).data().toString(), QStringLiteral("invoice.render"));
        page.list()->table()->selectRow(0);
        QTRY_VERIFY(page.chosen().has_value());
        QCOMPARE(page.workers()->model()->index(0, 0).data().toString(), QStringLiteral("w-1"));
        QVERIFY(!page.retry()->isEnabled());
        page.resolve()->trigger();
        QTRY_COMPARE(page.list()->empty()->title(), QStringLiteral("Nothing failed in 24 h"));
        page.groupBy()->setCurrentIndex(int(FailuresPage::By::Worker));
        page.state()->setCurrentIndex(3);
        QTRY_COMPARE(page.list()->model()->index(0, 0).data().toString(), QStringLiteral("w-1"));
    }

    void aKeptResultIsListedKeptLongerAndThrownAway()
    {
        const JobSpec spec{.name = "keep", .keepResult = true};
        const auto enqueued = await<Enqueued>([&](auto callback) { m_client->enqueue(spec, callback); });
        QVERIFY(enqueued.ok());
        const JobId first = std::exchange(m_job, enqueued->id);
        QVERIFY(claim());
        Outcome outcome;
        outcome.finishedAt = isoTime(Clock::machine_ms());
        outcome.result = MsgpackWriter().text("kept").take();
        QVERIFY(await<Finished>([&](auto callback) { m_client->report({m_lease.id, m_lease.lease, outcome}, callback); }).ok());
        window().showScreen(MainWindow::Screen::Results);
        ResultsPage &page = *window().resultsPage();
        QTRY_COMPARE(page.list()->model()->rowCount(), 1);
        page.list()->table()->selectRow(0);
        QTRY_VERIFY(page.payload()->model().bytes().contains("kept"));
        page.extensions()->actions().last()->trigger();
        QTRY_VERIFY(page.list()->model()->index(0, 4).data().toString().contains(QStringLiteral("30 d")));
        page.discard()->trigger();
        window().findChild<QMessageBox *>()->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(page.list()->empty()->title(), QStringLiteral("No results waiting"));
        QVERIFY(await<StateNow>([&](auto callback) { m_client->deleteJob(m_job, callback); }).ok());
        m_job = first;
        window().showScreen(MainWindow::Screen::Jobs);
    }

    void filtersAreTheMasters()
    {
        const auto results = await<QList<Result<Enqueued>>>([&](auto callback) {
            const JobSpec plain{.name = "a"}, tagged{.name = "a", .tags = {"t"}}, other{.name = "b", .tags = {"t"}};
            m_client->enqueueBatch({plain, tagged, other}, callback);
        });
        QVERIFY(results.ok());
        JobList &list = window().jobsPage()->list();
        list.setFilter({.state = JobState::Ready, .name = "a", .tag = "t"});
        QTRY_COMPARE(list.model().rowCount(), 1);
        list.setFilter({.tag = "t"});
        QTRY_COMPARE(list.model().rowCount(), 2);
        list.setFilter({});
        QTRY_COMPARE(list.model().rowCount(), 4);
    }

    void aScheduleIsMadeRunPausedAndDeleted()
    {
        window().showScreen(MainWindow::Screen::Schedules);
        SchedulesPage &page = *window().schedulesPage();
        page.create();
        auto *dialog = window().findChild<ScheduleDialog *>();
        dialog->id()->setText(QStringLiteral("tick/1 ä"));
        dialog->cron()->setText(QStringLiteral("0 0 1 1 *"));
        dialog->job()->name()->setText(QStringLiteral("a"));
        dialog->go()->click();
        QTRY_COMPARE(page.list()->model()->rowCount(), 1);
        page.list()->table()->selectRow(0);
        QTRY_VERIFY(page.chosen().has_value());
        QCOMPARE(page.chosen()->nextRuns.size(), 5);
        page.run()->trigger();
        QTRY_COMPARE(page.runs()->model()->rowCount(), 1);
        QTRY_COMPARE(page.list()->model()->index(0, 4).data().toString(), QStringLiteral("ready")); // by an answer of its own
        page.pause()->trigger();
        QTRY_COMPARE(page.list()->model()->index(0, 3).data().toString(), QStringLiteral("paused"));
        QTRY_VERIFY(page.chosen()->paused);
        page.remove()->trigger();
        QVERIFY(answerYes());
        QTRY_COMPARE(page.list()->model()->rowCount(), 0);
        window().toast()->offer()->click();
        QTRY_COMPARE(page.list()->model()->rowCount(), 1);
        window().showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(model().rowCount(), 5);
    }

    // Both lists of the window's limits, an edit with its revisions, and what a job says of it.
    void aMatcherHoldsJobsUntilItIsDeleted()
    {
        window().showScreen(MainWindow::Screen::Constraints);
        ConstraintsPage &page = *window().constraintsPage();
        QTRY_COMPARE(page.list()->empty()->title(), QStringLiteral("No JobMatchers"));
        page.create();
        auto *dialog = window().findChild<MatcherDialog *>();
        dialog->id()->setText(QStringLiteral("all-b"));
        dialog->expression()->setExpression("job.name == \"b\"");
        dialog->add(ConstraintKind::Concurrency);
        dialog->form(0)->parameters()->set(ConcurrencyParameters{}); // at most none at a time
        QTRY_VERIFY(!dialog->preview()->findItems(QStringLiteral("Matches now"), Qt::MatchExactly).isEmpty());
        QCOMPARE(dialog->preview()->findItems(QStringLiteral("Matches now"), Qt::MatchExactly).first()->text(1), QStringLiteral("1"));
        dialog->go()->click();
        QVERIFY(answerYes()); // none is as a pause
        QTRY_COMPARE(page.list()->model()->rowCount(), 1);
        QTRY_COMPARE(page.list()->model()->index(0, 5).data().toString(), QStringLiteral("1"));
        page.list()->table()->selectRow(0);

        page.edit()->trigger();
        dialog = window().findChild<MatcherDialog *>();
        dialog->title()->setText(QStringLiteral("All of b"));
        dialog->go()->click();
        QTRY_VERIFY(page.chosen() && page.chosen()->matcher.revision == 2);
        page.revisions()->trigger();
        auto *revisions = window().findChild<RevisionsDialog *>();
        QTRY_COMPARE(revisions->list()->model()->rowCount(), 2);
        revisions->list()->table()->selectRow(1);
        QCOMPARE(revisions->differences()->model()->index(0, 1).data().toString(), QStringLiteral("all-b"));
        revisions->go()->click();
        QTRY_VERIFY(page.chosen() && page.chosen()->matcher.revision == 3 && page.chosen()->matcher.title == "all-b");

        const auto jobs = await<JobPage>([&](auto callback) { m_client->jobs({.state = JobState::Ready, .name = "b"}, callback); });
        QVERIFY(jobs.ok() && jobs->jobs.size() == 1);
        window().showScreen(MainWindow::Screen::Jobs);
        window().openJob(jobs->jobs.first().id);
        window().inspector()->tabs()->setCurrentWidget(window().inspector()->explanation());
        QTRY_COMPARE(window().inspector()->explanation()->summary(), QStringLiteral("Held by: Concurrency: all-b"));

        window().showScreen(MainWindow::Screen::Constraints);
        page.remove()->trigger();
        QVERIFY(answerYes());
        QTRY_COMPARE(page.list()->model()->rowCount(), 0);
        window().showScreen(MainWindow::Screen::Jobs);
        QTRY_VERIFY(window().inspector()->explanation()->summary().startsWith(QLatin1String("Nothing holds it")));
        // A worker that accepts other names, too, takes what is more urgent there.
        QVERIFY(!window().inspector()->explanation()->summary().contains(QLatin1String("higher priority")));
        QVERIFY(await<Enqueued>([&](auto done) { m_client->enqueue(JobSpec{.name = "urgent", .priority = -5}, done); }).ok());
        QTRY_VERIFY(window().inspector()->explanation()->summary().contains(
            QLatin1String("1 ready job of a higher priority comes first, for workers that accept its name, too.")));
    }

    void aBreakerIsTriedOnAJobThenTrippedAndResetByHand()
    {
        window().showScreen(MainWindow::Screen::Constraints);
        ConstraintsPage &page = *window().constraintsPage();
        page.create("job.name == \"b\" && job.priority < 0");
        auto *dialog = window().findChild<MatcherDialog *>();
        dialog->id()->setText(QStringLiteral("b"));
        dialog->add(ConstraintKind::Breaker);
        dialog->form(0)->by()->setPlainText(QStringLiteral("job.name"));
        dialog->test()->setJob(QStringLiteral("b"), QStringLiteral("{}"));
        QTRY_COMPARE(dialog->test()->verdict(), QStringLiteral("It does not match."));
        QCOMPARE(dialog->test()->terms()->model()->index(0, 1).data().toString(), QStringLiteral("yes"));
        QCOMPARE(dialog->test()->terms()->model()->index(1, 2).data().toString(), QStringLiteral("job.priority is 0 (int)"));
        dialog->setExpression("job.name == \"b\"");
        QTRY_COMPARE(dialog->test()->verdict(), QStringLiteral("It matches."));
        dialog->go()->click();
        QTRY_VERIFY(!window().findChild<MatcherDialog *>());

        page.showConstraint("b", "b.breaker1");
        BucketsView &view = *page.bucketsView();
        const auto state = [&] { return view.list()->model()->index(0, 1).data().toString(); };
        QTRY_COMPARE(state(), QStringLiteral("not tripped"));
        view.trip()->trigger();
        QVERIFY(answerYes());
        QTRY_COMPARE(state(), QStringLiteral("tripped"));
        view.reset()->trigger();
        QVERIFY(answerYes());
        QTRY_COMPARE(state(), QStringLiteral("not tripped"));

        // One key breaks sooner than the others.
        view.list()->table()->selectRow(0);
        view.limits()->trigger();
        auto *limits = window().findChild<OverrideDialog *>();
        auto sooner = std::get<BreakerParameters>(limits->parameters()->read());
        sooner.minSamples = 2;
        limits->parameters()->set(sooner);
        limits->go()->click();
        QTRY_VERIFY(view.unlimit()->isEnabled());
        view.unlimit()->trigger();
        QTRY_VERIFY(!view.unlimit()->isEnabled());
        QTRY_VERIFY(page.chosen() && page.chosen()->matcher.revision == 3);
        page.remove()->trigger();
        QVERIFY(answerYes());
        QTRY_COMPARE(page.list()->model()->rowCount(), 0);
    }

    void aPauseIsSeenAndEnded()
    {
        window().showScreen(MainWindow::Screen::Constraints);
        ConstraintsPage &page = *window().constraintsPage();
        page.askPause();
        auto *dialog = window().findChild<PauseDialog *>();
        dialog->reason()->setText(QStringLiteral("outage"));
        dialog->go()->click();
        QCOMPARE(dialog->problem(), QStringLiteral("Which jobs?"));
        dialog->everything()->setChecked(true);
        dialog->go()->click();
        StateStrip &strip = *window().strip();
        QTRY_VERIFY2(strip.text().startsWith(QStringLiteral("All jobs are paused · outage · since ")), qPrintable(strip.text()));
        const auto none = await<QList<ClaimedJob>>([&](auto callback) { m_client->claim("w-1", {}, callback); });
        QVERIFY(none.ok() && none->isEmpty());
        for (const int screen : {0, 1, 2, 3, 4, 5}) {
            window().showScreen(MainWindow::Screen(screen));
            QVERIFY(strip.isVisible());
        }
        // Somebody else ends it.
        const auto resumed = await<PauseList>([&](auto callback) { m_client->resume({}, callback); });
        QVERIFY(resumed.ok());
        QTRY_VERIFY(strip.text().isEmpty());
        window().showScreen(MainWindow::Screen::Jobs);
    }

    void aLimitThatOpensForAMomentGoesOnHolding()
    {
        QVERIFY(limitTo(1, "blink", "job.name == \"blink\"", 0));
        QVERIFY(push("blink", 3));
        const ClaimQuery ofBlink{.names = {"blink"}};
        const auto jobs = await<QList<ClaimedJob>>([&](auto callback) { m_client->claim("w-1", ofBlink, callback); });
        QVERIFY(jobs.ok() && jobs->size() == 1);
        const auto held = [this] {
            const Result<Overview> now = await<Overview>([&](auto callback) { m_client->overview(callback); });
            const QList<HeldBy> by = now.ok() ? now->held.by : QList<HeldBy>();
            const auto found = std::find_if(by.begin(), by.end(), [](const HeldBy &each) { return each.matcher == "blink"; });
            return found == by.end() ? 0 : found->jobs;
        };
        QTRY_COMPARE(held(), 2);
        Outcome outcome;
        outcome.finishedAt = isoTime(Clock::machine_ms());
        const HeartbeatItem running{jobs->first().id, jobs->first().lease};
        QVERIFY(await<Finished>([&](auto callback) { m_client->report({running.id, running.lease, outcome}, callback); }).ok());
        QTest::qWait(limits::situation_ms + 200); // nobody claims the next one
        QCOMPARE(held(), 2);
        QTRY_COMPARE_WITH_TIMEOUT(held(), 0, limits::held_lingers_ms + 5'000);
        QVERIFY(await<SavedMatcher>([&](auto callback) { m_client->deleteMatcher("blink", 1, callback); }).ok());
    }

    void jobsThatTwoLimitsHoldAreCountedOnce()
    {
        const auto pause = [this](const PauseQuery &query) {
            return await<Checked<Pause>>([&](auto callback) { m_client->pause(query, callback); });
        };
        QVERIFY(pause({.match = {}, .until_ms = {}, .reason = "first"}).ok());
        QVERIFY(pause({.match = "job.name == \"twice\"", .until_ms = {}, .reason = "second"}).ok());
        const qint64 before = window().feed().overview()->count(JobState::Ready);
        QVERIFY(push("twice", 4));
        const auto held = [this] { return window().feed().overview()->held; };
        QTRY_VERIFY(held().by.size() == 2 && held().by[0].jobs == before + 4 && held().by[1].jobs == 4);
        QCOMPARE(held().jobs, before + 4);
        QTRY_VERIFY2(window().strip()->text().contains(QStringLiteral("by Pause “first” and 1 more limit")),
            qPrintable(window().strip()->text()));
        window().strip()->line("held")->click();
        QCOMPARE(window().screen(), MainWindow::Screen::Constraints);
        const QList<Pause> pauses = window().feed().overview()->pauses;
        QCOMPARE(pauses.size(), 2);
        window().strip()->action("pause " + pauses.first().id)->click();
        QTRY_COMPARE(window().feed().overview()->pauses.size(), 1);
        window().strip()->action("pause " + pauses.last().id)->click();
        QTRY_VERIFY(window().strip()->text().isEmpty());
        window().showScreen(MainWindow::Screen::Jobs);
    }

    void jobsThatNoClaimHasMetAreCountedForEachLimit()
    {
        for (const QByteArray name : {"unmet.a", "unmet.b"}) {
            QVERIFY(limitTo(5, name, "job.name == \"" + name + '"', 0));
            QVERIFY(push(name, name == "unmet.a" ? 3 : 2));
        }
        for (const QByteArray name : {"unmet.a", "unmet.b"})
            QVERIFY(limitTo(0, name, "job.name == \"" + name + '"', 1));
        QTRY_COMPARE(window().feed().overview()->held.by.size(), 2);
        QCOMPARE(window().feed().overview()->held.jobs, 5);
        for (const QByteArray name : {"unmet.a", "unmet.b"})
            QVERIFY(await<SavedMatcher>([&](auto callback) { m_client->deleteMatcher(name, 2, callback); }).ok());
        QTRY_COMPARE(window().feed().overview()->held.jobs, 0);
    }

    void jobsOfALimitThatGoesOnHoldingAreNotCountedAgainWhereTheyWaitNow()
    {
        QVERIFY(limitTo(1, "moment.a", "job.name == \"moment.first\" || job.name == \"moment.then\"", 0));
        QVERIFY(limitTo(0, "moment.b", "job.name == \"moment.then\"", 0));
        QVERIFY(push("moment.first", 1) && push("moment.free", 9));
        const ClaimQuery first{.names = {"moment.first"}};
        const auto jobs = await<QList<ClaimedJob>>([&](auto callback) { m_client->claim("w-1", first, callback); });
        QVERIFY(jobs.ok() && jobs->size() == 1);
        QVERIFY(push("moment.then", 3));
        const auto held = [this] { return await<Overview>([&](auto callback) { m_client->overview(callback); })->held; };
        QTRY_COMPARE(held().by.size(), 2);
        QCOMPARE(held().jobs, 3);
        Outcome outcome;
        outcome.finishedAt = isoTime(Clock::machine_ms());
        const HeartbeatItem running{jobs->first().id, jobs->first().lease};
        QVERIFY(await<Finished>([&](auto callback) { m_client->report({running.id, running.lease, outcome}, callback); }).ok());
        QTest::qWait(limits::situation_ms + 200);
        QCOMPARE(held().by.size(), 2);
        QCOMPARE(held().jobs, 3);
        for (const QByteArray id : {"moment.a", "moment.b"})
            QVERIFY(await<SavedMatcher>([&](auto callback) { m_client->deleteMatcher(id, 1, callback); }).ok());
    }

    void aWordIsLookedForInTheArgumentToo()
    {
        const auto enqueue = [this](MsgpackWriter &&argument) {
            const JobSpec spec{.name = "words", .argument = argument.take()};
            return await<Enqueued>([&](auto callback) { m_client->enqueue(spec, callback); });
        };
        const auto byField = enqueue(std::move(MsgpackWriter().map(2).text("count").integer(7041).text("to").text("ada@example.org")));
        const auto byText = enqueue(std::move(MsgpackWriter().text("to ada")));
        const auto other = enqueue(std::move(MsgpackWriter().map(1).text("to").text("bob")));
        QVERIFY(byField.ok() && byText.ok() && other.ok());
        JobsPage &page = *window().jobsPage();
        window().showScreen(MainWindow::Screen::Jobs);
        page.showState(JobState::Ready);
        const auto found = [&page] {
            QSet<JobId> ids;
            for (int row = 0; row < page.list().model().rowCount(); ++row)
                ids.insert(page.list().model().jobAt(row)->id);
            return ids;
        };
        page.filterBar()->setFilter(QStringLiteral("ada"));
        QTRY_COMPARE(found(), (QSet<JobId>{byField->id, byText->id}));
        page.filterBar()->setFilter(QStringLiteral("7041"));
        QTRY_COMPARE(found(), QSet<JobId>{byField->id});
        page.filterBar()->setFilter({});
        page.showState({});
    }

    void aNameIsPausedAndResumedInItsRow()
    {
        QVERIFY(push("row.paused", 1));
        window().showScreen(MainWindow::Screen::Overview);
        QTableView &names = *window().overviewPage()->names();
        const auto row = [&names] {
            const QModelIndexList found = names.model()->match(names.model()->index(0, 0), NamesModel::NameRole, QByteArray("row.paused"));
            return found.value(0);
        };
        const auto choose = [&](const char *text) {
            names.scrollTo(row());
            Q_EMIT names.customContextMenuRequested(names.visualRect(row()).center());
            for (QAction *action : names.findChild<QMenu *>()->actions()) {
                if (action->text() == QString::fromUtf8(text)) {
                    action->trigger();
                    delete names.findChild<QMenu *>();
                    return true;
                }
            }
            return false;
        };
        QTRY_VERIFY(row().isValid());
        QVERIFY(row().data(Qt::DecorationRole).isNull());
        QVERIFY(choose("&Pause row.paused…"));
        auto *dialog = window().findChild<PauseDialog *>();
        QVERIFY(dialog);
        QTest::keyClicks(dialog->reason(), QStringLiteral("vendor down"));
        dialog->go()->click();
        QTRY_VERIFY(!row().data(Qt::DecorationRole).isNull());
        QVERIFY(row().data(Qt::ToolTipRole).toString().contains(QLatin1String("paused: vendor down")));
        QCOMPARE(window().feed().overview()->pauses.first().match, QByteArray("job.name == \"row.paused\""));
        QVERIFY(choose("&Resume row.paused"));
        QTRY_VERIFY(row().data(Qt::DecorationRole).isNull());
        QVERIFY(window().feed().overview()->pauses.isEmpty());
    }

    void aSecondMasterAtTheSamePortOpensItsWindowAllTheSame()
    {
        QTemporaryDir directory;
        QProcess second;
        second.setProcessChannelMode(QProcess::MergedChannels);
        second.start(QStringLiteral(JUNBAN_BIN "/junban"),
                     {QStringLiteral("--data-dir"), directory.path(), QStringLiteral("--listen"), m_url.authority()});
        QVERIFY(second.waitForStarted());
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += second.readAll()).contains("in use"), 30'000);
        QVERIFY2(!second.waitForFinished(1'000), said); // it offers another port
        second.terminate();
        QVERIFY(second.waitForFinished(20'000));
        QCOMPARE(second.exitCode(), 1);
    }

    void aKilledMasterIsNoticedAndItsSuccessorFound()
    {
        const int rows = model().rowCount();
        QVERIFY(rows > 0);
        m_master.kill();
        QVERIFY(m_master.waitForFinished(10'000));
        QTRY_VERIFY(window().banner()->isVisible());
        QCOMPARE(model().rowCount(), rows);
        QVERIFY(startMaster(m_url.authority()));
        QTRY_VERIFY_WITH_TIMEOUT(!window().banner()->isVisible(), 20'000);
        QTRY_COMPARE(window().overviewPage()->tile(JobState::Succeeded)->count(), QStringLiteral("3"));
    }

    // The window asks before it is closed while jobs run, but a signal has decided already.
    void aTerminatedWindowEndsItsMasterAlthoughJobsRun()
    {
        QProcess junban;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_directory.path());
        junban.setProcessEnvironment(environment);
        const QUrl url = test::startMaster(junban, QStringLiteral(JUNBAN_BIN "/junban"), QStringLiteral("127.0.0.1:0"),
                                           m_directory.filePath(QStringLiteral("own")));
        QVERIFY(url.isValid());
        ApiClient client({url});
        QVERIFY(await<Enqueued>([&](auto callback) { client.enqueue(JobSpec{.name = "long"}, callback); }).ok());
        const auto jobs = await<QList<ClaimedJob>>([&](auto callback) { client.claim("w", {}, callback); });
        QVERIFY(jobs.ok() && jobs->size() == 1);
        QTest::qWait(2 * Feed::watched_ms); // the window has seen that a job runs
        junban.terminate();
        QVERIFY(junban.waitForFinished(30'000));
        QCOMPARE(junban.exitStatus(), QProcess::NormalExit);
        QCOMPARE(junban.exitCode(), 0);
    }

private:
    bool startMaster(const QString &listen)
    {
        m_url = test::startMaster(m_master, QStringLiteral(JUNBAN_BIN "/junband"), listen, m_directory.filePath(QStringLiteral("data")));
        return m_url.isValid();
    }

    // Says yes to the question that stands there.
    bool answerYes()
    {
        auto *question = window().findChild<QMessageBox *>();
        if (!question)
            return false;
        question->findChild<QPushButton *>(QStringLiteral("go"))->click();
        return QTest::qWaitFor([this] { return !window().findChild<QMessageBox *>(); });
    }

    // A matcher that lets so many of these jobs run at the same time; `revision` is what it is now, 0 for a new one.
    bool limitTo(int jobs, const QByteArray &id, const QByteArray &expression, qint64 revision)
    {
        JobMatcher matcher;
        matcher.id = matcher.title = id;
        matcher.expression = expression;
        Constraint constraint;
        constraint.parameters = ConcurrencyParameters{.limit = jobs};
        matcher.constraints = {constraint};
        return await<Checked<SavedMatcher>>([&](auto callback) { m_client->saveMatcher(matcher, revision, callback); }).ok();
    }

    bool push(const QByteArray &name, int jobs)
    {
        const auto pushed = [&] {
            return await<Enqueued>([&](auto callback) { m_client->enqueue(JobSpec{.name = name}, callback); }).ok();
        };
        while (jobs > 0 && pushed())
            --jobs;
        return jobs == 0;
    }

    bool claim()
    {
        const auto jobs = await<QList<ClaimedJob>>(
            [&](auto callback) { m_client->claim("w-1", ClaimQuery{.wait_ms = 5'000}, callback); });
        if (!jobs.ok() || jobs->size() != 1)
            return false;
        m_lease = {jobs->first().id, jobs->first().lease};
        return m_lease.id == m_job;
    }

    MainWindow &window() const { return *m_console->window(); }
    JobTableModel &model() const { return window().jobsPage()->list().model(); }
    QString cell(JobTableModel::Column column) const { return model().index(0, column).data().toString(); }

    QTemporaryDir m_directory;
    QProcess m_master;
    QUrl m_url;
    std::unique_ptr<ApiClient> m_client;
    std::unique_ptr<Console> m_console;
    JobId m_job;
    HeartbeatItem m_lease;
};

JUNBAN_TEST(TestRealMaster)
#include "test_realmaster.moc"
