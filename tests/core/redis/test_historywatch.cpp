#include "core/limits.h"
#include "core/lua/schema.h"
#include "core/redis/historywatch.h"
#include "core/redis/keys.h"
#include "core/redis/link.h"
#include "tests/support/await.h"
#include "tests/support/redisserver.h"
#include "tests/support/testmain.h"

#include <QSignalSpy>
#include <QTest>

using namespace junban;
using namespace junban::redis;
using junban::test::await;
using junban::test::RedisServer;

// What a master notices about the history of a namespace, against a real Redis.
class TestHistoryWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_server = std::make_unique<RedisServer>();
        QVERIFY(m_server->start());
        m_directory = std::make_unique<QTemporaryDir>();
        m_notice = std::make_shared<RollbackNotice>();
        m_link = std::make_unique<Link>(*Address::fromUrl(m_server->url()));
        m_link->start();
        QTRY_COMPARE(m_link->state(), LinkState::Up);
        ask({"SET", keyPrefix("ns") + key::transaction, "20"});
    }

    void cleanup()
    {
        m_watch.reset();
        m_link.reset();
        m_server.reset();
    }

    void fewerTransactionsAreNoticedAlsoByTheNextProcess()
    {
        watch();
        QCOMPARE(m_notice->rollback().seenAt_ms, 0);
        m_watch.reset();
        ask({"SET", keyPrefix("ns") + key::transaction, "17"});
        watch();
        QCOMPARE(m_notice->rollback().transactionsLost, 3);
    }

    void anotherDatasetInItsPlaceIsNoticed()
    {
        watch();
        ask({"HSET", keyPrefix("ns") + key::meta, field_of::meta::dataset, "another"});
        ask({"SET", keyPrefix("ns") + key::transaction, "1000"});
        watch();
        QCOMPARE(m_notice->rollback().transactionsLost, 20);
    }

    void anotherLayoutIsToldAndItsOwnIsNot()
    {
        watch();
        QSignalSpy told(m_watch.get(), &HistoryWatch::otherLayout);
        const auto look = [this](const QByteArray &layout) {
            ask({"HSET", keyPrefix("ns") + key::meta, field_of::meta::layout, layout});
            m_watch->look();
            ask({"PING"});
        };
        look(QByteArray::number(limits::layout_version));
        QCOMPARE(told.size(), 0);
        for (const qint64 layout : {limits::layout_version + 1, limits::layout_version - 1}) {
            look(QByteArray::number(layout));
            QCOMPARE(told.takeLast(), QVariantList{layout});
        }
    }

    void aReplyThatComesAfterItsEndIsIgnored()
    {
        watch();
        ask({"SET", keyPrefix("ns") + key::transaction, "17"});
        m_watch->look();
        m_watch.reset();
        ask({"PING"}); // its reply comes after those that the watch has asked for
        QCOMPARE(m_notice->rollback().seenAt_ms, 0);
    }

private:
    void ask(const QList<QByteArray> &words)
    {
        const auto reply = await<Reply>([&](auto done) { m_link->command(words, done); });
        if (!reply.ok() || reply->isError())
            qFatal("Redis refused a command of the test");
    }
    // A new watch that has looked once.
    void watch()
    {
        m_watch = std::make_unique<HistoryWatch>(*m_link, "ns", *Address::fromUrl(m_server->url()), m_directory->path(), m_notice);
        ask({"PING"});
    }

    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<QTemporaryDir> m_directory;
    std::shared_ptr<RollbackNotice> m_notice;
    std::unique_ptr<Link> m_link;
    std::unique_ptr<HistoryWatch> m_watch;
};

JUNBAN_TEST(TestHistoryWatch)
#include "test_historywatch.moc"
