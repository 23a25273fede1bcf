#include "client/apiclient.h"
#include "tests/support/await.h"
#include "tests/support/testmain.h"
#include "tests/ui/realmaster.h"
#include "ui/access/auditlogpage.h"
#include "ui/access/madetokendialog.h"
#include "ui/access/newtokendialog.h"
#include "ui/access/tokenspage.h"
#include "ui/limits/expressionedit.h"
#include "ui/shell/console.h"
#include "ui/shell/tokendialog.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/endfield.h"
#include "ui/widgets/recordlist.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>

using namespace junban;
using namespace junban::client;
using namespace junban::ui;
using junban::test::await;

// Who may call, in the window on a real master: from the first token to the last one.
class TestTokensPage : public QObject
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

    void withoutTokensThereIsAWordAboutThemAndAButton()
    {
        QTRY_VERIFY(window().offers(MainWindow::Screen::Tokens));
        window().showScreen(MainWindow::Screen::Tokens);
        QTRY_COMPARE(page().list()->empty()->title(), QStringLiteral("No tokens"));
        page().list()->empty()->action()->click();
        QVERIFY(maker());
        QVERIFY(maker()->role(Role::Admin)->isChecked()); // the first must be one
    }

    void aTokenNeedsARole()
    {
        maker()->role(Role::Admin)->setChecked(false);
        maker()->go()->click();
        QCOMPARE(maker()->problem(), QStringLiteral("What may it do? Choose a role."));
        maker()->role(Role::Viewer)->setChecked(true);
        maker()->go()->click();
        QTRY_VERIFY2(maker()->problem().contains(QStringLiteral("admin")), qPrintable(maker()->problem())); // the master says so
    }

    void theTextOfATokenIsShownOnceAndStaysUntilItIsSaved()
    {
        maker()->role(Role::Viewer)->setChecked(false);
        maker()->role(Role::Admin)->setChecked(true);
        maker()->note()->setText(QStringLiteral("ada"));
        maker()->go()->click();
        QTRY_VERIFY(made());
        m_admin = made()->text()->text().toLatin1();
        QVERIFY(m_admin.startsWith("jt_"));
        QTest::keyClick(made(), Qt::Key_Escape);
        made()->close();
        QTest::keyClick(made(), Qt::Key_Return); // copies
        QVERIFY(made() && made()->isVisible());
        QCOMPARE(QGuiApplication::clipboard()->text().toLatin1(), m_admin);
    }

    // It would lock itself out otherwise.
    void theWindowGoesOnWithTheFirstToken()
    {
        QTest::qWait(3 * Feed::told_ms);
        QVERIFY(!window().findChild<TokenDialog *>());
        QCOMPARE(window().feed().health().state, Health::State::Live);
        made()->saved()->click();
        QTRY_VERIFY(!made());
        QTRY_COMPARE(page().list()->model()->rowCount(), 1);
        QCOMPARE(cell(0, 0), QStringLiteral("ada"));
        QCOMPARE(cell(0, 1), QStringLiteral("administrator"));
        QCOMPARE(cell(0, 2), QStringLiteral("all jobs"));
        QVERIFY2(cell(0, 3).startsWith(QStringLiteral("in 36")), qPrintable(cell(0, 3)));
        QCOMPARE(cell(0, 6), QStringLiteral("(no token yet)"));
        QVERIFY(window().offers(MainWindow::Screen::Tokens));
        QTRY_VERIFY2(page().about().endsWith(QStringLiteral("this window uses it")), qPrintable(page().about()));
    }

    void aTokenIsForSomeJobsAndSomeTime()
    {
        page().make()->trigger();
        QVERIFY(maker());
        QVERIFY(!maker()->role(Role::Admin)->isChecked());
        maker()->note()->setText(QStringLiteral("mailer"));
        maker()->role(Role::Pusher)->setChecked(true);
        maker()->names()->setText(QStringLiteral("mail.*, sum"));
        maker()->match()->setExpression("job.priority >");
        maker()->end()->choice()->setCurrentIndex(0);
        maker()->go()->click();
        QVERIFY(!maker()->problem().isEmpty());
        maker()->match()->setExpression("job.priority > 0");
        QTRY_COMPARE(maker()->match()->state(), ExpressionEdit::State::Valid);
        maker()->go()->click();
        QTRY_VERIFY(made());
        made()->saved()->click();
        QTRY_COMPARE(page().list()->model()->rowCount(), 2);
        QCOMPARE(cell(1, 0), QStringLiteral("mailer"));
        QCOMPARE(cell(1, 1), QStringLiteral("pusher"));
        QCOMPARE(cell(1, 2), QStringLiteral("mail.*, sum · job.priority > 0"));
        QCOMPARE(cell(1, 3), QStringLiteral("never"));
        QCOMPARE(cell(1, 4), QStringLiteral("never used"));
        QCOMPARE(cell(1, 6), QStringLiteral("ada"));
        QTRY_COMPARE(page().list()->table()->chosen(), page().list()->model()->keyAt(1));
    }

    void whatATokenDidIsInTheAudit()
    {
        const QByteArray ada = page().list()->model()->keyAt(0);
        page().list()->table()->choose(ada);
        page().did()->trigger();
        QCOMPARE(window().screen(), MainWindow::Screen::Audit);
        QCOMPARE(window().auditPage()->filter().actor, ada);
        QTRY_COMPARE(window().auditPage()->list()->model()->rowCount(), 1);
        QCOMPARE(window().auditPage()->list()->model()->index(0, 3).data().toString(), QStringLiteral("createToken"));
        // And back, to the token that it made.
        window().auditPage()->list()->table()->selectRow(0);
        window().auditPage()->open()->trigger();
        QCOMPARE(window().screen(), MainWindow::Screen::Tokens);
        QTRY_COMPARE(page().list()->table()->chosen(), page().list()->model()->keyAt(1));
    }

    void aQuestionSaysWhatStopsWorking()
    {
        page().list()->table()->choose(page().list()->model()->keyAt(1));
        page().revoke()->trigger();
        QVERIFY(question());
        QCOMPARE(question()->text(), QStringLiteral("Revoke the token “mailer”?"));
        QVERIFY2(question()->informativeText().contains(QStringLiteral("cannot be collected")), qPrintable(question()->informativeText()));
        QVERIFY(question()->informativeText().contains(QStringLiteral("never used")));
        answer(QStringLiteral("go"));
        QTRY_COMPARE(page().list()->model()->rowCount(), 1);
        QCOMPARE(window().toast()->text(), QStringLiteral("Token “mailer” revoked"));
    }

    void browsersAreSignedOut()
    {
        QAction *out = nullptr;
        for (QAction *action : window().findChildren<QAction *>())
            out = action->text() == QStringLiteral("Sign &out everywhere…") ? action : out;
        QVERIFY(out && out->isVisible());
        out->trigger();
        QVERIFY(question());
        answer(QStringLiteral("go"));
        QTRY_COMPARE(window().toast()->text(), QStringLiteral("All browsers are signed out."));
    }

    // Another administrator's token, so that the window's own is not the last one.
    void whoLosesTheTokenIsAskedForAnother()
    {
        const TokenSpec spec{.note = "eve", .roles = {Role::Admin}};
        const auto eve = await<CreatedToken>([&](auto callback) { m_client->createToken(spec, callback); });
        QVERIFY(eve.ok());
        QTRY_COMPARE(page().list()->model()->rowCount(), 2); // it comes by itself
        page().list()->table()->choose(page().list()->model()->keyAt(0));
        page().revoke()->trigger();
        QVERIFY(question()->informativeText().contains(QStringLiteral("This window uses it.")));
        answer(QStringLiteral("go"));
        QTRY_VERIFY(window().findChild<TokenDialog *>());
        auto *dialog = window().findChild<TokenDialog *>();
        dialog->token()->setText(QString::fromLatin1(eve->text));
        dialog->go()->click();
        QTRY_COMPARE(window().feed().health().state, Health::State::Live);
        QTRY_VERIFY(window().offers(MainWindow::Screen::Tokens));
    }

    void theLastTokenIsSaidToBeTheLast()
    {
        window().showScreen(MainWindow::Screen::Tokens);
        QTRY_COMPARE(page().list()->model()->rowCount(), 1);
        page().list()->table()->selectRow(0);
        page().revoke()->trigger();
        QVERIFY(question());
        QVERIFY(question()->informativeText().startsWith(QStringLiteral("It is the last token")));
        question()->reject();
    }

private:
    MainWindow &window() const { return *m_console->window(); }
    TokensPage &page() const { return *window().tokensPage(); }
    NewTokenDialog *maker() const { return window().findChild<NewTokenDialog *>(); }
    MadeTokenDialog *made() const { return window().findChild<MadeTokenDialog *>(); }
    QMessageBox *question() const { return window().findChild<QMessageBox *>(); }
    QString cell(int row, int column) const { return page().list()->model()->index(row, column).data().toString(); }

    void answer(const QString &button)
    {
        question()->findChild<QPushButton *>(button)->click();
        QTRY_VERIFY(!question());
    }

    QTemporaryDir m_directory;
    QProcess m_master;
    QUrl m_url;
    QByteArray m_admin;
    std::unique_ptr<ApiClient> m_client;
    std::unique_ptr<Console> m_console;
};

JUNBAN_TEST(TestTokensPage)
#include "test_tokenspage.moc"
