#include "core/base/clock.h"
#include "core/base/isotime.h"
#include "core/msgpack/msgpackwriter.h"
#include "tests/support/testmain.h"
#include "tests/ui/packed.h"
#include "tests/ui/windowfixture.h"
#include "ui/base/look.h"
#include "ui/base/palettes.h"
#include "ui/inspector/explainview.h"
#include "ui/inspector/jobinspector.h"
#include "ui/jobs/jobactions.h"
#include "ui/jobs/jobspage.h"
#include "ui/jobs/jobtablemodel.h"
#include "ui/limits/constraintspage.h"
#include "ui/limits/filterbar.h"
#include "ui/limits/matcherdialog.h"
#include "ui/limits/pausedialog.h"
#include "ui/limits/savedfilters.h"
#include "ui/operations/operationspage.h"
#include "ui/overview/barpanel.h"
#include "ui/overview/counttile.h"
#include "ui/overview/overviewpage.h"
#include "ui/overview/rangedialog.h"
#include "ui/overview/throughputchart.h"
#include "ui/past/failurespage.h"
#include "ui/schedules/schedulespage.h"
#include "ui/shell/palettedialog.h"
#include "ui/shell/reasondialog.h"
#include "ui/shell/startfailure.h"
#include "ui/shell/stateitems.h"
#include "ui/shell/statestrip.h"
#include "ui/shell/tokendialog.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/payloadview.h"
#include "ui/widgets/recordlist.h"
#include "ui/past/retentionpage.h"
#include "ui/widgets/verticalroom.h"
#include "ui/widgets/tabrow.h"
#include "ui/workers/workerspage.h"

#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QCompleter>
#include <QDateTimeEdit>
#include <QDesktopServices>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStackedWidget>
#include <QSignalSpy>
#include <QSpinBox>
#include <QScreen>
#include <QStatusBar>
#include <QTableView>
#include <QTabBar>
#include <QTabWidget>
#include <QWindow>
#include <QToolButton>
#include <QToolTip>
#include <QUrlQuery>

using namespace junban;
using namespace junban::ui;
using junban::test::packed;
using junban::test::ScriptedMaster;
using junban::test::WindowFixture;

namespace {

constexpr char sixLimits[] = "{'constraints':["
    "{'constraint':{'id':'mail.rate1','kind':'rate','limit':20,'period':1,'burst':1},'matcher':'mail',"
    "'matcher_title':'Mail vendor','enabled':true,'buckets':4,'used':0,'waiting':9,'would_hold':0,'closed':1,'complete':true},"
    "{'constraint':{'id':'img.c1','kind':'concurrency','limit':4},'matcher':'img','matcher_title':'Images','enabled':true,"
    "'buckets':1,'used':3,'waiting':0,'would_hold':0,'closed':0,'complete':true},"
    "{'constraint':{'id':'try.c1','kind':'concurrency','limit':4,'mode':'observe'},'matcher':'try','enabled':true,"
    "'buckets':1,'used':4,'waiting':0,'would_hold':0,'closed':0,'complete':true},"
    "{'constraint':{'id':'mail.b1','kind':'backlog','max_ready':18},'matcher':'mail','matcher_title':'Mail','enabled':true,"
    "'buckets':1,'used':0,'waiting':9,'would_hold':0,'closed':0,'complete':true},"
    "{'constraint':{'id':'sms.rate1','kind':'rate','limit':20,'period':1,'burst':1},'matcher':'sms','matcher_title':'SMS',"
    "'enabled':true,'buckets':1,'used':0,'waiting':3,'would_hold':0,'closed':0,'complete':true},"
    "{'constraint':{'id':'pay.b1','kind':'breaker'},'matcher':'pay','matcher_title':'Payments','enabled':true,"
    "'buckets':2,'used':0,'waiting':7,'would_hold':0,'closed':1,'complete':true}]}";

template<typename T>
T *named(QWidget *parent, const char *accessibleName)
{
    for (T *widget : parent->findChildren<T *>()) {
        if (widget->accessibleName() == QLatin1String(accessibleName))
            return widget;
    }
    return nullptr;
}

// The filters that a master keeps by name, as far as the window needs them.
struct KeptFilters {
    QMap<QByteArray, SavedFilter> all = {};
    qint64 revision = 1'000;

    bool has(const QByteArray &name) const { return all.contains(name); }
    FilterBody of(const QByteArray &name) const { return all.value(name).body; }
    SavedFilter put(const QByteArray &name, const FilterBody &body)
    {
        return *all.insert(name, {name, body, "ada", 1'767'323'045'000, ++revision});
    }
    std::optional<ScriptedMaster::Answer> answer(const ScriptedMaster::Request &request)
    {
        using Answer = ScriptedMaster::Answer;
        if (request.path == "/v1/filters")
            return Answer{200, pack(filterListTable, FilterList{all.values()})};
        if (!request.path.startsWith("/v1/filters/"))
            return {};
        const QByteArray name = request.path.mid(int(qstrlen("/v1/filters/")));
        const QByteArray tag = has(name) ? '"' + QByteArray::number(all.value(name).revision) + '"' : QByteArray();
        if (request.fields.value("if-match") != tag)
            return Answer{412, WindowFixture::problem(412, "revision_mismatch", "It has changed.")};
        if (request.method == "PUT")
            return Answer{201, pack(savedFilterTable, put(name, *unpackRequest(filterBodyTable, request.body)))};
        return Answer{200, pack(savedFilterTable, all.take(name))};
    }
};

} // namespace

// Every screen's states, against a master that says what the test wants.
class TestWindow : public QObject
{
    Q_OBJECT

public Q_SLOTS:
    void openUrl(const QUrl &url) { m_opened = url; }

private Q_SLOTS:
    void init() { m_fixture = std::make_unique<WindowFixture>(); }
    void cleanup() { m_fixture.reset(); }

    void withoutAMasterThereIsACardThatSaysWhyAndTriesAgain()
    {
        m_fixture->open();
        MainWindow &window = m_fixture->window();
        QVERIFY(window.showsConnectionCard());
        QTRY_VERIFY(window.connectionCard()->title().contains(QLatin1String("No connection to http://127.0.0.1:9")));
        QVERIFY(window.connectionCard()->text().contains(QLatin1String("Next try in")));
        QVERIFY(!window.banner()->isVisible());
    }

    void aMasterThatComesLaterIsFoundWithoutAnyonesHelp()
    {
        QVERIFY(m_fixture->serve());
        const quint16 port = m_fixture->master().port();
        m_fixture->open();
        m_fixture->master().kill();
        QTRY_VERIFY(m_fixture->window().feed().health().since_ms > 0);
        QVERIFY(m_fixture->window().showsConnectionCard());
        QVERIFY(m_fixture->serve(port));
        QTRY_VERIFY(!m_fixture->window().showsConnectionCard());
    }

    void aRefusedTokenIsSaidInWords()
    {
        m_fixture->instead.insert("/v1/overview", {401, WindowFixture::problem(401, "unauthorized", "no"), "application/vnd.msgpack"});
        QVERIFY(m_fixture->serve());
        m_fixture->open();
        QTRY_VERIFY(m_fixture->window().connectionCard()->text().contains(QLatin1String("The master needs a token. It says: no")));
    }

    void aMasterThatWantsATokenIsGivenOne()
    {
        QByteArray wanted = "jt_good";
        m_fixture->guard = [&wanted](const ScriptedMaster::Request &request) {
            const QByteArray given = request.fields.value("authorization");
            if (given == "Bearer " + wanted)
                return std::optional<ScriptedMaster::Answer>();
            const char *why = given.isEmpty() ? "A token is needed." : "The token is not known.";
            return std::optional(ScriptedMaster::Answer{401, WindowFixture::problem(401, "unauthorized", why), "application/vnd.msgpack"});
        };
        QVERIFY(m_fixture->serve());
        m_fixture->open();
        MainWindow &window = m_fixture->window();
        const auto dialog = [&window] { return window.findChild<TokenDialog *>(QStringLiteral("token")); };
        QTRY_VERIFY(dialog());
        QString asked = dialog()->findChild<QLabel *>()->text();
        QVERIFY(asked.contains(m_fixture->master().url().toString()));
        QVERIFY(asked.contains(QLatin1String("A token is needed.")));
        QCOMPARE(dialog()->token()->echoMode(), QLineEdit::Password);
        dialog()->go()->click();
        QVERIFY(!dialog()->problem().isEmpty());
        dialog()->token()->setText(QStringLiteral("jt_bad"));
        dialog()->go()->click();
        QTRY_VERIFY(dialog() && dialog()->findChild<QLabel *>()->text().contains(QLatin1String("The token is not known.")));
        // Who says no is not asked again, but can say it.
        dialog()->reject();
        QTRY_VERIFY(!dialog());
        const int asks = m_fixture->requestsTo("/v1/overview");
        QTRY_VERIFY(m_fixture->requestsTo("/v1/overview") > asks);
        QVERIFY(!dialog());
        QCOMPARE(window.connectionCard()->action()->text(), QStringLiteral("Enter a token"));
        window.connectionCard()->action()->click();
        QTRY_VERIFY(dialog());
        dialog()->token()->setText(QStringLiteral(" jt_good\n"));
        dialog()->go()->click();
        QTRY_VERIFY(!window.showsConnectionCard());
        // Revoked while the window is open.
        wanted = "jt_other";
        QTRY_VERIFY(dialog());
        QVERIFY(window.banner()->isVisible());
        QCOMPARE(window.banner()->action()->text(), QStringLiteral("Enter a token"));
        dialog()->token()->setText(QStringLiteral("jt_other"));
        dialog()->go()->click();
        QTRY_VERIFY(!window.banner()->isVisible());
    }

    void aMasterThatIsInsecureIsShownInRed()
    {
        QVERIFY(m_fixture->openLive());
        Banner *banner = m_fixture->window().insecureBanner();
        QVERIFY(!banner->isVisible());
        m_fixture->fields = {{"Junban-Insecure", "true"}};
        QTRY_VERIFY(banner->isVisible());
        QVERIFY(banner->text().contains(QLatin1String("--insecure")));
        const QColor color = banner->palette().color(QPalette::Window);
        QVERIFY(color.red() > 2 * color.green() && color.red() > 2 * color.blue());
        QVERIFY(!banner->action()->isVisible());
        m_fixture->fields.clear();
        QTRY_VERIFY(!banner->isVisible());
    }

    void aMasterBehindTlsIsSaidBesideItsAddress()
    {
        m_fixture->fields = {{"Junban-Behind-TLS", "true"}};
        QVERIFY(m_fixture->openLive());
        const QList<QLabel *> labels = m_fixture->window().statusBar()->findChildren<QLabel *>();
        QTRY_VERIFY(std::any_of(
            labels.begin(), labels.end(), [](QLabel *label) { return label->text().contains(QLatin1String(", --behind-tls: ")); }));
    }

    void anEmptyQueueOffersAFirstJobToCopy()
    {
        m_fixture->enqueuedTotal = 0;
        QVERIFY(m_fixture->openLive());
        OverviewPage *page = m_fixture->window().overviewPage();
        QVERIFY(page->showsEmpty());
        named<QToolButton>(page->empty(), "Copy the command")->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(m_fixture->master().url().toString() + QLatin1String("/v1/jobs")));
        m_fixture->enqueuedTotal = 1;
        QTRY_VERIFY(!page->showsEmpty());
    }

    void theOverviewCountsAndDrawsWhatComes()
    {
        m_fixture->answers.insert("/v1/series", [](const ScriptedMaster::Request &) {
            const qint64 from_s = Clock::machine_ms() / 1'000 - 299;
            MsgpackWriter series;
            series.map(5).text("metric").text("enqueued").text("step").integer(1).text("from").text(isoTime(from_s * 1'000));
            series.text("values").array(300);
            for (int i = 0; i < 300; ++i)
                series.integer(13);
            series.text("gaps").array(1).map(2).text("from").text(isoTime((from_s + 20) * 1'000));
            return ScriptedMaster::Answer{200, series.text("to").text(isoTime((from_s + 40) * 1'000)).take()};
        });
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2), WindowFixture::job(3, JobState::Failed)};
        QVERIFY(m_fixture->openLive());
        OverviewPage *page = m_fixture->window().overviewPage();
        QTRY_COMPARE(page->tile(JobState::Ready)->count(), QStringLiteral("2"));
        QCOMPARE(page->tile(JobState::Failed)->count(), QStringLiteral("1"));
        ThroughputChart *chart = page->chart();
        QVERIFY(chart->accessibleDescription().contains(QLatin1String("enqueued 13/s")));
        QTRY_COMPARE(chart->pieces(Metric::Enqueued).size(), 2); // nobody counted for twenty seconds
        QVERIFY(chart->readOut().isEmpty());
        QTest::mouseMove(chart, chart->rect().center() + QPoint(chart->width() / 3, 0));
        QTRY_VERIFY(chart->readOut().contains(QLatin1String("enqueued 13/s")));
        QTest::keyClick(chart, Qt::Key_Left);
        QVERIFY(!chart->readOut().isEmpty());
        // A line that is hidden is in no read-out; the last one stays.
        for (const Qt::Key key : {Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4})
            QTest::keyClick(chart, key);
        QVERIFY(chart->hides(Metric::Enqueued) && !chart->hides(Metric::Failures));
        QVERIFY(!chart->readOut().contains(QLatin1String("enqueued")) && chart->readOut().contains(QLatin1String("failures")));
        const int line = chart->fontMetrics().height();
        QTest::mouseClick(chart, Qt::LeftButton, {}, {int(chart->legendOf(Metric::Enqueued).first.center().x()), line / 2});
        QVERIFY(!chart->hides(Metric::Enqueued));
        for (const Qt::Key key : {Qt::Key_2, Qt::Key_3})
            QTest::keyClick(chart, key);
        page->tile(JobState::Failed)->click();
        QCOMPARE(m_fixture->window().screen(), MainWindow::Screen::Jobs);
        QTRY_COMPARE(m_fixture->window().jobsPage()->list().model().rowCount(), 1);
    }

    void aNameThatIsSelectedHasTheChart()
    {
        QStringList asked;
        m_fixture->answers.insert("/v1/series", [&asked](const ScriptedMaster::Request &request) {
            const QUrlQuery query(QString::fromLatin1(request.query));
            asked.append(query.queryItemValue(QStringLiteral("metric")) + query.queryItemValue(QStringLiteral("name")));
            const int value = query.hasQueryItem(QStringLiteral("name")) ? 180 : 360;
            const qint64 from_s = (Clock::machine_ms() / 60'000 - 1) * 60;
            return ScriptedMaster::Answer{200, packed("{'metric':'" + query.queryItemValue(QStringLiteral("metric")).toLatin1()
                + "','step':60,'from':'" + isoTime(from_s * 1'000) + "','values':[" + QByteArray::number(value) + ",0],'gaps':[]}")};
        });
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        OverviewPage &page = *m_fixture->window().overviewPage();
        const auto firstRate = [&page](Metric metric) {
            const QList<QList<QPointF>> pieces = page.chart()->pieces(metric);
            return pieces.isEmpty() ? -1.0 : pieces.first().first().y();
        };
        QTRY_COMPARE(firstRate(Metric::Started), 6.0);
        QTRY_COMPARE(page.names()->model()->rowCount(), 1);
        asked.clear();
        page.names()->selectRow(0);
        QCOMPARE(page.chartTitle(), QStringLiteral("job.1"));
        QTRY_COMPARE(firstRate(Metric::Enqueued), 3.0);
        const auto says = [&page](Metric metric) { return page.chart()->legendOf(metric).second; };
        m_fixture->window().resize(1600, 900); // where there is room for figures
        QTRY_VERIFY2(says(Metric::Enqueued).startsWith(QLatin1String("enqueued "))
                         && says(Metric::Enqueued).endsWith(QLatin1String("/s (180)")), // how many in all
                     qPrintable(says(Metric::Enqueued)));
        QCOMPARE(says(Metric::Started), QString());
        QCOMPARE(firstRate(Metric::Started), -1.0); // which is not kept by name
        asked.sort();
        const QStringList kept{QStringLiteral("enqueuedjob.1"), QStringLiteral("failuresjob.1"), QStringLiteral("succeededjob.1")};
        QCOMPARE(asked.first(3), kept);
        page.allNames()->click();
        QCOMPARE(page.chartTitle(), QStringLiteral("Throughput"));
        QTRY_COMPARE(firstRate(Metric::Started), 6.0);
        QVERIFY(!page.allNames()->isVisible());
    }

    void theChartShowsYesterdayAndAnyRange()
    {
        QList<QUrlQuery> asked;
        const auto untilOf = [](const QUrlQuery &query) { return query.queryItemValue(QStringLiteral("until"), QUrl::FullyDecoded); };
        m_fixture->answers.insert("/v1/series", [&asked, untilOf](const ScriptedMaster::Request &request) {
            const QUrlQuery query(QString::fromLatin1(request.query));
            asked.append(query);
            const QDateTime until = QDateTime::fromString(untilOf(query), Qt::ISODateWithMs);
            const qint64 to_s = until.isValid() ? until.toSecsSinceEpoch() : Clock::machine_ms() / 1'000;
            const QByteArray from = isoTime((to_s - 7'200) * 1'000); // the first step is a little before the range
            return ScriptedMaster::Answer{200, packed("{'metric':'" + query.queryItemValue(QStringLiteral("metric")).toLatin1()
                + "','step':3600,'from':'" + from + "','values':[36,360000],'gaps':[]}")};
        });
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        m_fixture->window().resize(1600, 900); // where there is room for figures
        OverviewPage &page = *m_fixture->window().overviewPage();
        ThroughputChart &chart = *page.chart();
        QTRY_COMPARE(chart.pieces(Metric::Enqueued).size(), 1);
        const QList<QAction *> menu = page.otherRanges()->menu()->actions();
        asked.clear();
        menu[0]->trigger();
        QTRY_VERIFY(!asked.isEmpty() && asked.last().hasQueryItem(QStringLiteral("until"))); // one before may still come
        QCOMPARE(asked.last().queryItemValue(QStringLiteral("range")), QStringLiteral("86400"));
        const QDateTime midnight = QDateTime::fromString(untilOf(asked.last()), Qt::ISODateWithMs);
        QCOMPARE(midnight.time(), QTime(0, 0));
        QVERIFY(midnight.toMSecsSinceEpoch() <= Clock::machine_ms());
        QCOMPARE(page.otherRanges()->text(), QStringLiteral("Yesterday"));
        QVERIFY(page.otherRanges()->isChecked());
        QTRY_COMPARE(chart.pieces(Metric::Enqueued).size(), 1);
        // What the legend adds up is what the axis shows, and a mean is said to be one.
        QCOMPARE(chart.axis().first, (midnight.toSecsSinceEpoch() - 7'200) * 1'000);
        QCOMPARE(chart.axis().second, midnight.toMSecsSinceEpoch());
        QCOMPARE(chart.legendOf(Metric::Enqueued).second, QStringLiteral("enqueued avg 50/s (360,036)"));
        // One burst does not flatten the rest.
        QCOMPARE(chart.gridRates().value(1), 30.0);
        menu[3]->trigger();
        QCOMPARE(chart.gridRates(), (QList<double>{0, 0.1, 1, 10, 100}));
        menu[3]->trigger();

        menu[1]->trigger();
        auto *dialog = page.findChild<RangeDialog *>();
        QVERIFY(dialog);
        dialog->to()->setDateTime(dialog->from()->dateTime());
        dialog->go()->click();
        QCOMPARE(dialog->problem(), QStringLiteral("The end must be at least a minute after the beginning."));
        dialog->to()->setDateTime(dialog->from()->dateTime().addDays(9));
        dialog->go()->click();
        QCOMPARE(dialog->problem(), QStringLiteral("A chart spans at most 8 days."));
        dialog->from()->setDateTime(QDateTime(QDate(2026, 1, 2), QTime(3, 0), Qt::UTC));
        dialog->to()->setDateTime(QDateTime(QDate(2026, 1, 2), QTime(5, 30), Qt::UTC));
        asked.clear();
        dialog->go()->click();
        QTRY_VERIFY(!asked.isEmpty() && asked.last().queryItemValue(QStringLiteral("range")) == QLatin1String("9000"));
        QCOMPARE(untilOf(asked.last()), QStringLiteral("2026-01-02T05:30:00.000Z"));
        page.setRange(1); // and back
        QTRY_COMPARE(asked.last().queryItemValue(QStringLiteral("range")), QStringLiteral("3600"));
        QVERIFY(!asked.last().hasQueryItem(QStringLiteral("until")));
        QVERIFY(!page.otherRanges()->isChecked());
    }

    void everyScreenFitsASmallWindowWithTheInspector_data()
    {
        QTest::addColumn<QByteArray>("language");
        QTest::newRow("English") << QByteArray("en");
        QTest::newRow("Japanese") << QByteArray("ja");
    }
    void everyScreenFitsASmallWindowWithTheInspector()
    {
        QFETCH(QByteArray, language);
        m_fixture = std::make_unique<WindowFixture>(language.constData());
        Job job = WindowFixture::job(1, JobState::Failed);
        job.reason = "other";
        job.message = QByteArray(300, 'x').replace("xxxxxxxxxx", "one word, ");
        m_fixture->jobs = {job, WindowFixture::job(2, JobState::Running), WindowFixture::job(3)};
        const QByteArray held = "{'jobs':1,'complete':true,'by':[{'matcher':'m','title':'Mail','kind':'rate','jobs':1}]}";
        QByteArrayList pauses; // each has a line of the strip
        for (int i = 0; i < 3; ++i)
            pauses.append("{'id':'p" + QByteArray::number(i) + "','reason':'the database is moved to another machine, ask someone before',"
                          "'since':'2026-01-02T03:00:00.000Z','by':'ken','match':'job.name.startsWith(1)'}");
        m_fixture->overviewMore = {{"held", packed(held)}, {"pauses", packed("[" + pauses.join(',') + "]")},
                                   {"unasked", packed("{'jobs':1204,'names':[{'name':'a.very.long.name','jobs':1200}],'complete':true}")},
                                   {"breakers", packed("[{'matcher':'b','title':'A payment provider','constraint':'b.b1','keys':1}]")}};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.resize(1024, 700);
        QTRY_VERIFY(window.strip()->text().count(QLatin1Char('\n')) >= 5);
        for (int screen = 0; screen <= int(MainWindow::Screen::Operations); ++screen) {
            window.showScreen(MainWindow::Screen(screen));
            window.openJob(job.id);
            QTRY_VERIFY(window.inspector()->job().has_value());
            for (int tab = 0; tab < window.inspector()->tabs()->count(); ++tab) {
                window.inspector()->tabs()->setCurrentIndex(tab);
                QCoreApplication::processEvents();
                const QSize least = window.minimumSizeHint();
                const QString said = QStringLiteral("screen %1, tab %2: %3x%4").arg(screen).arg(tab).arg(least.width()).arg(least.height());
                QVERIFY2(least.width() <= 1024 && least.height() <= 700, qPrintable(said));
            }
        }
        QCOMPARE(window.size(), QSize(1024, 700));
    }

    void theListOfJobsHasRoomForStatesAndNames_data() { everyScreenFitsASmallWindowWithTheInspector_data(); }
    void theListOfJobsHasRoomForStatesAndNames()
    {
        QFETCH(QByteArray, language);
        m_fixture = std::make_unique<WindowFixture>(language.constData());
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.resize(1024, 700);
        window.showScreen(MainWindow::Screen::Jobs);
        window.openJob(m_fixture->jobs.first().id);
        const QTableView *table = window.jobsPage()->table();
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        const QFontMetrics metrics = table->fontMetrics();
        const int icon = metrics.height() * 3 / 2;
        for (const QString &state : {JobTableModel::heldReady(), JobTableModel::cancelling(), JobTableModel::running(100)})
            QTRY_VERIFY2(table->columnWidth(JobTableModel::State) >= icon + metrics.horizontalAdvance(state), qPrintable(state));
        QTRY_VERIFY(table->columnWidth(JobTableModel::Name) >= metrics.horizontalAdvance(QStringLiteral("billing.charge")) + 8);
        const auto statesFit = [&] {
            for (const JobState state : Look::states()) {
                if (table->columnWidth(JobTableModel::State) < icon + metrics.horizontalAdvance(Look::word(state)))
                    return false;
            }
            return true;
        };
        // Jobs of any state stay in any list while they are selected.
        for (int tab = 0; tab < window.jobsPage()->tabs()->count(); ++tab) {
            window.jobsPage()->tabRow()->button(tab)->click();
            QVERIFY2(statesFit(), qPrintable(window.jobsPage()->tabs()->tabText(tab)));
        }
        window.jobsPage()->tabRow()->button(0)->click();
        QHeaderView *header = table->horizontalHeader();
        QTest::mousePress(header->viewport(), Qt::LeftButton, {}, QPoint(3, 3));
        header->resizeSection(JobTableModel::State, 40);
        QTest::mouseRelease(header->viewport(), Qt::LeftButton, {}, QPoint(3, 3));
        QTRY_VERIFY(statesFit());
    }

    void theInspectorOpensWithoutWideningTheWindow_data() { everyScreenFitsASmallWindowWithTheInspector_data(); }
    void theInspectorOpensWithoutWideningTheWindow()
    {
        QFETCH(QByteArray, language);
        m_fixture = std::make_unique<WindowFixture>(language.constData());
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        auto *dock = window.findChild<QDockWidget *>();
        dock->hide();
        window.resize(1100, 700); // the fields stand in one line
        JobsPage &page = *window.jobsPage();
        page.showName("billing.charge");
        QTRY_VERIFY(page.width() > 900);
        // Else the dock finds no room before the fields go into two lines, and a window manager gets a wider window.
        QTRY_VERIFY(page.minimumSizeHint().width() + window.inspector()->minimumWidth() + window.width() - page.width() <= 1100);
        dock->show();
        QTRY_VERIFY(page.width() < 800);
        QCOMPARE(window.width(), 1100);
    }

    void theNameFilterCanBeReadBesideItsButtons_data()
    {
        QTest::addColumn<QByteArray>("language");
        QTest::addColumn<int>("width");
        for (const char *language : {"en", "ja"}) {
            for (const int width : {1024, 1288, 1440})
                QTest::addRow("%s, %d", language, width) << QByteArray(language) << width;
        }
    }
    void theNameFilterCanBeReadBesideItsButtons()
    {
        QFETCH(QByteArray, language);
        QFETCH(int, width);
        m_fixture = std::make_unique<WindowFixture>(language.constData());
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.resize(width, 700);
        window.showScreen(MainWindow::Screen::Jobs);
        window.openJob(m_fixture->jobs.first().id);
        JobsPage &page = *window.jobsPage();
        QTRY_VERIFY(window.findChild<QDockWidget *>()->isVisible());
        page.showName("billing.charge");
        page.toggleFreeze(); // its button becomes wider
        const QLineEdit *name = page.findChild<QLineEdit *>();
        QCOMPARE(name->text(), QStringLiteral("billing.charge"));
        int icons = 0;
        QTRY_COMPARE(name->findChildren<QToolButton *>().size(), 2);
        for (const QToolButton *button : name->findChildren<QToolButton *>())
            icons += button->width();
        QTRY_VERIFY(name->width() - icons - 10 >= name->fontMetrics().horizontalAdvance(name->text()));
        QCOMPARE(window.width(), width);
    }

    void theJobsOfEveryStateFitASmallWindow_data() { everyScreenFitsASmallWindowWithTheInspector_data(); }
    void theJobsOfEveryStateFitASmallWindow()
    {
        QFETCH(QByteArray, language);
        m_fixture = std::make_unique<WindowFixture>(language.constData());
        for (const JobState state : Look::states())
            m_fixture->jobs.append(WindowFixture::job(int(state), state));
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        window.openJob(m_fixture->jobs.first().id);
        JobsPage &page = *window.jobsPage();
        const QHeaderView *header = page.table()->horizontalHeader();
        const auto shownColumns = [header] { return header->count() - header->hiddenSectionCount(); };
        QTRY_COMPARE(page.list().model().rowCount(), m_fixture->jobs.size());
        for (int tab = 0; tab <= Look::states().size(); ++tab) { // the lists behind are empty
            window.resize(1024, 700);
            page.tabRow()->button(tab)->click();
            QCOMPARE(page.tabs()->currentIndex(), tab);
            QTRY_VERIFY2(header->length() <= page.table()->viewport()->width(), qPrintable(page.tabs()->tabText(tab)));
            for (int each = 0; each < page.tabs()->count(); ++each)
                QVERIFY2(page.tabRow()->rect().contains(page.tabRow()->button(each)->geometry()), qPrintable(page.tabs()->tabText(each)));
            QVERIFY(!header->isSectionHidden(JobTableModel::State) && !header->isSectionHidden(JobTableModel::Name));
            const int narrow = shownColumns();
            window.resize(1440, 900);
            QTRY_VERIFY2(shownColumns() > narrow, qPrintable(page.tabs()->tabText(tab)));
            QTest::qWait(300); // a change by the operator would be saved now
        }
        window.resize(1024, 700);
        QTRY_VERIFY(header->length() <= page.table()->viewport()->width());
    }

    void anExpressionHasRoomInASmallWindow_data() { everyScreenFitsASmallWindowWithTheInspector_data(); }
    void anExpressionHasRoomInASmallWindow()
    {
        QFETCH(QByteArray, language);
        m_fixture = std::make_unique<WindowFixture>(language.constData());
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.resize(1024, 700);
        window.showScreen(MainWindow::Screen::Jobs);
        window.openJob(m_fixture->jobs.first().id);
        JobsPage &page = *window.jobsPage();
        const QString expression = QStringLiteral("job.argument.tenant == 42 && job.state == \"failed\"");
        page.filterBar()->setFilter(expression);
        page.toggleFreeze(); // its button becomes wider
        const ExpressionEdit *edit = page.filterBar()->edit();
        QTRY_VERIFY(edit->viewport()->width() > edit->fontMetrics().horizontalAdvance(expression));
        QCOMPARE(window.width(), 1024);
        window.resize(1440, 900);
        QTRY_VERIFY(std::abs(edit->mapTo(&page, QPoint()).y() - page.findChild<QLineEdit *>()->mapTo(&page, QPoint()).y()) < 30);
    }

    void aColumnThatTheOperatorSetStaysAsItIs()
    {
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.resize(1440, 900);
        window.showScreen(MainWindow::Screen::Jobs);
        QHeaderView *header = window.jobsPage()->table()->horizontalHeader();
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        QTRY_VERIFY(!header->isSectionHidden(JobTableModel::Name));
        QTest::mousePress(header->viewport(), Qt::LeftButton, {}, QPoint(3, 3));
        header->resizeSection(JobTableModel::Name, 333);
        QTest::mouseRelease(header->viewport(), Qt::LeftButton, {}, QPoint(3, 3));
        QTest::qWait(300);
        window.resize(1024, 700);
        QCoreApplication::processEvents();
        QCOMPARE(header->sectionSize(JobTableModel::Name), 333);
    }

    void aMenuOfTheHeaderSetsNoColumn_data()
    {
        QTest::addColumn<Qt::MouseButton>("pressed");
        QTest::newRow("by the other button") << Qt::RightButton;
        QTest::newRow("while the button is held") << Qt::LeftButton;
    }
    void aMenuOfTheHeaderSetsNoColumn()
    {
        QFETCH(Qt::MouseButton, pressed);
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.resize(1440, 900);
        window.showScreen(MainWindow::Screen::Jobs);
        QHeaderView *header = window.jobsPage()->table()->horizontalHeader();
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        QTRY_VERIFY(!header->isSectionHidden(JobTableModel::Name));
        const auto widths = [header] {
            QList<int> all;
            for (int column = 0; column < header->count(); ++column)
                all.append(header->sectionSize(column));
            return all;
        };
        const QList<int> wide = widths();
        QTest::mousePress(header->viewport(), pressed, {}, QPoint(3, 3));
        if (pressed == Qt::LeftButton) {
            Q_EMIT header->customContextMenuRequested(QPoint(3, 3));
            QVERIFY(QApplication::activePopupWidget());
            QApplication::activePopupWidget()->close(); // it gets the release
        }
        window.resize(1024, 700);
        QTRY_VERIFY(widths() != wide);
        QTest::qWait(300);
        window.resize(1440, 900);
        QTRY_COMPARE(widths(), wide);
    }

    void thePanelsOfTheOverviewHaveRoomForTheirTexts_data() { everyScreenFitsASmallWindowWithTheInspector_data(); }
    void thePanelsOfTheOverviewHaveRoomForTheirTexts()
    {
        QFETCH(QByteArray, language);
        m_fixture = std::make_unique<WindowFixture>(language.constData());
        m_fixture->jobs = {WindowFixture::job(1)};
        m_fixture->instead.insert("/v1/constraints", {200, packed("{'constraints':["
            "{'constraint':{'id':'up.b1','kind':'breaker','window':60,'min_samples':5,'failure_rate':0.5,'open_for':20,'probes':1},"
            "'matcher':'up','matcher_title':'Pages of the upstream','enabled':true,'buckets':1,'used':0,'waiting':7,'would_hold':0,"
            "'closed':1,'complete':true}]}")});
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        OverviewPage &page = *window.overviewPage();
        window.resize(1024, 700);
        QTRY_COMPARE(page.limits()->lines().size(), 1);
        const auto room = [](const BarLine *line) {
            return line->width() - line->fontMetrics().horizontalAdvance(line->text()) - line->fontMetrics().height();
        };
        QTRY_VERIFY(room(page.limits()->lines()[0]) >= 0);
        QCOMPARE(page.causes()->y(), page.limits()->y());
        QVERIFY(page.oldest()->y() > page.limits()->y());
        const auto tiles = page.findChildren<CountTile *>();
        for (const CountTile *tile : tiles)
            QCOMPARE(tile->y(), tiles.first()->y()); // one row
        const QList<QRectF> places = page.chart()->labelPlaces();
        for (qsizetype i = 1; i < places.size(); ++i)
            QVERIFY(places[i].right() + window.fontMetrics().height() / 2.0 <= places[i - 1].left());
        window.resize(1440, 900);
        QTRY_COMPARE(page.workers()->y(), page.limits()->y());
    }

    void theOverviewSaysWhyJobsWaitAndEveryFigureLeadsToItsList()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2), WindowFixture::job(3), WindowFixture::job(4, JobState::Scheduled)};
        m_fixture->overviewMore = {{"held", packed("{'jobs':2,'complete':true,'by':[{'matcher':'mail','title':'Mail vendor',"
                                                   "'constraint':'mail.rate1','kind':'rate','jobs':2,'keys':1},"
                                                   "{'matcher':'sms','title':'SMS','constraint':'sms.rate1','kind':'rate',"
                                                   "'jobs':1,'keys':1}]}")},
                                   {"priorities", packed("[{'priority':-10,'jobs':1,'oldest_at':'" + isoTime(Clock::machine_ms() - 2'000)
                                                         + "'},{'priority':5,'jobs':2,'oldest_at':'"
                                                         + isoTime(Clock::machine_ms() - 7'620'000) + "'}]")},
                                   {"unasked", packed("{'jobs':1,'names':[{'name':'report','jobs':1}],'complete':true}")}};
        m_fixture->instead.insert("/v1/constraints", {200, packed(sixLimits)});
        m_fixture->instead.insert("/v1/failures", {200, packed("{'groups':[{'signature':'0123456789abcdef0123456789abcdef',"
            "'name':'mail.send',"
            "'reason':'other','title':'SMTP timeout','count':9,'final':1,'failed':1,'in_window':7,'last_hour':7}],'sums':[]}")});
        m_fixture->instead.insert("/v1/workers", {200, packed("{'workers':[{'worker':'w-1','kind':'pull','state':'up'},"
            "{'worker':'w-2','kind':'pull','state':'lost','last_contact':'" + isoTime(Clock::machine_ms() - 7'000'000) + "'},"
            "{'worker':'w-3','kind':'pull','state':'lost','last_contact':'" + isoTime(Clock::machine_ms() - 3'720'000) + "'},"
            "{'worker':'w-4','kind':'pull','state':'up'}],'complete':true}")});
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        OverviewPage &page = *window.overviewPage();
        const auto said = [](const BarPanel *panel) {
            QStringList texts;
            for (const BarLine *line : panel->lines())
                texts.append(line->text());
            return texts;
        };
        const QStringList reasons{QStringLiteral("Rate: Mail vendor 2"), QStringLiteral("Scheduled for later (delays, retries) 1"),
                                  QStringLiteral("Rate: SMS 1"), QStringLiteral("No worker asks for report 1")};
        QTRY_COMPARE(said(page.reasons()).size(), 4); // none of the three ready jobs is counted twice
        for (const QString &reason : reasons)
            QVERIFY2(said(page.reasons()).contains(reason), qPrintable(reason));
        QCOMPARE(said(page.oldest()).size(), 2);
        QVERIFY(said(page.oldest())[0].startsWith(QLatin1String("Priority -10: 1 ready job 2")));
        QCOMPARE(said(page.oldest())[1], QStringLiteral("Priority 5: 2 ready jobs 2 h 07 m"));
        // As many jobs as “Why jobs wait” says; where that says nothing, those that wait.
        // Of the two limits for mail, the one that holds jobs.
        const QStringList limits{QStringLiteral("Images 3 of 4"), QStringLiteral("Payments tripped · 7 waiting"),
                                 QStringLiteral("Mail vendor full · 2 waiting"), QStringLiteral("SMS holds 1")};
        QTRY_COMPARE(said(page.limits()), limits);
        QTRY_COMPARE(said(page.causes()), QStringList(QStringLiteral("mail.send: SMTP timeout 7")));
        const QStringList workers{QStringLiteral("online 2"), QStringLiteral("lost for 1 h 02 m: w-3 2")};
        QTRY_COMPARE(said(page.workers()), workers);
        QVERIFY(!window.strip()->line("lost")); // that was long ago
        const std::pair<BarLine *, MainWindow::Screen> clicks[] = {
            {page.workers()->lines()[0], MainWindow::Screen::Workers}, {page.workers()->lines()[1], MainWindow::Screen::Workers},
            {page.reasons()->lines()[0], MainWindow::Screen::Constraints},
            {page.reasons()->lines()[said(page.reasons()).indexOf(reasons[1])], MainWindow::Screen::Jobs},
            {page.limits()->lines()[0], MainWindow::Screen::Constraints}, {page.causes()->lines()[0], MainWindow::Screen::Failures}};
        window.failuresPage()->groupBy()->setCurrentIndex(int(FailuresPage::By::Name)); // a list without causes
        for (const auto &[line, screen] : clicks) {
            window.showScreen(MainWindow::Screen::Overview);
            line->click();
            QCOMPARE(window.screen(), screen);
        }
        QTRY_COMPARE(window.workersPage()->list()->table()->chosen(), QByteArray("w-3"));
        QTRY_COMPARE(window.failuresPage()->list()->table()->chosen(), QByteArray("0123456789abcdef0123456789abcdef"));
        page.oldest()->lines()[1]->click();
        QCOMPARE(window.jobsPage()->list().filter().match, QByteArray("job.priority == 5"));
        QCOMPARE(window.jobsPage()->list().filter().state, JobState::Ready);
        QVERIFY(window.jobsPage()->list().filter().cause.isEmpty());
        const qsizetype unasked = said(page.reasons()).indexOf(QStringLiteral("No worker asks for report 1"));
        page.reasons()->lines()[unasked]->click();
        QCOMPARE(window.jobsPage()->list().filter().name, QByteArray("report"));
        QVERIFY(window.jobsPage()->list().filter().match.isEmpty());
    }

    void workersThatWereLostLatelyAreSaidOnEveryScreen()
    {
        const QByteArray lately = isoTime(Clock::machine_ms() - 200'000);
        m_fixture->instead.insert("/v1/workers", {200, packed("{'workers':[{'worker':'w-1','kind':'pull','state':'lost','last_contact':'"
            + lately + "'},{'worker':'w-2','kind':'pull','state':'lost','last_contact':'" + isoTime(Clock::machine_ms() - 2'000'000)
            + "'},{'worker':'w-3','kind':'pull','state':'up','last_contact':'" + lately + "'}],'complete':true}")});
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        QTRY_VERIFY(window.strip()->line("lost"));
        QCOMPARE(window.strip()->text(), QStringLiteral("1 worker lost · w-1"));
        window.strip()->line("lost")->click();
        QCOMPARE(window.screen(), MainWindow::Screen::Workers);
        QTRY_COMPARE(window.workersPage()->list()->table()->chosen(), QByteArray("w-1"));
    }

    void jobsThatWereNotReadSinceAChangeAreSaidToBe()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2), WindowFixture::job(3), WindowFixture::job(4)};
        const auto reading = [&](qint64 jobs) {
            m_fixture->overviewMore = {{"held", packed("{'jobs':1,'complete':true,'reading':" + QByteArray::number(jobs)
                                                       + ",'by':[{'matcher':'mail','title':'Mail vendor','constraint':'mail.rate1',"
                                                         "'kind':'rate','jobs':1,'keys':1}]}")}};
        };
        reading(2);
        QVERIFY(m_fixture->openLive());
        const BarPanel *reasons = m_fixture->window().overviewPage()->reasons();
        const StateStrip *strip = m_fixture->window().strip();
        const auto said = [&] {
            QStringList texts;
            for (const BarLine *line : reasons->lines())
                texts.append(line->text());
            texts.sort();
            return texts;
        };
        const QString mail = QStringLiteral("Rate: Mail vendor 1");
        const QStringList some{QStringLiteral("Not yet read since the last change of a JobMatcher 2"), mail,
                               QStringLiteral("Waiting for a free worker 1")};
        QTRY_COMPARE(said(), some); // together the four that are ready
        QVERIFY(!strip->text().contains(QLatin1String("read")));
        // The same jobs may be unread and not asked for: that must not hide the one that waits for a worker.
        m_fixture->overviewMore.append({"unasked", packed("{'jobs':3,'names':[{'name':'report','jobs':3}],'complete':true}")});
        QTRY_VERIFY(said().contains(QStringLiteral("No worker asks for report 3")));
        QVERIFY(said().contains(some.last()));
        reading(StateItems::readingMany);
        QTRY_VERIFY(strip->text().contains(QLatin1String("Rechecking 1,000 ready jobs after the last change")));
        reading(0);
        QTRY_VERIFY(!strip->text().contains(QLatin1String("read")));
        QCOMPARE(said(), (QStringList{mail, QStringLiteral("Waiting for a free worker 3")}));
    }

    void manyNamesThatNobodyAsksForAreOneReasonAmongOthers()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2), WindowFixture::job(3), WindowFixture::job(4)};
        m_fixture->overviewMore = {{"held", packed("{'jobs':1,'complete':true,'by':[{'matcher':'mail','title':'Mail vendor',"
                                                   "'constraint':'mail.rate1','kind':'rate','jobs':1,'keys':1}]}")},
                                   {"unasked", packed("{'jobs':2,'names':[{'name':'report','jobs':1},{'name':'video','jobs':1}],"
                                                      "'complete':true}")}};
        QVERIFY(m_fixture->openLive());
        const BarPanel *reasons = m_fixture->window().overviewPage()->reasons();
        QTRY_COMPARE(reasons->lines().size(), 3);
        QStringList texts;
        for (const BarLine *line : reasons->lines())
            texts.append(line->text());
        texts.sort();
        const QStringList wanted{QStringLiteral("No worker asks for report and 1 more name 2"), QStringLiteral("Rate: Mail vendor 1"),
                                 QStringLiteral("Waiting for a free worker 1")};
        QCOMPARE(texts, wanted);
        const QByteArray both = "job.name in [\"report\", \"video\"]";
        const QList<BarLine *> lines = reasons->lines();
        const auto unasked = std::find_if(lines.begin(), lines.end(),
            [](const BarLine *line) { return line->text().startsWith(QLatin1String("No worker")); });
        QVERIFY(unasked != lines.end());
        (*unasked)->click();
        QCOMPARE(m_fixture->window().jobsPage()->list().filter().match, both);
    }

    void whatKeepsJobsFromRunningIsSaidOnEveryScreenAndLeadsToItsPlace()
    {
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        StateStrip &strip = *window.strip();
        QVERIFY(strip.text().isEmpty());
        const QByteArray pause = "{'id':'pause-1','reason':'vendor\\noutage','since':'2026-01-02T03:00:00.000Z','by':'ken',"
                                 "'until':'2026-01-03T03:00:00.000Z'}";
        const QByteArray held = "{'jobs':3,'complete':true,'by':[{'matcher':'m','title':'Mail','constraint':'m.rate1','kind':'rate',"
                                "'jobs':3,'keys':1},{'matcher':'pause-1','constraint':'pause-1.pause1','kind':'pause','jobs':2,'keys':1}]}";
        m_fixture->overviewMore = {{"pauses", packed("[" + pause + "]")}, {"held", packed(held)},
                                   {"unasked", packed("{'jobs':1204,'names':[{'name':'mail.send','jobs':1200},"
                                                      "{'name':'report','jobs':4}],'complete':true}")},
                                   {"backlogs", packed("[{'matcher':'m','title':'Mail','constraint':'m.backlog1','overflow':'drop_oldest',"
                                                       "'keys':1,'jobs':500}]")},
                                   {"breakers", packed("[{'matcher':'b','title':'Payments','constraint':'b.breaker1','keys':1}]")}};
        m_fixture->instead.insert("/v1/resume", {200, packed("{'pauses':[" + pause + "]}")});
        QTRY_VERIFY(!strip.text().isEmpty());
        QCOMPARE(strip.text(), QStringLiteral("All jobs are paused · vendor↵outage · since 2026-01-02 03:00:00 UTC by ken"
                                              " · until 2026-01-03 03:00:00 UTC\n"
                                              "A breaker has tripped: Payments\n"
                                              "A backlog is full: Mail · each new job drops the oldest\n"
                                              "3 jobs are held by Mail and 1 more limit\n"
                                              "No worker asks for mail.send and 1 more name · 1,204 ready jobs"));
        for (const int screen : {0, 1, 2, 3, 4, 5, 6, 7}) {
            window.showScreen(MainWindow::Screen(screen));
            QVERIFY(strip.isVisible());
        }
        m_fixture->instead.insert("/v1/matchers", {200, packed("{'matchers':[{'id':'m','title':'Mail','expression':'true','constraints':["
            "{'id':'m.rate1','kind':'rate','limit':20,'period':1}],'revision':1},{'id':'pause-1','title':'vendor outage',"
            "'expression':'true','constraints':[{'id':'pause-1.pause1','kind':'pause'}],'revision':1}]}")});
        window.showScreen(MainWindow::Screen::Constraints);
        window.constraintsPage()->refresh();
        QTRY_COMPARE(window.constraintsPage()->list()->model()->rowCount(), 2);
        window.constraintsPage()->list()->table()->selectRow(0);
        strip.line("pause pause-1")->click();
        QVERIFY(window.constraintsPage()->list()->table()->chosen().startsWith("pause-1 "));
        for (const char *key : {"pause pause-1", "breakers", "backlogs", "held"}) {
            window.showScreen(MainWindow::Screen::Overview);
            strip.line(key)->click();
            QCOMPARE(window.screen(), MainWindow::Screen::Constraints);
        }
        strip.line("unasked")->click();
        QCOMPARE(window.screen(), MainWindow::Screen::Jobs);
        QCOMPARE(window.jobsPage()->list().filter().match, QByteArray("job.name in [\"mail.send\", \"report\"]"));
        const QPointer<QPushButton> resume = strip.action("pause pause-1");
        resume->click();
        QTRY_COMPARE(m_fixture->requestsTo("/v1/resume"), 1);
        m_fixture->overviewMore.removeLast(); // the button stays the same while others come and go
        QTRY_VERIFY(!strip.line("breakers"));
        QVERIFY(resume && resume == strip.action("pause pause-1"));
        m_fixture->overviewMore.clear();
        QTRY_VERIFY(strip.text().isEmpty());
    }

    void theStripIsOneLineHighAndTheRestIsBehindAButton()
    {
        QWidget window;
        StateStrip strip(&window);
        const auto item = [](const char *key) { return StateItem{.key = key, .text = QString(30, QLatin1Char('x'))}; };
        window.resize(300, 400);
        strip.resize(300, strip.height());
        window.show();
        const int line = strip.height();
        strip.say({}, QStringLiteral("Nothing"));
        QCOMPARE(strip.height(), line);
        QCOMPARE(strip.text(), QString());
        strip.say({item("one")});
        QVERIFY(strip.more()->isHidden());
        strip.say({item("one"), item("two"), item("three")});
        QCOMPARE(strip.height(), line);
        QVERIFY(strip.line("one")->isVisible());
        QVERIFY(!strip.line("two")->isVisible());
        QCOMPARE(strip.more()->text(), QStringLiteral("+2"));
        QCOMPARE(strip.more()->toolTip().count(QString(30, QLatin1Char('x'))), 2);
        QVERIFY(strip.more()->geometry().right() <= strip.width());
        QVERIFY(strip.line("one")->mapTo(&strip, strip.line("one")->rect().topRight()).x() < strip.more()->geometry().left());
        strip.more()->click();
        QVERIFY(strip.rest()->isVisible() && strip.line("two")->isVisible() && strip.line("three")->isVisible());
        strip.rest()->hide();
        strip.setAttribute(Qt::WA_UnderMouse, false); // wherever the pointer is
        strip.resize(2'000, line);
        QVERIFY(strip.more()->isHidden() && strip.line("three")->parentWidget()->parentWidget() == &strip);
    }

    void whatTheStripShowsStaysUnderThePointer()
    {
        QWidget window;
        StateStrip strip(&window);
        const auto item = [](const char *key) {
            return StateItem{.key = key, .text = QString(30, QLatin1Char('x')), .action = QStringLiteral("Stop")};
        };
        window.resize(1'000, 400);
        strip.resize(1'000, strip.height());
        window.show();
        strip.say({item("one"), item("two")});
        const QRect place = strip.action("two")->parentWidget()->geometry();
        strip.setAttribute(Qt::WA_UnderMouse);
        strip.say({item("zero"), item("two")});
        QCOMPARE(strip.action("two")->parentWidget()->geometry(), place);
        strip.setAttribute(Qt::WA_UnderMouse, false);
        strip.say({item("zero"), item("two")});
        QVERIFY(strip.line("zero")->isVisible());
        QVERIFY(strip.action("zero")->parentWidget()->x() < strip.action("two")->parentWidget()->x());
    }

    void theStripIsAmberOnlyForWhatWaitsForSomebody()
    {
        StateStrip strip;
        StateItem item{.key = "held", .text = QStringLiteral("3 jobs are held"), .level = StateItem::Level::Calm};
        const QColor amber = amberPalette(strip.palette()).color(QPalette::Window);
        strip.say({item});
        QVERIFY(strip.palette().color(QPalette::Window) != amber);
        strip.say({item, {.key = "pause", .text = QStringLiteral("All jobs are paused")}});
        QCOMPARE(strip.palette().color(QPalette::Window), amber);
        strip.say({item});
        QVERIFY(strip.palette().color(QPalette::Window) != amber);
    }

    void aClickThatIsTooLateForAToastGoesNowhere()
    {
        QMainWindow window;
        QPushButton beneath(QStringLiteral("beneath"), &window);
        QSignalSpy clicks(&beneath, &QPushButton::clicked);
        window.resize(600, 400);
        beneath.setGeometry(0, 0, 600, 400);
        Toast toast(&window);
        window.show();
        bool undone = false;
        toast.say(QStringLiteral("One job deleted"), QStringLiteral("Undo"), [&undone] { undone = true; });
        const QPoint at = toast.offer()->mapTo(&window, toast.offer()->rect().center());
        toast.hide();
        QVERIFY(window.childAt(at) != &beneath);
        QTest::mouseClick(window.windowHandle(), Qt::LeftButton, {}, at);
        QCOMPARE(clicks.size(), 0);
        QVERIFY(!undone);
        QTRY_COMPARE(window.childAt(at), static_cast<QWidget *>(&beneath));
        QTest::mouseClick(window.windowHandle(), Qt::LeftButton, {}, at);
        QCOMPARE(clicks.size(), 1);
    }

    void whatIsShownStaysWhenTheMasterGoesAndIsSaidToBeOld()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 2);
        const quint16 port = m_fixture->master().port();
        m_fixture->master().kill();
        QTRY_VERIFY(window.banner()->isVisible());
        QVERIFY(window.banner()->text().contains(QLatin1String("The master does not answer")));
        QVERIFY(window.banner()->text().contains(QLatin1String("last known")));
        // The same moment as in the status bar.
        const QString since = QStringLiteral("since %1;").arg(Format(QLocale(QLocale::English), TimesIn::Utc).time(
            window.feed().health().lastUpdate_ms));
        QVERIFY2(window.banner()->text().contains(since), qPrintable(window.banner()->text()));
        QCOMPARE(window.jobsPage()->list().model().rowCount(), 2);
        QVERIFY(!window.showsConnectionCard());
        // Nothing of the screen before is seen through the pale one.
        window.showScreen(MainWindow::Screen::Overview);
        QTest::qWait(100);
        const auto paper = [&window](const QImage &image) { return image.pixelColor(window.width() * 2 / 3, window.height() - 60); };
        const QColor seen = paper(QGuiApplication::primaryScreen()->grabWindow(window.winId()).toImage());
        QCOMPARE(seen, paper(window.grab().toImage()));
        QVERIFY(m_fixture->serve(port));
        window.banner()->findChild<QPushButton *>()->parentWidget()->findChildren<QPushButton *>().first()->click();
        QTRY_VERIFY(!window.banner()->isVisible());
    }

    void whatBecameOfRedisIsSaidForAWhile()
    {
        QVERIFY(m_fixture->openLive());
        StateStrip &strip = *m_fixture->window().strip();
        const QByteArray at = isoTime(Clock::machine_ms() - 60'000);
        m_fixture->overviewMore = {{"redis", packed("{'started_at':'" + at + "','used_bytes':943718400,'max_bytes':1073741824,'back_at':'"
            + at + "','away':6.5,'restarted':true}")}};
        QTRY_VERIFY(!strip.text().isEmpty());
        QCOMPARE(strip.line("memory")->text(),
                 QStringLiteral("Redis uses 87 % of its memory (900.0 MiB of 1.0 GiB); at 100 % it refuses new jobs"));
        QVERIFY(strip.line("away")->text().startsWith(QLatin1String("Redis was restarted: no answer for 6.5 s, back at ")));
        QVERIFY(strip.line("away")->text().endsWith(QStringLiteral(" · no confirmed data lost")));
        m_fixture->rollbackAt_ms = Clock::machine_ms() - 60'000; // but it has lost something
        QTRY_VERIFY(!strip.line("away")->text().contains(QLatin1String("missing")));
        const QByteArray before = isoTime(Clock::machine_ms() - 3'600'000);
        m_fixture->overviewMore = {{"redis", packed("{'started_at':'" + at + "','used_bytes':1,'back_at':'" + before + "','away':6.5,"
            "'restarted':false}")}};
        QTRY_VERIFY(strip.text().isEmpty());
    }

    void aMasterThatHangsIsSaidToHangBeforeAnyRequestHasFailed()
    {
        m_fixture->deadline_ms = 60'000;
        QVERIFY(m_fixture->openLive());
        m_fixture->voice = WindowFixture::Voice::Silent;
        QTRY_VERIFY(m_fixture->window().banner()->isVisible());
        QVERIFY(m_fixture->window().banner()->text().startsWith(QLatin1String("No answer comes")));
        QCOMPARE(m_fixture->window().feed().health().state, Health::State::Stale);
    }

    // Whoever waits to be told of changes would wait for ever.
    void aMasterThatHangsIsNoticedInFiveSecondsThoughItTellsOfChanges()
    {
        m_fixture->deadline_ms = 60'000;
        m_fixture->instead.insert("/v1/changes", {200, packed("{'revision':7,'changed':[]}")});
        QVERIFY(m_fixture->openLive());
        QTRY_VERIFY(m_fixture->requestsTo("/v1/changes") >= 2);
        const int before = m_fixture->requestsTo("/v1/overview");
        QTRY_VERIFY(m_fixture->requestsTo("/v1/overview") > before); // the next one is not due for the longest time
        QTest::qWait(100);
        m_fixture->voice = WindowFixture::Voice::Silent;
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->window().banner()->isVisible(), 5'000);
    }

    void aMasterThatCannotStartSaysWhyAndOffersAnotherPortAndAnotherRedis()
    {
        StartFailure failure(Reason{"no_such_reason", {}, "The port is taken."}, QStringLiteral("127.0.0.1:7717"), {});
        QSignalSpy retry(&failure, &StartFailure::retryRequested), quit(&failure, &StartFailure::quitRequested);
        failure.show();
        QCOMPARE(failure.why(), QStringLiteral("The port is taken."));
        QVERIFY(failure.tried().isEmpty());
        failure.sayTried(Format());
        QVERIFY(failure.tried().startsWith(QLatin1String("Tried again at ")));
        QCOMPARE(failure.listen()->text(), QStringLiteral("127.0.0.1:7717"));
        failure.listen()->setText(QStringLiteral(" 127.0.0.1:0 "));
        failure.redis()->setText(QStringLiteral("redis://127.0.0.1:1"));
        failure.again()->click();
        QCOMPARE(retry.size(), 1);
        QCOMPARE(retry.first(), (QList<QVariant>{QStringLiteral("127.0.0.1:0"), QStringLiteral("redis://127.0.0.1:1")}));
        failure.close();
        QCOMPARE(quit.size(), 1);
    }

    void redisAwayIsNotTheMasterAway()
    {
        QVERIFY(m_fixture->openLive());
        const auto problem = WindowFixture::problem(503, "store_unavailable", "Redis is loading.");
        m_fixture->instead.insert("/v1/overview", {503, problem});
        m_fixture->instead.insert("/readyz", {503, "redis is away", "text/plain"});
        QTRY_VERIFY(m_fixture->window().banner()->isVisible());
        QVERIFY(m_fixture->window().banner()->text().contains(QLatin1String("can't reach Redis: Redis is loading.")));
    }

    void anErrorOfTheListIsSaidWhereTheListWouldBe()
    {
        m_fixture->instead.insert("/v1/jobs", {500, WindowFixture::problem(500, "internal", "It broke <b>here</b>.")});
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        EmptyState *empty = window.jobsPage()->findChild<EmptyState *>();
        QTRY_VERIFY(empty->isVisible() && empty->title() == QLatin1String("The jobs could not be read"));
        QCOMPARE(empty->text(), QStringLiteral("It broke <b>here</b>."));
        m_fixture->jobs = {WindowFixture::job(1)};
        m_fixture->instead.clear();
        empty->action()->click();
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        QTRY_VERIFY(!empty->isVisible());
    }

    void aFilterThatFindsNothingSaysWhichAndIsCleared()
    {
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        named<QLineEdit>(window.jobsPage(), "Only jobs with this name")->setText(QStringLiteral("nobody"));
        EmptyState *empty = window.jobsPage()->findChild<EmptyState *>();
        QTRY_VERIFY(empty->isVisible() && empty->text().contains(QStringLiteral("with the name “nobody”")));
        QCOMPARE(empty->title(), QStringLiteral("No jobs match"));
        empty->action()->click();
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
    }

    void keysReachEveryScreen()
    {
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(window.screen(), MainWindow::Screen::Jobs);
        QTest::keyClick(&window, Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(window.screen(), MainWindow::Screen::Overview);
        QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
        QCOMPARE(window.screen(), MainWindow::Screen::Jobs);
        QVERIFY(window.jobsPage()->filterBar()->edit()->hasFocus());
        auto *dock = window.findChild<QDockWidget *>(QStringLiteral("inspector"));
        QVERIFY(!dock->isVisible()); // until a job is chosen
        QTest::keyClick(&window, Qt::Key_I, Qt::ControlModifier);
        QVERIFY(dock->isVisible());
        QTest::keyClick(&window, Qt::Key_I, Qt::ControlModifier);
        QVERIFY(!dock->isVisible());
        // Hidden by the operator, it stays so on the way to the overview and back.
        window.showScreen(MainWindow::Screen::Overview);
        window.showScreen(MainWindow::Screen::Jobs);
        QVERIFY(!dock->isVisible());
    }

    void tabReachesTheListOfEveryScreenAndTheInspector()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        QStringList way;
        const auto reaches = [&window, &way](const std::function<bool()> &there) {
            way.clear();
            for (int tabs = 0; tabs < 60; ++tabs) {
                if (there())
                    return true;
                way.append(QLatin1String(window.focusWidget()->metaObject()->className()));
                QTest::keyClick(window.focusWidget(), Qt::Key_Tab);
            }
            return false;
        };
        window.showScreen(MainWindow::Screen::Jobs);
        JobsPage &page = *window.jobsPage();
        QTRY_COMPARE(page.list().model().rowCount(), 2);
        page.filterBar()->edit()->setFocus();
        QVERIFY2(reaches([&] { return page.table()->hasFocus(); }), qPrintable(way.join(u' ')));
        QTest::keyClick(page.table(), Qt::Key_Down);
        QCOMPARE(page.selectedJobs().size(), 1);
        QCOMPARE(page.selectedJobs().first().id, page.list().model().jobAt(0)->id); // the first one, not the one below it
        QTRY_VERIFY(window.inspector()->job().has_value());
        const QToolButton *why = window.inspector()->tabRow()->button(4);
        QCOMPARE(why->text(), QStringLiteral("Why not running"));
        const int tab = window.inspector()->tabs()->currentIndex();
        QVERIFY2(reaches([&] { return window.inspector()->tabRow()->button(tab)->hasFocus(); }), qPrintable(way.join(u' ')));
        way.clear();
        for (int arrows = 0; arrows < 7 && !why->hasFocus(); ++arrows) {
            QTest::keyClick(window.focusWidget(), Qt::Key_Right);
            const auto *button = qobject_cast<QToolButton *>(window.focusWidget());
            way.append(button ? button->text() : QStringLiteral("elsewhere"));
        }
        QVERIFY2(why->hasFocus() && why->isChecked(), qPrintable(way.join(u' ')));
        QVERIFY(window.inspector()->explanation()->isVisible());
        // Enter in a field goes to the list, whose rows the arrows choose.
        page.focusFilter();
        QTest::keyClick(window.focusWidget(), Qt::Key_Return);
        QVERIFY(page.table()->hasFocus());
        for (QLineEdit *field : {page.findChildren<QLineEdit *>()[0], page.findChildren<QLineEdit *>()[1]}) {
            field->setFocus();
            QTest::keyClick(field, Qt::Key_Return);
            QVERIFY(page.table()->hasFocus());
        }
        for (const auto screen : {MainWindow::Screen::Failures, MainWindow::Screen::Results, MainWindow::Screen::Schedules,
                                  MainWindow::Screen::Constraints, MainWindow::Screen::Workers, MainWindow::Screen::Operations}) {
            window.findChild<QListWidget *>()->setFocus();
            QTest::keyClick(&window, Qt::Key(int(Qt::Key_1) + int(screen)), Qt::ControlModifier);
            QCOMPARE(window.screen(), screen);
            QTest::keyClick(window.focusWidget(), Qt::Key_Down);
            QCOMPARE(window.screen(), screen);
        }
    }

    void theInspectorIsClosedUntilAJobIsChosen()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        auto *dock = window.findChild<QDockWidget *>(QStringLiteral("inspector"));
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 2);
        QVERIFY(!dock->isVisible());
        window.jobsPage()->table()->selectRow(0);
        QVERIFY(dock->isVisible());
        QTRY_VERIFY(window.inspector()->job().has_value());
        dock->toggleViewAction()->trigger(); // the operator does not want it
        window.jobsPage()->table()->selectRow(1);
        QVERIFY(!dock->isVisible());
    }

    void rowsStayUnderThePointerWhenTheInspectorOpens_data()
    {
        QTest::addColumn<QByteArray>("language");
        QTest::addColumn<QSize>("size");
        for (const char *language : {"en", "ja"}) {
            for (const QSize size : {QSize(1024, 700), QSize(1280, 800), QSize(1440, 900), QSize(1920, 1000)})
                QTest::addRow("%s %d", language, size.width()) << QByteArray(language) << size;
        }
    }
    void rowsStayUnderThePointerWhenTheInspectorOpens()
    {
        QFETCH(QByteArray, language);
        QFETCH(QSize, size);
        m_fixture = std::make_unique<WindowFixture>(language.constData());
        for (int number = 1; number <= 60; ++number)
            m_fixture->jobs.append(WindowFixture::job(number));
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.resize(size);
        window.showScreen(MainWindow::Screen::Jobs);
        JobTableView &table = *window.jobsPage()->table();
        auto *dock = window.findChild<QDockWidget *>(QStringLiteral("inspector"));
        QTRY_COMPARE(table.model()->rowCount(), 60);
        table.verticalScrollBar()->setValue(7);
        QTest::qWait(50);
        QVERIFY(!dock->isVisible());
        const int wide = window.jobsPage()->width(), lastRow = table.rowAt(table.viewport()->height() - 1) - 1;
        const auto placeOf = [&](int row) {
            return table.viewport()->mapTo(&window, table.visualRect(table.model()->index(row, 0)).topLeft());
        };
        const QPoint first = placeOf(7), last = placeOf(lastRow);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(lastRow, 0)).center());
        QTRY_VERIFY(window.jobsPage()->width() < wide - 100);
        QTRY_COMPARE(placeOf(7), first); // the inspector gets its width in a second step
        QTest::qWait(100);
        QCOMPARE(placeOf(7), first);
        QCOMPARE(placeOf(lastRow), last);
        QCOMPARE(table.verticalScrollBar()->value(), 7);
        QVERIFY2(table.viewport()->rect().contains(table.visualRect(table.model()->index(lastRow, 0)).center()), "it is covered");
    }

    void theScreensSayHowManyTheyAreAbout()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2), WindowFixture::job(3, JobState::Failed)};
        QVERIFY(m_fixture->openLive());
        const auto *screens = m_fixture->window().findChild<QListWidget *>();
        const auto said = [screens](MainWindow::Screen screen) {
            return screens->item(int(screen))->data(Qt::AccessibleDescriptionRole).toString();
        };
        QTRY_COMPARE(said(MainWindow::Screen::Failures), QStringLiteral("1 failed job"));
        QCOMPARE(said(MainWindow::Screen::Jobs), QStringLiteral("2 jobs that have not ended"));
        QCOMPARE(said(MainWindow::Screen::Workers), QString());
    }

    void helpLeadsToTheManualOfTheMaster()
    {
        QVERIFY(m_fixture->openLive());
        QDesktopServices::setUrlHandler(QStringLiteral("http"), this, "openUrl");
        for (QAction *action : m_fixture->window().findChildren<QAction *>()) {
            if (action->text() == QLatin1String("&Manual"))
                action->trigger();
        }
        QDesktopServices::unsetUrlHandler(QStringLiteral("http"));
        QCOMPARE(m_opened.path(), QStringLiteral("/manual"));
        QCOMPARE(m_opened.port(), int(m_fixture->master().port()));
    }

    void aChangeIsShownAtOnceAndAQuietMasterIsSeldomAsked()
    {
        qint64 revision = 7;
        m_fixture->answers.insert("/v1/changes", [&revision](const ScriptedMaster::Request &request) {
            const bool changed = request.query.contains("since=") && !request.query.contains("since=" + QByteArray::number(revision));
            MsgpackWriter out;
            out.map(2).text("revision").integer(revision).text("changed").array(changed ? 1 : 0);
            return ScriptedMaster::Answer{200, changed ? out.text("jobs").take() : out.take()};
        });
        QVERIFY(m_fixture->openLive());
        QTRY_VERIFY(m_fixture->requestsTo("/v1/changes") >= 2);
        const int before = m_fixture->requestsTo("/v1/overview");
        QTest::qWait(3 * Feed::watched_ms);
        QVERIFY(m_fixture->requestsTo("/v1/overview") <= before + 2); // one that does not tell is asked three times
        const int quiet = m_fixture->requestsTo("/v1/overview");
        ++revision;
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->requestsTo("/v1/overview") > quiet, 2'000);
        // A master of an older version does not tell of changes.
        m_fixture->answers.remove("/v1/changes");
        const int older = m_fixture->requestsTo("/v1/overview");
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->requestsTo("/v1/overview") >= older + 3, 8'000);
    }

    void aFrozenTableDoesNotMove()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        JobsPage *page = window.jobsPage();
        QTRY_COMPARE(page->list().model().rowCount(), 2);
        QTest::keyClick(page->table(), Qt::Key_Space);
        QCOMPARE(page->list().mode(), JobList::Mode::Frozen);
        m_fixture->jobs.prepend(WindowFixture::job(3));
        const int before = m_fixture->requestsTo("/v1/overview");
        QTRY_VERIFY(m_fixture->requestsTo("/v1/overview") >= before + 2);
        QCOMPARE(page->list().model().rowCount(), 2);
        QTest::keyClick(page->table(), Qt::Key_Space);
        QTRY_COMPARE(page->list().model().rowCount(), 3);
    }

    void theSelectionFollowsItsJobAndAJobThatLeavesStaysAsAGhost()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        JobsPage *page = window.jobsPage();
        page->showState(JobState::Ready);
        QTRY_COMPARE(page->list().model().rowCount(), 2);
        page->table()->selectRow(1);
        m_fixture->jobs.prepend(WindowFixture::job(3));
        QTRY_COMPARE(page->list().model().rowCount(), 3);
        QCOMPARE(page->table()->currentId(), WindowFixture::job(2).id);
        QCOMPARE(page->selectedJobs().first().id, WindowFixture::job(2).id);
        m_fixture->jobs[2].state = JobState::Succeeded;
        QTRY_COMPARE(page->list().model().ghosts(), 1);
        QTRY_COMPARE(page->list().model().find(WindowFixture::job(2).id)->state, JobState::Succeeded);
        page->table()->selectRow(0);
        QTRY_COMPARE(page->list().model().rowCount(), 2);
    }

    void aFailedJobThatRunsAgainIsNotShownAsFailed()
    {
        m_fixture->jobs = {WindowFixture::job(1, JobState::Failed)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        JobsPage *page = window.jobsPage();
        page->showState(JobState::Failed);
        QTRY_COMPARE(page->list().model().rowCount(), 1);
        page->table()->selectRow(0);
        m_fixture->jobs[0].state = JobState::Running;
        QTRY_COMPARE(page->list().model().ghosts(), 1);
        QTRY_COMPARE(page->list().model().jobAt(0)->state, JobState::Running);
        QTRY_VERIFY(!window.jobActions()->retry()->isEnabled());
    }

    void moreRowsComeAndTheTableStandsStillBeyondWhatCanBeLive()
    {
        for (int number = 0; number < 700; ++number)
            m_fixture->jobs.append(WindowFixture::job(number));
        m_fixture->next = "cursor-1";
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        JobList &list = window.jobsPage()->list();
        QTRY_COMPARE(list.model().rowCount(), 100);
        for (int rows = 200; rows <= 500; rows += 100) {
            list.more();
            QTRY_COMPARE(list.model().rowCount(), rows);
            QCOMPARE(list.mode(), JobList::Mode::Live);
        }
        m_fixture->jobs = m_fixture->jobs.sliced(500);
        m_fixture->next.clear();
        list.more();
        QTRY_COMPARE(list.model().rowCount(), 700);
        QCOMPARE(list.mode(), JobList::Mode::Frozen);
        QVERIFY(!list.hasMore());
        // These rows are of several moments, so the list is not called frozen.
        QVERIFY(window.jobsPage()->footText().contains(QLatin1String("loaded ")));
        window.jobsPage()->refresh();
        QTRY_VERIFY(!window.jobsPage()->footText().contains(QLatin1String("loaded from ")));
        QCOMPARE(m_fixture->requestsTo("/v1/jobs", "cursor=cursor-1"), 1);
    }

    void theCountsOfTheTabsFollowTheFilter()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        m_fixture->next = "cursor-1"; // there are more than the rows
        m_fixture->answers.insert("/v1/jobs/counts", [](const ScriptedMaster::Request &request) {
            const bool second = request.query.contains("cursor=on");
            return ScriptedMaster::Answer{200, packed(second
                ? QByteArray("{'states':{'failed':4},'coverage':{'scanned':10,'total':60010,'complete':true}}")
                : QByteArray("{'states':{'ready':3},'next':'on','coverage':{'scanned':60000,'total':60010,'complete':false}}"))};
        });
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        JobsPage &page = *m_fixture->window().jobsPage();
        QTRY_COMPARE(page.tabs()->tabText(0), QStringLiteral("All 2"));
        page.filterBar()->setFilter(QStringLiteral("job.priority == 0"));
        QTRY_COMPARE(page.tabs()->tabText(0), QStringLiteral("All 7"));
        const auto shows = [&page](const QString &text) {
            for (int tab = 0; tab < page.tabs()->count(); ++tab) {
                if (page.tabs()->tabText(tab) == text)
                    return true;
            }
            return false;
        };
        QVERIFY(shows(QStringLiteral("failed 4")));
        QVERIFY(shows(QStringLiteral("ready 3")));
        QCOMPARE(m_fixture->requestsTo("/v1/jobs/counts", "match=job.priority"), 2);
        QVERIFY(page.footText().contains(QLatin1String("tabs counted at "))); // so many are not counted again by themselves
        // But after an operation, which may have changed them.
        page.table()->selectAll();
        m_fixture->bulkJobs = 2;
        m_fixture->window().jobActions()->remove()->trigger();
        QTRY_VERIFY(m_fixture->window().findChild<QMessageBox *>());
        m_fixture->window().findChild<QMessageBox *>()->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(m_fixture->requestsTo("/v1/jobs/counts", "match=job.priority"), 4);
        QTest::qWait(200); // the answer to the fourth comes
        page.countAgain();
        page.countAgain(); // the count under way may have seen jobs as they were before
        QTRY_COMPARE(m_fixture->requestsTo("/v1/jobs/counts", "match=job.priority"), 8);
        page.clearFilter();
        QVERIFY(!page.footText().contains(QLatin1String("tabs counted at ")));
        QTRY_COMPARE(page.tabs()->tabText(0), QStringLiteral("All 2"));
    }

    void aSearchThatFoundAllIsNotFollowedByACount()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2, JobState::Failed)};
        const QByteArray first = "{'jobs':[],'next':'more','coverage':{'scanned':20000,'total':30000,'complete':false}}";
        m_fixture->guard = [first](const ScriptedMaster::Request &request) {
            const bool begun = request.path == "/v1/jobs" && request.query.contains("match=") && !request.query.contains("cursor=");
            return begun ? std::optional(ScriptedMaster::Answer{200, packed(first)}) : std::nullopt;
        };
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        JobsPage &page = *m_fixture->window().jobsPage();
        page.filterBar()->setFilter(QStringLiteral("job.priority == 0"));
        QTRY_COMPARE(page.tabs()->tabText(0), QStringLiteral("All 2"));
        QTRY_COMPARE(page.tabs()->tabText(page.tabs()->currentIndex()), QStringLiteral("All 2"));
        QCOMPARE(m_fixture->requestsTo("/v1/jobs/counts"), 0);
        QVERIFY(page.footText().contains(QLatin1String("all 20,002 searched"))); // most jobs have gone meanwhile
    }

    void theTableSortsByWhatTheMasterOrdersAndSaysWhyItDoesNotByOthers()
    {
        m_fixture->jobs = {WindowFixture::job(1, JobState::Failed)};
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        JobsPage &page = *m_fixture->window().jobsPage();
        page.showState(JobState::Failed);
        QTRY_COMPARE(page.list().model().rowCount(), 1);
        QHeaderView *header = page.table()->horizontalHeader();
        const auto click = [header](int column) {
            const QPoint at(header->sectionViewportPosition(column) + header->sectionSize(column) / 2, header->height() / 2);
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
        };
        QCOMPARE(header->sortIndicatorSection(), int(JobTableModel::Finished));
        QCOMPARE(header->sortIndicatorOrder(), Qt::DescendingOrder);
        click(JobTableModel::Name);
        QCOMPARE(header->sortIndicatorSection(), int(JobTableModel::Finished));
        QVERIFY(!page.list().filter().reversed);
        const QString tip = page.list().model().headerData(JobTableModel::Name, Qt::Horizontal, Qt::ToolTipRole).toString();
        QVERIFY(tip.contains(QLatin1String("Finished")));
        QVERIFY(QToolTip::isVisible()); // at the click, not only when the pointer rests
        QCOMPARE(QToolTip::text(), tip);
        click(JobTableModel::Finished);
        QTRY_VERIFY(!QToolTip::isVisible());
        QCOMPARE(header->sortIndicatorOrder(), Qt::AscendingOrder);
        QTRY_VERIFY(m_fixture->requestsTo("/v1/jobs", "order=reversed") > 0);
        page.showState({});
        QVERIFY(!page.list().filter().reversed);
    }

    void pagesComeAsOneScrolls()
    {
        for (int number = 0; number < 300; ++number)
            m_fixture->jobs.append(WindowFixture::job(number));
        m_fixture->next = "more";
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        JobsPage &page = *m_fixture->window().jobsPage();
        QTRY_COMPARE(page.list().model().rowCount(), 100);
        QTest::qWait(50);
        QCOMPARE(page.list().model().rowCount(), 100); // most of them are still out of sight
        page.table()->scrollToBottom();
        QTRY_COMPARE(page.list().model().rowCount(), 200);
        QVERIFY(!page.searchButton()->isVisible());
    }

    void aSelectionOfAllRowsSaysWhatItStandsFor()
    {
        QVERIFY(openFailed());
        MainWindow &window = m_fixture->window();
        JobsPage &page = *window.jobsPage();
        page.table()->selectAll();
        QCOMPARE(page.selectionText(), QStringLiteral("100 rows are selected"));
        QCOMPARE(page.selectAllButton()->text(), QStringLiteral("Select all 150"));
        QTest::mouseClick(page.selectAllButton(), Qt::LeftButton);
        QVERIFY(page.isAllSelected());
        QCOMPARE(window.focusWidget(), static_cast<QWidget *>(page.table())); // whose keys act on them
        QVERIFY(page.selectionText().startsWith(QLatin1String("All 150 jobs")));
        m_fixture->bulkJobs = 150;
        window.jobActions()->retry()->trigger();
        QTRY_VERIFY(window.findChild<QMessageBox *>());
        auto *question = window.findChild<QMessageBox *>();
        QCOMPARE(question->text(), QStringLiteral("Retry 150 jobs?"));
        QVERIFY(question->informativeText().startsWith(QLatin1String("State: failed\n")));
        QCOMPARE(m_fixture->bulkBodies, QByteArrayList{packed("{'action':'retry','state':'failed','dry_run':true}")});
        question->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(window.toast()->text(), QStringLiteral("150 jobs retried"));
    }

    // A dry run ends before all its jobs are gathered; the window freezes the list, waits, and goes on with it.
    void moreJobsThanOneCallGathersAreAskedAboutTheSame()
    {
        m_fixture->bulkJobs = 150;
        bool gathers = true;
        m_fixture->guard = [&gathers](const ScriptedMaster::Request &request) -> std::optional<ScriptedMaster::Answer> {
            const auto view = [](const QByteArray &more) {
                return "'view':'view-1','as_of':'2026-01-02T03:04:05.000Z','count':" + more + ",'complete':true";
            };
            if (request.path == "/v1/operations" && request.method == "POST" && request.body.contains("dry_run")
                && !request.body.contains("view"))
                return ScriptedMaster::Answer{409, WindowFixture::problem(409, "conflict", "The view has not got all its jobs yet.")};
            if (request.path == "/v1/views")
                return ScriptedMaster::Answer{201, packed('{' + view("90,'building':true") + '}')};
            if (request.path == "/v1/views/view-1")
                return ScriptedMaster::Answer{200, packed('{' + view(gathers ? "120,'building':true" : "150")
                    + ",'offset':0,'ids':[],'jobs':[]}")};
            return {};
        };
        QVERIFY(openFailed());
        MainWindow &window = m_fixture->window();
        JobsPage &page = *window.jobsPage();
        page.table()->selectAll();
        page.selectAllButton()->click();
        window.jobActions()->retry()->trigger();
        QTRY_VERIFY(window.strip()->text().contains(QLatin1String("Gathering the jobs: 120 so far")));
        gathers = false;
        QTRY_VERIFY(window.findChild<QMessageBox *>());
        QCOMPARE(window.findChild<QMessageBox *>()->text(), QStringLiteral("Retry 150 jobs?"));
        QVERIFY(!window.strip()->text().contains(QLatin1String("Gathering")));
        QCOMPARE(m_fixture->bulkBodies, QByteArrayList{packed("{'action':'retry','view':'view-1','dry_run':true}")});
        window.findChild<QMessageBox *>()->reject();

        // And it can be stopped.
        gathers = true;
        window.jobActions()->retry()->trigger();
        QTRY_VERIFY(window.strip()->text().contains(QLatin1String("Gathering the jobs: 120 so far")));
        window.strip()->action("prepare 2")->click();
        QTRY_VERIFY(!window.strip()->text().contains(QLatin1String("Gathering")));
        const int asked = m_fixture->requestsTo("/v1/views/view-1");
        QTest::qWait(1'000);
        QCOMPARE(m_fixture->requestsTo("/v1/views/view-1"), asked);
    }

    void theNextStartShowsWhatWasShownLast()
    {
        m_fixture->jobs = {WindowFixture::job(1, JobState::Failed)};
        QVERIFY(m_fixture->openLive());
        m_fixture->window().overviewPage()->setRange(2);
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        m_fixture->window().jobsPage()->showState(JobState::Failed);
        m_fixture->window().jobsPage()->filterBar()->setFilter(QStringLiteral("job.name == \"two  blanks\""));
        m_fixture->window().showScreen(MainWindow::Screen::Constraints);
        m_fixture->window().close();
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        QCOMPARE(window.screen(), MainWindow::Screen::Constraints);
        QCOMPARE(window.overviewPage()->range(), 2);
        QCOMPARE(window.jobsPage()->list().filter().state, std::optional(JobState::Failed));
        QCOMPARE(window.jobsPage()->list().filter().match, QByteArray("job.name == \"two  blanks\""));
        window.jobsPage()->filterBar()->setFilter({});
        window.jobsPage()->showWhich(client::JobsOf::Trash);
        window.close();
        QVERIFY(m_fixture->openLive());
        QCOMPARE(m_fixture->window().jobsPage()->list().filter().which, client::JobsOf::Trash);
        QVERIFY(m_fixture->window().jobsPage()->list().filter().match.isEmpty());
    }

    // Rows that come meanwhile are not selected.
    void nothingMovesWhenASelectionChanges_data() { everyScreenFitsASmallWindowWithTheInspector_data(); }
    void nothingMovesWhenASelectionChanges()
    {
        QFETCH(QByteArray, language);
        m_fixture = std::make_unique<WindowFixture>(language.constData());
        QVERIFY(openFailed());
        MainWindow &window = m_fixture->window();
        window.resize(1024, 700);
        JobsPage &page = *window.jobsPage();
        page.table()->selectRow(0);
        QTRY_VERIFY(window.inspector()->job().has_value());
        QTRY_VERIFY(page.width() < 700); // beside the inspector
        page.table()->clearSelection();
        QCoreApplication::processEvents();
        const auto places = [&page] {
            QList<QRect> all{page.table()->geometry()};
            for (const QToolButton *button : page.findChildren<QToolButton *>()) {
                if (button->isVisible())
                    all.append(QRect(button->mapTo(&page, QPoint()), button->size()));
            }
            return all;
        };
        const QList<QRect> before = places();
        QVERIFY(before.size() > 10);
        const auto select = [&](int rows) {
            page.table()->clearSelection();
            page.table()->setCurrentIndex(page.table()->model()->index(0, 0));
            for (int row = 0; row < rows; ++row)
                page.table()->selectionModel()->select(page.table()->model()->index(row, 0),
                                                       QItemSelectionModel::Select | QItemSelectionModel::Rows);
            QTest::qWait(20);
        };
        for (const int rows : {1, 2, 100, 0}) {
            select(rows);
            QCOMPARE(places(), before);
        }
        select(2);
        QTest::mouseClick(page.selectAllButton(), Qt::LeftButton);
        QTest::qWait(20);
        QCOMPARE(places(), before);
    }

    void allThatMatchStaySelectedInAListThatMoves()
    {
        QVERIFY(openFailed());
        MainWindow &window = m_fixture->window();
        JobsPage &page = *window.jobsPage();
        QVERIFY(page.selectionText().isEmpty());
        page.table()->selectRow(3);
        QCOMPARE(page.selectionText(), QStringLiteral("1 row is selected"));
        QVERIFY(!page.selectAllButton()->isVisible());
        const QList<QToolButton *> buttons = page.findChildren<QToolButton *>();
        const auto retries = std::find_if(buttons.begin(), buttons.end(), [&window](const QToolButton *button) {
            return button->defaultAction() == window.jobActions()->retry();
        });
        QVERIFY(retries != buttons.end() && (*retries)->isVisible() && (*retries)->isEnabled()); // below the table
        QCOMPARE(window.jobActions()->cancel()->text(), QStringLiteral("&Cancel job"));
        page.table()->selectAll();
        QCOMPARE(window.jobActions()->cancel()->text(), QStringLiteral("&Cancel jobs"));
        m_fixture->jobs.prepend(WindowFixture::job(200, JobState::Failed));
        QTRY_COMPARE(page.list().model().rowCount(), 101);
        QCOMPARE(page.selectionText(), QStringLiteral("100 rows are selected"));
        page.selectAllButton()->click();
        QVERIFY(page.isAllSelected());
        QCOMPARE(page.table()->selectedIds().size(), 101); // all rows are marked
        m_fixture->jobs.prepend(WindowFixture::job(201, JobState::Failed));
        QTRY_COMPARE(page.list().model().rowCount(), 102);
        QVERIFY(page.isAllSelected());
        page.table()->selectRow(3);
        QVERIFY(!page.isAllSelected());
    }

    void aSearchIsPlainTextAPatternOrAnExpression()
    {
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        FilterBar &bar = *m_fixture->window().jobsPage()->filterBar();
        QTest::keyClicks(bar.edit(), QStringLiteral("job.name =="));
        QCOMPARE(bar.edit()->state(), ExpressionEdit::State::Invalid);
        QTest::keyClick(bar.edit(), Qt::Key_Return);
        QVERIFY(bar.match().isEmpty());
        QVERIFY(bar.mark()->toolTip().contains(QLatin1String("Line 1, column")));
        QVERIFY2(QToolTip::text().contains(QLatin1String("Line 1, column")), qPrintable(QToolTip::text())); // said at once
        bar.edit()->setPlainText(QStringLiteral("mail.*"));
        QCOMPARE(bar.edit()->state(), ExpressionEdit::State::Valid);
        QTest::keyClick(bar.edit(), Qt::Key_Return);
        QTRY_VERIFY(m_fixture->requestsTo("/v1/jobs", "match=job.name.startsWith") > 0);
        bar.edit()->clear();
        QTRY_VERIFY(m_fixture->window().jobsPage()->list().filter().match.isEmpty());
        Q_EMIT bar.history()->aboutToShow();
        QCOMPARE(bar.history()->actions().value(0)->text(), QStringLiteral("mail.*"));
        bar.history()->actions().first()->trigger();
        QCOMPARE(bar.match(), QByteArray("job.name.startsWith(\"mail.\")"));
    }

    void filtersAreSavedByNameAndNoneIsOverwrittenUnasked()
    {
        KeptFilters kept;
        QVERIFY(openWith(kept));
        FilterBar &bar = *m_fixture->window().jobsPage()->filterBar();
        SavedFilters &saved = openSaved();
        QCOMPARE(saved.list()->actions().value(0)->text(), QStringLiteral("None yet"));
        QVERIFY(!entry(*saved.list(), "&Save the filter…")->isEnabled()); // none is applied
        QVERIFY(!entry(*saved.list(), "&Delete")->isEnabled());
        bar.setFilter(QStringLiteral("mail.*"));
        QVERIFY(chooseSaved("&Save the filter…"));
        QVERIFY(nameFilter("Mail"));
        QCOMPARE(kept.of("Mail").text, QByteArray("mail.*"));
        QCOMPARE(kept.of("Mail").kind, FilterKind::Pattern);
        // Somebody else has the name: the question shows both.
        kept.put("Night", {FilterScreen::Jobs, FilterKind::Expression, "job.priority > 3"});
        QVERIFY(chooseSaved("&Save the filter…"));
        auto *dialog = m_fixture->window().findChild<FilterNameDialog *>();
        QVERIFY(dialog);
        dialog->name()->setText(QStringLiteral("Night"));
        dialog->go()->click();
        QTRY_VERIFY(dialog->findChild<QMessageBox *>());
        const QString both = dialog->findChild<QMessageBox *>()->informativeText();
        QVERIFY2(both.contains(QLatin1String("job.priority > 3\n\nMine:\nmail.*")), qPrintable(both));
        QCOMPARE(kept.of("Night").text, QByteArray("job.priority > 3"));
        dialog->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_VERIFY(!m_fixture->window().findChild<FilterNameDialog *>());
        QCOMPARE(kept.of("Night").text, QByteArray("mail.*"));
        m_fixture->guard = nullptr;
    }

    void savedFiltersAreChosenRenamedAndDeletedAndThePaletteFindsThem()
    {
        KeptFilters kept;
        kept.put("Night", {FilterScreen::Jobs, FilterKind::Pattern, "mail.*"});
        kept.put("Words", {FilterScreen::Jobs, FilterKind::Text, "job.priority > 3"});
        kept.put("Cause", {FilterScreen::Failures, FilterKind::Text, "timeout"});
        QVERIFY(openWith(kept));
        MainWindow &window = m_fixture->window();
        QVERIFY(chooseSaved("Night", "&Rename"));
        QVERIFY(nameFilter("Day"));
        QVERIFY(!kept.has("Night"));
        QCOMPARE(kept.of("Day").text, QByteArray("mail.*"));
        QVERIFY(chooseSaved("Words"));
        FilterBar &bar = *window.jobsPage()->filterBar();
        QCOMPARE(bar.meant(), Meant::Text);
        QVERIFY2(bar.match().contains("all(word"), bar.match().constData()); // as it was meant when it was saved
        QVERIFY(!entry(*openSaved().list(), "Cause")); // of another screen
        QVERIFY(chooseSaved("Day", "&Delete"));
        QVERIFY(window.findChild<QMessageBox *>());
        window.findChild<QMessageBox *>()->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_VERIFY(!kept.has("Day"));
        PaletteDialog *palette = openPalette();
        QVERIFY(palette);
        palette->input()->setText(QStringLiteral("timeout"));
        const QString cause = QStringLiteral("Saved filter: Cause");
        QTRY_VERIFY(!palette->list()->findItems(cause, Qt::MatchExactly).isEmpty());
        palette->list()->setCurrentItem(palette->list()->findItems(cause, Qt::MatchExactly).first());
        QTest::keyClick(palette->input(), Qt::Key_Return);
        QCOMPARE(window.screen(), MainWindow::Screen::Failures);
        QCOMPARE(window.failuresPage()->filterBar()->edit()->toPlainText(), QStringLiteral("timeout"));
        m_fixture->guard = nullptr;
    }

    void howALineIsMeantIsShownAndChosen()
    {
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        FilterBar &bar = *m_fixture->window().jobsPage()->filterBar();
        const auto meant = [&bar](const char *line) {
            bar.edit()->setPlainText(QString::fromUtf8(line));
            const bool invalid = bar.edit()->state() == ExpressionEdit::State::Invalid;
            return bar.meaning()->text() + (invalid ? QStringLiteral("!") : QString());
        };
        const auto choose = [&bar](Meant meaning) {
            for (QAction *action : bar.meaning()->menu()->actions()) {
                if (action->data().toInt() == int(meaning) && action->isEnabled())
                    action->trigger();
            }
        };
        QCOMPARE(meant("o'brien"), QStringLiteral("Text"));
        QCOMPARE(meant("メール*送信"), QStringLiteral("Pattern"));
        QCOMPARE(meant("job.priority > 3"), QStringLiteral("Expression"));
        QCOMPARE(meant("job.priority > "), QStringLiteral("Expression!"));
        QCOMPARE(meant("mail.*"), QStringLiteral("Pattern"));
        QTest::keyClick(bar.edit(), Qt::Key_Return);
        QCOMPARE(bar.match(), QByteArray("job.name.startsWith(\"mail.\")"));
        choose(Meant::Text); // what is in force is applied anew
        QCOMPARE(bar.meaning()->text(), QStringLiteral("Text"));
        QVERIFY(bar.match().startsWith("[\"mail.*\"].all("));
        choose(Meant::Expression);
        QCOMPARE(meant("mail.*"), QStringLiteral("Expression!"));
        QCOMPARE(meant(""), QStringLiteral("Search"));
        QCOMPARE(meant("mail.*"), QStringLiteral("Pattern")); // another line, as it looks
        bar.edit()->clear();
        QApplication::clipboard()->setText(QStringLiteral("connection\nrefused"));
        bar.edit()->paste();
        QCOMPARE(bar.edit()->toPlainText(), QStringLiteral("connection refused"));
    }

    void theNameMayBeAPatternToo()
    {
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        JobsPage &page = *m_fixture->window().jobsPage();
        auto *name = page.findChildren<QLineEdit *>()[0];
        name->setText(QStringLiteral("job.1"));
        QTRY_COMPARE(page.list().filter().name, QByteArray("job.1"));
        page.filterBar()->setFilter(QStringLiteral("job.priority == 0 || job.priority == 1"));
        name->setText(QStringLiteral("job.*"));
        QTRY_COMPARE(page.list().filter().match,
                     QByteArray("(job.name.startsWith(\"job.\")) && (job.priority == 0 || job.priority == 1)"));
        QCOMPARE(page.list().filter().name, QByteArray());
    }

    void aTabDoesNotNarrowASearchInSilence()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        m_fixture->instead.insert("/v1/jobs/counts",
            {200, packed("{'states':{'ready':2,'failed':0},'coverage':{'scanned':2,'total':2,'complete':true}}")});
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        JobsPage &page = *m_fixture->window().jobsPage();
        page.showState(JobState::Failed);
        QVERIFY(!page.onlyButton()->isVisible());
        page.filterBar()->setFilter(QStringLiteral("timeout"));
        QTRY_VERIFY(page.onlyButton()->isVisible());
        QCOMPARE(page.onlyButton()->text(), QStringLiteral("Only: failed"));
        auto *empty = page.findChild<EmptyState *>();
        QTRY_VERIFY2(empty->text().endsWith(QLatin1String("2 jobs match in other states.")), qPrintable(empty->title() + empty->text()));
        empty->action()->click();
        QCOMPARE(page.tabs()->currentIndex(), 0);
        QVERIFY(!page.onlyButton()->isVisible());
        QTRY_COMPARE(page.list().model().rowCount(), 2);
    }

    void whatIsTypedIsCompletedWithFieldsAndTheirValues()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2, JobState::Failed), WindowFixture::job(3, JobState::Failed)};
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        FilterBar &bar = *m_fixture->window().jobsPage()->filterBar();
        const auto offered = [&bar](const QString &typed) {
            bar.edit()->clear();
            QTest::keyClicks(bar.edit(), typed);
            QStringList all;
            const QAbstractItemModel *model = bar.edit()->completer()->completionModel();
            for (int row = 0; bar.edit()->completer()->popup()->isVisible() && row < model->rowCount(); ++row)
                all.append(model->index(row, 0).data().toString());
            return all;
        };
        QTRY_COMPARE(offered(QStringLiteral("numb")), QStringList{QStringLiteral("job.argument.number   int, 100 % of the jobs")});
        QCOMPARE(offered(QStringLiteral("job.state == ")),
                 (QStringList{QStringLiteral("\"failed\"   2 jobs, 66 % of the jobs"),
                              QStringLiteral("\"ready\"   1 job, 33 % of the jobs")}));
        QCOMPARE(offered(QStringLiteral("job.name == \"mail\" && job.state != \"f")).size(), 1);
        QTest::keyClick(bar.edit()->completer()->popup(), Qt::Key_Down);
        QTest::keyClick(bar.edit()->completer()->popup(), Qt::Key_Return);
        QCOMPARE(bar.edit()->toPlainText(), QStringLiteral("job.name == \"mail\" && job.state != \"failed\""));
        // Enter takes the line as it is while no suggestion is chosen.
        QVERIFY(!offered(QStringLiteral("numb")).isEmpty());
        QTest::keyClick(bar.edit()->completer()->popup(), Qt::Key_Return);
        QTRY_VERIFY(bar.match().startsWith("[\"numb\"].all("));
    }

    void aLongSearchGoesOnByItselfAndCanBeStopped()
    {
        QVERIFY(m_fixture->openLive());
        const auto asked = std::make_shared<int>(0);
        const int &pages = *asked;
        m_fixture->answers.insert("/v1/jobs", [asked](const ScriptedMaster::Request &request) {
            const bool searched = request.query.contains("match=");
            *asked += searched;
            return ScriptedMaster::Answer{200, packed(searched
                ? QByteArray("{'jobs':[],'next':'more','coverage':{'scanned':20000,'total':1000000000,'complete':false}}")
                : QByteArray("{'jobs':[],'coverage':{'scanned':0,'total':0,'complete':true}}"))};
        });
        const QByteArray counts = "{'states':{},'next':'on','coverage':{'scanned':20000,'total':1000000000,'complete':false}}";
        m_fixture->instead.insert("/v1/jobs/counts", {200, packed(counts)});
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        JobsPage &page = *m_fixture->window().jobsPage();
        page.filterBar()->setFilter(QStringLiteral("job.priority > 3"));
        QTRY_VERIFY(pages >= 5);
        QVERIFY(page.list().isSearching());
        const auto *empty = page.findChild<EmptyState *>();
        QTRY_COMPARE(empty->title(), QStringLiteral("Searching…"));
        QTRY_COMPARE(page.tabs()->tabText(0), QStringLiteral("All")); // it is not known that there is none
        QCOMPARE(page.searchButton()->text(), QStringLiteral("Stop"));
        auto *foot = page.findChild<LineLabel *>();
        foot->setMaximumWidth(500);
        QTRY_VERIFY(foot->text().endsWith(QChar(0x2026))); // what has no room
        QVERIFY2(foot->text().contains(QLatin1String(" of 1,000,000,000")), qPrintable(foot->text()));
        QVERIFY(foot->fontMetrics().horizontalAdvance(foot->text()) <= foot->width());
        QVERIFY2(foot->toolTip().contains(QLatin1String("searched at ")) || foot->toolTip().contains(QLatin1String("searched from ")),
                 qPrintable(foot->toolTip()));
        QVERIFY(!foot->toolTip().contains(QLatin1String("not updated since")));
        page.searchButton()->click();
        QVERIFY(!page.list().isSearching());
        QTRY_COMPARE(empty->title(), QStringLiteral("None found so far"));
        QTRY_VERIFY(!page.list().isLoadingMore());
        const int stopped = pages;
        const int beats = m_fixture->requestsTo("/v1/overview");
        QTRY_VERIFY(m_fixture->requestsTo("/v1/overview") >= beats + 2);
        QCOMPARE(pages, stopped);
        QCOMPARE(page.searchButton()->text(), QStringLiteral("Search on"));
        QVERIFY(page.footText().contains(QLatin1String(" of 1,000,000,000")));
    }

    void oneRetryIsDoneAtOnceAndCanBeCancelledAfterAll()
    {
        m_fixture->jobs = {WindowFixture::job(1, JobState::Failed)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        window.jobsPage()->table()->selectRow(0);
        QTest::keyClick(window.jobsPage()->table(), Qt::Key_R);
        const QByteArray path = "/v1/jobs/" + WindowFixture::job(1).id.text();
        QTRY_COMPARE(m_fixture->requestsTo(path + "/retry"), 1);
        QTRY_VERIFY(window.toast()->isVisible());
        QCOMPARE(window.toast()->text(), QStringLiteral("1 job will run again"));
        window.toast()->offer()->click();
        QTRY_COMPARE(m_fixture->requestsTo(path + "/cancel"), 1);
    }

    void whatIsSelectedOnAScreenThatIsNotShownIsNotMeant()
    {
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        window.jobsPage()->table()->selectRow(0);
        QVERIFY(window.jobActions()->cancel()->isEnabled());
        window.showScreen(MainWindow::Screen::Constraints);
        QVERIFY(!window.jobActions()->cancel()->isEnabled());
        window.showScreen(MainWindow::Screen::Jobs);
        QVERIFY(!window.jobActions()->cancel()->isEnabled()); // nor is it selected any more
        window.jobsPage()->table()->selectRow(0);
        QVERIFY(window.jobActions()->cancel()->isEnabled());
        QTest::keyClick(window.jobsPage()->table(), Qt::Key_Escape);
        QVERIFY(!window.jobActions()->cancel()->isEnabled());
    }

    // What is done without a question has no line for its reason.
    void aReasonForAllChangesCountsUntilItIsTakenAway()
    {
        m_fixture->jobs = {WindowFixture::job(1, JobState::Failed)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        QVERIFY(!window.reason()->isVisible());
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        window.jobsPage()->table()->selectRow(0);
        QVERIFY(window.jobActions()->retry()->isEnabled());
        const auto dialog = [&window] { return window.findChild<ReasonDialog *>(); };
        const auto say = [&](const QString &reason) {
            dialog()->why()->setText(reason);
            dialog()->go()->click();
            return QTest::qWaitFor([&] { return !dialog(); });
        };
        window.activateWindow();
        QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(dialog());
        QVERIFY(say(QStringLiteral(" vendor & co. ")));
        QCOMPARE(window.reason()->text(), QStringLiteral("Reason: vendor && co."));
        QVERIFY(window.reason()->isVisible());
        const QByteArray path = "/v1/jobs/" + WindowFixture::job(1).id.text() + "/retry";
        const auto reasons = [&] {
            QByteArrayList all;
            for (const ScriptedMaster::Request &request : m_fixture->master().requests()) {
                if (request.path == path)
                    all.append(request.fields.value("junban-reason", "none"));
            }
            return all;
        };
        window.jobActions()->retry()->trigger();
        QTRY_COMPARE(reasons(), QByteArrayList{"vendor %26 co."});
        // A question begins with it, and may have another.
        window.reason()->click();
        QTRY_VERIFY(dialog());
        QCOMPARE(dialog()->why()->text(), QStringLiteral("vendor & co."));
        QVERIFY(say({}));
        QVERIFY(!window.reason()->isVisible());
        window.jobActions()->retry()->trigger();
        QTRY_COMPARE(reasons(), (QByteArrayList{"vendor %26 co.", "none"}));
    }

    void severalJobsAreAskedAboutWithTheirNumbers()
    {
        for (int number = 0; number < 9; ++number)
            m_fixture->jobs.append(WindowFixture::job(number, number == 0 ? JobState::Running : JobState::Failed));
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 9);
        window.jobsPage()->table()->selectAll();
        m_fixture->bulkJobs = 8;
        m_fixture->bulkLeft = 1;
        window.jobActions()->retry()->trigger();
        QTRY_VERIFY(window.findChild<QMessageBox *>());
        auto *box = window.findChild<QMessageBox *>();
        QCOMPARE(box->text(), QStringLiteral("Retry 8 jobs?"));
        QVERIFY(box->informativeText().contains(QLatin1String("failed: 8")));
        QVERIFY(box->informativeText().contains(QLatin1String("running: 1, skipped")));
        QCOMPARE(box->defaultButton()->text(), QStringLiteral("Cancel"));
        for (const Job &job : std::as_const(m_fixture->jobs)) // these and no others
            QVERIFY(m_fixture->bulkBodies.last().contains(job.id.text()));
        QTest::keyClick(box, Qt::Key_Escape);
        QTRY_VERIFY(!window.findChild<QMessageBox *>());
        QVERIFY(m_fixture->bulkStarts.isEmpty());
        window.jobActions()->retry()->trigger();
        QTRY_VERIFY(window.findChild<QMessageBox *>());
        box = window.findChild<QMessageBox *>();
        box->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(window.toast()->text(), QStringLiteral("8 jobs retried"));
        const QWidget *rows = window.jobsPage()->table()->viewport();
        const QRect shownRows(rows->mapTo(&window, QPoint()), rows->size());
        QVERIFY(!window.toast()->geometry().intersects(shownRows)); // the last ones can be seen and clicked
        QCOMPARE(m_fixture->bulkStarts, QByteArrayList{packed("{'token':'op-1'}")});
        for (const ScriptedMaster::Request &request : m_fixture->master().requests()) // none for each job
            QVERIFY2(!request.path.endsWith("/retry"), request.path.constData());
        QTRY_COMPARE(window.toast()->offer()->text(), QStringLiteral("Undo: cancel those not started"));
        window.toast()->offer()->click();
        QTRY_COMPARE(m_fixture->requestsTo("/v1/operations/op-1/undo"), 1);
    }

    void whatAnOperationHasChangedLeavesTheListOfItsState()
    {
        for (int number = 0; number < 3; ++number)
            m_fixture->jobs.append(WindowFixture::job(number));
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        JobsPage &page = *window.jobsPage();
        page.showState(JobState::Ready);
        QTRY_COMPARE(page.list().model().rowCount(), 3);
        page.table()->selectAll();
        m_fixture->bulkJobs = 3;
        m_fixture->instead.insert("/v1/retention", {200, packed("{'succeeded':{'age':60,'count':9},'failed':{'age':60,'count':9},"
                                                                "'cancelled':{'age':60,'count':2},'names':{}}")});
        window.jobActions()->cancel()->trigger();
        QTRY_VERIFY(window.findChild<QMessageBox *>());
        auto *box = window.findChild<QMessageBox *>();
        QVERIFY(box->informativeText().contains(QLatin1String("This cannot be undone.")));
        QVERIFY(box->informativeText().contains(QLatin1String("Only the last 2 cancelled jobs are kept")));
        m_fixture->jobs.clear();
        const int asked = m_fixture->requestsTo("/v1/jobs", "state=ready");
        QTRY_VERIFY(m_fixture->requestsTo("/v1/jobs", "state=ready") > asked + 1);
        QCOMPARE(page.list().model().rowCount(), 3); // what is selected does not go from under the hand
        box->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(page.list().model().rowCount(), 0);
    }

    void anOperationIsPacedWatchedAndStopped()
    {
        for (int number = 0; number < 3; ++number)
            m_fixture->jobs.append(WindowFixture::job(number, JobState::Failed));
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 3);
        window.jobsPage()->table()->selectAll();
        m_fixture->bulkJobs = 12'480;
        m_fixture->bulkStep = 20;
        window.jobActions()->remove()->trigger();
        QTRY_VERIFY(window.findChild<QMessageBox *>());
        auto *box = window.findChild<QMessageBox *>();
        QVERIFY(box->informativeText().contains(QLatin1String("They stay in the trash for 24 hours.")));
        box->findChild<QSpinBox *>(QStringLiteral("rate"))->setValue(50);
        box->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(m_fixture->bulkStarts.size(), 1);
        QCOMPARE(m_fixture->bulkBodies.size(), 2); // the second one of the same view, with the pace
        QCOMPARE(m_fixture->bulkBodies.last(), MsgpackWriter().map(4).text("action").text("delete").text("view").text("view-1").text("rate")
            .real(50).text("dry_run").boolean(true).take());
        QTRY_COMPARE(window.strip()->text(), QStringLiteral("Deleting: 20 of 12,480"));
        m_fixture->overviewMore = {{"unasked", packed("{'jobs':1,'names':[{'name':'report','jobs':1}],'complete':true}")}};
        QTRY_VERIFY(window.strip()->line("unasked"));
        QVERIFY(window.strip()->text().startsWith(QLatin1String("Deleting: "))); // its button does not go away from the pointer
        m_fixture->overviewMore.clear();
        QTRY_VERIFY(!window.strip()->line("unasked"));
        window.showScreen(MainWindow::Screen::Operations);
        OperationsPage &page = *window.operationsPage();
        QTRY_COMPARE(page.list()->model()->rowCount(), 1);
        const auto cell = [&](int column) { return page.list()->model()->index(0, column).data().toString(); };
        QCOMPARE(cell(0), QStringLiteral("delete 12,480 jobs"));
        QCOMPARE(cell(2), QStringLiteral("running"));
        QCOMPARE(cell(10), QStringLiteral("the vendor is back"));
        page.list()->table()->selectRow(0);
        QVERIFY(page.stop()->isEnabled() && page.pause()->isEnabled() && !page.resume()->isEnabled() && !page.undo()->isEnabled());
        QCOMPARE(page.undo()->toolTip(), QStringLiteral("Stop it first, or wait until it has ended"));
        window.strip()->action("operation op-1")->click();
        QTRY_COMPARE(m_fixture->requestsTo("/v1/operations/op-1/stop"), 1);
        QTRY_VERIFY(window.strip()->text().isEmpty());
        QVERIFY(window.toast()->text().startsWith(QLatin1String("Stopped after ")));
        QTRY_COMPARE(cell(2), QStringLiteral("stopped"));
        QVERIFY(!page.stop()->isEnabled());
    }

    void operationsThatOthersBeganAreShownWhileTheyAreUnderWay()
    {
        int done = 5;
        QByteArray state = "running";
        QByteArrayList more;
        const auto one = [](const QByteArray &id, const QByteArray &rest) {
            return "{'operation':'" + id + "','action':'delete','view':'v','count':213,'jobs':201,'skipped':0,'skipped_by':[],'by':'ken',"
                "'started_at':'2026-01-02T03:00:00.000Z'," + rest + '}';
        };
        const auto list = [&] {
            const QByteArray at = QByteArray::number(done);
            const QByteArray ended = state == "stopped" ? ",'ended_at':'2026-01-02T03:01:00.000Z','undoable':true" : "";
            return QByteArrayList(more) << one("op-9", "'state':'" + state + "','done':" + at + ",'position':" + at + ended);
        };
        m_fixture->answers.insert("/v1/operations", [&](const ScriptedMaster::Request &) {
            return ScriptedMaster::Answer{200, packed("{'operations':[" + list().join(',') + "]}")};
        });
        m_fixture->answers.insert("/v1/operations/op-9/stop", [&](const ScriptedMaster::Request &) {
            state = "stopped";
            return ScriptedMaster::Answer{200, packed(list().last())};
        });
        qint64 revision = 7;
        m_fixture->answers.insert("/v1/changes", [&revision](const ScriptedMaster::Request &request) {
            const bool changed = request.query.contains("since=") && !request.query.contains("since=" + QByteArray::number(revision));
            return ScriptedMaster::Answer{200, packed("{'revision':" + QByteArray::number(revision) + ",'changed':["
                + (changed ? "'operations'" : "") + "]}")};
        });
        state = "prepared"; // nobody has begun it
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        StateStrip &strip = *window.strip();
        QTRY_VERIFY(m_fixture->requestsTo("/v1/changes") >= 2 && m_fixture->requestsTo("/v1/operations") > 0);
        QCOMPARE(strip.text(), QString());
        state = "running";
        ++revision;
        QTRY_COMPARE_WITH_TIMEOUT(strip.text(), QStringLiteral("Deleting: 5 of 201 · by ken"), 1'500); // it was told of
        done = 20;
        QTRY_COMPARE_WITH_TIMEOUT(strip.text(), QStringLiteral("Deleting: 20 of 201 · by ken"), 1'500);
        strip.line("operation op-9")->click();
        QCOMPARE(window.screen(), MainWindow::Screen::Operations);
        OperationsPage &page = *window.operationsPage();
        QTRY_COMPARE(page.list()->table()->chosen(), QByteArray("op-9"));
        more = {one("op-1", "'state':'paused','done':1,'position':1"), one("op-2", "'state':'paused','done':2,'position':2"),
                one("op-3", "'state':'paused','done':3,'position':3"), one("op-4", "'state':'paused','done':4,'position':4")};
        QTRY_COMPARE(strip.text(), QStringLiteral("Deleting: 20 of 201 · by ken\nDeleting: 1 of 201 (paused) · by ken\n"
                                                  "Deleting: 2 of 201 (paused) · by ken\n2 more operations under way"));
        more.clear();
        QTRY_COMPARE(strip.text(), QStringLiteral("Deleting: 20 of 201 · by ken"));
        strip.action("operation op-9")->click();
        QTRY_COMPARE(strip.text(), QString());
        QVERIFY(!window.toast()->isVisible()); // whoever began it is told what came of it
        // What it did not come to is told apart from what it left alone.
        page.list()->table()->choose("op-9");
        const auto cell = [&](int column) { return page.list()->model()->index(0, column).data().toString(); };
        QTRY_COMPARE(cell(5), QStringLiteral("181"));
        const auto said = [&page](const QString &text) {
            const QList<QLabel *> labels = page.findChildren<QLabel *>();
            return std::any_of(labels.begin(), labels.end(), [&text](const QLabel *label) { return label->text() == text; });
        };
        QVERIFY(said(QStringLiteral("Stopped after 20 of 213 jobs: 20 jobs deleted; 181 jobs were not reached")));
        QTRY_COMPARE(page.skipped()->empty()->title(), QStringLiteral("No jobs skipped so far"));
        QCOMPARE(page.skipped()->empty()->text(), QStringLiteral("181 jobs were not reached"));
    }

    void whoMayNotStopAnOperationIsNotOfferedItAgain()
    {
        m_fixture->instead.insert("/v1/operations", {200, packed("{'operations':[{'operation':'op-9','action':'retry','state':'running',"
            "'view':'v','count':4,'jobs':4,'position':1,'done':1,'skipped':0,'skipped_by':[],'by':'ken'}]}")});
        m_fixture->instead.insert("/v1/operations/op-9/stop", {403, WindowFixture::problem(403, "forbidden", "Only an operator may.")});
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        QTRY_VERIFY(window.strip()->action("operation op-9"));
        QVERIFY(window.strip()->action("operation op-9")->isVisible());
        window.strip()->action("operation op-9")->click();
        QTRY_COMPARE(window.toast()->text(), QStringLiteral("Refused: Only an operator may."));
        QVERIFY(!window.strip()->action("operation op-9")->isVisible());
        QCOMPARE(window.strip()->text(), QStringLiteral("Retrying: 1 of 4 · by ken"));
    }

    void anOperationThatTakesAnotherBackIsMeasuredByWhatThatOneChanged()
    {
        const QByteArray signature(32, 'a');
        m_fixture->instead.insert("/v1/operations", {200, packed("{'operations':[{'operation':'op-9','action':'restore','state':'running',"
            "'view':'v','count':201,'jobs':20,'position':5,'done':4,'skipped':1,'skipped_by':[{'reason':'gone','jobs':1}],'undoes':'op-8'},"
            "{'operation':'op-8','action':'delete','state':'stopped','view':'v','count':201,'jobs':201,'position':20,'done':20,"
            "'skipped':0,'skipped_by':[],'ended_at':'2026-01-02T03:01:00.000Z','undone_by':'op-9','selection':{'state':'failed',"
            "'name':'mail.send'}},"
            "{'operation':'op-7','action':'cancel','state':'done','view':'v','count':2,'jobs':2,'position':2,'done':2,'skipped':0,"
            "'skipped_by':[],'ended_at':'2026-01-02T03:00:00.000Z','selection':{'signature':'" + signature + "'}}]}")});
        m_fixture->instead.insert("/v1/views/v", {200, packed("{'view':'v','as_of':'2026-01-02T03:00:00.000Z','count':201,'complete':true,"
            "'offset':0,'ids':['" + WindowFixture::job(1).id.text() + "'],'jobs':[{'id':'" + WindowFixture::job(1).id.text()
            + "','name':'mail.send','state':'ready','argument':1}]}")});
        m_fixture->instead.insert("/v1/failures/" + signature, {200, packed("{'group':{'signature':'" + signature
            + "','name':'mail.send','reason':'other','title':'SMTP <host> timed out','count':1},'jobs':[],'total':0}")});
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        QTRY_COMPARE(window.strip()->text(), QStringLiteral("Restoring: 4 of 20, 1 skipped"));
        window.showScreen(MainWindow::Screen::Operations);
        const RecordModel *model = window.operationsPage()->list()->model();
        QTRY_COMPARE(model->rowCount(), 3);
        QCOMPARE(model->index(1, 2).data().toString(), QStringLiteral("undone: 4 of 20"));
        const auto undoOf = [&](int row) {
            window.operationsPage()->list()->table()->selectRow(row);
            return window.operationsPage()->undo()->toolTip();
        };
        QCOMPARE(model->index(1, 1).data().toString(), QStringLiteral("failed · mail.send"));
        QTRY_COMPARE(model->index(2, 1).data().toString(), QStringLiteral("failed with: mail.send · SMTP <host> timed out"));
        QCOMPARE(undoOf(0), QStringLiteral("This is an undo"));
        QCOMPARE(undoOf(1), QStringLiteral("Already undone"));
        const QList<QLabel *> labels = window.operationsPage()->findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel *label) { // and not that 20 jobs are deleted
            return label->text() == QStringLiteral("delete 201 jobs · undone: 4 of 20");
        }));
        QCOMPARE(undoOf(2), QStringLiteral("Cancelled jobs do not return to their place; a retry runs them again"));
        QTRY_COMPARE(window.operationsPage()->jobs()->model()->rowCount(), 1);
        QCOMPARE(window.operationsPage()->jobs()->model()->index(0, 2).data().toString(), QStringLiteral("ready"));
        const QList<QLabel *> feet = window.operationsPage()->jobs()->findChildren<QLabel *>();
        QVERIFY(std::any_of(feet.begin(), feet.end(),
            [](const QLabel *foot) { return foot->text() == QStringLiteral("The first 1 of 201, without removed ones"); }));
        QCOMPARE(model->index(0, 3).data().toString(), QStringLiteral("25 %"));
        QCOMPARE(model->index(1, 3).data().toString(), QStringLiteral("9 %"));
        QCOMPARE(model->index(0, 5).data().toString(), QStringLiteral("1")); // one that runs will come to the others
    }

    void aRetryIsUndoneOnlyWhileSomeOfItsJobsWaitAndAfterAQuestion()
    {
        QByteArrayList ids;
        for (int number = 1; number <= 4; ++number)
            ids.append('\'' + QByteArray(WindowFixture::job(number).id.text()) + '\'');
        m_fixture->instead.insert("/v1/operations", {200, packed("{'operations':[{'operation':'op-1','action':'retry','state':'done',"
            "'view':'v','count':4,'jobs':4,'position':4,'done':4,'skipped':0,'skipped_by':[],'by':'loopback','undoable':true,"
            "'ended_at':'2026-01-02T03:01:00.000Z','selection':{'state':'failed','ids':[" + ids.join(',') + "]}}]}")});
        const auto answerJobs = [&](const QByteArray &state) {
            m_fixture->instead.insert("/v1/views/v", {200, packed("{'view':'v','as_of':'2026-01-02T03:00:00.000Z','count':4,"
                "'complete':true,'offset':0,'ids':[" + ids.join(',') + "],'jobs':[{'id':" + ids[0] + ",'name':'mail.send','state':'" + state
                + "','argument':1}]}")});
        };
        answerJobs("succeeded");
        m_fixture->instead.insert("/v1/operations/op-1/undo", {202, packed("{'operation':'op-2','action':'cancel','state':'running',"
            "'view':'v','count':4,'jobs':4,'position':0,'done':0,'skipped':0,'skipped_by':[],'undoes':'op-1'}")});
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Operations);
        OperationsPage &page = *window.operationsPage();
        QTRY_COMPARE(page.list()->model()->rowCount(), 1);
        const QString jobs = QStringLiteral("failed · mail.send 01000000-0000… and 3 others");
        QTRY_COMPARE(page.list()->model()->index(0, 1).data().toString(), jobs);
        page.list()->table()->selectRow(0);
        QTRY_VERIFY(!page.undo()->isEnabled());
        QCOMPARE(page.undo()->toolTip(), QStringLiteral("All its jobs have started since"));
        const QList<QLabel *> labels = page.findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel *label) {
            return label->text().endsWith(QStringLiteral("by local API"));
        }));
        answerJobs("ready");
        page.refresh();
        QTRY_VERIFY(page.undo()->isEnabled());
        page.undo()->trigger();
        const QPointer<QMessageBox> question = window.findChild<QMessageBox *>();
        QVERIFY(question);
        QCOMPARE(question->text(), QStringLiteral("Undo “retry 4 jobs”?"));
        QCOMPARE(m_fixture->requestsTo("/v1/operations/op-1/undo"), 0);
        question->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(m_fixture->requestsTo("/v1/operations/op-1/undo"), 1);
    }

    void aScreenScrollsForItsOwnHeightOnly()
    {
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        auto *room = window.findChild<VerticalRoom *>();
        auto *screens = room->widget()->findChild<QStackedWidget *>();
        int scrolling = 0, whole = 0;
        window.resize(1024, 420);
        for (int screen = 0; screen < screens->count(); ++screen) {
            if (!window.offers(MainWindow::Screen(screen)))
                continue;
            window.showScreen(MainWindow::Screen(screen));
            QTest::qWait(50);
            const bool isHigher = screens->currentWidget()->minimumSizeHint().height() > room->viewport()->height();
            QVERIFY2(room->verticalScrollBar()->isVisible() == isHigher,
                     qPrintable(QStringLiteral("screen %1: %2 in %3, body %4").arg(screen)
                                    .arg(screens->currentWidget()->minimumSizeHint().height()).arg(room->viewport()->height())
                                    .arg(room->widget()->minimumSizeHint().height())));
            isHigher ? ++scrolling : ++whole;
        }
        QVERIFY(scrolling > 0 && whole > 0);
    }

    void theTextAboveTheRetentionIsNotCut()
    {
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.resize(700, 500);
        window.showScreen(MainWindow::Screen::Retention);
        QTest::qWait(50);
        const QList<QLabel *> labels = window.retentionPage()->findChildren<QLabel *>();
        const auto hint = std::find_if(labels.begin(), labels.end(),
                                       [](const QLabel *label) { return label->text().startsWith(u"Ended jobs"); });
        QVERIFY(hint != labels.end());
        QVERIFY((*hint)->wordWrap() && (*hint)->height() >= (*hint)->heightForWidth((*hint)->width()));
    }

    void anOperationOnSelectedJobsNamesTheFirst()
    {
        QByteArrayList ids;
        for (int number = 1; number <= 5; ++number)
            ids.append('\'' + WindowFixture::job(number).id.text() + '\'');
        m_fixture->instead.insert("/v1/operations", {200, packed("{'operations':["
            "{'operation':'op-1','action':'delete','state':'done','view':'v','count':5,'jobs':5,'position':5,'done':5,'skipped':0,"
            "'skipped_by':[],'ended_at':'2026-01-02T03:00:00.000Z','selection':{'ids':[" + ids.join(',') + "]}}]}")});
        m_fixture->instead.insert("/v1/views/v", {200, packed("{'view':'v','as_of':'2026-01-02T03:00:00.000Z','count':5,'complete':true,"
            "'offset':0,'ids':[" + ids.first() + "],'jobs':[{'id':" + ids.first()
            + ",'name':'mail.send','state':'ready','argument':1}]}")});
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Operations);
        const RecordModel *model = m_fixture->window().operationsPage()->list()->model();
        const QString first = QString::fromLatin1(WindowFixture::job(1).id.text()).left(13);
        QTRY_COMPARE(model->rowCount(), 1);
        QTRY_COMPARE(model->index(0, 1).data().toString(), QStringLiteral("mail.send %1\u2026 and 4 others").arg(first));
    }

    void aJobAtRestIsFollowedByTheInspector()
    {
        Job job = WindowFixture::job(1, JobState::Failed);
        job.finishedAt_ms = Clock::machine_ms() - 50'000;
        job.deletedAt_ms = Clock::machine_ms() - 40'000;
        m_fixture->jobs = {job};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.openJob(job.id);
        QTRY_VERIFY(window.inspector()->reason().contains(QLatin1String("in the trash")));
        m_fixture->jobs.first().deletedAt_ms = 0; // somebody has restored it
        QTRY_VERIFY_WITH_TIMEOUT(!window.inspector()->reason().contains(QLatin1String("in the trash")), 3'000);
        const auto mayRetry = [&] {
            const QList<QToolButton *> buttons = window.inspector()->findChildren<QToolButton *>();
            return std::any_of(buttons.begin(), buttons.end(),
                [](const QToolButton *button) { return button->text().contains(QLatin1String("Retry")) && button->isEnabled(); });
        };
        QVERIFY(mayRetry());
        m_fixture->jobs.clear(); // it was kept long enough
        QTRY_VERIFY(window.inspector()->reason().startsWith(QLatin1String("no longer kept")));
        QVERIFY(!mayRetry());
        const QByteArray path = "/v1/jobs/" + job.id.text();
        const int asked = m_fixture->requestsTo(path);
        QTest::qWait(JobInspector::rest_ms + 400);
        QCOMPARE(m_fixture->requestsTo(path), asked); // nothing comes of asking on
    }

    void whatStandsBelowAPanelOrTabsDoesNotMoveWithTheirNumbers()
    {
        BarPanel panel(QStringLiteral("Workers"));
        const Bar bar{.text = QStringLiteral("up"), .value = QStringLiteral("2"), .part = 1};
        panel.say({bar, bar, bar}, {});
        const int high = panel.sizeHint().height();
        panel.say({bar}, {});
        QCOMPARE(panel.sizeHint().height(), high);
        panel.say({}, QStringLiteral("No workers yet."));
        QVERIFY(panel.sizeHint().height() <= high);
        QTabBar tabs;
        tabs.addTab(QStringLiteral("Ready 12,480"));
        TabRow row(&tabs);
        const int wide = row.button(0)->minimumWidth();
        tabs.setTabText(0, QStringLiteral("Ready 9"));
        row.refresh();
        QCOMPARE(row.button(0)->text(), QStringLiteral("Ready 9"));
        QCOMPARE(row.button(0)->minimumWidth(), wide);
    }

    void barsKeepTheirOrderUnderThePointerAndOnItsWay()
    {
        QWidget window;
        const int orders_ms = 200;
        BarPanel panel(QStringLiteral("Limits"), &window, orders_ms);
        window.resize(600, 400);
        panel.setGeometry(0, 0, 600, 400);
        window.show();
        const auto bar = [](const char *text) { return Bar{.text = QString::fromLatin1(text), .value = QStringLiteral("1")}; };
        const auto first = [&panel] { return panel.lines().first()->text(); };
        panel.say({bar("a"), bar("b")}, {});
        panel.say({bar("b"), bar("a")}, {});
        QCOMPARE(first(), QStringLiteral("a 1"));
        QTest::qWait(orders_ms + 50);
        panel.setAttribute(Qt::WA_UnderMouse, false); // wherever the pointer is
        panel.say({bar("b"), bar("a")}, {});
        QCOMPARE(first(), QStringLiteral("b 1"));
        QTest::qWait(orders_ms + 50);
        panel.setAttribute(Qt::WA_UnderMouse);
        panel.say({bar("c"), bar("a"), bar("b")}, {});
        QCOMPARE(first(), QStringLiteral("b 1"));
        QCOMPARE(panel.lines().last()->text(), QStringLiteral("c 1"));
        panel.setAttribute(Qt::WA_UnderMouse, false);
        panel.say({bar("c"), bar("a"), bar("b")}, {});
        QCOMPARE(first(), QStringLiteral("c 1"));
        // Those that are shown stay, also when others would be among the first.
        QTest::qWait(orders_ms + 50);
        panel.setAttribute(Qt::WA_UnderMouse, false);
        QList<Bar> many;
        for (const char *text : {"a", "b", "c", "d", "e", "f", "g"})
            many.append(bar(text));
        panel.say(many, {});
        QCOMPARE(panel.lines().size(), BarPanel::bars_max);
        std::reverse(many.begin(), many.end());
        panel.say(many, {});
        QCOMPARE(first(), QStringLiteral("a 1"));
        QCOMPARE(panel.lines().last()->text(), QStringLiteral("f 1"));
        QTest::qWait(orders_ms + 50);
        panel.setAttribute(Qt::WA_UnderMouse, false);
        panel.say(many, {});
        QCOMPARE(first(), QStringLiteral("g 1"));
    }

    void barsWhoseOrderSaysSomethingAreAlwaysInIt()
    {
        BarPanel panel(QStringLiteral("Priorities"), nullptr, 0);
        const auto bar = [](const char *text) { return Bar{.text = QString::fromLatin1(text), .value = QStringLiteral("1")}; };
        panel.say({bar("-5"), bar("5")}, {});
        panel.say({bar("-5"), bar("0"), bar("5")}, {});
        QCOMPARE(panel.lines()[1]->text(), QStringLiteral("0 1"));
    }

    void aReasonMayGetAButtonLater()
    {
        StateStrip strip;
        StateItem item{.key = "a", .icon = Icon::Hourglass, .text = QStringLiteral("Deleting")};
        strip.say({item});
        QVERIFY(!strip.action("a")->isVisibleTo(&strip));
        item.action = QStringLiteral("Stop");
        strip.say({item});
        QVERIFY(strip.action("a")->isVisibleTo(&strip));
    }

    void aSilentWorkerWithJobsStandsOut()
    {
        const QByteArray longAgo = isoTime(Clock::machine_ms() - 1'800'000);
        m_fixture->instead.insert("/v1/workers", {200, packed("{'workers':[{'worker':'w-1','kind':'pull','state':'up','running':3,"
            "'last_contact':'" + longAgo + "','jobs':[]}],'complete':true}")});
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Workers);
        const RecordModel *model = window.workersPage()->list()->model();
        QTRY_COMPARE(model->rowCount(), 1);
        const QColor amber = Look::amber(window.palette());
        QCOMPARE(model->index(0, 5).data(Qt::ForegroundRole).value<QColor>(), amber);
        QCOMPARE(model->index(0, 1).data().toString(), QStringLiteral("silent")); // the master takes it for alive
        QCOMPARE(window.workersPage()->summary(), QStringLiteral("0 workers online · 1 silent"));
        QVERIFY(model->index(0, 1).data(Qt::ToolTipRole).toString().contains(QLatin1String("Last heard from")));
    }

    void workersThatAskForAttentionAreListedFirst()
    {
        const QByteArray now = isoTime(Clock::machine_ms()), longAgo = isoTime(Clock::machine_ms() - 1'800'000);
        QByteArrayList workers;
        const auto add = [&](const char *state, const QByteArray &last) {
            workers.append("{'worker':'w-" + QByteArray::number(workers.size() + 1) + "','kind':'pull','state':'" + state
                           + "','last_contact':'" + last + "','running':1,'jobs':[]}");
        };
        add("up", now);
        add("late", now);
        add("draining", now);
        add("up", longAgo); // silent
        add("unreachable", now);
        add("lost", longAgo);
        add("lost", longAgo);
        m_fixture->instead.insert("/v1/workers", {200, packed("{'workers':[" + workers.join(',') + "],'complete':true}")});
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Workers);
        const RecordModel *model = window.workersPage()->list()->model();
        QTRY_COMPARE(model->rowCount(), workers.size());
        QStringList said;
        for (int row = 0; row < model->rowCount(); ++row)
            said.append(model->index(row, 0).data().toString() + QLatin1Char(' ') + model->index(row, 1).data().toString());
        QCOMPARE(said.join(QStringLiteral(", ")), QStringLiteral("w-6 lost, w-7 lost, w-5 unreachable, w-2 late, w-4 silent, w-1 online, "
                                                                "w-3 draining"));
    }

    void workersAreListedDrainedAndTheirJobsTaken()
    {
        const QByteArray seen = isoTime(Clock::machine_ms() - 12'000);
        m_fixture->instead.insert("/v1/workers", {200, packed("{'workers':["
            "{'worker':'w-1','kind':'pull','state':'up','names':['mail.send'],'version':'1.2','first_seen':'" + seen
            + "','last_contact':'" + seen + "','running':2,'jobs':['" + WindowFixture::job(1).id.text()
            + "'],'succeeded':812,'failed':3,'p50':0.25,'p95':1.5},"
            "{'worker':'w-2','kind':'served','state':'lost','url':'http://10.0.0.2:8080','slots':4,'first_seen':'" + seen
            + "','last_contact':'" + seen + "','running':0,'jobs':[],'succeeded':0,'failed':0,'trouble':'connection refused','trouble_at':'"
            + seen + "'}],'complete':true}")});
        m_fixture->instead.insert("/v1/workers/w-1/drain", {200, packed("{'done':true}")});
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Workers);
        WorkersPage &page = *window.workersPage();
        QTRY_COMPARE(page.list()->model()->rowCount(), 2);
        const auto said = [&](int row) {
            QStringList texts;
            for (int column = 0; column < page.list()->model()->columnCount(); ++column)
                texts.append(page.list()->model()->index(row, column).data().toString());
            // However long the machine took to get here.
            return texts.join(QLatin1Char('|')).replace(QRegularExpression(QStringLiteral("\\b\\d\\d s ago")), QStringLiteral("12 s ago"));
        };
        QCOMPARE(said(0), QStringLiteral("w-2|lost|pushed to|(any)|0 of 4|12 s ago|0|0|||")); // the lost one first
        QCOMPARE(said(1), QStringLiteral("w-1|online|pulls|mail.send|2|12 s ago|812|3|250 ms|1.5 s|1.2"));
        QCOMPARE(page.summary(), QStringLiteral("1 worker online · 1 lost"));
        const QModelIndex lost = page.list()->model()->index(0, 1);
        QVERIFY(lost.data(Qt::ToolTipRole).toString().contains(QLatin1String("Last heard from")));
        page.list()->table()->choose("w-1");
        QCOMPARE(page.jobs()->model()->rowCount(), 1);
        QVERIFY(page.drain()->isEnabled() && !page.resume()->isEnabled() && !page.remove()->isEnabled());
        page.drain()->trigger();
        QTRY_COMPARE(m_fixture->requestsTo("/v1/workers/w-1/drain"), 1);
        m_fixture->bulkJobs = 2;
        page.release()->trigger();
        QTRY_VERIFY(window.findChild<QMessageBox *>());
        QVERIFY(m_fixture->bulkBodies.last().contains("job.worker == \"w-1\""));
        QVERIFY(m_fixture->bulkBodies.last().contains("release"));
        window.findChild<QMessageBox *>()->reject();
        page.list()->table()->choose("w-2"); // it runs nothing any more, but what it ran can be found
        const QList<QLabel *> labels = page.findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel *label) {
            return label->text().startsWith(QStringLiteral("lost · nothing heard since "));
        }));
        QVERIFY(page.actions()[3]->isEnabled());
        page.actions()[3]->trigger();
        QCOMPARE(window.screen(), MainWindow::Screen::Jobs);
        const QByteArray its = "job.worker == \"w-2\"";
        QCOMPARE(window.jobsPage()->list().filter().match, its);
        QVERIFY(!window.jobsPage()->list().filter().state);
        window.showScreen(MainWindow::Screen::Workers);
        window.failuresPage()->groupBy()->setCurrentIndex(int(FailuresPage::By::Name));
        page.failures()->trigger();
        QCOMPARE(window.screen(), MainWindow::Screen::Failures);
        QCOMPARE(window.failuresPage()->filterBar()->match(), its);
        QCOMPARE(window.failuresPage()->groupBy()->currentIndex(), int(FailuresPage::By::Cause));
    }

    void aLostWorkerThatPulledIsForgotten()
    {
        const QByteArray seen = isoTime(Clock::machine_ms() - 700'000);
        const auto worker = [&seen](const QByteArray &name, const QByteArray &state) -> QByteArray {
            return "{'worker':'" + name + "','kind':'pull','state':'" + state + "','names':[],'first_seen':'" + seen + "','last_contact':'"
                + seen + "','running':0,'jobs':[],'succeeded':0,'failed':0}";
        };
        m_fixture->instead.insert("/v1/workers", {200, packed("{'workers':[" + worker("w-1", "up") + ',' + worker("w-2", "lost")
                                                              + "],'complete':true}")});
        int forgotten = 0;
        m_fixture->answers.insert("/v1/workers/w-2", [&forgotten](const ScriptedMaster::Request &request) -> ScriptedMaster::Answer {
            forgotten += request.method == "DELETE";
            return {200, packed("{'done':true}")};
        });
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Workers);
        WorkersPage &page = *window.workersPage();
        QTRY_COMPARE(page.list()->model()->rowCount(), 2);
        page.list()->table()->choose("w-1");
        QVERIFY(!page.remove()->isEnabled());
        page.list()->table()->choose("w-2");
        QVERIFY(page.remove()->isEnabled());
        page.remove()->trigger();
        const QPointer<QMessageBox> question = window.findChild<QMessageBox *>();
        QVERIFY(question);
        QVERIFY(question->informativeText().contains(QStringLiteral("listed again when it asks for jobs")));
        question->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(window.toast()->text(), QStringLiteral("Worker forgotten"));
        QCOMPARE(forgotten, 1);
    }

    void whatWasWrittenIntoAFormIsNotThrownAwayByOneKey()
    {
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.constraintsPage()->create();
        const QPointer<MatcherDialog> form = window.findChild<MatcherDialog *>();
        QVERIFY(form);
        QTest::keyClicks(form->findChild<QLineEdit *>(), QStringLiteral("a"));
        for (const QString &answer : {QStringLiteral("Keep editing"), QStringLiteral("Discard")}) {
            QVERIFY(form && form->isVisible());
            QTest::keyClick(form.data(), Qt::Key_Escape);
            const auto *question = form->findChild<QMessageBox *>();
            QVERIFY(question);
            const QList<QAbstractButton *> buttons = question->buttons();
            const auto button = std::find_if(buttons.begin(), buttons.end(), [&](const auto *each) { return each->text() == answer; });
            QVERIFY(button != buttons.end());
            (*button)->click();
            QTRY_VERIFY(!window.findChild<QMessageBox *>());
        }
        QTRY_VERIFY(!form);
    }

    void aCellIsOfferedForTheFilterAndForAMatcher()
    {
        Job job = WindowFixture::job(1);
        job.spec.tags = {"eu"};
        m_fixture->jobs = {job};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        JobsPage &page = *window.jobsPage();
        QTRY_COMPARE(page.list().model().rowCount(), 1);
        QMenu *menu = nullptr;
        for (const QAction *each : window.menuBar()->actions()) {
            if (each->menu() && each->menu()->actions().contains(window.jobActions()->retry()))
                menu = each->menu();
        }
        QVERIFY(menu);
        const auto action = [&](const QString &text) -> QAction * {
            for (QAction *each : menu->actions()) {
                if (each->text() == text)
                    return each;
            }
            return nullptr;
        };
        const auto trigger = [&](const QString &text) {
            QAction *found = action(text);
            if (found)
                found->trigger();
            return found != nullptr;
        };
        const qsizetype before = menu->actions().size();
        page.offerCell(page.list().model().index(0, JobTableModel::Name));
        QVERIFY(!action(QStringLiteral("And job.name == \"job.1\""))); // there is no filter yet
        QVERIFY(trigger(QStringLiteral("Filter by job.name == \"job.1\"")));
        QCOMPARE(page.list().filter().match, QByteArray("job.name == \"job.1\""));
        Q_EMIT menu->aboutToHide();
        QTRY_COMPARE(menu->actions().size(), before); // nothing is left of the offer
        QTRY_COMPARE(page.list().model().rowCount(), 1);
        page.offerCell(page.list().model().index(0, JobTableModel::Priority));
        QVERIFY(trigger(QStringLiteral("And job.priority == 0")));
        QCOMPARE(page.list().filter().match, QByteArray("(job.name == \"job.1\") && job.priority == 0"));
        Q_EMIT menu->aboutToHide();
        QTRY_COMPARE(menu->actions().size(), before);
        QTRY_COMPARE(page.list().model().rowCount(), 1);
        page.offerCell(page.list().model().index(0, JobTableModel::State));
        QVERIFY(action(QStringLiteral("Exclude job.state == \"ready\"")));
        QVERIFY(!action(QStringLiteral("New JobMatcher for job.state == \"ready\"…"))); // a matcher knows no states
        Q_EMIT menu->aboutToHide();
        QTRY_COMPARE(menu->actions().size(), before);
        QTRY_COMPARE(page.list().model().rowCount(), 1);
        page.offerCell(page.list().model().index(0, JobTableModel::Name));
        QVERIFY(trigger(QStringLiteral("New JobMatcher for job.name == \"job.1\"…")));
        QTRY_VERIFY(window.findChild<MatcherDialog *>());
        QTest::keyClick(window.findChild<MatcherDialog *>(), Qt::Key_Escape);
        QTRY_VERIFY(!window.findChild<MatcherDialog *>());
        QCOMPARE(window.screen(), MainWindow::Screen::Jobs); // who changes his mind is where he was
        QVERIFY(trigger(QStringLiteral("Pause jobs with job.name == \"job.1\"…")));
        QTRY_VERIFY(window.findChild<PauseDialog *>());
        QCOMPARE(window.findChild<PauseDialog *>()->expression()->expression(), QByteArray("job.name == \"job.1\""));
        QTest::keyClick(window.findChild<PauseDialog *>(), Qt::Key_Escape);
        QTRY_VERIFY(!window.findChild<PauseDialog *>());
        Q_EMIT menu->aboutToHide();
        page.offerCell(page.list().model().index(0, JobTableModel::Name));
        QVERIFY(trigger(QStringLiteral("New JobMatcher for job.name == \"job.1\"…")));
        QTRY_VERIFY(window.findChild<MatcherDialog *>());
        Q_EMIT window.findChild<MatcherDialog *>()->saved({}, 0);
        QCOMPARE(window.screen(), MainWindow::Screen::Constraints);
    }

    void aValueOfAnArgumentIsOfferedForTheFilter()
    {
        Job job = WindowFixture::job(1);
        job.spec.argument = packed("{'user':{'id':42},'tags':['a','b'],'not a name':1,'odd':null}");
        m_fixture->jobs = {job};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Failures);
        window.openJob(job.id);
        QTRY_VERIFY(window.inspector()->job().has_value());
        PayloadView &view = *window.inspector()->argument();
        const QModelIndex root = view.model().index(0, 0);
        QTRY_COMPARE(view.model().rowCount(root), 4);
        const auto offered = [&](const QModelIndex &part) {
            const std::unique_ptr<QMenu> menu(view.menuOf(part));
            QStringList texts;
            for (const QAction *each : menu->actions())
                texts.append(each->text());
            return texts.filter(QStringLiteral("Filter by"));
        };
        const QModelIndex user = root.model()->index(0, 0, root), tags = root.model()->index(1, 0, root);
        view.model().fetchMore(user);
        view.model().fetchMore(tags);
        const QModelIndex number = view.model().index(0, 0, user), second = view.model().index(1, 0, tags);
        QCOMPARE(offered(number), QStringList{QStringLiteral("Filter by job.argument.user.id == 42")});
        QCOMPARE(offered(second), QStringList{QStringLiteral("Filter by \"b\" in job.argument.tags")});
        QVERIFY(offered(user).isEmpty());
        QVERIFY(offered(view.model().index(2, 0, root)).isEmpty()); // an expression cannot name it
        const std::unique_ptr<QMenu> menu(view.menuOf(number.siblingAtColumn(2)));
        for (QAction *each : menu->actions()) {
            if (each->text().startsWith(QLatin1String("Filter by")))
                each->trigger();
        }
        QCOMPARE(window.screen(), MainWindow::Screen::Jobs);
        QCOMPARE(window.jobsPage()->list().filter().match, QByteArray("job.argument.user.id == 42"));
    }

    void forceIsAlwaysAskedAbout()
    {
        m_fixture->jobs = {WindowFixture::job(1, JobState::Running)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        window.jobsPage()->table()->selectRow(0);
        QVERIFY(!window.jobActions()->retry()->isEnabled());
        window.jobActions()->forceCancel()->trigger();
        auto *box = window.findChild<QMessageBox *>();
        QVERIFY(box);
        box->findChild<QPushButton *>(QStringLiteral("go"))->click();
        const QByteArray path = "/v1/jobs/" + WindowFixture::job(1).id.text() + "/cancel";
        QTRY_COMPARE(m_fixture->requestsTo(path), 1);
        for (const ScriptedMaster::Request &request : m_fixture->master().requests()) {
            if (request.path == path)
                QCOMPARE(request.body, MsgpackWriter().map(1).text("force").boolean(true).take());
        }
    }

    void aRefusedActionSaysTheReason()
    {
        m_fixture->jobs = {WindowFixture::job(1, JobState::Failed)};
        const QByteArray path = "/v1/jobs/" + WindowFixture::job(1).id.text() + "/retry";
        m_fixture->instead.insert(path, {409, WindowFixture::problem(409, "conflict", "Its argument is not kept.")});
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.jobActions()->act(JobActions::Verb::Retry, m_fixture->jobs);
        QTRY_COMPARE(window.toast()->text(), QStringLiteral("Refused: Its argument is not kept."));
    }

    void theInspectorShowsAJobAndPeeksWithoutConsuming()
    {
        Job job = WindowFixture::job(1, JobState::Succeeded);
        job.resultKept = true;
        job.startedAt_ms = job.createdAt_ms + 1'000;
        job.finishedAt_ms = job.createdAt_ms + 3'000;
        job.attempts = {Attempt{1, "w-1", job.startedAt_ms, job.finishedAt_ms, "success", {}, false, 0}};
        m_fixture->jobs = {job};
        m_fixture->outcome = MsgpackWriter().map(2).text("type").text("success").text("result").integer(42).take();
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.openJob(job.id);
        JobInspector *inspector = window.inspector();
        QTRY_VERIFY(inspector->job().has_value());
        QCOMPARE(inspector->argument()->model().bytes(), job.spec.argument);
        QTRY_COMPARE(inspector->outcome()->model().bytes(), m_fixture->outcome);
        const QByteArray path = "/v1/jobs/" + job.id.text() + "/result";
        QCOMPARE(m_fixture->requestsTo(path), 1);
        QCOMPARE(m_fixture->requestsTo(path, "peek=true"), 1);
    }

    void theInspectorFollowsTheSelectionAndNothingElse()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 2);
        window.jobsPage()->table()->clearFocus();
        window.jobsPage()->table()->setFocus();
        QVERIFY(window.inspector()->id().isNull());
        QTest::keyClick(window.jobsPage()->table(), Qt::Key_J);
        QCOMPARE(window.inspector()->id(), window.jobsPage()->table()->currentId());
        QVERIFY(!window.inspector()->id().isNull());
    }

    void aHistoryThatWentBackIsSaidUntilSomeoneHasSeenIt()
    {
        m_fixture->rollbackAt_ms = 1'767'322'800'000;
        QVERIFY(m_fixture->openLive());
        const Banner &banner = *m_fixture->window().rollbackBanner();
        QTRY_VERIFY(banner.isVisible());
        QVERIFY(banner.text().contains(QLatin1String("without 41 or more confirmed changes")));
        QVERIFY(!m_fixture->window().banner()->isVisible());
        banner.action()->click();
        QVERIFY(!banner.isVisible());
        const int before = m_fixture->requestsTo("/v1/overview");
        QTRY_VERIFY(m_fixture->requestsTo("/v1/overview") > before);
        QVERIFY(!banner.isVisible());
        m_fixture->rollbackAt_ms += 1; // another one
        QTRY_VERIFY(banner.isVisible());
    }

    void aJobThatDoesNotExistIsSaidToBeGone()
    {
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.openJob(WindowFixture::job(77).id);
        EmptyState *empty = window.inspector()->findChild<EmptyState *>();
        QTRY_COMPARE(empty->title(), QStringLiteral("Job not found"));
    }

    void anotherLanguageComesWithARestartOfTheWindowThatKeepsThePlace()
    {
        m_fixture->place = MasterPlace::Embedded; // which must neither be asked about nor end
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        const QPointer<MainWindow> before = &m_fixture->window();
        QSignalSpy closed(&m_fixture->console(), &Console::closed), left(&m_fixture->console(), &Console::left);
        before->resize(1111, 666);
        before->showScreen(MainWindow::Screen::Jobs);
        before->jobsPage()->filterBar()->setFilter(QStringLiteral("job.priority == 0"));
        const auto settings = [this] {
            for (QAction *action : m_fixture->window().findChildren<QAction *>()) {
                if (action->menuRole() == QAction::PreferencesRole)
                    action->trigger();
            }
            return m_fixture->window().findChild<QDialog *>(QStringLiteral("settings"));
        };
        const auto choose = [](QDialog *dialog, const char *code) {
            auto *language = dialog->findChild<QComboBox *>(QStringLiteral("language"));
            language->setCurrentIndex(language->findData(QLatin1String(code)));
            Q_EMIT language->activated(language->currentIndex());
            return dialog->findChild<QPushButton *>(QStringLiteral("restart"));
        };
        QDialog *dialog = settings();
        QVERIFY(!dialog->findChild<QPushButton *>(QStringLiteral("restart"))->isVisible());
        QVERIFY(choose(dialog, "ja")->isVisible());
        dialog->reject(); // later
        QTRY_VERIFY(!m_fixture->window().findChild<QDialog *>(QStringLiteral("settings")));
        QCOMPARE(&m_fixture->window(), before.data());
        QCOMPARE(before->inspector()->tabs()->tabText(2), QStringLiteral("Argument"));

        dialog = settings();
        QPushButton *restart = dialog->findChild<QPushButton *>(QStringLiteral("restart"));
        QVERIFY(restart->isVisible());
        QVERIFY(!choose(dialog, "en")->isVisible());
        choose(dialog, "ja")->click();
        QTRY_VERIFY(!before);
        MainWindow &window = m_fixture->window();
        QCOMPARE(window.inspector()->tabs()->tabText(2), QStringLiteral("引数"));
        QVERIFY(window.isVisible());
        QCOMPARE(window.size(), QSize(1111, 666));
        QCOMPARE(window.screen(), MainWindow::Screen::Jobs);
        QCOMPARE(window.jobsPage()->list().filter().match, QByteArray("job.priority == 0"));
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        QCOMPARE(closed.size() + left.size(), 0);
    }

    void thePaletteFindsCommandsJobsAndNames()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        const auto type = [&](const QString &text) {
            PaletteDialog *palette = openPalette();
            QVERIFY(palette);
            palette->input()->setText(text);
            QTest::keyClick(palette->input(), Qt::Key_Return);
            QTRY_VERIFY(!window.findChild<PaletteDialog *>());
        };
        type(QStringLiteral("res")); // "Results" begins with it, "Failures" ends with it
        QCOMPARE(window.screen(), MainWindow::Screen::Results);
        type(QStringLiteral("freez"));
        QCOMPARE(window.jobsPage()->list().mode(), JobList::Mode::Frozen);
        type(QString::fromLatin1(WindowFixture::job(2).id.text()));
        QTRY_VERIFY(window.inspector()->job() && window.inspector()->job()->id == WindowFixture::job(2).id);
        type(QStringLiteral("job.1"));
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 1);
        QCOMPARE(window.jobsPage()->list().filter().name, QByteArray("job.1"));
    }

    // Del after that met the row that was selected before.
    void aJobThatIsOpenedFromElsewhereEndsTheSelectionOfOthers()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Jobs);
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 2);
        window.jobsPage()->table()->selectRow(0);
        const QList<Job> selected = window.jobsPage()->selectedJobs();
        QCOMPARE(selected.size(), 1);
        QVERIFY(window.jobActions()->cancel()->isEnabled());
        window.openJob(selected[0].id);
        QVERIFY(window.jobActions()->cancel()->isEnabled());
        const JobId other = selected[0].id == WindowFixture::job(1).id ? WindowFixture::job(2).id : WindowFixture::job(1).id;
        window.openJob(other);
        QTRY_VERIFY(window.inspector()->job() && window.inspector()->job()->id == other);
        QVERIFY(window.jobsPage()->selectedJobs().isEmpty());
        QVERIFY(!window.jobActions()->cancel()->isEnabled());
        QCOMPARE(window.inspector()->id(), other);
    }

    void aFilterThatIsNotAppliedYetSaysSo()
    {
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        JobsPage &page = *m_fixture->window().jobsPage();
        FilterBar &bar = *page.filterBar();
        const auto pending = [&bar] { return bar.mark()->text() == QStringLiteral("Enter ↵"); };
        bar.setFilter(QStringLiteral("job.priority == 77"));
        QTRY_VERIFY(!pending());
        bar.edit()->setPlainText(QStringLiteral("job.priority > 3"));
        QTRY_VERIFY(pending());
        QTest::keyClick(bar.edit(), Qt::Key_Return);
        QVERIFY(!pending());
        QCOMPARE(bar.match(), QByteArray("job.priority > 3"));
        bar.edit()->setPlainText(QStringLiteral("job.name && true"));
        QTest::keyClick(bar.edit(), Qt::Key_Return);
        QCOMPARE(bar.match(), QByteArray("job.priority > 3")); // that one is neither true nor false
    }

    void onlyAListThatIsWholeSaysThatAllWasSearched()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        JobsPage &page = *m_fixture->window().jobsPage();
        const QByteArray job = "{'id':'" + WindowFixture::job(1).id.text() + "','name':'a','state':'ready','argument':1}";
        const QByteArray coverage = ",'coverage':{'scanned':500,'total':500,'complete':true}";
        m_fixture->instead.insert("/v1/jobs", {200, packed("{'jobs':[" + job + "],'next':'more'" + coverage + "}")});
        page.filterBar()->setFilter(QStringLiteral("job.priority == 0"));
        QTRY_VERIFY(page.footText().contains(QLatin1String("1 row")));
        QVERIFY2(!page.footText().contains(QLatin1String("searched")), qPrintable(page.footText()));
        m_fixture->instead.insert("/v1/jobs", {200, packed("{'jobs':[" + job + "]" + coverage + "}")});
        page.filterBar()->setFilter(QStringLiteral("job.priority == 1"));
        QTRY_VERIFY2(page.footText().contains(QLatin1String("all 500 searched")), qPrintable(page.footText()));
    }

    void thePaletteFindsEnglishWordsInJapanese()
    {
        m_fixture = std::make_unique<WindowFixture>("ja");
        QVERIFY(m_fixture->openLive());
        PaletteDialog *palette = openPalette();
        QVERIFY(palette);
        palette->input()->setText(QStringLiteral("schedules"));
        QVERIFY(palette->list()->item(0)->text().startsWith(QStringLiteral("スケジュール")));
    }

    void thePaletteFindsWhatTheMasterKnowsByAPieceOfIt()
    {
        m_fixture->jobs = {WindowFixture::job(1), WindowFixture::job(2)};
        m_fixture->instead.insert("/v1/matchers", {200, packed("{'matchers':[{'id':'mail','title':'Vendor of mail','expression':'true',"
            "'constraints':[{'id':'mail.rate1','kind':'rate','limit':20,'period':1}],'revision':1}]}")});
        m_fixture->instead.insert("/v1/schedules", {200, packed("{'schedules':[{'id':'nightly','title':'Report of the night','every':60,"
            "'job':{'name':'a','argument':1},'revision':1,'created_at':'2026-01-02T03:00:00.000Z'}]}")});
        m_fixture->instead.insert("/v1/workers", {200, packed("{'workers':[{'worker':'crawler-1','kind':'pull','state':'up'},"
            "{'worker':'crawler-2','kind':'pull','state':'up'}],'complete':true}")});
        m_fixture->instead.insert("/v1/operations", {200, packed("{'operations':[{'operation':'op-7','action':'retry','state':'done',"
            "'view':'view-1','count':12,'position':12,'jobs':12,'done':12,'skipped':0,'skipped_by':[],'by':'ken','undoable':false,"
            "'reason':'the vendor is back','started_at':'2026-01-02T03:00:00.000Z','ended_at':'2026-01-02T03:00:01.000Z'}]}")});
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        const auto open = [&](const QString &text, const QString &wanted) {
            PaletteDialog *palette = openPalette();
            QVERIFY(palette);
            QVERIFY(palette->hint().contains(QLatin1String("at least 4 characters")));
            palette->input()->setText(text);
            QVERIFY(palette->hint().isEmpty());
            QTRY_VERIFY(!palette->list()->findItems(wanted, Qt::MatchStartsWith).isEmpty());
            palette->list()->setCurrentItem(palette->list()->findItems(wanted, Qt::MatchStartsWith).first());
            QTest::keyClick(palette->input(), Qt::Key_Return);
            QTRY_VERIFY(!window.findChild<PaletteDialog *>());
        };
        open(QStringLiteral("b.1"), QStringLiteral("Jobs: job.1"));
        QTRY_COMPARE(window.jobsPage()->list().filter().name, QByteArray("job.1"));
        open(QStringLiteral("dor of"), QStringLiteral("JobMatcher: Vendor of mail"));
        QCOMPARE(window.screen(), MainWindow::Screen::Constraints);
        open(QStringLiteral("nigh"), QStringLiteral("Schedule: Report of the night"));
        QCOMPARE(window.screen(), MainWindow::Screen::Schedules);
        QTRY_COMPARE(window.schedulesPage()->list()->table()->chosen(), QByteArray("nightly"));
        open(QStringLiteral("crawler-2"), QStringLiteral("Worker: crawler-2"));
        QCOMPARE(window.screen(), MainWindow::Screen::Workers);
        QTRY_COMPARE(window.workersPage()->list()->table()->chosen(), QByteArray("crawler-2"));
        open(QStringLiteral("vendor is b"), QStringLiteral("Operation: retry 12 jobs, done"));
        QCOMPARE(window.screen(), MainWindow::Screen::Operations);
        QTRY_COMPARE(window.operationsPage()->list()->table()->chosen(), QByteArray("op-7"));
        open(QStringLiteral("0000-0000"), QStringLiteral("Job ") + QString::fromLatin1(WindowFixture::job(2).id.text()));
        QTRY_VERIFY(window.inspector()->job() && window.inspector()->job()->id == WindowFixture::job(2).id);
        QVERIFY(m_fixture->requestsTo("/v1/jobs", "match=") > 0);
    }

    void thePaletteSaysThatThereIsMore()
    {
        QByteArrayList names;
        for (int number = 0; number < 11; ++number)
            names.append("{'name':'job." + QByteArray::number(number) + "','ready':1}");
        m_fixture->instead.insert("/v1/names", {200, packed("{'names':[" + names.join(',') + "]}")});
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        PaletteDialog *palette = openPalette();
        QVERIFY(palette);
        palette->input()->setText(QStringLiteral("job."));
        QTRY_COMPARE(palette->list()->findItems(QStringLiteral("Jobs: job."), Qt::MatchStartsWith).size(), 8);
        const QList<QListWidgetItem *> more = palette->list()->findItems(QStringLiteral("3 more: type on to see them"), Qt::MatchExactly);
        QCOMPARE(more.size(), 1);
        QVERIFY(!(more.first()->flags() & Qt::ItemIsSelectable));
    }

    void thePaletteLooksForAnIdThroughAllJobs()
    {
        QVERIFY(m_fixture->openLive());
        const QByteArray id = WindowFixture::job(2).id.text();
        const auto wait = std::make_shared<bool>(true); // on the second page
        m_fixture->answers.insert("/v1/jobs", [id, wait](const ScriptedMaster::Request &request) {
            const bool second = request.query.contains("cursor=on"), last = second && !*wait;
            const QByteArray found = last ? "{'id':'" + id + "','name':'b','state':'failed','argument':1}" : QByteArray();
            return ScriptedMaster::Answer{200, packed("{'jobs':[" + found + "]," + (last ? QByteArray() : QByteArray("'next':'on',"))
                + "'coverage':{'scanned':20000,'total':1000000,'complete':" + (last ? "true" : "false") + "}}")};
        });
        PaletteDialog *palette = openPalette();
        QVERIFY(palette);
        palette->input()->setText(QStringLiteral("0000-0000"));
        QTRY_VERIFY(palette->hint().endsWith(QLatin1String(" of 1,000,000 jobs searched")));
        *wait = false;
        QTRY_VERIFY(!palette->list()->findItems(QStringLiteral("Job ") + QString::fromLatin1(id), Qt::MatchStartsWith).isEmpty());
        QVERIFY(palette->hint().isEmpty());
    }

    void whatThePaletteFindsLaterDoesNotTakeThePlaceOfWhatIsChosen()
    {
        m_fixture->jobs = {WindowFixture::job(0xcafe)};
        m_fixture->instead.insert("/v1/names", {200, packed("{'names':[{'name':'cafe.menu','ready':7,'totals':{'enqueued':9}}]}")});
        QVERIFY(m_fixture->openLive());
        PaletteDialog *palette = openPalette();
        QVERIFY(palette);
        palette->input()->setText(QStringLiteral("cafe"));
        QTRY_COMPARE(palette->list()->count(), 2); // the name, and any jobs of this name
        QTest::keyClick(palette->input(), Qt::Key_Down);
        const QString chosen = palette->list()->currentItem()->text();
        QCOMPARE(chosen, QStringLiteral("Show the jobs named “cafe”"));
        QTRY_COMPARE(palette->list()->count(), 3); // the job has been found
        QCOMPARE(palette->list()->currentItem()->text(), chosen);
        QTest::keyClick(palette->input(), Qt::Key_Return);
        QTRY_COMPARE(m_fixture->window().jobsPage()->list().filter().name, QByteArray("cafe"));
    }

    // A row that was chosen because an answer came is chosen, also while a shortcut's keys are still down.
    void aRowIsChosenWhateverKeysAreHeld()
    {
        m_fixture->instead.insert("/v1/workers", {200, packed("{'workers':[{'worker':'w-1','kind':'pull','state':'up'},"
            "{'worker':'w-2','kind':'pull','state':'up'}],'complete':true}")});
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        window.showScreen(MainWindow::Screen::Workers);
        RecordTable *table = window.workersPage()->list()->table();
        QTRY_COMPARE(table->model()->rowCount(), 2);
        for (const Qt::KeyboardModifiers keys : {Qt::ControlModifier | Qt::ShiftModifier, Qt::KeyboardModifiers(Qt::ControlModifier)}) {
            QTest::keyPress(&window, Qt::Key_F12, keys);
            for (const char *worker : {"w-2", "w-1", "w-1"}) {
                window.workersPage()->showWorker(worker);
                QCOMPARE(table->chosen(), QByteArray(worker));
            }
            QTest::keyRelease(&window, Qt::Key_F12, keys);
        }
    }

    void closingTheWindowOfAMasterWithRunningJobsIsAskedAbout()
    {
        m_fixture->place = MasterPlace::Embedded;
        m_fixture->jobs = {WindowFixture::job(1, JobState::Running)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        QSignalSpy closed(&m_fixture->console(), &Console::closed);
        window.close();
        auto *box = window.findChild<QMessageBox *>();
        QVERIFY(box);
        QCOMPARE(box->text(), QStringLiteral("Stop the master? 1 job is running."));
        QTest::keyClick(box, Qt::Key_Escape);
        QTRY_VERIFY(!window.findChild<QMessageBox *>());
        QVERIFY(window.isVisible());
        QCOMPARE(closed.size(), 0);
        window.close();
        window.findChild<QMessageBox *>()->findChild<QPushButton *>(QStringLiteral("go"))->click();
        QTRY_COMPARE(closed.size(), 1);
        QVERIFY(!window.isVisible());
    }

    void theWindowOfAMasterMayGoWhileTheMasterServesOn()
    {
        m_fixture->place = MasterPlace::Embedded;
        m_fixture->jobs = {WindowFixture::job(1)};
        QVERIFY(m_fixture->openLive());
        MainWindow &window = m_fixture->window();
        QSignalSpy closed(&m_fixture->console(), &Console::closed), left(&m_fixture->console(), &Console::left);
        window.close(); // no job is running, but the master would be gone all the same
        auto *box = window.findChild<QMessageBox *>();
        QVERIFY(box);
        QCOMPARE(box->text(), QStringLiteral("Stop the master?"));
        QVERIFY(box->informativeText().contains(QLatin1String("junban --connect ") + m_fixture->master().url().toString()));
        box->findChild<QPushButton *>(QStringLiteral("leave"))->click();
        QTRY_COMPARE(left.size(), 1);
        QCOMPARE(closed.size(), 0);
        QVERIFY(!window.isVisible());
    }

    void aListThatIsFrozenBeforeItsFirstAnswerIsReadAllTheSame()
    {
        m_fixture->jobs = {WindowFixture::job(1, JobState::Failed), WindowFixture::job(2, JobState::Failed), WindowFixture::job(3)};
        QVERIFY(m_fixture->openLive());
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        const auto freeze = [this](JobState state) {
            m_fixture->window().jobsPage()->showState(state);
            m_fixture->window().jobsPage()->toggleFreeze();
            const JobList &list = m_fixture->window().jobsPage()->list();
            return list.phase() == JobList::Phase::Loading && list.mode() == JobList::Mode::Frozen;
        };
        const auto isRead = [this](int rows) {
            const JobList &list = m_fixture->window().jobsPage()->list();
            return list.phase() == JobList::Phase::Shown && list.mode() == JobList::Mode::Frozen && list.model().rowCount() == rows;
        };
        QVERIFY(freeze(JobState::Failed));
        QTRY_VERIFY(isRead(2));
    }

    void closingIsTold()
    {
        QVERIFY(m_fixture->openLive());
        QSignalSpy closed(&m_fixture->console(), &Console::closed);
        m_fixture->window().close();
        QTRY_COMPARE(closed.size(), 1);
    }

private:
    // The list of 150 failed jobs, of which 100 are loaded.
    bool openFailed()
    {
        for (int number = 0; number < 150; ++number)
            m_fixture->jobs.append(WindowFixture::job(number, JobState::Failed));
        m_fixture->next = "more";
        if (!m_fixture->openLive())
            return false;
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        JobsPage &page = *m_fixture->window().jobsPage();
        page.showState(JobState::Failed);
        return QTest::qWaitFor([&page] { return page.list().model().rowCount() == 100; });
    }

    // As the operator does it; null: it does not open.
    bool openWith(KeptFilters &kept)
    {
        m_fixture->guard = [&kept](const ScriptedMaster::Request &request) { return kept.answer(request); };
        m_fixture->jobs = {WindowFixture::job(1)};
        if (!m_fixture->openLive())
            return false;
        m_fixture->window().showScreen(MainWindow::Screen::Jobs);
        return true;
    }
    SavedFilters &openSaved()
    {
        auto *saved = m_fixture->window().jobsPage()->findChild<SavedFilters *>();
        saved->list()->close();
        saved->click();
        (void)QTest::qWaitFor([saved] { return saved->list()->isVisible(); }, 30'000);
        return *saved;
    }
    static QAction *entry(const QMenu &menu, const char *text)
    {
        for (QAction *action : menu.actions()) {
            if (action->text() == QString::fromUtf8(text))
                return action;
        }
        return nullptr;
    }
    bool chooseSaved(const char *text, const char *submenu = nullptr)
    {
        QMenu *menu = openSaved().list();
        QAction *action = entry(submenu ? *entry(*menu, submenu)->menu() : *menu, text);
        if (!action || !action->isEnabled())
            return false;
        menu->close();
        action->trigger();
        return true;
    }
    bool nameFilter(const char *name)
    {
        auto *dialog = m_fixture->window().findChild<FilterNameDialog *>();
        if (!dialog)
            return false;
        dialog->name()->setText(QString::fromUtf8(name));
        dialog->go()->click();
        return QTest::qWaitFor([this] { return !m_fixture->window().findChild<FilterNameDialog *>(); }, 30'000);
    }
    PaletteDialog *openPalette()
    {
        MainWindow &window = m_fixture->window();
        window.activateWindow();
        if (!QTest::qWaitForWindowActive(&window))
            return nullptr;
        QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
        return window.findChild<PaletteDialog *>();
    }

    std::unique_ptr<WindowFixture> m_fixture;
    QUrl m_opened;
};

JUNBAN_TEST(TestWindow)
#include "test_window.moc"
