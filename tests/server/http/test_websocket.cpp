#include "server/http/socketend.h"
#include "tests/server/http/httpfixture.h"
#include "tests/support/testmain.h"

#include <QTest>
#include <atomic>
#include <thread>

using namespace junban::test;
using namespace junban::http;

// An upgrade that is answered when the fixture is told to.
static QByteArray laterUpgrade()
{
    return upgrade().replace("/socket", "/hold?socket");
}

// Connections that become WebSockets: how they are asked for, what their frames may be, and what bounds them. Bytes are written by hand.
class TestWebSocket : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anUpgradeIsAnsweredAsTheStandardSays();
    void whatAsksForNoneOrWronglyIsRefused_data();
    void whatAsksForNoneOrWronglyIsRefused();
    void aTextIsReadHoweverItIsCutIntoFramesAndPackets();
    void framesThatComeWithTheHeadAreRead();
    void aPingIsAnsweredWithWhatItSays();
    void theClientsCloseIsAnsweredAndEndsTheConnection();
    void framesAgainstTheProtocolCloseIt_data();
    void framesAgainstTheProtocolCloseIt();
    void theUsersCloseWaitsForTheClientsAnswer();
    void aClientThatDoesNotAnswerTheCloseIsCutOff();
    void whoAnswersPingsStaysAndWhoDoesNotIsGone();
    void aReaderThatStopsIsToldNoMoreAndThenCutOff();
    void aReaderThatWasSlowIsToldAgain();
    void aFloodOfPingsIsNotReadWhileTheirAnswersAreNot();
    void theUserIsToldWhenTheClientGoes();
    void socketsBeyondTheCapAreRefused();
    void aDrainClosesSockets();
    void anUpgradeIsRefusedWhileTheServerDrains();
    void aDrainClosesASocketThatIsNotOpenYet();
    void aSocketClosedBeforeItOpensHasItsTime();
    void aServerMayEndWithSocketsOpen();
};

void TestWebSocket::anUpgradeIsAnsweredAsTheStandardSays()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(upgrade("Sec-WebSocket-Protocol: secret, test.echo\r\n")));
    const Answer answer = client.answer();
    QVERIFY(answer.head.startsWith("HTTP/1.1 101 Switching Protocols\r\n"));
    QCOMPARE(answer.field("sec-websocket-accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="); // RFC 6455 §1.3
    QCOMPARE(answer.field("sec-websocket-protocol"), "test.echo");
    QCOMPARE(answer.field("upgrade"), "websocket");
    QCOMPARE(answer.field("connection"), "Upgrade");
    QVERIFY(!answer.has("content-length") && !answer.has("sec-websocket-extensions"));
    QVERIFY(eventually([&] { return server.opened == 1; }));
    QCOMPARE(exchange(server.port(), upgrade()).field("sec-websocket-protocol"), QByteArray());
}

void TestWebSocket::whatAsksForNoneOrWronglyIsRefused_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("status");
    const auto changed = [](const char *from, const char *to) { return upgrade().replace(from, to); };
    QTest::newRow("no upgrade") << request("GET", "/socket") << 426;
    QTest::newRow("another protocol") << changed("Upgrade: websocket", "Upgrade: h2c") << 426;
    QTest::newRow("not of the connection") << changed("keep-alive, Upgrade", "keep-alive") << 426;
    QTest::newRow("HTTP/1.0") << changed("HTTP/1.1", "HTTP/1.0") << 426;
    QTest::newRow("a POST") << changed("GET", "POST") << 426;
    QTest::newRow("an old version") << changed("Version: 13", "Version: 8") << 426;
    QTest::newRow("no version") << changed("Sec-WebSocket-Version: 13\r\n", "") << 426;
    QTest::newRow("two versions") << upgrade("Sec-WebSocket-Version: 13\r\n") << 426;
    QTest::newRow("no key") << changed("Sec-WebSocket-Key", "X-Key") << 400;
    QTest::newRow("a short key") << changed("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZQ==") << 400;
    QTest::newRow("no base64") << changed("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25j!!==") << 400;
    QTest::newRow("two keys") << upgrade("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n") << 400;
    QTest::newRow("another subprotocol") << upgrade("Sec-WebSocket-Protocol: chat\r\n") << 400;
}

void TestWebSocket::whatAsksForNoneOrWronglyIsRefused()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const int, status);
    HttpFixture server;
    const Answer answer = exchange(server.port(), bytes);
    QCOMPARE(answer.status, status);
    QVERIFY(answer.body.contains(status == 426 ? "\"code\":\"upgrade_required\"" : "\"code\":\"malformed\""));
    QCOMPARE(answer.field("upgrade"), status == 426 ? QByteArray("websocket") : QByteArray());
    QCOMPARE(answer.field("sec-websocket-version"), status == 426 ? QByteArray("13") : QByteArray());
    QCOMPARE(server.opened, 0);
}

void TestWebSocket::aTextIsReadHoweverItIsCutIntoFramesAndPackets()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(upgrade()));
    QCOMPARE(client.answer().status, 101);
    const QByteArray text = QByteArray("\xe9\xa0\x86\xe7\x95\xaa ") + QByteArray(900, 'a');
    QVERIFY(client.send(frame(0x80 | Text, text)));
    QCOMPARE(client.frame().payload, text);
    for (const char byte : frame(0x80 | Text, "byte by byte"))
        QVERIFY(client.send(QByteArray(1, byte)));
    QCOMPARE(client.frame().payload, "byte by byte");
    // Fragments, cut inside of a character, with a ping between them.
    QVERIFY(client.send(frame(Text, text.first(1)) + frame(Continuation) + frame(0x80 | Ping, "p") + frame(Continuation, text.mid(1, 5))
                        + frame(0x80 | Continuation, text.mid(6))));
    QCOMPARE(client.frame().opcode, int(Pong));
    const Frame whole = client.frame();
    QCOMPARE(whole.opcode, int(Text));
    QVERIFY(whole.final);
    QCOMPARE(whole.payload, text);
    QVERIFY(client.send(frame(0x80 | Text, "one") + frame(0x80 | Text, "two")));
    QCOMPARE(client.frame().payload, "one");
    QCOMPARE(client.frame().payload, "two");
}

void TestWebSocket::framesThatComeWithTheHeadAreRead()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(upgrade() + frame(0x80 | Text, "early") + frame(0x80 | Text, "too")));
    QCOMPARE(client.answer().status, 101);
    QCOMPARE(client.frame().payload, "early");
    QCOMPARE(client.frame().payload, "too");
}

void TestWebSocket::aPingIsAnsweredWithWhatItSays()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(upgrade()));
    QCOMPARE(client.answer().status, 101);
    QVERIFY(client.send(frame(0x80 | Pong, "unasked") + frame(0x80 | Ping, QByteArray(125, 'p'))));
    const Frame pong = client.frame();
    QCOMPARE(pong.opcode, int(Pong));
    QCOMPARE(pong.payload, QByteArray(125, 'p'));
}

void TestWebSocket::theClientsCloseIsAnsweredAndEndsTheConnection()
{
    HttpFixture server;
    for (const QByteArray &close : {closeFrame(1000, "bye"), frame(0x80 | Close)}) {
        RawClient client(server.port());
        QVERIFY(client.send(upgrade()));
        QCOMPARE(client.answer().status, 101);
        QVERIFY(client.send(close + frame(0x80 | Text, "behind it")));
        QCOMPARE(client.frame().closeCode(), close.size() > 6 ? 1000 : 0);
        QVERIFY(client.endsSilently());
    }
    QVERIFY(eventually([&] { return server.ended == 2 && server.connections() == 0; }));
}

void TestWebSocket::framesAgainstTheProtocolCloseIt_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("code");
    QTest::newRow("unmasked") << QByteArray("\x81\x02hi", 4) << 1002;
    QTest::newRow("a reserved bit") << frame(0xc0 | Text, "hi") << 1002;
    QTest::newRow("an unknown opcode") << frame(0x80 | 3, "hi") << 1002;
    QTest::newRow("an unknown control") << frame(0x80 | 11, "hi") << 1002;
    QTest::newRow("a continuation of nothing") << frame(0x80 | Continuation, "hi") << 1002;
    QTest::newRow("a text inside a text") << frame(Text, "a") + frame(0x80 | Text, "b") << 1002;
    QTest::newRow("a code that nobody may send") << closeFrame(1006) << 1002;
    QTest::newRow("not UTF-8") << frame(0x80 | Text, "a\xff") << 1007;
    QTest::newRow("half a character") << frame(0x80 | Text, "a\xe9\xa0") << 1007;
    QTest::newRow("too long") << frame(0x80 | Text, QByteArray(junban::limits::socket_message_bytes_max + 1, 'a')) << 1009;
    QTest::newRow("too long in parts") << frame(Text, QByteArray(1'000, 'a')) + frame(0x80 | Continuation, QByteArray(1'000, 'a')) << 1009;
    QTest::newRow("said to be huge") << QByteArray("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x12\x34\x56\x78", 14) << 1009;
    QTest::newRow("binary") << frame(0x80 | Binary, "hi") << 1003;
    // The library says no code for what it cannot read as a frame at all.
    QTest::newRow("a control in parts") << frame(Ping, "hi") << 0;
    QTest::newRow("a control too long") << frame(0x80 | Ping, QByteArray(126, 'p')) << 0;
    QTest::newRow("a length beyond all") << QByteArray("\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\x12\x34\x56\x78", 14) << 0;
    QTest::newRow("HTTP") << request("GET", "/echo") << 1002;
}

void TestWebSocket::framesAgainstTheProtocolCloseIt()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const int, code);
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(upgrade()));
    QCOMPARE(client.answer().status, 101);
    QVERIFY(client.send(bytes + frame(0x80 | Text, "behind it")));
    QCOMPARE(client.frame().closeCode(), code);
    client.send(closeFrame(1000));
    QVERIFY(client.endsSilently());
    QVERIFY(eventually([&] { return server.ended == 1; }));
}

void TestWebSocket::theUsersCloseWaitsForTheClientsAnswer()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(upgrade()));
    QCOMPARE(client.answer().status, 101);
    QVERIFY(client.send(frame(0x80 | Text, "close") + frame(0x80 | Text, "behind it")));
    const Frame close = client.frame();
    QCOMPARE(close.closeCode(), 4401);
    QCOMPARE(close.payload.mid(2), "As asked.");
    QCOMPARE(server.ended, 0);
    QVERIFY(client.send(frame(0x80 | Ping) + closeFrame(4401)));
    QVERIFY(client.endsSilently());
    QVERIFY(eventually([&] { return server.ended == 1 && server.connections() == 0; }));
}

void TestWebSocket::aClientThatDoesNotAnswerTheCloseIsCutOff()
{
    ServerOptions options;
    options.close_deadline_ms = 200;
    HttpFixture server(options);
    RawClient client(server.port());
    QVERIFY(client.send(upgrade()));
    QCOMPARE(client.answer().status, 101);
    QVERIFY(client.send(frame(0x80 | Text, "close")));
    QCOMPARE(client.frame().closeCode(), 4401);
    QVERIFY(client.endsSilently());
    QVERIFY(eventually([&] { return server.ended == 1; }));
}

void TestWebSocket::whoAnswersPingsStaysAndWhoDoesNotIsGone()
{
    ServerOptions options;
    options.ping_ms = 300;
    options.pong_deadline_ms = 300;
    options.idle_deadline_ms = 300; // for requests alone
    HttpFixture server(options);
    RawClient lively(server.port()), silent(server.port());
    for (RawClient *client : {&lively, &silent}) {
        QVERIFY(client->send(upgrade()));
        QCOMPARE(client->answer().status, 101);
    }
    for (int i = 0; i < 4; ++i) {
        const Frame ping = lively.frame();
        QCOMPARE(ping.opcode, int(Ping));
        QVERIFY(lively.send(frame(0x80 | Pong, ping.payload)));
    }
    QCOMPARE(silent.frame().opcode, int(Ping));
    QCOMPARE(silent.frame().closeCode(), 4408);
    QVERIFY(eventually([&] { return server.ended == 1; }));
    QCOMPARE(server.opened, 2);
}

void TestWebSocket::aReaderThatStopsIsToldNoMoreAndThenCutOff()
{
    ServerOptions options;
    options.write_deadline_ms = 500;
    HttpFixture server(options);
    RawClient client(server.port());
    QVERIFY(client.send(upgrade()));
    QCOMPARE(client.answer().status, 101);
    QVERIFY(client.send(frame(0x80 | Text, "fill")));
    QVERIFY(eventually([&] { return server.filled > 0; }));
    server.inServer([](HttpServer &) {}); // it has done what it was told
    // What the kernel's buffers take, and 64 KiB.
    QVERIFY2(server.filled < 16'000, qPrintable(QString::number(server.filled)));
    QVERIFY(eventually([&] { return server.ended == 1 && server.connections() == 0; }));
}

void TestWebSocket::aReaderThatWasSlowIsToldAgain()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(upgrade()));
    QCOMPARE(client.answer().status, 101);
    QVERIFY(client.send(frame(0x80 | Text, "fill") + frame(0x80 | Text, "not told")));
    QVERIFY(eventually([&] { return server.filled > 0; }));
    server.inServer([](HttpServer &) {});
    const int filled = server.filled;
    for (int i = 0; i < filled; ++i)
        QCOMPARE(client.frame().payload, QByteArray(1'024, 'x'));
    QVERIFY(client.send(frame(0x80 | Text, "told")));
    QCOMPARE(client.frame().payload, "told");
}

void TestWebSocket::aFloodOfPingsIsNotReadWhileTheirAnswersAreNot()
{
    ServerOptions options;
    options.write_deadline_ms = 4'000;
    HttpFixture server(options);
    RawClient client(server.port());
    QVERIFY(client.send(upgrade()));
    QCOMPARE(client.answer().status, 101);
    const QByteArray pings = frame(0x80 | Ping, QByteArray(125, 'p')).repeated(1'000);
    std::atomic<qint64> taken = 0;
    std::thread sender([&] {
        while (client.send(pings)) // until the server ends the connection
            taken += pings.size();
    });
    QThread::msleep(2'000);
    const qint64 first = taken;
    QThread::msleep(1'000);
    const qint64 second = taken;
    sender.join();
    QCOMPARE(second, first);
    QVERIFY2(first > 0 && first < 50'000'000, qPrintable(QString::number(first)));
    QCOMPARE(server.ended, 1);
}

void TestWebSocket::theUserIsToldWhenTheClientGoes()
{
    HttpFixture server;
    RawClient reset(server.port()), closed(server.port()), half(server.port());
    for (RawClient *client : {&reset, &closed, &half}) {
        QVERIFY(client->send(upgrade()));
        QCOMPARE(client->answer().status, 101);
    }
    QVERIFY(eventually([&] { return server.opened == 3; }));
    reset.reset();
    QVERIFY(eventually([&] { return server.ended == 1; }));
    closed.close();
    QVERIFY(eventually([&] { return server.ended == 2; }));
    half.endOutput();
    QVERIFY(eventually([&] { return server.ended == 3 && server.connections() == 0; }));
}

void TestWebSocket::socketsBeyondTheCapAreRefused()
{
    ServerOptions options;
    options.sockets_max = 2;
    HttpFixture server(options);
    RawClient first(server.port()), second(server.port()), third(server.port());
    for (RawClient *client : {&first, &second}) {
        QVERIFY(client->send(upgrade()));
        QCOMPARE(client->answer().status, 101);
    }
    QVERIFY(third.send(upgrade()));
    const Answer refused = third.answer();
    QCOMPARE(refused.status, 503);
    QVERIFY(refused.has("retry-after") && refused.body.contains("too_many_connections"));
    // Its connection serves on, and there is room when one has left.
    QVERIFY(first.send(closeFrame(1000)));
    QVERIFY(eventually([&] { return server.ended == 1; }));
    QVERIFY(third.send(upgrade()));
    QCOMPARE(third.answer().status, 101);
}

void TestWebSocket::aDrainClosesSockets()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(upgrade()));
    QCOMPARE(client.answer().status, 101);
    server.inServer([&](HttpServer &http) { http.drain([&] { server.drained = true; }); });
    QCOMPARE(client.frame().closeCode(), 1001);
    QVERIFY(client.send(closeFrame(1001)));
    QVERIFY(client.endsSilently());
    QVERIFY(eventually([&] { return server.drained && server.ended == 1; }));
}

void TestWebSocket::anUpgradeIsRefusedWhileTheServerDrains()
{
    HttpFixture server;
    RawClient client(server.port());
    QVERIFY(client.send(laterUpgrade()));
    QVERIFY(eventually([&] { return server.held() == 1; }));
    server.inServer([&](HttpServer &http) { http.drain([&] { server.drained = true; }); });
    server.release();
    const Answer refused = client.answer();
    QCOMPARE(refused.status, 503);
    QVERIFY2(refused.body.contains("\"code\":\"cancelled\""), refused.body);
    QCOMPARE(refused.field("connection"), "close");
    QVERIFY(refused.has("retry-after"));
    QVERIFY(client.endsSilently());
    client.close();
    QVERIFY(eventually([&] { return server.drained.load(); }));
    QCOMPARE(server.opened, 0);
}

// The drain comes after the answer 101, and before the turn in which the socket's user is told.
void TestWebSocket::aDrainClosesASocketThatIsNotOpenYet()
{
    ServerOptions options;
    options.close_deadline_ms = 300;
    HttpFixture server(options);
    RawClient answering(server.port()), silent(server.port());
    for (RawClient *client : {&answering, &silent})
        QVERIFY(client->send(laterUpgrade()));
    QVERIFY(eventually([&] { return server.held() == 2; }));
    server.releaseAndDrain();
    for (RawClient *client : {&answering, &silent}) {
        QCOMPARE(client->answer().status, 101);
        QCOMPARE(client->frame().closeCode(), 1001);
    }
    QVERIFY(answering.send(closeFrame(1001)));
    for (RawClient *client : {&answering, &silent}) {
        QVERIFY(client->endsSilently());
        client->close();
    }
    QVERIFY(eventually([&] { return server.drained && server.opened == 2 && server.ended == 2; }));
}

// With a clock of the test's own: the server has run for long, so that no deadline from its start is in the future.
void TestWebSocket::aSocketClosedBeforeItOpensHasItsTime()
{
    struct Sink final : Transport {
        qint64 read(char *, qint64) override { return 0; }
        bool write(const QByteArray &bytes) override { return !bytes.isNull(); }
        qint64 unsent_bytes() const override { return 0; }
        void setReading(Reading) override {}
        void endOutput() override {}
        void abort() override {}
    } sink;
    struct Nobody final : SocketUser {
        QByteArray protocol() const override { return {}; }
        void opened(Socket &) override {}
        void received(const QByteArray &) override {}
        void ended() override {}
    };
    const ServerOptions options;
    SocketEnd socket(sink, options, std::make_shared<Nobody>());
    socket.close(CloseCode::GoingAway, "Stopping.");
    constexpr qint64 opened_ms = 1'000'000;
    socket.tick(opened_ms - 1);
    socket.open(opened_ms);
    for (const int later_ms : {1, junban::limits::socket_close_deadline_ms}) {
        socket.tick(opened_ms + later_ms);
        QCOMPARE(socket.over(), SocketEnd::Over::No);
    }
    socket.tick(opened_ms + 1 + junban::limits::socket_close_deadline_ms);
    QCOMPARE(socket.over(), SocketEnd::Over::Lingers);
}

void TestWebSocket::aServerMayEndWithSocketsOpen()
{
    auto server = std::make_unique<HttpFixture>();
    RawClient client(server->port());
    QVERIFY(client.send(upgrade()));
    QCOMPARE(client.answer().status, 101);
    server.reset();
    QVERIFY(client.endsSilently());
}

JUNBAN_TEST(TestWebSocket)
#include "test_websocket.moc"
