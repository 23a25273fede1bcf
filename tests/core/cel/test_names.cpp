#include "core/cel/compile.h"
#include "core/cel/evaluation.h"
#include "core/cel/names.h"
#include "core/limits/jobvariables.h"
#include "core/msgpack/msgpackwriter.h"
#include "tests/core/cel/celsamples.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QTest>

using namespace junban;
using namespace junban::cel;
using namespace junban::tests;

namespace {

Environment environment()
{
    return matcherEnvironment();
}

NameSet namesOf(QByteArrayView expression)
{
    const Compiled compiled = compile(expression, environment(), Mode::Checked);
    return compiled.program ? matchableNames(*compiled.program, qint32(JobVariable::Name)) : NameSet();
}

} // namespace

class TestNames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void randomExpressionsMeanWhatTheySayAndNoNameIsMissed()
    {
        const quint32 seed = qEnvironmentVariableIntValue("JUNBAN_SEED") != 0 ? quint32(qEnvironmentVariableIntValue("JUNBAN_SEED")) : 7;
        Maker maker(seed);
        Evaluation evaluation;
        int narrowed = 0;
        int matches = 0;
        for (int round = 0; round < 20'000; ++round) {
            const Sample sample = maker.make(maker.pick(4));
            const Compiled compiled = compile(sample.text, environment(), Mode::Lenient);
            QVERIFY2(compiled.program || sample.text.size() > 1'000, sample.text.constData());
            if (!compiled.program)
                continue; // beyond the bounds
            const NameSet set = matchableNames(*compiled.program, qint32(JobVariable::Name));
            narrowed += set.isAny() ? 0 : 1;
            for (const QByteArray &name : names) {
                const std::optional<bool> flags[] = {std::nullopt, false, true};
                const std::optional<bool> flag = flags[maker.pick(3)];
                JobSpec spec;
                spec.name = name;
                spec.argument = flag ? MsgpackWriter().boolean(*flag).take() : MsgpackWriter().integer(1).take();
                const SpecBindings bindings(spec, {});
                const Value value = evaluation.evaluate(*compiled.program, bindings);
                // A number, at the root, is a value; as a predicate it is at fault.
                const Answer got = value.type() == ValueType::Bool ? answer(value.toBool()) : Answer::Fault;
                const QByteArray where = sample.text + "  for '" + name + '\'';
                QVERIFY2(got == sample.meaning({name, flag}), where.constData());
                QVERIFY2(got != Answer::True || set.contains(name), where.constData());
                matches += got == Answer::True ? 1 : 0;
            }
        }
        QVERIFY(narrowed > 3'000);
        QVERIFY(matches > 50'000);
    }

    void theUsualFormsAreTold_data()
    {
        QTest::addColumn<QByteArray>("expression");
        QTest::addColumn<QByteArray>("word");
        QTest::addColumn<QList<QByteArray>>("single");
        QTest::addColumn<QList<QByteArray>>("prefixes");
        using List = QList<QByteArray>;
        const auto row = [](const char *expression, const char *word, const List &single, const List &prefixes) {
            QTest::newRow(expression) << QByteArray(expression) << QByteArray(word) << single << prefixes;
        };
        row("job.name == 'a' && job.argument.size > 3", "names", {"a"}, {});
        row("job.name in ['b', 'a'] || 'c' == job.name", "names", {"a", "b", "c"}, {});
        row("job.name.startsWith('crawl.')", "prefixes", {}, {"crawl."});
        row("job.name.startsWith('crawl.') || job.name == 'x' || job.name == 'crawl.a'", "prefixes", {"x"}, {"crawl."});
        row("job.name.startsWith('crawl.') && job.name.startsWith('crawl.eu.')", "prefixes", {}, {"crawl.eu."});
        row("job.name.startsWith('crawl.') && job.name in ['crawl.a', 'mail']", "names", {"crawl.a"}, {});
        row("job.name == 'a' && job.name == 'b'", "never", {}, {});
        row("job.name == 'a' && job.name == 1", "never", {}, {});
        row("job.argument.urgent", "any", {}, {""});
        row("job.name == 'a' || job.argument.urgent", "any", {}, {""});
        row("!(job.name != 'a')", "names", {"a"}, {});
        row("!(job.name != 'a' || job.argument.urgent)", "names", {"a"}, {});
        row("job.name != 'a'", "any", {}, {""});
        row("job.name.matches('^mail\\\\.(send|bulk)$') && job.argument.x == 1", "names", {"mail.bulk", "mail.send"}, {});
        row("matches(job.name, '^crawl-[0-9]+')", "prefixes", {}, {"crawl-"});
        row("job.argument.x == 1 ? job.name == 'a' : job.name == 'b'", "names", {"a", "b"}, {});
        row("['a.', 'b.'].exists(p, job.name.startsWith(p))", "prefixes", {}, {"a.", "b."});
        row("true", "any", {}, {""});
        row("false", "never", {}, {});
    }
    void theUsualFormsAreTold()
    {
        QFETCH(QByteArray, expression);
        const NameSet set = namesOf(expression);
        QFETCH(QByteArray, word);
        QCOMPARE(QByteArray(set.word()), word);
        QTEST(set.names(), "single");
        QTEST(set.prefixes(), "prefixes");
    }

    void everyExampleOfTheManualCanBeSaved()
    {
        QFile file(QStringLiteral(JUNBAN_MATCHER_MANUAL));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray manual = file.readAll();
        const QByteArray fence = "```cel questions.cel\n";
        QVERIFY(manual.contains(fence));
        const qsizetype begin = manual.indexOf(fence) + fence.size();
        const QList<QByteArray> examples = manual.sliced(begin, manual.indexOf("\n```", begin) - begin).split('\n');
        QVERIFY(examples.size() >= 10);
        for (const QByteArray &example : examples) {
            const Compiled compiled = compile(example, environment(), Mode::Checked, Wanted::Boolean);
            QVERIFY2(compiled.program, example + ": " + (compiled.problems.isEmpty() ? QByteArray() : compiled.problems[0].message()));
        }
    }

    void tooManyNamesAreAnyName()
    {
        QByteArray list;
        for (int i = 0; i < 240; ++i)
            list += '\'' + QByteArray::number(i) + "',";
        QCOMPARE(namesOf("job.name in [" + list + "]").names().size(), 240);
        NameSet set;
        for (int i = 0; i < 300; ++i)
            set = set.united(NameSet::only(QByteArray::number(i)));
        QVERIFY(set.isAny());
    }
};

JUNBAN_TEST(TestNames)
#include "test_names.moc"
