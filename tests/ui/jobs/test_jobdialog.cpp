#include "core/msgpack/msgpackwriter.h"
#include "tests/support/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/inspector/jobinspector.h"
#include "ui/jobs/jobactions.h"
#include "ui/jobs/jobdialog.h"
#include "ui/jobs/jobform.h"
#include "ui/jobs/jobspage.h"
#include "ui/jobs/jobtablemodel.h"
#include "ui/jobs/jobtableview.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/jsonedit.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>

using namespace junban;
using namespace junban::ui;
using junban::test::ScriptedMaster;
using junban::test::WindowFixture;

// Jobs that an operator makes or changes in a form.
class TestJobDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_fixture = std::make_unique<WindowFixture>(); }
    void cleanup() { m_fixture.reset(); }

    void columnsAreAsWideAsTheirTitles()
    {
        m_fixture = std::make_unique<WindowFixture>("ja");
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        const QHeaderView *header = m_fixture->window().jobsPage()->findChild<JobTableView *>()->horizontalHeader();
        for (int column = 0; column < JobTableModel::columns; ++column) {
            const QString title = JobTableModel::title(JobTableModel::Column(column));
            QVERIFY2(header->sectionSize(column) >= header->sectionSizeHint(column), qPrintable(title));
        }
    }

    void aNewJobIsEnqueuedAndCanBeOpened()
    {
        const Job job = WindowFixture::job(5);
        m_fixture->jobs = {job};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.jobActions()->enqueueLike({});
        auto *dialog = window.findChild<JobDialog *>();
        QVERIFY(dialog);
        dialog->form()->name()->setText(QStringLiteral("mail.send"));
        dialog->form()->argument()->setPlainText(QStringLiteral("{\"to\": \"a@example.com\", \"big\": 9007199254740993}"));
        dialog->form()->priority()->setValue(-7);
        dialog->form()->tags()->setText(QStringLiteral("eu, heavy ,eu"));
        m_fixture->enqueued = job.id;
        dialog->go()->click();
        QTRY_VERIFY(!window.findChild<JobDialog *>());
        MsgpackWriter body;
        body.map(4).text("name").text("mail.send");
        body.text("argument").map(2).text("to").text("a@example.com").text("big").integer(9'007'199'254'740'993);
        body.text("priority").integer(-7).text("tags").array(2).text("eu").text("heavy");
        QCOMPARE(posted("/v1/jobs"), body.take());
        QCOMPARE(window.toast()->text(), QStringLiteral("Job enqueued"));
        window.toast()->offer()->click();
        QTRY_VERIFY(window.inspector()->job() && window.inspector()->job()->id == job.id);
    }

    void whatIsWrongIsSaidAndTheFormStays()
    {
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.jobActions()->enqueueLike({});
        auto *dialog = window.findChild<JobDialog *>();
        dialog->go()->click();
        QCOMPARE(dialog->problem(), QStringLiteral("A job needs a name."));
        dialog->form()->name()->setText(QStringLiteral("a"));
        dialog->form()->argument()->setPlainText(QStringLiteral("{\n  \"a\": }"));
        dialog->go()->click();
        QCOMPARE(dialog->problem(), QStringLiteral("This is not JSON: look at line 2, column 8."));
        QCOMPARE(m_fixture->requestsTo("/v1/jobs"), 0);
        dialog->form()->argument()->setPlainText({});
        m_fixture->instead.insert("/v1/jobs", {400, WindowFixture::problem(400, "invalid_field", "No <b>such</b> name.")});
        dialog->go()->click();
        QTRY_COMPARE(dialog->problem(), QStringLiteral("No <b>such</b> name."));
        QVERIFY(dialog->isVisible());
        QVERIFY(dialog->go()->isEnabled());
    }

    void aDuplicateHasTheWholeArgumentByteForByte()
    {
        Job job = WindowFixture::job(1, JobState::Succeeded);
        // A float32 and an integer in a long form, which JSON does not know.
        job.spec.argument = QByteArray("\x82\xa1" "f\xca\x3d\xcc\xcc\xcd\xa1" "n\xd3\0\0\0\0\0\0\0\7", 19);
        job.spec.maxRetry = 3;
        m_fixture->jobs = {job};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        window.jobsPage()->table()->selectRow(0);
        window.jobActions()->duplicate()->trigger();
        QTRY_VERIFY(window.findChild<JobDialog *>());
        auto *dialog = window.findChild<JobDialog *>();
        QCOMPARE(dialog->form()->name()->text(), QStringLiteral("job.1"));
        dialog->start()->choice()->setCurrentIndex(int(StartField::Kind::After));
        dialog->go()->click();
        QTRY_VERIFY(!posted("/v1/jobs").isEmpty());
        MsgpackWriter body;
        body.map(4).text("name").text("job.1").text("argument").raw(job.spec.argument);
        QCOMPARE(posted("/v1/jobs"), body.text("max_retry").integer(3).text("delay").integer(60).take());
    }

    void hiddenValuesAreNotShownUnasked()
    {
        Job job = WindowFixture::job(1, JobState::Succeeded);
        job.masked = true;
        m_fixture->jobs = {job};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        window.jobsPage()->table()->selectRow(0);
        window.jobActions()->duplicate()->trigger();
        QTRY_VERIFY(window.findChild<QMessageBox *>());
        auto *box = window.findChild<QMessageBox *>();
        QCOMPARE(box->text(), QStringLiteral("Show the hidden values of this job?"));
        QCOMPARE(m_fixture->requestsTo("/v1/jobs/" + job.id.text(), "reveal=true"), 0);
        box->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_VERIFY(window.findChild<JobDialog *>());
        QCOMPARE(m_fixture->requestsTo("/v1/jobs/" + job.id.text(), "reveal=true"), 1);
    }

    void aStarIsGivenAndTaken()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 2);
        window.jobsPage()->table()->selectRow(0);
        QTest::keyClick(window.jobsPage()->table(), Qt::Key_S);
        QTRY_COMPARE(window.toast()->text(), QStringLiteral("1 job starred"));
        m_fixture->jobs[0].tracked = true;
        QTRY_VERIFY(window.jobActions()->star()->isChecked());
        window.jobsPage()->showWhich(client::JobsOf::Tracked);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        window.jobsPage()->table()->selectRow(0);
        window.jobActions()->star()->trigger();
        QTRY_COMPARE(window.toast()->text(), QStringLiteral("1 job without a star"));
        m_fixture->jobs[0].tracked = false;
        window.jobsPage()->table()->clearSelection();
        QTRY_COMPARE(window.jobsPage()->findChild<EmptyState *>()->title(), QStringLiteral("No job is starred"));
    }

    void aDeletedJobLiesInTheTrashAndComesBack()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2, JobState::Running)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 2);
        window.jobsPage()->table()->selectRow(1);
        QVERIFY(!window.jobActions()->remove()->isEnabled());
        window.jobsPage()->table()->selectRow(0);
        window.jobActions()->remove()->trigger();
        QTRY_COMPARE(window.toast()->text(), QStringLiteral("1 job deleted"));
        m_fixture->jobs[0].deletedAt_ms = m_fixture->jobs[0].createdAt_ms;
        window.jobsPage()->showWhich(client::JobsOf::Trash);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        window.jobsPage()->table()->selectRow(0);
        QTRY_VERIFY(window.jobActions()->restore()->isEnabled());
        QVERIFY(!window.jobActions()->remove()->isEnabled());
        window.jobActions()->restore()->trigger();
        QTRY_COMPARE(m_fixture->requestsTo("/v1/jobs/" + WindowFixture::job(1).id.text() + "/restore"), 1);
    }

private:
    // The body of the last request of a method other than GET.
    QByteArray posted(const QByteArray &path) const
    {
        const auto &requests = m_fixture->master().requests();
        for (auto request = requests.crbegin(); request != requests.crend(); ++request) {
            if (request->path == path && request->method != "GET")
                return request->body;
        }
        return {};
    }

    std::unique_ptr<WindowFixture> m_fixture;
};

JUNBAN_TEST(TestJobDialog)
#include "test_jobdialog.moc"
