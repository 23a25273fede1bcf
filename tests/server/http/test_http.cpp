#include "tests/server/http/httpfixture.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban::test;
using namespace junban::http;

// The whole HTTP layer over real sockets: what it serves and in which order, what it refuses, and what it does when clients
// leave.
class TestHttp : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Each function runs twice: the answers are the same whether QtHttpServer calls the handler or the gate does.
    void initTestCase_data();
    void init();
    void cleanupTestCase();
    void aRequestIsAnsweredAndTheConnectionKept();
    void aHandlerSeesTheRequestAsItWasSent();
    void theGatesOwnFieldCannotBeForged();
    void everyRefusalClosesAndNothingBehindItIsServed_data();
    void everyRefusalClosesAndNothingBehindItIsServed();
    void refusalsAreProblemDocuments();
    void bodiesArriveWholeWhereverTheyAreSplit();
    void trailersDoNotBecomeARequest();
    void tooLargeABodyIsRefusedBeforeItIsRead();
    void tooLargeAChunkedBodyIsRefusedToo();
    void theLimitOfABodyIsThatOfItsRoute();
    void aClientStillSendingSeesTheRefusal();
    void pipelinedRequestsAreAnsweredInOrder();
    void deferredAnswersOfPipelinedRequestsStayInOrder();
    void moreIsNotReadAheadThanAllowed();
    void anAbsentBodyIsNotWaitedFor();
    void aClientThatExpectsContinueGetsIt();
    void aClientThatExpectsContinueIsToldNo();
    void headHasNoBody();
    void connectionCloseIsHonoured();
    void http10IsAnsweredAndClosed();
    void statusesWithoutContentHaveNone_data();
    void statusesWithoutContentHaveNone();
    void answersCarryDateAndSecurityFields();
    void fieldsOfAHandlerCannotBreakTheMessage();
    void aLargeAnswerReachesASlowReader();
    void aClientThatLeavesIsNoticed_data();
    void aClientThatLeavesIsNoticed();
    void anAnswerToAClientThatLeftIsDropped();
    void onGoneOfOneRequestIsNotCalledForTheNext();
    void aDroppedExchangeIsAnswered();
    void aHandlerThatThrowsIsAnswered();
    void theServerGoesWithRequestsUnderWay();
};

void TestHttp::initTestCase_data()
{
    QTest::addColumn<bool>("isDirect");
    QTest::newRow("through QtHttpServer") << false;
    QTest::newRow("by the gate") << true;
}

void TestHttp::init()
{
    QFETCH_GLOBAL(const bool, isDirect);
    HttpFixture::isDirect = isDirect;
}

void TestHttp::cleanupTestCase()
{
    HttpFixture::isDirect = false;
}

void TestHttp::aRequestIsAnsweredAndTheConnectionKept()
{
    HttpFixture server;
    RawClient client(server.port());
    for (int i = 0; i < 3; ++i) {
        const QByteArray body = "body " + QByteArray::number(i);
        QVERIFY(client.send(request("POST", "/echo", body)));
        const Answer answer = client.answer();
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.body, body);
        QVERIFY(answer.head.startsWith("HTTP/1.1 200 OK\r\n"));
        QVERIFY(!answer.has("connection"));
    }
    QCOMPARE(server.connections(), 1);
    QVERIFY(client.send("\r\n" + request("GET", "/echo"))); // one empty line is forgiven
    QCOMPARE(client.answer().status, 200);
    QCOMPARE(server.handled, 4);
}

void TestHttp::aHandlerSeesTheRequestAsItWasSent()
{
    HttpFixture server;
    const Answer answer = exchange(server.port(), "DELETE /head?a=%41&b HTTP/1.1\r\nHost: h\r\nX-Two:  a b \r\n\r\n");
    QCOMPARE(answer.body, "DELETE /head\na=%41&b\nhost=h\nx-two=a b\n");
}

void TestHttp::theGatesOwnFieldCannotBeForged()
{
    HttpFixture server;
    RawClient held(server.port());
    QVERIFY(held.send(request("POST", "/hold", "secret")));
    QVERIFY(eventually([&] { return server.held() == 1; }));
    const Answer answer = exchange(server.port(), request("GET", "/head", {}, "X-Gate-Id: 1-1\r\n"));
    QVERIFY(answer.body.startsWith("GET /head"));
    QCOMPARE(server.release(), 1);
    QCOMPARE(held.answer().body, "secret");
}

void TestHttp::everyRefusalClosesAndNothingBehindItIsServed_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("status");
    const auto add = [](const char *name, const QByteArray &bytes, int status) { QTest::newRow(name) << bytes << status; };
    const auto post = [](const QByteArray &fields, const QByteArray &body) {
        return "POST /echo HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n\r\n" + body;
    };
    const QByteArray chunked = "5\r\nhello\r\n0\r\n\r\n";
    add("both framings", post("Content-Length: 5\r\nTransfer-Encoding: chunked", chunked), 400);
    add("two lengths", post("Content-Length: 5\r\nContent-Length: 0", "hello"), 400);
    add("the same length twice", post("Content-Length: 5\r\nContent-Length: 5", "hello"), 400);
    add("a length with a plus", post("Content-Length: +5", "hello"), 400);
    add("a negative length", post("Content-Length: -5", "hello"), 400);
    add("a coding like chunked", post("Transfer-Encoding: xchunkedx", chunked), 501);
    add("a fold", post("X-A: 1\r\n Content-Length: 5", "hello"), 400);
    add("a bare line feed", "POST /echo HTTP/1.1\r\nHost: a\nContent-Length: 5\r\n\r\nhello", 400);
    add("only bare line feeds", "GET /echo HTTP/1.1\nHost: a\n\n", 400);
    add("a space before the colon", post("Content-Length : 5", "hello"), 400);
    add("a coding in HTTP/1.0", "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked, 400);
    add("two slashes", "GET //foo/echo HTTP/1.1\r\nHost: a\r\n\r\n", 400);
    add("a NUL", "GET /echo HTTP/1.1\r\nHost: a\r\nX: " + QByteArray(1, '\0') + "\r\n\r\n", 400);
    add("the absolute form", "GET http://a/echo HTTP/1.1\r\nHost: a\r\n\r\n", 400);
    add("a bad Host", "GET /echo HTTP/1.1\r\nHost: a b\r\n\r\n", 400);
    add("no Host", "GET /echo HTTP/1.1\r\n\r\n", 400);
    add("a bad chunk", post("Transfer-Encoding: chunked", "ZZ\r\n"), 400);
    add("an unknown version", "GET /echo HTTP/3.0\r\nHost: a\r\n\r\n", 505);
    add("an expectation", post("Expect: a-pony\r\nContent-Length: 5", "hello"), 417);
    add("too long a target", "GET /" + QByteArray(5'000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n", 414);
    add("an endless target", "GET /" + QByteArray(12'000, 'a'), 414);
    add("too large a head", post("X-A: " + QByteArray(20'000, 'a'), {}), 431);
    add("an endless field", "GET / HTTP/1.1\r\nHost: a\r\nX-A: " + QByteArray(20'000, 'a'), 431);
    add("too many fields", post(QByteArray("X: 1\r\n").repeated(80) + "X: 1", {}), 431);
    add("bytes of TLS", QByteArray::fromHex("16030100c8010000c4030300000a0a0a"), 400);
    add("no HTTP", "hello there\r\n\r\n", 400);
}

void TestHttp::everyRefusalClosesAndNothingBehindItIsServed()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const int, status);
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(bytes + request("GET", "/smuggled").repeated(3)));
    const Answer answer = client.answer();
    QCOMPARE(answer.status, status);
    QCOMPARE(answer.field("connection"), "close");
    QVERIFY(client.endsSilently());
    QCOMPARE(server.handled, 0);
}

void TestHttp::refusalsAreProblemDocuments()
{
    HttpFixture server;
    const Answer answer = exchange(server.port(), "GET / HTTP/1.1\r\n\r\n");
    QCOMPARE(answer.field("content-type"), "application/problem+json");
    QCOMPARE(answer.body, "{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,\"code\":\"malformed\","
                          "\"detail\":\"The Host is missing.\",\"reason\":\"http_host_missing\",\"values\":{}}");
}

void TestHttp::bodiesArriveWholeWhereverTheyAreSplit()
{
    HttpFixture server;
    RawClient client(server.port());
    const QByteArray chunked = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                               "5;x=y\r\nhello\r\n7\r\n, world\r\n0\r\nT: 1\r\n\r\n";
    const QByteArray plain = request("POST", "/echo", "hello, world");
    for (const QByteArray &bytes : {chunked, plain}) {
        for (qsizetype split = 1; split < bytes.size(); ++split) {
            QVERIFY(client.send(bytes.first(split)));
            if (split % 7 == 0)
                QThread::usleep(200); // so that some of the pieces come alone
            // The next request begins in the packet in which this one ends.
            QVERIFY(client.send(bytes.sliced(split) + request("GET", "/head?next")));
            QCOMPARE(client.answer().body, "hello, world");
            QVERIFY(client.answer().body.startsWith("GET /head\nnext\n"));
        }
    }
}

void TestHttp::trailersDoNotBecomeARequest()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                        "0\r\nGET: /echo HTTP/1.1\r\nHost: b\r\n\r\n" + request("GET", "/head?second")));
    QCOMPARE(client.answer().status, 200);
    QVERIFY(client.answer().body.startsWith("GET /head\nsecond\n"));
    QCOMPARE(server.handled, 2);
}

void TestHttp::tooLargeABodyIsRefusedBeforeItIsRead()
{
    HttpFixture server;
    const Answer answer = exchange(server.port(), "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n");
    QCOMPARE(answer.status, 413);
    QVERIFY(answer.body.contains("\"code\":\"too_large\""));
}

void TestHttp::tooLargeAChunkedBodyIsRefusedToo()
{
    HttpFixture server;
    const Answer answer = exchange(server.port(), "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                                                  "900000\r\n");
    QCOMPARE(answer.status, 413);
    QCOMPARE(server.handled, 0);
}

void TestHttp::theLimitOfABodyIsThatOfItsRoute()
{
    ServerOptions options;
    options.place = [](const QByteArray &method, const QByteArray &path) {
        return Place{method == "PUT" && path == "/echo" ? 20 : 10};
    };
    HttpFixture server(options);
    const QByteArray chunked = "Host: a\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n01234567\r\n8\r\n01234567\r\n0\r\n\r\n";
    QCOMPARE(exchange(server.port(), request("PUT", "/echo", QByteArray(20, 'a'))).status, 200);
    QCOMPARE(exchange(server.port(), request("PUT", "/echo", QByteArray(21, 'a'))).status, 413);
    QCOMPARE(exchange(server.port(), request("POST", "/echo", QByteArray(10, 'a'))).status, 200);
    QCOMPARE(exchange(server.port(), request("POST", "/echo", QByteArray(11, 'a'))).status, 413);
    QCOMPARE(exchange(server.port(), "PUT /echo HTTP/1.1\r\n" + chunked).status, 200);
    QCOMPARE(exchange(server.port(), "POST /echo HTTP/1.1\r\n" + chunked).status, 413);
}

void TestHttp::aClientStillSendingSeesTheRefusal()
{
    HttpFixture server;
    RawClient client(server.port());
    // Closing over what is unread would reset the connection, and the client might never read the answer: so what it sends on is
    // taken and thrown away.
    QVERIFY(client.send(request("POST", "/echo", QByteArray(4'000'000, 'a'))));
    QCOMPARE(client.answer().status, 413);
    QVERIFY(client.endsSilently());
}

void TestHttp::pipelinedRequestsAreAnsweredInOrder()
{
    HttpFixture server;
    RawClient client(server.port());
    QByteArray bytes;
    for (int i = 0; i < 300; ++i)
        bytes += request("POST", "/echo", QByteArray::number(i));
    QVERIFY(client.send(bytes));
    for (int i = 0; i < 300; ++i)
        QCOMPARE(client.answer().body, QByteArray::number(i));
    QCOMPARE(server.handled, 300);
}

void TestHttp::deferredAnswersOfPipelinedRequestsStayInOrder()
{
    HttpFixture server;
    RawClient client(server.port());
    QByteArray bytes;
    for (int i = 0; i < 300; ++i)
        bytes += request("POST", i % 3 == 0 ? "/hold" : "/echo", QByteArray::number(i));
    QVERIFY(client.send(bytes));
    for (int i = 0; i < 300; ++i) {
        if (i % 3 == 0) {
            QVERIFY(eventually([&] { return server.held() == 1; }));
            QCOMPARE(server.handled, i + 1); // the next waits for this one's answer
            QCOMPARE(server.release(), 1);
        }
        QCOMPARE(client.answer().body, QByteArray::number(i));
    }
    QCOMPARE(server.gone, 0);
}

void TestHttp::moreIsNotReadAheadThanAllowed()
{
    ServerOptions options;
    options.place = [](const QByteArray &, const QByteArray &) { return Place{100'000}; };
    HttpFixture server(options);
    RawClient client(server.port());
    QVERIFY(client.send(request("POST", "/hold", "first")));
    QVERIFY(eventually([&] { return server.held() == 1; }));
    // Much more than is read ahead; the rest stays with the kernel and is served after the first answer.
    std::atomic_bool sent = false;
    const std::unique_ptr<QThread> sender(QThread::create([&] {
        for (int i = 0; i < 200; ++i)
            client.send(request("POST", "/echo", QByteArray(90'000, static_cast<char>('a' + i % 26))));
        sent = true;
    }));
    sender->start();
    QThread::msleep(300);
    QVERIFY2(!sent, "the server read everything while the first request was under way");
    QCOMPARE(server.release(), 1);
    QCOMPARE(client.answer().body, "first");
    for (int i = 0; i < 200; ++i)
        QCOMPARE(client.answer().body, QByteArray(90'000, static_cast<char>('a' + i % 26)));
    QVERIFY(sender->wait(10'000));
}

void TestHttp::anAbsentBodyIsNotWaitedFor()
{
    HttpFixture server;
    QCOMPARE(exchange(server.port(), "POST /echo HTTP/1.1\r\nHost: a\r\n\r\n").status, 200);
    QCOMPARE(exchange(server.port(), "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n").status, 200);
}

void TestHttp::aClientThatExpectsContinueGetsIt()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n"));
    // The body is sent when the server has said so, which is what the client waits for.
    QThread::msleep(50);
    QVERIFY(client.send("hello"));
    QCOMPARE(client.answer().body, "hello");
    QCOMPARE(client.interim(), 1);
    // One whose body comes along needs none.
    QVERIFY(client.send("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nworld"));
    QCOMPARE(client.answer().body, "world");
    QCOMPARE(client.interim(), 1);
}

void TestHttp::aClientThatExpectsContinueIsToldNo()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5000000\r\n\r\n"));
    QCOMPARE(client.answer().status, 413);
    QCOMPARE(client.interim(), 0);
}

void TestHttp::headHasNoBody()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(request("HEAD", "/big?1234") + request("GET", "/echo")));
    const Answer head = client.answer(RawClient::Expect::HeadOnly);
    QCOMPARE(head.status, 200);
    QCOMPARE(head.field("content-length"), "1234");
    QCOMPARE(client.answer().status, 200);
}

void TestHttp::connectionCloseIsHonoured()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(request("POST", "/echo", "last", "Connection: close\r\n") + request("GET", "/echo")));
    const Answer answer = client.answer();
    QCOMPARE(answer.body, "last");
    QCOMPARE(answer.field("connection"), "close");
    QVERIFY(client.endsSilently());
    QCOMPARE(server.handled, 1);
}

void TestHttp::http10IsAnsweredAndClosed()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send("POST /echo HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\nold"));
    const Answer answer = client.answer();
    QCOMPARE(answer.body, "old");
    QCOMPARE(answer.field("connection"), "close");
    QVERIFY(client.endsSilently());
}

void TestHttp::statusesWithoutContentHaveNone_data()
{
    QTest::addColumn<int>("status");
    QTest::newRow("204") << 204;
    QTest::newRow("304") << 304;
}

void TestHttp::statusesWithoutContentHaveNone()
{
    QFETCH(const int, status);
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(request("GET", "/status?" + QByteArray::number(status)) + request("POST", "/echo", "next")));
    const Answer answer = client.answer();
    QCOMPARE(answer.status, status);
    QVERIFY(!answer.has("content-length"));
    QVERIFY(!answer.has("content-type"));
    QCOMPARE(client.answer().body, "next");
}

void TestHttp::answersCarryDateAndSecurityFields()
{
    HttpFixture server;
    for (const QByteArray &bytes : {request("GET", "/status?201"), QByteArray("GET / HTTP/1.1\r\n\r\n")}) {
        const Answer answer = exchange(server.port(), bytes);
        QCOMPARE(answer.field("x-content-type-options"), "nosniff");
        QCOMPARE(answer.field("cache-control"), "no-store");
        QCOMPARE(answer.field("referrer-policy"), "no-referrer");
        QVERIFY(answer.field("content-security-policy").contains("default-src 'none'"));
        QVERIFY(answer.field("date").endsWith(" GMT"));
    }
    QVERIFY(exchange(server.port(), request("GET", "/status?201")).head.startsWith("HTTP/1.1 201 Created\r\n"));
    QVERIFY(exchange(server.port(), request("GET", "/status?507")).head.startsWith("HTTP/1.1 507 Insufficient Storage\r\n"));
    QVERIFY(exchange(server.port(), request("GET", "/status?7")).head.startsWith("HTTP/1.1 500 Internal Server Error\r\n"));
}

void TestHttp::fieldsOfAHandlerCannotBreakTheMessage()
{
    HttpFixture server;
    const Answer answer = exchange(server.port(), request("GET", "/inject"));
    QCOMPARE(answer.body, "text");
    QVERIFY(!answer.has("x-a") && !answer.has("x-b") && !answer.has("x c") && !answer.has("connection"));
    QCOMPARE(answer.field("x-good"), "4");
    QCOMPARE(answer.head.count("Cache-Control"), 1);
    QCOMPARE(answer.field("cache-control"), "max-age=5"); // the handler's own, in place of the default
}

void TestHttp::aLargeAnswerReachesASlowReader()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(request("GET", "/big?20000000") + request("POST", "/echo", "next")));
    QThread::msleep(100); // the kernel's buffers are full by now
    QCOMPARE(client.answer().body, QByteArray(20'000'000, 'x'));
    QCOMPARE(client.answer().body, "next");
}

void TestHttp::aClientThatLeavesIsNoticed_data()
{
    QTest::addColumn<int>("how");
    QTest::newRow("by closing") << 0;
    QTest::newRow("by a reset") << 1;
    QTest::newRow("by ending its side") << 2;
}

void TestHttp::aClientThatLeavesIsNoticed()
{
    QFETCH(const int, how);
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(request("POST", "/hold", "a") + request("POST", "/echo", "never served")));
    QVERIFY(eventually([&] { return server.held() == 1; }));
    how == 0 ? client.close() : how == 1 ? client.reset() : client.endOutput();
    QVERIFY(eventually([&] { return server.gone == 1; }));
    QVERIFY(eventually([&] { return server.connections() == 0; }));
    QCOMPARE(server.release(), 0);
    QCOMPARE(server.deadReplies, 1);
    QCOMPARE(server.gone, 1);
    QCOMPARE(server.handled, 1);
}

void TestHttp::anAnswerToAClientThatLeftIsDropped()
{
    HttpFixture server;
    for (int round = 0; round < 50; ++round) {
        RawClient client(server.port());
        QVERIFY(client.send(request("POST", "/hold", "a")));
        QVERIFY(eventually([&] { return server.held() == 1; }));
        client.reset();
        server.release(); // whether the server has noticed yet or not
    }
    QVERIFY(eventually([&] { return server.connections() == 0; }));
    QCOMPARE(exchange(server.port(), request("POST", "/echo", "still here")).body, "still here");
}

void TestHttp::onGoneOfOneRequestIsNotCalledForTheNext()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(request("POST", "/hold", "a")));
    QVERIFY(eventually([&] { return server.held() == 1; }));
    QCOMPARE(server.release(), 1);
    QCOMPARE(client.answer().body, "a");
    client.close();
    QVERIFY(eventually([&] { return server.connections() == 0; }));
    QCOMPARE(server.gone, 0);
}

void TestHttp::aDroppedExchangeIsAnswered()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(request("GET", "/drop") + request("POST", "/echo", "next")));
    const Answer answer = client.answer();
    QCOMPARE(answer.status, 500);
    QVERIFY(answer.body.contains("\"code\":\"internal\""));
    QCOMPARE(client.answer().body, "next");
}

void TestHttp::aHandlerThatThrowsIsAnswered()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(request("GET", "/fail") + request("POST", "/echo", "next")));
    QCOMPARE(client.answer().status, 500);
    QCOMPARE(client.answer().body, "next");
}

void TestHttp::theServerGoesWithRequestsUnderWay()
{
    RawClient *client = nullptr;
    {
        HttpFixture server;
        client = new RawClient(server.port());
        QVERIFY(client->send(request("POST", "/hold", "a")));
        QVERIFY(eventually([&] { return server.held() == 1; }));
    }
    QVERIFY(client->endsSilently());
    delete client;
}

JUNBAN_TEST(TestHttp)
#include "test_http.moc"
