#include "core/limits.h"
#include "core/limits/mask.h"
#include "core/msgpack/json.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;

namespace {

QByteArray valueOf(const QByteArray &json)
{
    const Result<QByteArray> result = json::toMsgpack(json);
    return result.ok() ? *result : QByteArray();
}

// What is shown of a value, as JSON; "-" before it when nothing was hidden.
QByteArray shown(const QByteArray &json, const QList<QByteArray> &keys, const QList<QByteArray> &paths = {}, bool topKeys = true)
{
    QByteArray value = valueOf(json);
    const QByteArray before = value;
    QList<MaskPath> steps;
    for (const QByteArray &path : paths)
        steps.append(maskPathOf(path));
    const bool hidden = maskValue(value, KeyMask::of(keys).value(), steps, topKeys);
    if (!hidden)
        return value == before ? "-" + json : QByteArray("changed");
    return json::fromMsgpack(value).replace(mask_text, "?");
}

} // namespace

class TestMask : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void valuesOfHiddenKeysAreReplacedWhereverTheyAre()
    {
        QCOMPARE(shown(R"({"user":"a","Password":"x","in":[{"api_token":[1,2]},3]})", {"*pass*", "*token*"}),
            R"({"user":"a","Password":"?","in":[{"api_token":"?"},3]})");
        QCOMPARE(shown(R"({"secret":null,"last":1})", {"secret"}), R"({"secret":"?","last":1})");
        QCOMPARE(shown(R"({"secrets":1})", {"secret"}), R"(-{"secrets":1})");
        QCOMPARE(shown(R"({"a":{"b":1}})", {}), R"(-{"a":{"b":1}})");
        QCOMPARE(shown("7", {"*"}), "-7");
        // Keys of bytes are names too; other keys are none.
        QCOMPARE(shown(R"({"$map":[[{"$bin":"cGFzcw=="},1],[7,2]]})", {"pass", "7"}), R"({"$map":[[{"$bin":"cGFzcw=="},"?"],[7,2]]})");
    }

    void keysOfTheValueItselfMayStay()
    {
        QCOMPARE(shown(R"({"message":"m","error":{"message":"n"}})", {"message"}, {}, false), R"({"message":"m","error":{"message":"?"}})");
    }

    void placesAreHiddenByKeysIndexesAndStars()
    {
        const QByteArray value = R"({"cards":[{"number":1,"name":"a"},{"number":2,"name":"b"}],"card":{"number":3}})";
        QCOMPARE(shown(value, {}, {"cards.1.number", "card"}),
            R"({"cards":[{"number":1,"name":"a"},{"number":"?","name":"b"}],"card":"?"})");
        QCOMPARE(shown(value, {}, {"cards.*.number"}),
            R"({"cards":[{"number":"?","name":"a"},{"number":"?","name":"b"}],"card":{"number":3}})");
        QCOMPARE(shown(value, {}, {"cards.2", "other.number"}), '-' + value);
        QCOMPARE(shown("[1]", {}, {"0.x"}), "-[1]");
    }

    void aWholeValueIsHiddenByAnEmptyPath()
    {
        QByteArray value = valueOf("[1,2]");
        QVERIFY(maskValue(value, {}, {{}}));
        QCOMPARE(json::fromMsgpack(value), QByteArray("\"") + mask_text + '"');
    }

    void bytesThatCannotBeReadAreHidden()
    {
        QByteArray value = valueOf(R"({"a":"text"})").chopped(2);
        QVERIFY(maskValue(value, {}, {}));
        QVERIFY(holdsMask(value));
    }

    void patternsAreComparedWithoutCaseAndAreBounded()
    {
        const KeyMask mask = KeyMask::of({"*api*KEY", "x"}).value();
        for (const char *hidden : {"API_KEY", "my-api-key", "apikey", "X"})
            QVERIFY2(mask.hides(hidden), hidden);
        for (const char *plain : {"api_keys", "xx", "", "key"})
            QVERIFY2(!mask.hides(plain), plain);
        QVERIFY(KeyMask::usual().hides("Authorization") && !KeyMask::usual().hides("to"));
        QCOMPARE(KeyMask::of({QByteArray()}).error().field, "mask-keys");
        QCOMPARE(KeyMask::of(QList<QByteArray>(limits::mask_keys_max + 1, "a")).error().field, "mask-keys");
    }

    void pathsBeginWithWhatIsHidden()
    {
        for (const char *path : {"argument", "argument.card.number", "result.*.pin", "error.body"})
            QVERIFY2(isMaskPath(path), path);
        for (const char *path : {"", "card", "argument.", "argument..a", ".argument", "job.argument.a"})
            QVERIFY2(!isMaskPath(path), path);
        QVERIFY(!isMaskPath("argument." + QByteArray(limits::mask_path_bytes_max, 'a')));
    }

    void aShownMaskIsFound()
    {
        QVERIFY(holdsMask(valueOf(QByteArray(R"({"a":[")") + mask_text + "\"]}")));
        QVERIFY(!holdsMask(valueOf(QByteArray(R"({"a":["x)") + mask_text + "\"]}")));
    }
};

JUNBAN_TEST(TestMask)
#include "test_mask.moc"
