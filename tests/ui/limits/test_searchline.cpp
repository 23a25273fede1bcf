#include "core/cel/compile.h"
#include "core/cel/evaluation.h"
#include "core/limits/jobvariables.h"
#include "core/msgpack/msgpackwriter.h"
#include "tests/support/testmain.h"
#include "ui/limits/searchline.h"

#include <QRandomGenerator>

using namespace junban;
using namespace junban::ui;

namespace {

Job job(const char *name, const char *message, int tenant, const char *tag = nullptr)
{
    Job made;
    made.spec.name = name;
    made.message = message;
    if (tag)
        made.spec.tags = {tag};
    made.spec.argument = MsgpackWriter().map(2).text("tenant").integer(tenant).text("to").text("o'brien@example.org").take();
    return made;
}

const QList<Job> jobs{
    job("mail.send", "", 42),
    job("mail.send", "connection refused (111)", 7),
    job("メール.再送信", "KeyError: 'customer_id'", 42),
    job("report", "Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: 100% [a|b] ^$ \\n {x} + y?", 1, "urgent"),
    job("job.nightly", "決済サービスへの接続がタイムアウトしました。しばらく待ってから再試行してください", 2),
};

// The numbers of the jobs that an expression finds; "refused" with the reason when the master would not take it.
QString found(const QByteArray &expression)
{
    const cel::Compiled compiled = cel::compile(expression, cel::searchEnvironment(), cel::Mode::Checked, cel::Wanted::Boolean);
    if (!compiled.program)
        return QStringLiteral("refused: ") + QString::fromUtf8(compiled.problems.value(0).message() + " in " + expression);
    cel::Evaluation evaluation;
    QStringList numbers;
    for (qsizetype i = 0; i < jobs.size(); ++i) {
        if (evaluation.evaluate(*compiled.program, cel::JobBindings(jobs[i], {}, 0)).isTrue())
            numbers.append(QString::number(i));
    }
    return numbers.join(QLatin1Char(' '));
}

} // namespace

class TestSearchLine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLineIsTextAPatternOrAnExpression_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("meant");
        QTest::addColumn<QString>("finds");
        const auto row = [](const char *line, Meant meant, const char *finds) {
            QTest::newRow(line) << QString::fromUtf8(line) << int(meant) << QString::fromUtf8(finds);
        };
        using enum Meant;
        row("  ", Nothing, "0 1 2 3 4");
        row("refused", Text, "1");
        row("o'brien", Text, "0 1 2 3 4");
        row("connection refused (111)", Text, "1");
        row("refused connection", Text, "1");
        row("\"refused connection\"", Text, "");
        row("\"connection refused\"", Text, "1");
        row("KeyError: 'customer_id'", Text, "2");
        row("Traceback (most recent call last):", Text, "3");
        row("[a|b] ^$ {x} +", Text, "3");
        row("ValueError: 100% y?", Text, "3");
        row("y?", Pattern, "");
        row("SELECT * FROM a WHERE b = 'c' && d != \"e\"", Text, "");
        row("assert a == b, job.name", Text, "");
        row("AttributeError: job.name is None", Text, "");
        row("\"", Text, "3");
        row("\\n", Text, "3");
        row("tenant 42", Text, "0 2");
        row("urgent", Text, "3");
        row("決済サービスへの接続がタイムアウトしました。しばらく待ってから再試行してください", Text, "4");
        row("true", Text, "");
        row("job.nightly", Text, "4");
        row("job.priority", Text, "");
        row("mail.*", Pattern, "0 1");
        row("*.send", Pattern, "0 1");
        row("*ail*", Pattern, "0 1");
        row("mail.s?nd", Pattern, "0 1");
        row("メール*送信", Pattern, "2");
        row("mail.* tenant 42", Pattern, "0");
        row("mail.* o'brien (111)", Pattern, "1");
        row("job.*", Pattern, "4");
        row("job.name == \"report\"", Expression, "3");
        row("\"urgent\" in job.tags", Expression, "3");
        row("!(job.name == \"report\")", Expression, "0 1 2 4");
        row("job.argument.tenant == 42 && job.name.startsWith(\"mail\")", Expression, "0");
        row("has(job.message) && job.message.matches(\"re.used\")", Expression, "1");
        row("job.name == ", Expression, nullptr);
        row("job.nmae == \"x\"", Expression, nullptr);
        row("job.name && true", Expression, nullptr);
        row("has(job.mess", Expression, nullptr);
    }

    void aLineIsTextAPatternOrAnExpression()
    {
        QFETCH(QString, line);
        QFETCH(int, meant);
        QFETCH(QString, finds);
        QCOMPARE(int(meantBy(line, Searched::Jobs)), meant);
        const QByteArray expression = searchExpression(line, Meant(meant), Searched::Jobs);
        if (finds.isNull())
            QVERIFY2(found(expression).startsWith(QLatin1String("refused")), qPrintable(found(expression)));
        else
            QCOMPARE(found(expression.isEmpty() ? QByteArray("true") : expression), finds);
    }

    void theOperatorMayMeanItOtherwise()
    {
        QCOMPARE(found(searchExpression(QStringLiteral("y?"), Meant::Text, Searched::Jobs)), QStringLiteral("3"));
        QCOMPARE(found(searchExpression(QStringLiteral("job.name == \"report\""), Meant::Text, Searched::Jobs)), QString());
        QCOMPARE(searchExpression(QStringLiteral(" true "), Meant::Expression, Searched::Jobs), QByteArray("true"));
        const QByteArray either = "job.argument.tenant == 42 || job.argument.tenant == 2";
        QCOMPARE(found(bothOf(namePattern(QStringLiteral("mail.*")), either)), QStringLiteral("0"));
    }

    // Whatever is typed as text or as a pattern, the master takes it, and a piece of what a job says finds that job.
    void noTextIsRefused()
    {
        QRandomGenerator random(7);
        const QString signs = QStringLiteral("ab1メー送。é😀 \t\"'`\\/.,:;*?+-_()[]{}<>=!&|^$%#@~ ");
        for (int round = 0; round < 2'000; ++round) {
            QString line;
            for (int length = random.bounded(1, 30); length > 0; --length)
                line += signs[random.bounded(signs.size())];
            line = QString::fromUtf8(line.toUtf8()); // halves of a pair become one sign
            for (const Searched searched : {Searched::Jobs, Searched::Failures}) {
                for (const Meant meant : {Meant::Text, Meant::Pattern}) {
                    const QByteArray expression = searchExpression(line, meant, searched);
                    const auto environment = searched == Searched::Jobs ? cel::searchEnvironment() : cel::groupEnvironment();
                    const auto compiled = cel::compile(expression.isEmpty() ? "true" : expression, environment, cel::Mode::Checked,
                                                       cel::Wanted::Boolean);
                    const QByteArray said = line.toUtf8() + " -> " + expression + ": " + compiled.problems.value(0).message();
                    QVERIFY2(compiled.program, said.constData());
                }
            }
            const int at = random.bounded(int(jobs.size()));
            const QString message = QString::fromUtf8(jobs[at].message);
            if (message.isEmpty())
                continue;
            const int from = random.bounded(int(message.size())), length = random.bounded(1, int(message.size()) - from + 1);
            const QString piece = message.mid(from, length);
            if (piece.contains(QLatin1Char('"')))
                continue; // may be a quoted part
            const QByteArray expression = searchExpression(piece, Meant::Text, Searched::Jobs);
            QVERIFY2(expression.isEmpty() || found(expression).contains(QString::number(at)), qPrintable(piece + found(expression)));
        }
    }

    void aLongSentenceHasRoom()
    {
        const QString sentence = QString(1'000, QChar(0x6c7a));
        QCOMPARE(found(searchExpression(sentence, Meant::Text, Searched::Jobs)), QString());
    }
};

JUNBAN_TEST(TestSearchLine)
#include "test_searchline.moc"
