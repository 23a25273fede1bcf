#include "server/httpserver.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTcpSocket>
#include <QTest>
#include <QTimer>
#include <sys/socket.h>

using namespace junban;
using namespace junban::http;

namespace {

const QByteArray hello = "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello";

} // namespace

// The gate over real sockets: what RFC 9112 does not allow is refused, answers keep their order, nobody can make it wait.
class TestGate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_options = ServerOptions();
        m_seen.clear();
        m_held.clear();
        m_goneCount = 0;
    }
    void cleanup()
    {
        m_held.clear();
        m_server.reset();
    }

    void aRequestIsEchoedByteForByte()
    {
        start();
        QByteArray body(300'000, Qt::Uninitialized);
        for (char &byte : body)
            byte = char(QRandomGenerator::global()->generate());
        const QByteArray answer = talk(post(body));
        QCOMPARE(statusOf(answer), 200);
        QVERIFY(answer.endsWith(body));
        QVERIFY(answer.contains("\r\nX-Content-Type-Options: nosniff\r\n"));
        QVERIFY(answer.contains("\r\nDate: "));
    }

    void malformedRequestsAreRefusedAndTheConnectionClosed_data()
    {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<int>("status");
        const QByteArray tail = "\r\nHost: a\r\n\r\n";
        const auto post = [](const char *fields) { return "POST /echo HTTP/1.1\r\nHost: a\r\n" + QByteArray(fields) + "\r\n\r\nhello"; };
        QTest::newRow("two lengths") << post("Content-Length: 5\r\nContent-Length: 5") << 400;
        QTest::newRow("length list") << post("Content-Length: 5, 5") << 400;
        QTest::newRow("length plus") << post("Content-Length: +5") << 400;
        QTest::newRow("length minus") << post("Content-Length: -5") << 400;
        QTest::newRow("length hex") << post("Content-Length: 0x5") << 400;
        QTest::newRow("length of 2^64-1") << post("Content-Length: 18446744073709551615") << 413;
        QTest::newRow("length and coding") << post("Content-Length: 5\r\nTransfer-Encoding: chunked") << 400;
        QTest::newRow("coding xchunkedx") << post("Transfer-Encoding: xchunkedx") << 501;
        QTest::newRow("coding gzip, chunked") << post("Transfer-Encoding: gzip, chunked") << 501;
        QTest::newRow("two codings") << post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked") << 400;
        QTest::newRow("coding in 1.0") << QByteArray("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n") << 400;
        QTest::newRow("space before colon") << post("Content-Length : 5") << 400;
        QTest::newRow("folded line") << post("X-A: b\r\n c") << 400;
        QTest::newRow("no colon") << post("nonsense") << 400;
        QTest::newRow("NUL in a value") << "GET / HTTP/1.1\r\nHost: a\r\nX-A: b" + QByteArray(1, '\0') + "\r\n\r\n" << 400;
        QTest::newRow("bare LF") << QByteArray("GET / HTTP/1.1\nHost: a\n\n") << 400;
        QTest::newRow("bare LF in a field") << QByteArray("GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n") << 400;
        QTest::newRow("no host") << QByteArray("GET / HTTP/1.1\r\n\r\n") << 400;
        QTest::newRow("two hosts") << QByteArray("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n") << 400;
        QTest::newRow("host with a path") << QByteArray("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n") << 400;
        QTest::newRow("host with a user") << QByteArray("GET / HTTP/1.1\r\nHost: u@a\r\n\r\n") << 400;
        QTest::newRow("absolute form") << "GET http://a/ HTTP/1.1" + tail << 400;
        QTest::newRow("two slashes") << "GET //foo/dump HTTP/1.1" + tail << 400;
        QTest::newRow("space in the target") << "GET /a b HTTP/1.1" + tail << 400;
        QTest::newRow("fragment") << "GET /a#b HTTP/1.1" + tail << 400;
        QTest::newRow("byte above ASCII in the target") << "GET /\xc3\xa9 HTTP/1.1" + tail << 400;
        QTest::newRow("version 9.z") << "GET / HTTPx9.z" + tail << 400;
        QTest::newRow("version 2.0") << "GET / HTTP/2.0" + tail << 505;
        QTest::newRow("method with a colon") << "G:T / HTTP/1.1" + tail << 400;
        QTest::newRow("unknown expectation") << post("Content-Length: 5\r\nExpect: magic") << 417;
        QTest::newRow("chunk size ZZ") << QByteArray("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n") << 400;
        QTest::newRow("chunk size -1") << QByteArray("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n") << 400;
        QTest::newRow("chunk without its end")
            << QByteArray("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n") << 400;
        QTest::newRow("head of 20 KB") << "GET / HTTP/1.1\r\nHost: a\r\nX-A: " + QByteArray(20'000, 'x') + "\r\n\r\n" << 431;
        QTest::newRow("65 fields") << "GET / HTTP/1.1\r\nHost: a\r\n" + QByteArray("X-A: b\r\n").repeated(64) + "\r\n" << 431;
        QTest::newRow("target of 5 KB") << "GET /" + QByteArray(5'000, 'x') + " HTTP/1.1" + tail << 414;
        QTest::newRow("body over its limit") << post("Content-Length: 1048577") << 413;
        QTest::newRow("chunks over the limit")
            << QByteArray("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n100001\r\n") << 413;
    }
    void malformedRequestsAreRefusedAndTheConnectionClosed()
    {
        QFETCH(QByteArray, request);
        QFETCH(int, status);
        start();
        // A request that was smuggled behind the refused one must never be seen.
        const QByteArray answer = talk(request + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n", Until::Closed);
        QCOMPARE(statusOf(answer), status);
        QCOMPARE(answer.count("HTTP/1.1 "), 1);
        QVERIFY(answer.contains("\r\nConnection: close\r\n"));
        QVERIFY(answer.contains("application/problem+json"));
        QVERIFY(m_seen.isEmpty());
    }

    void aBodyMayComeInAnyPieces()
    {
        start();
        const QByteArray chunked = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                                   "4;name=value\r\nwiki\r\n5\r\npedia\r\n0\r\nTrailer: x\r\n\r\n";
        for (const QByteArray &request : {hello, chunked}) {
            for (qsizetype cut = 1; cut < request.size(); cut += 3) {
                QTcpSocket socket;
                connectTo(socket);
                socket.write(request.first(cut));
                socket.flush();
                QTest::qWait(1);
                socket.write(request.sliced(cut));
                QTRY_VERIFY(socket.bytesAvailable() > 0);
                const QByteArray answer = socket.readAll();
                QCOMPARE(statusOf(answer), 200);
                QVERIFY(answer.endsWith(request == hello ? "hello" : "wikipedia"));
            }
        }
    }

    void pipelinedAnswersComeInOrderHoweverLateTheyAreGiven()
    {
        start();
        QTcpSocket socket;
        connectTo(socket);
        QByteArray requests;
        for (int i = 0; i < 300; ++i)
            requests += "GET /late/" + QByteArray::number(i) + " HTTP/1.1\r\nHost: a\r\n\r\n";
        socket.write(requests);
        QByteArray answers;
        QTRY_VERIFY_WITH_TIMEOUT((answers += socket.readAll()).count("HTTP/1.1 200") == 300, 20'000);
        qsizetype at = 0;
        for (int i = 0; i < 300; ++i) {
            const QByteArray body = "<" + QByteArray::number(i) + ">";
            at = answers.indexOf(body, at);
            QVERIFY2(at > 0, body.constData());
        }
    }

    void aClientThatGoesAwayIsHeardOfAndTheLateAnswerDropped_data()
    {
        QTest::addColumn<bool>("reset");
        QTest::newRow("FIN") << false;
        QTest::newRow("RST") << true;
    }
    void aClientThatGoesAwayIsHeardOfAndTheLateAnswerDropped()
    {
        QFETCH(bool, reset);
        start();
        QTcpSocket socket;
        connectTo(socket);
        socket.write("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n");
        QTRY_COMPARE(m_held.size(), 1);
        if (reset) {
            const linger hard{1, 0};
            setsockopt(int(socket.socketDescriptor()), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        }
        socket.abort();
        QTRY_COMPARE(m_goneCount, 1);
        QVERIFY(!m_held[0].alive());
        QVERIFY(!m_held[0].reply({200, "text/plain", "late"}));
        QTRY_COMPARE(m_server->connections(), 0);
    }

    void aRequestDroppedWithoutAnAnswerGets500()
    {
        start();
        QCOMPARE(statusOf(talk("GET /drop HTTP/1.1\r\nHost: a\r\n\r\n")), 500);
    }

    void aRequestNeverAnsweredGets504()
    {
        m_options.answer_deadline_ms = 300;
        start();
        QCOMPARE(statusOf(talk("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")), 504);
        QCOMPARE(m_goneCount, 1);
        QVERIFY(!m_held[0].alive());
    }

    void slowClientsAreSentAway()
    {
        m_options.head_deadline_ms = 300;
        m_options.body_deadline_ms = 300;
        m_options.idle_deadline_ms = 600;
        start();
        QCOMPARE(statusOf(talk("GET / HT", Until::Closed)), 408);
        QCOMPARE(statusOf(talk("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc", Until::Closed)), 408);
        const QByteArray once = talk(hello, Until::Closed);
        QCOMPARE(statusOf(once), 200); // and then closed as idle, with no further words
        QCOMPARE(once.count("HTTP/1.1 "), 1);
        QCOMPARE(talk("", Until::Closed), QByteArray());
    }

    void aClientThatExpectsItIsToldToContinue()
    {
        start();
        QTcpSocket socket;
        connectTo(socket);
        socket.write("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
        QTRY_VERIFY(socket.bytesAvailable() > 0);
        QCOMPARE(socket.readAll(), QByteArray("HTTP/1.1 100 Continue\r\n\r\n"));
        socket.write("hello");
        QTRY_VERIFY(socket.bytesAvailable() > 0);
        QVERIFY(socket.readAll().endsWith("hello"));
    }

    void headGetsNoBodyAndOldProtocolsAreClosed()
    {
        start();
        const QByteArray head = talk("HEAD /late/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", Until::Closed);
        QVERIFY(head.contains("\r\nContent-Length: 3\r\n"));
        QVERIFY(head.endsWith("\r\n\r\n"));
        QVERIFY(talk("GET /late/1 HTTP/1.0\r\n\r\n", Until::Closed).contains("\r\nConnection: close\r\n"));
        QVERIFY(talk("GET /late/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", Until::Closed).endsWith("<1>"));
        const QByteArray empty = talk("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n");
        QCOMPARE(statusOf(empty), 204);
        QVERIFY(!empty.contains("\r\nContent-Length") && !empty.contains("\r\nContent-Type"));
    }

    void connectionsBeyondTheCapGet503()
    {
        m_options.connections_max = 2;
        start();
        QTcpSocket first, second;
        connectTo(first);
        connectTo(second);
        QTRY_COMPARE(m_server->connections(), 2);
        const QByteArray answer = talk(hello, Until::Closed);
        QCOMPARE(statusOf(answer), 503);
        QVERIFY(answer.contains("Retry-After: 1"));
    }

    void aDrainAnswersWhatIsUnderWayAndClosesTheRest()
    {
        start();
        QTcpSocket idle, busy;
        connectTo(idle);
        connectTo(busy);
        busy.write("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n");
        QTRY_COMPARE(m_held.size(), 1);
        bool drained = false;
        m_server->drain([&] { drained = true; });
        QTRY_COMPARE(idle.state(), QAbstractSocket::UnconnectedState);
        QVERIFY(!drained);
        QVERIFY(m_held[0].reply({200, "text/plain", "last"}));
        QTRY_COMPARE(busy.state(), QAbstractSocket::UnconnectedState);
        QVERIFY(busy.readAll().contains("Connection: close"));
        QTRY_VERIFY(drained);
        QTcpSocket late;
        late.connectToHost(QHostAddress::LocalHost, m_port);
        QTRY_COMPARE(late.state(), QAbstractSocket::UnconnectedState);
    }

    void itListensOnIPv6AndSharesAPort()
    {
        start();
        const Result<quint16> port = m_server->listen(QHostAddress::AnyIPv6, 0);
        QVERIFY(port.ok());
        HttpServer other(ServerOptions{}, [](const Exchange &exchange) { exchange.reply({200, "text/plain", "other"}); });
        QVERIFY(!other.listen(QHostAddress::AnyIPv6, *port).ok());
        QVERIFY(other.listen(QHostAddress::AnyIPv6, *port, HttpServer::Port::Join).ok());
        for (const QHostAddress &address : {QHostAddress(QHostAddress::LocalHost), QHostAddress(QHostAddress::LocalHostIPv6)}) {
            QTcpSocket socket;
            socket.connectToHost(address, *port);
            QTRY_COMPARE(socket.state(), QAbstractSocket::ConnectedState);
            socket.write(hello);
            QTRY_VERIFY(socket.bytesAvailable() > 0);
            QCOMPARE(statusOf(socket.readAll()), 200);
        }
    }

    // Any bytes at all: it answers or closes, never crashes, and goes on serving. The sanitizers look on.
    void mutatedRequestsNeverHurtIt()
    {
        m_options.head_deadline_ms = 200;
        m_options.body_deadline_ms = 200;
        start();
        const quint32 seed = qEnvironmentVariableIsSet("JUNBAN_SEED") ? qEnvironmentVariable("JUNBAN_SEED").toUInt()
                                                                      : QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        const int rounds = qEnvironmentVariableIsSet("JUNBAN_LONG") ? 20'000 : 600;
        const QByteArray seeds[] = {hello, "GET /late/7 HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            "POST /hold HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx" + hello, "HEAD /drop HTTP/1.0\r\n\r\n"};
        for (int round = 0; round < rounds; ++round) {
            QByteArray bytes = seeds[random.bounded(5)] + seeds[random.bounded(5)];
            const int changes = random.bounded(6);
            for (int change = 0; change < changes && !bytes.isEmpty(); ++change) {
                const qsizetype at = random.bounded(int(bytes.size()));
                switch (random.bounded(4)) {
                case 0: bytes[at] = char(random.bounded(256)); break;
                case 1: bytes.remove(at, random.bounded(9)); break;
                case 2: bytes.insert(at, bytes.mid(random.bounded(int(bytes.size())), random.bounded(30))); break;
                default: bytes.insert(at, "\r\n"); break;
                }
            }
            QTcpSocket socket;
            connectTo(socket);
            const qsizetype cut = random.bounded(int(bytes.size()) + 1);
            socket.write(bytes.first(cut));
            socket.flush();
            QCoreApplication::sendPostedEvents();
            QTest::qWait(0);
            socket.write(bytes.sliced(cut));
            socket.flush();
            QTest::qWait(random.bounded(3));
            for (const Exchange &held : std::as_const(m_held))
                held.reply({200, "text/plain", "held"});
            m_held.clear();
            random.bounded(2) ? socket.abort() : socket.disconnectFromHost();
        }
        QVERIFY(talk(hello).endsWith("hello"));
        QTRY_COMPARE_WITH_TIMEOUT(m_server->connections(), 0, 10'000);
    }

private:
    enum class Until { Answered, Closed };

    void start()
    {
        m_server = std::make_unique<HttpServer>(m_options, [this](const Exchange &exchange) { handle(exchange); });
        const Result<quint16> port = m_server->listen(QHostAddress::LocalHost, 0);
        QVERIFY(port.ok());
        m_port = *port;
    }
    void handle(const Exchange &exchange)
    {
        const Request &request = exchange.request();
        m_seen.append(request.path);
        if (request.path.startsWith("/late/")) {
            const int number = request.path.mid(6).toInt();
            QTimer::singleShot((number * 7) % 5, this, [exchange, number] {
                exchange.reply({200, "text/plain", "<" + QByteArray::number(number) + ">"});
            });
        } else if (request.path == "/hold") {
            exchange.onGone([this] { ++m_goneCount; });
            m_held.append(exchange);
        } else if (request.path == "/nothing") {
            exchange.reply({204, {}, {}});
        } else if (request.path != "/drop") {
            exchange.reply({200, "application/octet-stream", request.body});
        }
    }
    void connectTo(QTcpSocket &socket)
    {
        socket.connectToHost(QHostAddress::LocalHost, m_port);
        QTRY_VERIFY(socket.state() == QAbstractSocket::ConnectedState || socket.bytesAvailable() > 0);
    }
    // Sends `bytes` and returns what came back by the end of the first answer, or by the close.
    QByteArray talk(const QByteArray &bytes, Until until = Until::Answered)
    {
        QTcpSocket socket;
        connectTo(socket);
        socket.write(bytes);
        QByteArray answer;
        const bool ended = QTest::qWaitFor(
            [&] {
                answer += socket.readAll();
                return until == Until::Closed ? socket.state() == QAbstractSocket::UnconnectedState : complete(answer);
            },
            10'000);
        if (!ended)
            qWarning("no answer in time: %s", answer.constData());
        return answer;
    }
    static bool complete(const QByteArray &answer)
    {
        const qsizetype end = answer.indexOf("\r\n\r\n");
        if (end < 0)
            return false;
        const qsizetype field = answer.indexOf("Content-Length: ");
        const qsizetype length = field < 0 || field > end ? 0 : answer.mid(field + 16, answer.indexOf('\r', field) - field - 16).toInt();
        return answer.size() >= end + 4 + length;
    }
    static QByteArray post(const QByteArray &body)
    {
        return "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
    }
    static int statusOf(const QByteArray &answer) { return answer.mid(9, 3).toInt(); }

    ServerOptions m_options;
    std::unique_ptr<HttpServer> m_server;
    quint16 m_port = 0;
    QList<QByteArray> m_seen;
    QList<Exchange> m_held;
    int m_goneCount = 0;
};

QTEST_GUILESS_MAIN(TestGate)
#include "test_gate.moc"
