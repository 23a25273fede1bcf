#include "server/http/chunks.h"
#include "server/http/head.h"
#include "tests/server/http/httpfixture.h"
#include "tests/support/testmain.h"
#include "tests/support/walks.h"

#include <QTest>
#include <random>

using namespace junban::test;
using namespace junban::http;

// Mutated requests against the parsers and against a running server. The quick tier is bounded; JUNBAN_LONG asks for much more and
// JUNBAN_SEED for another sequence. Worth most under the sanitizers of the `ci` preset.
class TestHttpFuzz : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void mutatedHeadsAreParsedOrRefused();
    void mutatedChunksMeanTheSameHoweverTheyAreSplit();
    void mutatedConnectionsLeaveTheServerWell();
    void mutatedFramesLeaveTheServerWell();

private:
    QByteArray mutated(QByteArray bytes);
    QByteArray anyOf(const QList<QByteArray> &list) { return list[below(list.size())]; }
    qsizetype below(qsizetype bound) { return bound <= 0 ? 0 : qsizetype(m_random() % quint64(bound)); }

    std::mt19937_64 m_random;
};

namespace {

const QList<QByteArray> &requests()
{
    static const QList<QByteArray> list = {
        request("GET", "/head?a=1&b=%20"),
        request("POST", "/echo", "hello, world"),
        request("HEAD", "/big?100"),
        request("POST", "/hold", "wait"),
        request("GET", "/drop"),
        request("GET", "/status?204"),
        request("POST", "/echo", "bye", "Connection: close\r\n"),
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n7\r\n, world\r\n0\r\nT: 1\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: [::1]:80\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello",
        "POST /echo HTTP/1.0\r\nContent-Length: 3\r\n\r\nold",
        "GET /echo HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nX-Gate-Id: 1-1\r\n\r\n",
    };
    return list;
}

const QList<QByteArray> &splices()
{
    static const QList<QByteArray> list = {"\r\n", "\n", "\r", "\r\n\r\n", " ", "\t", ":", ",", "0", "-1", "+", "%00", "%", "//", "?",
        "chunked", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Host: b\r\n", "Connection: close\r\n",
        "ffffffffffffffff", "7fffffffffffffff", "99999999999999999999", "HTTP/1.1", "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n",
        QByteArray(1, '\0'), "\x7f", "\xff", QByteArray(300, 'a'), QByteArray(5'000, 'b'), QByteArray("X: 1\r\n").repeated(70)};
    return list;
}

} // namespace

void TestHttpFuzz::initTestCase()
{
    const quint64 seed = qEnvironmentVariable("JUNBAN_SEED", QStringLiteral("1")).toULongLong();
    m_random.seed(seed);
    qInfo("seed %llu", seed);
}

QByteArray TestHttpFuzz::mutated(QByteArray bytes)
{
    for (qsizetype i = below(4); i >= 0; --i) {
        const qsizetype at = below(bytes.size());
        switch (below(7)) {
        case 0:
            if (!bytes.isEmpty())
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
            break;
        case 1: bytes.insert(at, static_cast<char>(below(256))); break;
        case 2: bytes.remove(at, 1 + below(4)); break;
        case 3: bytes.insert(at, anyOf(splices())); break;
        case 4: bytes.insert(at, bytes.mid(below(bytes.size()), below(40))); break;
        case 5: bytes.replace(at, 1 + below(8), anyOf(splices())); break;
        default: break; // as it is
        }
    }
    return bytes;
}

void TestHttpFuzz::mutatedHeadsAreParsedOrRefused()
{
    int parsed = 0;
    Rounds rounds(50'000, 2'000'000);
    const Row row("Mutated heads of requests", rounds, "violations");
    while (rounds.next()) {
        const QByteArray bytes = mutated(anyOf(requests()));
        HeadScan scan;
        if (scan.look(bytes) != HeadScan::Found::End)
            continue;
        // Found at the same place when the bytes come one by one.
        HeadScan bytewise;
        for (qsizetype size = 1; size < scan.size(); ++size)
            QVERIFY2(bytewise.look(QByteArrayView(bytes).first(size)) == HeadScan::Found::Nothing, bytes);
        QVERIFY2(bytewise.look(QByteArrayView(bytes).first(scan.size())) == HeadScan::Found::End, bytes);
        const auto result = parseHead(QByteArrayView(bytes).first(scan.size()), {16'384, 4'096, 64});
        if (const Refusal *refusal = std::get_if<Refusal>(&result)) {
            QVERIFY2(refusal->status() >= 400 && refusal->status() <= 505, bytes);
            continue;
        }
        ++parsed;
        const Head &head = std::get<Head>(result);
        QVERIFY2(head.path.startsWith('/') && !head.path.startsWith("//") && head.length >= 0, bytes);
        int framings = 0;
        for (const auto &[name, value] : head.fields) {
            QVERIFY2(isToken(name) && name == name.toLower() && isFieldValue(value) && value == value.trimmed(), bytes);
            framings += name == "content-length" || name == "transfer-encoding";
        }
        QVERIFY2(framings == (head.framing == Framing::Nothing ? 0 : 1), bytes);
    }
    qInfo("%d heads, %d of them sound", rounds.begun(), parsed);
    QVERIFY(parsed > rounds.begun() / 100);
}

void TestHttpFuzz::mutatedChunksMeanTheSameHoweverTheyAreSplit()
{
    const QList<QByteArray> bodies = {"5;a=b\r\nhello\r\n7\r\n, world\r\n0\r\nT: 1\r\n\r\n", "0\r\n\r\n", "1\r\na\r\n1\r\nb\r\n00\r\n\r\n",
                                      "A\r\n0123456789\r\n0;x=\"y\"\r\nA: b\r\nC:\r\n\r\nGET / HTTP/1.1\r\n"};
    int finished = 0;
    Rounds rounds(50'000, 2'000'000);
    const Row row("Mutated chunks", rounds, "violations");
    while (rounds.next()) {
        const QByteArray bytes = mutated(anyOf(bodies));
        ChunkDecoder whole(1'000);
        QByteArray body;
        const qsizetype used = whole.take(bytes, body);
        ChunkDecoder pieces(1'000);
        QByteArray same;
        qsizetype at = 0;
        while (at < bytes.size() && !pieces.finished() && !pieces.fault())
            at += pieces.take(QByteArrayView(bytes).sliced(at, std::min(bytes.size() - at, 1 + below(5))), same);
        QVERIFY2(at == used && same == body && body.size() <= 1'000, bytes);
        QVERIFY2(pieces.finished() == whole.finished() && pieces.fault().has_value() == whole.fault().has_value(), bytes);
        finished += whole.finished();
    }
    qInfo("%d bodies, %d of them sound", rounds.begun(), finished);
    QVERIFY(finished > rounds.begun() / 100);
}

void TestHttpFuzz::mutatedConnectionsLeaveTheServerWell()
{
    ServerOptions options;
    options.place = [](const QByteArray &, const QByteArray &) { return Place{10'000}; };
    HttpFixture server(options);
    Rounds rounds(3'000, 60'000);
    const Row row("Mutated connections", rounds, "violations");
    int answers = 0;
    while (rounds.next()) {
        QByteArray bytes;
        for (qsizetype i = below(4); i >= 0; --i)
            bytes += below(3) == 0 ? anyOf(requests()) : mutated(anyOf(requests()));
        RawClient client(server.port());
        QVERIFY(client.connected());
        for (qsizetype at = 0; at < bytes.size();) {
            const qsizetype piece = below(2) == 0 ? bytes.size() : 1 + below(60);
            if (!client.send(bytes.mid(at, piece)))
                break;
            at += piece;
        }
        const qsizetype how = below(8);
        if (how == 0) {
            client.reset();
        } else if (how == 1) {
            client.close();
        } else {
            client.endOutput();
            // Nothing comes but whole answers with a status, and nothing behind the last.
            QByteArray rest = client.rest();
            while (!rest.isEmpty()) {
                if (rest.startsWith("HTTP/1.1 100 Continue\r\n\r\n")) {
                    rest.remove(0, 25);
                    continue;
                }
                const qsizetype end = rest.indexOf("\r\n\r\n");
                QVERIFY2(rest.startsWith("HTTP/1.1 ") && end > 0, bytes);
                Answer answer;
                answer.head = rest.first(end + 2);
                const int status = rest.mid(9, 4).trimmed().toInt(); // /status?N may ask for any
                QVERIFY2(status >= 200 && status <= 599, bytes);
                // An answer to HEAD says how long its body would be: then the next answer, or the end, follows at once.
                const qsizetype size = answer.field("content-length").toInt();
                rest.remove(0, end + 4);
                if (!rest.isEmpty() && !rest.startsWith("HTTP/1.1 "))
                    rest.remove(0, size);
                if (answer.field("connection") == "close")
                    QVERIFY2(rest.isEmpty(), bytes);
                ++answers;
            }
        }
        if (rounds.begun() % 100 == 0) {
            server.release();
            QCOMPARE(exchange(server.port(), request("POST", "/echo", "well")).body, "well");
        }
    }
    server.release();
    QVERIFY(eventually([&] { return server.connections() == 0; }));
    qInfo("%d connections, %d answers, %d requests handled", rounds.begun(), answers, int(server.handled));
    QVERIFY(answers > rounds.begun() / 2);
}

void TestHttpFuzz::mutatedFramesLeaveTheServerWell()
{
    const QList<QByteArray> frames = {frame(0x80 | Text, "hello"), frame(0x80 | Ping, "p"), frame(0x80 | Pong), frame(Text, "one"),
        frame(Continuation, "two"), frame(0x80 | Continuation, "three"), frame(0x80 | Binary, "b"), frame(0x80 | Text, "close"),
        frame(0x80 | Text, QByteArray(200, 'a')), closeFrame(1000, "bye"), frame(0x80 | Close),
        QByteArray("\x81\xff\x00\x00\x00\x00\x00\x01\x00\x00", 10)};
    HttpFixture server;
    Rounds rounds(3'000, 60'000);
    const Row row("Mutated frames of WebSockets", rounds, "violations");
    int came = 0;
    while (rounds.next()) {
        QByteArray bytes;
        for (qsizetype i = below(6); i >= 0; --i)
            bytes += below(2) == 0 ? anyOf(frames) : mutated(anyOf(frames));
        RawClient client(server.port());
        QVERIFY(client.send(upgrade()));
        QCOMPARE(client.answer().status, 101);
        for (qsizetype at = 0; at < bytes.size();) {
            const qsizetype piece = below(2) == 0 ? bytes.size() : 1 + below(20);
            if (!client.send(bytes.mid(at, piece)))
                break;
            at += piece;
        }
        if (below(8) == 0) {
            client.reset();
            continue;
        }
        client.endOutput();
        // Nothing comes but whole texts, pings, pongs and, at last, one close.
        for (Frame frame = client.frame(); frame.opcode >= 0; frame = client.frame()) {
            QVERIFY2(frame.final && (frame.opcode == Text || frame.opcode >= Close), bytes);
            ++came;
            if (frame.opcode == Close) {
                QVERIFY2(client.endsSilently(), bytes);
                break;
            }
        }
        if (rounds.begun() % 100 == 0)
            QCOMPARE(exchange(server.port(), request("POST", "/echo", "well")).body, "well");
    }
    QVERIFY(eventually([&] { return server.connections() == 0 && server.ended == server.opened; }));
    qInfo("%d WebSockets, %d frames came", rounds.begun(), came);
    QVERIFY(came > rounds.begun() / 2);
}

JUNBAN_TEST(TestHttpFuzz)
#include "test_httpfuzz.moc"
