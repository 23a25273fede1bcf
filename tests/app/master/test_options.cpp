#include "app/master/options.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

using namespace junban;
using namespace junban::app;

class TestOptions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        for (const OptionRow &row : optionRows)
            qunsetenv(variableOf(row.name).constData());
    }
    void nothingGivenMeansLoopbackAndTheEmbeddedRedis();
    void aFlagWinsOverTheEnvironmentAndTheEnvironmentOverTheFile();
    void listsAreRepeatedFlagsOrCommas();
    void aSingleValueKeepsItsCommas();
    void whatIsWrongNamesItsOption_data();
    void whatIsWrongNamesItsOption();
    void theInstalledFileIsAccepted();
    void helpAndTheManualShowTheSameTable();
    void theManualSaysWhatIsReread();

private:
    static QByteArray variableOf(const char *name) { return "JUNBAN_" + QByteArray(name).toUpper().replace('-', '_'); }
    static Result<Options> read(QStringList words)
    {
        words.prepend(QStringLiteral("junban"));
        return readOptions(words);
    }
    QString fileWith(const QByteArray &text)
    {
        QFile file(m_directory.filePath(QStringLiteral("junban.conf")));
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(text) != text.size())
            qFatal("cannot write the configuration file");
        return file.fileName();
    }
    static QByteArray contentOf(const char *path)
    {
        QFile file(QStringLiteral(JUNBAN_SOURCE "/") + QString::fromLatin1(path));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QTemporaryDir m_directory;
};

void TestOptions::nothingGivenMeansLoopbackAndTheEmbeddedRedis()
{
    const Result<Options> options = read({});
    QVERIFY(options.ok());
    QCOMPARE(options->listen, QStringList{QStringLiteral("127.0.0.1:7717")});
    QVERIFY(options->redis.isEmpty());
    QCOMPARE(options->namespaceName, QByteArray("default"));
    QCOMPARE(options->threads, 1);
    QVERIFY(!options->server && !options->insecure && !options->force && !options->demo);
    QVERIFY(options->dataDirectory.endsWith(QStringLiteral("/junban")));
}

void TestOptions::aFlagWinsOverTheEnvironmentAndTheEnvironmentOverTheFile()
{
    const QString file = fileWith("threads=3\nnamespace=from-file\nserver=true\n");
    Result<Options> options = read({QStringLiteral("--config"), file});
    QVERIFY(options.ok());
    QCOMPARE(options->threads, 3);
    QVERIFY(options->server);

    qputenv("JUNBAN_THREADS", "4");
    options = read({QStringLiteral("--config"), file});
    QVERIFY(options.ok());
    QCOMPARE(options->threads, 4);
    QCOMPARE(options->namespaceName, QByteArray("from-file"));

    options = read({QStringLiteral("--config"), file, QStringLiteral("--threads"), QStringLiteral("5")});
    QVERIFY(options.ok());
    QCOMPARE(options->threads, 5);

    qputenv("JUNBAN_CONFIG", file.toUtf8());
    options = read({});
    QVERIFY(options.ok());
    QCOMPARE(options->namespaceName, QByteArray("from-file"));
}

void TestOptions::listsAreRepeatedFlagsOrCommas()
{
    const QStringList both{QStringLiteral("127.0.0.1:1"), QStringLiteral("[::1]:2")};
    Result<Options> options = read({QStringLiteral("--listen"), both[0], QStringLiteral("--listen"), both[1]});
    QVERIFY(options.ok());
    QCOMPARE(options->listen, both);
    options = read({QStringLiteral("--config"), fileWith("listen=127.0.0.1:1, [::1]:2\n")});
    QVERIFY(options.ok());
    QCOMPARE(options->listen, both);
    qputenv("JUNBAN_LISTEN", "127.0.0.1:1,[::1]:2");
    options = read({});
    QVERIFY(options.ok());
    QCOMPARE(options->listen, both);
}

void TestOptions::aSingleValueKeepsItsCommas()
{
    const QByteArray sentinels = "sentinel://a:26379,b:26379/queue";
    QCOMPARE(read({QStringLiteral("--redis"), QString::fromUtf8(sentinels)})->redis, sentinels);
    QCOMPARE(read({QStringLiteral("--config"), fileWith("redis=" + sentinels + '\n')})->redis, sentinels);
    qputenv("JUNBAN_REDIS", sentinels);
    QCOMPARE(read({})->redis, sentinels);
}

void TestOptions::whatIsWrongNamesItsOption_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("named");
    const auto row = [](const char *title, const char *words, const char *named) {
        QTest::newRow(title) << QString::fromLatin1(words).split(QLatin1Char(' ')) << QByteArray(named);
    };
    row("unknown", "--thread 3", "thread");
    row("no value", "--threads", "--threads");
    row("value for a switch", "--server=yes", "--server");
    row("value for a switch, named", "--demo=1", "--demo takes no value");
    row("no value, named", "--listen", "--listen needs a value");
    row("empty value before another flag", "--namespace= --server", "--namespace must");
    row("no number", "--threads many", "--threads");
    row("too few", "--threads 0", "--threads");
    row("too many", "--threads 65", "--threads");
    row("namespace", "--namespace a/b", "--namespace");
    row("environment", "--environment a/b", "--environment");
    row("redis", "--redis http://x", "--redis");
    row("key alone", "--tls-key x", "--tls-certificate");
    row("format", "--log-format xml", "--log-format");
    row("no file", "--config /nowhere/junban.conf", "--config");
    row("word", "serve", "serve");
}

void TestOptions::whatIsWrongNamesItsOption()
{
    QFETCH(QStringList, words);
    QFETCH(QByteArray, named);
    const Result<Options> options = read(words);
    QVERIFY(!options.ok());
    QVERIFY2(options.error().message().contains(named), options.error().message().constData());
}

void TestOptions::theInstalledFileIsAccepted()
{
    // With its comments taken away, so that the lines in them are tried too.
    const QByteArray text = contentOf("resources/junban.conf");
    QVERIFY(text.contains("listen="));
    QByteArray lines;
    for (const QByteArray &line : text.split('\n')) {
        if (line.contains('=') && !line.startsWith("; "))
            lines += (line.startsWith(';') ? line.mid(1) : line) + '\n';
    }
    const Result<Options> options = read({QStringLiteral("--config"), fileWith(lines)});
    QVERIFY2(options.ok(), options.ok() ? "" : options.error().message().constData());
    QVERIFY(!options->redis.isEmpty());
    QVERIFY(!read({QStringLiteral("--config"), fileWith("thread=3\n")}).ok());
}

void TestOptions::helpAndTheManualShowTheSameTable()
{
    QStringList manual;
    static const QRegularExpression row(QStringLiteral("^\\| `([a-z-]+)` \\| ?(.*) \\| (.*) \\|$"), QRegularExpression::MultilineOption);
    auto matches = row.globalMatch(QString::fromUtf8(contentOf("docs/operating.md")));
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        if (!match.captured(1).startsWith(QStringLiteral("junban")))
            manual.append(match.captured(1) + QLatin1Char('|') + match.captured(2).trimmed() + QLatin1Char('|') + match.captured(3));
    }
    QStringList rows;
    const QByteArray help = helpText("junban");
    for (const OptionRow &option : optionRows) {
        rows.append(QString::fromUtf8(option.name) + QLatin1Char('|') + QString::fromUtf8(option.value) + QLatin1Char('|')
            + QString::fromUtf8(option.description));
        QVERIFY2(help.contains("--" + QByteArray(option.name)) && help.contains(option.description), option.name);
    }
    QCOMPARE(manual, rows);
}

void TestOptions::theManualSaysWhatIsReread()
{
    const QString page = QString::fromUtf8(contentOf("docs/operating.md"));
    const QStringList lines = page.section(QStringLiteral("## SIGHUP"), 1).section(QStringLiteral("\n## "), 0, 0).split(QLatin1Char('\n'));
    static const QRegularExpression name(QStringLiteral("`([a-z-]+)`"));
    QStringList manual, rows;
    for (const QString &line : lines.filter(QRegularExpression(QStringLiteral("^\\* ")))) {
        for (auto matches = name.globalMatch(line); matches.hasNext();)
            manual.append(matches.next().captured(1));
    }
    for (const OptionRow &option : optionRows) {
        if (option.isReread)
            rows.append(QString::fromUtf8(option.name));
    }
    QCOMPARE(manual, rows);
}

JUNBAN_TEST(TestOptions)
#include "test_options.moc"
