#include "tests/support/testmain.h"
#include "tests/ui/packed.h"
#include "tests/ui/windowfixture.h"
#include "ui/limits/bucketsview.h"
#include "ui/limits/constraintspage.h"
#include "ui/limits/overridedialog.h"
#include "ui/limits/kinds/parameterform.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/recordlist.h"

#include <QAction>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QToolButton>

using namespace junban;
using namespace junban::ui;
using junban::test::ScriptedMaster;
using junban::test::packed;
using junban::test::WindowFixture;

namespace {

QByteArray matcher(const QByteArray &id, const QByteArray &constraint)
{
    return "{'id':'" + id + "','title':'" + id + "','expression':'true','note':'','enabled':true,'rank':0,'exempts':[],'constraints':["
        + constraint + "],'revision':7,'edited_at':'2026-01-02T03:00:00.000Z','edited_by':'ken','names':{'class':'any'}}";
}

const QByteArray rate = "{'id':'mail.rate1','kind':'rate','limit':20,'period':1,'burst':40,'by':['job.argument.region'],"
    "'overrides':{'us':{'limit':5}}}";
const QByteArray breaker = "{'id':'shop.breaker1','kind':'breaker','by':['job.argument.region']}";

QByteArray live(const QByteArray &constraint, const QByteArray &matcher, int waiting)
{
    return "{'constraint':" + constraint + ",'matcher':'" + matcher + "','matcher_title':'','enabled':true,'buckets':1,'used':0,'waiting':"
        + QByteArray::number(waiting) + ",'would_hold':0,'closed':0,'complete':true}";
}

} // namespace

// Long lists of limits, and what can be done to one key of them, with a master that says what the test wants.
class TestBuckets : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_fixture = std::make_unique<WindowFixture>();
        // Every list has a second page.
        page("/v1/matchers", "after=", "{'matchers':[" + matcher("mail", rate) + "],'reading':0,'next':'mail'}",
             "{'matchers':[" + matcher("shop", breaker) + "],'reading':0}");
        page("/v1/constraints", "after=", "{'constraints':[" + live(rate, "mail", 3) + "],'next':'mail.rate1'}",
             "{'constraints':[" + live(breaker, "shop", 4) + "]}");
        page("/v1/constraints/mail.rate1/buckets", "cursor=",
             "{'buckets':[{'key':'us','used':5,'limit':5,'waiting':9,'would_hold':0,'open':false,'overridden':true}],'next':'7'}",
             "{'buckets':[{'key':'eu','used':1,'limit':20,'waiting':2,'would_hold':0,'open':true}]}");
        m_fixture->instead.insert("/v1/constraints/shop.breaker1/buckets", {200, packed("{'buckets':["
            "{'key':'eu','used':0,'waiting':2,'would_hold':0,'open':false,'breaker':'open'},"
            "{'key':'us','used':0,'waiting':2,'would_hold':0,'open':true,'breaker':'half_open'}]}")});
        m_fixture->instead.insert("/v1/held", {200, packed("{'held':[],'complete':true}")});
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Constraints);
        QTRY_COMPARE(constraints().list()->model()->rowCount(), 1);
    }
    void cleanup() { m_fixture.reset(); }

    void furtherMatchersAreLoadedWhenTheyAreWanted()
    {
        more(constraints().list())->click();
        QTRY_COMPARE(constraints().list()->model()->rowCount(), 2);
        QVERIFY(!more(constraints().list())->isVisible());
        // The live use of all constraints comes page by page by itself, and both stay when it is read again.
        QTRY_COMPARE(text(constraints().list(), 0, 5), QStringLiteral("3"));
        QTRY_COMPARE(text(constraints().list(), 1, 5), QStringLiteral("4"));
        const int before = m_fixture->requestsTo("/v1/constraints", "after=");
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->requestsTo("/v1/constraints", "after=") > before, 20'000);
        QCOMPARE(constraints().list()->model()->rowCount(), 2);
        QCOMPARE(text(constraints().list(), 0, 5), QStringLiteral("3"));
    }

    void aConstraintFurtherDownIsFound()
    {
        constraints().showConstraint("shop", "shop.breaker1");
        QTRY_COMPARE(constraints().list()->table()->chosen(), QByteArray("shop shop.breaker1"));
    }

    void furtherBucketsAreLoadedWhenTheyAreWanted()
    {
        choose("mail", "mail.rate1");
        QTRY_COMPARE(view().list()->model()->rowCount(), 1);
        more(view().list())->click();
        QTRY_COMPARE(view().list()->model()->rowCount(), 2);
        QCOMPARE(text(view().list(), 1, 0), QStringLiteral("eu"));
        QVERIFY(!more(view().list())->isVisible());
        QVERIFY(buttonOf(view().limits())->isVisible());
        QVERIFY(!buttonOf(view().trip())->isVisible());
    }

    void oneKeyGetsLimitsOfItsOwn()
    {
        choose("mail", "mail.rate1");
        QTRY_COMPARE(view().list()->model()->rowCount(), 1);
        view().list()->table()->selectRow(0);
        view().limits()->trigger();
        auto *dialog = m_fixture->window().findChild<OverrideDialog *>();
        QVERIFY(dialog);
        QCOMPARE(dialog->key()->text(), QStringLiteral("us"));
        QCOMPARE(std::get<RateParameters>(dialog->parameters()->read()).limit, 5); // its own, not the constraint's 20
        RateParameters wanted{.limit = 8, .burst = 40};
        dialog->parameters()->set(wanted);
        answerPut("/v1/constraints/mail.rate1/buckets/us", {412, WindowFixture::problem(412, "revision_mismatch", "8"),
                                                            "application/problem+msgpack"});
        dialog->go()->click();
        QTRY_VERIFY(dialog->problem().startsWith(QLatin1String("Someone else")));
        answerPut("/v1/constraints/mail.rate1/buckets/us", {200, packed(matcher("mail", rate).replace("'revision':7", "'revision':8"))});
        dialog->go()->click();
        QTRY_VERIFY(!m_fixture->window().findChild<OverrideDialog *>());
        QCOMPARE(m_put.body, packed("{'limit':8}"));
        QCOMPARE(m_put.fields.value("if-match"), QByteArray("\"7\""));
        QCOMPARE(m_fixture->window().toast()->text(), QStringLiteral("Revision 8 is active"));
    }

    void limitsOfItsOwnAreTakenAway()
    {
        choose("mail", "mail.rate1");
        QTRY_COMPARE(view().list()->model()->rowCount(), 1);
        QVERIFY(!view().unlimit()->isEnabled());
        view().list()->table()->selectRow(0);
        QVERIFY(view().unlimit()->isEnabled());
        answerPut("/v1/constraints/mail.rate1/buckets/us", {200, packed(matcher("mail", rate))});
        view().unlimit()->trigger();
        QTRY_COMPARE(m_put.body, packed("{}"));
    }

    void aKeyWithoutABucketIsFilledIn()
    {
        choose("mail", "mail.rate1");
        QTRY_COMPARE(view().list()->model()->rowCount(), 1);
        view().limits()->trigger();
        auto *dialog = m_fixture->window().findChild<OverrideDialog *>();
        dialog->go()->click();
        QCOMPARE(dialog->problem(), QStringLiteral("Which key?"));
        dialog->key()->setText(QStringLiteral("asia"));
        dialog->go()->click();
        QCOMPARE(dialog->problem(), QStringLiteral("The key has these limits already."));
    }

    void theStateOfABucketIsNotCutInASmallWindow()
    {
        m_fixture->window().resize(1024, 700);
        choose("shop", "shop.breaker1");
        const RecordTable *table = view().list()->table();
        QTRY_COMPARE(view().list()->model()->rowCount(), 2);
        const QFontMetrics metrics = table->fontMetrics();
        for (const char *state : {"tripped", "probing"})
            QTRY_VERIFY2(table->columnWidth(1) > metrics.horizontalAdvance(QLatin1String(state)) + 2 * metrics.averageCharWidth(), state);
    }

    // Who points at a row or has chosen one acts on it next.
    void neitherRowsNorButtonsMoveUnderWhoChoseAKey()
    {
        const auto tell = [this](int eu, int us) {
            const QByteArray row = ",'used':0,'would_hold':0,'open':true,'breaker':'closed','waiting':";
            m_fixture->instead.insert("/v1/constraints/shop.breaker1/buckets",
                {200, packed("{'buckets':[{'key':'eu'" + row + QByteArray::number(eu) + "},{'key':'us'" + row + QByteArray::number(us)
                             + "}]}")});
        };
        tell(9, 3);
        choose("shop", "shop.breaker1");
        QTRY_COMPARE(view().list()->model()->keyAt(0), QByteArray("eu"));
        const QPoint trip = buttonOf(view().trip())->mapTo(&m_fixture->window(), QPoint());
        view().list()->table()->selectRow(1);
        tell(3, 9);
        QTRY_COMPARE_WITH_TIMEOUT(text(view().list(), 1, 4), QStringLiteral("9"), 20'000);
        QCOMPARE(view().list()->table()->chosen(), QByteArray("us"));
        QCOMPARE(view().list()->model()->keyAt(0), QByteArray("eu"));
        QCOMPARE(buttonOf(view().trip())->mapTo(&m_fixture->window(), QPoint()), trip);
        view().list()->table()->clearSelection();
        QTRY_COMPARE_WITH_TIMEOUT(view().list()->model()->keyAt(0), QByteArray("us"), 20'000);
    }

    void breakersAreTrippedAndResetByHand()
    {
        choose("shop", "shop.breaker1");
        QTRY_COMPARE(view().list()->model()->rowCount(), 2);
        QCOMPARE(text(view().list(), 0, 1), QStringLiteral("tripped"));
        QCOMPARE(text(view().list(), 1, 1), QStringLiteral("probing"));
        m_fixture->instead.insert("/v1/constraints/shop.breaker1/trip", {200, packed("{'buckets':2}")});
        m_fixture->instead.insert("/v1/constraints/shop.breaker1/reset", {200, packed("{'buckets':1}")});
        view().trip()->trigger();
        QVERIFY2(question()->informativeText().contains(QStringLiteral("starts for 30 s;")), qPrintable(question()->informativeText()));
        QVERIFY(answerQuestion(QStringLiteral("Trip the breaker of “shop” for all keys?")));
        QTRY_COMPARE(m_fixture->window().toast()->text(), QStringLiteral("Tripped for 2 keys"));
        QCOMPARE(bodyOf("/v1/constraints/shop.breaker1/trip"), packed("{}"));
        view().list()->table()->selectRow(0);
        view().reset()->trigger();
        QVERIFY(answerQuestion(QStringLiteral("Reset the breaker of “shop” for eu?")));
        QTRY_COMPARE(m_fixture->window().toast()->text(), QStringLiteral("Reset for 1 key"));
        QCOMPARE(bodyOf("/v1/constraints/shop.breaker1/reset"), packed("{'key':'eu'}"));
    }

private:
    ConstraintsPage &constraints() const { return *m_fixture->window().constraintsPage(); }
    BucketsView &view() const { return *constraints().bucketsView(); }
    static QString text(RecordList *list, int row, int column) { return list->model()->index(row, column).data().toString(); }
    static QPushButton *more(RecordList *list)
    {
        for (QPushButton *button : list->findChildren<QPushButton *>()) {
            if (button->text() == QLatin1String("Load more"))
                return button;
        }
        return nullptr;
    }

    QToolButton *buttonOf(QAction *action) const
    {
        for (QToolButton *button : view().findChildren<QToolButton *>()) {
            if (button->defaultAction() == action)
                return button;
        }
        return nullptr;
    }

    void page(const QByteArray &path, const QByteArray &further, const QByteArray &first, const QByteArray &second)
    {
        m_fixture->answers.insert(path, [=](const ScriptedMaster::Request &request) {
            return ScriptedMaster::Answer{200, packed(request.query.contains(further) ? second : first)};
        });
    }
    void choose(const QByteArray &matcher, const QByteArray &constraint)
    {
        constraints().showConstraint(matcher, constraint);
        QTRY_COMPARE(constraints().list()->table()->chosen(), matcher + ' ' + constraint);
    }
    QMessageBox *question() const { return m_fixture->window().findChild<QMessageBox *>(); }
    void answerPut(const QByteArray &path, const ScriptedMaster::Answer &answer)
    {
        m_fixture->answers.insert(path, [this, answer](const ScriptedMaster::Request &request) {
            m_put = request;
            return answer;
        });
    }
    // Says yes to the question, if it is this one.
    bool answerQuestion(const QString &title)
    {
        auto *question = m_fixture->window().findChild<QMessageBox *>();
        if (!question || question->text() != title)
            return false;
        question->findChild<QPushButton *>(QStringLiteral("go"))->click();
        return QTest::qWaitFor([this] { return !m_fixture->window().findChild<QMessageBox *>(); });
    }
    QByteArray bodyOf(const QByteArray &path) const
    {
        QByteArray body;
        for (const ScriptedMaster::Request &request : m_fixture->master().requests())
            body = request.path == path ? request.body : body;
        return body;
    }

    std::unique_ptr<WindowFixture> m_fixture;
    ScriptedMaster::Request m_put;
};

JUNBAN_TEST(TestBuckets)
#include "test_buckets.moc"
