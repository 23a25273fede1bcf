#include "core/redis/serverwatch.h"
#include "tests/support/redisserver.h"
#include "tests/support/testmain.h"

#include <QTest>
#include <QThread>

using namespace junban;
using namespace junban::redis;
using junban::test::RedisServer;

// What a master notices about its Redis, against a real one.
class TestServerWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_server = std::make_unique<RedisServer>();
        QVERIFY(m_server->start());
        m_notice = std::make_shared<ServerNotice>();
        m_link = std::make_unique<Link>(*Address::fromUrl(m_server->url()));
        m_link->start();
        QTRY_COMPARE(m_link->state(), LinkState::Up);
        m_watch = std::make_unique<ServerWatch>(*m_link, m_notice);
        QTRY_VERIFY(m_notice->now().startedAt_ms > 0);
    }
    void cleanup()
    {
        m_watch.reset();
        m_link.reset();
        m_server.reset();
    }

    void itsMemoryIsKnownAndNoAbsenceIsMadeUp()
    {
        QVERIFY(m_notice->now().usedBytes > 100'000);
        QCOMPARE(m_notice->now().backAt_ms, 0);
    }

    void aServerThatHungIsNoticedWhenItAnswersAgain()
    {
        m_server->pause();
        QTest::qWait(ServerWatch::away_ms_min + ServerWatch::look_ms);
        m_server->resume();
        QTRY_VERIFY_WITH_TIMEOUT(m_notice->now().backAt_ms > 0, 10'000);
        QVERIFY(m_notice->now().away_ms >= ServerWatch::away_ms_min);
        QVERIFY(!m_notice->now().restarted);
    }

    void aProcessThatWasStoppedBlamesNoServer()
    {
        QThread::msleep(ServerWatch::away_ms_min + 2 * ServerWatch::look_ms);
        QTest::qWait(2 * ServerWatch::look_ms);
        QCOMPARE(m_notice->now().backAt_ms, 0);
    }

    void aServerThatWasRestartedIsNoticed()
    {
        m_server->kill9();
        QVERIFY(m_server->start());
        QTRY_VERIFY_WITH_TIMEOUT(m_notice->now().backAt_ms > 0, 20'000);
        QVERIFY(m_notice->now().restarted);
    }

private:
    std::unique_ptr<RedisServer> m_server;
    std::shared_ptr<ServerNotice> m_notice;
    std::unique_ptr<Link> m_link;
    std::unique_ptr<ServerWatch> m_watch;
};

JUNBAN_TEST(TestServerWatch)
#include "test_serverwatch.moc"
