#include "core/limits.h"
#include "core/redis/link.h"
#include "core/redis/trouble.h"
#include "tests/support/await.h"
#include "tests/support/redisserver.h"
#include "tests/support/testmain.h"
#include "tests/support/testscript.h"

#include <QDir>
#include <QTest>

using namespace junban;
using namespace junban::redis;
using junban::test::await;
using junban::test::RedisServer;
using junban::test::testScript;

namespace {

QStringList words(const char *line)
{
    return QString::fromLatin1(line).split(QLatin1Char(' '));
}

} // namespace

// Every state a real Redis can be brought into in which it refuses: what the link makes of it, and that it goes on afterwards.
class TestTrouble : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyWordIsKnown_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<Trouble>("trouble");
        QTest::addColumn<ErrorCode>("code");
        const auto row = [](const char *text, Trouble trouble, ErrorCode code) {
            QTest::newRow(text) << QByteArray(text) << trouble << code;
        };
        row("LOADING Redis is loading the dataset in memory", Trouble::ServerWaits, ErrorCode::StoreUnavailable);
        row("BUSY Redis is busy running a script.", Trouble::ServerWaits, ErrorCode::StoreUnavailable);
        row("CLUSTERDOWN Hash slot not served", Trouble::ServerWaits, ErrorCode::StoreUnavailable);
        row("NOREPLICAS Not enough good replicas to write.", Trouble::CallWaits, ErrorCode::StoreUnavailable);
        row("TRYAGAIN Multiple keys request during rehashing of slot", Trouble::CallWaits, ErrorCode::StoreUnavailable);
        row("ASK 3999 127.0.0.1:6381", Trouble::CallWaits, ErrorCode::StoreUnavailable);
        row("MOVED 3999 127.0.0.1:6381", Trouble::Moved, ErrorCode::StoreUnavailable);
        row("READONLY You can't write against a read only replica.", Trouble::NotPrimary, ErrorCode::StoreReadOnly);
        row("MASTERDOWN Link with MASTER is down", Trouble::NotPrimary, ErrorCode::StoreReadOnly);
        row("MISCONF Errors writing to the AOF file: No space left on device", Trouble::DiskFull, ErrorCode::StoreReadOnly);
        row("OOM command not allowed when used memory > 'maxmemory'.", Trouble::Full, ErrorCode::StoreFull);
        row("NOPERM this user has no permissions", Trouble::NotAllowed, ErrorCode::StoreUnavailable);
        row("NOAUTH Authentication required.", Trouble::NotAllowed, ErrorCode::StoreUnavailable);
        row("ERR Function not found", Trouble::NoFunction, ErrorCode::Internal);
        row("WRONGTYPE Operation against a key", Trouble::Bug, ErrorCode::Internal);
        row("ERR Error running script", Trouble::Bug, ErrorCode::Internal);
        row("BUSYKEY Target key name already exists.", Trouble::Bug, ErrorCode::Internal);
        row("", Trouble::Bug, ErrorCode::Internal);
    }
    void everyWordIsKnown()
    {
        QFETCH(QByteArray, text);
        QFETCH(Trouble, trouble);
        QFETCH(ErrorCode, code);
        QCOMPARE(troubleOf(text), trouble);
        QCOMPARE(errorOf(text).code, code);
        QVERIFY(code == ErrorCode::Internal || errorOf(text).retryAfter_s > 0);
    }

    void aMovedKeySaysWhere()
    {
        const Endpoint here{"10.0.0.1", 7000};
        QCOMPARE(movedTo("MOVED 3999 127.0.0.1:6381", here)->text(), QByteArray("127.0.0.1:6381"));
        QCOMPARE(movedTo("MOVED 3999 :6381", here)->text(), QByteArray("10.0.0.1:6381"));
        QCOMPARE(movedTo("MOVED 3999 ::1:6381", here)->text(), QByteArray("[::1]:6381"));
        QVERIFY(!movedTo("MOVED 3999", here));
    }

    // What passes within the time a caller waits is not seen by the caller at all.
    void whatPassesSoonIsNotSeen_data()
    {
        QTest::addColumn<QString>("begin");
        QTest::addColumn<QString>("end");
        QTest::newRow("NOREPLICAS") << QStringLiteral("CONFIG SET min-replicas-to-write 1")
                                    << QStringLiteral("CONFIG SET min-replicas-to-write 0");
        QTest::newRow("READONLY") << QStringLiteral("REPLICAOF 127.0.0.1 1") << QStringLiteral("REPLICAOF NO ONE");
    }
    void whatPassesSoonIsNotSeen()
    {
        QFETCH(QString, begin);
        QFETCH(QString, end);
        RedisServer server;
        QVERIFY(server.start());
        const auto link = linked(server.url());
        QVERIFY(run(*link, "return 1").ok());
        QCOMPARE(server.cli(begin.split(QLatin1Char(' '))).trimmed(), QByteArray("OK"));
        QList<Result<Reply>> replies;
        for (int i = 0; i < 20; ++i)
            link->run(m_increment, {"n"}, {}, [&](const Result<Reply> &reply) { replies.append(reply); });
        QTest::qWait(300);
        QVERIFY(replies.isEmpty());
        QCOMPARE(server.cli(end.split(QLatin1Char(' '))).trimmed(), QByteArray("OK"));
        QTRY_COMPARE_WITH_TIMEOUT(replies.size(), 20, 30'000);
        QList<qint64> numbers;
        for (const Result<Reply> &reply : replies) {
            QVERIFY2(reply.ok(), reply.ok() ? "" : reply.error().message().constData());
            numbers.append(reply->integer());
        }
        std::sort(numbers.begin(), numbers.end());
        for (int i = 0; i < 20; ++i)
            QCOMPARE(numbers[i], i + 1); // each ran once
    }

    void whatLastsIsToldAndEnds_data()
    {
        QTest::addColumn<QString>("begin");
        QTest::addColumn<QString>("end");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QByteArray>("word");
        const auto row = [](const char *word, const char *begin, const char *end, ErrorCode code) {
            QTest::newRow(word) << QString::fromLatin1(begin) << QString::fromLatin1(end) << code << QByteArray(word);
        };
        row("NOREPLICAS", "CONFIG SET min-replicas-to-write 1", "CONFIG SET min-replicas-to-write 0", ErrorCode::StoreUnavailable);
        row("READONLY", "REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE", ErrorCode::StoreReadOnly);
        row("MASTERDOWN", "CONFIG SET replica-serve-stale-data no;REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE", ErrorCode::StoreReadOnly);
        row("memory", "CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0", ErrorCode::StoreFull);
        row("NOPERM", "ACL SETUSER default -fcall", "ACL SETUSER default +fcall", ErrorCode::StoreUnavailable);
    }
    void whatLastsIsToldAndEnds()
    {
        QFETCH(QString, begin);
        QFETCH(QString, end);
        QFETCH(ErrorCode, code);
        QFETCH(QByteArray, word);
        RedisServer server;
        QVERIFY(server.start());
        const auto link = linked(server.url());
        for (const QString &line : begin.split(QLatin1Char(';')))
            QCOMPARE(server.cli(line.split(QLatin1Char(' '))).trimmed(), QByteArray("OK"));
        const Script &script = word == "MASTERDOWN" ? m_read : m_increment; // a write meets READONLY first
        const Result<Reply> reply = await<Reply>([&](auto done) { link->run(script, {"n"}, {}, done); }, 20'000);
        QVERIFY(!reply.ok());
        QCOMPARE(reply.error().code, code);
        QVERIFY2(reply.error().message().contains(word), reply.error().message().constData());
        QVERIFY(reply.error().retryAfter_s > 0);
        server.cli(end.split(QLatin1Char(' ')));
        QTRY_VERIFY_WITH_TIMEOUT(run(*link, "return 1").ok(), 20'000);
        QCOMPARE(await<Reply>([&](auto done) { link->run(m_increment, {"n"}, {}, done); })->integer(), 1);
    }

    void readsGoOnWhileWritesAreRefused()
    {
        RedisServer server;
        QVERIFY(server.start());
        const auto link = linked(server.url());
        server.cli(words("CONFIG SET min-replicas-to-write 1"));
        std::optional<ErrorCode> written;
        link->run(m_increment, {"n"}, {},
            [&](const Result<Reply> &reply) { written = reply.ok() ? ErrorCode::Internal : reply.error().code; });
        for (int i = 0; i < 10 && !written; ++i) {
            QVERIFY(run(*link, "#!lua flags=no-writes\nreturn redis.call('GET', KEYS[1])").ok());
            QTest::qWait(50);
        }
        QVERIFY(!written); // it still hopes
        QTRY_VERIFY_WITH_TIMEOUT(written, 10'000);
        QVERIFY(*written == ErrorCode::StoreUnavailable);
    }

    void aDiskThatIsFullIsToldAtOnce()
    {
        RedisServer server(words("--stop-writes-on-bgsave-error yes"));
        QVERIFY(server.start());
        const auto link = linked(server.url());
        QCOMPARE(server.cli({QStringLiteral("CONFIG"), QStringLiteral("SET"), QStringLiteral("save"), QStringLiteral("3600 1")}).trimmed(),
            QByteArray("OK"));
        // A directory where the file should go: the snapshot cannot be put there.
        QVERIFY(QDir(server.directory()).mkdir(QStringLiteral("dump.rdb")));
        const auto failed = [&] {
            server.cli(words("BGSAVE"));
            return server.cli(words("INFO persistence")).contains("rdb_last_bgsave_status:err");
        };
        QTRY_VERIFY_WITH_TIMEOUT(failed(), 10'000);
        const Result<Reply> reply = await<Reply>([&](auto done) { link->run(m_increment, {"n"}, {}, done); });
        QVERIFY(!reply.ok());
        QCOMPARE(reply.error().code, ErrorCode::StoreReadOnly);
        QVERIFY(reply.error().message().contains("MISCONF"));
        QVERIFY(QDir(server.directory()).rmdir(QStringLiteral("dump.rdb")));
        const auto written = [&] {
            server.cli(words("BGSAVE"));
            return await<Reply>([&](auto done) { link->run(m_increment, {"n"}, {}, done); }).ok();
        };
        QTRY_VERIFY_WITH_TIMEOUT(written(), 10'000);
    }

    void aForeignScriptIsWaitedForByOneCallAtATime()
    {
        RedisServer server(words("--busy-reply-threshold 20"));
        QVERIFY(server.start());
        const auto link = linked(server.url());
        QVERIFY(await<Reply>([&](auto done) { link->run(m_increment, {"n"}, {}, done); }).ok());
        QProcess foreign;
        foreign.start(QStringLiteral("redis-cli"),
            {QStringLiteral("-s"), QString::fromUtf8(server.socketPath()), QStringLiteral("EVAL"), QStringLiteral("while true do end"),
                QStringLiteral("0")});
        QVERIFY(foreign.waitForStarted());
        QTRY_VERIFY(server.cli({QStringLiteral("GET"), QStringLiteral("n")}).startsWith("BUSY"));
        QList<Result<Reply>> replies;
        for (int i = 0; i < 100; ++i)
            link->run(m_increment, {"n"}, {}, [&](const Result<Reply> &reply) { replies.append(reply); });
        QTest::qWait(700);
        QVERIFY(link->away_ms() > 0);
        QVERIFY(replies.isEmpty());
        QCOMPARE(server.cli(words("SCRIPT KILL")).trimmed(), QByteArray("OK"));
        QTRY_COMPARE_WITH_TIMEOUT(replies.size(), 100, 30'000);
        for (const Result<Reply> &reply : replies)
            QVERIFY(reply.ok());
        QCOMPARE(link->away_ms(), 0);
        QCOMPARE(server.cli(words("GET n")).trimmed(), QByteArray("101"));
        // Each was refused once at most, and a few asked whether it is over.
        const QByteArray stats = server.cli(words("INFO commandstats"));
        const qsizetype at = stats.indexOf("cmdstat_fcall:");
        const QByteArray line = stats.mid(at, stats.indexOf('\r', at) - at);
        const qsizetype rejected = line.indexOf("rejected_calls=");
        const int refusals = line.mid(rejected + 15).split(',')[0].toInt();
        QVERIFY2(refusals >= 100 && refusals < 115, line.constData());
        foreign.waitForFinished();
    }

    void aForeignScriptThatStaysIsTold()
    {
        RedisServer server(words("--busy-reply-threshold 20"));
        QVERIFY(server.start());
        const auto link = linked(server.url());
        QVERIFY(await<Reply>([&](auto done) { link->run(m_increment, {"n"}, {}, done); }).ok());
        QProcess foreign;
        foreign.start(QStringLiteral("redis-cli"),
            {QStringLiteral("-s"), QString::fromUtf8(server.socketPath()), QStringLiteral("EVAL"), QStringLiteral("while true do end"),
                QStringLiteral("0")});
        QVERIFY(foreign.waitForStarted());
        QTRY_VERIFY(server.cli({QStringLiteral("GET"), QStringLiteral("n")}).startsWith("BUSY"));
        for (int i = 0; i < 2; ++i) {
            const Result<Reply> reply = await<Reply>([&](auto done) { link->run(m_increment, {"n"}, {}, done); }, 10'000);
            QVERIFY(!reply.ok());
            QCOMPARE(reply.error().code, ErrorCode::StoreUnavailable);
            QVERIFY2(reply.error().message().contains("BUSY"), reply.error().message().constData());
        }
        QCOMPARE(server.cli(words("SCRIPT KILL")).trimmed(), QByteArray("OK"));
        QTRY_VERIFY_WITH_TIMEOUT(await<Reply>([&](auto done) { link->run(m_increment, {"n"}, {}, done); }).ok(), 30'000);
        foreign.waitForFinished();
    }

    void aRedisThatLoadsIsWaitedFor()
    {
        RedisServer server(words("--appendonly yes --appendfsync always --key-load-delay 200"));
        QVERIFY(server.start());
        server.cli({QStringLiteral("EVAL"), QStringLiteral("for i = 1, 15000 do redis.call('SET', 'k' .. i, i) end"), QStringLiteral("0")});
        const auto link = linked(server.url());
        QVERIFY(await<Reply>([&](auto done) { link->run(m_increment, {"n"}, {}, done); }).ok());
        server.kill9();
        QVERIFY(server.begin());
        QTRY_VERIFY_WITH_TIMEOUT(server.cli(words("GET n")).startsWith("LOADING"), 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(link->state(), LinkState::Up, 30'000);
        QVERIFY(server.cli(words("GET n")).startsWith("LOADING"));
        Result<Reply> reply = await<Reply>([&](auto done) { link->run(m_increment, {"n"}, {}, done); }, 10'000);
        while (!reply.ok()) {
            QCOMPARE(reply.error().code, ErrorCode::StoreUnavailable);
            QVERIFY2(reply.error().message().contains("LOADING"), reply.error().message().constData());
            reply = await<Reply>([&](auto done) { link->run(m_increment, {"n"}, {}, done); }, 10'000);
        }
        QCOMPARE(reply->integer(), 2);
    }

    void aBugIsToldAtOnceAndNothingIsRepeated()
    {
        RedisServer server;
        QVERIFY(server.start());
        const auto link = linked(server.url());
        const Result<Reply> reply = run(*link, "redis.call('INCR', KEYS[1]) return redis.call('LPUSH', KEYS[1], 'x')");
        QVERIFY(!reply.ok());
        QCOMPARE(reply.error().code, ErrorCode::Internal);
        QVERIFY(reply.error().message().contains("WRONGTYPE"));
        QCOMPARE(server.cli(words("GET n")).trimmed(), QByteArray("1"));
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
    Result<Reply> run(Link &link, const QByteArray &text)
    {
        m_scripts.push_back(std::make_unique<Script>(testScript(text)));
        return await<Reply>([&](auto done) { link.run(*m_scripts.back(), {"n"}, {}, done); }, 20'000);
    }
    // Says how often it ran; with flags, so that Redis refuses it at the door.
    const Script m_increment = testScript("#!lua\nreturn redis.call('INCR', KEYS[1])");
    const Script m_read = testScript("#!lua flags=no-writes\nreturn redis.call('GET', KEYS[1])");
    std::vector<std::unique_ptr<Script>> m_scripts;
};

JUNBAN_TEST(TestTrouble)
#include "test_trouble.moc"
