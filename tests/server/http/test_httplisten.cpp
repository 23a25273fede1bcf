#include "tests/server/http/httpfixture.h"
#include "tests/support/testmain.h"

#include <QTest>
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

JUNBAN_TEST(TestHttpListen)
#include "test_httplisten.moc"
