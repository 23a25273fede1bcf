#include "core/base/clock.h"
#include "core/base/isotime.h"
#include "core/base/text.h"
#include "core/jobs/derivedid.h"
#include "core/jobs/job.h"
#include "core/jobs/jobcalls.h"
#include "core/jobs/jobfields.h"
#include "core/jobs/jobid.h"
#include "core/jobs/schedulefields.h"
#include "core/msgpack/json.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/payload.h"
#include "tests/support/testmain.h"

#include <QTest>
#include <cstdlib>

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

    void idsThatDeriveFromARequestAreTheSameAgainAndSortByTheirPlaces()
    {
        IdMaker maker;
        const JobId first = maker.make(1'000), other = maker.make(1'000);
        QCOMPARE(derivedId(first, 0), first);
        QSet<JobId> all;
        JobId last = first;
        for (qsizetype i = 1; i < 10'000; ++i) {
            const JobId next = derivedId(first, i);
            QVERIFY(last < next);
            QCOMPARE(next, derivedId(first, i));
            QCOMPARE(JobId::fromText(next.text()).value(), next);
            QCOMPARE(next.text()[14], '7');
            QVERIFY(QByteArray("89ab").contains(next.text()[19]));
            all.insert(next);
            all.insert(derivedId(other, i));
            last = next;
        }
        QCOMPARE(all.size(), 2 * 9'999);
        QCOMPARE(last.created_ms(), 1'002); // 4,096 in a millisecond
    }

    void theEstimateOfAnotherClockIsNeverAheadOfIt()
    {
        // Here the other clock is this machine's. Both are read in whole milliseconds, at any point of a millisecond.
        for (int i = 0; i < 2'000; ++i) {
            Clock clock;
            clock.learn(Clock::machine_ms(), Clock::monotonic_ms());
            for (int n = 0; n < 50; ++n) {
                const qint64 estimate_ms = clock.now_ms(), true_ms = Clock::machine_ms();
                QVERIFY2(estimate_ms <= true_ms, QByteArray::number(estimate_ms - true_ms).constData());
                QVERIFY(estimate_ms >= true_ms - 1'000);
            }
        }
    }

    void aReplyThatIsReadLateSetsNoClockBack()
    {
        const qint64 now_ms = Clock::machine_ms(), monotonic_ms = Clock::monotonic_ms();
        const auto isNear = [](qint64 a_ms, qint64 b_ms) { return std::abs(a_ms - b_ms) < 1'000; };
        Clock clock;
        clock.learn(now_ms, monotonic_ms);
        clock.learn(now_ms - 60'000, monotonic_ms - 60'000); // sent a minute ago, before this process was stopped
        QVERIFY(isNear(clock.now_ms(), now_ms));
        clock.learn(now_ms - 60'000, Clock::monotonic_ms()); // Redis' clock was set back
        QVERIFY(isNear(clock.now_ms(), now_ms - 60'000));
        clock.learn(now_ms, Clock::monotonic_ms());
        QVERIFY(isNear(clock.now_ms(), now_ms));
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

    // Two arguments, as one job's and inside a job after it; also where the job is unique by its argument.
    void aFingerprintGoesByWhatTheArgumentMeans_data()
    {
        QTest::addColumn<QByteArray>("one");
        QTest::addColumn<QByteArray>("other");
        QTest::addColumn<bool>("same");
        const auto row = [](const char *name, const char *one, const char *other, bool same) {
            QTest::newRow(name) << QByteArray::fromHex(one) << QByteArray::fromHex(other) << same;
        };
        row("1 as fixint and int8", "01", "d001", true);
        row("1 as uint8 and int64", "cc01", "d30000000000000001", true);
        row("1 as uint64 and uint16", "cf0000000000000001", "cd0001", true);
        row("200 as uint8 and int16", "ccc8", "d100c8", true);
        row("-1 as fixint and int32", "ff", "d2ffffffff", true);
        row("-200 as int16 and int64", "d1ff38", "d3ffffffffffffff38", true);
        row("1.0 as float32 and float64", "ca3f800000", "cb3ff0000000000000", true);
        row("a string with a short and a long head", "a161", "db0000000161", true);
        row("bytes with a short and a long head", "c40161", "c6" "00000001" "61", true);
        row("an extension as fixext1 and ext32", "d40561", "c9000000010561", true);
        row("an array with a short and a long head", "9101", "dd00000001cc01", true);
        row("a map with a short and a long head", "81a16101", "df00000001d90161cc01", true);
        row("a map in another order", "82a16101a16202", "82a16202a16101", true);
        row("keys written differently, in another order", "8201a16102a162", "82cc02a162d001a161", true);
        row("maps in an array in a map", "82a16191" "82a16201a16302" "a16403", "82a16403a16191" "82a163cc02a16201", true);
        row("a map as a key", "81" "82a16101a16202" "c0", "81" "82a16202a16101" "c0", true);
        row("1 and 2", "01", "02", false);
        row("1 and -1", "01", "ff", false);
        row("1 and 1.0", "01", "cb3ff0000000000000", false);
        row("1 and true", "01", "c3", false);
        row("2^64-1 and -1", "cfffffffffffffffff", "ff", false);
        row("0.1 as float32 and float64", "ca3dcccccd", "cb3fb999999999999a", false);
        row("a string and bytes", "a161", "c40161", false);
        row("nil and an empty string", "c0", "a0", false);
        row("extensions of two types", "d40561", "d40661", false);
        row("an array in another order", "920102", "920201", false);
        row("an array and a map of the same values", "920102", "810102", false);
        row("values the other way round", "82a16101a16202", "82a16102a16201", false);
        row("one entry more", "81a16101", "82a16101a16202", false);
        row("the same key twice, in another order", "82a16101a16102", "82a16102a16101", false);
    }
    void aFingerprintGoesByWhatTheArgumentMeans()
    {
        QFETCH(QByteArray, one);
        QFETCH(QByteArray, other);
        QFETCH(bool, same);
        QVERIFY(payload::validate(one).ok() && payload::validate(other).ok());
        QVERIFY(payload::validate(payload::canonical(other)).ok());
        QCOMPARE(payload::canonical(one) == payload::canonical(other), same);
        QCOMPARE(payload::canonical(payload::canonical(other)), payload::canonical(other));
        JobSpec first;
        first.name = "x";
        JobSpec second = first;
        first.argument = one;
        second.argument = other;
        QCOMPARE(first.fingerprint() == second.fingerprint(), same);
        QCOMPARE(first.argument, one); // as it was sent
        JobSpec before;
        before.name = "y";
        JobSpec beforeToo = before;
        before.then = {first};
        beforeToo.then = {second};
        QCOMPARE(before.fingerprint() == beforeToo.fingerprint(), same);
        first.unique.emplace();
        second.unique.emplace();
        QCOMPARE(first.fingerprint() == second.fingerprint(), same);
    }

    void whoPutsAJobIntoItsGroupIsNotCompared()
    {
        JobSpec first;
        first.group = "g";
        JobSpec next = first;
        first.then = {next};
        JobSpec second = first;
        setPusher(first, "token");
        second.pusher = "token";
        second.then[0].pusher = "token";
        keepToOwnGroups(first);
        QVERIFY(packOptions(first) != packOptions(second));
        QCOMPARE(first.fingerprint(), second.fingerprint());
    }

    void aTraceOfTheRequestIsNotCompared()
    {
        JobSpec first, second;
        first.trace = "one";
        second.trace = "two";
        QVERIFY(first.fingerprint() != second.fingerprint());
        first.tracedByRequest = second.tracedByRequest = true;
        QCOMPARE(first.fingerprint(), second.fingerprint());
        QCOMPARE(first.fingerprint(), JobSpec().fingerprint());
        QCOMPARE(first.trace, QByteArray("one"));
    }

    void aTraceparentIsAsItsStandardHasIt()
    {
        const QByteArray good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        QVERIFY(isTraceparent(good));
        QVERIFY(isTraceparent("cc" + good.mid(2) + "-more"));
        QVERIFY(isTraceparent("cc" + good.mid(2)));
        for (const QByteArray &bad : {QByteArray(), good.chopped(1), good + "-1", good + "0", good.toUpper(), "ff" + good.mid(2),
                 "cc" + good.mid(2) + "1", "cc" + good.mid(2) + "-\t", "00-" + QByteArray(32, '0') + good.mid(35),
                 good.left(36) + QByteArray(16, '0') + "-01", QByteArray(good).replace('-', '_'),
                 "cc" + good.mid(2) + '-' + QByteArray(500, 'x')})
            QVERIFY2(!isTraceparent(bad), bad.constData());
    }

    void aCanonicalFormIsBounded()
    {
        const QByteArray deep = QByteArray(32, '\x91') + "\xcc\x01";
        QCOMPARE(payload::canonical(deep), QByteArray(32, '\x91') + "\x01");
        for (const QByteArray &unfit : {QByteArray(100'000, '\x91'), QByteArray::fromHex("dfffffffff"), QByteArray::fromHex("cc01cc01")})
            QCOMPARE(payload::canonical(unfit), unfit);
    }

    void anyFormOfATimeIsRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("utc"); // empty: it is none
        const auto row = [](const char *text, const char *utc) { QTest::newRow(text) << QByteArray(text) << QByteArray(utc); };
        row("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z");
        row("2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05.678Z");
        row("2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05.000Z");
        row("2026-01-02T24:00:00Z", "2026-01-03T00:00:00.000Z");
        row("2026-01-02T03:04:05", "2026-01-02T03:04:05.000Z");
        row("2026-01-02T03:04:05,678", "2026-01-02T03:04:05.678Z");
        row("2026-01-02T03:04:05.1234567890123Z", "2026-01-02T03:04:05.123Z");
        row("2026-01-02T03:04,5Z", "2026-01-02T03:04:30.000Z");
        row("2026-01-02T03.25Z", "2026-01-02T03:15:00.000Z");
        row("2026-01-02T03:04", "2026-01-02T03:04:00.000Z");
        row("2026-01-02T03Z", "2026-01-02T03:00:00.000Z");
        row("2026-01-02", "2026-01-02T00:00:00.000Z");
        row("20260102T030405Z", "2026-01-02T03:04:05.000Z");
        row("20260102T030405.5", "2026-01-02T03:04:05.500Z");
        row("20260102T0304-0130", "2026-01-02T04:34:00.000Z");
        row("20260102T03+01", "2026-01-02T02:00:00.000Z");
        row("20260102", "2026-01-02T00:00:00.000Z");
        row("2026-W01-1T00:00:00Z", "2025-12-29T00:00:00.000Z");
        row("2026W017T120000Z", "2026-01-04T12:00:00.000Z");
        row("2026-W53-7", "2027-01-03T00:00:00.000Z");
        row("2020-W53-5", "2021-01-01T00:00:00.000Z");
        row("2026-002T03:04:05Z", "2026-01-02T03:04:05.000Z");
        row("2026365T00Z", "2026-12-31T00:00:00.000Z");
        row("2024-366", "2024-12-31T00:00:00.000Z");
        row("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z");
        row("2016-12-31T23:59:60.5", "2017-01-01T00:00:00.500Z");
        row("20170101T085960+0900", "2017-01-01T00:00:00.000Z");
        row("", "");
        row("now", "");
        row("2026", "");
        row("2026-01", "");
        row("2026-W01", "");
        row("2026-13-01", "");
        row("2026-00-01", "");
        row("2026-02-30", "");
        row("20260230", "");
        row("2026-1-2", "");
        row("2026-0102", "");
        row("202601-02", "");
        row("2026-W54-1", "");
        row("2025-W53-1", "");
        row("2026-W00-1", "");
        row("2026-W01-8", "");
        row("2026-W01-0", "");
        row("2026W01-1", "");
        row("2026-000", "");
        row("2026-366", "");
        row("2026-01-02T", "");
        row("2026-01-02T3", "");
        row("2026-01-02T03:", "");
        row("2026-01-02T03:0405", "");
        row("2026-01-02T0304:05", "");
        row("2026-01-02T24:00:01", "");
        row("2026-01-02T24:00:00.5", "");
        row("2026-01-02T25:00:00", "");
        row("2026-01-02T03:60:00", "");
        row("2026-01-02T03:04:61", "");
        row("2026-01-02T03:04:60Z", "");
        row("2016-12-31T23:59:60+01:00", "");
        row("2026-01-02T03:04:05.", "");
        row("20260102T030405+1", "");
        row("20260102T030405+01:", "");
        row("2026-01-02T03:04:05+24:00", "");
        row("2026-01-02T03:04:05+01:60", "");
        row("2026-01-02T03:04:05 Z and more", "");
        row("2026-01-02T03:04:05Zulu", "");
        row("2026-01-02Z", "");
        row("2026-002T03:04:05Z ", "");
        row("20260102030405", "");
    }
    void anyFormOfATimeIsRead()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, utc);
        const std::optional<qint64> time = fromAnyIsoTime(text);
        QCOMPARE(time ? isoTime(*time) : QByteArray(), utc);
    }

    void aTimeThatIsActedOnNeedsItsZoneAndTheUsualForm()
    {
        for (const char *text : {"2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678+02:00"}) {
            QVERIFY2(fromIsoTime(text), text);
            QVERIFY2(fromIsoTime(text) == fromAnyIsoTime(text), text);
        }
        for (const char *text : {"2026-01-02T03:04:05", "2026-01-02", "20260102T030405Z", "2026-W01-1T00:00:00Z", "2026-002T03:04:05Z",
                 "2016-12-31T23:59:60Z"})
            QVERIFY2(!fromIsoTime(text), text);
    }

    void aTimeThatIsSentLiesFrom1970To9999()
    {
        for (const char *text : {"1970-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "1969-12-31T23:00:00-01:00"})
            QVERIFY2(readTime(text).at_ms, text);
        QCOMPARE(isoTime(limits::time_ms_max), QByteArray("9999-12-31T23:59:59.999Z"));
        static constexpr const char *far[] = {"0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "9999-12-31T23:59:59-00:01",
            "0000-01-01T00:00:00Z"};
        for (const char *text : far) {
            QVERIFY2(!readTime(text).at_ms, text);
            QVERIFY2(!readTime(text, Zone::MayBeLeftOut).at_ms, text);
            QVERIFY2(readTime(text).refusal("a").message().contains("1970"), text);
        }
        static constexpr const char *none[] = {"", "Z", "2026-01-02T03:04:05", "2026-01-02T03:04:60Z", "10000-01-01T00:00:00Z",
            "-2026-01-02T03:04:05Z"};
        for (const char *text : none) {
            QVERIFY2(!readTime(text).at_ms, text);
            QVERIFY2(readTime(text).refusal("a").message().contains("ISO 8601"), text);
        }
    }

    void aNameIsWhatIsSeenOfIt()
    {
        static constexpr const char *seen[] = {"", "a", "mail.send", "a b", "\u00e9", "\u65e5\u672c\u8a9e", "\ud55c\uae00",
            "\U0001f600", "\u0939\u093f\u0928\u094d\u0926\u0940"};
        for (const char *name : seen)
            QVERIFY2(!whyNoName(name, "name"), name);
        static constexpr const char *others[] = {"e\u0301", "\u1112\u1161\u11ab", "\u212b", "a\u200b", "\ufeffa", "a\u202e", "\u2067a",
            "a\u00ad", "\u3164", "a\ufe0f", "\U000e0061", " ", "   ", "\u3000", "\u00a0", " a", "a ", "\u3000a",
            "a\u2003", "a\u00a0", "\u2028", "a\nb", "\u0085"};
        for (const char *name : others)
            QVERIFY2(whyNoName(name, "name"), name);
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

    void aRunOfAScheduleIsNotReadWhenItsOutcomeIsNotKnown()
    {
        const auto read = [](const QByteArray &outcome) {
            QByteArray text = "{'id':'s','every':60,'job':{'name':'n'},'runs':[{'at':'2026-01-01T00:00:00Z','outcome':'" + outcome + "'}]}";
            return unpackAnswer(scheduleTable, *json::toMsgpack(text.replace('\'', '"')));
        };
        QCOMPARE(read("skipped")->runs.first().outcome, RunOutcome::Skipped);
        const Result<Schedule> unknown = read("postponed");
        QVERIFY(!unknown.ok());
        QVERIFY2(unknown.error().message().contains("'runs[0].outcome' has a value that it does not know"),
            unknown.error().message().constData());
    }

    // What is shown, and saved again, would else be another word.
    void anAnswerWithAnUnknownWordIsUseless()
    {
        const auto answer = [](const char *until) {
            return MsgpackWriter().map(2).text("key").text("k").text("until").text(until).take();
        };
        QCOMPARE(unpackAnswer(uniqueTable, answer("started"))->until, UniqueUntil::Started);
        const Result<Unique> unique = unpackAnswer(uniqueTable, answer("tomorrow"));
        QVERIFY(!unique.ok());
        QCOMPARE(unique.error().code, ErrorCode::Malformed);
        QVERIFY2(unique.error().message().contains("'until' has a value that it does not know"), unique.error().message().constData());
        const QByteArray job = MsgpackWriter().map(1).text("state").text("dreaming").take();
        QCOMPARE(unpackAnswer(stateNowTable, job).error().code, ErrorCode::Malformed);
    }
};

JUNBAN_TEST(TestValues)
#include "test_values.moc"
