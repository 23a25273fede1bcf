#include "core/base/clock.h"
#include "core/base/isotime.h"
#include "core/msgpack/msgpackwriter.h"
#include "tests/support/testmain.h"
#include "tests/ui/packed.h"
#include "tests/ui/windowfixture.h"
#include "ui/base/look.h"
#include "ui/inspector/jobinspector.h"
#include "ui/jobs/jobactions.h"
#include "ui/jobs/jobspage.h"
#include "ui/limits/filterbar.h"
#include "ui/past/failurespage.h"
#include "ui/past/resultspage.h"
#include "ui/shell/statestrip.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/payloadview.h"
#include "ui/widgets/recordlist.h"
#include "ui/widgets/sparkline.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QToolTip>

using namespace junban;
using namespace junban::ui;
using junban::test::packed;
using junban::test::ScriptedMaster;
using junban::test::WindowFixture;

namespace {

const QByteArray one(32, 'a'), other(32, 'b');
const QByteArray groupPath = "/v1/failures/" + one;

} // namespace

// Failures in groups and results that wait, against a master that says what the test wants.
class TestRecords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_fixture = std::make_unique<WindowFixture>();
        m_mutedFor_ms = 0;
        tell();
    }
    void cleanup() { m_fixture.reset(); }

    void rowsFollowTheirKeys()
    {
        RecordModel model({{QStringLiteral("A")}});
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto rows = [](const QByteArray &keys) {
            QList<Record> records;
            for (const char key : keys)
                records.append({QByteArray(1, key), {{QString(QLatin1Char(key))}}});
            return records;
        };
        const auto keys = [&] {
            QByteArray all;
            for (int row = 0; row < model.rowCount(); ++row)
                all += model.keyAt(row);
            return all;
        };
        model.setRecords(rows("abcd"));
        const QPersistentModelIndex c = model.index(2, 0);
        for (const char *next : {"dcba", "xc", "cyxz", "zzc", "c"}) {
            model.setRecords(rows(next));
            QCOMPARE(keys(), QByteArray(next) == "zzc" ? QByteArray("zc") : QByteArray(next));
            QCOMPARE(c.data().toString(), QStringLiteral("c"));
        }
        model.setRecords({});
        QVERIFY(!c.isValid());
    }

    void heldRowsKeepTheirOrder()
    {
        RecordModel model({{QStringLiteral("A")}});
        const auto set = [&model](const QByteArray &keys, RecordModel::Order order) {
            QList<Record> records;
            for (const char key : keys)
                records.append({QByteArray(1, key), {{QString(QLatin1Char(key))}}});
            model.setRecords(records, order);
            QByteArray all;
            for (int row = 0; row < model.rowCount(); ++row)
                all += model.keyAt(row);
            return all;
        };
        QCOMPARE(set("abc", RecordModel::Order::Given), QByteArray("abc"));
        QCOMPARE(set("xcab", RecordModel::Order::Held), QByteArray("abcx"));
        QCOMPARE(set("ycx", RecordModel::Order::Held), QByteArray("cxy"));
        QCOMPARE(set("ycx", RecordModel::Order::Given), QByteArray("ycx"));
    }

    void causesAreSortedByTheHeaderAndStandStillWhileOneIsChosen()
    {
        const auto counts = [this](int first, int second) {
            m_fixture->instead.insert("/v1/failures", {200, groups({group(one, first), group(other, second)})});
        };
        counts(5, 9);
        QVERIFY(open(MainWindow::Screen::Failures));
        RecordList &list = *failures().list();
        QTRY_COMPARE(list.model()->rowCount(), 2);
        RecordTable &table = *list.table();
        m_fixture->window().resize(1'800, 900); // with all columns
        QTRY_VERIFY(!table.isColumnHidden(5));
        const auto clickHeader = [&table](int column) {
            QHeaderView *header = table.horizontalHeader();
            const QPoint at(header->sectionViewportPosition(column) + header->sectionSize(column) / 2, header->height() / 2);
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
        };
        clickHeader(3);
        QCOMPARE(table.sortColumn(), 3);
        QCOMPARE(table.sortOrder(), Qt::DescendingOrder); // the most first
        QCOMPARE(list.model()->keyAt(0), other);
        QVERIFY(!QToolTip::isVisible());
        clickHeader(5); // a trend has no order
        QCOMPARE(table.sortColumn(), 3);
        QVERIFY(QToolTip::isVisible());
        QCOMPARE(QToolTip::text(), QStringLiteral("The list cannot be sorted by this column"));
        clickHeader(3);
        QCOMPARE(list.model()->keyAt(0), one);
        counts(20, 9);
        QTRY_COMPARE(list.model()->keyAt(0), other); // nobody looks at a row
        choose();
        counts(1, 9);
        const int asked = m_fixture->requestsTo("/v1/failures");
        QTRY_VERIFY(m_fixture->requestsTo("/v1/failures") > asked + 1);
        QCOMPARE(list.model()->keyAt(0), other);
        QCOMPARE(list.model()->index(1, 3).data().toString(), QStringLiteral("1"));
        failures().refreshNow();
        QTRY_COMPARE(list.model()->keyAt(0), one);
        QCOMPARE(table.chosen(), one);
    }

    void failuresAndResultsAreFilteredAsJobsAre()
    {
        QVERIFY(open(MainWindow::Screen::Failures));
        QTRY_COMPARE(failures().list()->model()->rowCount(), 2);
        FilterBar &bar = *failures().filterBar();
        bar.edit()->setPlainText(QStringLiteral("job.priority == 1")); // the jobs of a group differ in it
        QCOMPARE(bar.edit()->state(), ExpressionEdit::State::Invalid);
        QVERIFY(bar.mark()->toolTip().contains(QLatin1String("Line 1, column 1")));
        m_fixture->instead.insert("/v1/failures", {200, groups({})});
        bar.edit()->setPlainText(QStringLiteral("mail.*"));
        QTest::keyClick(bar.edit(), Qt::Key_Return);
        QTRY_VERIFY(m_fixture->requestsTo("/v1/failures", "match=job.name.startsWith") > 0);
        QTRY_COMPARE(failures().list()->empty()->title(), QStringLiteral("No group of failures matches"));
        tell();
        failures().list()->empty()->action()->click();
        QTRY_COMPARE(failures().list()->model()->rowCount(), 2);
        m_fixture->window().showScreen(MainWindow::Screen::Results);
        QTRY_COMPARE(results().list()->model()->rowCount(), 2);
        results().filterBar()->setFilter(QStringLiteral("job.argument.tenant == 42"));
        QTRY_VERIFY(m_fixture->requestsTo("/v1/results", "match=job.argument.tenant") > 0);
    }

    void aLongSearchOfResultsGoesOnByItself()
    {
        int asked = 0;
        m_fixture->answers.insert("/v1/results", [&asked](const ScriptedMaster::Request &request) {
            const bool on = request.query.contains("match=") && ++asked % 3 != 0;
            MsgpackWriter writer;
            writer.map(on ? 4 : 3).text("results").array(1).raw(result(WindowFixture::job(1 + asked).id, "report"));
            writer.text("total").integer(3'000).text("scanned").integer(1'000);
            if (on)
                writer.text("next").text("more");
            return ScriptedMaster::Answer{200, writer.take()};
        });
        QVERIFY(open(MainWindow::Screen::Results));
        QTRY_COMPARE(results().list()->model()->rowCount(), 1);
        results().filterBar()->setFilter(QStringLiteral("report"));
        QTRY_COMPARE(results().list()->model()->rowCount(), 3);
        QCOMPARE(asked, 3);
    }

    void aLongSearchOfResultsSaysHowFarItIsAndCanBeStopped()
    {
        int asked = 0;
        m_fixture->answers.insert("/v1/results", [&asked](const ScriptedMaster::Request &request) {
            const bool searched = request.query.contains("match=");
            asked += searched;
            return ScriptedMaster::Answer{200, packed(searched
                ? QByteArray("{'results':[],'total':1000000000,'scanned':20000,'next':'more'}")
                : QByteArray("{'results':[],'total':1000000000,'scanned':0}"))};
        });
        QVERIFY(open(MainWindow::Screen::Results));
        QTRY_COMPARE(results().list()->empty()->title(), QStringLiteral("No results waiting"));
        QVERIFY(!results().stop()->isVisible());
        results().filterBar()->setFilter(QStringLiteral("report"));
        QTRY_VERIFY(results().stop()->isVisible());
        QCOMPARE(results().stop()->text(), QStringLiteral("Stop"));
        QTRY_COMPARE(results().list()->empty()->title(), QStringLiteral("Searching…"));
        QTRY_VERIFY(asked >= 3);
        results().stop()->click();
        QCOMPARE(results().list()->empty()->title(), QStringLiteral("None found so far"));
        const int stopped = asked;
        const int beats = m_fixture->requestsTo("/v1/overview");
        for (int i = 0; i < 10; ++i) // one in a few would begin it again
            results().refresh();
        QTRY_VERIFY(m_fixture->requestsTo("/v1/overview") >= beats + 2);
        QVERIFY(asked <= stopped + 1); // one may have been under way
        QCOMPARE(results().stop()->text(), QStringLiteral("Search on"));
        results().stop()->click();
        QTRY_VERIFY(asked > stopped + 2);
        QCOMPARE(results().stop()->text(), QStringLiteral("Stop"));
        results().filterBar()->setFilter({});
        QTRY_VERIFY(!results().stop()->isVisible());
    }

    void aChosenRowThatGoesIsNotReplacedByItsNeighbour()
    {
        RecordList list({{QStringLiteral("Worker")}}, QStringLiteral("Workers"));
        const auto row = [](const char *key) { return Record{key, {{QString::fromLatin1(key)}}}; };
        list.setRecords({row("a"), row("b"), row("c")});
        list.table()->choose("b");
        QCOMPARE(list.table()->chosen(), QByteArray("b"));
        list.setRecords({row("b"), row("c")});
        QCOMPARE(list.table()->chosen(), QByteArray("b"));
        list.setRecords({row("c")});
        QCOMPARE(list.table()->chosen(), QByteArray());
    }

    void timesAreNotCutInASmallWindow()
    {
        QVERIFY(open(MainWindow::Screen::Failures));
        m_fixture->window().resize(1024, 700);
        const RecordTable *table = failures().list()->table();
        QTRY_VERIFY(table->model()->rowCount() > 0);
        for (const int column : {6, 7}) { // first, last
            const QString text = table->model()->index(0, column).data().toString();
            QVERIFY(text.endsWith(QLatin1String(" ago")));
            const bool leftOut = column == 6 && table->isColumnHidden(column); // the detail has it
            QTRY_VERIFY2(leftOut || table->columnWidth(column) > table->fontMetrics().horizontalAdvance(text) + 8, qPrintable(text));
        }
        QVERIFY(table->horizontalHeader()->length() <= table->viewport()->width());
    }

    void nothingFailedIsSaidForTheWindow()
    {
        m_fixture->instead.insert("/v1/failures", {200, groups({})});
        QVERIFY(open(MainWindow::Screen::Failures));
        QTRY_COMPARE(failures().list()->empty()->title(), QStringLiteral("Nothing failed in 24 h"));
        failures().setWindow(client::FailurePeriod::Week);
        QTRY_COMPARE(failures().list()->empty()->title(), QStringLiteral("Nothing failed in 7 d"));
        QTRY_VERIFY(m_fixture->requestsTo("/v1/failures", "window=7d") > 0);
        failures().state()->setCurrentIndex(2);
        QTRY_COMPARE(failures().list()->empty()->title(), QStringLiteral("No group is muted"));
        failures().list()->empty()->action()->click();
        QTRY_VERIFY(m_fixture->requestsTo("/v1/failures", "state=all") > 0);
    }

    void causesWithoutFailedJobsAreFolded()
    {
        m_fixture->instead.insert("/v1/failures", {200, groups({group(one), group(other, 640, 0)})});
        QVERIFY(open(MainWindow::Screen::Failures));
        RecordList &list = *failures().list();
        QTRY_COMPARE(list.model()->rowCount(), 1);
        QCOMPARE(list.model()->index(0, 0).data(RecordModel::BelowRole).toString(),
                 QStringLiteral("mail.send · worker error · 812 failed now"));
        const auto button = [&list](const QString &text) {
            const QList<QPushButton *> all = list.findChildren<QPushButton *>();
            const auto found = std::find_if(all.begin(), all.end(), [&](const QPushButton *each) { return each->text() == text; });
            return found == all.end() ? nullptr : *found;
        };
        QVERIFY(button(QStringLiteral("Show")));
        button(QStringLiteral("Show"))->click();
        QCOMPARE(list.model()->rowCount(), 2);
        button(QStringLiteral("Hide causes without failed jobs"))->click();
        QCOMPARE(list.model()->rowCount(), 1);
        m_fixture->instead.insert("/v1/failures", {200, groups({group(other, 640, 0)})});
        failures().refreshNow();
        QTRY_COMPARE(list.model()->rowCount(), 0);
        QCOMPARE(list.empty()->title(), QStringLiteral("No failed jobs right now"));
        QCOMPARE(list.empty()->text(), QStringLiteral("1 cause without failed jobs now"));
        failures().filterBar()->setFilter(QStringLiteral("smtp")); // what the button says is what it does
        QCoreApplication::processEvents();
        QCOMPARE(list.empty()->title(), QStringLiteral("No failed jobs right now"));
        list.empty()->action()->click();
        QCOMPARE(list.model()->rowCount(), 1);
    }

    void failuresThatCannotBeReadAreSaidAndTriedAgain()
    {
        m_fixture->instead.insert("/v1/failures", {500, WindowFixture::problem(500, "internal", "It broke.")});
        QVERIFY(open(MainWindow::Screen::Failures));
        QTRY_COMPARE(failures().list()->empty()->text(), QStringLiteral("It broke."));
        tell();
        failures().list()->empty()->action()->click();
        QTRY_COMPARE(failures().list()->model()->rowCount(), 2);
    }

    void aGroupShowsItsTrendItsJobsAndItsWorkers()
    {
        QVERIFY(open(MainWindow::Screen::Failures));
        QTRY_COMPARE(failures().list()->model()->rowCount(), 2);
        const auto cell = [&](int column, int role = Qt::DisplayRole) {
            return failures().list()->model()->index(0, column).data(role);
        };
        QCOMPARE(cell(0).toString(), QStringLiteral("SMTP <host> timed out"));
        QCOMPARE(cell(2).toString(), QStringLiteral("worker error"));
        QCOMPARE(cell(3).toString(), QStringLiteral("640"));
        QCOMPARE(cell(5, RecordModel::TrendRole).value<QList<double>>(), (QList<double>{1, 0, 4}));
        QCOMPARE(cell(8).toString(), QStringLiteral("812"));
        choose();
        QCOMPARE(failures().jobs()->model()->rowCount(), 1);
        QCOMPARE(failures().workers()->model()->index(0, 2).data().toString(), QStringLiteral("75 %"));
        QCOMPARE(failures().retry()->text(), QStringLiteral("&Retry…")); // a count in it would move the buttons beside it
        QCOMPARE(failures().retry()->toolTip(), QStringLiteral("Run the failed jobs again: 812"));
        m_fixture->jobs = {WindowFixture::job(1, JobState::Failed), WindowFixture::job(2, JobState::Failed)};
        failures().jobs()->table()->selectRow(0);
        QTest::keyClick(failures().jobs()->table(), Qt::Key_Return);
        QTRY_VERIFY(m_fixture->window().inspector()->job().has_value());
        // A click leads the open inspector to the job of the row, so its buttons never act on another one.
        const RecordTable &jobs = *failures().jobs()->table();
        const auto click = [&] {
            QTest::mouseClick(jobs.viewport(), Qt::LeftButton, {}, jobs.visualRect(jobs.model()->index(0, 0)).center());
        };
        m_fixture->window().openJob(m_fixture->jobs.last().id);
        QTRY_COMPARE(m_fixture->window().inspector()->job()->id, m_fixture->jobs.last().id);
        click();
        QTRY_COMPARE(m_fixture->window().inspector()->job()->id, m_fixture->jobs.first().id);
        failures().showJobs()->trigger();
        QCOMPARE(m_fixture->window().screen(), MainWindow::Screen::Jobs);
        JobsPage &page = *m_fixture->window().jobsPage();
        QCOMPARE(page.list().filter().cause, QByteArray(one));
        QCOMPARE(page.list().filter().state, std::optional(JobState::Failed));
        QTRY_COMPARE(page.list().model().rowCount(), 1); // the group's, though another failed job has the name
        // Other jobs of the name are one choice of a tab away.
        page.showState(JobState::Ready);
        QVERIFY(page.list().filter().cause.isEmpty());
    }

    void whoSelectsAllRowsOfACauseMeansTheCause()
    {
        QVERIFY(open(MainWindow::Screen::Failures));
        QTRY_COMPARE(failures().list()->model()->rowCount(), 2);
        choose();
        failures().showJobs()->trigger();
        JobsPage &page = *m_fixture->window().jobsPage();
        QTRY_COMPARE(page.list().model().rowCount(), 1);
        QVERIFY(page.list().hasMore());
        page.table()->selectAll();
        m_fixture->window().jobActions()->retry()->trigger();
        m_fixture->bulkJobs = 812;
        QTRY_VERIFY(m_fixture->window().findChild<QMessageBox *>());
        QCOMPARE(m_fixture->window().findChild<QMessageBox *>()->text(), QStringLiteral("Retry 812 jobs?"));
    }

    void aGroupIsRetriedByAnOperation()
    {
        QVERIFY(open(MainWindow::Screen::Failures));
        QTRY_COMPARE(failures().list()->model()->rowCount(), 2);
        choose();
        m_fixture->bulkJobs = 812;
        failures().retry()->trigger();
        QTRY_VERIFY(m_fixture->window().findChild<QMessageBox *>());
        auto *box = m_fixture->window().findChild<QMessageBox *>();
        QCOMPARE(box->text(), QStringLiteral("Retry 812 jobs?"));
        QVERIFY(box->informativeText().startsWith(QLatin1String("Name: mail.send\nCause: SMTP <host> timed out\nfailed: 812\n")));
        QCOMPARE(box->defaultButton()->text(), QStringLiteral("Cancel"));
        QCOMPARE(m_fixture->bulkBodies, QByteArrayList{packed("{'action':'retry','signature':'" + one + "','dry_run':true}")});
        box->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(m_fixture->window().toast()->text(), QStringLiteral("812 jobs retried"));
        QCOMPARE(m_fixture->requestsTo(groupPath + "/retry"), 0);
        QVERIFY(m_fixture->window().strip()->text().isEmpty());
    }

    void severalCausesAreRetriedByOneOperation()
    {
        QVERIFY(open(MainWindow::Screen::Failures));
        QTRY_COMPARE(failures().list()->model()->rowCount(), 2);
        QByteArrayList asked, ids;
        m_fixture->instead.remove(groupPath);
        for (const QByteArray &signature : {one, other}) {
            m_fixture->answers.insert("/v1/failures/" + signature, [this, &asked, &ids, signature](const ScriptedMaster::Request &request) {
                const Job job = WindowFixture::job(signature == one ? 1 : 2, JobState::Failed);
                if (request.query.contains("limit=500")) { // all of them, not those that are shown
                    asked.append(signature);
                    ids.append(job.id.text());
                }
                MsgpackWriter page;
                page.map(3).text("group").raw(group(signature, 5)).text("jobs").array(1);
                page.raw(packed("{'id':'" + job.id.text() + "','name':'mail.send','state':'failed','max_retry':2}"));
                return ScriptedMaster::Answer{200, page.text("total").integer(1).take()};
            });
        }
        RecordTable &table = *failures().list()->table();
        table.setFocus();
        table.selectAll();
        QCOMPARE(table.allChosen().size(), 2);
        const auto said = [this](const QString &text) {
            const QList<QLabel *> labels = failures().findChildren<QLabel *>();
            return std::any_of(labels.begin(), labels.end(), [&text](const QLabel *label) { return label->text() == text; });
        };
        QTRY_VERIFY(said(QStringLiteral("2 causes are selected")));
        QVERIFY(!failures().resolve()->isEnabled()); // which acts on one
        m_fixture->bulkJobs = 2;
        failures().retry()->trigger();
        QVERIFY(!failures().retry()->isEnabled()); // until the jobs are known
        QTRY_VERIFY(m_fixture->window().findChild<QMessageBox *>());
        auto *box = m_fixture->window().findChild<QMessageBox *>();
        QCOMPARE(box->text(), QStringLiteral("Retry 2 jobs?"));
        QVERIFY2(box->informativeText().startsWith(QLatin1String("mail.send: ")), qPrintable(box->informativeText()));
        QCOMPARE(asked.size(), 2);
        QCOMPARE(m_fixture->bulkBodies, QByteArrayList{packed("{'action':'retry','state':'failed','ids':['" + ids.join("','")
                                                              + "'],'dry_run':true}")});
        box->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(m_fixture->window().toast()->text(), QStringLiteral("2 jobs retried"));
        QVERIFY(failures().retry()->isEnabled());
    }

    void limitsOfOneJobMatcherAreSaidOnceAndABacklogSaysWhatItDrops()
    {
        QVERIFY(open(MainWindow::Screen::Failures));
        QTRY_COMPARE(failures().list()->model()->rowCount(), 2);
        choose();
        const QByteArray met = "{'matcher':'up','title':'Upstream','constraint':'up.1','kind':'breaker','share':1.0}";
        const QByteArray backlog = "{'matcher':'up','title':'Upstream','constraint':'up.2','kind':'backlog','share':0.5,'max_ready':40,"
                                   "'overflow':'drop_oldest'}";
        m_fixture->instead.insert("/v1/operations", {200, packed("{'token':'op-1','action':'retry','view':'view-1','complete':true,"
            "'jobs':2,'counts':{'failed':2},'excluded':{},'samples':[],'limits':[" + met + "," + met + "," + backlog + "]}")});
        failures().retry()->trigger();
        QTRY_VERIFY(m_fixture->window().findChild<QMessageBox *>());
        const QString text = m_fixture->window().findChild<QMessageBox *>()->informativeText();
        QCOMPARE(text.count(QStringLiteral("100 % of them meet the limit “Upstream”")), 1);
        QVERIFY(text.contains(QStringLiteral("50 % of them go into the backlog of “Upstream”."
                                             " When 40 jobs are ready, it is full: each new job drops the oldest.")));
    }

    void aRetryOfAGroupShowsHowFarItIsAndCanBeStopped()
    {
        QVERIFY(open(MainWindow::Screen::Failures));
        QTRY_COMPARE(failures().list()->model()->rowCount(), 2);
        choose();
        m_fixture->bulkJobs = 812;
        m_fixture->bulkStep = 2; // it would go on for long
        failures().retry()->trigger();
        QTRY_VERIFY(m_fixture->window().findChild<QMessageBox *>());
        m_fixture->window().findChild<QMessageBox *>()->findChild<QPushButton *>(QStringLiteral("go"))->click();
        StateStrip &strip = *m_fixture->window().strip();
        QTRY_COMPARE(strip.text(), QStringLiteral("Retrying: 2 of 812"));
        strip.action("operation op-1")->click();
        QTRY_VERIFY(strip.text().isEmpty());
        QVERIFY(m_fixture->window().toast()->text().startsWith(QLatin1String("Stopped after ")));
    }

    void theColumnsFitTheTable_data()
    {
        QTest::addColumn<QByteArray>("language");
        QTest::newRow("English") << QByteArray("en");
        QTest::newRow("Japanese") << QByteArray("ja");
    }
    void theColumnsFitTheTable()
    {
        QFETCH(QByteArray, language);
        m_fixture = std::make_unique<WindowFixture>(language.constData());
        tell();
        QVERIFY(open(MainWindow::Screen::Failures));
        m_fixture->window().resize(1024, 700);
        QTRY_COMPARE(failures().list()->model()->rowCount(), 2);
        RecordTable &table = *failures().list()->table();
        QTRY_COMPARE(table.horizontalScrollBar()->maximum(), 0);
        // What the cause is says more than the others; its second line has name and reason.
        QVERIFY(table.isColumnHidden(1) && table.isColumnHidden(2));
        for (int column = 1; column < table.model()->columnCount(); ++column)
            QVERIFY(table.columnWidth(0) > 2 * table.columnWidth(column));
        for (int column = 0; column < table.model()->columnCount(); ++column) {
            const int title = table.fontMetrics().horizontalAdvance(table.model()->headerData(column, Qt::Horizontal).toString());
            QVERIFY2(table.isColumnHidden(column) || table.columnWidth(column) >= title, qPrintable(QString::number(column)));
        }
        m_fixture->window().resize(1440, 900);
        QTRY_COMPARE(table.horizontalScrollBar()->maximum(), 0);
        table.setColumnWidth(3, 300); // what the operator has set stays
        m_fixture->window().resize(1024, 700);
        QCOMPARE(table.columnWidth(3), 300);
    }

    void theOrderOfCausesIsRememberedByTheNextWindow()
    {
        QVERIFY(open(MainWindow::Screen::Failures));
        QTRY_COMPARE(failures().list()->model()->rowCount(), 2);
        failures().list()->table()->horizontalHeader()->setSortIndicator(1, Qt::AscendingOrder);
        m_fixture->console().restart();
        QCOMPARE(failures().list()->table()->sortColumn(), 1);
    }

    void numbersAreNotCut()
    {
        RecordList list({{QStringLiteral("Name"), 40}, {QStringLiteral("Jobs"), 6, RecordColumn::Side::Right},
                         {QStringLiteral("Note"), 40}}, QStringLiteral("Names"));
        list.resize(300, 200);
        list.show();
        const QString number = QStringLiteral("1,234,567");
        list.setRecords({{"a", {{QStringLiteral("a")}, {number}, {QStringLiteral("b")}}}});
        const QFontMetrics metrics = list.table()->fontMetrics();
        QVERIFY(list.table()->columnWidth(1) >= metrics.horizontalAdvance(number) + 2 * characterWidth(metrics));
    }

    void textsAreNotCutWhereTheFirstColumnHasRoom()
    {
        RecordList list({{QStringLiteral("Name"), 20}, {QStringLiteral("Text"), 10}, {QStringLiteral("More"), 10}},
                        QStringLiteral("Names"));
        const RecordTable &table = *list.table();
        const int character = characterWidth(table.fontMetrics());
        list.resize(120 * character, 200);
        list.show();
        const QString text(40, QLatin1Char('n'));
        list.setRecords({{"a", {{QStringLiteral("a")}, {text}, {QStringLiteral("d")}}}});
        QVERIFY(table.columnWidth(1) > table.fontMetrics().horizontalAdvance(text));
        list.resize(50 * character, 200); // the first goes before
        QVERIFY(table.columnWidth(1) < table.fontMetrics().horizontalAdvance(text));
        QVERIFY(table.columnWidth(0) >= 20 * character);
    }

    void spareColumnsAreLeftOutOfANarrowList()
    {
        RecordColumn spare{QStringLiteral("Spare"), 20};
        spare.spare = true;
        RecordList list({{QStringLiteral("Name"), 20}, {QStringLiteral("Text"), 20}, spare, {QStringLiteral("More"), 20}},
                        QStringLiteral("Names"));
        RecordTable &table = *list.table();
        list.setRecords({{"a", {{QStringLiteral("a")}, {QStringLiteral("b")}, {QStringLiteral("c")}, {QStringLiteral("d")}}}});
        const int character = characterWidth(table.fontMetrics());
        list.resize(100 * character, 200);
        list.show();
        const auto hidden = [&table] {
            QList<int> columns;
            for (int column = 0; column < 4; ++column) {
                if (table.isColumnHidden(column))
                    columns.append(column);
            }
            return columns;
        };
        QCOMPARE(hidden(), QList<int>());
        list.resize(65 * character, 200);
        QCOMPARE(hidden(), QList<int>{2});
        QVERIFY(table.columnWidth(1) >= 16 * character && table.columnWidth(3) >= 16 * character);
        list.resize(100 * character, 200);
        QCOMPARE(hidden(), QList<int>());

        // The operator decides.
        Q_EMIT table.horizontalHeader()->customContextMenuRequested({});
        auto *menu = table.findChild<QMenu *>();
        QVERIFY(menu && !menu->actions()[0]->isEnabled());
        menu->actions()[1]->trigger();
        QCOMPARE(hidden(), QList<int>{1});
        list.resize(65 * character, 200);
        QCOMPARE(hidden(), QList<int>{1});
        menu->actions().last()->trigger();
        QCOMPARE(hidden(), QList<int>{2});
        delete menu;
    }

    void anEmptyListNeedsNoMoreHeightThanItsTextAndSomeLines()
    {
        RecordList list({{QStringLiteral("Name"), 20}}, QStringLiteral("Names"));
        list.empty()->say(Icon::Check, QStringLiteral("Nothing"), {});
        list.resize(400, 300);
        list.show();
        int labels = 0;
        for (const QLabel *label : list.empty()->findChildren<QLabel *>())
            labels += label->isVisible() ? label->sizeHint().height() : 0;
        QVERIFY(labels > 0);
        QVERIFY(list.minimumSizeHint().height() <= labels + 5 * list.fontMetrics().height() / 2);
    }

    void aColumnOfWhichMoreIsReadTakesTheRoomOfSpareOnes()
    {
        RecordColumn read{QStringLiteral("Text"), 40}, spare{QStringLiteral("Spare"), 20};
        spare.spare = true;
        const auto list = [&read, &spare] {
            return std::make_unique<RecordList>(QList<RecordColumn>{{QStringLiteral("Name"), 20}, read, spare}, QStringLiteral("Names"));
        };
        const auto isLeftOut = [](RecordList &shown) {
            const QString text(40, QLatin1Char('n'));
            shown.setRecords({{"a", {{QStringLiteral("a")}, {text}, {QStringLiteral("c")}}}});
            shown.resize(64 * characterWidth(shown.table()->fontMetrics()), 200);
            shown.show();
            return shown.table()->isColumnHidden(2);
        };
        QVERIFY(!isLeftOut(*list()));
        read.read = 30;
        const auto narrow = list();
        QVERIFY(isLeftOut(*narrow));
        QVERIFY(narrow->table()->columnWidth(1) >= 30 * characterWidth(narrow->table()->fontMetrics()));
    }

    void theChosenRowIsSeenWhenItsDetailOpens()
    {
        RecordList list({{QStringLiteral("Name"), 20}}, QStringLiteral("Names"));
        QList<Record> records;
        for (int row = 0; row < 100; ++row)
            records.append({QByteArray::number(row), {{QString::number(row)}}});
        list.setRecords(records);
        list.resize(400, 600);
        list.show();
        RecordTable &table = *list.table();
        const QModelIndex low = table.indexAt({10, table.viewport()->height() - 20});
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(low).center());
        QCOMPARE(table.chosen(), QByteArray::number(low.row()));
        list.resize(400, 300);
        QVERIFY(table.viewport()->rect().contains(table.visualRect(low)));

        // Whoever has scrolled away from it stays there.
        table.verticalScrollBar()->setValue(50);
        const QModelIndex first = table.indexAt({10, 5});
        list.resize(400, 250);
        QCOMPARE(table.indexAt({10, 5}), first);
    }

    void aListThatIsTooNarrowScrollsAndCutsNoTimes()
    {
        RecordColumn time{QStringLiteral("At"), 6};
        time.whole = true;
        RecordList list({{QStringLiteral("What"), 20}, time, {QStringLiteral("Note"), 40}, {QStringLiteral("By"), 20}},
                        QStringLiteral("History"));
        list.resize(900, 200);
        list.show();
        const QString at = QStringLiteral("2026-01-02 03:00:00");
        list.setRecords({{"a", {{QStringLiteral("a")}, {at}, {QStringLiteral("b")}, {QStringLiteral("c")}}}});
        const RecordTable &table = *list.table();
        const int character = characterWidth(table.fontMetrics());
        QTRY_COMPARE(table.horizontalScrollBar()->maximum(), 0);
        QVERIFY(table.columnWidth(0) > 20 * character);
        list.resize(220, 200);
        QTRY_VERIFY(table.horizontalScrollBar()->maximum() > 0);
        // What a row is about is not squeezed, and does not stay as wide as it was, which would put the times out of sight.
        QVERIFY(table.columnWidth(0) >= 20 * character && table.columnWidth(0) <= 24 * character);
        QVERIFY(table.columnWidth(1) >= table.fontMetrics().horizontalAdvance(at) + 2 * character);
        list.resize(900, 200);
        QTRY_COMPARE(table.horizontalScrollBar()->maximum(), 0);
        QVERIFY(table.columnWidth(0) > 20 * character);
    }

    void aNumberDoesNotTouchTheNextColumn()
    {
        RecordModel model({{QStringLiteral("Number"), 10, RecordColumn::Side::Right}});
        model.setRecords({{"a", {{QStringLiteral("88888888")}}}});
        QImage image(200, 24, QImage::Format_RGB32);
        image.fill(Qt::white);
        {
            QPainter painter(&image);
            QStyleOptionViewItem option;
            option.rect = image.rect();
            option.palette = QPalette(Qt::black, Qt::white, Qt::white, Qt::white, Qt::white, Qt::black, Qt::black, Qt::white, Qt::white);
            option.fontMetrics = QFontMetrics(option.font);
            SparklineDelegate().paint(&painter, option, model.index(0, 0));
        }
        int last = 0;
        for (int x = 0; x < image.width(); ++x) {
            for (int y = 0; y < image.height(); ++y)
                last = qGray(image.pixel(x, y)) < 128 ? x : last;
        }
        QVERIFY(last > 100);
        QVERIFY2(last < image.width() - characterWidth(QFontMetrics(QFont())), qPrintable(QString::number(last)));
    }

    void aGroupIsMutedAndResolved()
    {
        QVERIFY(open(MainWindow::Screen::Failures));
        QTRY_COMPARE(failures().list()->model()->rowCount(), 2);
        choose();
        failures().mute()->trigger();
        QTRY_COMPARE(m_fixture->window().toast()->text(), QStringLiteral("Muted for an hour"));
        QCOMPARE(bodyOf(groupPath + "/mute"), packed("{'for':3600}")); // by the master's clock
        m_mutedFor_ms = 3'000'000;
        tell();
        QTRY_COMPARE(failures().mute()->text(), QStringLiteral("Un&mute"));
        failures().mute()->trigger();
        QTRY_COMPARE(bodyOf(groupPath + "/mute"), MsgpackWriter().map(0).take());
        failures().resolve()->trigger();
        QTRY_COMPARE(bodyOf(groupPath + "/resolve"), MsgpackWriter().map(1).text("resolved").boolean(true).take());
    }

    void groupsAreSummedUpByTheMaster()
    {
        MsgpackWriter sums;
        sums.map(3).text("groups").array(0).text("sums").array(1).map(5).text("key").text("timeout").text("groups").integer(3);
        sums.text("in_window").integer(7).text("failed").integer(1).text("trend").array(0).text("complete").boolean(false);
        QVERIFY(open(MainWindow::Screen::Failures));
        QTRY_COMPARE(failures().list()->model()->rowCount(), 2);
        choose();
        m_fixture->instead.insert("/v1/failures", {200, sums.take()});
        failures().groupBy()->setCurrentIndex(int(FailuresPage::By::Reason));
        QTRY_COMPARE(failures().list()->model()->rowCount(), 1);
        QCOMPARE(failures().list()->model()->index(0, 0).data().toString(), QStringLiteral("timed out"));
        QCOMPARE(failures().list()->model()->index(0, 1).data().toString(), QStringLiteral("3 groups"));
        QVERIFY(!failures().jobs()->isVisible());
        QVERIFY(!failures().retry()->isEnabled());
    }

    void aResultIsLookedAtAndSavedByteForByte()
    {
        m_fixture->outcome = QByteArray("\x82\xa4type\xa7success\xa6result\xca\x3d\xcc\xcc\xcd", 26);
        QVERIFY(open(MainWindow::Screen::Results));
        QTRY_COMPARE(results().list()->model()->rowCount(), 2);
        QCOMPARE(results().list()->model()->index(0, 2).data().toString(), QStringLiteral("120 bytes"));
        QCOMPARE(results().list()->model()->index(1, 1).data().toString(), QStringLiteral("(the job is removed)"));
        results().list()->table()->selectRow(0);
        QTRY_COMPARE(results().payload()->model().bytes(), m_fixture->outcome);
        const QByteArray path = "/v1/jobs/" + WindowFixture::job(1).id.text() + "/result";
        QCOMPARE(m_fixture->requestsTo(path), m_fixture->requestsTo(path, "peek=true"));
        QTemporaryDir directory;
        const auto written = [&](const QString &name) {
            QFile file(directory.filePath(name));
            return results().saveTo(file.fileName()) && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QCOMPARE(written(QStringLiteral("r.msgpack")), m_fixture->outcome);
        QVERIFY(written(QStringLiteral("r.json")).startsWith("{\n  \"type\": \"success\""));
        QVERIFY(!results().saveTo(directory.filePath(QStringLiteral("no/such/place"))));
    }

    void aResultIsSavedAsJsonUnlessMessagePackIsWanted()
    {
        m_fixture->outcome = QByteArray("\x82\xa4type\xa7success\xa6result\xc0", 22);
        QVERIFY(open(MainWindow::Screen::Results));
        QTRY_COMPARE(results().list()->model()->rowCount(), 2);
        results().list()->table()->selectRow(0);
        QTRY_VERIFY(!results().payload()->model().bytes().isEmpty());
        results().save()->trigger();
        auto *dialog = m_fixture->window().findChild<QFileDialog *>();
        QVERIFY(dialog);
        QCOMPARE(dialog->selectedNameFilter(), QStringLiteral("JSON (*.json)"));
        QCOMPARE(dialog->defaultSuffix(), QStringLiteral("json"));
        Q_EMIT dialog->filterSelected(dialog->nameFilters().at(1));
        QCOMPARE(dialog->defaultSuffix(), QStringLiteral("msgpack"));
        dialog->reject();
    }

    void homeAndEndLeadToTheFirstAndTheLastRow()
    {
        QVERIFY(open(MainWindow::Screen::Results));
        QTRY_COMPARE(results().list()->model()->rowCount(), 2);
        RecordTable *table = results().list()->table();
        table->selectRow(0);
        QTest::keyClick(table, Qt::Key_End);
        QCOMPARE(table->chosen(), results().list()->model()->keyAt(1));
        QTest::keyClick(table, Qt::Key_Home);
        QCOMPARE(table->chosen(), results().list()->model()->keyAt(0));
    }

    void aResultIsThrownAwayOnlyWhenAskedTwice()
    {
        QVERIFY(open(MainWindow::Screen::Results));
        QTRY_COMPARE(results().list()->model()->rowCount(), 2);
        results().list()->table()->selectRow(0);
        results().discard()->trigger();
        auto *box = m_fixture->window().findChild<QMessageBox *>();
        QVERIFY(box);
        QTest::keyClick(box, Qt::Key_Escape);
        QTRY_VERIFY(!m_fixture->window().findChild<QMessageBox *>());
        QCOMPARE(deletes(), 0);
        results().discard()->trigger();
        m_fixture->window().findChild<QMessageBox *>()->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(deletes(), 1);
    }

    void aResultIsKeptForLonger()
    {
        QVERIFY(open(MainWindow::Screen::Results));
        QTRY_COMPARE(results().list()->model()->rowCount(), 2);
        results().list()->table()->selectRow(0);
        const QByteArray path = "/v1/jobs/" + WindowFixture::job(1).id.text() + "/result";
        m_fixture->instead.insert(path, {200, result(WindowFixture::job(1).id, "report")});
        results().extensions()->actions().at(1)->trigger();
        QTRY_COMPARE(bodyOf(path), MsgpackWriter().map(1).text("ttl").integer(86'400).take());
        QTRY_VERIFY(m_fixture->window().toast()->text().startsWith(QStringLiteral("Result kept until")));
    }

    void withoutResultsThereIsAWordAboutThem()
    {
        m_fixture->instead.insert("/v1/results", {200, MsgpackWriter().map(2).text("results").array(0).text("total").integer(0).take()});
        QVERIFY(open(MainWindow::Screen::Results));
        QTRY_COMPARE(results().list()->empty()->title(), QStringLiteral("No results waiting"));
    }

private:
    QByteArray group(const QByteArray &signature, int inWindow = 640, int failed = 812) const
    {
        const qint64 now_ms = Clock::machine_ms();
        MsgpackWriter writer;
        writer.map(m_mutedFor_ms > 0 ? 17 : 16).text("signature").text(signature).text("name").text("mail.send");
        writer.text("reason").text("other").text("title").text("SMTP <host> timed out").text("count").integer(900).text("final").integer(3);
        writer.text("failed").integer(failed).text("first_seen").text(isoTime(now_ms - 7'200'000)).text("last_seen").text(isoTime(now_ms));
        writer.text("state").text("open").text("in_window").integer(inWindow).text("last_hour").integer(12);
        writer.text("trend_step").integer(3'600);
        writer.text("trend").array(3).integer(1).integer(0).integer(4);
        writer.text("workers").array(2).map(2).text("worker").text("w-1").text("count").integer(3);
        writer.map(2).text("worker").text("w-2").text("count").integer(1).text("samples").array(0);
        if (m_mutedFor_ms > 0)
            writer.text("muted_until").text(isoTime(now_ms + m_mutedFor_ms));
        return writer.take();
    }
    static QByteArray groups(const QByteArrayList &all)
    {
        MsgpackWriter writer;
        writer.map(3).text("groups").array(all.size());
        for (const QByteArray &group : all)
            writer.raw(group);
        return writer.text("sums").array(0).text("complete").boolean(true).take();
    }
    static QByteArray result(const JobId &id, const QByteArray &name)
    {
        const qint64 now_ms = Clock::machine_ms();
        MsgpackWriter writer;
        writer.map(name.isEmpty() ? 4 : 5).text("id").text(id.text()).text("bytes").integer(120);
        writer.text("finished_at").text(isoTime(now_ms - 1'000)).text("expires_at").text(isoTime(now_ms + 600'000));
        if (!name.isEmpty())
            writer.text("name").text(name);
        return writer.take();
    }
    void tell()
    {
        m_fixture->instead.insert("/v1/failures", {200, groups({group(one), group(other)})});
        MsgpackWriter page, job, results;
        job.map(4).text("id").text(WindowFixture::job(1).id.text()).text("name").text("mail.send").text("state").text("failed");
        job.text("max_retry").integer(2);
        page.map(4).text("group").raw(group(one)).text("jobs").array(1).raw(job.take()).text("total").integer(812);
        page.text("next").text("more");
        m_fixture->instead.insert(groupPath, {200, page.take()});
        m_fixture->instead.insert(groupPath + "/mute", {200, group(one)});
        m_fixture->instead.insert(groupPath + "/resolve", {200, group(one)});
        results.map(2).text("results").array(2).raw(result(WindowFixture::job(1).id, "report"));
        results.raw(result(WindowFixture::job(2).id, {})).text("total").integer(2);
        m_fixture->instead.insert("/v1/results", {200, results.take()});
    }
    bool open(MainWindow::Screen screen)
    {
        const bool live = m_fixture->openLive();
        m_fixture->window().showScreen(screen);
        return live;
    }
    void choose()
    {
        failures().list()->table()->choose(one);
        QTRY_VERIFY(failures().chosen().has_value());
    }
    QByteArray bodyOf(const QByteArray &path) const
    {
        for (auto request = m_fixture->master().requests().crbegin(); request != m_fixture->master().requests().crend(); ++request) {
            if (request->path == path && request->method != "GET")
                return request->body;
        }
        return {};
    }
    int deletes() const
    {
        int count = 0;
        for (const ScriptedMaster::Request &request : m_fixture->master().requests())
            count += request.method == "DELETE";
        return count;
    }
    FailuresPage &failures() const { return *m_fixture->window().failuresPage(); }
    ResultsPage &results() const { return *m_fixture->window().resultsPage(); }

    std::unique_ptr<WindowFixture> m_fixture;
    qint64 m_mutedFor_ms = 0;
};

JUNBAN_TEST(TestRecords)
#include "test_records.moc"
