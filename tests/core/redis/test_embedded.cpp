#include "core/redis/embedded.h"
#include "tests/support/await.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace junban;
using namespace junban::redis;
using junban::test::await;

// The Redis that a master brings: one per data directory whatever happens to masters and to it, its data kept, its end clean.
class TestEmbedded : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_directory = std::make_unique<QTemporaryDir>(); }
    void cleanup()
    {
        // After a failure too nothing may be left running.
        QFile pid(path() + QStringLiteral("/redis.pid"));
        if (serverLives() && pid.open(QIODevice::ReadOnly))
            ::kill(pid_t(pid.readAll().trimmed().toInt()), SIGKILL);
    }

    void aStoppedRedisIsWaitedForRatherThanDoubled()
    {
        EmbeddedRedis first(path());
        const Result<Address> address = started(first);
        QVERIFY(address.ok());
        const qint64 pid = pidAt(*address);
        QVERIFY(pid > 0);
        ::kill(pid_t(pid), SIGSTOP);
        // A second server on the same files would lose what the first one still acknowledges.
        EmbeddedRedis second(path());
        std::optional<Result<Address>> adopted;
        second.start([&](Result<Address> result) { adopted = std::move(result); });
        QTest::qWait(2'500);
        const bool waited = !adopted;
        ::kill(pid_t(pid), SIGCONT);
        QTRY_VERIFY_WITH_TIMEOUT(adopted, 20'000);
        QVERIFY(adopted->ok());
        QCOMPARE(pidAt(**adopted), pid);
        QVERIFY(waited);
        ended(first);
        ended(second);
    }

    void mastersThatStartAtOnceShareOneServer()
    {
        std::vector<std::unique_ptr<EmbeddedRedis>> masters;
        std::vector<Result<Address>> addresses;
        for (int i = 0; i < 6; ++i) {
            masters.push_back(std::make_unique<EmbeddedRedis>(path()));
            masters.back()->start([&](Result<Address> address) { addresses.push_back(std::move(address)); });
        }
        QTRY_COMPARE_WITH_TIMEOUT(addresses.size(), size_t(6), 20'000);
        for (const Result<Address> &address : addresses)
            QVERIFY(address.ok());
        QCOMPARE(launches(), 1);
        for (const auto &master : masters)
            ended(*master);
    }

    void aKilledOneComesBackWithItsData()
    {
        EmbeddedRedis redis(path());
        const Result<Address> address = started(redis);
        QVERIFY(address.ok());
        Link link(*address);
        link.start();
        QTRY_COMPARE(link.state(), LinkState::Up);
        for (int round = 0; round < 3; ++round) {
            const QByteArray member = QByteArray::number(round);
            QVERIFY(await<Reply>([&](auto done) { link.command({"SADD", "kept", member}, done); }).ok());
            const qint64 pid = pidAt(*address);
            QVERIFY(pid > 0);
            ::kill(pid_t(pid), SIGKILL);
            QTRY_VERIFY(link.state() != LinkState::Up);
            QTRY_COMPARE_WITH_TIMEOUT(link.state(), LinkState::Up, 20'000);
            // What Redis had written reaches the file although Redis was killed; only the machine's end could lose it.
            QTRY_COMPARE(await<Reply>([&](auto done) { link.command({"SCARD", "kept"}, done); }).ok(), true);
            QCOMPARE(await<Reply>([&](auto done) { link.command({"SCARD", "kept"}, done); })->integer(), round + 1);
        }
        ended(redis);
    }

    void oneThatCannotStartSaysWhy()
    {
        QVERIFY(QDir(path()).mkpath(QStringLiteral("appendonlydir")));
        QFile manifest(path() + QStringLiteral("/appendonlydir/appendonly.aof.manifest"));
        QVERIFY(manifest.open(QIODevice::WriteOnly));
        manifest.write("nonsense\n");
        manifest.close();
        EmbeddedRedis redis(path());
        const Result<Address> address = started(redis);
        QVERIFY(!address.ok());
        QVERIFY2(address.error().message().contains("AOF"), address.error().message().constData());
    }

    void oneThatIsOnlyJustLaunchedIsEndedToo()
    {
        // On a busy machine the server may not have begun after any of the usual times.
        QList<int> waits_ms = {0, 310, 400, 450, 500};
        for (qsizetype i = 0; i < waits_ms.size() && !QTest::currentTestFailed(); ++i) {
            EmbeddedRedis redis(path());
            redis.start([](const Result<Address> &) {});
            QTest::qWait(waits_ms[i]);
            ended(redis);
            QTRY_VERIFY_WITH_TIMEOUT(!serverLives(), 10'000);
            if (i + 1 == waits_ms.size() && launches() == 0 && waits_ms[i] < 10'000)
                waits_ms.append(2 * waits_ms[i]);
        }
        QVERIFY(launches() > 0);
    }

private:
    // How many servers have begun in this directory, by their log.
    int launches() const
    {
        QFile log(path() + QStringLiteral("/redis.log"));
        return log.open(QIODevice::ReadOnly) ? int(log.readAll().count("Redis is starting")) : 0;
    }
    bool serverLives() const
    {
        const QByteArray lock = path().toUtf8() + "/redis.lock";
        const int descriptor = ::open(lock.constData(), O_RDWR | O_CLOEXEC);
        const bool free = descriptor < 0 || ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
        ::close(descriptor);
        return !free;
    }
    QString path() const { return m_directory->path(); }
    static Result<Address> started(EmbeddedRedis &redis)
    {
        return await<Address>([&](auto done) { redis.start(done); }, 20'000);
    }
    static void ended(EmbeddedRedis &redis)
    {
        QVERIFY(await<Done>([&](auto done) { redis.stop(done); }, 20'000).ok());
    }
    static qint64 pidAt(const Address &address)
    {
        Link link(address);
        link.start();
        if (!QTest::qWaitFor([&] { return link.state() == LinkState::Up; }, 10'000))
            return -1;
        const Result<Reply> info = await<Reply>([&](auto done) { link.command({"INFO", "server"}, done); });
        const QByteArray text = info.ok() ? info->bytes() : QByteArray();
        const qsizetype at = text.indexOf("process_id:");
        return at < 0 ? -1 : text.mid(at + 11, text.indexOf('\r', at) - at - 11).toLongLong();
    }

    std::unique_ptr<QTemporaryDir> m_directory;
};

JUNBAN_TEST(TestEmbedded)
#include "test_embedded.moc"
