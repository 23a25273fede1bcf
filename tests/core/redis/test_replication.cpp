#include "core/redis/replication.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban::redis;

namespace {

// What a Redis 7.0 tells, shortened.
QByteArray info(const QByteArray &replicas, const QByteArray &file)
{
    return "# Replication\r\nrole:master\r\nconnected_slaves:2\r\n" + replicas
        + "master_replid:8f37e1\r\nmaster_repl_offset:9000\r\nslave_read_only:1\r\n\r\n# Persistence\r\nloading:0\r\n" + file;
}

ReplicationState written(qint64 base, qint64 size, qint64 waiting)
{
    return ReplicationState::fromInfo(info({}, "aof_enabled:1\r\naof_current_size:" + QByteArray::number(size) + "\r\naof_base_size:"
            + QByteArray::number(base) + "\r\naof_buffer_length:" + QByteArray::number(waiting) + "\r\n"));
}

} // namespace

// How what Redis tells of its replicas and its file is read.
class TestReplication : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void replicasAreKnownByTheirAddress()
    {
        const ReplicationState state = ReplicationState::fromInfo(info("slave0:ip=10.0.0.2,port=6379,state=online,offset=8000,lag=1\r\n"
            "slave1:ip=fe80::1,port=6380,state=wait_bgsave,offset=0,lag=12\r\n", "aof_enabled:0\r\n"));
        QVERIFY(state.primary);
        QCOMPARE(state.history, "8f37e1");
        QCOMPARE(state.offset, 9000);
        QCOMPARE(state.replicas.size(), 2);
        QVERIFY(state.replicas["10.0.0.2:6379"].online);
        QCOMPARE(state.replicas["10.0.0.2:6379"].offset, 8000);
        QVERIFY(!state.replicas["[fe80::1]:6380"].online);
        QCOMPARE(state.replicas["[fe80::1]:6380"].port, 6380);
        QCOMPARE(state.replicas["[fe80::1]:6380"].silent_s, 12);
        QVERIFY(!state.file);
    }

    void replicasOfWhichOnlyTheHostIsKnownAreCountedEach()
    {
        const ReplicationState state = ReplicationState::fromInfo(info("slave0:ip=127.0.0.1,port=0,state=online,offset=1,lag=0\r\n"
            "slave1:ip=127.0.0.1,port=0,state=online,offset=2,lag=0\r\n", {}));
        QCOMPARE(state.replicas.size(), 2);
    }

    void aReplicaIsNoPrimary()
    {
        QVERIFY(!ReplicationState::fromInfo("role:slave\r\nslave_repl_offset:7\r\nslave_priority:100\r\n").primary);
    }

    void theFileIsWrittenWhenItHasGrownByWhatWaited()
    {
        const ReplicationState before = written(100, 1'000, 50);
        QVERIFY(!written(100, 1'000, 80).hasWrittenSince(before));
        QVERIFY(!written(100, 1'049, 80).hasWrittenSince(before));
        QVERIFY(written(100, 1'050, 80).hasWrittenSince(before));
        QVERIFY(written(100, 1'000, 0).hasWrittenSince(before));
        // After a rewrite the sizes tell nothing.
        QVERIFY(!written(500, 2'000, 80).hasWrittenSince(before));
        QVERIFY(written(500, 500, 0).hasWrittenSince(before));
        // Without a file there is nothing to wait for.
        QVERIFY(ReplicationState::fromInfo(info({}, "aof_enabled:0\r\n")).hasWrittenSince(before));
    }

    void aFileThatIsBeingRewrittenSaysSo()
    {
        QVERIFY(!written(100, 1'000, 0).file->rewriting);
        for (const char *word : {"aof_rewrite_in_progress", "aof_rewrite_scheduled"}) {
            const ReplicationState state = ReplicationState::fromInfo(info({}, QByteArray("aof_enabled:1\r\n") + word + ":1\r\n"));
            QVERIFY(state.file->rewriting);
        }
    }

    void aClusterMayPromoteReplicasAndTheirReplicas()
    {
        const Successors found = successorsInCluster(
            "aa 127.0.0.1:7000@17000,host myself,master - 0 0 1 connected 0-5460\n"
            "bb 127.0.0.1:7001@17001 master - 0 0 2 connected 5461-10922\n"
            "dd 127.0.0.1:7003@17003 slave cc 0 0 1 connected\n"
            "cc 127.0.0.1:7002@17002 slave,fail aa 0 0 1 disconnected\n"
            "ee 127.0.0.1:7004@17004 slave bb 0 0 2 connected\n"
            "ff 127.0.0.1:7005@17005 slave,nofailover aa 0 0 1 connected\n");
        QCOMPARE(found.chooser, Successors::Chooser::Cluster);
        QCOMPARE(found.servers, (QList{Endpoint{"127.0.0.1", 7002}, Endpoint{"127.0.0.1", 7003}}));
        QCOMPARE(found.never, QList{(Endpoint{"127.0.0.1", 7005})});
    }

    void aPrimaryWithoutSlotsMayBeAReplicaByNow()
    {
        const Successors found = successorsInCluster(
            "aa 127.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-5460 [5461-<-bb]\n"
            "bb 127.0.0.1:7001@17001 master - 0 0 2 connected 5461-16383\n"
            "cc 127.0.0.1:7002@17002 master,fail - 0 0 0 disconnected\n"
            "dd 127.0.0.1:7003@17003 master - 0 0 3 connected [93-<-bb]\n"
            "ee 127.0.0.1:7004@17004 master - 0 0 4 connected 7\n");
        QCOMPARE(found.servers, (QList{Endpoint{"127.0.0.1", 7002}, Endpoint{"127.0.0.1", 7003}}));
    }

    // The second one was promoted, the first follows it already, and the third, which is away, is still a replica of the first.
    void replicasOfAFormerPrimaryMayBePromoted()
    {
        const Successors found = successorsInCluster(
            "aa 127.0.0.1:7000@17000 master,fail - 0 0 1 disconnected\n"
            "bb 127.0.0.1:7001@17001 myself,master - 0 0 2 connected 0-5460\n"
            "cc 127.0.0.1:7002@17002 slave,fail aa 0 0 1 disconnected\n");
        QCOMPARE(found.servers, (QList{Endpoint{"127.0.0.1", 7000}, Endpoint{"127.0.0.1", 7002}}));
    }
};

JUNBAN_TEST(TestReplication)
#include "test_replication.moc"
