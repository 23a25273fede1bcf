#include "app/ctl/commandresult.h"
#include "core/limits.h"
#include "core/msgpack/json.h"
#include "core/msgpack/payload.h"
#include "tests/support/testmain.h"

#include <QtTest>

using namespace junban;
using namespace junban::app;

namespace {

QByteArray nested(int levels)
{
    return QByteArray(levels, '[') + QByteArray(levels, ']');
}

QByteArray numbers(int count)
{
    QByteArray list = "[1";
    for (int i = 1; i < count; ++i)
        list += ",1";
    return list + ']';
}

payload::Type typeOf(const Result<QByteArray> &result)
{
    return payload::Reader(*result).next()->type;
}

} // namespace

class TestCommandResult : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void jsonIsThatValueAndAnythingElseIsText()
    {
        const auto json = [](const QByteArray &output) { return json::fromMsgpack(resultOf(output, OutputFormat::Json).value()); };
        QCOMPARE(json("{\"a\": [1, 2.5, null]}\n"), QByteArray("{\"a\":[1,2.5,null]}"));
        QCOMPARE(json("18446744073709551615"), QByteArray("18446744073709551615"));
        QCOMPARE(json(""), QByteArray("null"));
        QCOMPARE(json(" \n"), QByteArray("null"));
        QCOMPARE(json("null"), QByteArray("null"));
        QCOMPARE(json("done\n"), QByteArray("\"done\\n\""));
        QCOMPARE(json("{\"a\": 1} and more"), QByteArray("\"{\\\"a\\\": 1} and more\""));
        QCOMPARE(json("caf\xc3\xa9"), QByteArray("\"caf\xc3\xa9\""));
        QCOMPARE(json("caf\xe9"), QByteArray("{\"$bin\":\"Y2Fm6Q==\"}"));
    }

    void whatIsBeyondTheBoundsOfAValueIsText()
    {
        QCOMPARE(typeOf(resultOf(nested(limits::msgpack_depth_max), OutputFormat::Json)), payload::Type::Array);
        for (const int levels : {limits::msgpack_depth_max + 1, limits::msgpack_depth_max + 9, 10'000})
            QCOMPARE(typeOf(resultOf(nested(levels), OutputFormat::Json)), payload::Type::String);
        QCOMPARE(typeOf(resultOf(numbers(limits::msgpack_elements_max - 1), OutputFormat::Json)), payload::Type::Array);
        for (const int count : {limits::msgpack_elements_max, 70'000})
            QCOMPARE(typeOf(resultOf(numbers(count), OutputFormat::Json)), payload::Type::String);
    }

    void aTextIsBoundedWithTheBytesBeforeIt()
    {
        constexpr qsizetype most = limits::result_bytes_max - 5;
        const Result<QByteArray> whole = resultOf(QByteArray(most, 'x'), OutputFormat::Json);
        QVERIFY(whole.ok());
        QCOMPARE(whole->size(), limits::result_bytes_max);
        for (const qsizetype size : {most + 1, qsizetype(limits::result_bytes_max), qsizetype(limits::result_bytes_max + 1)}) {
            const Result<QByteArray> tooLong = resultOf(QByteArray(size, 'x'), OutputFormat::Json);
            QVERIFY(!tooLong.ok());
            QCOMPARE(tooLong.error().code, ErrorCode::TooLarge);
            QCOMPARE(tooLong.error().message(), QByteArray("The output has more than the 1,048,571 bytes that a result may have."));
        }
        // As JSON it is longer than as a value.
        QVERIFY(resultOf('"' + QByteArray(most, 'x') + "\"   \n", OutputFormat::Json).ok());
    }

    void messagepackIsThatValueAndAnythingElseIsBytes()
    {
        const QByteArray value = QByteArray::fromHex("93c403000102cfffffffffffffffffd6ff00000001");
        QCOMPARE(resultOf(value, OutputFormat::Msgpack).value(), value);
        QCOMPARE(typeOf(resultOf("two values", OutputFormat::Msgpack)), payload::Type::Binary);
        QCOMPARE(typeOf(resultOf(QByteArray(40, '\x91') + '\xc0', OutputFormat::Msgpack)), payload::Type::Binary);
        QVERIFY(!resultOf(QByteArray(limits::result_bytes_max, 'x'), OutputFormat::Msgpack).ok());
    }
};

JUNBAN_TEST(TestCommandResult)
#include "test_commandresult.moc"
