#include "tests/server/http/httpfixture.h"
#include "tests/support/testmain.h"

#include <QElapsedTimer>
#include <QTest>
#include <sys/resource.h>
#include <vector>

using namespace junban::test;
using namespace junban::http;

// Deadlines, caps and the drain. Deadlines are set short; what is checked is that they come, and that they come to nobody else.
class TestHttpLimits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSlowHeadIsRefused();
    void aHeadThatDripsIsRefusedToo();
    void aSlowBodyIsRefused();
    void aBodyMayTakeLongWhenItKeepsComing();
    void aBodyThatDripsIsRefusedHoweverLong();
    void anIdleConnectionIsClosed();
    void aFreshConnectionThatSaysNothingIsClosed();
    void aWaitingRequestOutlivesTheOtherDeadlines();
    void aRequestNeverAnsweredGetsAnAnswer();
    void aReaderThatStopsIsCutOff();
    void buffersAreGivenBackAndTheConnectionWorksOn();
    void connectionsBeyondTheCapAreTurnedAway();
    void connectionsOfOnePeerBeyondTheCapAreTurnedAway();
    void theCapIsSharedByServersWithTheSameOptions();
    void theLastDescriptorsAreNotForConnections();
    void aDrainClosesWhatIsIdleAndAnswersTheRest();
    void aDrainOfNobodyIsDone();
    void aThousandIdleConnectionsStayAndAreServed();
};

void TestHttpLimits::aSlowHeadIsRefused()
{
    ServerOptions options;
    options.head_deadline_ms = 200;
    HttpFixture server(options);
    RawClient client(server.port());
    QVERIFY(client.send("GET /echo HTT"));
    const Answer answer = client.answer();
    QCOMPARE(answer.status, 408);
    QVERIFY(answer.body.contains("\"code\":\"request_timeout\""));
    QVERIFY(client.endsSilently());
}

void TestHttpLimits::aHeadThatDripsIsRefusedToo()
{
    ServerOptions options;
    options.head_deadline_ms = 300;
    HttpFixture server(options);
    RawClient client(server.port());
    QVERIFY(client.send("GET /echo HTTP/1.1\r\nHost: a\r\nX: "));
    // Each byte comes well within the deadline, which is for the whole head.
    for (int i = 0; i < 40 && client.send("a"); ++i)
        QThread::msleep(50);
    QCOMPARE(client.answer().status, 408);
}

void TestHttpLimits::aSlowBodyIsRefused()
{
    ServerOptions options;
    options.body_deadline_ms = 200;
    HttpFixture server(options);
    for (const char *bytes : {"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello",
                              "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel"})
        QCOMPARE(exchange(server.port(), bytes).status, 408);
    QCOMPARE(server.handled, 0);
}

void TestHttpLimits::aBodyMayTakeLongWhenItKeepsComing()
{
    ServerOptions options;
    options.body_deadline_ms = 300;
    options.body_rate_min = 100;
    HttpFixture server(options);
    RawClient client(server.port());
    QVERIFY(client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n"));
    // Several times the deadline, at ten times the rate.
    for (int i = 0; i < 10; ++i) {
        QVERIFY(client.send(QByteArray(100, 'a')));
        QThread::msleep(100);
    }
    QCOMPARE(client.answer().body.size(), 1'000);
}

void TestHttpLimits::aBodyThatDripsIsRefusedHoweverLong()
{
    ServerOptions options;
    options.body_deadline_ms = 300;
    options.body_rate_min = 1'000;
    HttpFixture server(options);
    RawClient client(server.port());
    QVERIFY(client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n"));
    for (int i = 0; i < 100 && client.send("a"); ++i)
        QThread::msleep(30);
    QCOMPARE(client.answer().status, 408);
}

void TestHttpLimits::anIdleConnectionIsClosed()
{
    ServerOptions options;
    options.idle_deadline_ms = 200;
    HttpFixture server(options);
    RawClient client(server.port());
    QVERIFY(client.send(request("POST", "/echo", "a")));
    QCOMPARE(client.answer().body, "a");
    QVERIFY(client.endsSilently());
    QVERIFY(eventually([&] { return server.connections() == 0; }));
}

void TestHttpLimits::aFreshConnectionThatSaysNothingIsClosed()
{
    ServerOptions options;
    options.idle_deadline_ms = 200;
    HttpFixture server(options);
    RawClient client(server.port());
    QVERIFY(client.endsSilently());
}

void TestHttpLimits::aWaitingRequestOutlivesTheOtherDeadlines()
{
    ServerOptions options;
    options.idle_deadline_ms = options.head_deadline_ms = options.body_deadline_ms = options.write_deadline_ms = 200;
    HttpFixture server(options);
    RawClient client(server.port());
    QVERIFY(client.send(request("POST", "/hold", "long poll")));
    QVERIFY(eventually([&] { return server.held() == 1; }));
    RawClient idle(server.port());
    QVERIFY(idle.endsSilently()); // the deadlines do work meanwhile
    QThread::msleep(600);
    QCOMPARE(server.release(), 1);
    QCOMPARE(client.answer().body, "long poll");
}

void TestHttpLimits::aRequestNeverAnsweredGetsAnAnswer()
{
    ServerOptions options;
    options.answer_deadline_ms = 200;
    HttpFixture server(options);
    RawClient client(server.port());
    QVERIFY(client.send(request("POST", "/hold", "late") + request("POST", "/echo", "next")));
    const Answer answer = client.answer();
    QCOMPARE(answer.status, 504);
    QVERIFY(answer.body.contains("\"code\":\"handler_timeout\""));
    QCOMPARE(client.answer().body, "next");
    QCOMPARE(server.gone, 1);
    // The late answer reaches nobody, least of all the next request.
    QVERIFY(client.send(request("POST", "/never", "x")));
    QVERIFY(eventually([&] { return server.handled == 3; }));
    QCOMPARE(server.release(), 0);
    QCOMPARE(client.answer().status, 504);
}

void TestHttpLimits::aReaderThatStopsIsCutOff()
{
    ServerOptions options;
    options.write_deadline_ms = 200;
    options.body_rate_min = 1'000'000'000;
    HttpFixture server(options);
    RawClient client(server.port());
    QVERIFY(client.send(request("GET", "/big?50000000")));
    QVERIFY(eventually([&] { return server.handled == 1; }));
    QVERIFY(eventually([&] { return server.connections() == 0; }));
    QVERIFY(client.rest().size() < 50'000'000);
}

void TestHttpLimits::buffersAreGivenBackAndTheConnectionWorksOn()
{
    HttpFixture server;
    RawClient client(server.port());
    for (int i = 0; i < 2; ++i) {
        QVERIFY(client.send(request("POST", "/echo", "a")));
        QCOMPARE(client.answer().body, "a");
        QThread::msleep(junban::limits::http_release_ms + 2 * junban::limits::http_tick_ms);
    }
    QVERIFY(client.send(request("POST", "/echo", "b")));
    QCOMPARE(client.answer().body, "b");
}

void TestHttpLimits::connectionsBeyondTheCapAreTurnedAway()
{
    ServerOptions options;
    options.connections_max = 50;
    HttpFixture server(options);
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 50; ++i) {
        clients.push_back(std::make_unique<RawClient>(server.port()));
        QVERIFY(clients.back()->send(request("POST", "/echo", "in")));
        QCOMPARE(clients.back()->answer().body, "in");
    }
    RawClient beyond(server.port());
    const Answer answer = beyond.answer();
    QCOMPARE(answer.status, 503);
    QVERIFY(answer.field("retry-after").toInt() > 0);
    QVERIFY(answer.body.contains("\"code\":\"too_many_connections\""));
    QVERIFY(beyond.endsSilently());
    // One goes, another may come.
    clients.pop_back();
    QVERIFY(eventually([&] { return server.connections() == 49; }));
    QCOMPARE(exchange(server.port(), request("POST", "/echo", "again")).body, "again");
}

void TestHttpLimits::connectionsOfOnePeerBeyondTheCapAreTurnedAway()
{
    ServerOptions options;
    options.connections_per_peer_max = 2;
    {
        HttpFixture server(options); // loopback has no cap of its own
        RawClient a(server.port()), b(server.port()), c(server.port());
        QVERIFY(c.send(request("POST", "/echo", "c")));
        QCOMPARE(c.answer().body, "c");
    }
    options.connections_per_loopback_max = 2;
    HttpFixture server(options, QHostAddress(QHostAddress::Any));
    RawClient a(server.port(), "127.0.0.1"), b(server.port(), "127.0.0.1");
    QVERIFY(eventually([&] { return server.connections() == 2; }));
    QCOMPARE(RawClient(server.port(), "127.0.0.1").answer().status, 503);
    RawClient other(server.port(), "::1"); // another peer
    QVERIFY(other.send(request("POST", "/echo", "other")));
    QCOMPARE(other.answer().body, "other");
    a.close();
    QVERIFY(eventually([&] { return server.connections() == 2; }));
    QCOMPARE(exchange(server.port(), request("POST", "/echo", "again")).body, "again");
}

void TestHttpLimits::theCapIsSharedByServersWithTheSameOptions()
{
    ServerOptions options;
    options.connections_max = 2;
    HttpFixture one(options);
    HttpFixture two(options);
    RawClient a(one.port()), b(two.port());
    QVERIFY(eventually([&] { return one.connections() + two.connections() == 2; }));
    QCOMPARE(RawClient(one.port()).answer().status, 503);
    QCOMPARE(RawClient(two.port()).answer().status, 503);
}

void TestHttpLimits::theLastDescriptorsAreNotForConnections()
{
    rlimit before{};
    QCOMPARE(getrlimit(RLIMIT_NOFILE, &before), 0);
    rlimit low = before;
    low.rlim_cur = 256;
    QCOMPARE(setrlimit(RLIMIT_NOFILE, &low), 0);
    int served = 0;
    int turnedAway = 0;
    {
        HttpFixture server;
        // Both ends are in this process, so each connection takes two descriptors.
        std::vector<std::unique_ptr<RawClient>> clients;
        for (int i = 0; i < 110; ++i) {
            clients.push_back(std::make_unique<RawClient>(server.port()));
            if (!clients.back()->connected())
                break;
            clients.back()->send(request("GET", "/echo"));
            clients.back()->answer().status == 200 ? ++served : ++turnedAway;
        }
        clients.clear();
        QVERIFY(eventually([&] { return server.connections() == 0; }));
        QCOMPARE(exchange(server.port(), request("POST", "/echo", "again")).body, "again");
    }
    QCOMPARE(setrlimit(RLIMIT_NOFILE, &before), 0);
    QVERIFY2(served >= 50 && served < 100, QByteArray::number(served));
    QVERIFY2(turnedAway > 0, QByteArray::number(turnedAway));
}

void TestHttpLimits::aDrainClosesWhatIsIdleAndAnswersTheRest()
{
    HttpFixture server;
    RawClient idle(server.port());
    RawClient waiting(server.port());
    RawClient sending(server.port());
    QVERIFY(waiting.send(request("POST", "/hold", "held")));
    QVERIFY(sending.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe"));
    QVERIFY(eventually([&] { return server.held() == 1 && server.connections() == 3; }));
    server.inServer([&](HttpServer &http) { http.drain([&] { server.drained = true; }); });
    QVERIFY(idle.endsSilently());
    QVERIFY(!RawClient(server.port()).connected());
    QVERIFY(sending.send("llo"));
    const Answer last = sending.answer();
    QCOMPARE(last.body, "hello");
    QCOMPARE(last.field("connection"), "close");
    QVERIFY(!server.drained);
    QCOMPARE(server.release(), 1);
    const Answer held = waiting.answer();
    QCOMPARE(held.body, "held");
    QCOMPARE(held.field("connection"), "close");
    idle.close();
    waiting.close();
    sending.close();
    QVERIFY(eventually([&] { return server.drained.load(); }));
}

void TestHttpLimits::aDrainOfNobodyIsDone()
{
    HttpFixture server;
    bool inside = false;
    server.inServer([&](HttpServer &http) {
        http.drain([&] { server.drained = true; });
        inside = server.drained;
    });
    QVERIFY(!inside);
    QVERIFY(eventually([&] { return server.drained.load(); }));
}

// The times are for the reader: on epoll a turn of the loop costs what happened, so they hardly differ.
void TestHttpLimits::aThousandIdleConnectionsStayAndAreServed()
{
    HttpFixture server;
    RawClient client(server.port());
    const QByteArray bytes = request("POST", "/echo", "a");
    const auto cost_ns = [&] {
        QElapsedTimer clock;
        clock.start();
        for (int i = 0; i < 1'000; ++i) {
            client.send(bytes);
            if (client.answer().status != 200)
                qFatal("not served");
        }
        return clock.nsecsElapsed();
    };
    cost_ns();
    const qint64 alone_ns = cost_ns();
    std::vector<std::unique_ptr<RawClient>> idle;
    for (int i = 0; i < 1'000; ++i)
        idle.push_back(std::make_unique<RawClient>(server.port()));
    QVERIFY(eventually([&] { return server.connections() == 1'001; }));
    const qint64 crowded_ns = cost_ns();
    qInfo("1,000 requests: %lld us alone, %lld us among 1,000 idle connections", alone_ns / 1'000, crowded_ns / 1'000);
    for (const auto &other : idle)
        QVERIFY(other->send(bytes));
    for (const auto &other : idle)
        QCOMPARE(other->answer().status, 200);
}

JUNBAN_TEST(TestHttpLimits)
#include "test_httplimits.moc"
