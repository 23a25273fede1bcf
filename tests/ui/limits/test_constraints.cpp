#include "tests/support/sentence.h"
#include "tests/support/testmain.h"

#include "core/base/reasons/calendar.h"
#include "core/base/reasons/cel.h"
#include "core/base/reasons/fields.h"
#include "tests/ui/packed.h"
#include "tests/ui/windowfixture.h"
#include "ui/inspector/explainview.h"
#include "ui/inspector/jobinspector.h"
#include "ui/jobs/jobspage.h"
#include "ui/limits/argumentpaths.h"
#include "ui/limits/conflictdialog.h"
#include "ui/limits/constraintform.h"
#include "ui/limits/constraintspage.h"
#include "ui/limits/constrainttexts.h"
#include "ui/limits/expressionedit.h"
#include "ui/limits/matcherdialog.h"
#include "ui/limits/kinds/parameterform.h"
#include "ui/limits/pausedialog.h"
#include "ui/limits/previewtree.h"
#include "ui/limits/revisionsdialog.h"
#include "ui/limits/testpanel.h"
#include "ui/shell/statestrip.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/endfield.h"
#include "ui/widgets/jsonedit.h"
#include "ui/widgets/recordlist.h"

#include <QHeaderView>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QTabWidget>
#include <QTextBlock>
#include <QTextLayout>

using namespace junban;
using namespace junban::ui;
using junban::test::ScriptedMaster;
using junban::test::packed;
using junban::test::WindowFixture;

namespace {

const QByteArray mail = "{'id':'mail','title':'Mail vendor','expression':'job.name.startsWith(\\\"mail.\\\")','note':'ask ken',"
    "'enabled':true,"
    "'rank':0,'exempts':[],'constraints':[{'id':'mail.rate1','kind':'rate','limit':20,'period':1,'burst':40},"
    "{'id':'mail.concurrency1','kind':'concurrency','limit':4,'by':['job.argument.to'],'mode':'observe'}],"
    "'revision':7,'edited_at':'2026-01-02T03:00:00.000Z','edited_by':'ken','names':{'class':'prefixes','prefixes':['mail.']}}";

const QByteArray preview = "{'names':{'class':'prefixes','prefixes':['mail.']},'states':["
    "{'state':'ready','matched':9900,'scanned':12000,'total':12000,'complete':true},"
    "{'state':'running','matched':3,'scanned':3,'total':3,'complete':true},"
    "{'state':'failed','matched':5,'scanned':100,'total':800,'complete':false}],"
    "'samples':[],'newly_matched':[],'no_longer_matched':[],'newly_matched_count':3,'no_longer_matched_count':0,"
    "'keys':[{'kind':'rate','distinct':2,'top':[{'key':'eu','jobs':7}]}],'faults':[{'cause':'no_such_field','jobs':2}],"
    "'overlaps':[{'matcher':'all','jobs':31}],'replay':{'starts':100,'delayed':21,'mean_delay':1.5,'max_delay':74,'complete':true},"
    "'drain':{'before':130,'after':495},'arrivals':{'per_second':24,'growth':4}}";

} // namespace

// Limits as operators see and change them, with a master that says what the test wants.
class TestConstraints : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_fixture = std::make_unique<WindowFixture>();
        m_put = {};
        m_theirs.clear();
        m_fixture->instead.insert("/v1/matchers", {200, packed("{'matchers':[" + mail + "],'reading':3}")});
        m_fixture->instead.insert("/v1/constraints", {200, packed("{'constraints':[{'constraint':{'id':'mail.rate1','kind':'rate',"
            "'limit':20,'period':1,'burst':40},'matcher':'mail','matcher_title':'Mail vendor','enabled':true,"
            "'buckets':3,'used':20,'waiting':9900,"
            "'would_hold':0,'closed':1,'opens_at':'2126-01-02T03:00:00.000Z','complete':true}]}")});
        m_fixture->instead.insert("/v1/constraints/mail.rate1/buckets", {200, packed("{'buckets':["
            "{'key':'eu','used':1,'limit':20,'waiting':2,'would_hold':0,'open':true},"
            "{'key':'us','used':20,'limit':20,'waiting':9898,'would_hold':0,'open':false,'overridden':true,'holders':['"
            + WindowFixture::job(2).id.text() + "']}]}")});
        m_fixture->instead.insert("/v1/held", {200, packed("{'held':[{'matcher':'mail','title':'Mail vendor',"
            "'constraint':'mail.rate1','kind':'rate','key':'us',"
            "'jobs':9898,'used':20,'limit':20,'oldest_at':'2026-01-02T03:00:00.000Z'}],'complete':true}")});
        m_fixture->instead.insert("/v1/matchers/preview", {200, packed(preview)});
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2, JobState::Running)};
        QVERIFY(m_fixture->openLive());
    }
    void cleanup() { m_fixture.reset(); }

    void everyConstraintIsListedWithItsLiveUse()
    {
        open();
        QTRY_COMPARE(cell(0, 5), QStringLiteral("9,900 · about 8 m"));
        QCOMPARE(cell(0, 0), QStringLiteral("Mail vendor"));
        QCOMPARE(cell(0, 2), QStringLiteral("20 per second, burst 40"));
        QCOMPARE(cell(0, 3), QStringLiteral("enforced"));
        QCOMPARE(cell(0, 6), QStringLiteral("1 of 3"));
        QCOMPARE(cell(1, 2), QStringLiteral("4 at a time · for each job.argument.to · observes only"));
        QTRY_COMPARE(page().held()->model()->rowCount(), 1);
        QCOMPARE(page().held()->model()->index(0, 0).data().toString(), QStringLiteral("Mail vendor"));
        QCOMPARE(page().held()->model()->index(0, 3).data().toString(), QStringLiteral("9,898"));
    }

    void aFullBacklogIsSaidToBeFull()
    {
        m_fixture->instead.insert("/v1/matchers", {200, packed("{'matchers':[{'id':'mail','title':'Mail vendor','expression':'true',"
            "'constraints':[{'id':'mail.backlog1','kind':'backlog','max_ready':150,'overflow':'drop_oldest'}],'revision':1}]}")});
        m_fixture->instead.insert("/v1/constraints", {200, packed("{'constraints':[{'constraint':{'id':'mail.backlog1','kind':'backlog',"
            "'max_ready':150,'overflow':'drop_oldest'},'matcher':'mail','enabled':true,'buckets':1,'used':0,'waiting':150,"
            "'would_hold':0,'closed':0,'complete':true}]}")});
        m_fixture->instead.insert("/v1/constraints/mail.backlog1/buckets", {200, packed("{'buckets':["
            "{'key':'','used':0,'limit':150,'waiting':150,'would_hold':0,'open':true}]}")});
        m_fixture->overviewMore = {{"backlogs", packed("[{'matcher':'mail','constraint':'mail.backlog1','overflow':'drop_oldest',"
                                                       "'keys':1,'jobs':150}]")}};
        m_fixture->window().showScreen(MainWindow::Screen::Constraints);
        QTRY_COMPARE(cell(0, 6), QStringLiteral("full: 1 of 1"));
        QCOMPARE(cell(0, 4), QStringLiteral("150 of 150"));
        QCOMPARE(page().list()->model()->index(0, 4).data(RecordModel::MeterRole).toDouble(), 1.0); // drawn as a bar
        page().list()->table()->selectRow(0);
        QTRY_COMPARE(page().buckets()->model()->rowCount(), 1);
        QCOMPARE(page().buckets()->model()->index(0, 1).data().toString(), QStringLiteral("full"));
        QCOMPARE(page().buckets()->model()->index(0, 2).data().toString(), QStringLiteral("150"));
    }

    void whatHoldsJobsWithSmallBreaksStaysInTheList()
    {
        m_fixture->overviewMore = {{"held", packed("{'jobs':9898,'complete':true,'by':[{'matcher':'mail','title':'Mail vendor',"
                                                   "'constraint':'mail.rate1','kind':'rate','jobs':9898,'keys':1}]}")}};
        open();
        QTRY_COMPARE(page().held()->model()->rowCount(), 1);
        m_fixture->instead.insert("/v1/held", {200, packed("{'held':[],'complete':true}")});
        const int asked = m_fixture->requestsTo("/v1/held");
        QTRY_VERIFY(m_fixture->requestsTo("/v1/held") > asked + 1);
        QCOMPARE(page().held()->model()->rowCount(), 1); // the overview says so, too
        m_fixture->overviewMore = {{"held", packed("{'jobs':0,'complete':true,'by':[]}")}};
        QTRY_COMPARE(page().held()->model()->rowCount(), 0);
    }

    void jobsThatTwoLimitsHoldAreSummedUpAsTheMasterDoes()
    {
        m_fixture->overviewMore = {{"held", packed("{'jobs':9900,'complete':true,'by':["
            "{'matcher':'mail','title':'Mail vendor','constraint':'mail.rate1','kind':'rate','jobs':9898,'keys':1},"
            "{'matcher':'all','constraint':'all.pause1','kind':'pause','jobs':9900,'keys':1}]}")}};
        open();
        QTRY_COMPARE(page().summary(), QStringLiteral("9,900 jobs are held · most by Mail vendor: 9,898"));
        // With the strip above it, also while the list is not read again.
        m_fixture->overviewMore = {{"held", packed("{'jobs':0,'complete':true,'by':[]}")}};
        connect(&m_fixture->window().feed(), &Feed::arrived, this, [this] {
            const bool none = m_fixture->window().feed().overview()->held.jobs == 0;
            m_saidLater = m_saidLater || (none && page().summary() != QStringLiteral("No jobs are held by a constraint."));
            m_saidNone = m_saidNone || none;
        });
        QTRY_VERIFY(m_saidNone);
        QVERIFY(!m_saidLater);
    }

    void aWindowInWhichNothingStartsIsCalledClosed()
    {
        Constraint constraint;
        WindowParameters window;
        window.tz = "Europe/Berlin";
        window.deny = {{{6 * 60, 22 * 60, "Europe/Berlin", 0x7f}, {}}};
        constraint.parameters = window;
        QCOMPARE(limitText(constraint, Format()), QStringLiteral("closed every day 06:00–22:00, Europe/Berlin"));
        QCOMPARE(zoneOf(constraint), QByteArray("Europe/Berlin"));
    }

    void bucketsStandWithTheClosedOnesFirstAndLeadToTheirHolders()
    {
        open();
        page().list()->table()->selectRow(0);
        QTRY_COMPARE(page().buckets()->model()->rowCount(), 2);
        QCOMPARE(page().buckets()->model()->index(0, 0).data().toString(), QStringLiteral("us"));
        QCOMPARE(page().buckets()->model()->index(0, 1).data().toString(), QStringLiteral("full"));
        Q_EMIT page().buckets()->table()->openRequested("us");
        QTRY_VERIFY(m_fixture->window().inspector()->job() && m_fixture->window().inspector()->job()->id == WindowFixture::job(2).id);
    }

    void anEditIsSavedForTheRevisionItBeganWith()
    {
        MatcherDialog *dialog = edit();
        QVERIFY(dialog);
        QCOMPARE(dialog->constraints()->count(), 2);
        const QByteArray was = dialog->expression()->expression();
        QCOMPARE(was, QByteArray("job.name.startsWith(\"mail.\")"));
        dialog->form(0)->mode()->setCurrentIndex(int(ConstraintMode::Off));
        answerPut({200, packed(mail)});
        dialog->go()->click();
        QTRY_VERIFY(!m_fixture->window().findChild<MatcherDialog *>());
        QCOMPARE(m_put.fields.value("if-match"), QByteArray("\"7\""));
        const Result<JobMatcher> sent = JobMatcher::fromMsgpack("mail", m_put.body);
        QVERIFY(sent.ok());
        QCOMPARE(sent->constraints[0].mode, ConstraintMode::Off);
        QCOMPARE(sent->constraints[0].id, QByteArray("mail.rate1"));
        QCOMPARE(sent->constraints[1].by, QList<QByteArray>{"job.argument.to"});
        QCOMPARE(sent->note, QByteArray("ask ken"));
        QCOMPARE(m_fixture->window().toast()->text(), QStringLiteral("Revision 7 is active"));
        QVERIFY(m_fixture->window().toast()->offer()->isVisible());
    }

    void theFormOfTheConstraintThatWasChosenIsShown()
    {
        m_fixture->window().showScreen(MainWindow::Screen::Constraints);
        QTRY_COMPARE(page().list()->model()->rowCount(), 2);
        for (const int row : {1, 0}) {
            page().list()->table()->selectRow(row);
            page().edit()->trigger();
            auto *dialog = m_fixture->window().findChild<MatcherDialog *>();
            QVERIFY(dialog);
            QCOMPARE(dialog->constraints()->currentRow(), row);
            dialog->reject();
            QTRY_VERIFY(!m_fixture->window().findChild<MatcherDialog *>());
        }
    }

    void whatOnlyObservesHoldsNothing()
    {
        MatcherDialog *dialog = edit();
        QVERIFY(dialog);
        answerPut({200, packed(mail)});
        dialog->observe()->click();
        QTRY_VERIFY(!m_put.body.isEmpty());
        const Result<JobMatcher> sent = JobMatcher::fromMsgpack("mail", m_put.body);
        QVERIFY(sent.ok());
        QCOMPARE(sent->constraints[0].mode, ConstraintMode::Observe);
    }

    void ofAnEditByTwoEachFieldStandsAsItIsChosen()
    {
        MatcherDialog *dialog = edit();
        QVERIFY(dialog);
        dialog->title()->setText(QStringLiteral("Mine"));
        dialog->form(0)->mode()->setCurrentIndex(int(ConstraintMode::Off));
        answerPut({412, WindowFixture::problem(412, "revision_mismatch", "It is revision 8 by now."), "application/problem+msgpack"});
        m_theirs = packed(QByteArray(mail).replace("'Mail vendor'", "'Theirs'").replace("'rank':0", "'rank':5")
                              .replace("'revision':7", "'revision':8"));
        dialog->go()->click();
        QTRY_VERIFY(dialog->findChild<ConflictDialog *>());
        auto *conflict = dialog->findChild<ConflictDialog *>();
        QCOMPARE(conflict->list()->model()->rowCount(), 3);
        const auto said = [&](int row, int column) { return conflict->list()->model()->index(row, column).data().toString(); };
        QCOMPARE(said(0, 1), QStringLiteral("Mail vendor"));
        QCOMPARE(said(0, 2), QStringLiteral("Theirs"));
        QCOMPARE(said(0, 3), QStringLiteral("Mine"));
        // Both have changed the title; each of the others only one has.
        QCOMPARE(said(0, 4), QStringLiteral("choose"));
        QCOMPARE(said(1, 4), QStringLiteral("theirs"));
        QCOMPARE(said(2, 4), QStringLiteral("yours"));
        QVERIFY(!conflict->go()->isEnabled());
        conflict->list()->table()->selectRow(0);
        QTest::keyClick(conflict->list()->table(), Qt::Key_M);
        QVERIFY(conflict->go()->isEnabled());
        answerPut({200, m_theirs});
        conflict->go()->click();
        QTRY_COMPARE(m_put.fields.value("if-match"), QByteArray("\"8\""));
        const Result<JobMatcher> sent = JobMatcher::fromMsgpack("mail", m_put.body);
        QVERIFY(sent.ok());
        QCOMPARE(sent->title, QByteArray("Mine"));
        QCOMPARE(sent->rank, 5);
        QCOMPARE(sent->constraints.size(), 2);
        QCOMPARE(sent->constraints[0].mode, ConstraintMode::Off);
        QTRY_VERIFY(!m_fixture->window().findChild<MatcherDialog *>());
    }

    void aLimitOfNothingIsAskedAbout()
    {
        MatcherDialog *dialog = edit();
        QVERIFY(dialog);
        answerPut({200, packed(mail)});
        RateParameters none;
        none.burst = 40;
        dialog->form(0)->parameters()->set(none);
        dialog->go()->click();
        auto *question = dialog->findChild<QMessageBox *>();
        QVERIFY(question);
        QVERIFY(m_put.body.isEmpty());
        question->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_VERIFY(!m_put.body.isEmpty());
    }

    void aDuplicateHasIdsOfItsOwn()
    {
        open();
        page().list()->table()->selectRow(1);
        page().duplicate()->trigger();
        auto *dialog = m_fixture->window().findChild<MatcherDialog *>();
        QVERIFY(dialog);
        QVERIFY(dialog->id()->isEnabled());
        dialog->id()->setText(QStringLiteral("mail"));
        // A problem of a field below "More" shows the field.
        auto *exceptions = dialog->form(0)->findChild<JsonEdit *>();
        QVERIFY(exceptions && !exceptions->isVisible());
        exceptions->setPlainText(QStringLiteral("{"));
        dialog->go()->click();
        QVERIFY(!dialog->problem().isEmpty() && exceptions->isVisible());
        exceptions->clear();
        answerPut({200, packed(mail)});
        dialog->go()->click();
        QTRY_VERIFY(!m_put.body.isEmpty());
        QCOMPARE(m_put.fields.value("if-none-match"), QByteArray("*"));
        const Result<JobMatcher> sent = JobMatcher::fromMsgpack("mail", m_put.body);
        QVERIFY(sent.ok());
        QCOMPARE(sent->constraints.size(), 2);
        QCOMPARE(sent->constraints[0].id, QByteArray());
        // A new matcher is chosen in the list, and there is nothing to go back to.
        QTRY_VERIFY(m_fixture->window().toast()->isVisible());
        QVERIFY(!m_fixture->window().toast()->offer()->isVisible());
        QTRY_COMPARE(page().list()->table()->chosen(), QByteArray("mail mail.rate1"));
    }

    void aJobIsTriedTermByTerm()
    {
        MatcherDialog *dialog = edit();
        QVERIFY(dialog);
        m_fixture->instead.insert("/v1/matchers/preview", {200, packed(QByteArray(preview).chopped(1)
            + ",'test':{'matches':false,'complete':true,'terms':["
            "{'line':1,'column':1,'length':9,'text':'job.name == \\\"a\\\"','result':true,'reads':[]},"
            "{'line':1,'column':9,'length':9,'text':'job.argument.v == \\\"a\\\"','result':false,'reads':["
            "{'text':'job.argument.v','type':'int','value':'7','expected':'string'}]}]}}")});
        TestPanel *test = dialog->test();
        test->setJob(QStringLiteral("mail.send"), QStringLiteral("{\"v\": "));
        QVERIFY(!test->job());
        QVERIFY(!test->verdict().isEmpty());
        test->setJob(QStringLiteral("mail.send"), QStringLiteral("{\"v\": 7}"));
        QTRY_COMPARE(test->terms()->model()->rowCount(), 2);
        QCOMPARE(test->verdict(), QStringLiteral("It does not match."));
        const auto said = [&](int row, int column) { return test->terms()->model()->index(row, column).data().toString(); };
        QCOMPARE(said(0, 1), QStringLiteral("yes"));
        QCOMPARE(said(1, 1), QStringLiteral("no"));
        QCOMPARE(said(1, 2), QStringLiteral("job.argument.v is 7 (int), compared with string"));
        QTRY_VERIFY(bodyOf("/v1/matchers/preview").contains(packed("{'v':7}")));
        // A job that is there has its own argument.
        m_fixture->instead.insert("/v1/matchers/preview", {404, packed("{'type':'about:blank','title':'Not found','status':404,"
            "'code':'not_found','detail':'There is no such job.','field':'test.job'}"), "application/problem+msgpack"});
        test->setJob(QString::fromLatin1(WindowFixture::job(1).id.text()));
        QVERIFY(!test->argument()->isVisible());
        QTRY_COMPARE(test->verdict(), QStringLiteral("There is no such job."));
        QVERIFY(bodyOf("/v1/matchers/preview").contains(WindowFixture::job(1).id.text()));
    }

    void whatIsWrongWithAnExpressionIsUnderlinedWhereItStands()
    {
        open();
        page().create();
        auto *dialog = m_fixture->window().findChild<MatcherDialog *>();
        dialog->expression()->setPlainText(QStringLiteral("job.name == \"a\" &&\n  job.stat == 1"));
        QCOMPARE(dialog->expression()->state(), ExpressionEdit::State::Invalid);
        QCOMPARE(dialog->expression()->problems().first().line, 2);
        QCOMPARE(dialog->expression()->problems().first().column, 3);
        QCOMPARE(dialog->expression()->extraSelections().first().cursor.selectedText().first(3), QStringLiteral("job"));
        QVERIFY(!dialog->go()->isEnabled());
        QTest::keyClick(dialog->expression(), Qt::Key_F8);
        QCOMPARE(dialog->expression()->textCursor().position(), 21);
        dialog->expression()->setPlainText(QStringLiteral("job.name == \"日本\" && job.argument.a == 1"));
        QVERIFY(dialog->go()->isEnabled());
        // Words are in colour, also behind others than Latin letters: job.name, ==, the text, &&, …
        const QList<QTextLayout::FormatRange> colored = dialog->expression()->document()->firstBlock().layout()->formats();
        QVERIFY(std::any_of(colored.begin(), colored.end(), [](const auto &range) { return range.start == 12 && range.length == 4; }));
        // What the master says counts too.
        dialog->expression()->showProblems({{1, 21, 0, 12, sentence("No.")}});
        QCOMPARE(dialog->expression()->extraSelections().first().cursor.selectedText(), QStringLiteral("job.argument"));
        QVERIFY(!dialog->go()->isEnabled());
    }

    void pathsOfRealArgumentsAreSuggested()
    {
        open();
        page().create();
        auto *dialog = m_fixture->window().findChild<MatcherDialog *>();
        QTRY_VERIFY(m_fixture->requestsTo("/v1/jobs", "limit=200") > 0);
        QTRY_VERIFY(dialog->expression()->completer()->model()->rowCount() > 0);
        dialog->expression()->setFocus();
        QTRY_VERIFY([&] {
            dialog->expression()->setPlainText({});
            QTest::keyClicks(dialog->expression(), QStringLiteral("job.argument.nu"));
            return dialog->expression()->completer()->completionCount() > 0;
        }());
        QCOMPARE(dialog->expression()->completer()->currentCompletion(), QStringLiteral("job.argument.number"));
        QTest::keyClick(dialog->expression()->completer()->popup(), Qt::Key_Down);
        QTest::keyClick(dialog->expression()->completer()->popup(), Qt::Key_Return);
        QTRY_VERIFY(dialog->expression()->expression().startsWith("job.argument.number"));
    }

    void whatItWouldDoIsShownWhileItIsTyped()
    {
        open();
        page().create();
        auto *dialog = m_fixture->window().findChild<MatcherDialog *>();
        const int before = m_fixture->requestsTo("/v1/matchers/preview");
        QTest::keyClicks(dialog->expression(), QStringLiteral("true"));
        QTRY_COMPARE(m_fixture->requestsTo("/v1/matchers/preview"), before + 1);
        const auto has = [&](const char *title, const char *value) {
            const QList<QTreeWidgetItem *> items =
                dialog->preview()->findItems(QString::fromUtf8(title), Qt::MatchExactly | Qt::MatchRecursive);
            return !items.isEmpty() && items.first()->text(1) == QString::fromUtf8(value);
        };
        QTRY_VERIFY(has("Matches now", "at least 9,908"));
        QVERIFY(has("Replay of the last 15 minutes", "21 of 100 would have waited"));
        QVERIFY(has("Arrivals (24/s) exceed what can start: the backlog grows by 4.0/s", ""));
        QVERIFY(has("Backlog clears in", "up to 8 m 15 s (now: 2 m 10 s)"));
        QVERIFY(has("Newly matched", "3"));
        QVERIFY(has("eu", "7 jobs"));
        QVERIFY(has("Cannot be evaluated: a field is missing · 2 jobs", ""));
        QVERIFY(has("all", "31 jobs"));
        // A limit of running jobs says what it would find; a new one holds not all jobs.
        dialog->add(ConstraintKind::Concurrency);
        QTRY_VERIFY(has("Running", "3, limit 1"));
    }

    void aFaultOfAConstraintHasTheLabelOfItsField()
    {
        QCOMPARE(constraintFault(reasons::timeZoneUnknown("constraints[1].tz")),
                 QStringLiteral("'Time zone' must be a time zone of the IANA database, e.g. Europe/Berlin."));
        QCOMPARE(constraintFault({ErrorCode::InvalidField, reasons::expressionEmpty(), "constraints[0].by[1]"}),
                 QStringLiteral("For each: The expression is empty."));
        QCOMPARE(constraintFault(reasons::numberOutOfRange("constraints[0].limit", 1, 5, 0)),
                 QStringLiteral("'limit' must be 1 to 5; it was 0."));
        QCOMPARE(constraintFault(reasons::fieldRequired("id")), QStringLiteral("'id' is required."));
    }

    void aPauseBeginsWithTheChosenJobMatcher()
    {
        open();
        const QList<QPushButton *> buttons = page().findChildren<QPushButton *>();
        const auto pause = std::find_if(buttons.begin(), buttons.end(),
                                        [](const QPushButton *button) { return button->text() == QStringLiteral("&Pause…"); });
        QVERIFY(pause != buttons.end());
        (*pause)->click();
        auto *dialog = m_fixture->window().findChild<PauseDialog *>();
        QVERIFY(!dialog->some()->isChecked());
        QTest::mouseClick(dialog->some(), Qt::LeftButton, {}, {5, dialog->some()->height() / 2});
        QCOMPARE(dialog->focusWidget(), static_cast<QWidget *>(dialog->expression())); // what is typed then is what to pause
        delete dialog;
        page().list()->table()->selectRow(0);
        (*pause)->click();
        dialog = m_fixture->window().findChild<PauseDialog *>();
        QVERIFY(dialog->some()->isChecked());
        QCOMPARE(dialog->expression()->expression(), QByteArray("job.name.startsWith(\"mail.\")"));
        delete dialog;
    }

    void aPauseNeedsAReasonAndEndsWithAButton()
    {
        open();
        page().askPause();
        auto *dialog = m_fixture->window().findChild<PauseDialog *>();
        QCOMPARE(dialog->focusWidget(), static_cast<QWidget *>(dialog->reason())); // so that typing does not choose other jobs
        dialog->go()->click();
        QCOMPARE(dialog->problem(), QStringLiteral("A reason is required."));
        dialog->reason()->setText(QStringLiteral("outage"));
        dialog->some()->setChecked(true);
        dialog->expression()->setExpression("job.name ==");
        dialog->go()->click();
        QVERIFY(dialog->problem().startsWith(QLatin1String("Line 1, column")));
        dialog->expression()->setExpression("job.name == \"a\"");
        m_fixture->instead.insert("/v1/jobs/counts",
            {200, packed("{'states':{'ready':1234},'coverage':{'scanned':2,'total':2,'complete':true}}")});
        QTRY_COMPARE(dialog->stops()->text(), QStringLiteral("Stops 1,234 ready jobs now."));
        dialog->end()->setAfter(10, 60'000);
        const QByteArray pause = "{'id':'pause-1','match':'job.name','reason':'outage','since':'2026-01-02T03:00:00.000Z','by':'ken'}";
        m_fixture->instead.insert("/v1/pause", {201, packed(pause)});
        m_fixture->overviewMore = {{"pauses", packed("[" + pause + "]")}};
        m_fixture->instead.insert("/v1/resume", {200, packed("{'pauses':[" + pause + "]}")});
        dialog->go()->click();
        QTRY_VERIFY(!m_fixture->window().strip()->text().isEmpty());
        QCOMPARE(bodyOf("/v1/pause"), packed("{'match':'job.name == \\\"a\\\"','for':600,'reason':'outage'}"));
        m_fixture->window().strip()->action("pause pause-1")->click();
        QTRY_COMPARE(bodyOf("/v1/resume"), packed("{'id':'pause-1'}"));
    }

    void anEarlierRevisionIsComparedAndBroughtBack()
    {
        open();
        page().list()->table()->selectRow(0);
        const QByteArray old = QByteArray(mail).replace("'limit':20", "'limit':10").replace("'revision':7", "'revision':6");
        m_fixture->instead.insert("/v1/matchers/mail/revisions", {200, packed("{'revisions':[" + mail + ',' + old + "]}")});
        m_fixture->instead.insert("/v1/matchers/mail/revert", {200, packed(mail)});
        page().revisions()->trigger();
        auto *dialog = m_fixture->window().findChild<RevisionsDialog *>();
        QTRY_COMPARE(dialog->list()->model()->rowCount(), 2);
        dialog->list()->table()->selectRow(0);
        QVERIFY(!dialog->go()->isEnabled());
        dialog->list()->table()->selectRow(1);
        QCOMPARE(dialog->differences()->model()->rowCount(), 1);
        QCOMPARE(dialog->differences()->model()->index(0, 1).data().toString(), QStringLiteral("10 per second, burst 40"));
        dialog->go()->click();
        QTRY_COMPARE(bodyOf("/v1/matchers/mail/revert"), packed("{'revision':6}"));
        QTRY_VERIFY(!m_fixture->window().findChild<RevisionsDialog *>());
    }

    void whatStartedAtAHigherRateIsSaidBeforeTheRateIsLowered()
    {
        open();
        page().list()->table()->selectRow(0);
        raiseTheRate();
        m_fixture->instead.insert("/v1/matchers", {200, packed("{'matchers':[" + hourly(9'000, 7) + "],'reading':0}")});
        page().refresh();
        QTRY_COMPARE(cell(0, 2), QStringLiteral("9,000 per hour"));
        // In the preview …
        page().edit()->trigger();
        auto *form = m_fixture->window().findChild<MatcherDialog *>();
        form->form(0)->set(*Constraint::fromMsgpack(packed("{'id':'mail.rate1','kind':'rate','limit':3000,'period':3600}"), {}));
        QTRY_VERIFY(!form->preview()->findItems(QStringLiteral("Starts may stop for up to 11 m 29 s: the rate is lowered"),
                                                Qt::MatchExactly).isEmpty());
        form->reject();
        // … and when a revision is restored.
        page().revisions()->trigger();
        auto *dialog = m_fixture->window().findChild<RevisionsDialog *>();
        QTRY_COMPARE(dialog->list()->model()->rowCount(), 2);
        dialog->list()->table()->selectRow(1);
        dialog->go()->click();
        agreeToWait(6);
    }

    void undoAsksBeforeItStopsJobsForAWhile()
    {
        MatcherDialog *dialog = edit();
        QVERIFY(dialog);
        raiseTheRate();
        m_fixture->instead.insert("/v1/matchers/mail/revisions",
                                  {200, packed("{'revisions':[" + hourly(9'000, 8) + ',' + hourly(3'000, 7) + "]}")});
        answerPut({200, packed(hourly(9'000, 8))});
        dialog->go()->click();
        QTRY_VERIFY(m_fixture->window().toast()->offer()->isVisible());
        m_fixture->window().toast()->offer()->click();
        agreeToWait(7);
    }

    void aPauseIsNotPreviewedAsIfNothingWaited()
    {
        MatcherDialog *dialog = edit();
        QVERIFY(dialog);
        const auto said = [dialog](const char *title) {
            const QList<QTreeWidgetItem *> items =
                dialog->preview()->findItems(QLatin1String(title), Qt::MatchExactly | Qt::MatchRecursive);
            return items.isEmpty() ? QString() : items.first()->text(1);
        };
        QTRY_COMPARE(said("Replay of the last 15 minutes"), QStringLiteral("21 of 100 would have waited"));
        dialog->add(ConstraintKind::Window);
        QTRY_COMPARE(said("not replayed"), QStringLiteral("Time windows"));
        dialog->add(ConstraintKind::Pause);
        QTRY_COMPARE(said("Replay of the last 15 minutes"), QStringLiteral("none of 100 would have started: paused"));
        QCOMPARE(said("Backlog clears in"), QStringLiteral("never while paused (now: 2 m 10 s)"));
    }

    void aJobSaysWhatHoldsIt()
    {
        const Job job = WindowFixture::job(1);
        const QByteArray path = "/v1/jobs/" + job.id.text() + "/explain";
        m_fixture->instead.insert(path, {200, packed("{'state':'ready','would_run':false,'position':4,'gates':["
            "{'gate':'state','status':'pass'},"
            "{'gate':'rate','status':'holding','matcher':'mail','constraint':'mail.rate1','kind':'rate','key':'us','used':20,'limit':20,"
            "'opens_at':'2126-01-02T03:00:00.000Z','edited_by':'ken','edited_at':'2026-01-02T03:00:00.000Z'},"
            "{'gate':'concurrency','status':'observed','matcher':'mail','constraint':'mail.concurrency1','used':4,'limit':4,'holders':['"
            + WindowFixture::job(2).id.text() + "']},{'gate':'backlog','status':'pass','kind':'backlog','matcher':'mail',"
            "'constraint':'mail.backlog1','used':0,'limit':150,'waiting':138},{'gate':'position','status':'holding'}]}")});
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        window.openJob(job.id);
        QTRY_VERIFY(window.inspector()->job().has_value());
        ExplainView &view = *window.inspector()->explanation();
        QCOMPARE(m_fixture->requestsTo(path), 0); // nobody looks
        window.inspector()->tabs()->setCurrentWidget(&view);
        QTRY_COMPARE(view.list()->model()->rowCount(), 5);
        const auto said = [&](int row, int column) { return view.list()->model()->index(row, column).data().toString(); };
        QCOMPARE(view.summary(), QStringLiteral("Held by: Rate: mail, 4 similar jobs ahead"));
        QCOMPARE(said(1, 0), QStringLiteral("Rate: mail\nholds it"));
        QVERIFY2(said(1, 1).startsWith(QString::fromUtf8("for us · limit 20 · opens at ")), qPrintable(said(1, 1)));
        QVERIFY2(said(1, 1).endsWith(QLatin1String("\nlast edited 2026-01-02 03:00:00.000 UTC by ken")), qPrintable(said(1, 1)));
        QCOMPARE(said(2, 0), QStringLiteral("Concurrency: mail\nwould hold it"));
        QCOMPARE(said(2, 1).section(QLatin1Char('\n'), 0, 0).section(QString::fromUtf8(" · "), 0, 0), QStringLiteral("4 of 4 used"));
        QCOMPARE(said(3, 1), QStringLiteral("138 of 150 waiting")); // nothing of a backlog runs
        QCOMPARE(said(4, 1), QStringLiteral("4 similar jobs ahead"));
    
        // In a narrow pane the reasons wrap, and nothing is beyond the edge.
        window.resize(1024, 700);
        auto *table = view.list()->table();
        QTRY_VERIFY(table->horizontalHeader()->length() <= table->viewport()->width());
        QTRY_VERIFY(table->rowHeight(1) > 3 * table->fontMetrics().height());

        Q_EMIT view.list()->table()->openRequested("1");
        QCOMPARE(window.screen(), MainWindow::Screen::Constraints);
        m_fixture->instead.insert(path, {200, packed("{'state':'ready','would_run':true,'position':2,"
                                                     "'gates':[{'gate':'position','status':'holding'}]}")});
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(view.summary(), QStringLiteral("No limit holds it, but 2 jobs like it come before it."));
    }

    void aJobSaysWhetherThereAreWorkersForIt_data()
    {
        QTest::addColumn<QByteArray>("gate");
        QTest::addColumn<QByteArray>("others");
        QTest::addColumn<QString>("detail");
        QTest::addColumn<QString>("summary");
        const QString nothing = QStringLiteral("Nothing holds it: the next worker that accepts its name takes it when its turn comes.");
        const QString alone = QStringLiteral("No limit holds it. %1"); // the workers' own sentence
        QTest::newRow("many wait") << QByteArray("'pass','waiting':3,'asked_at':'2026-01-02T03:00:00.000Z'") << QByteArray()
                                   << QStringLiteral("3 workers are waiting for jobs of this name.") << nothing;
        QTest::newRow("one waits") << QByteArray("'pass','waiting':1,'asked_at':'2026-01-02T03:00:00.000Z'") << QByteArray()
                                   << QStringLiteral("1 worker is waiting for jobs of this name.") << nothing;
        QTest::newRow("one was there") << QByteArray("'pass','waiting':0,'asked_at':'2026-01-02T03:00:00.000Z'") << QByteArray()
                                       << QStringLiteral("A worker asked for jobs of this name at 2026-01-02 03:00") << nothing;
        QTest::newRow("gone") << QByteArray("'holding','waiting':0,'asked_at':'2026-01-02T03:00:00.000Z'") << QByteArray()
                              << QStringLiteral("No worker has asked for jobs of this name since 2026-01-02 03:00") << alone;
        QTest::newRow("never there") << QByteArray("'holding','waiting':0") << QByteArray(",{'gate':'position','status':'holding'}")
                                     << QStringLiteral("No worker is known to have asked for jobs of this name.") << alone;
        QTest::newRow("not the only one") << QByteArray("'holding','waiting':0")
                                          << QByteArray(",{'gate':'rate','status':'holding','matcher':'mail','kind':'rate'}")
                                          << QStringLiteral("No worker is known to have asked for jobs of this name.")
                                          << QStringLiteral("Held by: Workers, Rate: mail");
    }
    void aJobSaysWhetherThereAreWorkersForIt()
    {
        QFETCH(QByteArray, gate);
        QFETCH(QByteArray, others);
        QFETCH(QString, detail);
        QFETCH(QString, summary);
        const Job job = WindowFixture::job(1);
        m_fixture->instead.insert("/v1/jobs/" + job.id.text() + "/explain",
            {200,
               packed("{'state':'ready','would_run':true,'position':0,'gates':[{'gate':'workers','status':" + gate + '}' + others + "]}")});
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        window.openJob(job.id);
        QTRY_VERIFY(window.inspector()->job().has_value());
        ExplainView &view = *window.inspector()->explanation();
        window.inspector()->tabs()->setCurrentWidget(&view);
        QTRY_VERIFY(view.list()->model()->rowCount() > 0);
        const QString said = view.list()->model()->index(0, 1).data().toString();
        QVERIFY2(said.startsWith(detail), qPrintable(said));
        QCOMPARE(view.summary(), summary.contains(QLatin1String("%1")) ? summary.arg(said) : summary);
    }

private:
    bool m_saidNone = false, m_saidLater = false;

    ConstraintsPage &page() const { return *m_fixture->window().constraintsPage(); }
    QString cell(int row, int column) const { return page().list()->model()->index(row, column).data().toString(); }

    void open()
    {
        m_fixture->window().showScreen(MainWindow::Screen::Constraints);
        QTRY_COMPARE(page().list()->model()->rowCount(), 2);
    }

    MatcherDialog *edit()
    {
        m_fixture->window().showScreen(MainWindow::Screen::Constraints);
        if (!QTest::qWaitFor([this] { return page().list()->model()->rowCount() == 2; }))
            return nullptr;
        page().list()->table()->selectRow(0);
        page().edit()->trigger();
        return m_fixture->window().findChild<MatcherDialog *>();
    }

    static QByteArray hourly(int limit, int revision)
    {
        return QByteArray(mail).replace("'limit':20,'period':1,'burst':40", "'limit':" + QByteArray::number(limit) + ",'period':3600")
            .replace("'revision':7", "'revision':" + QByteArray::number(revision));
    }

    // From 3,000 an hour, in revision 6, to 9,000, at which 575 have started.
    void raiseTheRate()
    {
        m_fixture->instead.insert("/v1/matchers/mail/revisions",
                                  {200, packed("{'revisions':[" + hourly(9'000, 7) + ',' + hourly(3'000, 6) + "]}")});
        m_fixture->instead.insert("/v1/matchers/mail/revert", {200, packed(hourly(3'000, 8))});
        m_fixture->instead.insert("/v1/constraints", {200, packed("{'constraints':[{'constraint':{'id':'mail.rate1','kind':'rate',"
            "'limit':9000,'period':3600},'matcher':'mail','enabled':true,'buckets':1,'used':575,'waiting':9900,'would_hold':0,"
            "'closed':0,'complete':true}]}")});
    }

    void agreeToWait(int revision)
    {
        QTRY_VERIFY(m_fixture->window().findChild<QMessageBox *>());
        auto *question = m_fixture->window().findChild<QMessageBox *>();
        QVERIFY(bodyOf("/v1/matchers/mail/revert").isEmpty());
        QCOMPARE(question->text(), QStringLiteral("Restore revision %1?").arg(revision));
        QVERIFY(question->informativeText().contains(QLatin1String("up to 11 m 29 s")));
        question->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(bodyOf("/v1/matchers/mail/revert"), packed("{'revision':" + QByteArray::number(revision) + "}"));
    }

    // Of a PUT of the matcher; a GET has theirs.
    void answerPut(const ScriptedMaster::Answer &answer)
    {
        m_fixture->answers.insert("/v1/matchers/mail", [this, answer](const ScriptedMaster::Request &request) {
            if (request.method == "GET")
                return ScriptedMaster::Answer{200, m_theirs};
            m_put = request;
            return answer;
        });
    }

    QByteArray bodyOf(const QByteArray &path) const
    {
        QByteArray body;
        for (const ScriptedMaster::Request &request : m_fixture->master().requests())
            body = request.path == path && request.method == "POST" ? request.body : body;
        return body;
    }

    std::unique_ptr<WindowFixture> m_fixture;
    ScriptedMaster::Request m_put;
    QByteArray m_theirs;
};

JUNBAN_TEST(TestConstraints)
#include "test_constraints.moc"
