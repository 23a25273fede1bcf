#include "core/base/text.h"
#include "core/msgpack/json.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/payload.h"
#include "tests/support/testmain.h"
#include "tests/support/walks.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>
#include <bit>

using namespace junban;

namespace {

// Any bytes as a string, UTF-8 or not: MessagePack does not mind.
QByteArray randomBytes(QRandomGenerator &random, int size_max)
{
    QByteArray bytes(random.bounded(size_max + 1), '\0');
    for (char &byte : bytes)
        byte = random.bounded(3) == 0 ? char(random.bounded(256)) : char('a' + random.bounded(26));
    return bytes;
}

double randomReal(QRandomGenerator &random)
{
    switch (random.bounded(4)) {
    case 0: return std::bit_cast<double>((random.generate64() & 0x800fffffffffffffULL) | 0x3ff0000000000000ULL);
    case 1: return double(random.bounded(1'000'000)) / 1000;
    case 2: return random.bounded(2) ? HUGE_VAL : -HUGE_VAL;
    default: {
        const double any = std::bit_cast<double>(random.generate64());
        return std::isnan(any) ? -0.0 : any; // NaNs have payloads, which no JSON keeps
    }
    }
}

// A random value in the shortest MessagePack form, which is the one that comes back; every kind, ugly keys included.
void writeRandom(QRandomGenerator &random, MsgpackWriter &out, int depth)
{
    const int kinds = depth < 6 ? 11 : 8;
    switch (random.bounded(kinds)) {
    case 0: out.nil(); break;
    case 1: out.boolean(random.bounded(2) == 1); break;
    case 2: out.integer(qint64(random.generate64()) >> random.bounded(64)); break;
    case 3: out.unsignedInteger(random.generate64() >> random.bounded(64)); break;
    case 4: out.real(randomReal(random)); break;
    case 5: out.text(randomBytes(random, 40)); break;
    case 6: out.binary(randomBytes(random, 40)); break;
    case 7: out.extension(qint8(random.bounded(256) - 128), randomBytes(random, 40)); break;
    case 8: {
        const int count = random.bounded(6);
        out.array(count);
        for (int i = 0; i < count; ++i)
            writeRandom(random, out, depth + 1);
        break;
    }
    default: {
        static const QByteArray keys[] = {"a", "b", "$bin", "$", "", "a.b", "\xc3\xa4", "\x01"};
        const int count = random.bounded(6);
        out.map(count);
        for (int i = 0; i < count; ++i) {
            if (random.bounded(8) == 0)
                writeRandom(random, out, depth + 1); // any value may be a key
            else
                out.text(keys[random.bounded(8)]);
            writeRandom(random, out, depth + 1);
        }
    }
    }
}

QByteArray errorOf(const QByteArray &json)
{
    const Result<QByteArray> result = json::toMsgpack(json);
    return result.ok() ? QByteArray("no error") : QByteArray(errorWord(result.error().code)) + ' ' + result.error().field;
}

} // namespace

class TestJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyValueSurvivesTheWayThroughJson()
    {
        const quint32 seed = qEnvironmentVariableIsSet("JUNBAN_SEED") ? qEnvironmentVariable("JUNBAN_SEED").toUInt()
                                                                      : QRandomGenerator::global()->generate();
        QRandomGenerator random(seed);
        test::Rounds rounds(20'000, 500'000);
        const test::Row row("Values through JSON and back", rounds, "mismatches");
        while (rounds.next()) {
            MsgpackWriter writer;
            writeRandom(random, writer, 0);
            const QByteArray value = writer.take();
            const QByteArray text = json::fromMsgpack(value);
            QVERIFY2(text.isValidUtf8() && !text.contains('\n'), text.constData());
            const Result<QByteArray> back = json::toMsgpack(text);
            QVERIFY2(back.ok() && *back == value,
                qPrintable(QStringLiteral("JUNBAN_SEED=%1 %2 %3").arg(seed)
                    .arg(QString::fromLatin1(value.toHex()), QString::fromUtf8(text))));
        }
    }

    void eachKindHasItsForm_data()
    {
        QTest::addColumn<QByteArray>("hex");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("largest integer") << QByteArray("cfffffffffffffffff") << QByteArray("18446744073709551615");
        QTest::newRow("smallest integer") << QByteArray("d38000000000000000") << QByteArray("-9223372036854775808");
        QTest::newRow("2^53 + 1") << QByteArray("cf0020000000000001") << QByteArray("9007199254740993");
        QTest::newRow("a real that is whole") << QByteArray("cb3ff0000000000000") << QByteArray("1.0");
        QTest::newRow("a tenth") << QByteArray("cb3fb999999999999a") << QByteArray("0.1");
        QTest::newRow("minus zero") << QByteArray("cb8000000000000000") << QByteArray("-0.0");
        QTest::newRow("smallest real") << QByteArray("cb0000000000000001") << QByteArray("5e-324");
        QTest::newRow("NaN") << QByteArray("cb7ff8000000000000") << QByteArray(R"({"$float":"NaN"})");
        QTest::newRow("minus infinity") << QByteArray("cbfff0000000000000") << QByteArray(R"({"$float":"-Infinity"})");
        QTest::newRow("bin") << QByteArray("c403000102") << QByteArray(R"({"$bin":"AAEC"})");
        QTest::newRow("empty bin") << QByteArray("c400") << QByteArray(R"({"$bin":""})");
        QTest::newRow("ext") << QByteArray("d4fe07") << QByteArray(R"({"$ext":[-2,"Bw=="]})");
        QTest::newRow("str that is not UTF-8") << QByteArray("a1ff") << QByteArray(R"({"$str":"/w=="})");
        QTest::newRow("control characters") << QByteArray("a3000a7f") << QByteArray(R"("\u0000\n\u007f")");
        QTest::newRow("key that is no string") << QByteArray("810102") << QByteArray(R"({"$map":[[1,2]]})");
        QTest::newRow("key that begins with $") << QByteArray("81a42462696e02") << QByteArray(R"({"$map":[["$bin",2]]})");
        QTest::newRow("key twice") << QByteArray("82a16101a16102") << QByteArray(R"({"$map":[["a",1],["a",2]]})");
        QTest::newRow("empty map") << QByteArray("80") << QByteArray("{}");
    }
    void eachKindHasItsForm()
    {
        QFETCH(QByteArray, hex);
        QFETCH(QByteArray, text);
        QCOMPARE(json::fromMsgpack(QByteArray::fromHex(hex)), text);
        const Result<QByteArray> back = json::toMsgpack(text);
        QVERIFY(back.ok());
        QCOMPARE(back->toHex(), hex);
    }

    void whatIsWrongIsNamedByItsPath_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("error");
        const auto row = [](const char *text, const char *error) { QTest::newRow(text) << QByteArray(text) << QByteArray(error); };
        row("", "malformed ");
        row("{", "malformed ");
        row("1 2", "malformed ");
        row("nul", "malformed ");
        row("{'a': 1}", "malformed ");
        row("[1,]", "malformed ");
        row("NaN", "malformed ");
        row("\"\xff\"", "malformed ");
        row("\"\\ud800\"", "malformed ");
        row("1e400", "invalid_field ");
        row("18446744073709551616", "invalid_field ");
        row(R"({"a":[0,-9223372036854775809]})", "invalid_field a[1]");
        row(R"({"a":1,"b":2,"a":3})", "invalid_field a");
        row(R"({"x":[{},{"a":1,"a":3}]})", "invalid_field x[1].a");
        row(R"({"$bin":1})", "invalid_field $bin");
        row(R"({"$bin":"YR=="})", "invalid_field $bin"); // bits that are left over
        row(R"({"$bin":"Y"})", "invalid_field $bin");
        row(R"({"$bin":"YQ="})", "invalid_field $bin");
        row(R"({"$bin":"YQ-_"})", "invalid_field $bin");
        row(R"({"$str":"Y"})", "invalid_field $str");
        row(R"({"a":[0,{"b":-1e999}]})", "invalid_field a[1].b");
        row(R"({"$ext":[1,"Y"]})", "invalid_field $ext");
        row(R"({"jobs":[0,{"argument":{"$bin":"?"}}]})", "invalid_field jobs[1].argument.$bin");
        row(R"({"$ext":[128,""]})", "invalid_field $ext");
        row(R"({"$ext":[1]})", "invalid_field $ext");
        row(R"({"$ext":[1,"",2]})", "invalid_field $ext");
        row(R"({"$map":{}})", "invalid_field $map");
        row(R"({"$map":[[1]]})", "invalid_field $map");
        row(R"({"$float":"1"})", "invalid_field $float");
        row(R"({"$float":{"$bin":"TmFO"}})", "invalid_field $float");
        row(R"({"$nothing":1})", "invalid_field $nothing");
        row(R"({"a":1,"$bin":""})", "invalid_field $bin");
    }
    void whatIsWrongIsNamedByItsPath()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, error);
        QCOMPARE(errorOf(text), error);
    }

    void nestingIsBounded()
    {
        QVERIFY(json::toMsgpack(QByteArray("[").repeated(40) + QByteArray("]").repeated(40)).ok());
        QVERIFY(errorOf(QByteArray("[").repeated(41) + QByteArray("]").repeated(41)).startsWith("too_large"));
        QVERIFY(errorOf(QByteArray("[").repeated(1'000'000)).startsWith("too_large"));
    }

    // Work that grew with the square of the keys held a master for minutes; so much more of them must not take so much longer.
    void workGrowsWithTheTextAndNoFaster()
    {
        const auto object = [](int keys) {
            QByteArray text = "{\"k\":0";
            for (int i = 1; i < keys; ++i)
                text += ",\"k" + QByteArray::number(i) + "\":[" + QByteArray::number(i) + ']';
            return text + '}';
        };
        const auto time = [&](int keys) {
            const QByteArray text = object(keys);
            QElapsedTimer timer;
            timer.start();
            if (!json::toMsgpack(text).ok())
                qFatal("the object was refused");
            return qMax(timer.nsecsElapsed(), qint64(1));
        };
        time(1'000);
        const qint64 few = qMin(time(4'000), time(4'000));
        const qint64 many = qMin(time(128'000), time(128'000));
        QVERIFY2(many / few < 32 * 8, qPrintable(QStringLiteral("%1 ns for 4,000 keys, %2 ns for 128,000").arg(few).arg(many)));
    }

    void whatAnErrorShowsIsShortUtf8WithoutControlCharacters()
    {
        QCOMPARE(shown("a\xc3\xa4\n\xff", 100), QByteArray("a\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd"));
        QCOMPARE(shown(QByteArray(10, 'x'), 10), QByteArray(10, 'x'));
        QCOMPARE(shown(QByteArray(11, 'x'), 10), QByteArray(7, 'x') + "…");
        const QByteArray umlauts = QByteArray("\xc3\xa4").repeated(1000);
        for (qsizetype bytes_max = 4; bytes_max < 40; ++bytes_max) {
            const QByteArray cut = shown(umlauts, bytes_max);
            QVERIFY2(cut.isValidUtf8() && cut.size() <= bytes_max && cut.endsWith("…"), cut.constData());
        }
        QVERIFY(shown(QByteArray(1000, '\xff'), 200).size() <= 200);
    }
};

JUNBAN_TEST(TestJson)
#include "test_json.moc"
