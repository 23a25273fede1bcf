#include "core/base/clock.h"
#include "core/limits.h"
#include "core/redis/doctor.h"
#include "core/redis/embedded.h"
#include "core/redis/link.h"
#include "tests/support/await.h"
#include "tests/support/redisserver.h"
#include "tests/support/testmain.h"
#include "tests/support/testscript.h"

#include <QLocalServer>
#include <QLocalSocket>
#include <QProcess>
#include <QTcpServer>
#include <QTest>

using namespace junban;
using namespace junban::redis;
using junban::test::await;
using junban::test::RedisServer;
using junban::test::testScript;

namespace {

// Passes bytes between a link and Redis, and cuts the connection after so many bytes of replies, once.
class CuttingProxy
{
public:
    CuttingProxy(const QByteArray &target, qint64 cutAfter)
        : m_target(target)
        , m_left(cutAfter)
    {
        m_server.listen(m_directory.path() + QStringLiteral("/proxy.sock"));
        QObject::connect(&m_server, &QLocalServer::newConnection, &m_server, [this] { accept(m_server.nextPendingConnection()); });
    }
    QByteArray url() const { return "unix://" + m_server.fullServerName().toUtf8(); }
    int cuts = 0;

private:
    void accept(QLocalSocket *client)
    {
        auto *redis = new QLocalSocket(client);
        redis->connectToServer(QString::fromUtf8(m_target));
        QObject::connect(client, &QIODevice::readyRead, redis, [=] { redis->write(client->readAll()); });
        QObject::connect(client, &QLocalSocket::disconnected, client, &QObject::deleteLater);
        QObject::connect(redis, &QIODevice::readyRead, client, [this, client, redis] {
            const QByteArray bytes = redis->readAll();
            if (m_left >= 0 && bytes.size() > m_left) {
                client->write(bytes.first(m_left));
                client->flush();
                client->abort();
                m_left = -1;
                ++cuts;
                return;
            }
            m_left -= m_left >= 0 ? bytes.size() : 0;
            client->write(bytes);
        });
    }

    QTemporaryDir m_directory;
    QLocalServer m_server;
    QByteArray m_target;
    qint64 m_left;
};

} // namespace

// The link to a real Redis: order, scripts, losses, bounds, refusals; the embedded Redis; the doctor.
class TestLink : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void repliesComeInTheOrderOfTheCommands()
    {
        RedisServer server;
        QVERIFY(server.start());
        const auto link = linked(server.url());
        QList<qint64> replies;
        for (int i = 0; i < 500; ++i)
            link->command({"INCR", "n"}, [&](const Result<Reply> &reply) { replies.append(reply->integer()); });
        QVERIFY(replies.isEmpty());
        QTRY_COMPARE(replies.size(), 500);
        for (int i = 0; i < 500; ++i)
            QCOMPARE(replies[i], i + 1);
    }

    void everyKindOfReplyIsRead()
    {
        RedisServer server;
        QVERIFY(server.start());
        const auto link = linked(server.url());
        const Script script = testScript("return {1, 'two\\0\\r\\n', false, {3, {}}, redis.status_reply('FINE')}");
        const Result<Reply> reply = await<Reply>([&](auto done) { link->run(script, {"k"}, {}, done); });
        QVERIFY(reply.ok());
        QCOMPARE((*reply)[0].integer(), 1);
        QCOMPARE((*reply)[1].bytes(), QByteArray("two\0\r\n", 6));
        QVERIFY((*reply)[2].isNil());
        QCOMPARE((*reply)[3][0].integer(), 3);
        QCOMPARE((*reply)[4].bytes(), QByteArray("FINE"));
        QVERIFY((*reply)[9].isNil());
        QCOMPARE(await<Reply>([&](auto done) { link->command({"NONSENSE"}, done); }).error().code, ErrorCode::Internal);
    }

    void aFunctionRunsAfterItsLibraryWasDeleted()
    {
        RedisServer server;
        QVERIFY(server.start());
        const auto link = linked(server.url());
        const Script script = testScript("return redis.call('INCR', KEYS[1])");
        for (int i = 1; i <= 20; ++i) {
            link->command({"FUNCTION", "FLUSH"}, [](const auto &) {});
            QCOMPARE(await<Reply>([&](auto done) { link->run(script, {"n"}, {}, done); })->integer(), i);
            link->command({"FUNCTION", "DELETE", script.library->name}, [](const auto &) {});
            QCOMPARE(await<Reply>([&](auto done) { link->run(script, {"m"}, {}, done); })->integer(), i);
        }
    }

    // It takes no library then. A script that may run all the same does so.
    void aFullRedisRunsWhatItDoesNotHaveYet()
    {
        RedisServer server;
        QVERIFY(server.start());
        const auto link = linked(server.url());
        const Script any = testScript("#!lua\nreturn redis.call('INCR', KEYS[1])");
        const Script whenFull = testScript("#!lua flags=allow-oom\nreturn redis.call('INCR', KEYS[1])");
        const auto run = [&](const Script &script) { return await<Reply>([&](auto done) { link->run(script, {"n"}, {}, done); }); };
        server.cli({QStringLiteral("CONFIG"), QStringLiteral("SET"), QStringLiteral("maxmemory"), QStringLiteral("1")});
        QCOMPARE(run(whenFull)->integer(), 1);
        QCOMPARE(run(whenFull)->integer(), 2);
        QCOMPARE(run(any).error().code, ErrorCode::StoreFull);
        QVERIFY(server.cli({QStringLiteral("FUNCTION"), QStringLiteral("LIST")}).trimmed().isEmpty());
        server.cli({QStringLiteral("CONFIG"), QStringLiteral("SET"), QStringLiteral("maxmemory"), QStringLiteral("0")});
        QCOMPARE(run(any)->integer(), 3);
        QCOMPARE(run(whenFull)->integer(), 4);
        QVERIFY(server.cli({QStringLiteral("FUNCTION"), QStringLiteral("LIST")}).contains(whenFull.function.name));
    }

    void scriptsGoOnOverAKilledRedis()
    {
        RedisServer server(
            {QStringLiteral("--appendonly"), QStringLiteral("yes"), QStringLiteral("--appendfsync"), QStringLiteral("always")});
        QVERIFY(server.start());
        const auto link = linked(server.url());
        const Script script = testScript("return redis.call('SADD', KEYS[1], ARGV[1])"); // idempotent, as all of ours
        int answered = 0;
        for (int i = 0; i < 300; ++i) {
            link->run(script, {"set"}, {QByteArray::number(i)}, [&](const Result<Reply> &reply) { answered += reply.ok() ? 1 : 0; });
            if (i == 150) {
                QTest::qWait(1);
                server.kill9();
            }
        }
        QVERIFY(server.start());
        QTRY_COMPARE_WITH_TIMEOUT(answered, 300, 30'000);
        QCOMPARE(await<Reply>([&](auto done) { link->command({"SCARD", "set"}, done); })->integer(), 300);
    }

    void aRepliesCutAnywhereIsAskedAgain()
    {
        RedisServer server;
        QVERIFY(server.start());
        const Script script = testScript("redis.call('SET', KEYS[1], ARGV[1]); return {ARGV[1], {1, 2, 3}}");
        for (qint64 cut = 0; cut < 40; ++cut) {
            CuttingProxy proxy(server.socketPath(), cut);
            const auto link = linked(proxy.url());
            const Result<Reply> reply = await<Reply>([&](auto done) { link->run(script, {"k"}, {QByteArray::number(cut)}, done); });
            QVERIFY2(reply.ok(), reply.ok() ? "" : reply.error().message().constData());
            QCOMPARE((*reply)[0].integer(), cut);
            QCOMPARE((*reply)[1][2].integer(), 3);
            // Small cuts meet the greeting, large ones come after everything was said.
            QVERIFY(proxy.cuts == 1 || cut > 30);
        }
    }

    void aCommandIsAmbiguousOnlyOnceItWentOut()
    {
        RedisServer server;
        QVERIFY(server.start());
        const auto link = linked(server.url());
        server.pause();
        std::optional<ErrorCode> sent;
        link->command({"INCR", "n"}, [&](const Result<Reply> &reply) { sent = reply.ok() ? ErrorCode::Internal : reply.error().code; });
        QTest::qWait(50);
        server.kill9();
        QTRY_VERIFY(sent);
        QVERIFY(*sent == ErrorCode::Ambiguous);
        QCOMPARE(await<Reply>([&](auto done) { link->command({"INCR", "n"}, done); }).error().code, ErrorCode::StoreUnavailable);
    }

    void aStoppedRedisIsGivenUpInTimeAndFoundAgain()
    {
        RedisServer server;
        QVERIFY(server.start());
        const auto link = linked(server.url());
        const Script script = testScript("return 1");
        server.pause();
        const Result<Reply> reply = await<Reply>([&](auto done) { link->run(script, {"k"}, {}, done); }, 15'000);
        QCOMPARE(reply.error().code, ErrorCode::StoreUnavailable);
        QVERIFY(reply.error().retryAfter_s > 0);
        server.resume();
        QTRY_COMPARE_WITH_TIMEOUT(link->state(), LinkState::Up, 10'000);
        QVERIFY(await<Reply>([&](auto done) { link->run(script, {"k"}, {}, done); }).ok());
    }

    void noMoreThanTheBoundIsUnderWay()
    {
        RedisServer server;
        QVERIFY(server.start());
        const auto link = linked(server.url());
        int refused = 0, done = 0;
        for (int i = 0; i < limits::commands_in_flight_max + 50; ++i) {
            link->command({"PING"}, [&](const Result<Reply> &reply) { reply.ok() ? ++done : ++refused; });
        }
        QTRY_COMPARE(done, limits::commands_in_flight_max);
        QTRY_COMPARE(refused, 50);
    }

    void errorsOfRedisAreToldApart()
    {
        RedisServer server({QStringLiteral("--maxmemory"), QStringLiteral("100kb"), QStringLiteral("--maxmemory-policy"),
            QStringLiteral("noeviction")});
        QVERIFY(server.start());
        const auto link = linked(server.url());
        QCOMPARE(await<Reply>([&](auto done) { link->run(scriptOnce("#!lua\nreturn redis.call('SET', KEYS[1], '1')"), {"k"}, {}, done); })
                     .error()
                     .code,
            ErrorCode::StoreFull);
        QVERIFY(await<Reply>([&](auto done) { link->run(scriptOnce("#!lua flags=allow-oom\nreturn redis.call('SET', KEYS[1], '1')"), {"k"},
                                                   {}, done); })
                    .ok());
        QVERIFY(await<Reply>([&](auto done) { link->command({"CONFIG", "SET", "maxmemory", "0"}, done); }).ok());
        QVERIFY(await<Reply>([&](auto done) { link->command({"REPLICAOF", "127.0.0.1", "1"}, done); }).ok());
        QCOMPARE(await<Reply>([&](auto done) { link->command({"SET", "k", "1"}, done); }).error().code, ErrorCode::StoreReadOnly);
    }

    void usersPasswordsAndDatabasesAreHonoured()
    {
        RedisServer server;
        QVERIFY(server.start());
        const auto rules = QStringLiteral("ACL SETUSER jq on >secret ~* &* +@all").split(QLatin1Char(' '));
        QCOMPARE(server.cli(rules).trimmed(), QByteArray("OK"));
        QCOMPARE(server.cli(QStringLiteral("ACL SETUSER default off").split(QLatin1Char(' '))).trimmed(), QByteArray("OK"));
        Result<Address> address = Address::fromUrl(server.url() + "?db=3");
        address->user = "jq";
        address->password = "secret";
        Link link(*address);
        link.start();
        QTRY_COMPARE(link.state(), LinkState::Up);
        const Result<Reply> info = await<Reply>([&](auto done) { link.command({"CLIENT", "INFO"}, done); });
        QVERIFY(info->bytes().contains(" db=3 "));
        QVERIFY(info->bytes().contains(" user=jq "));
        address->password = "wrong";
        Link refused(*address);
        refused.start();
        QTest::qWait(300);
        QVERIFY(refused.state() != LinkState::Up);
    }

    void aLinkOverTlsNeedsACertificateItTrusts()
    {
        QTemporaryDir directory;
        const QString key = directory.filePath(QStringLiteral("key.pem")), certificate = directory.filePath(QStringLiteral("cert.pem"));
        QCOMPARE(QProcess::execute(QStringLiteral("openssl"),
                     {QStringLiteral("req"), QStringLiteral("-x509"), QStringLiteral("-newkey"), QStringLiteral("rsa:2048"),
                         QStringLiteral("-nodes"), QStringLiteral("-days"), QStringLiteral("1"), QStringLiteral("-subj"),
                         QStringLiteral("/CN=localhost"), QStringLiteral("-addext"), QStringLiteral("subjectAltName=DNS:localhost"),
                         QStringLiteral("-keyout"), key, QStringLiteral("-out"), certificate}),
            0);
        QTcpServer free;
        QVERIFY(free.listen(QHostAddress::LocalHost));
        const QByteArray port = QByteArray::number(free.serverPort());
        free.close();
        RedisServer server({QStringLiteral("--tls-port"), QString::fromLatin1(port), QStringLiteral("--bind"), QStringLiteral("127.0.0.1"),
            QStringLiteral("--tls-cert-file"), certificate, QStringLiteral("--tls-key-file"), key, QStringLiteral("--tls-auth-clients"),
            QStringLiteral("no")});
        QVERIFY(server.start());
        const QByteArray url = "rediss://localhost:" + port;
        const auto trusting = linked(url + "?ca=" + certificate.toUtf8());
        QVERIFY(await<Reply>([&](auto done) { trusting->command({"PING"}, done); }).ok());
        Link wary(*Address::fromUrl(url));
        wary.start();
        QTest::qWait(500);
        QVERIFY(wary.state() != LinkState::Up);
    }

    void aSubscriptionIsTakenUpAgainAfterALoss()
    {
        RedisServer server;
        QVERIFY(server.start());
        Link listener(*Address::fromUrl(server.url()));
        QList<QByteArray> heard;
        listener.subscribe("news", [&](QByteArrayView, QByteArrayView message) { heard.append(message.toByteArray()); });
        listener.start();
        const auto publish = [&](const char *word) {
            server.cli({QStringLiteral("PUBLISH"), QStringLiteral("news"), QString::fromLatin1(word)});
        };
        QTRY_VERIFY((publish("one"), QCoreApplication::processEvents(), heard.contains("one")));
        server.kill9();
        QVERIFY(server.start());
        QTRY_VERIFY((publish("two"), QCoreApplication::processEvents(), heard.contains("two")));
    }

    void addressesAreReadFromUrls_data()
    {
        QTest::addColumn<QByteArray>("url");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("plain") << QByteArray("redis://localhost") << QByteArray("redis://localhost:6379/0");
        QTest::newRow("all") << QByteArray("rediss://u:p%40ss@h:7000/5") << QByteArray("rediss://h:7000/5");
        QTest::newRow("unix") << QByteArray("unix:///run/r.sock?db=2") << QByteArray("unix:///run/r.sock");
        QTest::newRow("nodes") << QByteArray("redis://u:p@a:1,[::1]:2,c/") << QByteArray("redis://a:1,[::1]:2,c:6379/0");
        QTest::newRow("sentinels") << QByteArray("sentinel://u:p@a,b:7/main?db=2") << QByteArray("sentinel://a:26379,b:7/main");
        QTest::newRow("sentinels, TLS") << QByteArray("sentinels://a/x") << QByteArray("sentinels://a:26379/x");
        QTest::newRow("no name") << QByteArray("sentinel://a,b") << QByteArray();
        QTest::newRow("a hole") << QByteArray("redis://a,,b") << QByteArray();
        QTest::newRow("bad port") << QByteArray("redis://a:x,b") << QByteArray();
        QTest::newRow("no host") << QByteArray("redis://") << QByteArray();
        QTest::newRow("other") << QByteArray("http://h") << QByteArray();
        QTest::newRow("database") << QByteArray("redis://h/x") << QByteArray();
    }
    void addressesAreReadFromUrls()
    {
        QFETCH(QByteArray, url);
        QFETCH(QByteArray, text);
        const Result<Address> address = Address::fromUrl(url);
        QCOMPARE(address.ok() ? address->text() : QByteArray(), text);
        if (url.contains("p%40ss"))
            QCOMPARE(address->password, QByteArray("p@ss"));
    }

    void theDoctorRefusesWhatWouldLoseJobs()
    {
        const auto words = [](const QStringList &configuration, const QString &layout = QStringLiteral("1"),
                               DurabilityLevel asked = DurabilityLevel::Default) {
            RedisServer server(configuration);
            server.start();
            server.cli({QStringLiteral("HSET"), QStringLiteral("jq:{ns}:meta"), QStringLiteral("layout"), layout});
            const auto link = linked(server.url());
            QList<QByteArray> found;
            const auto examined = await<Findings>([&](auto done) { examine(*link, "ns", asked, done); });
            for (const Finding &finding : examined->findings)
                found.append(finding.word);
            return found;
        };
        QCOMPARE(words({QStringLiteral("--appendonly"), QStringLiteral("yes")}), QList<QByteArray>{"no_maxmemory"});
        QVERIFY(words({}).contains("not_durable"));
        const QStringList everySecond{QStringLiteral("--appendonly"), QStringLiteral("yes")};
        const QStringList always = everySecond + QStringList{QStringLiteral("--appendfsync"), QStringLiteral("always")};
        const auto fsync = [&](const QStringList &configuration) {
            return words(configuration, QStringLiteral("1"), DurabilityLevel::Fsync).contains("fsync_impossible");
        };
        QVERIFY(fsync({}));
        QVERIFY(fsync(everySecond)); // Debian 12 has Redis 7.0, without WAITAOF
        QVERIFY(!fsync(always));
        QVERIFY(words({}, QString::number(limits::layout_version + 1)).contains("newer_layout"));
        QVERIFY(words({QStringLiteral("--maxmemory-policy"), QStringLiteral("allkeys-lru")}).contains("evicting"));
        QVERIFY(words({QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1 1")}).contains("replica"));
    }

    void theEmbeddedRedisIsAdoptedAndEndedByTheLastMaster()
    {
        QTemporaryDir directory;
        EmbeddedRedis first(directory.path()), second(directory.path());
        const auto address = await<Address>([&](auto done) { first.start(done); }, 20'000);
        QVERIFY2(address.ok(), address.ok() ? "" : address.error().message().constData());
        const auto adopted = await<Address>([&](auto done) { second.start(done); }, 20'000);
        QCOMPARE(adopted->text(), address->text());
        const auto link = linked(address->text());
        QVERIFY(await<Reply>([&](auto done) { link->command({"SET", "kept", "1"}, done); }).ok());
        const auto settings = await<Reply>([&](auto done) { link->command({"CONFIG", "GET", "appendonly"}, done); });
        QCOMPARE((*settings)[1].bytes(), QByteArray("yes"));
        QVERIFY(await<Done>([&](auto done) { first.stop(done); }).ok());
        QVERIFY(await<Reply>([&](auto done) { link->command({"PING"}, done); }).ok()); // the second still uses it
        EmbeddedRedis third(directory.path());
        {
            EmbeddedRedis gone(directory.path());
            QVERIFY(await<Address>([&](auto done) { gone.start(done); }, 20'000).ok());
        } // as kill -9 does: no stop
        QVERIFY(await<Address>([&](auto done) { third.start(done); }, 20'000).ok());
        QCOMPARE(await<Reply>([&](auto done) { link->command({"GET", "kept"}, done); })->bytes(), QByteArray("1"));
        QVERIFY(await<Done>([&](auto done) { third.stop(done); }).ok());
        QVERIFY(await<Reply>([&](auto done) { link->command({"PING"}, done); }).ok());
        QVERIFY(await<Done>([&](auto done) { second.stop(done); }).ok());
    }

    void aLongDataDirectoryStillHasAShortSocket()
    {
        QTemporaryDir directory;
        EmbeddedRedis redis(directory.path() + QStringLiteral("/long").repeated(30));
        const auto address = await<Address>([&](auto done) { redis.start(done); }, 20'000);
        QVERIFY(address.ok());
        QVERIFY(address->endpoints.first().socketPath.size() < 108);
        QVERIFY(await<Done>([&](auto done) { redis.stop(done); }).ok());
    }

private:
    static std::unique_ptr<Link> linked(const QByteArray &url)
    {
        auto link = std::make_unique<Link>(*Address::fromUrl(url));
        link->start();
        if (!QTest::qWaitFor([&] { return link->state() == LinkState::Up; }, 10'000))
            qWarning("no link to %s", url.constData());
        return link;
    }
    const Script &scriptOnce(const QByteArray &text)
    {
        m_scripts.push_back(std::make_unique<Script>(testScript(text)));
        return *m_scripts.back();
    }
    std::vector<std::unique_ptr<Script>> m_scripts;
};

JUNBAN_TEST(TestLink)
#include "test_link.moc"
