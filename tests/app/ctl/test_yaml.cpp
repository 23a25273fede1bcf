#include "app/ctl/yaml.h"
#include "core/msgpack/json.h"
#include "tests/support/testmain.h"

#include <QtTest>

using namespace junban;
using namespace junban::app;

namespace {

// Each document as JSON, one line each; or what is wrong.
QByteArray read(const QByteArray &text)
{
    const Result<QList<QByteArray>> documents = yaml::documents(text);
    if (!documents.ok())
        return documents.error().message();
    QByteArrayList lines;
    for (const QByteArray &document : *documents)
        lines.append(json::fromMsgpack(document));
    return lines.join('\n');
}

} // namespace

class TestYaml : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void scalarsAreReadByTheCoreSchema_data();
    void scalarsAreReadByTheCoreSchema();
    void documentsMapsAndListsAreRead_data();
    void documentsMapsAndListsAreRead();
    void whatIsNoYamlIsRefusedWithItsPlace_data();
    void whatIsNoYamlIsRefusedWithItsPlace();
    void aliasesCannotGrowWithoutBound();
    void whatIsWrittenIsReadAsTheSame_data();
    void whatIsWrittenIsReadAsTheSame();
    void textsThatOtherReadersTakeForMoreAreQuoted();
    void whatCouldPlayWithATerminalIsEscaped();
};

void TestYaml::scalarsAreReadByTheCoreSchema_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char *yaml, const char *json) { QTest::newRow(yaml) << QByteArray(yaml) << QByteArray(json); };
    row("7", "7");
    row("-7", "-7");
    row("0x1F", "31");
    row("0o17", "15");
    row("007", "7");
    row("18446744073709551615", "18446744073709551615");
    row("1.5", "1.5");
    row("1e3", "1000.0");
    row(".5", "0.5");
    row("true", "true");
    row("False", "false");
    row("~", "");
    row("{a: }", "{\"a\":null}");
    row("-.inf", "{\"$float\":\"-Infinity\"}");
    row("no", "\"no\"");
    row("22:00", "\"22:00\"");
    row("2026-01-02", "\"2026-01-02\"");
    row("'7'", "\"7\"");
    row("\"a\\tb\"", "\"a\\u0009b\"");
    row("!!str 7", "\"7\"");
    row("1.2.3", "\"1.2.3\"");
    row("job.name == \"x\"", "\"job.name == \\\"x\\\"\"");
}

void TestYaml::scalarsAreReadByTheCoreSchema()
{
    QFETCH(QByteArray, yaml);
    QTEST(read(yaml), "json");
}

void TestYaml::documentsMapsAndListsAreRead_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char *yaml, const char *json) { QTest::newRow(json) << QByteArray(yaml) << QByteArray(json); };
    row("", "");
    row("# nothing\n---\n---\n", "");
    row("a: 1\nb: [x, {c: d}]\n", R"({"a":1,"b":["x",{"c":"d"}]})");
    row("- 1\n-\n  - 2\n", "[1,[2]]");
    row("--- {a: 1}\n---\nb: 2\n...\n", "{\"a\":1}\n{\"b\":2}");
    row("7: x\ntrue: y\n", R"({"7":"x","true":"y"})");
    row("a: |\n  x ==\n  y\nb: >-\n  u\n  v\n", R"({"a":"x ==\ny\n","b":"u v"})");
    row("a: &one {x: 1}\nb: *one\n", R"({"a":{"x":1},"b":{"x":1}})");
    row("{\"a\": [1, \"\\u00e9\"]}", "{\"a\":[1,\"é\"]}");
}

void TestYaml::documentsMapsAndListsAreRead()
{
    QFETCH(QByteArray, yaml);
    QTEST(read(yaml), "json");
}

void TestYaml::whatIsNoYamlIsRefusedWithItsPlace_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QByteArray>("wrong");
    const auto row = [](const char *yaml, const char *wrong) { QTest::newRow(wrong) << QByteArray(yaml) << QByteArray(wrong); };
    row("a: 1\n b: 2\n", "Line 2, column 3: mapping values are not allowed in this context.");
    row("a: 1\na: 2\n", "Line 2, column 1: 'a' is given twice.");
    row("? [a]\n: b\n", "Line 1, column 3: A key must be a text.");
    row("a: *one\n", "Line 1, column 4: There is no anchor of this name before.");
    row("a: !!binary YQ==\n", "Line 1, column 4: Only the tag !!str is understood.");
    row("a: \xff\n", "The YAML is not UTF-8.");
}

void TestYaml::whatIsNoYamlIsRefusedWithItsPlace()
{
    QFETCH(QByteArray, yaml);
    QTEST(read(yaml), "wrong");
    QVERIFY(read(QByteArray(100, '[')).contains("nested too deep"));
}

void TestYaml::aliasesCannotGrowWithoutBound()
{
    QByteArray text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        const QByteArray before = "*a" + QByteArray::number(i - 1);
        text += 'a' + QByteArray::number(i) + ": &a" + QByteArray::number(i) + " [" + QByteArrayList(10, before).join(", ") + "]\n";
    }
    QVERIFY(read(text).contains("This is too large"));
}

void TestYaml::whatIsWrittenIsReadAsTheSame_data()
{
    QTest::addColumn<QByteArray>("json");
    for (const char *json : {R"({"a":1,"b":["x",{"c":"d"}],"e":[],"f":{}})",
             R"(["no","22:00","7","1e3","","~","null","a: b","- x","#","x #y"," x "])",
             R"({"a":"x ==\ny\n","b":"x\n\n","c":"\n","d":" x\ny","e":"tab\there"})", R"([true,false,null,1.5,18446744073709551615,-7])",
             R"(["é","日本","\u0007","\u202e",":","*x","&x","!x","%","@","`","'","\"","?","|",">"])"})
        QTest::newRow(json) << QByteArray(json);
}

void TestYaml::whatIsWrittenIsReadAsTheSame()
{
    QFETCH(QByteArray, json);
    const QByteArray value = *json::toMsgpack(json);
    const QByteArray written = yaml::fromMsgpack(value);
    QCOMPARE(read(written), json::fromMsgpack(value));
}

void TestYaml::textsThatOtherReadersTakeForMoreAreQuoted()
{
    const QByteArray value = *json::toMsgpack(R"({"from":"22:00","on":"no","n":60.0,"name":"mail.send","text":"a\nb"})");
    QCOMPARE(yaml::fromMsgpack(value), QByteArray("from: '22:00'\n'on': 'no'\n'n': 60\nname: mail.send\ntext: |-\n  a\n  b\n"));
}

void TestYaml::whatCouldPlayWithATerminalIsEscaped()
{
    const QByteArray written = yaml::fromMsgpack(*json::toMsgpack(R"({"a":"safe\u202etxt\u009b"})"));
    QCOMPARE(written, QByteArray("a: \"safe\\u202Etxt\\x9B\"\n"));
}

JUNBAN_TEST(TestYaml)
#include "test_yaml.moc"
