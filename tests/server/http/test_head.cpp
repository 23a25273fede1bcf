#include "server/http/answer.h"
#include "server/http/chunks.h"
#include "server/http/head.h"
#include "server/http/knownhead.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban::http;

// The parsers of the gate, without sockets.
class TestHead : public QObject
{
    Q_OBJECT

private:
    static constexpr HeadLimits limits{16'384, 4'096, 64};

private Q_SLOTS:
    void goodHeadsAreTakenApart();
    void badHeadsAreRefused_data();
    void badHeadsAreRefused();
    void goodHeadsAreAccepted_data();
    void goodHeadsAreAccepted();
    void aKnownHeadIsReadAsTheParserReadsIt();
    void theEndIsFoundWhereverTheBytesAreSplit();
    void aBareLineFeedIsSeenAtOnce();
    void chunksAreDecodedWhereverTheyAreSplit();
    void badChunksAreRefused_data();
    void badChunksAreRefused();
    void chunksBeyondTheLimitAreRefusedBeforeTheyCome();
    void datesAreWrittenInTheFormOfTheStandard();
};

void TestHead::goodHeadsAreTakenApart()
{
    const auto parsed = parseHead("POST /v1/jobs/a%2Fb?wait=5&x=[1] HTTP/1.1\r\nHost: a.example:80\r\nX-One:\t two \t\r\n"
                                  "CONTENT-length: 12\r\nexpect: 100-Continue\r\nX-Empty:\r\n\r\n", limits);
    const Head *head = std::get_if<Head>(&parsed);
    QVERIFY(head != nullptr);
    QCOMPARE(head->method, "POST");
    QCOMPARE(head->path, "/v1/jobs/a%2Fb");
    QCOMPARE(head->query, "wait=5&x=[1]");
    QCOMPARE(head->fields.size(), 5);
    QCOMPARE(head->fields[1], qMakePair(QByteArray("x-one"), QByteArray("two")));
    QCOMPARE(head->fields[4], qMakePair(QByteArray("x-empty"), QByteArray("")));
    QVERIFY(head->framing == Framing::Length);
    QCOMPARE(head->length, 12);
    QVERIFY(head->keepAlive);
    QVERIFY(head->expectsContinue);
}

void TestHead::badHeadsAreRefused_data()
{
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<int>("status");
    const auto line = [](const char *name, const QByteArray &text, int status = 400) {
        QTest::newRow(name) << QByteArray(text + "\r\nHost: a\r\n\r\n") << status;
    };
    const auto field = [](const char *name, const QByteArray &text, int status = 400) {
        QTest::newRow(name) << QByteArray("POST / HTTP/1.1\r\nHost: a\r\n" + text + "\r\n\r\n") << status;
    };
    line("no version", "GET /");
    line("two spaces before the target", "GET  / HTTP/1.1");
    line("two spaces before the version", "GET /  HTTP/1.1");
    line("a tabulator", "GET\t/ HTTP/1.1");
    line("a space at the end", "GET / HTTP/1.1 ");
    line("a space at the beginning", " GET / HTTP/1.1");
    line("a space in the target", "GET /a b HTTP/1.1");
    line("a version with letters", "GET / HTTPx9.z");
    line("a version in lower case", "GET / http/1.1");
    line("HTTP/2.0", "GET / HTTP/2.0", 505);
    line("HTTP/1.2", "GET / HTTP/1.2", 505);
    line("HTTP/0.9", "GET / HTTP/0.9", 505);
    line("a version with a sign", "GET / HTTP/+1.1");
    line("an empty line first", "\r\nGET / HTTP/1.1");
    line("a method in lower case", "get / HTTP/1.1", 501);
    line("TRACE", "TRACE / HTTP/1.1", 501);
    line("CONNECT", "CONNECT a:80 HTTP/1.1", 501);
    line("a method that is no token", "G(T / HTTP/1.1");
    line("two slashes", "GET //foo/dump HTTP/1.1");
    line("the absolute form", "GET http://a/ HTTP/1.1");
    line("the asterisk form", "OPTIONS * HTTP/1.1");
    line("no slash", "GET foo HTTP/1.1");
    line("a backslash", "GET /a\\b HTTP/1.1");
    line("a fragment", "GET /a#b HTTP/1.1");
    line("an escaped NUL", "GET /a%00b HTTP/1.1");
    line("an escaped NUL in the query", "GET /a?b=%00 HTTP/1.1");
    line("a broken escape", "GET /a%2 HTTP/1.1");
    line("an escape without digits", "GET /a%zz HTTP/1.1");
    line("a NUL", QByteArray("GET /a\0b HTTP/1.1", 17));
    line("a byte beyond ASCII", "GET /\xc3\xa9 HTTP/1.1");
    line("too long a target", "GET /" + QByteArray(4'096, 'a') + " HTTP/1.1", 414);
    field("no colon", "X-A");
    field("a space before the colon", "Content-Length : 5");
    field("no name", ": 5");
    field("a fold", "X-A: 1\r\n 2");
    field("a fold of only a space", "X-A: 1\r\n \r\nX-B: 2");
    field("a name that is no token", "X(A: 1");
    field("a NUL in a value", QByteArray("X-A: a\0b", 8));
    field("a carriage return in a value", "X-A: a\rb");
    field("a carriage return at the end of a value", "X-A: a\r");
    field("a DEL in a value", "X-A: a\x7f");
    field("two Content-Lengths", "Content-Length: 5\r\nContent-Length: 6");
    field("the same Content-Length twice", "Content-Length: 5\r\nContent-Length: 5");
    field("a list in Content-Length", "Content-Length: 5, 5");
    field("a plus", "Content-Length: +5");
    field("a minus", "Content-Length: -5");
    field("hexadecimal", "Content-Length: 0x5");
    field("an empty Content-Length", "Content-Length:");
    field("a Content-Length with a space inside", "Content-Length: 1 0");
    field("a Content-Length of 2^64 - 1", "Content-Length: 18446744073709551615", 413);
    field("a Content-Length of 2^64 + 5", "Content-Length: 18446744073709551621", 413);
    field("both framings", "Content-Length: 5\r\nTransfer-Encoding: chunked");
    field("both framings, the other way round", "Transfer-Encoding: chunked\r\nContent-Length: 5");
    field("a coding that only contains chunked", "Transfer-Encoding: xchunkedx", 501);
    field("another coding", "Transfer-Encoding: gzip, chunked", 501);
    field("identity", "Transfer-Encoding: identity", 501);
    field("chunked in quotes", "Transfer-Encoding: \"chunked\"", 501);
    field("two codings", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked");
    field("two Hosts", "Host: b");
    field("an expectation that is not met", "Expect: a-pony", 417);
    field("a Connection that is no list", "Connection: a b");
    QTest::newRow("no Host") << QByteArray("GET / HTTP/1.1\r\n\r\n") << 400;
    QTest::newRow("a coding in HTTP/1.0") << QByteArray("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n") << 400;
    for (const char *host : {"", "a b", "a/b", "a@b", "[::1", "[]", "[zz::1]", "[::1]x", "a:b", "a:99999", "a:70000", "a:80:80",
                             "a,b", "a%zz", "a\\b", "a?b", ":80"})
        QTest::addRow("the Host '%s'", host) << QByteArray("GET / HTTP/1.1\r\nHost: ") + host + "\r\n\r\n" << 400;
    QByteArray many = "GET / HTTP/1.1\r\nHost: a\r\n";
    for (int i = 0; i < 64; ++i)
        many += "X: 1\r\n";
    QTest::newRow("too many fields") << many + "\r\n" << 431;
    QTest::newRow("a bare line feed in the request line") << QByteArray("GET / HTTP/1.1\nHost: a\r\n\r\n") << 400;
}

void TestHead::badHeadsAreRefused()
{
    QFETCH(const QByteArray, head);
    QFETCH(const int, status);
    const auto parsed = parseHead(head, limits);
    const Refusal *refusal = std::get_if<Refusal>(&parsed);
    QVERIFY2(refusal != nullptr, "it was accepted");
    QCOMPARE(refusal->status(), status);
    QVERIFY(problemResponse(*refusal).body.contains("\"code\":\""));
}

void TestHead::goodHeadsAreAccepted_data()
{
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<bool>("keepAlive");
    QTest::newRow("plain") << QByteArray("GET / HTTP/1.1\r\nHost: a\r\n\r\n") << true;
    QTest::newRow("HTTP/1.0 without a Host") << QByteArray("GET / HTTP/1.0\r\n\r\n") << false;
    QTest::newRow("HTTP/1.0 with keep-alive") << QByteArray("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n") << false;
    QTest::newRow("close in a list") << QByteArray("GET / HTTP/1.1\r\nHost: a\r\nConnection: TE, Close\r\n\r\n") << false;
    QTest::newRow("an IPv6 Host") << QByteArray("GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n") << true;
    QTest::newRow("bytes beyond ASCII in a value") << QByteArray("GET / HTTP/1.1\r\nHost: a\r\nX: \xc3\xa9\r\n\r\n") << true;
    QTest::newRow("the longest target") << "GET /" + QByteArray(4'095, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n" << true;
    QTest::newRow("Chunked in capitals") << QByteArray("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: CHUNKED\r\n\r\n") << true;
    QByteArray many = "GET / HTTP/1.1\r\nHost: a\r\n";
    for (int i = 0; i < 63; ++i)
        many += "X: 1\r\n";
    QTest::newRow("as many fields as may be") << many + "\r\n" << true;
}

void TestHead::goodHeadsAreAccepted()
{
    QFETCH(const QByteArray, head);
    QFETCH(const bool, keepAlive);
    const auto parsed = parseHead(head, limits);
    QVERIFY(std::holds_alternative<Head>(parsed));
    QCOMPARE(std::get<Head>(parsed).keepAlive, keepAlive);
}

// Of heads that differ in any byte, or in the whole number of Content-Length, those that are taken for the known one are read as the
// parser reads them.
void TestHead::aKnownHeadIsReadAsTheParserReadsIt()
{
    const auto known = [](const QByteArray &bytes) {
        return KnownHead(bytes, std::get<Head>(parseHead(bytes, limits)), Place{.route = 7});
    };
    const auto isParsedSo = [&](const QByteArray &bytes, const Head &head) {
        const auto parsed = parseHead(bytes, limits);
        const Head *const same = std::get_if<Head>(&parsed);
        return same && same->method == head.method && same->path == head.path && same->query == head.query && same->minor == head.minor
            && same->fields == head.fields && same->framing == head.framing && same->length == head.length
            && same->keepAlive == head.keepAlive && same->expectsContinue == head.expectsContinue;
    };
    int taken = 0;
    for (const QByteArray &length : {QByteArray("Content-Length: 12\r\n"), QByteArray("content-LENGTH:\t12 \r\n"), QByteArray()}) {
        const QByteArray before = "POST /v1/jobs?x=1 HTTP/1.1\r\nHost: a\r\n", after = "Authorization: Bearer 12\r\n\r\n";
        const QByteArray bytes = before + length + after;
        KnownHead head = known(bytes);
        QCOMPARE(head.take(bytes + "12 bytes", limits.head_bytes_max), bytes.size());
        QCOMPARE(head.place().route, 7);
        QVERIFY(isParsedSo(bytes, head.head()));
        for (qsizetype size = 0; size < bytes.size(); ++size)
            QCOMPARE(head.take(bytes.first(size), limits.head_bytes_max), 0);
        QList<QByteArray> others;
        for (qsizetype at = 0; at < bytes.size(); ++at) {
            for (int byte = 0; byte < 256; ++byte) {
                others.append(bytes);
                others.last()[at] = char(byte);
            }
            others.append(QByteArray(bytes).remove(at, 1));
            others.append(QByteArray(bytes).insert(at, bytes[at]));
        }
        for (const char *number : {"", "0", "7", "007", "123456", "999999999999999", "1000000000000000", "99999999999999999999", "+1",
                 "1,1", "1 1"})
            others.append(before + QByteArray(length).replace("12", number) + after);
        for (const QByteArray &other : std::as_const(others)) {
            const qsizetype size = head.take(other, limits.head_bytes_max);
            taken += size > 0 ? 1 : 0;
            QVERIFY2(size == 0 || isParsedSo(other.first(size), head.head()), other.constData());
        }
    }
    QVERIFY(taken > 40); // among them every other digit
    const QByteArray bytes = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n";
    KnownHead head = known(bytes);
    QCOMPARE(head.take(QByteArray(bytes).replace("9", "10"), bytes.size()), 0); // too large by one byte
}

void TestHead::theEndIsFoundWhereverTheBytesAreSplit()
{
    const QByteArray head = "GET / HTTP/1.1\r\nHost: a\r\nX-Y: z\r\n\r\n";
    const QByteArray bytes = head + "GET /next";
    for (qsizetype split = 0; split < head.size(); ++split) {
        HeadScan scan;
        QVERIFY(scan.look(bytes.first(split)) == HeadScan::Found::Nothing);
        QVERIFY(scan.look(bytes) == HeadScan::Found::End);
        QCOMPARE(scan.size(), head.size());
    }
    HeadScan scan;
    for (qsizetype size = 0; size < head.size(); ++size)
        QVERIFY(scan.look(bytes.first(size)) == HeadScan::Found::Nothing);
    QVERIFY(scan.look(bytes.first(head.size())) == HeadScan::Found::End);
}

void TestHead::aBareLineFeedIsSeenAtOnce()
{
    for (const char *text : {"\n", "GET / HTTP/1.1\n", "GET / HTTP/1.1\r\nHost: a\n", "GET / HTTP/1.1\r\nHost: a\r\n\n"}) {
        HeadScan scan;
        QVERIFY2(scan.look(text) == HeadScan::Found::BareLineFeed, text);
    }
}

void TestHead::chunksAreDecodedWhereverTheyAreSplit()
{
    const QByteArray coded = "5\r\nhello\r\n00a;name=value;other=\"quoted\"\r\n, my world\r\n"
                             "0\r\nX-Trailer: 1\r\nX-Other: 2\r\n\r\n";
    for (qsizetype split = 0; split <= coded.size(); ++split) {
        ChunkDecoder decoder(100);
        QByteArray body;
        QCOMPARE(decoder.take(coded.first(split), body), split);
        QCOMPARE(decoder.take(coded.sliced(split) + "GET", body), coded.size() - split);
        QVERIFY(decoder.finished() && !decoder.fault());
        QCOMPARE(body, "hello, my world");
    }
    ChunkDecoder decoder(100);
    QByteArray body;
    for (const char c : coded)
        QCOMPARE(decoder.take(QByteArrayView(&c, 1), body), 1);
    QVERIFY(decoder.finished());
    QCOMPARE(body, "hello, my world");
}

void TestHead::badChunksAreRefused_data()
{
    QTest::addColumn<QByteArray>("coded");
    QTest::addColumn<int>("status");
    QTest::newRow("no size") << QByteArray("\r\nhello\r\n0\r\n\r\n") << 400;
    QTest::newRow("no hexadecimal") << QByteArray("ZZ\r\n") << 400;
    QTest::newRow("0x") << QByteArray("0x5\r\nhello\r\n") << 400;
    QTest::newRow("negative") << QByteArray("-5\r\nhello\r\n") << 400;
    QTest::newRow("a plus") << QByteArray("+5\r\nhello\r\n") << 400;
    QTest::newRow("a space before the size") << QByteArray(" 5\r\nhello\r\n") << 400;
    QTest::newRow("a space after the size") << QByteArray("5 \r\nhello\r\n") << 400;
    QTest::newRow("a bare line feed after the size") << QByteArray("5\nhello\r\n") << 400;
    QTest::newRow("a bare line feed after an extension") << QByteArray("5;a\nhello\r\n") << 400;
    QTest::newRow("a carriage return inside an extension") << QByteArray("5;a\rb\r\nhello\r\n") << 400;
    QTest::newRow("more data than the size") << QByteArray("5\r\nhello!\r\n0\r\n\r\n") << 400;
    QTest::newRow("a bare line feed after data") << QByteArray("5\r\nhello\n0\r\n\r\n") << 400;
    QTest::newRow("a folded trailer") << QByteArray("0\r\n X: 1\r\n\r\n") << 400;
    QTest::newRow("a bare line feed after a trailer") << QByteArray("0\r\nX: 1\n\r\n") << 400;
    QTest::newRow("a bare line feed at the end") << QByteArray("0\r\n\n") << 400;
    QTest::newRow("a size that overflows") << QByteArray("10000000000000005\r\nhello\r\n") << 413;
    QTest::newRow("a size with too many noughts") << QByteArray(20, '0') + "5\r\nhello\r\n" << 413;
    QTest::newRow("an endless extension") << "5;" + QByteArray(10'000, 'a') << 400;
    QTest::newRow("endless trailers") << "0\r\n" + QByteArray("X: 1\r\n").repeated(2'000) << 431;
}

void TestHead::badChunksAreRefused()
{
    QFETCH(const QByteArray, coded);
    QFETCH(const int, status);
    ChunkDecoder whole(1'000);
    QByteArray body;
    whole.take(coded, body);
    QVERIFY(whole.fault());
    QCOMPARE(whole.fault()->status(), status);
    ChunkDecoder bytewise(1'000);
    for (const char c : coded)
        bytewise.take(QByteArrayView(&c, 1), body);
    QVERIFY(bytewise.fault());
    QCOMPARE(bytewise.fault()->status(), status);
}

void TestHead::chunksBeyondTheLimitAreRefusedBeforeTheyCome()
{
    ChunkDecoder decoder(10);
    QByteArray body;
    decoder.take("5\r\nhello\r\n5\r\nworld\r\n1\r\n", body);
    QVERIFY(decoder.fault());
    QCOMPARE(decoder.fault()->status(), 413);
    QCOMPARE(body, "helloworld");
}

void TestHead::datesAreWrittenInTheFormOfTheStandard()
{
    QCOMPARE(httpDate(784'111'777), "Sun, 06 Nov 1994 08:49:37 GMT");
}

JUNBAN_TEST(TestHead)
#include "test_head.moc"
