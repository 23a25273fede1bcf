#include "core/redis/redisimport.h"
#include "tests/core/redis/fsckfixture.h"
#include "tests/support/testmain.h"

#include <QFile>

using namespace junban;
using namespace junban::test;

// Namespaces that masters of earlier versions wrote (tests/core/redis/namespaces, as `junbanctl export` makes them): what is stored there
// keeps its names and its meaning.
class TestOldNamespace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_f.start()); }

    void anOldNamespaceIsSoundAndItsJobsGoOn_data()
    {
        QTest::addColumn<qint64>("ready");
        QTest::addColumn<qint64>("running");
        QTest::addColumn<qint64>("failed");
        QTest::addColumn<QByteArray>("runs");
        QTest::newRow("jobs-0.1") << qint64(6) << qint64(1) << qint64(1) << QByteArray("a");
        QTest::newRow("limits-0.1") << qint64(7) << qint64(3) << qint64(0) << QByteArray("x");
    }
    void anOldNamespaceIsSoundAndItsJobsGoOn()
    {
        m_f.clear();
        m_f.command({"DEL", m_f.key("testclock")}); // an import wants nothing there
        QFile file(QStringLiteral(NAMESPACES "/%1.junban").arg(QLatin1String(QTest::currentDataTag())));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto moved = await<redis::Moved>(
            [&](auto done) { redis::importNamespace(m_f.link(), "test", file, redis::Leftovers::Keep, done); });
        QVERIFY2(moved.ok(), moved.ok() ? "" : moved.error().message.constData());
        QVERIFY(moved->keys > 40);
        m_f.wait(0);
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

private:
    FsckFixture m_f;
};

JUNBAN_TEST(TestOldNamespace)
#include "test_oldnamespace.moc"
