#include "client/apiclient.h"
#include "core/msgpack/msgpackwriter.h"
#include "tests/support/await.h"
#include "tests/support/testmain.h"
#include "tests/ui/realmaster.h"
#include "ui/access/auditchange.h"
#include "ui/access/auditlogpage.h"
#include "ui/limits/constraintspage.h"
#include "ui/shell/console.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/payloadview.h"
#include "ui/widgets/recordlist.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QPushButton>
#include <QTemporaryDir>

using namespace junban;
using namespace junban::client;
using namespace junban::ui;
using junban::test::await;

// Who did what, in the window on a real master.
class TestAuditPage : public QObject
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
        QVERIFY(open({}));
    }

    void cleanupTestCase()
    {
        m_console.reset();
        m_own.reset();
        m_client.reset();
        if (m_master.state() != QProcess::NotRunning) {
            m_master.terminate();
            QVERIFY(m_master.waitForFinished(20'000));
        }
    }

    void withoutEntriesThereIsAWordAboutThem()
    {
        QTRY_VERIFY(window().offers(MainWindow::Screen::Audit));
        window().showScreen(MainWindow::Screen::Audit);
        QTRY_COMPARE(page().list()->empty()->title(), QStringLiteral("No entries"));
    }

    void whatIsDoneComesByItself()
    {
        QVERIFY(limitTo(2, 0, "the vendor asks for it"));
        QTRY_COMPARE(page().list()->model()->rowCount(), 1);
        QCOMPARE(cell(0, 1), QStringLiteral("local API"));
        QCOMPARE(cell(0, 2), QStringLiteral("127.0.0.1"));
        QCOMPARE(cell(0, 3), QStringLiteral("putMatcher"));
        QCOMPARE(cell(0, 4), QStringLiteral("mail"));
        QCOMPARE(cell(0, 5), QStringLiteral("201"));
        QCOMPARE(cell(0, 6), QStringLiteral("the vendor asks for it"));
        QVERIFY2(cell(0, 7).contains(QStringLiteral("constraints[0].limit: 2")), qPrintable(cell(0, 7)));
        QVERIFY(limitTo(8, 1, {}));
        QTRY_COMPARE(page().list()->model()->rowCount(), 2);
        QVERIFY2(cell(0, 7).contains(QStringLiteral("constraints[0].limit: 2 → 8")), qPrintable(cell(0, 7)));
    }

    void anEntryIsShownInFull()
    {
        page().list()->table()->selectRow(0);
        QCOMPARE(page().title(), QStringLiteral("putMatcher  mail"));
        QVERIFY2(page().about().contains(QStringLiteral("from 127.0.0.1")), qPrintable(page().about()));
        QVERIFY2(page().about().contains(QStringLiteral("administrator")), qPrintable(page().about()));
        const RecordModel &changes = *page().changes()->model();
        const int limit = changes.rowOf("constraints[0].limit");
        QVERIFY(limit >= 0);
        QCOMPARE(changes.index(limit, 1).data().toString(), QStringLiteral("2"));
        QCOMPARE(changes.index(limit, 2).data().toString(), QStringLiteral("8"));
        page().copy()->trigger();
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.contains(QStringLiteral("\"action\": \"putMatcher\"")), qPrintable(copied));
        QVERIFY(page().whole()->model().bytes().contains("putMatcher"));
    }

    void rowsHoldStillWhileOneIsChosen()
    {
        QVERIFY(limitTo(9, 2, {}));
        QTRY_VERIFY(foot().contains(QStringLiteral("1 newer, F5 shows it")));
        QCOMPARE(page().list()->model()->rowCount(), 2);
        const QByteArray chosen = page().list()->table()->chosen();
        page().refreshNow();
        QCOMPARE(page().list()->model()->rowCount(), 3);
        QCOMPARE(page().list()->table()->chosen(), chosen);
        QVERIFY(cell(0, 7).contains(QStringLiteral("8 → 9")));
    }

    void theTargetIsOpened()
    {
        page().list()->table()->selectRow(0);
        page().open()->trigger();
        QCOMPARE(window().screen(), MainWindow::Screen::Constraints);
        QTRY_VERIFY(window().constraintsPage()->chosen());
        QCOMPARE(window().constraintsPage()->chosen()->matcher.id, QByteArray("mail"));
        window().showScreen(MainWindow::Screen::Audit);
    }

    void aFilterNarrowsTheListOnEnter()
    {
        const auto refused = await<Done>([&](auto callback) { m_client->drainWorker("nobody", callback); });
        QVERIFY(!refused.ok());
        page().list()->table()->clearSelection();
        QTRY_COMPARE(page().list()->model()->rowCount(), 4);
        QCOMPARE(cell(0, 5), QStringLiteral("404"));
        page().action()->setText(QStringLiteral("putMatcher"));
        QVERIFY(page().hint()->isVisible());
        QCOMPARE(page().list()->model()->rowCount(), 4);
        QTest::keyClick(page().action(), Qt::Key_Return);
        QTRY_COMPARE(page().list()->model()->rowCount(), 3);
        QVERIFY(!page().hint()->isVisible());
        page().target()->setText(QStringLiteral("other"));
        QTest::keyClick(page().target(), Qt::Key_Return);
        QTRY_COMPARE(page().list()->empty()->title(), QStringLiteral("No entries for this filter"));
        page().list()->empty()->action()->click();
        QTRY_COMPARE(page().list()->model()->rowCount(), 4);
        QVERIFY(page().action()->text().isEmpty());
    }

    void aRowNarrowsTheList()
    {
        page().list()->table()->selectRow(0);
        page().sameAction()->trigger();
        QTRY_COMPARE(page().list()->model()->rowCount(), 1);
        QCOMPARE(page().filter().action, QByteArray("drainWorker"));
        QCOMPARE(page().action()->text(), QStringLiteral("drainWorker"));
    }

    void theLinkLeadsToTheSameViewInABrowser()
    {
        page().range()->setCurrentIndex(2);
        Q_EMIT page().range()->activated(2);
        QAction *copy = menuAction(QStringLiteral("Copy lin&k"));
        QVERIFY(copy);
        copy->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), m_url.toString() + QStringLiteral("/#/audit?action=drainWorker&range=24h"));
        page().setFilter({});
        window().showScreen(MainWindow::Screen::Jobs);
        m_console->open(QUrl(QGuiApplication::clipboard()->text()));
        QCOMPARE(window().screen(), MainWindow::Screen::Audit);
        QCOMPARE(page().filter().action, QByteArray("drainWorker"));
        QCOMPARE(page().range()->currentIndex(), 2);
        QTRY_COMPARE(page().list()->model()->rowCount(), 1);
    }

    void ctrlFLeadsToTheFilter()
    {
        page().list()->table()->setFocus();
        menuAction(QStringLiteral("&Filter"))->trigger();
        QTRY_VERIFY(page().actor()->hasFocus());
    }

    void olderOnesAreLoadedOnDemand()
    {
        page().setFilter({});
        for (int i = 0; i < AuditLogPage::rowsAtOnce + 10; ++i)
            QVERIFY(!await<Done>([&](auto callback) { m_client->drainWorker("nobody-" + QByteArray::number(i), callback); }).ok());
        m_console->open(QUrl(QStringLiteral("#/audit?actor=loopback")));
        QTRY_COMPARE(page().list()->model()->rowCount(), AuditLogPage::rowsAtOnce);
        QPushButton *more = page().list()->findChild<QPushButton *>();
        for (QPushButton *button : page().list()->findChildren<QPushButton *>())
            more = button->text() == QStringLiteral("Load more") ? button : more;
        QVERIFY(more->isVisible());
        more->click();
        QTRY_COMPARE(page().list()->model()->rowCount(), AuditLogPage::rowsAtOnce + 14);
        QVERIFY(!more->isVisible());
        // What is new comes to those that were loaded.
        QVERIFY(!await<Done>([&](auto callback) { m_client->drainWorker("last", callback); }).ok());
        page().refreshNow();
        QTRY_COMPARE(page().list()->model()->rowCount(), AuditLogPage::rowsAtOnce + 15);
        QCOMPARE(cell(0, 4), QStringLiteral("last"));
    }

    void aFilterThatTheMasterRefusesIsSaid()
    {
        page().setFilter({QString(limits::name_bytes_max, QChar(0x3042)).toUtf8()}); // as many characters, and too many bytes
        QTRY_COMPARE(page().list()->empty()->title(), QStringLiteral("The audit could not be read"));
        QVERIFY(!page().list()->empty()->text().isEmpty());
        page().setFilter({});
        QTRY_VERIFY(page().list()->model()->rowCount() > 0);
    }

    void onlyAdministratorsHaveTheScreen()
    {
        const auto make = [this](Role role) {
            const TokenSpec spec{.note = "the " + QByteArray(roleWords[size_t(role)]), .roles = {role}};
            return await<CreatedToken>([&](auto callback) { m_client->createToken(spec, callback); });
        };
        const auto admin = make(Role::Admin);
        QVERIFY(admin.ok());
        m_client->setToken(admin->text);
        const auto viewer = make(Role::Viewer);
        QVERIFY(viewer.ok());
        QVERIFY(open(viewer->text));
        QTRY_COMPARE(role(), QStringLiteral("the viewer (viewer)"));
        QVERIFY(!window().offers(MainWindow::Screen::Audit));
        QVERIFY(!menuAction(QStringLiteral("Au&dit"))->isVisible());
        QVERIFY(open(admin->text));
        QTRY_VERIFY(window().offers(MainWindow::Screen::Audit));
        window().showScreen(MainWindow::Screen::Audit);
        // The note names who made the viewer's token.
        QTRY_VERIFY(page().list()->model()->rowCount() > 0);
        QCOMPARE(cell(0, 3), QStringLiteral("createToken"));
        QCOMPARE(cell(0, 1), QStringLiteral("the admin"));
    }

    void aWindowThatMayNotReadItLeavesTheScreen()
    {
        window().remember();
        const TokenSpec spec{.roles = {Role::Viewer}};
        const auto viewer = await<CreatedToken>([&](auto callback) { m_client->createToken(spec, callback); });
        QVERIFY(viewer.ok());
        QVERIFY(open(viewer->text));
        QTRY_COMPARE(window().screen(), MainWindow::Screen::Overview);
    }

    void aChangeIsToldFieldByField()
    {
        MsgpackWriter was, is, cut;
        was.map(2).text("title").text("a").text("limits").array(2).integer(1).integer(2);
        is.map(3).text("title").text("a").text("limits").array(1).integer(3).text("note").map(0);
        const QByteArray before = was.take(), after = is.take();
        const QList<ChangedField> fields = changedFields(before, after);
        QCOMPARE(fields.size(), 3);
        QCOMPARE(fields[0].path, QStringLiteral("limits[0]"));
        QCOMPARE(fields[1].path, QStringLiteral("limits[1]"));
        QVERIFY(fields[1].after.isEmpty());
        QCOMPARE(fields[2].path, QStringLiteral("note"));
        QVERIFY(fields[2].before.isEmpty());
        QCOMPARE(changedFields({}, {}).size(), 0);
        QCOMPARE(sizeOfTruncated(before), 0);
        cut.map(2).text("truncated").boolean(true).text("size").integer(9'000);
        QCOMPARE(sizeOfTruncated(cut.take()), 9'000);
    }

private:
    // Opens a window with this token.
    bool open(const QByteArray &token)
    {
        m_console.reset();
        ApiClient::Options options{m_url};
        options.token = token;
        m_own = std::make_unique<ApiClient>(options);
        m_console = std::make_unique<Console>(*m_own, UiOptions{}, m_directory.filePath(QStringLiteral("console.ini")));
        m_console->show();
        return QTest::qWaitFor([this] { return window().feed().health().state == Health::State::Live; }, 20'000);
    }

    MainWindow &window() const { return *m_console->window(); }
    AuditLogPage &page() const { return *window().auditPage(); }
    QString cell(int row, int column) const { return page().list()->model()->index(row, column).data().toString(); }

    QString foot() const
    {
        QString all;
        for (const QLabel *label : page().list()->findChildren<QLabel *>())
            all += label->text() + QLatin1Char('\n');
        return all;
    }

    QString role() const
    {
        for (const QLabel *label : window().findChildren<QLabel *>()) {
            if (label->accessibleName() == QStringLiteral("Role"))
                return label->text();
        }
        return {};
    }

    QAction *menuAction(const QString &text) const
    {
        for (QAction *action : window().findChildren<QAction *>()) {
            if (action->text() == text)
                return action;
        }
        return nullptr;
    }

    bool limitTo(int jobs, qint64 revision, const QByteArray &reason)
    {
        JobMatcher matcher;
        matcher.id = matcher.title = "mail";
        matcher.expression = "job.name == \"mail.send\"";
        Constraint constraint;
        constraint.parameters = ConcurrencyParameters{.limit = jobs};
        matcher.constraints = {constraint};
        const ApiLink::Because because(*m_client, reason);
        return await<Checked<SavedMatcher>>([&](auto callback) { m_client->saveMatcher(matcher, revision, callback); }).ok();
    }

    QTemporaryDir m_directory;
    QProcess m_master;
    QUrl m_url;
    std::unique_ptr<ApiClient> m_client;
    std::unique_ptr<ApiClient> m_own;
    std::unique_ptr<Console> m_console;
};

JUNBAN_TEST(TestAuditPage)
#include "test_auditpage.moc"
