#include "core/base/durations.h"
#include "core/limits.h"
#include "core/msgpack/json.h"
#include "server/push/httpanswer.h"
#include "server/push/networks.h"
#include "server/push/runanswer.h"
#include "tests/support/sentence.h"
#include "tests/support/testmain.h"

#include <QMessageAuthenticationCode>
#include <QTest>

using namespace junban;
using namespace junban::push;

using State = HttpAnswer::State;

// What workers that are called may answer, and where they may be: the parts without sockets.
class TestAnswers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anAnswerIsReadWhereverItsBytesAreSplit_data();
    void anAnswerIsReadWhereverItsBytesAreSplit();
    void whatIsNoAnswerIsWrong_data();
    void whatIsNoAnswerIsWrong();
    void anAnswerThatNeverEndsIsGivenUp();
    void anAnswerThatIsCutShortIsNotWhole();
    void aTimeToComeAgainIsASmallNumberOfSeconds();
    void aStatusSaysWhatBecomesOfTheJob();
    void onlyAnOutcomeObjectIsAnOutcome_data();
    void onlyAnOutcomeObjectIsAnOutcome();
    void everyByteOfARequestIsSigned();
    void noAddressOfALinkOrOfMetadataIsCalledWhateverTheOperatorSays();
    void anAddressIsWhatItIsInEitherForm();

private:
    static HttpAnswer read(const QByteArray &bytes)
    {
        HttpAnswer answer;
        (void)answer.add(bytes);
        return answer;
    }
    static Networks networks(const char *words) { return Networks::of(QString::fromLatin1(words).split(QLatin1Char(' '))).value(); }
    static RunAnswer meaning(const QByteArray &bytes)
    {
        return runAnswerOf(Fate::Answered, read(bytes), {}, "2026-01-01T00:00:00Z");
    }
    static QByteArray withBody(const QByteArray &type, const QByteArray &body)
    {
        return "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
    }
};

void TestAnswers::anAnswerIsReadWhereverItsBytesAreSplit_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("untilClose");
    const QByteArray head = "HTTP/1.1 200 OK\r\nContent-TYPE: Application/JSON; charset=utf-8\r\nRetry-After: 3\r\n";
    QTest::newRow("length") << QByteArray(head + "Content-Length: 12\r\n\r\nhello\r\n\r\nyou") << false;
    QTest::newRow("chunks") << QByteArray(head + "Transfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n"
                                          "4;a=b\r\n\r\n\r\n\r\n02\r\nyo\r\n1\r\nu\r\n0\r\n\r\n") << false;
    QTest::newRow("until it closes") << QByteArray(head + "\r\nhello\r\n\r\nyou") << true;
    const QByteArray before = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n";
    QTest::newRow("announced") << QByteArray(before + head + "Content-Length: 12\r\n\r\nhello\r\n\r\nyou") << false;
}

void TestAnswers::anAnswerIsReadWhereverItsBytesAreSplit()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, untilClose);
    for (qsizetype split = 0; split <= bytes.size(); ++split) {
        HttpAnswer answer;
        State state = State::Unfinished;
        for (const QByteArray &part : {bytes.first(split), bytes.sliced(split)}) {
            if (state == State::Unfinished)
                state = answer.add(part);
        }
        QCOMPARE(state, untilClose ? State::Unfinished : State::Whole);
        if (untilClose)
            QCOMPARE(answer.close(), State::Whole);
        QCOMPARE(answer.status(), 200);
        QCOMPARE(answer.contentType(), "application/json");
        QCOMPARE(answer.retryAfter_ms(), 3 * second_ms);
        QCOMPARE(answer.body(), "hello\r\n\r\nyou");
    }
    HttpAnswer slowly;
    State state = State::Unfinished;
    for (const char byte : bytes) {
        if (state == State::Unfinished)
            state = slowly.add(QByteArray(1, byte));
    }
    QCOMPARE(state, untilClose ? State::Unfinished : State::Whole);
    QCOMPARE(slowly.body(), "hello\r\n\r\nyou");
}

void TestAnswers::whatIsNoAnswerIsWrong_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray ok = "HTTP/1.1 200 OK\r\n", chunked = ok + "Transfer-Encoding: chunked\r\n\r\n";
    QTest::newRow("another protocol") << QByteArray("SSH-2.0-OpenSSH\r\n\r\n\r\n");
    QTest::newRow("another version") << QByteArray("HTTP/2.0 200 OK\r\n\r\n");
    QTest::newRow("no status") << QByteArray("HTTP/1.1 abc OK\r\n\r\n");
    QTest::newRow("small status") << QByteArray("HTTP/1.1 099 OK\r\n\r\n");
    QTest::newRow("large status") << QByteArray("HTTP/1.1 600 OK\r\n\r\n");
    QTest::newRow("no colon") << QByteArray(ok + "nothing\r\n\r\n");
    QTest::newRow("no name") << QByteArray(ok + ": nothing\r\n\r\n");
    QTest::newRow("negative length") << QByteArray(ok + "Content-Length: -1\r\n\r\n");
    QTest::newRow("no length") << QByteArray(ok + "Content-Length: x\r\n\r\n");
    QTest::newRow("another coding") << QByteArray(ok + "Transfer-Encoding: gzip\r\n\r\n");
    QTest::newRow("no size") << QByteArray(chunked + "zz\r\n");
    QTest::newRow("negative size") << QByteArray(chunked + "-1\r\n");
    QTest::newRow("huge size") << QByteArray(chunked + "7fffffffffffffff\r\n");
    QTest::newRow("no end of a chunk") << QByteArray(chunked + "1\r\nabc");
}

void TestAnswers::whatIsNoAnswerIsWrong()
{
    QFETCH(QByteArray, bytes);
    QCOMPARE(HttpAnswer().add(bytes), State::Wrong);
}

void TestAnswers::anAnswerThatNeverEndsIsGivenUp()
{
    const QByteArray ok = "HTTP/1.1 200 OK\r\n";
    const QByteArray tooMany = QByteArray::number(limits::worker_answer_bytes_max + 1);
    QCOMPARE(HttpAnswer().add(ok + "Content-Length: " + tooMany + "\r\n\r\n"), State::Wrong);
    const QByteArray piece(64 * 1024, 'x');
    const auto readOn = [](HttpAnswer &answer, const QByteArray &more, qint64 bytes_max) {
        qint64 bytes = 0;
        while (bytes <= bytes_max && answer.add(more) == State::Unfinished)
            bytes += more.size();
        return bytes;
    };
    HttpAnswer head, untilClose, chunks, line;
    QVERIFY(readOn(head, "X: y\r\n", 1 << 20) <= limits::worker_head_bytes_max);
    QCOMPARE(untilClose.add(ok + "\r\n"), State::Unfinished);
    QVERIFY(readOn(untilClose, piece, 1 << 24) <= limits::worker_answer_bytes_max);
    QCOMPARE(chunks.add(ok + "Transfer-Encoding: chunked\r\n\r\n"), State::Unfinished);
    QVERIFY(readOn(chunks, "10000\r\n" + piece + "\r\n", 1 << 24) <= limits::worker_answer_bytes_max + 1024);
    QCOMPARE(line.add(ok + "Transfer-Encoding: chunked\r\n\r\n1;"), State::Unfinished);
    QVERIFY(readOn(line, "x", 1 << 20) <= limits::http_chunk_line_bytes_max);
}

void TestAnswers::anAnswerThatIsCutShortIsNotWhole()
{
    const QByteArray ok = "HTTP/1.1 200 OK\r\n";
    for (const QByteArray &cut : {QByteArray("HTTP/1.1 200 OK\r\nContent-"), ok + "Content-Length: 5\r\n\r\nhell",
             ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhe", QByteArray()}) {
        HttpAnswer answer;
        QCOMPARE(answer.add(cut), State::Unfinished);
        QCOMPARE(answer.close(), State::Wrong);
    }
}

void TestAnswers::aTimeToComeAgainIsASmallNumberOfSeconds()
{
    const auto wanted = [](const QByteArray &value) {
        return read("HTTP/1.1 429 Busy\r\nRetry-After: " + value + "\r\n\r\n").retryAfter_ms();
    };
    QCOMPARE(wanted("0"), 0);
    QCOMPARE(wanted("7"), 7 * second_ms);
    QCOMPARE(wanted("9223372036854775807"), limits::worker_backoff_ms_max);
    QCOMPARE(wanted("Wed, 21 Oct 2065 07:28:00 GMT"), std::nullopt);
    QCOMPARE(wanted("-1"), std::nullopt);
}

void TestAnswers::aStatusSaysWhatBecomesOfTheJob()
{
    using Means = RunAnswer::Means;
    const QList<QPair<int, Means>> all{{202, Means::Accepted}, {429, Means::Busy}, {503, Means::Busy}, {301, Means::Refused},
        {307, Means::Refused}, {401, Means::Refused}, {404, Means::Refused}, {500, Means::Reported}, {504, Means::Reported},
        {201, Means::Reported}, {204, Means::Reported}}; // of the last two nobody knows whether the job ran
    for (const auto &[status, means] : all) {
        const RunAnswer answer = meaning("HTTP/1.1 " + QByteArray::number(status) + " x\r\nLocation: http://127.0.0.1/\r\n\r\n");
        QVERIFY2(answer.means == means, QByteArray::number(status).constData());
        QCOMPARE(answer.trouble.isEmpty(), means == Means::Accepted);
        QCOMPARE(answer.outcome.has_value(), means == Means::Reported);
        if (answer.outcome)
            QVERIFY(answer.outcome->type == OutcomeType::Failure && answer.outcome->shouldRetry);
    }
    QVERIFY(runAnswerOf(Fate::NotSent, {}, sentence("refused"), {}).means == Means::Busy);
    QVERIFY(runAnswerOf(Fate::Unknown, {}, sentence("broke"), {}).means == Means::Unknown);
}

void TestAnswers::onlyAnOutcomeObjectIsAnOutcome_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("isOne");
    const QByteArray good = R"({"type":"success","finished_at":"2026-01-01T00:00:00Z","result":{"n":1}})";
    const QByteArray packed = json::toMsgpack(good).value();
    QTest::newRow("JSON") << withBody("application/json; charset=utf-8", good) << true;
    QTest::newRow("MessagePack") << withBody("application/vnd.msgpack", packed) << true;
    QTest::newRow("MessagePack by another name") << withBody("application/msgpack", packed) << true;
    QTest::newRow("JSON as something else") << withBody("text/html", good) << false;
    QTest::newRow("JSON as MessagePack") << withBody("application/vnd.msgpack", good) << false;
    QTest::newRow("MessagePack as JSON") << withBody("application/json", packed) << false;
    QTest::newRow("nothing") << withBody("application/json", {}) << false;
    QTest::newRow("null") << withBody("application/json", "null") << false;
    QTest::newRow("two") << withBody("application/json", good + good) << false;
    for (const char *more : {R"("id":"019c1b2e-7a40-7c3e-8d4f-1a2b3c4d5e6f")", R"("lease":"1.a")", R"("state":"succeeded")"})
        QTest::newRow(more) << withBody("application/json", good.chopped(1) + ',' + more + '}') << false;
    QTest::newRow("no type") << withBody("application/json", R"({"finished_at":"2026-01-01T00:00:00Z","result":1})") << false;
    QTest::newRow("no result") << withBody("application/json", R"({"type":"success","finished_at":"2026-01-01T00:00:00Z"})") << false;
}

void TestAnswers::onlyAnOutcomeObjectIsAnOutcome()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, isOne);
    const RunAnswer answer = meaning(bytes);
    QVERIFY(answer.means == RunAnswer::Means::Reported);
    QCOMPARE(answer.outcome->type == OutcomeType::Success, isOne);
    QCOMPARE(answer.trouble.isEmpty(), isOne);
    if (!isOne)
        QVERIFY(answer.outcome->shouldRetry);
}

void TestAnswers::everyByteOfARequestIsSigned()
{
    WorkerRegistration registration;
    registration.url = "http://127.0.0.1:8080/behind%20it";
    registration.secret = "a secret of twenty bytes";
    ClaimedJob job;
    job.lease = "1.abc";
    for (const CallRequest &request : {runRequest(job, registration, 1'700'000'000), cancelRequest(job, registration, 1'700'000'000),
             healthRequest(registration, 1'700'000'000)}) {
        const QByteArray text = request.method + "\n/behind%20it" + request.path + "\n1700000000\n" + request.body;
        const QByteArray code = QMessageAuthenticationCode::hash(text, registration.secret, QCryptographicHash::Sha256).toHex();
        QCOMPARE(request.fields, "Junban-Time: 1700000000\r\nJunban-Signature: " + code + "\r\n");
    }
    registration.secret.clear();
    QCOMPARE(runRequest(job, registration, 1).fields, QByteArray());
}

void TestAnswers::noAddressOfALinkOrOfMetadataIsCalledWhateverTheOperatorSays()
{
    const Networks all = networks("0.0.0.0/0 ::/0");
    for (const char *text : {"169.254.169.254", "169.254.0.1", "::ffff:169.254.169.254", "fe80::1", "fd00:ec2::254", "100.100.100.200",
             "0.0.0.0", "0.1.2.3", "::", "224.0.0.1", "ff02::1", "255.255.255.255", "::ffff:0.0.0.0"})
        QVERIFY2(!all.allows(QHostAddress(QString::fromLatin1(text))), text);
    for (const char *text : {"127.0.0.1", "10.1.2.3", "192.0.2.1", "2001:db8::1", "::1"})
        QVERIFY2(all.allows(QHostAddress(QString::fromLatin1(text))), text);
    QVERIFY(!all.allows(QHostAddress()));
    for (const char *text : {"nonsense", "10.0.0.0/33", "10.0.0.0/-1", ""})
        QVERIFY2(!Networks::of({QString::fromLatin1(text)}).ok(), text);
}

void TestAnswers::anAddressIsWhatItIsInEitherForm()
{
    const Networks here, some = networks("10.0.0.0/8 2001:db8::7");
    for (const char *text : {"127.0.0.1", "127.9.9.9", "::ffff:127.0.0.1", "::1"}) {
        QVERIFY2(here.allows(QHostAddress(QString::fromLatin1(text))), text);
        QVERIFY2(!some.allows(QHostAddress(QString::fromLatin1(text))), text);
    }
    for (const char *text : {"10.255.0.1", "::ffff:10.0.0.1", "2001:db8::7"}) {
        QVERIFY2(some.allows(QHostAddress(QString::fromLatin1(text))), text);
        QVERIFY2(!here.allows(QHostAddress(QString::fromLatin1(text))), text);
    }
    for (const char *text : {"11.0.0.1", "::ffff:11.0.0.1", "2001:db8::8", "8.8.8.8"})
        QVERIFY2(!some.allows(QHostAddress(QString::fromLatin1(text))), text);
}

JUNBAN_TEST(TestAnswers)
#include "test_answers.moc"
