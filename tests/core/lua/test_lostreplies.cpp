#include "core/redis/redisstore.h"
#include "tests/support/await.h"
#include "tests/support/cuttingproxy.h"
#include "tests/support/redisserver.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// Calls that Redis carried out and whose replies were cut: what their repeats find. The walk with cuts meets them at random.
class TestLostReplies : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_server.start());
        m_proxy = std::make_unique<CuttingProxy>(m_server.socketPath());
        QVERIFY(m_proxy->listen());
        m_link = std::make_unique<redis::Link>(*redis::Address::fromUrl(m_proxy->url()));
        m_link->start();
        QTRY_COMPARE(m_link->state(), redis::LinkState::Up);
    }
    void init()
    {
        QVERIFY(await<redis::Reply>([&](auto done) { m_link->command({"FLUSHALL"}, done); }).ok());
        m_store = std::make_unique<redis::RedisStore>(*m_link, nullptr, "test", m_clock, redis::ScriptClock::Redis);
    }

    void aFetchWithoutAReceiptStillGetsItsResult()
    {
        const JobId id = push();
        FinishItem report;
        report.id = id;
        report.lease = claim(1).value(0).lease;
        report.outcome.finishedAt = "2026-01-01T00:00:00Z";
        QVERIFY(await<FinishAndClaimReply>([&](auto done) { m_store->finishAndClaim({report}, {}, done); }).ok());
        const auto peeked = await<ResultNow>([&](auto done) { m_store->peekResult(id, done); });
        QCOMPARE(peeked.value().status, ResultStatus::Ready); // and Redis knows the script

        const int cuts = m_proxy->cuts();
        m_proxy->arm(Cut::BeforeReply);
        const auto taken = await<ResultNow>([&](auto done) { m_store->takeResult(id, {}, Fetch::First, done); });
        QCOMPARE(m_proxy->cuts(), cuts + 1);
        QCOMPARE(taken.value().status, ResultStatus::Ready);
        const auto again = await<ResultNow>([&](auto done) { m_store->takeResult(id, {}, Fetch::First, done); });
        QCOMPARE(again.value().status, ResultStatus::Gone); // another fetch, not a repeat
    }

    void aClaimGetsTheJobsThatItStarted()
    {
        QVERIFY(claim(1).isEmpty()); // now Redis knows the script
        const QList<JobId> pushed{push(), push()};
        const int cuts = m_proxy->cuts();
        m_proxy->arm(Cut::BeforeReply);
        const QList<ClaimedJob> claimed = claim(3);
        QCOMPARE(m_proxy->cuts(), cuts + 1);
        QCOMPARE(claimed.size(), 2);
        for (qsizetype i = 0; i < claimed.size(); ++i) {
            QCOMPARE(claimed[i].id, pushed[i]);
            QCOMPARE(claimed[i].attempt, 1);
            const auto alive = await<QList<Result<Heartbeat>>>(
                [&](auto done) { m_store->heartbeat({{claimed[i].id, claimed[i].lease}}, done); });
            QVERIFY(alive.ok() && alive->first().ok());
        }
        QVERIFY(claim(3).isEmpty());
    }

private:
    JobId push()
    {
        EnqueueItem item;
        item.id = m_ids.make(QDateTime::currentMSecsSinceEpoch());
        item.spec.name = "a";
        item.spec.keepResult = true;
        const auto pushed = await<QList<Result<Enqueued>>>([&](auto done) { m_store->enqueue({item}, done); });
        return pushed.ok() && pushed->first().ok() ? item.id : JobId();
    }
    QList<ClaimedJob> claim(int limit)
    {
        const QList<ClaimRequest> claims{{"w", {}, limit, 0}};
        return await<FinishAndClaimReply>([&](auto done) { m_store->finishAndClaim({}, claims, done); }).value().claimed.first().jobs;
    }

    RedisServer m_server;
    std::unique_ptr<CuttingProxy> m_proxy;
    std::unique_ptr<redis::Link> m_link;
    Clock m_clock;
    std::unique_ptr<redis::RedisStore> m_store;
    IdMaker m_ids;
};

JUNBAN_TEST(TestLostReplies)
#include "test_lostreplies.moc"
