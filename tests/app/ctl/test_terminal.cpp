#include "app/ctl/terminal.h"
#include "tests/support/testmain.h"

#include <QtTest>

using namespace junban::app;

class TestTerminal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatCouldMoveTheCursorIsShownEscaped_data();
    void whatCouldMoveTheCursorIsShownEscaped();
    void columnsLineUpByCharacters();
    void aTableIsMadeOfColumnsAndRows();
    void jsonIsTheSameValueEscaped();
    void spansAreSaidRoughly();
};

void TestTerminal::whatCouldMoveTheCursorIsShownEscaped_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("plain") << QByteArray("mail.send 日本 😀") << QByteArray("mail.send 日本 😀");
    QTest::newRow("escape") << QByteArray("a\x1b[2Jb") << QByteArray("a\\u001b[2Jb");
    QTest::newRow("title") << QByteArray("\x1b]0;x\x07") << QByteArray("\\u001b]0;x\\u0007");
    QTest::newRow("line") << QByteArray("a\nb\rc\td") << QByteArray("a\\u000ab\\u000dc\\u0009d");
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << QByteArray("a\\u0000b");
    QTest::newRow("DEL") << QByteArray("a\x7f") << QByteArray("a\\u007f");
    QTest::newRow("C1") << QByteArray("a\xc2\x9b" "2J") << QByteArray("a\\u009b2J");
    QTest::newRow("override") << QByteArray("safe\xe2\x80\xaetxt") << QByteArray("safe\\u202etxt");
    QTest::newRow("isolate") << QByteArray("\xe2\x81\xa6x\xe2\x81\xa9") << QByteArray("\\u2066x\\u2069");
    QTest::newRow("no UTF-8") << QByteArray("a\xff") << QByteArray("a\xef\xbf\xbd");
}

void TestTerminal::whatCouldMoveTheCursorIsShownEscaped()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    QCOMPARE(forTerminal(text), shown);
}

void TestTerminal::columnsLineUpByCharacters()
{
    QCOMPARE(table({{"NAME", "N"}, {"é", "1"}, {"mail.send", "22"}}), QByteArray("NAME       N\né          1\nmail.send  22\n"));
    QCOMPARE(table({{"日本", "1"}, {"e\xcc\x81", "2"}, {"😀", "3"}, {"ｆ", "4"}, {"abcd", "5"}}),
        QByteArray("日本  1\ne\xcc\x81     2\n😀    3\nｆ    4\nabcd  5\n"));
    QCOMPARE(table({}), QByteArray());
}

void TestTerminal::aTableIsMadeOfColumnsAndRows()
{
    struct Row {
        QByteArray name;
        qint64 count;
    };
    static constexpr Column<Row> columns[] = {
        {"NAME", [](const Row &row) { return row.name; }},
        {"COUNT", [](const Row &row) { return number(row.count); }},
    };
    QCOMPARE(table(columns, QList<Row>{{"a\nb", 1}, {"", 22}}), QByteArray("NAME      COUNT\na\\u000ab  1\n          22\n"));
    QCOMPARE(table(columns, QList<Row>()), QByteArray("NAME  COUNT\n"));
}

void TestTerminal::jsonIsTheSameValueEscaped()
{
    QCOMPARE(jsonText("\x92\x01\xa5" "a\xe2\x80\xae" "b"), QByteArray("[1,\"a\\u202eb\"]"));
}

void TestTerminal::spansAreSaidRoughly()
{
    QCOMPARE(ago(0), QByteArray("-"));
    QCOMPARE(timeText(0), QByteArray("-"));
    QCOMPARE(timeText(1), QByteArray("1970-01-01T00:00:00.001Z"));
    QVERIFY(!setZone("Nowhere/Else"));
    QCOMPARE(timeText(1), QByteArray("1970-01-01T00:00:00.001Z"));
    QVERIFY(setZone("Asia/Tokyo"));
    QCOMPARE(timeText(1), QByteArray("1970-01-01T09:00:00.001+09:00"));
    QCOMPARE(about(0), QByteArray("0 s"));
    QCOMPARE(about(119'999), QByteArray("119 s"));
    QCOMPARE(about(-120'000), QByteArray("2 min"));
    QCOMPARE(about(7'200'000), QByteArray("2 h"));
    QCOMPARE(about(172'800'000), QByteArray("2 d"));
}

JUNBAN_TEST(TestTerminal)
#include "test_terminal.moc"
