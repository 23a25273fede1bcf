#include "core/limits/jobvariables.h"
#include "core/limits/matcherset.h"
#include "core/msgpack/json.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;

namespace {

std::shared_ptr<const CompiledMatcher> ready(const JobMatcher &matcher)
{
    const MatcherCompilation result = CompiledMatcher::compile(matcher);
    if (!result.matcher)
        qFatal("%s: %s", matcher.expression.constData(), result.problems[0].problem.message().constData());
    return result.matcher;
}

JobMatcher setter(const QByteArray &id, const QByteArray &expression, const QByteArray &constraints)
{
    const Result<QByteArray> map = json::toMsgpack(R"({"title": "t", "expression": "true", "constraints": [)" + constraints + "]}");
    Result<JobMatcher> matcher = JobMatcher::fromMsgpack(id, *map);
    if (!matcher.ok())
        qFatal("%s: %s", matcher.error().field.constData(), matcher.error().message().constData());
    matcher->expression = expression;
    giveConstraintIds(*matcher, nullptr);
    return *matcher;
}

QByteArray priority(int value)
{
    return R"({"kind": "set", "priority": )" + QByteArray::number(value) + '}';
}

QList<SetTie> tiesOf(const JobMatcher &first, const JobMatcher &second)
{
    const auto set = MatcherSet::make({ready(first), ready(second)});
    return setTies(**set, *ready(second));
}

QList<SetTie> tiesOf(const QByteArray &first, const QByteArray &second)
{
    return tiesOf(setter("za", first, priority(8)), setter("zb", second, priority(9)));
}

} // namespace

// Which `set` constraints of one rank tie, and the job that is told of it.
// "a job named 'z' with argument {"k":1}, tags ["a"]"
static QByteArray text(const TieExample &example)
{
    const QByteArray named = "a job named '" + example.name() + '\'';
    return example.fields().isEmpty() ? named : named + " with " + example.fields().join(", ");
}

class TestTieExample : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anExampleIsFound_data()
    {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("second");
        QTest::addColumn<QByteArray>("told");
        const auto row = [](const char *first, const char *second, const char *told) {
            QTest::addRow("%s | %s", first, second) << QByteArray(first) << QByteArray(second) << QByteArray(told);
        };
        row("job.name == 'z' && job.argument.k > 0", "job.name == 'z' && job.argument.k == 1", R"(a job named 'z' with argument {"k":1})");
        row("job.name == 'z'", "'a' in job.tags", R"(a job named 'z' with tags ["a"])");
        row("job.name == 'sdx'", "job.name == 'sdx' && job.argument.k == 1", R"(a job named 'sdx' with argument {"k":1})");
        row("job.name == 'z'", "job.name.startsWith('z')", "a job named 'z'");
        row("job.name.startsWith('a.')", "job.name.endsWith('.z')", "a job named 'a..z'");
        row("job.name.matches('^crawl[.](eu|us)[.][0-9]+$')", "job.name.contains('eu')", "a job named 'crawl.eu.0'");
        row("job.argument.n < 5", "job.argument.n >= 4", R"(a job named 'example' with argument {"n":4})");
        row("job.argument.n > 1", "job.argument.n < 2", R"(a job named 'example' with argument {"n":1.5})");
        row("job.argument.region != 'eu'", "job.argument.region != ''", R"(a job named 'example' with argument {"region":"a"})");
        row("job.argument.region in ['eu', 'us']", "job.argument['region'] == 'us'",
            R"(a job named 'example' with argument {"region":"us"})");
        row("job.argument.a == 1 || job.argument.b == 2", "job.argument.b == 2 && job.argument.a != 1",
            R"(a job named 'example' with argument {"b":2,"a":0})");
        row("!(job.argument.a == 1 || job.argument.b == 2)", "has(job.argument.a.c) && job.argument.b == 1",
            R"(a job named 'example' with argument {"a":{"c":true},"b":1})");
        row("!has(job.argument.k)", "job.argument.n == 3", R"(a job named 'example' with argument {"n":3})");
        row("!has(job.argument.k)", "!has(job.argument.n)", "a job named 'example' with argument {}");
        row("'k' in job.argument", "job.argument.n == 3", R"(a job named 'example' with argument {"n":3,"k":"k"})");
        row("job.argument == 7", "job.argument > 6", "a job named 'example' with argument 7");
        row("job.argument.a.b[1] == 'x'", "job.argument.a.c", R"(a job named 'example' with argument {"a":{"c":true,"b":[null,"x"]}})");
        row("'x' in job.argument.l && 'y' in job.argument.l", "true", R"(a job named 'example' with argument {"l":{"x":"x","y":"y"}})");
        row("job.argument.l.exists(i, i == 'x') && job.argument.l.exists(i, i == 'y')", "size(job.argument.l) == 2",
            R"(a job named 'example' with argument {"l":["x","y"]})");
        row("job.argument.l.exists(i, i.k == 1 && i.m == 'x')", "job.argument.l.all(i, i.k < 2)",
            R"(a job named 'example' with argument {"l":[{"k":1,"m":"x"}]})");
        row("['a', 'b'].exists(x, x == job.argument.k)", "job.argument.k != 'a'", R"(a job named 'example' with argument {"k":"b"})");
        row("size(job.argument.l) > 3", "true", R"(a job named 'example' with argument {"l":"aaaa"})");
        row("job.argument.s.startsWith('a')", "job.argument.s.endsWith('a') && job.argument.s != 'a'",
            R"(a job named 'example' with argument {"s":"aa"})");
        row("job.argument.s.matches('^[0-9]{3}$')", "job.argument.s < '5'", R"(a job named 'example' with argument {"s":"000"})");
        row("timestamp(job.argument.t) > timestamp('2026-01-01T00:00:00Z')", "has(job.argument.t)",
            R"(a job named 'example' with argument {"t":"2026-01-01T00:00:01Z"})");
        row("job.argument.a == job.argument.b", "job.argument.a == 5", R"(a job named 'example' with argument {"a":5,"b":5})");
        row("job.argument.n * 2 > 10", "job.argument.n < 10", R"(a job named 'example' with argument {"n":9})");
        row("type(job.argument.v) == string", "job.argument.v != 'a'", R"(a job named 'example' with argument {"v":"aa"})");
        row("job.argument.k == 1 ? job.name == 'a' : job.name == 'b'", "job.argument.k == 2", R"(a job named 'b' with argument {"k":2})");
        row("job.tags.exists(t, t == 'a') && !('b' in job.tags)", "job.tags.exists(t, t == 'c')",
            R"(a job named 'example' with tags ["c","a"])");
        row("size(job.tags) > 1", "true", R"(a job named 'example' with tags ["tag1","tag2"])");
        row("job.priority > 0", "job.priority < 2", "a job named 'example' with priority 1");
        row("job.max_retry >= 3", "job.max_retry < 5", "a job named 'example' with max_retry 3");
        row("job.keep_result", "job.timeout > 60.0 && job.timeout < 61.0",
            "a job named 'example' with keep_result true, timeout 60.5");
        row("job.pusher == 'web'", "job.name != 'example'", "a job named 'a' with pusher web");
    }
    void anExampleIsFound()
    {
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, second);
        const QList<SetTie> ties = tiesOf(first, second);
        QCOMPARE(ties.size(), 1);
        QVERIFY(ties[0].example);
        QVERIFY(!ties[0].own);
        QCOMPARE(ties[0].first, "zb.set1");
        QCOMPARE(ties[0].second, "za.set1");
        // Classification says so too.
        const auto set = MatcherSet::make({ready(setter("za", first, priority(8))), ready(setter("zb", second, priority(9)))});
        cel::Evaluation evaluation;
        QCOMPARE((*set)->classify(ties[0].example->spec, ties[0].example->pusher, evaluation).matchers, (QList<QByteArray>{"za", "zb"}));
        QTEST(text(*ties[0].example), "told");
        QCOMPARE(text(*tiesOf(first, second)[0].example), text(*ties[0].example));
    }

    void whatNoJobMatchesHasNone_data()
    {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("second");
        const auto row = [](const char *first, const char *second) {
            QTest::addRow("%s | %s", first, second) << QByteArray(first) << QByteArray(second);
        };
        row("job.name == 'z' && job.argument.region == 'eu'", "job.name == 'z' && job.argument.region == 'us'");
        row("job.argument.region == 'eu'", "job.argument.region == 'us'");
        row("job.argument.n < 5", "job.argument.n >= 5");
        row("job.priority > 0", "job.priority <= 0");
        row("job.name == 'a'", "job.name == 'b'");
        row("job.name == 'a' && job.argument.k == 1", "job.name.startsWith('b')");
        row("'a' in job.tags", "!('a' in job.tags)");
        row("has(job.argument.k)", "!has(job.argument.k)");
        row("job.keep_result", "!job.keep_result");
        row("job.max_retry > 100", "true"); // a job cannot have so many
        row("size(job.tags) > 16", "true");
        row("job.argument.a == 1 && job.argument.b == 2", "job.argument.b == 3 || job.argument.a == 4");
    }
    void whatNoJobMatchesHasNone()
    {
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, second);
        for (const SetTie &tie : tiesOf(first, second))
            QVERIFY2(!tie.example, tie.example ? text(*tie.example).constData() : "");
    }

    void whatTheSearchDoesNotSeeThroughHasNone()
    {
        const QByteArray first = "job.argument[job.argument.key + '.x'] == 1";
        QCOMPARE(tiesOf(first, "job.argument.key == 'k'").size(), 1);
        QVERIFY(!tiesOf(first, "job.argument.key == 'k'")[0].example);
    }

    // All fields by themselves, and then all that depends on all of them: the second is given up after limits::tie_jobs_max jobs.
    void manyFieldsAreBounded()
    {
        QList<QByteArray> parts;
        QList<QByteArray> fields;
        for (int i = 0; i < 12; ++i) {
            fields.append("job.argument.f" + QByteArray::number(i));
            parts.append(fields.last() + " > " + QByteArray::number(10 * i));
        }
        const QList<SetTie> ties = tiesOf(parts.first(6).join(" && "), parts.last(6).join(" && "));
        QVERIFY(ties[0].example);
        QVERIFY(text(*ties[0].example).startsWith(R"(a job named 'example' with argument {"f6":61,"f7":71,)"));
        QVERIFY(!tiesOf(fields.first(6).join(" + ") + " == 7001", fields.last(6).join(" + ") + " == 7001")[0].example);
    }

    void aMatcherTiesInItself()
    {
        const QByteArray two = priority(1) + ", " + priority(2);
        const auto own = [](const JobMatcher &matcher) {
            const auto other = ready(setter("other", "job.name == 'other'", priority(3)));
            return setTies(**MatcherSet::make({other, ready(matcher)}), *ready(matcher));
        };
        const QList<SetTie> ties = own(setter("m", "job.argument.k == 1", two));
        QCOMPARE(ties.size(), 3); // each ties with the other too
        QCOMPARE(ties[0].first, "m.set1");
        QCOMPARE(ties[0].second, "m.set2");
        QVERIFY(ties[0].own);
        QCOMPARE(text(*ties[0].example), R"(a job named 'example' with argument {"k":1})");
        const QList<SetTie> unseen = own(setter("m", "job.name == 'm' && job.argument[job.argument.key + '.x'] == 1", two));
        QCOMPARE(unseen.size(), 1);
        QVERIFY(unseen[0].own && !unseen[0].example);
        QVERIFY(own(setter("m", "job.name == 'm'", priority(1) + R"(, {"kind": "set", "timeout": 5})")).isEmpty());
        QVERIFY(own(setter("m", "job.name == 'm'", priority(1) + ", " + priority(1))).isEmpty());
        QVERIFY(own(setter("m", "job.name == 'm'", priority(1) + R"(, {"kind": "set", "priority": 2, "mode": "observe"})")).isEmpty());
        JobMatcher disabled = setter("m", "job.name == 'm'", two);
        disabled.enabled = false;
        QVERIFY(own(disabled).isEmpty());
    }

    void whatIsNotInForceTogetherDoesNotTie()
    {
        const JobMatcher general = setter("za", "job.name == 'z'", priority(8));
        const JobMatcher special = setter("zb", "job.name == 'z' && job.argument.k == 1", priority(9));
        QCOMPARE(tiesOf(general, special).size(), 1);
        QVERIFY(tiesOf(general, setter("zb", special.expression, R"({"kind": "set", "priority": 9, "mode": "observe"})")).isEmpty());
        QVERIFY(tiesOf(general, setter("zb", special.expression, R"({"kind": "set", "priority": 9, "mode": "off"})")).isEmpty());
        QVERIFY(tiesOf(general, setter("zb", special.expression, priority(8))).isEmpty());
        JobMatcher other = special;
        other.rank = 1;
        QVERIFY(tiesOf(general, other).isEmpty());
        other = special;
        other.enabled = false;
        QVERIFY(tiesOf(general, other).isEmpty());
        other = special;
        other.exempts = {"za"};
        QVERIFY(tiesOf(general, other).isEmpty());
        other.exempts = {"za.set1"};
        QVERIFY(tiesOf(general, other).isEmpty());
        other.exempts = {"else"};
        QCOMPARE(tiesOf(general, other).size(), 1);
    }

    void aLongExampleIsShortened()
    {
        const QByteArray longText(300, 'x');
        const QList<SetTie> ties = tiesOf("job.argument.k == '" + longText + '\'', "job.name == 'z'");
        QVERIFY(ties[0].example);
        QVERIFY(text(*ties[0].example).size() < 200);
        QVERIFY(text(*ties[0].example).endsWith("…"));
    }
};

JUNBAN_TEST(TestTieExample)
#include "test_tieexample.moc"
