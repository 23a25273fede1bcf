#include "tests/server/http/httpfixture.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFileInfo>
#include <QLocalSocket>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

using namespace junban::test;
using namespace junban::http;

// Addresses, ports and several threads on one of them.
class TestHttpListen : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneSocketServesBothFamilies();
    void ipv6AloneIsServed();
    void ipv4AloneIsServed();
    void aPortThatIsTakenIsNotTakenTwice();
    void aPortCanBeTakenAgainAtOnce();
    void twoThreadsShareAPort();
    void oneServerListensOnSeveralAddresses();
    void aUnixSocketIsTheOwnersAlone();
    void twoThreadsShareAUnixSocket();
    void onlyADeadUnixSocketIsReplaced();
    void whatIsNoPlaceForAUnixSocketIsSaid_data();
    void whatIsNoPlaceForAUnixSocketIsSaid();

private:
    // A client's answer over the unix socket.
    static QByteArray over(const QByteArray &path, const QByteArray &bytes);
};

void TestHttpListen::oneSocketServesBothFamilies()
{
    HttpFixture server({}, QHostAddress(QHostAddress::Any));
    for (const char *address : {"127.0.0.1", "::1"}) {
        RawClient client(server.port(), address);
        QVERIFY2(client.send(request("POST", "/echo", address)), address);
        QCOMPARE(client.answer().body, address);
    }
}

void TestHttpListen::ipv6AloneIsServed()
{
    HttpFixture server({}, QHostAddress(QHostAddress::LocalHostIPv6));
    RawClient client(server.port(), "::1");
    QVERIFY(client.send(request("POST", "/echo", "six")));
    QCOMPARE(client.answer().body, "six");
    QVERIFY(!RawClient(server.port(), "127.0.0.1").connected());
}

void TestHttpListen::ipv4AloneIsServed()
{
    HttpFixture server({}, QHostAddress(QHostAddress::AnyIPv4));
    RawClient client(server.port(), "127.0.0.1");
    QVERIFY(client.send(request("POST", "/echo", "four")));
    QCOMPARE(client.answer().body, "four");
    QVERIFY(!RawClient(server.port(), "::1").connected());
}

void TestHttpListen::aPortThatIsTakenIsNotTakenTwice()
{
    HttpFixture first;
    HttpFixture second({}, QHostAddress(QHostAddress::LocalHost), first.port());
    QCOMPARE(second.port(), 0);
    QVERIFY2(second.error().contains("Address already in use"), second.error());
    // Nor from one that others have joined.
    HttpFixture joined({}, QHostAddress(QHostAddress::LocalHost), first.port(), PortUse::Join);
    QCOMPARE(joined.port(), first.port());
    HttpFixture third({}, QHostAddress(QHostAddress::LocalHost), first.port());
    QCOMPARE(third.port(), 0);
}

void TestHttpListen::aPortCanBeTakenAgainAtOnce()
{
    quint16 port = 0;
    {
        HttpFixture server;
        port = server.port();
        RawClient client(port);
        client.send(request("POST", "/echo", "x", "Connection: close\r\n")); // the server's end goes to TIME_WAIT
        QCOMPARE(client.answer().body, "x");
    }
    HttpFixture again({}, QHostAddress(QHostAddress::LocalHost), port);
    QCOMPARE(again.port(), port);
}

void TestHttpListen::twoThreadsShareAPort()
{
    HttpFixture one;
    HttpFixture two({}, QHostAddress(QHostAddress::LocalHost), one.port(), PortUse::Join);
    QCOMPARE(two.port(), one.port());
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 200; ++i) {
        clients.push_back(std::make_unique<RawClient>(one.port()));
        QVERIFY(clients.back()->send(request("POST", "/echo", QByteArray::number(i))));
    }
    for (int i = 0; i < 200; ++i)
        QCOMPARE(clients[static_cast<size_t>(i)]->answer().body, QByteArray::number(i));
    QCOMPARE(one.handled + two.handled, 200);
    // The kernel spreads by a hash: neither gets all.
    QVERIFY(one.handled > 20);
    QVERIFY(two.handled > 20);
}

void TestHttpListen::oneServerListensOnSeveralAddresses()
{
    HttpFixture server;
    quint16 second = 0;
    server.inServer([&](HttpServer &http) {
        const junban::Result<quint16> bound = http.listen(QHostAddress(QHostAddress::LocalHostIPv6), 0);
        second = bound ? *bound : quint16(0);
    });
    QVERIFY(second != 0);
    RawClient four(server.port()), six(second, "::1");
    QVERIFY(four.send(request("POST", "/echo", "four")));
    QVERIFY(six.send(request("POST", "/echo", "six")));
    QCOMPARE(four.answer().body, "four");
    QCOMPARE(six.answer().body, "six");
    QCOMPARE(server.connections(), 2);
}

QByteArray TestHttpListen::over(const QByteArray &path, const QByteArray &bytes)
{
    QLocalSocket client;
    client.connectToServer(QString::fromUtf8(path));
    client.write(bytes);
    QByteArray text;
    [[maybe_unused]] const bool ended = QTest::qWaitFor([&] {
        text += client.readAll();
        return client.state() == QLocalSocket::UnconnectedState;
    }, 15'000);
    return text;
}

void TestHttpListen::aUnixSocketIsTheOwnersAlone()
{
    QTemporaryDir directory;
    const QByteArray path = directory.filePath(QStringLiteral("made/api")).toUtf8();
    auto socket = UnixSocket::listen(path);
    QVERIFY2(socket.ok(), socket.ok() ? "" : socket.error().message().constData());
    struct stat about = {};
    QCOMPARE(::stat(path.constData(), &about), 0);
    QCOMPARE(int(about.st_mode & 0777), 0600);
    QCOMPARE(::stat(QFileInfo(QString::fromUtf8(path)).path().toUtf8().constData(), &about), 0);
    QCOMPARE(int(about.st_mode & 0777), 0700);
    HttpFixture server;
    server.inServer([&](HttpServer &http) { QVERIFY(http.listen(**socket).ok()); });
    QVERIFY(over(path, request("POST", "/echo", "here", "Connection: close\r\n")).endsWith("here"));
    QVERIFY(over(path, request("GET", "/peer", {}, "Connection: close\r\n")).endsWith("user " + QByteArray::number(::geteuid())));
    (*socket)->remove();
    QVERIFY(!QFile::exists(QString::fromUtf8(path)));
}

void TestHttpListen::twoThreadsShareAUnixSocket()
{
    QTemporaryDir directory;
    const QByteArray path = directory.filePath(QStringLiteral("api")).toUtf8();
    const auto socket = UnixSocket::listen(path);
    HttpFixture one, two;
    for (HttpFixture *server : {&one, &two})
        server->inServer([&](HttpServer &http) { QVERIFY(http.listen(**socket).ok()); });
    for (int i = 0; i < 50; ++i) {
        const QByteArray body = "x" + QByteArray::number(i);
        QVERIFY(over(path, request("POST", "/echo", body, "Connection: close\r\n")).endsWith(body));
    }
    QCOMPARE(one.handled + two.handled, 50);
}

void TestHttpListen::onlyADeadUnixSocketIsReplaced()
{
    QTemporaryDir directory;
    const QByteArray path = directory.filePath(QStringLiteral("api")).toUtf8();
    {
        const auto first = UnixSocket::listen(path);
        QVERIFY(first.ok());
        QCOMPARE(UnixSocket::listen(path).error().code, junban::ErrorCode::Conflict);
        QVERIFY(QFile::exists(QString::fromUtf8(path)));
    }
    QVERIFY(!QFile::exists(QString::fromUtf8(path)));
    // Of a program that has no lock: alive it stays, dead it goes.
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.constData(), size_t(path.size()));
    const int other = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    QCOMPARE(::bind(other, reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
    QCOMPARE(::listen(other, 1), 0);
    QVERIFY(UnixSocket::listen(path).error().message().contains("another process listens there"));
    QVERIFY(QFile::exists(QString::fromUtf8(path)));
    ::close(other);
    QVERIFY(QFile::exists(QString::fromUtf8(path)));
    QVERIFY(UnixSocket::listen(path).ok());
}

void TestHttpListen::whatIsNoPlaceForAUnixSocketIsSaid_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("why");
    QTest::newRow("relative") << QByteArray("api") << QByteArray("absolute");
    QTest::newRow("long") << QByteArray(200, '/') + "x" << QByteArray("at most 107 bytes");
    QTest::newRow("no directory") << QByteArray("/nowhere/at/all/api") << QByteArray("cannot be made");
    QTest::newRow("a file") << QByteArray("FILE") << QByteArray("no socket");
    QTest::newRow("open directory") << QByteArray("OPEN") << QByteArray("others may write");
}
void TestHttpListen::whatIsNoPlaceForAUnixSocketIsSaid()
{
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, why);
    QTemporaryDir directory;
    QFile file(directory.filePath(QStringLiteral("file")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    path.replace("FILE", file.fileName().toUtf8());
    if (path == "OPEN") {
        QVERIFY(QDir(directory.path()).mkdir(QStringLiteral("open")));
        path = directory.filePath(QStringLiteral("open/api")).toUtf8();
        QCOMPARE(::chmod(directory.filePath(QStringLiteral("open")).toUtf8().constData(), 0777), 0);
    }
    const auto socket = UnixSocket::listen(path);
    QVERIFY(!socket.ok());
    QCOMPARE(socket.error().field, QByteArray("listen"));
    QVERIFY2(socket.error().message().contains(why), socket.error().message());
    QVERIFY(file.exists());
}

JUNBAN_TEST(TestHttpListen)
#include "test_httplisten.moc"
