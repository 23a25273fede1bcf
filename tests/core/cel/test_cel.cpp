#include "core/cel/cases.h"
#include "core/cel/compile.h"
#include "core/cel/evaluation.h"
#include "core/msgpack/msgpackwriter.h"
#include "tests/support/sentence.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QTest>
#include <atomic>
#include <thread>

using namespace junban;
using namespace junban::cel;

namespace {

// Variables a test gives by name.
class Given : public Bindings
{
public:
    explicit Given(QList<QPair<QByteArray, Value>> values) : m_values(std::move(values)) {}
    Value variable(qint32 slot) const override { return m_values[slot].second; }
    Environment environment() const
    {
        Environment result;
        for (qsizetype i = 0; i < m_values.size(); ++i)
            result.variables.append({m_values[i].first, qint32(i)});
        return result;
    }

private:
    QList<QPair<QByteArray, Value>> m_values;
};

// A result by which values and errors can be told apart: "true", "3", "error no_such_field".
QByteArray outcome(QByteArrayView expression, const Given &given = Given({}))
{
    const Compiled compiled = compile(expression, given.environment(), Mode::Lenient);
    if (!compiled.program)
        return "problem " + compiled.problems.first().message();
    Evaluation evaluation;
    const Value value = evaluation.evaluate(*compiled.program, given);
    switch (value.type()) {
    case ValueType::Error: return QByteArray("error ") + causeWord(value.cause());
    case ValueType::Bool: return value.toBool() ? "true" : "false";
    case ValueType::Int: return QByteArray::number(value.toInt());
    case ValueType::String: return value.view().toByteArray();
    default: return typeName(value.type());
    }
}

// Variables of known types, and one of any.
Environment typedEnvironment()
{
    return {{{"job.name", 0, {}, ValueType::String}, {"job.argument", 1}, {"job.priority", 2, {}, ValueType::Int},
        {"job.pushed_at", 3, {}, ValueType::Timestamp}}};
}

Problem problemOf(QByteArrayView expression, Wanted wanted = Wanted::Any)
{
    const Environment environment{
        {{"job.name", 0}, {"job.argument", 1}, {"job.state", 2, sentence("job.state changes while a job waits.")}}};
    const Compiled compiled = compile(expression, environment, Mode::Checked, wanted);
    return compiled.problems.isEmpty() ? Problem() : compiled.problems.first();
}

} // namespace

class TestCel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyConformanceCasePasses()
    {
        QFile file(QStringLiteral(JUNBAN_CEL_CASES));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto report = runCases(file.readAll());
        QVERIFY(report.ok());
        QVERIFY2(report->failures.isEmpty(), report->failures.join('\n').constData());
        QVERIFY(report->passed >= 642);
    }

    void aCaseThatDoesNotHoldIsReportedById()
    {
        const auto report = runCases(R"([{"id": "a", "expr": "1 + 1", "bindings": {}, "value": {"int": "3"}},
            {"id": "b", "expr": "1", "value": {"uint": "1"}}, {"id": "c", "expr": "1", "error": true},
            {"id": "d", "expr": "1 +", "value": {"int": "1"}}, {"id": "e", "expr": "[1.0]", "value": {"list": [{"int": "1"}]}},
            {"id": "f", "expr": "-0.0", "value": {"double": "0.0"}},
            {"id": "g", "expr": "x", "bindings": {"x": {"int": "1"}}, "value": {"int": "1"}}])");
        QVERIFY(report.ok());
        QCOMPARE(report->passed, 1);
        QCOMPARE(report->failed, 6);
        QVERIFY(report->failures[0].startsWith("a: "));
        QVERIFY(!runCases("{}").ok());
        QVERIFY(!runCases("[{}]").ok());
    }

    void aFaultIsToldWithItsPlace_data()
    {
        QTest::addColumn<QByteArray>("expression");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<int>("length");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *expression, int line, int column, int length, const char *says) {
            QTest::newRow(expression) << QByteArray(expression) << line << column << length << QByteArray(says);
        };
        row("", 1, 1, 0, "empty");
        row("job.name = 'a'", 1, 10, 1, "==");
        row("job.name == 'a' and true", 1, 17, 3, "&&");
        row("job.name == 'a' & true", 1, 17, 1, "&&");
        row("job.name == 'a", 1, 13, 2, "quote");
        row("'a\\", 1, 1, 3, "quote");
        row("'\\x", 1, 2, 2, "hexadecimal");
        row("true &&\n  ('\u65e5\u672c' == x)", 2, 12, 1, "variable 'x'");
        row("(1", 1, 3, 0, "')'");
        row("[1, 2", 1, 6, 0, "']'");
        row("{'a' 1}", 1, 6, 1, "':'");
        row("job.state == 'ready'", 1, 1, 9, "changes while a job waits");
        row("has(job.state)", 1, 1, 14, "changes while a job waits");
        row("job.nmae == 'a'", 1, 1, 8, "job.name and job.argument");
        row("name == 'a'", 1, 1, 4, "write job.name");
        row("job.name.startswith('a')", 1, 1, 24, "startsWith");
        row("startsWith(job.name, 'a')", 1, 1, 25, "value.startsWith");
        row("size(job.name, 1) == 2", 1, 1, 17, "number of arguments");
        row("job.name.matches('(')", 1, 18, 3, "regular expression");
        row("'\\q'", 1, 2, 2, "escape");
        row("99999999999999999999", 1, 1, 20, "64 bits");
        row("9223372036854775808", 1, 1, 19, "64 bits");
        row("has(job)", 1, 5, 3, "field");
        row("[1].all(1, true)", 1, 9, 1, "variable");
        row("1 2", 1, 3, 1, "operator");
        row("job.name == 'a' || while", 1, 20, 5, "reserved");
    }
    void aFaultIsToldWithItsPlace()
    {
        QFETCH(QByteArray, expression);
        QFETCH(QByteArray, says);
        const Problem problem = problemOf(expression);
        QVERIFY2(problem.message().contains(says), problem.message().constData());
        QTEST(problem.line, "line");
        QTEST(problem.column, "column");
        QTEST(problem.length, "length");
        QVERIFY(problem.message().endsWith('.'));
    }

    void whatFailsForEveryJobIsAProblem_data()
    {
        QTest::addColumn<QByteArray>("expression");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<int>("length");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *expression, int line, int column, int length, const char *says) {
            QTest::newRow(expression) << QByteArray(expression) << line << column << length << QByteArray(says);
        };
        row("job.pushed_at > timestamp('x')", 1, 17, 14, "no time");
        row("true &&\n duration('1d') > duration('1h')", 2, 2, 14, "no duration");
        row("job.priority == int('abc')", 1, 17, 10, "converted");
        row("job.priority == uint(-1)", 1, 17, 8, "range");
        row("job.priority > 9223372036854775807 + 1", 1, 16, 23, "range");
        row("job.priority == 1 / 0", 1, 17, 5, "zero");
        row("job.priority / 0 == 1", 1, 1, 16, "zero");
        row("job.argument.n % 0 == 1", 1, 1, 18, "zero");
        row("[1, 2][5] == job.priority", 1, 1, 9, "index");
        row("{'a': 1}['b'] == 1", 1, 1, 13, "key");
        row("'a' + 1 == job.name", 1, 1, 7, "types");
        row("job.name + 1 == 'a'", 1, 1, 12, "types");
        row("job.name.startsWith(5)", 1, 1, 22, "types");
        row("size(job.priority) == 1", 1, 1, 18, "types");
        row("job.priority.matches('a')", 1, 1, 25, "types");
        row("job.pushed_at.getHours('Mars') == 1", 1, 24, 6, "time zone");
        row("job.pushed_at.getHours('Mars/City') == 1", 1, 24, 11, "time zone");
        row("job.name.matches('a' + '(')", 1, 18, 9, "regular expression");
        row("job.argument.list.exists(x, x > double('1.2.3'))", 1, 33, 15, "converted");
        row("job.argument[-1] == 1", 1, 1, 16, "index");
        row("job.argument.list[1e30] == 1", 1, 1, 23, "index");
        row("job.argument.list[5000000u] == 1", 1, 1, 27, "index");
        row("job.argument[1.5] == 1", 1, 1, 17, "types");
        row("job.argument.x[true] == 1", 1, 1, 20, "types");
        row("job.argument[b'x'] == 1", 1, 1, 18, "types");
        row("job.argument[null] == 1", 1, 1, 18, "types");
        row("job.name[0] == 'a'", 1, 1, 11, "types");
        row("[job.priority, 2]['a'] == 1", 1, 1, 22, "types");
        row("job.name.first == 'a'", 1, 1, 14, "types");
        row("job.argument.x in 'abc'", 1, 1, 23, "types");
        row("job.name.exists(c, c == 'a')", 1, 1, 28, "types");
        row("'abc'.all(c, c == 'a')", 1, 1, 22, "types");
        row("-job.name == 'a'", 1, 1, 9, "types");
        row("job.argument.x < null", 1, 1, 21, "type null_type cannot be compared");
        row("[1] <= job.argument.x", 1, 1, 21, "type list cannot be compared");
        row("job.argument.list.exists(x, x > {'a': 1})", 1, 29, 12, "type map cannot be compared");
        row("type(job.name) > int", 1, 1, 20, "type type cannot be compared");
        row("job.argument.list.exists(x, job.name < job.priority)", 1, 29, 23, "type string and int cannot be compared");
    }
    void whatFailsForEveryJobIsAProblem()
    {
        QFETCH(QByteArray, expression);
        QFETCH(QByteArray, says);
        const Compiled compiled = compile(expression, typedEnvironment(), Mode::Checked, Wanted::Boolean);
        QCOMPARE(compiled.problems.size(), 1);
        const Problem problem = compiled.problems.first();
        QVERIFY2(problem.message().contains(says), problem.message().constData());
        QTEST(problem.line, "line");
        QTEST(problem.column, "column");
        QTEST(problem.length, "length");
    }

    // What only a job can show is no problem, and what an older version let pass goes on matching nothing.
    void onlyWhatFailsForEveryJobIsAProblem()
    {
        const Environment environment = typedEnvironment();
        for (const char *fine : {"duration(job.argument.d) > duration('24h')", "timestamp(job.argument.t) < job.pushed_at",
                 "int(job.argument.n) == 1", "1 / job.priority == 1", "job.name.matches(job.argument.pattern)",
                 "job.argument.n / 0.0 > 1.0",
                 "job.pushed_at.getHours(job.argument.zone) == 1", "job.pushed_at.getHours('US/Pacific') == 1", "job.argument.a + 1 == 2",
                 "job.pushed_at.getHours('+02:00') == 1", "job.pushed_at + duration('1h') > job.pushed_at", "job.name == 5",
                 "job.argument[0] == 1", "job.argument[0.0] == 1", "job.argument[job.argument.key] == 1", "{true: 1}[job.argument.ok] == 1",
                 "{-1: 1}[-1] == 1", "{1: {true: job.argument.a}}[1][true] == 1", "job.argument.x in job.argument.list",
                 "job.argument.list.exists(x, x < 1)", "dyn(job.name) < 3", "-job.priority < 3"}) {
            const Compiled compiled = compile(fine, environment, Mode::Checked, Wanted::Boolean);
            QVERIFY2(compiled.program, compiled.problems.isEmpty() ? fine : compiled.problems.first().message().constData());
        }
        for (const char *kept : {"job.name == 'a' && duration('1d') > duration('1h')", "job.priority / 0 == 1", "job.name + 1 == 'a'",
                 "job.pushed_at.getHours('Mars') == 1"})
            QVERIFY2(compile(kept, environment, Mode::Kept, Wanted::Boolean).program, kept);
        // It may have been a zone of the machine that saved it.
        QVERIFY(!compile("job.pushed_at.getHours('Mars/City') == 1", environment, Mode::Kept, Wanted::Boolean).program);
    }

    void variablesOfAKnownTypeAreCheckedInPredicates_data()
    {
        QTest::addColumn<QByteArray>("expression");
        QTest::addColumn<int>("column"); // 0: nothing is wrong
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *expression, int column, const char *says) {
            QTest::newRow(expression) << QByteArray(expression) << column << QByteArray(says);
        };
        row("name", 1, "of type string");
        row("name && count > 1", 1, "of type string");
        row("count > 1 || !(name)", 16, "of type string");
        row("argument.ok ? name : count > 1", 15, "of type string");
        row("count + 1", 1, "of type int");
        row("count > 'a'", 1, "type int and string cannot be compared with <");
        row("count > 1.5", 0, "");
        row("argument.ok && argument.n > count", 0, "");
        row("count == 'a'", 0, ""); // false, like all that is of two types
        row("name.contains('a') ? true : argument.ok", 0, "");
        row("[name].exists(n, n)", 0, ""); // only the evaluation can tell
    }
    void variablesOfAKnownTypeAreCheckedInPredicates()
    {
        QFETCH(QByteArray, expression);
        QFETCH(int, column);
        QFETCH(QByteArray, says);
        const Environment environment{{{"name", 0, {}, ValueType::String}, {"count", 1, {}, ValueType::Int}, {"argument", 2}}};
        const Compiled checked = compile(expression, environment, Mode::Checked, Wanted::Boolean);
        QCOMPARE(checked.problems.size(), column > 0 ? 1 : 0);
        if (column > 0) {
            QCOMPARE(checked.problems[0].column, column);
            QVERIFY2(checked.problems[0].message().contains(says), checked.problems[0].message().constData());
        }
        const bool isUnordered = says.contains("cannot be compared");
        QCOMPARE(compile(expression, environment, Mode::Checked, Wanted::Any).problems.isEmpty(), !isUnordered);
        QVERIFY(compile(expression, environment, Mode::Kept, Wanted::Boolean).program);
    }

    void whatCannotBeTrueOrFalseIsNoPredicate()
    {
        QVERIFY(problemOf("job.name", Wanted::Boolean).message().isEmpty()); // only the evaluation can tell
        QVERIFY(problemOf("job.name == 'a'", Wanted::Boolean).message().isEmpty());
        QVERIFY(problemOf("size(job.name)", Wanted::Boolean).message().contains("int"));
        QVERIFY(problemOf("true ? 'a' : 'b'", Wanted::Boolean).message().contains("string"));
        QVERIFY(problemOf("job.name && true", Wanted::Boolean).message().isEmpty());
        QVERIFY(problemOf("job.name == 'a'", Wanted::Number).message().contains("bool"));
        QVERIFY(problemOf("job.argument.size", Wanted::Number).message().isEmpty());
    }

    void allThatIsWrongIsToldInOrder()
    {
        const Compiled compiled = compile("foo(1) && x && y && 'a'.matches('[')", {}, Mode::Checked);
        QCOMPARE(compiled.problems.size(), 4);
        QVERIFY(compiled.problems[0].column < compiled.problems[1].column && compiled.problems[2].column < compiled.problems[3].column);
        QVERIFY(!compiled.program);
        QVERIFY(compile("foo(1) && x", {}, Mode::Lenient).program);
    }

    void anEvaluationSaysWhereItFailed()
    {
        const QByteArray bytes = MsgpackWriter().map(1).text("a").integer(1).take();
        const Given given({{"x", Value::packed(bytes)}});
        const Compiled compiled = compile("x.a == 1 &&\n x.tenant.id == 2", given.environment(), Mode::Lenient);
        Evaluation evaluation;
        const Problem problem = compiled.program->explain(evaluation.evaluate(*compiled.program, given));
        QCOMPARE(problem.line, 2);
        QCOMPARE(problem.column, 2);
        QCOMPARE(problem.length, 8);
        QVERIFY2(problem.message().contains("'tenant'"), problem.message().constData());
    }

    void messagePackIsReadAsItStands_data()
    {
        QTest::addColumn<QByteArray>("hex");
        QTest::addColumn<QByteArray>("expression");
        const auto row = [](const char *name, const QByteArray &hex, const char *expression) {
            QTest::newRow(name) << hex << QByteArray(expression);
        };
        row("int", "05", "type(x) == int && x == 5");
        row("negative", "d3ffffffffffffffff", "type(x) == int && x == -1");
        row("uint beyond int", "cfffffffffffffffff", "type(x) == uint && x == 18446744073709551615u");
        row("uint within int", "cf7fffffffffffffff", "type(x) == int && x == 9223372036854775807");
        row("float32", "ca3fc00000", "type(x) == double && x == 1.5");
        row("float64", "cb3ff8000000000000", "x == 1.5");
        row("str", "a161", "type(x) == string && x == 'a'");
        row("str that is not UTF-8", "a1ff", "type(x) == bytes && x == b'\\xff'");
        row("bin", "c40161", "type(x) == bytes && x == b'a'");
        row("nil", "c0", "x == null");
        row("bool", "c3", "x == true");
        row("array", "93010203", "type(x) == list && x[2] == 3 && 2 in x && size(x) == 3 && x == [1, 2, 3] && x + [4] == [1, 2, 3, 4]");
        row("map", "82a1610101a162", "type(x) == map && x.a == 1 && x[1] == 'b' && has(x.a) && !has(x.b) && 1 in x && !('c' in x)");
        row("map equality", "82a1610101a162", "x == {1: 'b', 'a': 1} && x != {1: 'b'}");
        row("odd keys", "83c001ca3f80000002c40101c3", "x[1] == 2 && size(x) == 3");
        row("container keys are passed over", "8293010203c081a161a162c3", "!has(x.a) && size(x) == 2");
        row("timestamp 32", "d6ff49957180", "type(x) == google.protobuf.Timestamp && int(x) == 1234530688");
        row("timestamp 64", "d7ff0000000449957180", "x == timestamp(1234530688) + duration('1ns')");
        row("timestamp 96", "c70cff00000000ffffffffffffffff", "x == timestamp(-1)");
        row("timestamp out of range", "c70cff000000007fffffffffffffff", "type(x) == bytes");
        row("other extension", "d40561", "x == b'a'");
        row("macros over packed", "93010203", "x.map(e, e * 2) == [2, 4, 6] && x.filter(e, e > 1).size() == 2 && x.exists_one(e, e == 3)");
        row("macros over keys", "82a1610101a162", "x.exists(k, k == 'a') && x.map(k, k) == ['a', 1]");
        row("nested", "81a4757365728263a2616101c3", "!has(x.user.none) && x.user[99] == 'aa' && x.user.exists(k, k == 1)");
    }
    void messagePackIsReadAsItStands()
    {
        QFETCH(QByteArray, hex);
        QFETCH(QByteArray, expression);
        const QByteArray bytes = QByteArray::fromHex(hex);
        QVERIFY(payload::validate(bytes).ok());
        QCOMPARE(outcome(expression, Given({{"x", Value::packed(bytes)}})), QByteArray("true"));
    }

    void onlyThePathIsLookedAt()
    {
        MsgpackWriter writer;
        writer.map(3).text("id").integer(7).text("blob").binary(QByteArray(200'000, 'x')).text("last").integer(8);
        const QByteArray bytes = writer.take();
        const Given given({{"x", Value::packed(bytes)}});
        const Compiled compiled = compile("x.id == 7 && x.last == 8", given.environment(), Mode::Lenient);
        Evaluation evaluation;
        QVERIFY(evaluation.evaluate(*compiled.program, given).isTrue());
        QVERIFY(evaluation.stepsUsed() < 50);
    }

    void hostileExpressionsAreBounded_data()
    {
        QTest::addColumn<QByteArray>("expression");
        QTest::addColumn<QByteArray>("expected");
        const auto deep = [](const char *open, const char *middle, const char *close, int times) {
            return QByteArray(open).repeated(times) + middle + QByteArray(close).repeated(times);
        };
        const QByteArray tooDeep = "problem The expression is nested deeper than 64 levels.";
        const QByteArray tooMuchWork = "error too_much_work";
        QTest::newRow("63 brackets") << deep("(", "1", ")", 63) << QByteArray("1");
        QTest::newRow("brackets") << deep("(", "1", ")", 2'000) << tooDeep;
        QTest::newRow("lists") << deep("[", "1", "]", 2'000) << tooDeep;
        QTest::newRow("not") << QByteArray("!").repeated(4'000) + "x" << tooDeep;
        QTest::newRow("signs") << QByteArray("-").repeated(4'000) + "1" << QByteArray("1");
        QTest::newRow("conditionals") << QByteArray("true?1:").repeated(500) + "1"
                                      << tooDeep;
        QTest::newRow("sums") << QByteArray("1+").repeated(2'000) + "1" << tooDeep;
        QTest::newRow("ors") << QByteArray("false||").repeated(100) + "true" << QByteArray("true");
        QTest::newRow("nodes") << QByteArray("x||").repeated(1'000) + "x" << QByteArray("problem The expression has more than 256 parts.");
        QTest::newRow("text") << QByteArray("1") + QByteArray(4'096, ' ') << QByteArray("problem The expression is longer than 4 KiB.");
        QTest::newRow("4 KiB") << QByteArray("1") + QByteArray(4'095, ' ') << QByteArray("1");
        QTest::newRow("macros over big lists") << QByteArray("x.all(a, x.all(b, x.all(c, a + b + c >= 0)))") << tooMuchWork;
        QTest::newRow("work is final") << QByteArray("x.all(a, x.all(b, a + b >= 0)) || true") << tooMuchWork;
        QTest::newRow("equality of big lists") << QByteArray("x.all(a, x == x)") << tooMuchWork;
        QTest::newRow("the last of a big list") << QByteArray("x.all(a, x[60000] >= 0)") << tooMuchWork;
        QTest::newRow("membership") << QByteArray("x.all(a, !('q' in x))") << tooMuchWork;
        QTest::newRow("texts that double")
            << QByteArray("[0,1,2,3,4,5,6,7,8,9].map(a, [0,1,2,3,4,5,6,7,8,9].map(b, y + y + y))") << QByteArray("error too_much_memory");
        QTest::newRow("lists that grow") << QByteArray("(x + x).size() > 0") << QByteArray("error too_much_memory");
        QTest::newRow("a long pattern") << "'a'.matches('" + QByteArray("(a{100}){10}").repeated(300) + "')"
                                        << QByteArray("error bad_pattern");
        QTest::newRow("a huge pattern") << QByteArray("'a'.matches('((a{1000}){1000}){1000}')") << QByteArray("error bad_pattern");
        QTest::newRow("a classic trap") << "'" + QByteArray(2'000, 'a') + "b'.matches('(a+)+$')" << QByteArray("false");
        QTest::newRow("patterns from data") << QByteArray("x.all(a, 'aaaa'.matches('a' + string(a)))") << QByteArray("false");
        QTest::newRow("many patterns") << QByteArray("x.all(a, !'aaaa'.matches('b' + string(a)))") << tooMuchWork;
        QTest::newRow("a pattern over much text") << QByteArray("[0,1,2,3,4,5,6,7].all(a, !y.matches('(x|y|z){1,40}q'))")
                                                  << tooMuchWork;
    }
    void hostileExpressionsAreBounded()
    {
        QFETCH(QByteArray, expression);
        QFETCH(QByteArray, expected);
        MsgpackWriter writer;
        writer.array(60'500);
        for (int i = 0; i < 60'500; ++i)
            writer.integer(i % 100);
        const QByteArray list = writer.take();
        const QByteArray text(100'000, 'x');
        QCOMPARE(outcome(expression, Given({{"x", Value::packed(list)}, {"y", Value::string(text)}})), expected);
    }

    void cutBytesAreAnErrorAndNothingWorse()
    {
        const QByteArray whole = QByteArray::fromHex("82a16193010203a162d9036162ff");
        for (qsizetype length = 0; length < whole.size(); ++length) {
            const QByteArray cut = whole.first(length);
            const Given given({{"x", Value::packed(cut)}});
            for (const char *expression : {"x.b == 1", "x.a[2] == 3", "x.all(k, x[k] != null)", "x == {}", "3 in x.a",
                     "x.a.map(e, e)", "has(x.c)"})
                outcome(QByteArrayView(expression), given);
        }
        QCOMPARE(outcome("x.b", Given({{"x", Value::packed(QByteArrayView("\x81", 1))}})), QByteArray("error malformed"));
    }

    void threadsShareAProgram()
    {
        const Compiled compiled = compile("x.matches('^a.*[0-9]$') && x.size() > 1", Given({{"x", Value()}}).environment(), Mode::Checked);
        std::atomic<int> matches = 0;
        std::vector<std::thread> threads;
        for (int thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&] {
                Evaluation evaluation;
                for (int i = 0; i < 1'000; ++i) {
                    const QByteArray text = (i % 2 == 0 ? "a" : "b") + QByteArray::number(i);
                    matches += evaluation.evaluate(*compiled.program, Given({{"x", Value::string(text)}})).isTrue();
                }
            });
        }
        for (std::thread &thread : threads)
            thread.join();
        QCOMPARE(matches.load(), 2'000);
    }
};

JUNBAN_TEST(TestCel)
#include "test_cel.moc"
