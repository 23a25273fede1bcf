#include "tests/support/testmain.h"
#include "tests/ui/packed.h"
#include "tests/ui/windowfixture.h"
#include "ui/base/look.h"
#include "ui/inspector/errorview.h"
#include "ui/inspector/jobfields.h"
#include "ui/inspector/jobhistory.h"
#include "ui/inspector/explainview.h"
#include "ui/inspector/jobinspector.h"
#include "ui/widgets/payloadmodel.h"
#include "ui/widgets/payloadview.h"
#include "ui/jobs/editdialog.h"
#include "ui/jobs/jobactions.h"
#include "ui/jobs/jobdialog.h"
#include "ui/jobs/jobform.h"
#include "ui/jobs/jobspage.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/recordlist.h"
#include "ui/widgets/tabrow.h"
#include "ui/widgets/valuewindow.h"

#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>

using namespace junban;
using namespace junban::ui;
using junban::test::ScriptedMaster;
using junban::test::packed;
using junban::test::WindowFixture;

// One job in full, what happened to it, and what an operator changes of it.
class TestInspector : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_fixture = std::make_unique<WindowFixture>();
        m_job = WindowFixture::job(1);
        m_other = WindowFixture::job(2, JobState::Succeeded);
        m_fixture->jobs = {m_job, m_other};
    }
    void cleanup() { m_fixture.reset(); }

    void aFailedJobIsOpenedAtItsErrorWhichCanBeRead()
    {
        open("'state':'failed','attempt':1,'reason':'other','message':'ValueError: no total\\nTraceback (most recent call last):\\n  File',"
             "'outcome':{'type':'failure','reason':'other','message':'Traceback (most recent call last):\\n  File a.py, line 3\\n"
             "ValueError: no total','error':{'hint':'see\\nhere','code':7}}");
        QTRY_VERIFY(inspector().job().has_value());
        const ErrorView &view = *inspector().failure();
        QCOMPARE(inspector().tabs()->currentWidget(), &view);
        QCOMPARE(inspector().tabs()->currentIndex(), 0);
        QCOMPARE(view.heading(), QStringLiteral("ValueError: no total"));
        QCOMPARE(view.text()->toPlainText(), QStringLiteral("Traceback (most recent call last):\n  File a.py, line 3\n"
            "ValueError: no total\n\nhint:\nsee\nhere\ncode: 7"));
        QVERIFY(QFontInfo(view.text()->font()).fixedPitch());
        QCOMPARE(inspector().reason(), QStringLiteral("worker error · ValueError: no total …"));
        view.wrap()->click();
        QCOMPARE(view.text()->lineWrapMode(), QPlainTextEdit::NoWrap);
        for (QToolButton *button : view.findChildren<QToolButton *>()) {
            if (button->text() == QLatin1String("Copy"))
                button->click();
        }
        QCOMPARE(QApplication::clipboard()->text(), view.text()->toPlainText());
        inspector().show(m_other.id); // which has succeeded
        QTRY_COMPARE(inspector().tabs()->currentWidget(), inspector().argument());
        QCOMPARE(view.heading(), QString());
        inspector().show(m_job.id);
        QTRY_COMPARE(inspector().tabs()->currentIndex(), 0);
        inspector().tabs()->setCurrentWidget(inspector().history()); // what the operator chose stays
        inspector().show(m_other.id);
        QTRY_VERIFY(inspector().job().has_value());
        inspector().show(m_job.id);
        QTRY_VERIFY(inspector().job().has_value());
        QCOMPARE(inspector().tabs()->currentWidget(), inspector().history());
    }

    void whatWasReadOfOtherJobsDoesNotHideTheErrorOfAFailedOne()
    {
        open("'state':'failed','attempt':1,'reason':'other','message':'no total'");
        QTRY_COMPARE(inspector().tabs()->currentWidget(), inspector().failure());
        inspector().show(m_other.id);
        QTRY_COMPARE(inspector().tabs()->currentWidget(), inspector().argument());
        inspector().tabs()->setCurrentWidget(inspector().explanation());
        inspector().show(m_job.id);
        QTRY_COMPARE(inspector().tabs()->currentWidget(), inspector().failure());
        inspector().show(m_other.id);
        QTRY_COMPARE(inspector().tabs()->currentWidget(), inspector().explanation());
    }

    // The worker's last words were about an attempt before.
    void theLastFailureOfARunningJobIsCalledOne()
    {
        open("'state':'running','attempt':2,'worker':'w-5','message':'query cancelled',"
             "'progress':{'done':5,'total':10,'message':'half done'}");
        QTRY_VERIFY(inspector().job().has_value());
        QTRY_COMPARE(inspector().reason(), QStringLiteral("on w-5 · last failure: query cancelled · half done"));
    }

    void whatHappenedIsToldTheNewestFirst()
    {
        open("'state':'ready','attempt':1,'history':["
            "{'at':'2026-01-02T03:00:00.000Z','what':'enqueued','actor':'pusher'},"
            "{'at':'2026-01-02T03:00:04.000Z','what':'started','actor':'w-1','worker':'w-1','attempt':1},"
            "{'at':'2026-01-02T03:00:34.000Z','what':'failed','actor':'w-1','worker':'w-1','attempt':1,'message':'No <b>route</b>',"
            "'run_at':'2026-01-02T03:00:42.000Z'},"
            "{'at':'2026-01-02T03:01:00.000Z','what':'edited','actor':'operator','reason':'more urgent',"
            "'details':{'priority':0,'tags':['a']}},"
            "{'at':'2026-01-02T03:01:01.000Z','what':'tickled','actor':'operator'}]");
        const auto *model = inspector().history()->model();
        QTRY_COMPARE(model->rowCount(), 5);
        const auto cell = [&](int row, int column) { return model->index(row, column).data().toString(); };
        QCOMPARE(cell(0, 0), QStringLiteral("tickled")); // a word that a newer master has
        QCOMPARE(cell(1, 0), QStringLiteral("edited"));
        QCOMPARE(cell(1, 2), QStringLiteral("more urgent · before: priority: 0, tags: [\"a\"]"));
        QCOMPARE(cell(2, 4), QStringLiteral("30 s"));
        QCOMPARE(cell(2, 2), QStringLiteral("No <b>route</b> · again after 8.0 s"));
        QCOMPARE(cell(3, 3), QStringLiteral("w-1"));
        QCOMPARE(cell(4, 0), QStringLiteral("enqueued"));
        QCOMPARE(cell(4, 3), QStringLiteral("pusher"));
    }

    void progressStandsAboveTheHistory()
    {
        open("'state':'running','attempt':2,'worker':'w-7','progress':{'done':3,'total':4,'message':'page 3'},"
            "'history':[{'at':'2026-01-02T03:00:00.000Z','what':'enqueued','actor':'pusher'}]");
        const auto *model = inspector().history()->model();
        QTRY_COMPARE(model->rowCount(), 2);
        QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("progress: 75 %"));
        QCOMPARE(model->index(0, 2).data().toString(), QStringLiteral("page 3"));
    }

    void everyFieldOfASpecialJobIsShown()
    {
        m_fixture->instead.insert("/v1/groups/batch-1", {200, packed(
            "{'group':'batch-1','total':10,'pending':3,'succeeded':6,'failed':1,'cancelled':0,'open':true,'has_callback':true,"
            "'created_at':'2026-01-02T03:00:00.000Z'}")});
        const QByteArray dependency = m_other.id.text();
        open("'state':'depends','attempt':0,'trace':'00-ab-cd-01','tags':['eu','heavy'],'group':'batch-1','expires_in':3600,"
            "'expires_at':'2026-01-02T04:00:00.000Z','dependencies_left':1,'on_dependency_failure':'run',"
            "'unique':{'key':'user 7','until':'started','on_conflict':'replace'},"
            "'windows':[{'from':'09:00','to':'18:00','tz':'Asia/Tokyo','days':['mon','tue','wed','thu','fri']}],"
            "'then':[{'name':'report.send'}],'depends_on':['" + dependency + "']");
        JobFields &fields = *inspector().fields();
        QTRY_COMPARE(fields.value(QStringLiteral("Tags")), QStringLiteral("eu, heavy"));
        QCOMPARE(fields.value(QStringLiteral("Trace")), QStringLiteral("00-ab-cd-01"));
        QCOMPARE(fields.value(QStringLiteral("Unique key")), QStringLiteral("user 7, until it starts; another one takes its place"));
        QCOMPARE(fields.value(QStringLiteral("Runs only")), QStringLiteral("Mon–Fri 09:00–18:00, Asia/Tokyo"));
        QCOMPARE(fields.value(QStringLiteral("Expires in")), QStringLiteral("1 h after the enqueue, unless it has started"));
        QCOMPARE(fields.value(QStringLiteral("Expires")), QStringLiteral("2026-01-02 04:00:00.000 UTC"));
        QCOMPARE(fields.value(QStringLiteral("Then")), QStringLiteral("report.send (enqueued when it succeeds)"));
        QCOMPARE(fields.value(QStringLiteral("Dependencies")),
                 QStringLiteral("0 of 1 have succeeded; if one does not: it still runs"));
        QTRY_COMPARE(fields.value(QStringLiteral("Group")),
                     QStringLiteral("batch-1 · 10 jobs · 3 not ended · 6 succeeded · 1 failed"
                                    " · more may come · a job is enqueued at its end"));
        QCOMPARE(fields.links().size(), 1);
        qobject_cast<QPushButton *>(fields.links().first())->click();
        QTRY_VERIFY(inspector().job() && inspector().job()->id == m_other.id);
        QVERIFY(fields.links().isEmpty());
    }

    void aGroupSaysThatItsCallbackWasRefused()
    {
        m_fixture->instead.insert("/v1/groups/batch-1", {200, packed(
            "{'group':'batch-1','total':10,'pending':0,'succeeded':10,'failed':0,'cancelled':0,'open':false,'has_callback':true,"
            "'callback_refused':'The backlog is full.','created_at':'2026-01-02T03:00:00.000Z'}")});
        open("'state':'succeeded','attempt':1,'group':'batch-1'");
        QTRY_COMPARE(inspector().fields()->value(QStringLiteral("Group")),
                     QStringLiteral("batch-1 · 10 jobs · 10 succeeded · its last job was refused: The backlog is full."));
    }

    void anEditSendsWhatWasChangedAndCanBeUndone()
    {
        open("'state':'ready','attempt':0,'priority':3,'max_retry':1,'timeout':60");
        QTRY_VERIFY(edit()->isEnabled());
        edit()->trigger();
        auto *dialog = awaitDialog();
        QVERIFY(dialog);
        dialog->form()->priority()->setValue(-4);
        dialog->go()->click();
        QTRY_COMPARE(patched(), packed("{'priority':-4}"));
        QTRY_COMPARE(m_fixture->window().toast()->text(), QStringLiteral("Job changed"));
        m_fixture->window().toast()->offer()->click();
        QTRY_COMPARE(patched(), packed("{'priority':3}"));
    }

    // The clock of this machine may be wrong.
    void aStartIsSentAsALengthOfTime()
    {
        using Kind = StartField::Kind;
        for (const Kind kind : {Kind::AtOnce, Kind::After}) {
            init();
            open("'state':'ready','attempt':0");
            QTRY_VERIFY(edit()->isEnabled());
            edit()->trigger();
            auto *dialog = awaitDialog();
            QVERIFY(dialog);
            dialog->start()->choose(kind);
            dialog->go()->click();
            QTRY_COMPARE(patched(), packed(kind == Kind::AtOnce ? "{'delay':0}" : "{'delay':60}"));
            QTRY_COMPARE(m_fixture->window().toast()->text(), QStringLiteral("Job changed"));
            m_fixture->window().toast()->offer()->click();
            QTRY_COMPARE(m_fixture->window().toast()->text(), QStringLiteral("Edit undone"));
            QCOMPARE(patched(), packed("{'delay':0}")); // it was ready
        }
    }

    void aRefusedEditStaysOpenAndSaysWhy()
    {
        open("'state':'scheduled','attempt':0");
        QTRY_VERIFY(edit()->isEnabled());
        edit()->trigger();
        auto *dialog = awaitDialog();
        QVERIFY(dialog);
        dialog->form()->retries()->setValue(9);
        m_refusal = WindowFixture::problem(409, "conflict", "It runs already.");
        dialog->go()->click();
        QTRY_COMPARE(dialog->problem(), QStringLiteral("It runs already."));
        QVERIFY(dialog->isVisible());
        QVERIFY(dialog->go()->isEnabled());
    }

    void noTabIsCutOffHoweverNarrowTheInspector()
    {
        open("'state':'ready','attempt':1");
        TabRow &row = *inspector().tabRow();
        inspector().setFixedWidth(inspector().minimumSizeHint().width());
        QTRY_VERIFY(row.button(6)->geometry().top() > row.button(0)->geometry().bottom());
        for (int tab = 0; tab < inspector().tabs()->count(); ++tab) {
            QToolButton *button = row.button(tab);
            QCOMPARE(button->text(), inspector().tabs()->tabText(tab));
            QVERIFY(row.rect().contains(button->geometry()));
            button->click();
            QCOMPARE(inspector().tabs()->currentIndex(), tab);
        }
        inspector().tabs()->setCurrentIndex(2);
        QVERIFY(row.button(2)->isChecked());
        QVERIFY(!inspector().tabs()->tabBar()->isVisible());
    }

    void theSizeOfAValueAndTheTimesOfItsHistoryAreNotCutOff()
    {
        open("'state':'ready','attempt':1,'history':[{'at':'2026-01-02T03:00:00.000Z','what':'enqueued','actor':'pusher'}]");
        QWidget *argument = inspector().argument();
        inspector().tabs()->setCurrentIndex(2);
        inspector().setFixedWidth(36 * characterWidth(inspector().fontMetrics()));
        for (const QLabel *label : argument->findChildren<QLabel *>()) {
            if (label->isVisible())
                QTRY_VERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
        }
        for (const QToolButton *button : argument->findChildren<QToolButton *>())
            QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
        inspector().tabs()->setCurrentIndex(5);
        const RecordTable &table = *inspector().history()->table();
        const QString at = table.model()->index(0, 1).data().toString();
        QVERIFY(!at.isEmpty());
        QTRY_VERIFY(table.columnWidth(1) > table.fontMetrics().horizontalAdvance(at));
        QVERIFY(table.columnWidth(0) > table.fontMetrics().horizontalAdvance(QStringLiteral("enqueued")) + table.fontMetrics().height());
    }

    void aValueOpensInAWindowOfItsOwn()
    {
        open("'state':'ready','attempt':1");
        auto *tree = inspector().argument()->findChild<QTreeView *>();
        inspector().tabs()->setCurrentIndex(2);
        const QModelIndex part = tree->model()->index(0, PayloadModel::Key, tree->rootIndex());
        QCOMPARE(part.data().toString(), QStringLiteral("to"));
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(part).center());
        QTest::mouseDClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(part).center());
        auto *window = m_fixture->window().findChild<ValueWindow *>();
        QVERIFY(window);
        QCOMPARE(window->windowTitle(), QStringLiteral("to – mail.send ") + QString::fromLatin1(WindowFixture::job(1).id.text()));
        QCOMPARE(window->text()->toPlainText(), QStringLiteral("1"));
        QCOMPARE(window->hex()->toPlainText().split(QLatin1String("  ")).value(1), QStringLiteral("01"));
        window->close();
    }

    void aValueIsSearchedCopiedAndSaved()
    {
        const QByteArray value = packed("{'to':'first','more':['second',7,'first']}");
        ValueWindow window(value, QStringLiteral("Argument"), nullptr);
        window.setAttribute(Qt::WA_DeleteOnClose, false);
        window.show();
        window.search()->setText(QStringLiteral("first"));
        const int before = window.text()->textCursor().position();
        QCOMPARE(window.text()->textCursor().selectedText(), QStringLiteral("first"));
        QTest::keyClick(window.search(), Qt::Key_Return);
        QVERIFY(window.text()->textCursor().position() > before);
        QTest::keyClick(window.search(), Qt::Key_Return);
        QCOMPARE(window.text()->textCursor().position(), before); // and round
        window.search()->setText(QStringLiteral("nowhere"));
        QCOMPARE(window.found(), QStringLiteral("Not found"));
        for (QPushButton *button : window.findChildren<QPushButton *>()) {
            if (button->text() == QLatin1String("Copy as JSON"))
                button->click();
        }
        QCOMPARE(QToolTip::text(), QStringLiteral("Copied"));
        QCOMPARE(QGuiApplication::clipboard()->text(), window.text()->toPlainText());
        QTemporaryDir folder;
        const auto saved = [&](const QString &name) {
            const QString path = folder.filePath(name);
            QFile file(path);
            return window.save(path).isEmpty() && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QCOMPARE(saved(QStringLiteral("a.msgpack")), value);
        QCOMPARE(QString::fromUtf8(saved(QStringLiteral("a.json"))), window.text()->toPlainText());
        QVERIFY(!window.save(QStringLiteral("/nowhere/a.json")).isEmpty());
        ValueWindow large(packed("'" + QByteArray(ValueWindow::text_bytes_max + 1, 'x') + "'"), QStringLiteral("Large"), nullptr);
        large.setAttribute(Qt::WA_DeleteOnClose, false);
        QVERIFY(large.text()->toPlainText().size() < 1'000);
        QVERIFY(large.hex()->blockCount() <= ValueWindow::hex_bytes_max / 16 + 1);
    }

    void hiddenValuesAreRevealedOnRequest()
    {
        const QByteArray path = "/v1/jobs/" + m_job.id.text();
        open("'state':'running','attempt':1,'masked':true,'pusher':'0a1b2c3d4e5f6071'");
        const auto shown = [this] {
            const QAbstractItemModel *tree = inspector().argument()->findChild<QTreeView *>()->model();
            return tree->index(0, PayloadModel::Value, tree->index(0, 0)).data().toString();
        };
        QToolButton *reveal = inspector().revealButton();
        QTRY_VERIFY(reveal->isVisibleTo(&inspector()));
        QCOMPARE(inspector().fields()->value(QStringLiteral("Pusher's token")), QStringLiteral("0a1b2c3d4e5f6071"));
        const auto usual = m_fixture->answers.value(path);
        const QByteArray whole = packed("{'id':'" + m_job.id.text() + "','name':'mail.send','argument':{'to':'hunter2'},"
            "'created_at':'2026-01-02T03:00:00.000Z','state':'running','attempt':1}");
        m_fixture->answers.insert(path, [usual, whole](const ScriptedMaster::Request &request) {
            return request.query == "reveal=true" ? ScriptedMaster::Answer{200, whole} : usual(request);
        });
        const QString before = shown();
        QVERIFY(!before.contains(QStringLiteral("hunter2")));
        reveal->click();
        QTRY_VERIFY(inspector().window()->findChild<QMessageBox *>());
        QCOMPARE(m_fixture->requestsTo(path, "reveal=true"), 0);
        inspector().window()->findChild<QMessageBox *>()->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_VERIFY2(shown().contains(QStringLiteral("hunter2")), qPrintable(shown()));
        QVERIFY(!reveal->isVisibleTo(&inspector()));
        // It stays while the window asks again, without `reveal`, and ends with the look at another job.
        const qsizetype asked = m_fixture->master().requests().size();
        inspector().refresh();
        QTRY_VERIFY(m_fixture->master().requests().size() > asked);
        QTRY_VERIFY(shown().contains(QStringLiteral("hunter2")));
        inspector().showNothing();
        inspector().show(m_job.id);
        QTRY_VERIFY(inspector().job().has_value());
        QCOMPARE(shown(), before);
        QVERIFY(reveal->isVisibleTo(&inspector()));
    }

    // Who reads a tab of a job does not lose it, nor its place, because the job ends.
    void aJobThatEndsWhileItIsShownKeepsItsTabsInPlace()
    {
        open("'state':'running','attempt':1,'worker':'w-5'");
        const QTabWidget &tabs = *inspector().tabs();
        const auto whyIsShown = [&tabs] {
            for (int tab = 0; tab < tabs.count(); ++tab) {
                if (tabs.isTabVisible(tab) && tabs.tabText(tab) == QLatin1String("Why not running"))
                    return true;
            }
            return false;
        };
        QVERIFY(whyIsShown());
        QCOMPARE(inspector().reason(), QStringLiteral("on w-5"));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        const int top = inspector().tabRow()->y();
        answer("'state':'succeeded','attempt':1");
        inspector().refresh();
        QTRY_COMPARE(inspector().job()->state, JobState::Succeeded);
        QCOMPARE(inspector().reason(), QString());
        QVERIFY(whyIsShown());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        QCOMPARE(inspector().tabRow()->y(), top);
        m_fixture->window().openJob(m_other.id);
        QTRY_COMPARE(inspector().job()->id, m_other.id); // one that had ended before
        QVERIFY(whyIsShown()); // the tabs of every job stand at the same places
    }

    void whatRunsCannotBeEdited()
    {
        open("'state':'running','attempt':1");
        QTRY_VERIFY(inspector().job().has_value());
        QVERIFY(!edit()->isEnabled());
    }

private:
    JobInspector &inspector() const { return *m_fixture->window().inspector(); }
    QAction *edit() const { return m_fixture->window().jobActions()->edit(); }

    // Has the master say these further fields of the job, in JSON.
    void answer(const QByteArray &fields)
    {
        const QByteArray path = "/v1/jobs/" + m_job.id.text();
        const QByteArray head = "{'id':'" + m_job.id.text() + "','name':'mail.send','argument':{'to':1},"
            "'created_at':'2026-01-02T03:00:00.000Z',";
        m_fixture->answers.insert(path, [this, body = packed(head + fields + '}')](const ScriptedMaster::Request &request) {
            if (request.method != "GET" && !m_refusal.isEmpty())
                return ScriptedMaster::Answer{409, m_refusal, "application/problem+msgpack"};
            return ScriptedMaster::Answer{200, body};
        });
    }

    // Shows the job with them.
    void open(const QByteArray &fields)
    {
        answer(fields);
        const std::optional<JobState> state = stateFromWord(QByteArray(fields).split('\'')[3]);
        m_fixture->jobs.first().state = *state;
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 2);
        window.jobsPage()->table()->selectRow(0);
        window.openJob(m_job.id);
        QTRY_VERIFY(inspector().job().has_value());
    }

    EditDialog *awaitDialog() const
    {
        const bool there = QTest::qWaitFor([this] { return m_fixture->window().findChild<EditDialog *>() != nullptr; });
        return there ? m_fixture->window().findChild<EditDialog *>() : nullptr;
    }

    QByteArray patched() const
    {
        QByteArray body;
        for (const ScriptedMaster::Request &request : m_fixture->master().requests())
            body = request.method == "PATCH" ? request.body : body;
        return body;
    }

    std::unique_ptr<WindowFixture> m_fixture;
    Job m_job, m_other;
    QByteArray m_refusal;
};

JUNBAN_TEST(TestInspector)
#include "test_inspector.moc"
