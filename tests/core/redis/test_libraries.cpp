#include "core/limits.h"
#include "core/lua/schema.h"
#include "core/redis/keys.h"
#include "core/redis/libraries.h"
#include "tests/support/await.h"
#include "tests/support/redisserver.h"
#include "tests/support/testmain.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace junban;
using namespace junban::redis;
using junban::test::await;
using junban::test::RedisServer;

// The libraries of the scripts in a real Redis.
class TestLibraries : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_server = std::make_unique<RedisServer>();
        QVERIFY(m_server->start());
        m_link = std::make_unique<Link>(*Address::fromUrl(m_server->url()));
        m_link->start();
        QTRY_COMPARE(m_link->state(), LinkState::Up);
        m_libraries.reset();
    }

    void cleanup()
    {
        m_libraries.reset();
        m_link.reset();
        m_server.reset();
    }

    void allAreLoadedOnceAndThoseThatWereDeletedAgain()
    {
        QCOMPARE(look(), qMakePair(count(), 0));
        QCOMPARE(functions(), count());
        QCOMPARE(look(), qMakePair(0, 0));
        ask({"FUNCTION", "DELETE", makeScript("enqueue", ScriptClock::TestKey).library->name});
        QCOMPARE(look(), qMakePair(1, 0));
        ask({"FUNCTION", "FLUSH"});
        QCOMPARE(look(), qMakePair(count(), 0));
    }

    void eachScriptIsAFunctionWithItsFlags()
    {
        look();
        QMap<QByteArray, QSet<QByteArray>> wanted, found;
        const auto libraries = allLibraries(ScriptClock::TestKey);
        for (const auto &library : libraries) {
            for (const Library::Function &function : library->functions) {
                const QList<QByteArray> flags = function.flags.split(',');
                wanted[function.name] = QSet<QByteArray>(flags.begin(), flags.end()) - QSet<QByteArray>{QByteArray()};
            }
        }
        // For each library: 'library_name', name, 'engine', 'LUA', 'functions', {{'name', name, 'description', it, 'flags', flags}, …}
        const Reply known = ask({"FUNCTION", "LIST"});
        for (qsizetype i = 0; i < known.size(); ++i) {
            const Reply functions = known[i][5];
            for (qsizetype j = 0; j < functions.size(); ++j) {
                QSet<QByteArray> &flags = found[functions[j][1].bytes()];
                for (qsizetype n = 0; n < functions[j][5].size(); ++n)
                    flags.insert(functions[j][5][n].bytes());
            }
        }
        QVERIFY(wanted.size() > 80);
        QCOMPARE(found, wanted);
        QCOMPARE(found.value(makeScript("get", ScriptClock::TestKey).function.name), QSet<QByteArray>{"no-writes"});
        QVERIFY(found.value(makeScript("edit", ScriptClock::TestKey).function.name).isEmpty());
        QCOMPARE(found.value(makeScript("edit", ScriptClock::TestKey, WhenFull::Runs).function.name), QSet<QByteArray>{"allow-oom"});
    }

    // Masters of two versions use the same Redis, and each keeps its libraries for as long as it notes that it uses them.
    void thoseOfAnotherVersionGoWhenNobodyUsedThemForADay()
    {
        look();
        const QByteArray other = "junban_enqueue_0000000000000000";
        ask({"FUNCTION", "LOAD", library(other)});
        ask({"FUNCTION", "LOAD", library("stranger")});
        ask({"HSET", keyPrefix("ns") + key::libraries, other, QByteArray::number(m_now_ms)});
        m_now_ms += 24 * 3'600'000;
        QCOMPARE(look(), qMakePair(0, 0));
        QCOMPARE(functions(), count() + 2);
        ++m_now_ms;
        QCOMPARE(look(), qMakePair(0, 1));
        QCOMPARE(functions(), count() + 1); // the stranger's stays
        QCOMPARE(ask({"HEXISTS", keyPrefix("ns") + key::libraries, other}).integer(), 0);
        QCOMPARE(ask({"HLEN", keyPrefix("ns") + key::libraries}).integer(), count());
        QCOMPARE(look(), qMakePair(0, 0));
    }

    void oneThatIsNotedAndGoneIsForgotten()
    {
        look();
        ask({"HSET", keyPrefix("ns") + key::libraries, "junban_enqueue_0000000000000000", "1"});
        QCOMPARE(look(), qMakePair(0, 0));
        QCOMPARE(ask({"HLEN", keyPrefix("ns") + key::libraries}).integer(), count());
    }

    void aLinkThatIsLostMeanwhileIsNoFaultOfALibrary()
    {
        ask({"SET", keyPrefix("ns") + key::test_clock, QByteArray::number(m_now_ms)});
        m_libraries = std::make_unique<Libraries>(*m_link, "ns", m_clock, ScriptClock::TestKey);
        QSignalSpy looked(m_libraries.get(), &Libraries::looked);
        while (functions() < 2)
            QVERIFY(looked.isEmpty());
        QTest::failOnWarning(QRegularExpression(QStringLiteral("was not loaded")));
        m_server->kill9();
        QVERIFY(looked.wait(20'000));
    }

    void aFullRedisGetsThemWhenThereIsRoomAgain()
    {
        ask({"CONFIG", "SET", "maxmemory", "1"});
        QCOMPARE(look(), qMakePair(0, 0));
        ask({"CONFIG", "SET", "maxmemory", "0"});
        QCOMPARE(look(), qMakePair(count(), 0));
    }

private:
    static int count() { return int(allLibraries(ScriptClock::TestKey).size()); }
    static QByteArray library(const QByteArray &name)
    {
        return "#!lua name=" + name + "\nredis.register_function('" + name + "', function() return 1 end)";
    }
    int functions() { return int(ask({"FUNCTION", "LIST"}).size()); }
    Reply ask(const QList<QByteArray> &words)
    {
        const Result<Reply> reply = await<Reply>([&](auto done) { m_link->command(words, done); });
        return reply.ok() ? *reply : Reply();
    }
    // What a look loaded and deleted.
    QPair<int, int> look()
    {
        ask({"SET", keyPrefix("ns") + key::test_clock, QByteArray::number(m_now_ms)});
        if (!m_libraries)
            m_libraries = std::make_unique<Libraries>(*m_link, "ns", m_clock, ScriptClock::TestKey);
        else
            m_libraries->look();
        QSignalSpy looked(m_libraries.get(), &Libraries::looked);
        if (!looked.wait(20'000))
            return {-1, -1};
        return {looked[0][0].toInt(), looked[0][1].toInt()};
    }

    qint64 m_now_ms = 1'700'000'000'000;
    Clock m_clock;
    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<Link> m_link;
    std::unique_ptr<Libraries> m_libraries;
};

JUNBAN_TEST(TestLibraries)
#include "test_libraries.moc"
