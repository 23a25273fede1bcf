#include "client/apiclient.h"
#include "client/purged.h"
#include "tests/support/await.h"
#include "tests/support/scriptedmaster.h"
#include "tests/support/testmain.h"
#include "tests/ui/packed.h"
#include "tests/ui/realmaster.h"
#include "ui/past/retentiondialog.h"
#include "ui/past/retentionpage.h"
#include "ui/shell/console.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/recordlist.h"

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>

using namespace junban;
using namespace junban::client;
using namespace junban::ui;
using junban::test::await;

// How long ended jobs are kept, in the window on a real master.
class TestRetentionPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_directory.isValid());
        m_url = test::startMaster(m_master, QStringLiteral(JUNBAN_BIN "/junband"), QStringLiteral("127.0.0.1:0"),
                                  m_directory.filePath(QStringLiteral("data")));
        QVERIFY(m_url.isValid());
        m_client = std::make_unique<ApiClient>(ApiClient::Options{m_url});
        m_console = std::make_unique<Console>(*m_client, UiOptions{}, m_directory.filePath(QStringLiteral("console.ini")));
        m_console->show();
        QTRY_COMPARE(window().feed().health().state, Health::State::Live);
        // Five cancelled jobs of one name, two of another.
        for (int i = 0; i < 7; ++i) {
            JobSpec spec;
            spec.name = i < 5 ? "a.name" : "other";
            const auto job = await<Enqueued>([&](auto callback) { m_client->enqueue(spec, callback); });
            QVERIFY(job.ok());
            QVERIFY(await<StateNow>([&](auto callback) { m_client->cancelJob(job->id, CancelMode::Ask, callback); }).ok());
        }
        window().showScreen(MainWindow::Screen::Retention);
        QTRY_COMPARE(list().model()->rowCount(), 1);
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

    void theDefaultsAreShown()
    {
        QCOMPARE(list().model()->headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Succeeded"));
        QCOMPARE(cell(0, 0), QStringLiteral("All names"));
        QCOMPARE(cell(0, 1), QStringLiteral("1 d · 100,000 jobs"));
        QCOMPARE(cell(0, 3), QStringLiteral("7 d · 10,000 jobs"));
        QVERIFY(!page().edit()->isEnabled());
        list().table()->selectRow(0);
        QTRY_VERIFY(page().edit()->isEnabled());
        QVERIFY(!page().clear()->isEnabled());
    }

    void aNameGetsSettingsOfItsOwnWhenSomebodyAgreesToWhatTheyPurge()
    {
        page().add()->trigger();
        QVERIFY(dialog());
        QCOMPARE(dialog()->count(2).unit->currentText(), QStringLiteral("same as all names (10,000)"));
        dialog()->name()->setText(QStringLiteral("a.name"));
        QTRY_COMPARE(dialog()->preview(), QStringLiteral("No job is purged at once."));
        dialog()->count(2).unit->setCurrentIndex(1);
        dialog()->count(2).amount->setValue(2);
        dialog()->age(1).unit->setCurrentIndex(4);
        dialog()->age(1).amount->setValue(3);
        QVERIFY(!dialog()->go()->isEnabled()); // until it is known
        QTRY_COMPARE(dialog()->preview(),
                     QStringLiteral("3 jobs are purged at once and cannot be brought back. Starred jobs stay.\ncancelled: 3"));
        dialog()->go()->click();
        auto *question = dialog()->findChild<QMessageBox *>();
        QVERIFY(question);
        QCOMPARE(question->text(), QStringLiteral("Save and purge 3 jobs?"));
        QCOMPARE(question->findChild<QPushButton *>(QStringLiteral("go"))->text(), QStringLiteral("Save and purge 3 jobs"));
        question->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_VERIFY(!dialog());
        QTRY_COMPARE(list().model()->rowCount(), 2);
        QCOMPARE(cell(1, 0), QStringLiteral("a.name"));
        QCOMPARE(cell(1, 1), QStringLiteral("same as all names"));
        QCOMPARE(cell(1, 2), QStringLiteral("3 d"));
        QCOMPARE(cell(1, 3), QStringLiteral("2 jobs"));
        QTRY_COMPARE_WITH_TIMEOUT(cancelled("a.name"), 2, 30'000);
        QCOMPARE(cancelled("other"), 2);
    }

    void whatSomebodyElseSavedMeanwhileStays()
    {
        list().table()->selectRow(1);
        page().edit()->trigger();
        QVERIFY(dialog());
        QCOMPARE(dialog()->age(1).amount->value(), 3);
        QCOMPARE(dialog()->age(1).unit->currentText(), QStringLiteral("days"));
        const auto now = await<KeptSettings>([&](auto callback) { m_client->retention(callback); });
        QVERIFY(now.ok());
        Retention theirs;
        theirs.succeeded.count = 9;
        QVERIFY(await<RetentionSettings>([&](auto callback) { m_client->setRetention("other", theirs, now->tag, callback); }).ok());
        dialog()->age(1).amount->setValue(4);
        QTRY_VERIFY(dialog()->go()->isEnabled());
        dialog()->go()->click();
        QTRY_VERIFY2(dialog()->problem().startsWith(QStringLiteral("Someone else changed the retention")), qPrintable(dialog()->problem()));
        dialog()->reject();
        QTRY_COMPARE(list().model()->rowCount(), 3); // it comes by itself
        QCOMPARE(cell(1, 2), QStringLiteral("3 d"));
    }

    void aNameIsKeptAsAllOthersAgain()
    {
        list().table()->selectRow(1);
        page().clear()->trigger();
        QTRY_VERIFY(window().findChild<QMessageBox *>());
        auto *question = window().findChild<QMessageBox *>();
        QCOMPARE(question->text(), QStringLiteral("Remove the settings of “a.name”?"));
        question->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(list().model()->rowCount(), 2);
        QCOMPARE(window().toast()->text(), QStringLiteral("Retention saved"));
    }

    void theDefaultComesBackWithoutItsNumber()
    {
        list().table()->selectRow(0);
        page().edit()->trigger();
        QCOMPARE(dialog()->age(0).unit->currentText(), QStringLiteral("default (1 d)"));
        dialog()->age(0).unit->setCurrentIndex(3);
        dialog()->age(0).amount->setValue(48);
        QTRY_VERIFY(dialog()->go()->isEnabled());
        dialog()->go()->click();
        QTRY_COMPARE(cell(0, 1), QStringLiteral("2 d · 100,000 jobs"));
        QTRY_VERIFY(!dialog());
    }

    // The number for all names also takes jobs of a name whose own age keeps them, beside those that are too old.
    void jobsOfANameWithItsOwnAgeMayBePurgedBesides()
    {
        const auto now = await<KeptSettings>([&](auto callback) { m_client->retention(callback); });
        QVERIFY(now.ok());
        Retention own;
        own.cancelled.age_ms = 86'400'000;
        const auto kept = await<RetentionSettings>([&](auto callback) { m_client->setRetention("other", own, now->tag, callback); });
        QVERIFY(kept.ok());
        Retention wanted = kept->all;
        wanted.cancelled.count = 3;
        QTest::qWait(20);
        QCOMPARE(purged(*kept, wanted), std::pair(qint64(1), true)); // of four
        wanted.cancelled.age_ms = 1;
        QCOMPARE(purged(*kept, wanted), std::pair(qint64(2), false)); // both of a.name, and perhaps one of the other
        wanted.cancelled.count = 4;
        QCOMPARE(purged(*kept, wanted), std::pair(qint64(2), true));
    }

    void whoeverSavesWithoutACountIsAsked()
    {
        int counts = 0, saved = 0;
        test::ScriptedMaster master([&](const test::ScriptedMaster::Request &request) -> test::ScriptedMaster::Answer {
            counts += request.path == "/v1/jobs/counts";
            saved += request.method == "PUT";
            return {200, test::packed("{'states':{},'next':'more','coverage':{'scanned':1000,'total':9000,'complete':false}}")};
        });
        QVERIFY(master.listen());
        ApiClient client({master.url()});
        QWidget window;
        auto *form = new RetentionDialog(client, {}, QByteArray(), Format(), &window); // it deletes itself
        form->count(2).unit->setCurrentIndex(1);
        form->count(2).amount->setValue(3);
        QTRY_VERIFY_WITH_TIMEOUT(form->go()->isEnabled(), 30'000);
        QCOMPARE(counts, 200);
        QVERIFY2(form->preview().startsWith(QStringLiteral("Some jobs may be purged at once")), qPrintable(form->preview()));
        form->go()->click();
        auto *question = form->findChild<QMessageBox *>();
        QVERIFY(question);
        QCOMPARE(question->text(), QStringLiteral("Save and purge an unknown number of jobs?"));
        QCOMPARE(saved, 0);
        question->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(saved, 1);
    }

private:
    std::pair<qint64, bool> purged(const RetentionSettings &settings, const Retention &wanted)
    {
        const auto found = await<Purged>([&](auto callback) { countPurged(*m_client, this, settings, {}, wanted, callback); });
        return found.ok() ? std::pair(found->jobs(), found->complete) : std::pair(qint64(-1), false);
    }

    MainWindow &window() const { return *m_console->window(); }
    RetentionPage &page() const { return *window().retentionPage(); }
    RecordList &list() const { return *page().list(); }
    RetentionDialog *dialog() const { return window().findChild<RetentionDialog *>(); }
    QString cell(int row, int column) const { return list().model()->index(row, column).data().toString(); }
    qint64 cancelled(const QByteArray &name)
    {
        JobQuery query;
        query.state = JobState::Cancelled;
        query.name = name;
        const auto counts = await<JobCounts>([&](auto callback) { m_client->jobCounts(query, callback); });
        return counts.ok() ? counts->byState[size_t(JobState::Cancelled)] : -1;
    }

    QTemporaryDir m_directory;
    QProcess m_master;
    QUrl m_url;
    std::unique_ptr<ApiClient> m_client;
    std::unique_ptr<Console> m_console;
};

JUNBAN_TEST(TestRetentionPage)
#include "test_retentionpage.moc"
