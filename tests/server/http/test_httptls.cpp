#include "tests/server/http/httpfixture.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QProcess>
#include <QSslCertificate>
#include <QSslKey>
#include <QSslSocket>
#include <QTemporaryDir>
#include <QTest>
#include <optional>
#include <vector>

using namespace junban::test;
using namespace junban::http;

// The same server over TLS, with a certificate made for the test.
class TestHttpTls : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void requestsAreServedOverTls();
    void largeBodiesGoBothWays();
    void aSlowReaderHoldsNobodyUp();
    void handshakesThatNeverEndHoldNobodyUp();
    void aClientThatSpeaksPlainIsCutOff();
    void aRefusalReachesAClientStillSending();
    void aClientThatLeavesIsNoticed();
    void aClosedConnectionSaysGoodbye();
    void aDrainClosesConnections();
    void whoHasNoCertificateOfTheAuthorityIsRefused();
    void newCertificatesAreForNewConnections();

private:
    struct Identity {
        QSslCertificate certificate;
        QSslKey key;
    };
    static std::optional<Identity> makeIdentity(const char *subject);
    ServerOptions options() const;
    bool connectTo(QSslSocket &socket, quint16 port) const;
    static QByteArray answerOf(QSslSocket &socket, const QByteArray &bytes);

    QSslConfiguration m_server;
    QSslCertificate m_certificate;
};

// With a certificate that is its own authority.
std::optional<TestHttpTls::Identity> TestHttpTls::makeIdentity(const char *subject)
{
    QTemporaryDir dir;
    const QString key = dir.filePath(QStringLiteral("key.pem"));
    const QString certificate = dir.filePath(QStringLiteral("certificate.pem"));
    QProcess openssl;
    openssl.start(QStringLiteral("openssl"), {QStringLiteral("req"), QStringLiteral("-x509"), QStringLiteral("-newkey"),
        QStringLiteral("ec"), QStringLiteral("-pkeyopt"), QStringLiteral("ec_paramgen_curve:P-256"), QStringLiteral("-nodes"),
        QStringLiteral("-keyout"), key, QStringLiteral("-out"), certificate, QStringLiteral("-subj"), QString::fromLatin1(subject),
        QStringLiteral("-addext"), QStringLiteral("subjectAltName=DNS:localhost"), QStringLiteral("-days"), QStringLiteral("2")});
    QFile keyFile(key);
    if (!openssl.waitForFinished() || !keyFile.open(QIODevice::ReadOnly))
        return {};
    const QSslCertificate made = QSslCertificate::fromPath(certificate).value(0);
    return made.isNull() ? std::nullopt : std::optional(Identity{made, QSslKey(&keyFile, QSsl::Ec)});
}

void TestHttpTls::initTestCase()
{
    const std::optional<Identity> made = makeIdentity("/CN=localhost");
    QVERIFY(made);
    m_certificate = made->certificate;
    m_server = QSslConfiguration::defaultConfiguration();
    m_server.setLocalCertificate(m_certificate);
    m_server.setPrivateKey(made->key);
    m_server.setProtocol(QSsl::TlsV1_2OrLater);
}

ServerOptions TestHttpTls::options() const
{
    ServerOptions options;
    options.tls = std::make_shared<TlsSettings>(m_server);
    return options;
}

bool TestHttpTls::connectTo(QSslSocket &socket, quint16 port) const
{
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setCaCertificates({m_certificate});
    socket.setSslConfiguration(configuration);
    socket.setPeerVerifyName(QStringLiteral("localhost"));
    socket.connectToHostEncrypted(QStringLiteral("127.0.0.1"), port);
    return QTest::qWaitFor([&] { return socket.isEncrypted(); }, 15'000);
}

// The whole of one answer; empty when the connection ends first.
QByteArray TestHttpTls::answerOf(QSslSocket &socket, const QByteArray &bytes)
{
    socket.write(bytes);
    QByteArray text;
    const bool complete = QTest::qWaitFor([&] {
        text += socket.readAll();
        const qsizetype head = text.indexOf("\r\n\r\n");
        const qsizetype length = text.indexOf("Content-Length: ");
        return head >= 0 && length >= 0 && text.size() >= head + 4 + text.mid(length + 16, 12).split('\r').first().toInt();
    }, 15'000);
    return complete ? text : QByteArray();
}

void TestHttpTls::requestsAreServedOverTls()
{
    HttpFixture server(options());
    QSslSocket client;
    QVERIFY2(connectTo(client, server.port()), qPrintable(client.errorString()));
    for (int i = 0; i < 20; ++i) {
        const QByteArray body = "body " + QByteArray::number(i);
        QVERIFY(answerOf(client, request("POST", "/echo", body)).endsWith("\r\n\r\n" + body));
    }
    QByteArray bytes;
    for (int i = 0; i < 100; ++i)
        bytes += request("POST", "/echo", "pipelined");
    client.write(bytes);
    QByteArray text;
    QVERIFY(QTest::qWaitFor([&] { return (text += client.readAll()).count("pipelined") == 100; }, 15'000));
}

void TestHttpTls::largeBodiesGoBothWays()
{
    HttpFixture server(options());
    QSslSocket client;
    QVERIFY(connectTo(client, server.port()));
    const QByteArray body(1'000'000, 'b');
    QVERIFY(answerOf(client, request("POST", "/echo", body)).endsWith(body));
    QVERIFY(answerOf(client, request("GET", "/big?5000000")).size() > 5'000'000);
    QVERIFY(answerOf(client, request("POST", "/echo", "next")).endsWith("next"));
}

void TestHttpTls::aSlowReaderHoldsNobodyUp()
{
    ServerOptions slow = options();
    slow.write_deadline_ms = 300;
    slow.body_rate_min = 1'000'000'000;
    HttpFixture server(slow);
    QSslSocket lazy;
    lazy.setReadBufferSize(1'000);
    QVERIFY(connectTo(lazy, server.port()));
    // Only the first answer is made: the second request waits until that one has gone, so output cannot pile up.
    lazy.write(request("GET", "/big?20000000") + request("GET", "/big?20000000"));
    QVERIFY(QTest::qWaitFor([&] { return server.handled == 1; }, 15'000));
    QSslSocket other;
    QVERIFY(connectTo(other, server.port()));
    QVERIFY(answerOf(other, request("POST", "/echo", "quick")).endsWith("quick"));
    QVERIFY(QTest::qWaitFor([&] { return server.connections() == 1; }, 15'000)); // the lazy one is cut off
    QCOMPARE(server.handled, 2);
}

void TestHttpTls::handshakesThatNeverEndHoldNobodyUp()
{
    ServerOptions quick = options();
    quick.handshake_deadline_ms = 500;
    HttpFixture server(quick);
    std::vector<std::unique_ptr<RawClient>> silent;
    for (int i = 0; i < 45; ++i)
        silent.push_back(std::make_unique<RawClient>(server.port()));
    QVERIFY(eventually([&] { return server.connections() == 45; }));
    QSslSocket client;
    QVERIFY(connectTo(client, server.port()));
    QVERIFY(answerOf(client, request("POST", "/echo", "in")).endsWith("in"));
    // Their time runs out, and those that leave by themselves leave nothing behind.
    for (int i = 0; i < 20; ++i)
        silent[static_cast<size_t>(i)]->close();
    QVERIFY(eventually([&] { return server.connections() == 1; }));
    for (int i = 20; i < 45; ++i)
        QVERIFY(silent[static_cast<size_t>(i)]->endsSilently());
    QSslSocket later;
    QVERIFY(connectTo(later, server.port()));
}

void TestHttpTls::aClientThatSpeaksPlainIsCutOff()
{
    HttpFixture server(options());
    RawClient client(server.port());
    QVERIFY(client.send(request("GET", "/echo")));
    QVERIFY(!client.rest().contains("HTTP/1.1 200"));
    QVERIFY(eventually([&] { return server.connections() == 0; }));
    QCOMPARE(server.handled, 0);
}

void TestHttpTls::aRefusalReachesAClientStillSending()
{
    HttpFixture server(options());
    QSslSocket client;
    QVERIFY(connectTo(client, server.port()));
    QVERIFY(answerOf(client, request("POST", "/echo", QByteArray(2'000'000, 'a'))).startsWith("HTTP/1.1 413 "));
}

void TestHttpTls::aClientThatLeavesIsNoticed()
{
    HttpFixture server(options());
    auto client = std::make_unique<QSslSocket>();
    QVERIFY(connectTo(*client, server.port()));
    client->write(request("POST", "/hold", "a"));
    QVERIFY(QTest::qWaitFor([&] { return server.held() == 1; }, 15'000));
    client->abort();
    QVERIFY(eventually([&] { return server.gone == 1; }));
    QVERIFY(eventually([&] { return server.connections() == 0; }));
    QCOMPARE(server.release(), 0);
}

void TestHttpTls::aClosedConnectionSaysGoodbye()
{
    ServerOptions brief = options();
    brief.idle_deadline_ms = 200;
    HttpFixture server(brief);
    // A client that minds: OpenSSL's own says so when a connection ends without close_notify.
    QProcess client;
    client.start(QStringLiteral("openssl"), {QStringLiteral("s_client"), QStringLiteral("-quiet"), QStringLiteral("-connect"),
                                             QStringLiteral("127.0.0.1:%1").arg(server.port())});
    client.write(request("POST", "/echo", "said"));
    QVERIFY(QTest::qWaitFor([&] { return client.state() == QProcess::NotRunning; }, 15'000));
    QVERIFY(client.readAllStandardOutput().endsWith("said"));
    const QByteArray complaints = client.readAllStandardError();
    QVERIFY2(!complaints.contains("eof"), complaints);
}

void TestHttpTls::aDrainClosesConnections()
{
    HttpFixture server(options());
    QSslSocket client;
    QVERIFY(connectTo(client, server.port()));
    QVERIFY(answerOf(client, request("POST", "/echo", "a")).endsWith("a"));
    server.inServer([&](HttpServer &http) { http.drain([&] { server.drained = true; }); });
    QVERIFY(QTest::qWaitFor([&] { return server.drained.load(); }, 15'000));
    QVERIFY(QTest::qWaitFor([&] { return client.state() == QAbstractSocket::UnconnectedState; }, 15'000));
}

void TestHttpTls::whoHasNoCertificateOfTheAuthorityIsRefused()
{
    const std::optional<Identity> ours = makeIdentity("/CN=worker"), theirs = makeIdentity("/CN=stranger");
    QVERIFY(ours && theirs);
    QSslConfiguration mutual = m_server;
    mutual.setCaCertificates({ours->certificate});
    mutual.setPeerVerifyMode(QSslSocket::VerifyPeer);
    ServerOptions asking;
    asking.tls = std::make_shared<TlsSettings>(mutual);
    HttpFixture server(asking);
    const auto answered = [&](const std::optional<Identity> &as) {
        QSslSocket client;
        QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
        configuration.setCaCertificates({m_certificate});
        if (as) {
            configuration.setLocalCertificate(as->certificate);
            configuration.setPrivateKey(as->key);
        }
        client.setSslConfiguration(configuration);
        client.setPeerVerifyName(QStringLiteral("localhost"));
        client.connectToHostEncrypted(QStringLiteral("127.0.0.1"), server.port());
        client.write(request("POST", "/echo", "in"));
        QByteArray text;
        [[maybe_unused]] const bool ended = QTest::qWaitFor([&] {
            text += client.readAll();
            return text.endsWith("in") || client.state() == QAbstractSocket::UnconnectedState;
        }, 15'000);
        return text.endsWith("in");
    };
    QVERIFY(answered(ours));
    QVERIFY(!answered(theirs));
    QVERIFY(!answered(std::nullopt));
    QCOMPARE(server.handled, 1);
    QVERIFY(eventually([&] { return server.connections() == 0; }));
}

void TestHttpTls::newCertificatesAreForNewConnections()
{
    const std::optional<Identity> next = makeIdentity("/CN=next");
    QVERIFY(next);
    const ServerOptions shared = options();
    HttpFixture server(shared);
    QSslSocket before;
    QVERIFY(connectTo(before, server.port()));
    QCOMPARE(before.peerCertificate(), m_certificate);
    QSslConfiguration changed = m_server;
    changed.setLocalCertificate(next->certificate);
    changed.setPrivateKey(next->key);
    shared.tls->change(changed);
    QSslSocket after;
    after.setPeerVerifyMode(QSslSocket::QueryPeer);
    after.connectToHostEncrypted(QStringLiteral("127.0.0.1"), server.port());
    after.ignoreSslErrors();
    QVERIFY(QTest::qWaitFor([&] { return after.isEncrypted(); }, 15'000));
    QCOMPARE(after.peerCertificate(), next->certificate);
    QVERIFY(answerOf(before, request("POST", "/echo", "still")).endsWith("still"));
    QVERIFY(answerOf(after, request("POST", "/echo", "new")).endsWith("new"));
}

JUNBAN_TEST(TestHttpTls)
#include "test_httptls.moc"
