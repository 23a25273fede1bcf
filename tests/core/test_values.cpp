#include "core/job.h"
#include "core/jobid.h"
#include "core/json.h"
#include "core/msgpackwriter.h"
#include "core/payload.h"

#include <QTest>

using namespace junban;

class TestValues : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void idsOfOneMakerGrowEvenWhenTheClockStandsStill()
    {
        IdMaker maker;
        JobId last = maker.make(1'000);
        for (int i = 0; i < 10'000; ++i) {
            const JobId next = maker.make(i < 5'000 ? 1'000 : 900);
            QVERIFY(last < next);
            last = next;
        }
    }

    void anIdSurvivesItsTextAndItsBytes()
    {
        IdMaker maker;
        const JobId id = maker.make(1'750'000'000'123);
        QCOMPARE(id.created_ms(), 1'750'000'000'123);
        QCOMPARE(id.text().size(), 36);
        QCOMPARE(id.text().at(14), '7');
        QVERIFY(JobId::fromText(id.text()) == id);
        QVERIFY(JobId::fromText(id.text().toUpper()) == id);
        QVERIFY(JobId::fromBytes(id.bytes()) == id);
    }

    void textThatIsNoIdIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("short") << QByteArray("0192f0c1-2222-7333-8444-55555555555");
        QTest::newRow("dash missing") << QByteArray("0192f0c1x2222-7333-8444-555555555555");
        QTest::newRow("not hex") << QByteArray("0192f0c1-2222-7333-8444-55555555555g");
    }
    void textThatIsNoIdIsRefused()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!JobId::fromText(text));
    }

    void aRecordComesBackFieldForField()
    {
        JobSpec spec;
        spec.name = "mail.send";
        spec.argument = QByteArray::fromHex("82a161cf8000000000000001a162c403000102");
        spec.priority = -2'147'483'648;
        spec.maxRetry = 100;
        spec.keepResult = true;
        spec.timeout_ms = 86'400'000;
        const auto plain = unpackRecord(packRecord(spec));
        QVERIFY(plain);
        QVERIFY(*plain == spec);

        spec.tags = {"a", "日本"};
        spec.trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        spec.resultTtl_ms = 1'500;
        spec.backoff = {500, 1.5, 7'000, 0};
        const auto full = unpackRecord(packRecord(spec));
        QVERIFY(full);
        QVERIFY(*full == spec);
    }

    void aCutRecordIsRefused()
    {
        JobSpec spec;
        spec.name = "x";
        spec.tags = {"t"};
        const QByteArray record = packRecord(spec);
        for (qsizetype length = 0; length + 1 < record.size(); ++length)
            QVERIFY(!unpackRecord(record.first(length)));
    }

    void theDelayGrowsAndIsCappedAndNeverUnderTheBase()
    {
        const Backoff backoff{2'000, 2, 10'000, 0.2};
        QCOMPARE(backoff.delay_ms(1, 0), 2'000);
        QCOMPARE(backoff.delay_ms(2, 0), 4'000);
        QCOMPARE(backoff.delay_ms(3, 0.5), 8'800);
        QCOMPARE(backoff.delay_ms(50, 0), 10'000);
    }

    void onlyOneCompleteValueIsValid_data()
    {
        QTest::addColumn<QByteArray>("hex");
        QTest::addColumn<bool>("valid");
        QTest::newRow("nil") << QByteArray("c0") << true;
        QTest::newRow("nothing") << QByteArray("") << false;
        QTest::newRow("two values") << QByteArray("c0c0") << false;
        QTest::newRow("never used byte") << QByteArray("c1") << false;
        QTest::newRow("array of 2^32-1 that is not there") << QByteArray("ddffffffff") << false;
        QTest::newRow("ext of 2 GiB that is not there") << QByteArray("c97fffffff01") << false;
        QTest::newRow("cut string") << QByteArray("a36162") << false;
        QTest::newRow("nested") << QByteArray("82a161cf8000000000000001a162c403000102") << true;
        QTest::newRow("32 deep") << QByteArray("91").repeated(32) + "c0" << true;
        QTest::newRow("33 deep") << QByteArray("91").repeated(33) + "c0" << false;
        QTest::newRow("timestamp") << QByteArray("d6ff00000001") << true;
        QTest::newRow("65,536 elements") << QByteArray("dcffff") + QByteArray("c0").repeated(65'535) << true;
        QTest::newRow("65,537 elements") << QByteArray("dd00010000") + QByteArray("c0").repeated(65'536) << false;
    }
    void onlyOneCompleteValueIsValid()
    {
        QFETCH(QByteArray, hex);
        QFETCH(bool, valid);
        QCOMPARE(payload::validate(QByteArray::fromHex(hex)).ok(), valid);
    }

    void integersOf64BitsStayExact()
    {
        const QByteArray bytes = QByteArray::fromHex("cfffffffffffffffffd38000000000000000d3ffffffffffffffff");
        payload::Reader reader(bytes);
        const auto largest = reader.next();
        QCOMPARE(largest->type, payload::Type::UInt);
        QCOMPARE(largest->unsignedInteger, 18'446'744'073'709'551'615ULL);
        QCOMPARE(reader.next()->integer, std::numeric_limits<qint64>::min());
        QCOMPARE(reader.next()->integer, -1);
        QVERIFY(reader.atEnd());
    }

    void aNumberOfJsonWithAPointStaysADouble()
    {
        QCOMPARE(json::toMsgpack("25.0")->toHex(), QByteArray("cb4039000000000000"));
        QCOMPARE(json::toMsgpack("25")->toHex(), QByteArray("19"));
        QCOMPARE(json::toMsgpack("1.8446744073709552e19")->toHex(), QByteArray("cb43f0000000000000"));
        QCOMPARE(json::fromMsgpack(*json::toMsgpack("[25.0,25,-0.0,0.1]")), QByteArray("[25.0,25,-0.0,0.1]"));
    }

    void aPathFindsItsValueInPlace()
    {
        MsgpackWriter writer;
        writer.map(2).integer(1).text("one").text("user").map(1).text("ids").array(2).integer(7).unsignedInteger(~0ULL);
        const QByteArray value = writer.take();
        const payload::Step path[] = {{.key = "user"}, {.key = "ids"}, {.index = 1}};
        const auto found = payload::find(value, path);
        QVERIFY(found);
        QCOMPARE(found->toByteArray().toHex(), QByteArray("cfffffffffffffffff"));
        QVERIFY(found->data() > value.constData() && found->data() < value.constData() + value.size());
        const payload::Step wrong[] = {{.key = "user"}, {.key = "ids"}, {.index = 2}};
        QVERIFY(!payload::find(value, wrong));
    }

    void anOutcomeHasExactlyTheSpecificationsAttributes()
    {
        Outcome success;
        success.finishedAt = "2026-01-02T03:04:05Z";
        success.result = QByteArray::fromHex("c403000102");
        QCOMPARE(success.packed().toHex(),
            QByteArray("83a474797065a773756363657373ab66696e69736865645f6174b4323032362d30312d30325430333a30343a30355a"
                       "a6726573756c74c403000102"));
        Outcome failure;
        failure.type = OutcomeType::Failure;
        const QByteArray packed = failure.packed();
        QVERIFY(payload::validate(packed).ok());
        QCOMPARE(payload::Reader(packed).next()->count, 6u);
    }
};

QTEST_GUILESS_MAIN(TestValues)
#include "test_values.moc"
