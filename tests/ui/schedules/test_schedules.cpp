#include "core/base/clock.h"
#include "core/base/isotime.h"
#include "core/msgpack/msgpackwriter.h"
#include "tests/support/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/jobs/jobform.h"
#include "ui/schedules/scheduledialog.h"
#include "ui/schedules/schedulespage.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/recordlist.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>

using namespace junban;
using namespace junban::ui;
using junban::test::ScriptedMaster;
using junban::test::WindowFixture;

// Recurring jobs as an operator sees and makes them, against a master that says what the test wants.
class TestSchedules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_fixture = std::make_unique<WindowFixture>();
        m_paused = false;
        tell();
    }
    void cleanup() { m_fixture.reset(); }

    void withoutSchedulesThereIsAWordAboutThemAndAButton()
    {
        m_fixture->instead.insert("/v1/schedules", {200, MsgpackWriter().map(1).text("schedules").array(0).take()});
        QVERIFY(open());
        QTRY_COMPARE(page().list()->empty()->title(), QStringLiteral("No recurring jobs"));
        page().list()->empty()->action()->click();
        QVERIFY(m_fixture->window().findChild<ScheduleDialog *>());
    }

    void anErrorIsSaidAndTriedAgain()
    {
        m_fixture->instead.insert("/v1/schedules", {500, WindowFixture::problem(500, "internal", "It broke.")});
        QVERIFY(open());
        QTRY_COMPARE(page().list()->empty()->text(), QStringLiteral("It broke."));
        tell();
        page().list()->empty()->action()->click();
        QTRY_COMPARE(page().list()->model()->rowCount(), 1);
    }

    void aScheduleSaysWhenItFiresAndWhatBecameOfIt()
    {
        QVERIFY(open());
        QTRY_COMPARE(page().list()->model()->rowCount(), 1);
        QCOMPARE(cell(0), QStringLiteral("Nightly report"));
        QCOMPARE(cell(1), QStringLiteral("30 2 * * *"));
        QCOMPARE(cell(2), QStringLiteral("Asia/Tokyo"));
        QVERIFY(cell(3).contains(QStringLiteral(" Asia/Tokyo = ")));
        QVERIFY(cell(3).endsWith(QStringLiteral(" UTC, in 59 m 50 s")));
        QCOMPARE(cell(4), QStringLiteral("failed"));
        QCOMPARE(cell(5), QStringLiteral("report.build"));
        choose();
        QCOMPARE(page().nextRuns()->count(), 2);
        QVERIFY(page().nextRuns()->item(0)->text().contains(QStringLiteral(" Asia/Tokyo = ")));
        QVERIFY(page().runs()->model()->index(0, 0).data().toString().contains(QStringLiteral(" Asia/Tokyo = ")));
        QCOMPARE(page().runs()->model()->rowCount(), 2);
        QCOMPARE(page().runs()->model()->index(1, 2).data().toString(),
                 QStringLiteral("skipped: the previous run was still going; 3 runs before it were missed"));
        m_fixture->jobs = {WindowFixture::job(1)};
        page().runs()->table()->selectRow(0);
        QTest::keyClick(page().runs()->table(), Qt::Key_Return);
        QTRY_COMPARE(m_fixture->requestsTo("/v1/jobs/" + WindowFixture::job(1).id.text()), 1);
    }

    void theNextRunsAreNotCutInASmallWindow()
    {
        QVERIFY(open());
        m_fixture->window().resize(1024, 700);
        QTRY_COMPARE(page().list()->model()->rowCount(), 1);
        choose();
        QListWidget &next = *page().nextRuns();
        QTRY_COMPARE(next.count(), 2);
        QFont large = next.font();
        large.setPointSizeF(large.pointSizeF() * 1.5); // as wide as that of a desktop
        next.setFont(large);
        QTest::qWait(50);
        for (int row = 0; row < next.count(); ++row) {
            const QFontMetrics metrics(next.font());
            const int text = metrics.horizontalAdvance(next.item(row)->text()), room = next.viewport()->width();
            const QRect place = next.visualItemRect(next.item(row));
            QVERIFY(text > room); // else the test says nothing
            QVERIFY(place.width() <= room);
            QVERIFY2(place.height() >= 2 * metrics.height(), qPrintable(QString::number(place.height())));
        }
    }

    void itIsRunPausedAndResumed()
    {
        QVERIFY(open());
        QTRY_COMPARE(page().list()->model()->rowCount(), 1);
        choose();
        page().run()->trigger();
        QTRY_COMPARE(m_fixture->requestsTo("/v1/schedules/nightly/run"), 1);
        QTRY_COMPARE(m_fixture->window().toast()->text(), QStringLiteral("Job enqueued"));
        page().pause()->trigger();
        m_paused = true;
        tell();
        QTRY_COMPARE(m_fixture->requestsTo("/v1/schedules/nightly/pause"), 1);
        QTRY_COMPARE(cell(3), QStringLiteral("paused"));
        QTRY_COMPARE(page().pause()->text(), QStringLiteral("Res&ume"));
        page().pause()->trigger();
        QTRY_COMPARE(m_fixture->requestsTo("/v1/schedules/nightly/resume"), 1);
    }

    void aRefusedRunSaysWhy()
    {
        m_fixture->instead.insert("/v1/schedules/nightly/run", {409, WindowFixture::problem(409, "conflict", "Its last job runs.")});
        QVERIFY(open());
        QTRY_COMPARE(page().list()->model()->rowCount(), 1);
        choose();
        page().run()->trigger();
        QTRY_COMPARE(m_fixture->window().toast()->text(), QStringLiteral("Refused: Its last job runs."));
    }

    void aNewScheduleShowsItsNextRunsWhileItIsTyped()
    {
        QVERIFY(open());
        page().create();
        auto *dialog = m_fixture->window().findChild<ScheduleDialog *>();
        QVERIFY(dialog);
        dialog->zone()->setCurrentText(QStringLiteral("UTC"));
        dialog->cron()->setText(QStringLiteral("0 0 1 1 *"));
        QCOMPARE(dialog->preview().count(QStringLiteral(" 00:00:00 UTC, in ")), ScheduleDialog::previewed);
        const QString before = dialog->preview();
        QTRY_VERIFY(dialog->preview() != before || !before.contains(QStringLiteral(" s"))); // it is from now
        dialog->cron()->setText(QStringLiteral("61 * * * *"));
        QVERIFY(!dialog->go()->isEnabled());
        QVERIFY2(dialog->preview().contains(QStringLiteral("61")), qPrintable(dialog->preview()));
        dialog->cron()->setText(QStringLiteral("0 0 1 1 *"));
        dialog->zone()->setCurrentText(QStringLiteral("Nowhere/City"));
        QVERIFY(!dialog->go()->isEnabled());
        dialog->every()->setValue(90);
        QVERIFY(dialog->byInterval()->isChecked());
        QVERIFY(dialog->go()->isEnabled());
        const QPoint place = dialog->go()->mapTo(dialog, QPoint());
        dialog->go()->click();
        QCOMPARE(dialog->problem(), QStringLiteral("A schedule needs an ID."));
        QTest::qWait(50);
        QCOMPARE(dialog->go()->mapTo(dialog, QPoint()), place); // the next click may meet it
        dialog->id()->setText(QStringLiteral("a/b c"));
        QVERIFY(dialog->problem().isEmpty()); // it may be mended now
        dialog->job()->name()->setText(QStringLiteral("tick"));
        dialog->overlap()->setCurrentIndex(1);
        dialog->go()->click();
        QTRY_VERIFY(said("PUT", "/v1/schedules/a%2Fb%20c"));
        const ScriptedMaster::Request put = *said("PUT", "/v1/schedules/a%2Fb%20c");
        QCOMPARE(put.fields.value("if-none-match"), QByteArray("*"));
        MsgpackWriter body;
        body.map(5).text("every").integer(5'400).text("job").map(2).text("name").text("tick").text("argument").nil();
        body.text("overlap").text("skip").text("missed").text("once").text("missed_max").integer(100);
        QCOMPARE(put.body, body.take());
        // This master knows no such schedule and refuses; the form stays.
        QTRY_VERIFY(!dialog->problem().isEmpty());
    }

    void anEditKeepsWhatTheFormDoesNotShow()
    {
        QVERIFY(open());
        QTRY_COMPARE(page().list()->model()->rowCount(), 1);
        choose();
        page().edit()->trigger();
        auto *dialog = m_fixture->window().findChild<ScheduleDialog *>();
        QVERIFY(dialog);
        dialog->job()->priority()->setValue(9);
        QTest::keyClicks(dialog->why(), QStringLiteral("more urgent"));
        dialog->go()->click();
        QTRY_VERIFY(!m_fixture->window().findChild<ScheduleDialog *>());
        const ScriptedMaster::Request put = *said("PUT", "/v1/schedules/nightly");
        QCOMPARE(put.fields.value("if-match"), QByteArray("\"7\""));
        QCOMPARE(put.fields.value("junban-reason"), QByteArray("more urgent"));
        MsgpackWriter body;
        body.map(7).text("title").text("Nightly report").text("cron").text("30 2 * * *").text("tz").text("Asia/Tokyo");
        body.text("job").map(4).text("name").text("report.build").text("argument").map(1).text("kind").text("daily");
        body.text("priority").integer(9).text("expires_in").integer(60);
        body.text("overlap").text("skip").text("missed").text("once").text("missed_max").integer(100);
        QCOMPARE(put.body, body.take());
    }

    void someoneElsesChangeIsNotOverwritten()
    {
        QVERIFY(open());
        QTRY_COMPARE(page().list()->model()->rowCount(), 1);
        choose();
        page().edit()->trigger();
        auto *dialog = m_fixture->window().findChild<ScheduleDialog *>();
        m_fixture->instead.insert("/v1/schedules/nightly", {412, WindowFixture::problem(412, "revision_mismatch", "It is revision 8.")});
        dialog->go()->click();
        QTRY_VERIFY(dialog->problem().startsWith(QStringLiteral("Someone else changed this schedule")));
        QVERIFY(dialog->isVisible());
    }

    void aDeletedScheduleCanBeHadBack()
    {
        QVERIFY(open());
        QTRY_COMPARE(page().list()->model()->rowCount(), 1);
        choose();
        page().remove()->trigger();
        auto *box = m_fixture->window().findChild<QMessageBox *>();
        QVERIFY(box);
        QCOMPARE(box->defaultButton()->text(), QStringLiteral("Cancel"));
        auto *reason = box->findChild<QLineEdit *>(QStringLiteral("reason"));
        QVERIFY(reason && reason->isVisible());
        auto *go = box->findChild<QPushButton *>(QStringLiteral("go"));
        reason->setFocus();
        for (const char letter : QByteArray("moved to cron")) {
            QVERIFY(box->isVisible()); // the spaces press no button
            QTest::keyClick(box->focusWidget(), letter);
        }
        QCOMPARE(reason->text(), QStringLiteral("moved to cron"));
        QVERIFY(go->isDefault());
        go->click();
        QTRY_VERIFY(said("DELETE", "/v1/schedules/nightly"));
        QCOMPARE(said("DELETE", "/v1/schedules/nightly")->fields.value("if-match"), QByteArray("\"7\""));
        QCOMPARE(said("DELETE", "/v1/schedules/nightly")->fields.value("junban-reason"), QByteArray("moved to cron"));
        QTRY_COMPARE(m_fixture->window().toast()->text(), QStringLiteral("Schedule deleted"));
        m_fixture->window().toast()->offer()->click();
        QTRY_VERIFY(said("PUT", "/v1/schedules/nightly"));
        QCOMPARE(said("PUT", "/v1/schedules/nightly")->fields.value("if-none-match"), QByteArray("*"));
        QVERIFY(!said("PUT", "/v1/schedules/nightly")->fields.contains("junban-reason"));
    }

private:
    enum class Detail { Row, Whole };
    QByteArray schedule(Detail detail) const
    {
        const qint64 now_ms = Clock::machine_ms();
        const auto time = [&](qint64 after_ms) { return isoTime(now_ms + after_ms); };
        MsgpackWriter writer;
        writer.map((m_paused ? 15 : 16) + (detail == Detail::Whole ? 2 : 0));
        writer.text("id").text("nightly").text("title").text("Nightly report");
        writer.text("cron").text("30 2 * * *").text("tz").text("Asia/Tokyo");
        writer.text("job").map(3).text("name").text("report.build").text("argument").map(1).text("kind").text("daily");
        writer.text("expires_in").integer(60);
        writer.text("overlap").text("skip").text("missed").text("once").text("missed_max").integer(100);
        writer.text("paused").boolean(m_paused).text("revision").integer(7);
        writer.text("created_at").text(time(-100'000)).text("updated_at").text(time(-100'000));
        if (!m_paused)
            writer.text("next_run_at").text(time(3'595'000));
        writer.text("last_job_state").text("failed").text("fired").integer(12).text("skipped").integer(1);
        if (detail == Detail::Whole) {
            writer.text("next_runs").array(2).text(time(3'595'000)).text(time(90'000'000));
            writer.text("runs").array(2).map(4).text("due_at").text(time(-60'000)).text("at").text(time(-60'000));
            writer.text("outcome").text("enqueued").text("job").text(WindowFixture::job(1).id.text());
            writer.map(4).text("due_at").text(time(-120'000)).text("at").text(time(-120'000));
            writer.text("outcome").text("skipped").text("passed_over").integer(3);
        }
        return writer.take();
    }
    void tell()
    {
        MsgpackWriter list;
        m_fixture->instead.insert("/v1/schedules",
                                  {200, list.map(1).text("schedules").array(1).raw(schedule(Detail::Row)).take()});
        m_fixture->instead.insert("/v1/schedules/nightly", {200, schedule(Detail::Whole)});
        m_fixture->instead.insert("/v1/schedules/nightly/pause", {200, schedule(Detail::Whole)});
        m_fixture->instead.insert("/v1/schedules/nightly/resume", {200, schedule(Detail::Whole)});
        MsgpackWriter enqueued;
        enqueued.map(2).text("id").text(WindowFixture::job(1).id.text()).text("state").text("ready");
        m_fixture->instead.insert("/v1/schedules/nightly/run", {201, enqueued.take()});
    }
    bool open()
    {
        const bool live = m_fixture->openLive();
        m_fixture->window().showScreen(MainWindow::Screen::Schedules);
        return live;
    }
    void choose()
    {
        page().list()->table()->selectRow(0);
        QTRY_VERIFY(page().chosen().has_value());
    }
    std::optional<ScriptedMaster::Request> said(const char *method, const char *path) const
    {
        for (const ScriptedMaster::Request &request : m_fixture->master().requests()) {
            if (request.method == method && request.path == path)
                return request;
        }
        return {};
    }
    SchedulesPage &page() const { return *m_fixture->window().schedulesPage(); }
    QString cell(int column) const { return page().list()->model()->index(0, column).data().toString(); }

    std::unique_ptr<WindowFixture> m_fixture;
    bool m_paused = false;
};

JUNBAN_TEST(TestSchedules)
#include "test_schedules.moc"
