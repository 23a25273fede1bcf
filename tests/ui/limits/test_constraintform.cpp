#include "core/limits/matcher.h"
#include "tests/support/testmain.h"
#include "tests/ui/packed.h"
#include "ui/limits/conflictdialog.h"
#include "ui/limits/constraintform.h"
#include "ui/limits/overridedialog.h"
#include "core/limits/ratestop.h"
#include "ui/widgets/endfield.h"
#include "ui/widgets/morerows.h"
#include "ui/widgets/recordlist.h"

#include <QLabel>
#include <QTest>
#include <algorithm>

using namespace junban;
using namespace junban::ui;
using junban::test::packed;

// The forms of constraints, and how versions of them are compared, without a master.
class TestConstraintForm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyKindCanBeFilledInAndSaysWhatItSays_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("rate") << QByteArray("{'kind':'rate','limit':500,'period':60,'algorithm':'fixed','tz':'Asia/Tokyo','cost':3}");
        QTest::newRow("gcra") << QByteArray("{'kind':'rate','limit':5,'period':0.5,'burst':9,'cost':'job.argument.n'}");
        QTest::newRow("concurrency") << QByteArray("{'kind':'concurrency','limit':4,'reserve_after':30,'by':['job.name'],"
                                                   "'on_missing':'exempt'}");
        QTest::newRow("share") << QByteArray("{'kind':'share','capacity':10,'shares':{'eu':{'percent':40},'us':{'min':1,'max':3}},"
                                             "'default':{'max':2},'borrow':true,'by':['job.argument.region']}");
        QTest::newRow("window") << QByteArray("{'kind':'window','allow':[{'from':'22:00','to':'06:00','days':['mon','sun']}],"
                                              "'deny':[{'from':'01:00','to':'02:00','dates':['2026-12-24']}],"
                                              "'tz':'Asia/Tokyo','on_close':'cancel'}");
        QTest::newRow("pause") << QByteArray("{'kind':'pause','until':'2126-01-02T03:00:00.000Z','reason':'outage'}");
        QTest::newRow("breaker") << QByteArray("{'kind':'breaker','window':30,'min_samples':5,'failure_rate':0.25,'open_for':10,'factor':3,"
                                               "'max_open':100,'probes':2}");
        QTest::newRow("cooldown") << QByteArray("{'kind':'cooldown','max':120,'mode':'observe'}");
        QTest::newRow("backlog") << QByteArray("{'kind':'backlog','max_ready':1000,'overflow':'drop_oldest'}");
        QTest::newRow("fair") << QByteArray("{'kind':'fair','by':['job.argument.tenant'],'weight':'job.argument.weight'}");
        QTest::newRow("set") << QByteArray("{'kind':'set','priority':-3,'timeout':90,'max_retry':2,"
                                           "'backoff':{'base':1,'factor':3,'max':50,'jitter':0.1}}");
        QTest::newRow("exceptions") << QByteArray("{'kind':'rate','limit':5,'period':1,'by':['job.name'],'overrides':{'a':{'limit':9}},"
                                                  "'expires_at':'2126-01-02T03:00:00.000Z'}");
    }
    void everyKindCanBeFilledInAndSaysWhatItSays()
    {
        QFETCH(QByteArray, json);
        const Result<Constraint> constraint = Constraint::fromMsgpack(packed(json), {});
        QVERIFY2(constraint.ok(), constraint.ok() ? "" : constraint.error().message().constData());
        ConstraintForm form(constraint->kind());
        form.set(*constraint);
        const Result<Constraint> read = form.read({});
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().constData());
        QCOMPARE(read->packed(), constraint->packed());
    }

    void aNewFormOfEachKindSaysOnlyWhatIsMissing()
    {
        for (size_t kind = 0; kind < constraintKinds.size(); ++kind) {
            ConstraintForm form{ConstraintKind(kind)};
            const Result<Constraint> read = form.read("constraints[0]");
            QVERIFY2(read.ok() || !read.error().message().isEmpty(), constraintKinds[kind]->word);
        }
    }

    void rareFieldsAreBelowMoreUnlessOneIsFilledIn()
    {
        ConstraintForm form(ConstraintKind::Rate);
        form.show();
        auto *more = form.findChild<MoreRows *>();
        const auto shown = [&](const QString &text) {
            for (const QLabel *label : form.findChildren<QLabel *>()) {
                if (label->text() == text)
                    return label->isVisible();
            }
            return false;
        };
        const QString cost = QStringLiteral("Cost of a job"), missing = QStringLiteral("Jobs without a key");
        QVERIFY(more && more->isVisible() && shown(QStringLiteral("Jobs")) && shown(QStringLiteral("Mode")));
        QVERIFY(!shown(cost) && !shown(missing));
        more->click();
        QVERIFY(shown(cost) && shown(missing));
        more->click();
        QVERIFY(!shown(cost));
        form.set(*Constraint::fromMsgpack(packed("{'kind':'rate','limit':5,'period':1,'cost':3}"), {}));
        QVERIFY(shown(cost) && shown(missing)); // what counts is not hidden
    }

    void aPauseHasOneEndUnlessItsLimitHasAnother()
    {
        const auto ends = [](const ConstraintForm &form) {
            const QList<EndField *> all = form.findChildren<EndField *>();
            return std::count_if(all.begin(), all.end(), [](const EndField *end) { return end->isVisible(); });
        };
        ConstraintForm form(ConstraintKind::Pause);
        form.show();
        form.findChild<MoreRows *>()->click();
        QCOMPARE(ends(form), 1);
        const QByteArray both = "{'kind':'pause','until':'2126-01-02T03:00:00.000Z','expires_at':'2126-02-02T03:00:00.000Z'}";
        ConstraintForm other(ConstraintKind::Pause);
        other.show();
        other.set(*Constraint::fromMsgpack(packed(both), {}));
        QCOMPARE(ends(other), 2); // what counts is not hidden
        QVERIFY(other.read({})->expiresAt_ms.has_value());
    }

    void aLoweredRateSaysHowLongItsJobsMayWait()
    {
        const auto rate = [](const QByteArray &fields) {
            return *Constraint::fromMsgpack(packed("{'id':'r','kind':'rate'," + fields + "}"), {});
        };
        const Constraint low = rate("'limit':3000,'period':3600"), high = rate("'limit':9000,'period':3600");
        QCOMPARE(rateStop_ms(high, low, 575), 574 * 1'200);
        QCOMPARE(rateStop_ms(high, low, 9'000), 2'400'000); // no more than the rest of the period that was used up in a third of it
        QCOMPARE(rateStop_ms(low, high, 575), 0);
        QCOMPARE(rateStop_ms(high, low, 0), 0);
        QCOMPARE(rateStop_ms(high, rate("'limit':3000,'period':3600,'burst':600"), 575), 0); // as many may start at once
        const Constraint sliding = rate("'limit':3000,'period':3600,'algorithm':'sliding'");
        QCOMPARE(rateStop_ms(high, sliding, 2'999), 0);
        QCOMPARE(rateStop_ms(high, sliding, 3'000), 3'600'000);
        QCOMPARE(rateStop_ms(high, rate("'limit':3000,'period':3600,'mode':'observe'"), 575), 0);
    }

    void aConflictSeesWhatItsShortTextsLeaveOut()
    {
        const auto matcher = [](const QByteArray &constraints) {
            return *JobMatcher::fromMsgpack("m", packed("{'title':'m','expression':'true','constraints':[" + constraints + "]}"));
        };
        const QByteArray by = "{'id':'r','kind':'rate','limit':5,'period':1,'by':['job.name'],'overrides':{'a':{'limit':";
        const QByteArray other = "{'id':'c','kind':'concurrency','limit':2}", mineNew = "{'kind':'pause','reason':'outage'}";
        const JobMatcher base = matcher(by + "9}}}," + other), theirs = matcher(by + "8}}}," + other);
        const JobMatcher mine = matcher(by + "7}}}," + mineNew);
        ConflictDialog dialog(base, theirs, mine, Format(), nullptr);
        QCOMPARE(dialog.list()->model()->rowCount(), 3);
        QVERIFY(dialog.list()->model()->index(0, 2).data().toString().contains(QStringLiteral("{\"limit\":8}")));
        QCOMPARE(dialog.side(0), ConflictDialog::Side::Open);
        QCOMPARE(dialog.side(1), ConflictDialog::Side::Mine); // taken away here only
        QCOMPARE(dialog.side(2), ConflictDialog::Side::Mine); // new here
        dialog.choose(0, ConflictDialog::Side::Theirs);
        const JobMatcher merged = dialog.merged();
        QCOMPARE(merged.constraints.size(), 2);
        QCOMPARE(merged.constraints[0].overrides, theirs.constraints[0].overrides);
        QCOMPARE(merged.constraints[1].kind(), ConstraintKind::Pause);
    }

    void whatOneKeyHasOtherIsSaidAlone_data()
    {
        QTest::addColumn<QByteArray>("wanted");
        QTest::addColumn<QByteArray>("fields"); // empty: a map cannot say it
        QTest::newRow("the same") << QByteArray("{'kind':'rate','limit':20,'period':1,'burst':40,'cost':2}") << QByteArray("{}");
        QTest::newRow("a limit") << QByteArray("{'kind':'rate','limit':5,'period':1,'burst':40,'cost':2}") << QByteArray("{'limit':5}");
        QTest::newRow("two") << QByteArray("{'kind':'rate','limit':5,'period':9,'burst':40,'cost':2}")
                             << QByteArray("{'limit':5,'period':9}");
        QTest::newRow("a cost left out") << QByteArray("{'kind':'rate','limit':5,'period':1,'burst':40}") << QByteArray();
    }
    void whatOneKeyHasOtherIsSaidAlone()
    {
        QFETCH(QByteArray, wanted);
        QFETCH(QByteArray, fields);
        const Constraint own = *Constraint::fromMsgpack(
            packed("{'kind':'rate','limit':20,'period':1,'burst':40,'cost':2,'by':['job.name'],'overrides':{'a':{'limit':9}}}"), {});
        const Result<QByteArray> differing = OverrideDialog::differing(own, Constraint::fromMsgpack(packed(wanted), {})->parameters);
        QCOMPARE(differing.ok(), !fields.isEmpty());
        if (differing.ok())
            QCOMPARE(*differing, packed(fields));
    }
};

JUNBAN_TEST(TestConstraintForm)
#include "test_constraintform.moc"
