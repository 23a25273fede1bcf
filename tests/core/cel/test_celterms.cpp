#include "core/cel/compile.h"
#include "core/cel/terms.h"
#include "core/limits/jobvariables.h"
#include "core/msgpack/json.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;

// What each operand of an expression says of one job.
class TestCelTerms : public QObject
{
    Q_OBJECT

    static cel::Program compiled(const QByteArray &expression)
    {
        const cel::Compiled result = cel::compile(expression, cel::matcherEnvironment(), cel::Mode::Checked, cel::Wanted::Boolean);
        if (!result.program)
            qFatal("%s: %s", expression.constData(), result.problems[0].message().constData());
        return *result.program;
    }
    static JobSpec job(const QByteArray &name, const QByteArray &argument)
    {
        JobSpec spec;
        spec.name = name;
        spec.argument = *json::toMsgpack(argument);
        return spec;
    }

private Q_SLOTS:
    void aTrialTellsEachOperandAndWhatItReads()
    {
        const cel::Program program = compiled(
            "job.name == 'mail' && (job.argument.vendor == 'acme' || job.argument.size > 5 && job.argument.tags.exists(t, t == 'x'))");
        const JobSpec spec = job("mail", R"({"vendor": 7, "size": 9, "tags": ["y"]})");
        const cel::SpecBindings bindings(spec, {});
        cel::Evaluation evaluation;
        const cel::Terms judged = cel::judgeTerms(program, bindings, evaluation);
        QVERIFY(judged.complete);
        QList<QPair<QByteArray, bool>> told;
        for (const cel::Term &term : judged.terms) {
            QVERIFY2(term.place.message().isEmpty(), term.place.message().constData());
            told.append({term.text, term.holds});
        }
        const QList<QPair<QByteArray, bool>> expected{{"job.name == 'mail'", true}, {"job.argument.vendor == 'acme'", false},
            {"job.argument.size > 5", true}, {"job.argument.tags.exists(t, t == 'x')", false}};
        QCOMPARE(told, expected);
        QCOMPARE(judged.terms[1].reads, QList{(cel::TermRead{"job.argument.vendor", "int", "7", "string"})});
        QCOMPARE(judged.terms[2].reads, QList{(cel::TermRead{"job.argument.size", "int", "9", {}})});
        QCOMPARE(judged.terms[3].reads, QList{(cel::TermRead{"job.argument.tags", "list", "1 elements", {}})});
        QCOMPARE(judged.terms[1].place.column, 24);
    }

    void anOperandWithoutValueSaysWhy()
    {
        const cel::Program program = compiled("job.argument.a == 1 || job.argument.b || job.argument.c > 1");
        const JobSpec spec = job("mail", R"({"b": 3, "c": "x"})");
        const cel::SpecBindings bindings(spec, {});
        cel::Evaluation evaluation;
        const cel::Terms judged = cel::judgeTerms(program, bindings, evaluation);
        QCOMPARE(judged.terms.size(), 3);
        QVERIFY(judged.terms[0].place.message().contains("'a'"));
        QCOMPARE(judged.terms[1].place.message(), QByteArray("This is a value of type int, neither true nor false."));
        QVERIFY(!judged.terms[2].place.message().isEmpty());
        QCOMPARE(judged.terms[2].reads, QList{(cel::TermRead{"job.argument.c", "string", "x", "int"})});
    }

    void aTrialThatIsMuchWorkEndsEarly()
    {
        const QByteArray term = "job.argument.a.exists(x, x == -1)";
        const cel::Program program = compiled(QByteArrayList(20, term).join(" || "));
        const JobSpec spec = job("mail", "{\"a\": [" + QByteArrayList(9'000, "1").join(',') + "]}");
        const cel::SpecBindings bindings(spec, {});
        cel::Evaluation evaluation;
        const cel::Terms judged = cel::judgeTerms(program, bindings, evaluation);
        QVERIFY(!judged.complete);
        QVERIFY(judged.terms.size() < 10);
    }
};

JUNBAN_TEST(TestCelTerms)
#include "test_celterms.moc"
