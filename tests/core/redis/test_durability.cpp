#include "core/limits.h"
#include "core/redis/redisdurability.h"
#include "tests/support/await.h"
#include "tests/support/redisserver.h"
#include "tests/support/testmain.h"

#include <QTcpServer>
#include <QTest>

using namespace junban;
using namespace junban::redis;
using junban::test::await;
using junban::test::RedisServer;

namespace {

QStringList words(const QString &line)
{
    return line.split(QLatin1Char(' '));
}

QString freePort()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return QString::number(server.serverPort());
}

// A primary with two copies that attach at once.
struct WithReplicas {
    QString port = freePort();
    RedisServer primary{words(QStringLiteral("--port %1 --bind 127.0.0.1 --repl-diskless-sync-delay 0").arg(port))};
    RedisServer one{words(QStringLiteral("--replicaof 127.0.0.1 %1").arg(port))};
    RedisServer other{words(QStringLiteral("--replicaof 127.0.0.1 %1").arg(port))};

    bool start()
    {
        return primary.start() && one.start() && other.start() && QTest::qWaitFor([this] { return connected() == 2; }, 60'000);
    }
    int connected() { return int(primary.cli(words(QStringLiteral("INFO replication"))).count("state=online")); }
};

} // namespace

// What a job has survived when its enqueue is answered, against a real Redis with and without a copy, on a disk or not.
class TestDurability : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aReplicatedJobIsWithTheReplica()
    {
        const QString port = freePort();
        RedisServer primary(words(QStringLiteral("--port %1 --bind 127.0.0.1 --repl-diskless-sync-delay 0").arg(port)));
        RedisServer replica(words(QStringLiteral("--replicaof 127.0.0.1 %1").arg(port)));
        QVERIFY(primary.start() && replica.start());
        QTRY_VERIFY_WITH_TIMEOUT(replica.cli(words(QStringLiteral("INFO replication"))).contains("master_link_status:up"), 60'000);
        RedisDurability durability(*Address::fromUrl(primary.url()), "ns");
        const JobId job = stored(primary);
        QTRY_COMPARE(reached(durability, DurabilityLevel::Replicated, job), DurabilityLevel::Replicated);
        QCOMPARE(replica.cli(words(QStringLiteral("DBSIZE"))).trimmed().toInt() >= 1, true);

        // One that does not answer has nothing for sure.
        replica.pause();
        QCOMPARE(reached(durability, DurabilityLevel::Replicated, job), DurabilityLevel::Default);
        replica.resume();
        QTRY_COMPARE_WITH_TIMEOUT(reached(durability, DurabilityLevel::Replicated, job), DurabilityLevel::Replicated, 60'000);
    }

    void anyReplicaThatMayTakeOverHasAReplicatedJob()
    {
        WithReplicas redis;
        QVERIFY(redis.start());
        RedisServer &other = redis.other;
        RedisDurability durability(*Address::fromUrl(redis.primary.url()), "ns");
        const JobId job = stored(redis.primary);
        QTRY_COMPARE_WITH_TIMEOUT(reached(durability, DurabilityLevel::Replicated, job), DurabilityLevel::Replicated, 60'000);
        other.pause();
        QCOMPARE(reached(durability, DurabilityLevel::Replicated, job), DurabilityLevel::Default);
        QTest::qWait(3'500); // a busy disk can keep it for so long, and it is elected all the same
        QCOMPARE(reached(durability, DurabilityLevel::Replicated, job), DurabilityLevel::Default);
        // One that has been silent for a while is not waited for any more.
        QTRY_COMPARE_WITH_TIMEOUT(reached(durability, DurabilityLevel::Replicated, job), DurabilityLevel::Replicated, 60'000);
        other.resume();
    }

    void aReplicaThatLeftIsMissedForAWhile()
    {
        WithReplicas redis;
        QVERIFY(redis.start());
        RedisServer &other = redis.other;
        RedisDurability durability(*Address::fromUrl(redis.primary.url()), "ns");
        const JobId job = stored(redis.primary);
        QTRY_COMPARE_WITH_TIMEOUT(reached(durability, DurabilityLevel::Replicated, job), DurabilityLevel::Replicated, 60'000);
        // As Sentinels do: from now on it may be the primary for others.
        other.cli(words(QStringLiteral("REPLICAOF NO ONE")));
        QTRY_COMPARE_WITH_TIMEOUT(redis.connected(), 1, 60'000);
        QCOMPARE(reached(durability, DurabilityLevel::Replicated, job), DurabilityLevel::Default);
        other.cli(words(QStringLiteral("REPLICAOF 127.0.0.1 %1").arg(redis.port)));
        QTRY_COMPARE_WITH_TIMEOUT(redis.connected(), 2, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(reached(durability, DurabilityLevel::Replicated, job), DurabilityLevel::Replicated, 60'000);
        // One that does not come back is gone in the end.
        other.kill9();
        QTRY_COMPARE_WITH_TIMEOUT(redis.connected(), 1, 60'000);
        QCOMPARE(reached(durability, DurabilityLevel::Replicated, job), DurabilityLevel::Default);
        QTRY_COMPARE_WITH_TIMEOUT(reached(durability, DurabilityLevel::Replicated, job), DurabilityLevel::Replicated, 60'000);
    }

    // Nobody knows then how many there are.
    void aRedisThatDoesNotTellOfItsReplicasHasNone()
    {
        WithReplicas redis;
        QVERIFY(redis.start());
        RedisDurability durability(*Address::fromUrl(redis.primary.url()), "ns");
        const JobId job = stored(redis.primary);
        QTRY_COMPARE_WITH_TIMEOUT(reached(durability, DurabilityLevel::Replicated, job), DurabilityLevel::Replicated, 60'000);
        redis.primary.cli(words(QStringLiteral("ACL SETUSER default -info")));
        QCOMPARE(reached(durability, DurabilityLevel::Replicated, job), DurabilityLevel::Default);
    }

    void withoutAReplicaItIsTheDefaultInTime()
    {
        RedisServer server;
        QVERIFY(server.start());
        RedisDurability durability(*Address::fromUrl(server.url()), "ns");
        QCOMPARE(reached(durability, DurabilityLevel::Replicated, stored(server)), DurabilityLevel::Default);
    }

    void fsyncIsReachedWhereRedisAnswersAfterIt()
    {
        RedisServer always(words(QStringLiteral("--appendonly yes --appendfsync always")));
        RedisServer everysec(words(QStringLiteral("--appendonly yes --appendfsync everysec")));
        RedisServer none(words(QStringLiteral("--appendonly no --appendfsync always")));
        QVERIFY(always.start() && everysec.start() && none.start());
        RedisDurability durability(*Address::fromUrl(always.url()), "ns");
        QTRY_COMPARE(reached(durability, DurabilityLevel::Fsync, stored(always)), DurabilityLevel::Fsync);
        RedisDurability off(*Address::fromUrl(none.url()), "ns");
        QCOMPARE(reached(off, DurabilityLevel::Fsync, stored(none)), DurabilityLevel::Default);
        // Reached where the server knows WAITAOF, and else not pretended.
        const bool waitaof = everysec.cli(words(QStringLiteral("COMMAND INFO WAITAOF"))).contains("waitaof");
        RedisDurability soon(*Address::fromUrl(everysec.url()), "ns");
        QTRY_COMPARE(reached(soon, DurabilityLevel::Fsync, stored(everysec)), waitaof ? DurabilityLevel::Fsync : DurabilityLevel::Default);
    }

    void whatIsWrittenAgainIsWaitedFor()
    {
        RedisServer server(words(QStringLiteral("--appendonly yes --appendfsync always")));
        QVERIFY(server.start());
        RedisDurability durability(*Address::fromUrl(server.url()), "ns");
        std::optional<DurabilityLevel> level;
        durability.after(DurabilityLevel::Fsync, fieldOf("1"),
            [&](const Result<DurabilityLevel> &answer) { level = answer.ok() ? *answer : DurabilityLevel::Default; });
        QTRY_VERIFY(server.cli(words(QStringLiteral("INFO commandstats"))).contains("cmdstat_hget:"));
        QVERIFY(!level);
        server.cli(words(QStringLiteral("HSET h f 1")));
        QTRY_VERIFY(level);
        QCOMPARE(*level, DurabilityLevel::Fsync);
        const auto lost = await<DurabilityLevel>(
            [&](auto done) { durability.after(DurabilityLevel::Fsync, fieldOf("2"), done); }, 60'000);
        QVERIFY(!lost.ok());
    }

    void whatIsOnDiskAndOnAllServersIsCovered()
    {
        const QString port = freePort();
        RedisServer always(
            words(QStringLiteral("--port %1 --bind 127.0.0.1 --repl-diskless-sync-delay 0 --appendonly yes").arg(port))
            + words(QStringLiteral("--appendfsync always")));
        RedisServer none(words(QStringLiteral("--appendonly no")));
        QVERIFY(always.start() && none.start());
        always.cli(words(QStringLiteral("HSET h f 1")));
        none.cli(words(QStringLiteral("HSET h f 1")));
        RedisDurability off(*Address::fromUrl(none.url()), "ns");
        QCOMPARE(covered(off, fieldOf("1")), false);
        RedisDurability durability(*Address::fromUrl(always.url()), "ns");
        QTRY_COMPARE_WITH_TIMEOUT(covered(durability, fieldOf("1")), true, 60'000); // no other server may take over
        QCOMPARE(covered(durability, fieldOf("2")), false);

        RedisServer replica(words(QStringLiteral("--replicaof 127.0.0.1 %1").arg(port)));
        QVERIFY(replica.start());
        QTRY_VERIFY_WITH_TIMEOUT(replica.cli(words(QStringLiteral("INFO replication"))).contains("master_link_status:up"), 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(covered(durability, fieldOf("1")), true, 60'000);
        replica.pause();
        QCOMPARE(covered(durability, fieldOf("1")), false);
        replica.resume();
        QTRY_COMPARE_WITH_TIMEOUT(covered(durability, fieldOf("1")), true, 60'000);
    }

    void manyWhoAskShareOneWait()
    {
        WithReplicas redis;
        QVERIFY(redis.start());
        RedisDurability durability(*Address::fromUrl(redis.primary.url()), "ns");
        const JobId job = stored(redis.primary);
        int answered = 0;
        for (int i = 0; i < 300; ++i)
            durability.after(DurabilityLevel::Replicated, job, [&](const Result<DurabilityLevel> &) { ++answered; });
        QTRY_COMPARE_WITH_TIMEOUT(answered, 300, 10'000);
        QVERIFY(redis.primary.cli(words(QStringLiteral("INFO commandstats"))).contains("cmdstat_wait:calls=1,"));
    }

    void aJobThatIsNotThereIsNotAcknowledged()
    {
        RedisServer server;
        QVERIFY(server.start());
        RedisDurability durability(*Address::fromUrl(server.url()), "ns");
        JobId job = stored(server);
        server.cli(words(QStringLiteral("FLUSHALL"))); // as a primary that never had it
        const auto answer = await<DurabilityLevel>([&](auto done) { durability.after(DurabilityLevel::Replicated, job, done); }, 10'000);
        QVERIFY(!answer.ok());
        QCOMPARE(answer.error().code, ErrorCode::StoreUnavailable);
    }

    void aRedisThatIsAwayIsWaitedForAndThenNotPretended()
    {
        RedisServer server(words(QStringLiteral("--appendonly yes --appendfsync always")));
        QVERIFY(server.start());
        RedisDurability durability(*Address::fromUrl(server.url()), "ns");
        const JobId job = stored(server);
        QTRY_COMPARE(reached(durability, DurabilityLevel::Fsync, job), DurabilityLevel::Fsync);
        server.kill9();
        std::optional<DurabilityLevel> level;
        durability.after(DurabilityLevel::Fsync, job, [&](const Result<DurabilityLevel> &answer) { level = *answer; });
        QTest::qWait(300);
        QVERIFY(!level);
        QVERIFY(server.start());
        QTRY_VERIFY_WITH_TIMEOUT(level, 10'000);
        QCOMPARE(*level, DurabilityLevel::Fsync);
        server.kill9();
        QCOMPARE(reached(durability, DurabilityLevel::Fsync, job), DurabilityLevel::Default);
    }

private:
    static DurabilityLevel reached(RedisDurability &durability, DurabilityLevel level, JobId job)
    {
        const auto answer = await<DurabilityLevel>([&](auto done) { durability.after(level, job, done); }, 60'000);
        if (!answer.ok())
            qFatal("%s", answer.error().message().constData());
        return *answer;
    }
    static bool covered(RedisDurability &durability, Sought sought)
    {
        const auto answer = await<bool>([&](auto done) { durability.whetherCovered(sought, done); }, 60'000);
        return answer.ok() && *answer;
    }
    // The field f of the hash h with this value.
    static Sought fieldOf(const QByteArray &value)
    {
        return {{"HGET", "h", "f"}, [value](const Reply &reply) { return reply.bytes() == value; }, true};
    }
    // A job as an enqueue leaves it, as far as this is concerned: its key.
    JobId stored(RedisServer &server)
    {
        const JobId job = *JobId::fromText("01900000-0000-7000-8000-000000000001");
        const auto script = QStringLiteral("local id = ARGV[1]:gsub('..', function(h) return string.char(tonumber(h, 16)) end) "
                                           "return redis.call('SET', 'jq:{ns}:j:' .. id, 'x')");
        server.cli({QStringLiteral("EVAL"), script, QStringLiteral("0"), QString::fromLatin1(job.bytes().toHex())});
        return job;
    }
};

JUNBAN_TEST(TestDurability)
#include "test_durability.moc"
