#include "core/msgpack/json.h"
#include "core/redis/redisimport.h"
#include "core/redis/redismatchers.h"
#include "tests/core/redis/fsckfixture.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <algorithm>

using namespace junban;
using namespace junban::test;

namespace {

constexpr qint64 ofMaster_ms = 1'795'428'298'420; // when matchers-0.1 was left

} // namespace

// Namespaces that earlier versions wrote (tests/core/redis/namespaces, as `junbanctl export` makes them): what is stored there keeps its
// names and its meaning. `matchers-0.1` is of a master at commit fb48280, without its chart series.
class TestOldNamespace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_f.start()); }

    void anOldNamespaceIsSoundAndItsJobsGoOn_data()
    {
        QTest::addColumn<qint64>("at_ms");
        QTest::addColumn<qint64>("ready");
        QTest::addColumn<qint64>("running");
        QTest::addColumn<qint64>("failed");
        QTest::addColumn<QByteArray>("runs");
        QTest::newRow("jobs-0.1") << qint64(0) << qint64(6) << qint64(1) << qint64(1) << QByteArray("a");
        QTest::newRow("limits-0.1") << qint64(0) << qint64(7) << qint64(3) << qint64(0) << QByteArray("x");
        QTest::newRow("matchers-0.1") << ofMaster_ms << qint64(7) << qint64(13) << qint64(2) << QByteArray("breaker");
    }
    void anOldNamespaceIsSoundAndItsJobsGoOn()
    {
        QFETCH(qint64, at_ms);
        import(QTest::currentDataTag(), at_ms);
        if (QTest::currentTestFailed())
            return;
        // What Redis ends by its own clock is gone some time after the file was written, results first: without all of it the test says the
        // same every day.
        m_f.command({"DEL", m_f.key("results")});
        const QByteArray expire = "for _, key in ipairs(redis.call('KEYS', '*')) do\n"
                                  "  if redis.call('PTTL', key) >= 0 then redis.call('DEL', key) end\n"
                                  "end\n"
                                  "return redis.status_reply('DONE')";
        QCOMPARE(m_f.command({"EVAL", expire, "0"}), "DONE");
        QCOMPARE(text(m_f.look(Repair::No)), QByteArray());
        const auto counts = await<Overview>([&](auto done) { m_f.store().counts(done); }).value();
        QFETCH(qint64, ready);
        QFETCH(qint64, running);
        QFETCH(qint64, failed);
        QCOMPARE(counts.count(JobState::Ready), ready);
        QCOMPARE(counts.count(JobState::Running), running);
        QCOMPARE(counts.count(JobState::Failed), failed);
        QFETCH(QByteArray, runs);
        const ClaimedJob job = m_f.claim(runs);
        QVERIFY(!job.lease.isEmpty());
        QCOMPARE(m_f.finish(job, OutcomeType::Success).state, JobState::Succeeded);
        QCOMPARE(text(m_f.look(Repair::No)), QByteArray());
    }

    void savedMatchersAreReadAsTheyWereSaved_data()
    {
        QTest::addColumn<QByteArray>("constraint"); // as it was saved
        const std::pair<const char *, const char *> saved[] = {
            {"backlog", R"("max_ready":9,"overflow":"reject")"},
            {"breaker", R"("window":600,"min_samples":2,"failure_rate":0.5,"open_for":600)"},
            {"concurrency", R"("limit":1,"by":["job.argument.k"],"on_missing":"share","overrides":{"b":{"limit":0}})"},
            {"cooldown", R"("max":3600,"by":["job.argument.k"])"},
            {"fair", R"("by":["job.argument.k"])"},
            {"pause", R"("reason":"a reason")"},
            {"rate", R"("limit":2,"period":3600,"algorithm":"sliding")"},
            {"set", R"("priority":-7,"max_retry":2)"},
            {"share", R"("capacity":4,"borrow":false,"shares":{"a":{"percent":50}},"default":{"max":1},"by":["job.argument.k"])"},
            {"window", R"("allow":[{"from":"01:00","to":"02:00","days":["sat"]}],"tz":"Europe/Berlin")"},
        };
        for (const auto &[kind, constraint] : saved)
            QTest::newRow(kind) << QByteArray(constraint);
    }
    void savedMatchersAreReadAsTheyWereSaved()
    {
        import("matchers-0.1", ofMaster_ms);
        if (QTest::currentTestFailed())
            return;
        redis::RedisMatchers matchers(m_f.link(), "test", m_f.clock(), redis::ScriptClock::TestKey);
        const QByteArray kind = QTest::currentDataTag(), id = "m-" + kind;
        const auto page = await<MatcherStore::Page>([&](auto done) { matchers.list({}, -1, done); }).value();
        QCOMPARE(page.matchers.size(), 10);
        const auto kept = std::find_if(
            page.matchers.begin(), page.matchers.end(), [&](const KeptMatcher &each) { return each.matcher.id == id; });
        QVERIFY(kept != page.matchers.end());
        const QByteArray text = json::fromMsgpack(kept->matcher.packed());
        QFETCH(QByteArray, constraint);
        QVERIFY2(text.contains(constraint), text.constData());
        QVERIFY2(text.contains("\"kind\":\"" + kind + '"'), text.constData());
        QCOMPARE(kept->matcher.title, "edited");
        QCOMPARE(kept->matcher.expression, "job.name == \"" + kind + '"');
        QCOMPARE(kept->matcher.revision, 2);
        QVERIFY(kept->numbers.value(id + '.' + kind + '1') > 0);
        const auto history = await<MatcherStore::History>([&](auto done) { matchers.history(id, done); }).value();
        QCOMPARE(history.revisions.size(), 2);
        QCOMPARE(history.revisions.last().title, "of " + kind);
        QVERIFY(await<MatcherStore::History>([&](auto done) { matchers.history("two", done); }).value().deleted);
    }

    void savedLimitsHoldWhatTheyHeld()
    {
        import("matchers-0.1", ofMaster_ms);
        if (QTest::currentTestFailed())
            return;
        for (const char *name : {"concurrency", "pause", "window"})
            QVERIFY2(m_f.claim(name).lease.isEmpty(), name);
        QVERIFY(!m_f.claim("breaker").lease.isEmpty());
    }

private:
    // `at_ms`: when it was left; 0: when the test clock begins.
    void import(const char *name, qint64 at_ms = 0)
    {
        m_f.clear();
        m_f.command({"DEL", m_f.key("testclock")}); // an import wants nothing there
        QFile file(QStringLiteral(NAMESPACES "/%1.junban").arg(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto moved = await<redis::Moved>(
            [&](auto done) { redis::importNamespace(m_f.link(), "test", file, redis::Leftovers::Keep, done); });
        QVERIFY2(moved.ok(), moved.ok() ? "" : moved.error().message().constData());
        QVERIFY(moved->keys > 40);
        m_f.wait(std::max<qint64>(at_ms - m_f.now_ms(), 0));
    }

    FsckFixture m_f;
};

JUNBAN_TEST(TestOldNamespace)
#include "test_oldnamespace.moc"
