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
    void aFetchWithoutAReceiptStillGetsItsResult()
    {
        RedisServer server;
        QVERIFY(server.start());
        CuttingProxy proxy(server.socketPath());
        QVERIFY(proxy.listen());
        redis::Link link(*redis::Address::fromUrl(proxy.url()));
        link.start();
        QTRY_COMPARE(link.state(), redis::LinkState::Up);
        Clock clock;
        redis::RedisStore store(link, nullptr, "test", clock, redis::ScriptClock::Redis);

        EnqueueItem item;
        item.id = IdMaker().make(QDateTime::currentMSecsSinceEpoch());
        item.spec.name = "a";
        item.spec.keepResult = true;
        QVERIFY(await<QList<Result<Enqueued>>>([&](auto done) { store.enqueue({item}, done); }).value().first().ok());
        const QList<ClaimRequest> claim{{"w", {}, 1, 0}};
        const auto claimed = await<FinishAndClaimReply>([&](auto done) { store.finishAndClaim({}, claim, done); }).value();
        FinishItem report;
        report.id = item.id;
        report.lease = claimed.claimed.first().jobs.first().lease;
        report.outcome.finishedAt = "2026-01-01T00:00:00Z";
        QVERIFY(await<FinishAndClaimReply>([&](auto done) { store.finishAndClaim({report}, {}, done); }).ok());
        const auto peeked = await<ResultNow>([&](auto done) { store.peekResult(item.id, done); });
        QCOMPARE(peeked.value().status, ResultStatus::Ready); // and Redis knows the script

        proxy.arm(Cut::BeforeReply);
        const auto taken = await<ResultNow>([&](auto done) { store.takeResult(item.id, {}, Fetch::First, done); });
        QCOMPARE(proxy.cuts(), 1);
        QCOMPARE(taken.value().status, ResultStatus::Ready);
        const auto again = await<ResultNow>([&](auto done) { store.takeResult(item.id, {}, Fetch::First, done); });
        QCOMPARE(again.value().status, ResultStatus::Gone); // another fetch, not a repeat
    }
};

JUNBAN_TEST(TestLostReplies)
#include "test_lostreplies.moc"
