#include "core/base/reasons/requests.h"
#include "core/limits/bucketkey.h"
#include "core/limits/jobvariables.h"
#include "core/limits/matcherset.h"
#include "core/msgpack/json.h"
#include "core/msgpack/msgpackwriter.h"
#include "tests/core/cel/celsamples.h"
#include "tests/support/testmain.h"

#include <QTest>
#include <limits>
#include <set>

using namespace junban;

namespace {

QByteArray packed(const QByteArray &json)
{
    const Result<QByteArray> result = json::toMsgpack(json);
    return result.ok() ? *result : QByteArray();
}

JobMatcher matcherOf(const QByteArray &id, const QByteArray &json)
{
    Result<JobMatcher> result = JobMatcher::fromMsgpack(id, packed(json));
    if (!result.ok())
        qFatal("%s: %s", result.error().field.constData(), result.error().message().constData());
    giveConstraintIds(*result, nullptr);
    return *result;
}

std::shared_ptr<const CompiledMatcher> compiled(const JobMatcher &matcher)
{
    const MatcherCompilation result = CompiledMatcher::compile(matcher);
    if (!result.matcher)
        qFatal("%s: %s", result.problems[0].field.constData(), result.problems[0].problem.message().constData());
    return result.matcher;
}

std::shared_ptr<const MatcherSet> setOf(const QList<JobMatcher> &matchers)
{
    QList<std::shared_ptr<const CompiledMatcher>> all;
    for (const JobMatcher &matcher : matchers)
        all.append(compiled(matcher));
    const auto set = MatcherSet::make(all);
    return set.ok() ? *set : nullptr;
}

JobSpec job(const QByteArray &name, const QByteArray &argument = "null")
{
    JobSpec spec;
    spec.name = name;
    spec.argument = packed(argument);
    return spec;
}

Classification classify(const MatcherSet &set, const JobSpec &spec)
{
    cel::Evaluation evaluation;
    return set.classify(spec, "web", evaluation);
}

// "constraint key amount" of each bucket, in order.
QByteArray bucketsText(const Classification &classification)
{
    QList<QByteArray> parts;
    for (const BucketHit &hit : classification.buckets)
        parts.append(hit.constraint + ' ' + bucketkey::text(hit.key) + ' ' + QByteArray::number(hit.amount));
    return parts.join(", ");
}

QByteArray constraintsJson(const QByteArray &constraint)
{
    return R"({"title": "t", "expression": "true", "constraints": [)" + constraint + "]}";
}

} // namespace

class TestMatcher : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theListsOfKindsHaveOneOrder()
    {
        const std::pair<ConstraintKind, const char *> kinds[] = {{ConstraintKind::Rate, "rate"},
            {ConstraintKind::Concurrency, "concurrency"}, {ConstraintKind::Share, "share"}, {ConstraintKind::Window, "window"},
            {ConstraintKind::Pause, "pause"}, {ConstraintKind::Breaker, "breaker"}, {ConstraintKind::Cooldown, "cooldown"},
            {ConstraintKind::Backlog, "backlog"}, {ConstraintKind::Fair, "fair"}, {ConstraintKind::Set, "set"}};
        QCOMPARE(std::size(kinds), constraintKinds.size());
        for (const auto &[kind, word] : kinds) {
            QCOMPARE(kindWord(kind), word);
            QCOMPARE(kindFromWord(word), std::optional(kind));
        }
    }

    // As openapi/master.yaml has it (explainJob).
    void theGatesOfAnExplanationHaveOneOrder()
    {
        QMap<int, QByteArray> order;
        for (const Kind *kind : constraintKinds) {
            QVERIFY2(kind->gate == 0 || !order.contains(kind->gate), kind->word);
            if (kind->gate > 0)
                order.insert(kind->gate, kind->word);
        }
        QCOMPARE(order.values().join(' '), QByteArray("pause window breaker cooldown concurrency share rate"));
    }

    void aConstraintComesBackAsItWasWritten_data()
    {
        QTest::addColumn<QByteArray>("json");
        const auto row = [](const char *json) { QTest::newRow(json) << QByteArray(json); };
        row(R"({"kind":"rate","limit":500,"period":60,"algorithm":"gcra","burst":10,"cost":"job.argument.size","mode":"enforce"})");
        row(R"({"kind":"rate","limit":5,"period":0.5,"algorithm":"sliding","cost":3,"mode":"observe"})");
        row(R"({"kind":"rate","limit":5,"period":86400,"algorithm":"fixed","tz":"Asia/Tokyo","mode":"off"})");
        row(R"({"id":"a.c1","kind":"concurrency","limit":0,"reserve_after":2.5,"by":["job.argument.user","job.name"],)"
            R"("on_missing":"exempt","overrides":{"eu":{"limit":5}},)"
            R"("mode":"enforce","expires_at":"2026-12-24T00:00:00.000Z","revision":4})");
        row(R"({"kind":"share","capacity":10,"borrow":true,"shares":{"eu":{"min":2,"max":4},"us":{"percent":30}},"default":{"max":1},)"
            R"("by":["job.argument.region"],"on_missing":"share","mode":"enforce"})");
        row(R"({"kind":"window","allow":[{"from":"22:00","to":"06:00","days":["mon","tue"]}],)"
            R"("deny":[{"from":"00:00","to":"24:00","days":["mon","tue","wed","thu","fri","sat","sun"],"dates":["2026-12-24"]}],)"
            R"("tz":"Europe/Paris","on_close":"cancel","mode":"enforce"})");
        row(R"({"kind":"pause","until":"2026-01-02T03:04:05.000Z","reason":"vendor is down","mode":"enforce"})");
        row(R"({"kind":"breaker","window":60,"min_samples":10,"failure_rate":0.5,"open_for":30,"factor":2,"max_open":600,"probes":3,)"
            R"("mode":"enforce"})");
        row(R"({"kind":"cooldown","max":120,"by":["job.argument.tenant"],"on_missing":"share","mode":"enforce"})");
        row(R"({"kind":"backlog","max_ready":1000,"overflow":"drop_oldest","mode":"enforce"})");
        row(R"({"kind":"fair","weight":"job.argument.plan == 'gold' ? 3 : 1","by":["job.pusher"],"on_missing":"share","mode":"enforce"})");
        row(R"({"kind":"set","priority":-5,"timeout":1.5,"max_retry":0,"backoff":{"base":1,"factor":3,"max":60,"jitter":0},)"
            R"("mode":"enforce"})");
    }
    void aConstraintComesBackAsItWasWritten()
    {
        QFETCH(QByteArray, json);
        const Result<Constraint> constraint = Constraint::fromMsgpack(packed(json), "c");
        QVERIFY2(constraint.ok(), constraint.ok() ? "" : (constraint.error().field + ": " + constraint.error().message()).constData());
        QCOMPARE(json::fromMsgpack(constraint->packed()), json);
        const Result<Constraint> again = Constraint::fromMsgpack(constraint->packed(), "c");
        QVERIFY(again.ok() && *again == *constraint);
    }

    void whatIsWrongIsToldByItsPath_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("field");
        const auto row = [](const char *json, const char *field) { QTest::newRow(json) << QByteArray(json) << QByteArray(field); };
        row(R"({"limit":5})", "c.kind");
        row(R"({"kind":"throttle"})", "c.kind");
        row(R"({"kind":"rate","limit":5})", "c.period");
        row(R"({"kind":"rate","limit":5,"period":0})", "c.period");
        row(R"({"kind":"rate","limit":-1,"period":1})", "c.limit");
        row(R"({"kind":"rate","limit":1.5,"period":1})", "c.limit");
        row(R"({"kind":"rate","limit":10001,"period":1,"algorithm":"sliding"})", "c.limit");
        row(R"({"kind":"rate","limit":5,"period":1,"algorithm":"sliding","burst":2})", "c.burst");
        row(R"({"kind":"rate","limit":5,"period":1,"tz":"Asia/Tokyo"})", "c.tz");
        row(R"({"kind":"rate","limit":5,"period":1,"algorithm":"fixed","tz":"Mars/Phobos"})", "c.tz");
        row(R"({"kind":"rate","limit":5,"period":1,"cost":0})", "c.cost");
        row(R"({"kind":"rate","limit":5,"period":1,"cost":" "})", "c.cost");
        row(R"({"kind":"concurrency"})", "c.limit");
        row(R"({"kind":"concurrency","limit":1,"limits":2})", "c.limits");
        row(R"({"kind":"concurrency","limit":1,"by":["a","b","c","d","e"]})", "c.by");
        row(R"({"kind":"concurrency","limit":1,"by":[1]})", "c.by");
        row(R"({"kind":"concurrency","limit":1,"mode":"on"})", "c.mode");
        row(R"({"kind":"concurrency","limit":1,"overrides":{"eu":{"limit":2}}})", "c.overrides");
        row(R"({"kind":"concurrency","limit":1,"by":["job.name"],"overrides":{"eu":{"limit":-2}}})", "c.overrides.eu.limit");
        row(R"({"kind":"concurrency","limit":1,"by":["job.name"],"overrides":{"eu":{"priority":2}}})", "c.overrides.eu.priority");
        row(R"({"kind":"concurrency","limit":1,"by":["job.name"],"overrides":{"eu":{"cost":"job.priority"}}})", "c.overrides.eu.cost");
        row(R"({"kind":"concurrency","limit":1,"expires_at":"tomorrow"})", "c.expires_at");
        row(R"({"kind":"share","capacity":10})", "c.by");
        row(R"({"kind":"share","capacity":10,"by":[]})", "c.by");
        row(R"({"kind":"share","capacity":10,"by":["job.name"],"shares":{"a":{"percent":60},"b":{"percent":50}}})", "c.shares");
        row(R"({"kind":"share","capacity":10,"by":["job.name"],"shares":{"a":{"percent":60,"min":1}}})", "c.shares.a.percent");
        row(R"({"kind":"share","capacity":10,"by":["job.name"],"shares":{"a":{"min":3,"max":2}}})", "c.shares.a.min");
        row(R"({"kind":"window"})", "c.allow");
        row(R"({"kind":"window","allow":[{"from":"25:00","to":"06:00"}]})", "c.allow[0].from");
        row(R"({"kind":"window","deny":[{"from":"01:00","to":"06:00"},{"from":"01:00","to":"06:00","dates":["24.12."]}]})",
            "c.deny[1].dates");
        row(R"({"kind":"window","allow":[{"from":"01:00","to":"06:00","tz":"UTC"}]})", "c.allow[0].tz");
        row(R"({"kind":"breaker","open_for":30,"max_open":20})", "c.max_open");
        row(R"({"kind":"breaker","failure_rate":1.5})", "c.failure_rate");
        row(R"({"kind":"backlog"})", "c.max_ready");
        row(R"({"kind":"fair"})", "c.by");
        row(R"({"kind":"fair","by":["job.name"],"weight":5000})", "c.weight");
        row(R"({"kind":"set"})", "c.priority");
        row(R"({"kind":"set","priority":5000000000})", "c.priority");
        row(R"({"kind":"set","priority":1,"by":["job.name"]})", "c.by");
        row(R"({"kind":"set","backoff":{"base":1,"steps":2}})", "c.backoff.steps");
        row("[1]", "c");
    }
    void whatIsWrongIsToldByItsPath()
    {
        QFETCH(QByteArray, json);
        const Result<Constraint> constraint = Constraint::fromMsgpack(packed(json), "c");
        QVERIFY(!constraint.ok());
        QCOMPARE(constraint.error().code, ErrorCode::InvalidField);
        QTEST(constraint.error().field, "field");
        QVERIFY(constraint.error().message().endsWith('.'));
    }

    void aMatcherComesBackAsItWasWritten()
    {
        JobMatcher matcher = matcherOf("vendor", R"({"title": "Vendor", "expression": "job.name == 'a'", "note": "two\nlines", "rank": 3,
            "enabled": false, "exempts": ["other", "x.rate1"], "constraints": [{"kind": "rate", "limit": 5, "period": 1}]})");
        matcher.revision = 7;
        matcher.editedAt_ms = 1'750'000'000'123;
        matcher.editedBy = "alice";
        const Result<JobMatcher> again = JobMatcher::fromMsgpack("vendor", matcher.packed());
        QVERIFY(again.ok() && *again == matcher);
        QVERIFY(!JobMatcher::fromMsgpack("other", matcher.packed()).ok());
        QVERIFY(!JobMatcher::fromMsgpack("with/slash", packed(R"({"title": "t", "expression": "true"})")).ok());
        QCOMPARE(JobMatcher::fromMsgpack("a", packed(R"({"title": "t"})")).error().field, "expression");
        QCOMPARE(JobMatcher::fromMsgpack("a", packed(constraintsJson(R"({"kind": "pause"}, {"kind": "rate", "limit": 1})"))).error().field,
            "constraints[1].period");
        QCOMPARE(JobMatcher::fromMsgpack("a", packed(constraintsJson(R"({"kind": "pause", "id": "x"}, {"kind": "pause", "id": "x"})")))
                     .error().field, "constraints[1].id");
    }

    void everyExpressionOfAMatcherIsChecked()
    {
        const JobMatcher matcher = matcherOf("a", R"({"title": "t", "expression": "job.state == 'ready'", "constraints": [
            {"kind": "rate", "limit": 1, "period": 1, "cost": "job.name == 'a'"},
            {"kind": "concurrency", "limit": 1, "by": ["job.argument.user", "job.argument."]},
            {"kind": "fair", "by": ["job.name"], "weight": "foo(1) "}]})");
        const MatcherCompilation result = CompiledMatcher::compile(matcher);
        QVERIFY(!result.matcher);
        QList<QByteArray> fields;
        for (const ExpressionProblem &problem : result.problems)
            fields.append(problem.field);
        QCOMPARE(fields, (QList<QByteArray>{"expression", "constraints[0].cost", "constraints[1].by[1]", "constraints[2].weight"}));
        QCOMPARE(result.problems[2].problem.column, 14);
    }

    void idsOutliveEdits()
    {
        const JobMatcher first = matcherOf("m", constraintsJson(R"({"kind": "pause"}, {"kind": "rate", "limit": 1, "period": 1},
            {"kind": "pause", "id": "mine"}, {"kind": "pause"})"));
        QCOMPARE(first.constraints[0].id, "m.pause1");
        QCOMPARE(first.constraints[1].id, "m.rate1");
        QCOMPARE(first.constraints[2].id, "mine");
        QCOMPARE(first.constraints[3].id, "m.pause2");
        JobMatcher second = *JobMatcher::fromMsgpack("m", packed(constraintsJson(R"({"kind": "rate", "limit": 9, "period": 1},
            {"kind": "pause"}, {"kind": "pause"}, {"kind": "pause"}, {"kind": "pause"})")));
        giveConstraintIds(second, &first);
        QCOMPARE(second.constraints[0].id, "m.rate1");
        QCOMPARE(second.constraints[1].id, "m.pause1");
        QCOMPARE(second.constraints[2].id, "mine");
        QCOMPARE(second.constraints[3].id, "m.pause2");
        QCOMPARE(second.constraints[4].id, "m.pause3");
    }

    void aGivenIdIsNotThatOfAnotherMatchersConstraint()
    {
        JobMatcher matcher = *JobMatcher::fromMsgpack("m", packed(constraintsJson(R"({"kind": "pause"}, {"kind": "pause"})")));
        giveConstraintIds(matcher, nullptr, [](const QByteArray &id) { return id == "m.pause1"; });
        QCOMPARE(matcher.constraints[0].id, "m.pause2");
        QCOMPARE(matcher.constraints[1].id, "m.pause3");
    }

    void onlyWhatMovesJobsBetweenBucketsNeedsAnEpoch_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<bool>("needed");
        const QByteArray base = R"({"id":"r","kind":"rate","limit":1,"period":1,"by":["job.name"])";
        const auto row = [](const char *name, const QByteArray &from, const QByteArray &to, bool needed) {
            QTest::newRow(name) << constraintsJson(from) << constraintsJson(to) << needed;
        };
        row("nothing", base + "}", base + "}", false);
        row("limit", base + "}", QByteArray(base).replace(R"("limit":1)", R"("limit":2)") + "}", false);
        row("period", base + "}", QByteArray(base).replace(R"("period":1)", R"("period":2)") + "}", false);
        row("mode", base + "}", base + R"(,"mode":"observe"})", false);
        row("overrides of limits", base + "}", base + R"(,"expires_at":"2026-12-24T00:00:00Z"})", false);
        row("cost", base + "}", base + R"(,"cost":2})", true);
        row("on_missing", base + "}", base + R"(,"on_missing":"exempt"})", true);
        row("by", base + "}", QByteArray(base).replace("job.name", "job.pusher") + "}", true);
        row("another", base + "}", base + R"(},{"kind":"pause","id":"p"})", true);
        row("set", R"({"id":"s","kind":"set","priority":1})", R"({"id":"s","kind":"set","priority":2})", true);
    }
    void onlyWhatMovesJobsBetweenBucketsNeedsAnEpoch()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(bool, needed);
        const JobMatcher first = matcherOf("m", from);
        JobMatcher second = matcherOf("m", to);
        QCOMPARE(needsNewEpoch(&first, &second), needed);
        second = first;
        second.expression = "false";
        QVERIFY(needsNewEpoch(&first, &second));
        second = first;
        second.enabled = false;
        QVERIFY(needsNewEpoch(&first, &second));
        second = first;
        second.title = "other";
        QVERIFY(!needsNewEpoch(&first, &second));
        QVERIFY(needsNewEpoch(nullptr, &first) && needsNewEpoch(&first, nullptr));
    }

    void aJobIsInTheBucketsOfWhatMatchesIt()
    {
        const auto set = setOf({
            matcherOf("a", R"({"title": "t", "expression": "job.name.startsWith('crawl.') ", "constraints": [
                {"kind": "concurrency", "limit": 5, "by": ["job.argument.host", "job.argument.n"], "cost": "job.argument.size / 10.0"},
                {"kind": "rate", "limit": 5, "period": 1, "mode": "off"}]})"),
            matcherOf("b", R"({"title": "t", "expression": "job.argument.urgent", "constraints": [{"kind": "pause"}]})"),
            matcherOf("c", R"({"title": "t", "expression": "job.pusher == 'web' && job.name == 'mail'", "constraints": [
                {"kind": "cooldown", "by": ["job.argument.to"], "on_missing": "exempt"},
                {"kind": "fair", "by": ["job.priority"], "weight": 3}]})"),
        });
        const Classification crawl = classify(*set, job("crawl.x", R"({"host": "h", "n": 1.0, "size": 25.0})"));
        QCOMPARE(bucketsText(crawl), R"(a.concurrency1 ["h",1] 3, a.rate1  1)");
        QCOMPARE(crawl.matchers, QList<QByteArray>{"a"});
        QCOMPARE(crawl.faults, (QList<MatcherFault>{{"b", cel::Cause::NoSuchField}}));
        QCOMPARE(bucketsText(classify(*set, job("crawl.x", R"({"urgent": true})"))),
            QByteArray("a.concurrency1 [\"(missing)\",\"(missing)\"] 1, a.rate1  1, b.pause1  1"));
        QCOMPARE(bucketsText(classify(*set, job("mail", R"({"to": "x"})"))), "c.cooldown1 x 1, c.fair1 0 3");
        QCOMPARE(bucketsText(classify(*set, job("mail", "null"))), "c.fair1 0 3");
        QVERIFY(set->constraint("a.rate1") && set->constraint("a.rate1")->mode == ConstraintMode::Off && !set->constraint("x"));
        QVERIFY(set->matcher("b") && !set->matcher("x"));
    }

    void aCostIsAWholeNumberFromOneUp_data()
    {
        QTest::addColumn<QByteArray>("argument");
        QTest::addColumn<qint64>("amount");
        QTest::newRow("rounded up") << QByteArray("1.1") << qint64(2);
        QTest::newRow("as it is") << QByteArray("7") << qint64(7);
        QTest::newRow("zero") << QByteArray("0") << qint64(1);
        QTest::newRow("below") << QByteArray("-3") << qint64(1);
        QTest::newRow("a text") << QByteArray("\"7\"") << qint64(1);
        QTest::newRow("not a number") << QByteArray(R"({"$float": "NaN"})") << qint64(1);
        QTest::newRow("infinite") << QByteArray(R"({"$float": "Infinity"})") << limits::constraint_cost_max;
        QTest::newRow("beyond") << QByteArray("18446744073709551615") << limits::constraint_cost_max;
    }
    void aCostIsAWholeNumberFromOneUp()
    {
        QFETCH(QByteArray, argument);
        const auto set = setOf({matcherOf("a", constraintsJson(R"({"kind": "concurrency", "limit": 1, "cost": "job.argument"})"))});
        QCOMPARE(classify(*set, job("x", argument)).buckets[0].amount, *static_cast<qint64 *>(QTest::qData("amount", QMetaType::LongLong)));
    }

    void equalValuesAreOneKey()
    {
        const auto keyOf = [](const QByteArray &argument) {
            const QByteArray bytes = packed(argument);
            const auto element = bucketkey::element(cel::Value::packed(bytes));
            return element ? bucketkey::key({&*element, 1}) : QByteArray();
        };
        QCOMPARE(keyOf("1"), keyOf("1.0"));
        QCOMPARE(keyOf("0"), keyOf("-0.0"));
        QCOMPARE(keyOf("18446744073709551615"), keyOf("18446744073709551615"));
        QVERIFY(keyOf("18446744073709551615") != keyOf("1.8446744073709552e19"));
        QVERIFY(keyOf("1") != keyOf("\"1\"") && keyOf("true") != keyOf("1") && keyOf("null") != keyOf("false"));
        QVERIFY(keyOf("\"a\"") != keyOf(R"({"$bin": "YQ=="})"));
        QVERIFY(keyOf("[1]").isEmpty() && keyOf("{}").isEmpty() && keyOf(R"({"$float": "NaN"})").isEmpty());
        const QByteArray longText = '"' + QByteArray(5'000, 'x') + '"';
        QVERIFY(keyOf(longText).size() < 100 && keyOf(longText) != keyOf('"' + QByteArray(5'001, 'x') + '"'));
        QCOMPARE(bucketkey::text(keyOf("\"eu\"")), "eu");
        QCOMPARE(bucketkey::text(keyOf("7.0")), "7");
        QCOMPARE(bucketkey::text(bucketkey::key({})), "");
    }

    void overridesGiveAKeyItsOwnParameters()
    {
        const auto set = setOf({matcherOf("a", constraintsJson(R"({"kind": "rate", "limit": 5, "period": 60, "by": ["job.argument"],
            "overrides": {"eu": {"limit": 9, "cost": 4}, "7": {"period": 1}}})"))});
        const Constraint &constraint = *set->constraint("a.rate1");
        QCOMPARE(std::get<RateParameters>(constraint.parametersFor("eu")).limit, 9);
        QCOMPARE(std::get<RateParameters>(constraint.parametersFor("eu")).period_s, 60.0);
        QCOMPARE(std::get<RateParameters>(constraint.parametersFor("7")).period_s, 1.0);
        QCOMPARE(std::get<RateParameters>(constraint.parametersFor("us")).limit, 5);
        QCOMPARE(bucketsText(classify(*set, job("x", "\"eu\""))), "a.rate1 eu 4");
        QCOMPARE(bucketsText(classify(*set, job("x", "\"us\""))), "a.rate1 us 1");
    }

    void exemptJobsAreLeftAlone()
    {
        const auto set = setOf({
            matcherOf("limits", constraintsJson(R"({"kind": "pause"}, {"kind": "rate", "limit": 1, "period": 1})")),
            matcherOf("some", R"({"title": "t", "expression": "job.argument == 1", "exempts": ["limits.rate1"]})"),
            matcherOf("all", R"({"title": "t", "expression": "job.argument == 2", "exempts": ["limits"]})"),
            matcherOf("off", R"({"title": "t", "expression": "true", "enabled": false, "exempts": ["limits"]})"),
        });
        QCOMPARE(bucketsText(classify(*set, job("x", "0"))), "limits.pause1  1, limits.rate1  1");
        QCOMPARE(bucketsText(classify(*set, job("x", "1"))), "limits.pause1  1");
        QCOMPARE(bucketsText(classify(*set, job("x", "2"))), "");
    }

    void aValueThatMakesNoKeyExemptsNobody()
    {
        const auto set = setOf({matcherOf("m", constraintsJson(R"({"kind": "pause", "by": ["job.argument.user"], "on_missing": "exempt"},
            {"kind": "rate", "limit": 1, "period": 1, "by": ["job.argument.a + job.argument.b"], "on_missing": "exempt"})"))});
        QCOMPARE(bucketsText(classify(*set, job("x", R"({"user": 7})"))), "m.pause1 7 1");
        QCOMPARE(bucketsText(classify(*set, job("x", "{}"))), "");
        QCOMPARE(bucketsText(classify(*set, job("x", "null"))), "");
        for (const char *argument : {R"({"user": [7]})", R"({"user": {"a": 7}})"})
            QCOMPARE(bucketsText(classify(*set, job("x", argument))), "m.pause1 (missing) 1");
        JobSpec nan = job("x");
        MsgpackWriter writer;
        nan.argument = writer.map(1).text("user").real(std::numeric_limits<double>::quiet_NaN()).take();
        QCOMPARE(bucketsText(classify(*set, nan)), "m.pause1 (missing) 1");
        QCOMPARE(bucketsText(classify(*set, job("x", R"({"a": 1, "b": 2})"))), "m.rate1 3 1");
        QCOMPARE(bucketsText(classify(*set, job("x", R"({"a": 1, "b": "2"})"))), "m.rate1 (missing) 1"); // an addition that fails
    }

    void whoSetsAFieldIsKnown()
    {
        const auto set = setOf({
            matcherOf("low", R"({"title": "t", "expression": "true", "rank": 1, "constraints": [
                {"kind": "set", "priority": 1, "timeout": 5}]})"),
            matcherOf("high", R"({"title": "t", "expression": "job.name == 'a'", "rank": 2, "constraints": [
                {"kind": "set", "priority": 2}, {"kind": "set", "id": "off", "mode": "off", "max_retry": 3}]})"),
        });
        const Classification a = classify(*set, job("a")), b = classify(*set, job("b"));
        QVERIFY(a.setBy.priority && a.setBy.timeout && b.setBy.priority);
        QCOMPARE(a.setBy.priority->id, "high");
        QCOMPARE(a.setBy.timeout->id, "low");
        QVERIFY(!a.setBy.maxRetry);
        QCOMPARE(b.setBy.priority->id, "low");
    }

    void theHighestRankSets()
    {
        const JobMatcher low = matcherOf("low", R"({"title": "t", "expression": "true", "rank": 1, "constraints": [
            {"kind": "set", "priority": 1, "timeout": 5}, {"kind": "fair", "by": ["job.name"]}]})");
        const JobMatcher high = matcherOf("high", R"({"title": "t", "expression": "job.name == 'a'", "rank": 2, "constraints": [
            {"kind": "set", "priority": 2, "max_retry": 3}, {"kind": "fair", "by": ["job.pusher"]}]})");
        const auto set = setOf({low, high});
        const JobSpec changed = withSet(job("a"), classify(*set, job("a")).set);
        QCOMPARE(changed.priority, 2);
        QCOMPARE(changed.timeout_ms, 5'000);
        QCOMPARE(changed.maxRetry, 3);
        QCOMPARE(withSet(job("b"), classify(*set, job("b")).set).priority, 1);
        QCOMPARE(bucketsText(classify(*set, job("a"))), "high.fair1 web 1");
        QCOMPARE(bucketsText(classify(*set, job("b"))), "low.fair1 b 1");
    }

    void aTieOfRanksIsFoundWithAnExample()
    {
        const auto setter = [](const QByteArray &id, const QByteArray &expression, int priority, int rank) {
            JobMatcher matcher = matcherOf(id, R"({"title": "t", "expression": "true", "constraints": [{"kind": "set", "priority": )"
                    + QByteArray::number(priority) + "}]}");
            matcher.expression = expression;
            matcher.rank = rank;
            return matcher;
        };
        const auto set = setOf({setter("a", "job.name in ['x', 'y']", 1, 0), setter("b", "job.argument.big", 2, 0),
            setter("c", "job.name == 'z'", 3, 0), setter("d", "true", 4, 1)});
        const auto ties = [&](const JobMatcher &matcher) {
            QList<QByteArray> text;
            for (const SetTie &tie : setTies(*set, *compiled(matcher)))
                text.append(tie.first + ' ' + tie.second + ' ' + (tie.example ? tie.example->spec.name : QByteArray()));
            return text;
        };
        QCOMPARE(ties(setter("new", "job.name.startsWith('y')", 9, 0)), (QList<QByteArray>{"new.set1 a.set1 y", "new.set1 b.set1 y"}));
        QCOMPARE(ties(setter("new", "job.name == 'x'", 1, 0)), (QList<QByteArray>{"new.set1 b.set1 x"}));
        QCOMPARE(ties(setter("a", "job.name == 'q'", 2, 0)), QList<QByteArray>());
        QCOMPARE(ties(setter("new", "job.name == 'z'", 9, 1)), (QList<QByteArray>{"new.set1 d.set1 z"}));
    }

    void tooManyBucketsAreTold()
    {
        QList<JobMatcher> matchers;
        for (int i = 0; i < 5; ++i) {
            QByteArray constraints;
            for (int at = 0; at < (i == 4 ? 1 : 16); ++at)
                constraints += (at > 0 ? ", " : "") + QByteArray(R"({"kind": "pause"})");
            matchers.append(matcherOf("m" + QByteArray::number(i), constraintsJson(constraints)));
        }
        const Classification classification = classify(*setOf(matchers), job("x"));
        QVERIFY(classification.tooMany);
        QCOMPARE(classification.buckets.size(), limits::job_buckets_max);
        matchers.removeLast();
        QVERIFY(!classify(*setOf(matchers), job("x")).tooMany);
    }

    // A stored matcher is read as far as it can be, and says why the rest cannot.
    void aStoredMatcherThatCannotBeReadIsClosed_data()
    {
        QTest::addColumn<QByteArray>("stored");
        QTest::addColumn<QByteArray>("why");    // empty: it can be read
        QTest::addColumn<QByteArray>("holds");  // names of jobs, of fax, box, old
        const auto row = [](const char *name, const QByteArray &stored, const char *why, const char *holds) {
            QTest::newRow(name) << stored << QByteArray(why) << QByteArray(holds);
        };
        // Quotes of JSON are written as ', those of the expression as `.
        const auto with = [](QByteArray expression, QByteArray more) {
            return packed("{\"title\": \"t\", \"expression\": \"" + expression.replace('`', '\'') + '"' + more.replace('\'', '"') + '}');
        };
        const char *tokyo = ", 'constraints': [{'kind': 'window', 'id': 'w', 'tz': 'Mars/City', "
                            "'allow': [{'from': '00:00', 'to': '24:00'}]}]";
        const char *rate = ", 'constraints': [{'kind': 'rate', 'id': 'r', 'tz': 'Mars/City', "
                           "'algorithm': 'fixed', 'limit': 1, 'period': 60}]";
        row("fine", with("job.name == `fax`", ""), "", "");
        row("a lost zone", with("job.name == `fax`", tokyo), "Mars/City", "fax");
        row("a lost zone of a rate", with("job.name == `fax`", rate), "Mars/City", "fax");
        row("a newer kind", with("job.name == `fax`", ", 'constraints': [{'kind': 'lottery', 'id': 'l'}]"), "newer version", "fax");
        row("a newer field", with("job.name.startsWith(`f`)", ", 'weather': 1"), "newer version", "fax");
        row("a newer function", with("job.name == `fax` && moon(job.argument)", ""), "moon", "fax");
        row("a newer variable", with("job.name != `fax` && job.colour == `red`", ""), "job.colour", "box old");
        row("a lost zone in the expression", with("job.name == `fax` && timestamp(job.argument).getHours(`Mars/City`) > 1", ""),
            "Mars/City", "fax");
        row("what never matched", with("job.name == `fax` && duration(`1d`) > duration(`1h`)", ""), "", "");
        row("an old name", packed("{\"title\": \"a\\u0301\", \"expression\": \"job.name == 'fax'\"}"), "", "");
        row("disabled", with("job.name == `fax`", ", 'enabled': false, 'weather': 1"), "newer version", "");
        row("no syntax of ours", with("job.name =~ `fax`", ""), "is not understood", "");
        row("no bytes", QByteArray(), "damaged", "");
        row("no MessagePack", QByteArray("\xc1\xff"), "damaged", "");
        row("another value", packed("[1, 2]"), "damaged", "");
        row("other types", packed("{\"title\": 5, \"expression\": [], \"enabled\": \"x\", \"mask\": 3}"), "damaged", "");
    }
    void aStoredMatcherThatCannotBeReadIsClosed()
    {
        QFETCH(QByteArray, stored);
        QFETCH(QByteArray, why);
        QFETCH(QByteArray, holds);
        const auto closed = CompiledMatcher::compileStored(JobMatcher::fromStore("m", stored));
        QCOMPARE(closed->matcher().id, QByteArray("m"));
        QVERIFY2(why.isEmpty() == closed->matcher().unreadable.isEmpty(), closed->matcher().unreadable.text.constData());
        QVERIFY2(closed->matcher().unreadable.text.contains(why), closed->matcher().unreadable.text.constData());
        QVERIFY(!closed->matcher().title.isEmpty()); // a client wants one
        const auto set = MatcherSet::make({closed, compiled(matcherOf("other", constraintsJson(R"({"kind": "pause"})")))});
        QByteArrayList held;
        for (const char *name : {"fax", "box", "old"}) {
            const Classification classification = classify(**set, job(name));
            if (!classification.closed.isEmpty())
                held.append(name);
            QCOMPARE(classification.buckets.size(), 1); // the other matcher's
        }
        QCOMPARE(held.join(' '), holds);
    }

    void aChangeOfWhatIsReadableIsANewEpoch()
    {
        JobMatcher readable = matcherOf("m", constraintsJson(R"({"kind": "pause"})"));
        JobMatcher other = readable;
        other.title = "other";
        QVERIFY(!needsNewEpoch(&readable, &other));
        other.unreadable = reasons::recordDamaged();
        QVERIFY(needsNewEpoch(&other, &readable));
        QVERIFY(needsNewEpoch(&other, nullptr));
    }

    void idsAreNotGivenTwice()
    {
        const JobMatcher first = matcherOf("a", constraintsJson(R"({"kind": "pause", "id": "p"})"));
        JobMatcher second = first;
        second.id = "b";
        QCOMPARE(setOf({first, second}), nullptr);
        QCOMPARE(setOf({first, first}), nullptr);
    }

    // P5: whatever the matchers are, a job is in the buckets that a walk over all of them finds, with predicates worked out by hand.
    void classificationAgreesWithANaiveWalk()
    {
        using namespace junban::tests;
        const quint32 seed = quint32(qEnvironmentVariableIntValue("JUNBAN_SEED")) + 11;
        Maker maker(seed);
        int buckets = 0;
        for (int round = 0; round < 300; ++round) {
            QList<JobMatcher> matchers;
            QList<Sample> samples;
            for (int i = maker.pick(12); i >= 0; --i) {
                Sample sample = maker.make(maker.pick(3));
                // What can be told to be no predicate, or names what is not there, is not saved.
                JobMatcher matcher = matcherOf("m" + QByteArray::number(i), R"({"title": "t", "expression": "true"})");
                matcher.expression = sample.text;
                if (!CompiledMatcher::compile(matcher).matcher)
                    continue;
                Constraint constraint;
                constraint.parameters = ConcurrencyParameters{};
                if (maker.pick(2) == 0)
                    constraint.by = {"job.name"};
                constraint.id = "c" + QByteArray::number(i);
                matcher.constraints = {constraint};
                if (maker.pick(6) == 0)
                    matcher.exempts = {"c" + QByteArray::number(maker.pick(12))};
                matchers.append(matcher);
                samples.append(sample);
            }
            const auto set = setOf(matchers);
            for (const QByteArray &name : names) {
                const std::optional<bool> flags[] = {std::nullopt, false, true};
                const Subject subject{name, flags[maker.pick(3)]};
                std::set<QByteArray> expected;
                std::set<QByteArray> exempt;
                for (qsizetype i = 0; i < matchers.size(); ++i) {
                    if (samples[i].meaning(subject) != Answer::True)
                        continue;
                    const bool by = !matchers[i].constraints[0].by.isEmpty();
                    expected.insert(matchers[i].constraints[0].id + '|' + (by ? name : QByteArray()));
                    exempt.insert(matchers[i].exempts.begin(), matchers[i].exempts.end());
                }
                std::erase_if(expected, [&](const QByteArray &hit) { return exempt.contains(hit.left(hit.indexOf('|'))); });
                std::set<QByteArray> found;
                const QByteArray argument = subject.flag ? (*subject.flag ? "true" : "false") : "1";
                for (const BucketHit &hit : classify(*set, job(name, argument)).buckets)
                    found.insert(hit.constraint + '|' + bucketkey::text(hit.key));
                const QByteArray where = "seed " + QByteArray::number(seed) + " round " + QByteArray::number(round);
                QVERIFY2(found == expected, where.constData());
                buckets += int(found.size());
            }
        }
        QVERIFY(buckets > 3'000);
    }
};

JUNBAN_TEST(TestMatcher)
#include "test_matcher.moc"
