#include "core/operators/workers.h"
#include "core/redis/redisworkers.h"
#include "tests/core/lua/pastfixture.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// What a list of workers says of one that ended without a word, and what the groups of failures say of names.
class TestWorkerStates : public QObject, private PastFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(start()); }
    void init()
    {
        begin();
        m_kept = std::make_unique<redis::RedisWorkers>(*m_link, "test", *m_clock, redis::ScriptClock::TestKey);
        m_watch = std::make_unique<LeaseWatch>(*m_store);
    }
    void cleanup()
    {
        m_watch.reset();
        m_kept.reset();
        const QByteArray wrong = end();
        QCOMPARE(wrong, QByteArray());
    }

    void aWorkerIsLateWhenALeaseRanOutAndLostWhenTheLastOneDid()
    {
        push(named("a", 3));
        push(named("a", 3));
        lease("w", 5 * second_ms);
        lease("w", 20 * second_ms);
        QCOMPARE(heard("w").state, WorkerState::Up);
        passAndLook(3 * second_ms);
        QCOMPARE(listed("w").state, WorkerState::Up);
        passAndLook(2'100);
        QCOMPARE(sweep().expired, 1);
        look();
        QCOMPARE(listed("w").state, WorkerState::Late);
        QCOMPARE(listed("w").running, 1);
        passAndLook(13 * second_ms);
        passAndLook(2 * second_ms);
        QCOMPARE(sweep().expired, 1);
        look();
        QCOMPARE(listed("w").state, WorkerState::Lost);
        QCOMPARE(heard("w").state, WorkerState::Up);
    }

    // No master has swept meanwhile.
    void aLeaseThatIsOverdueMakesItLateAtOnce()
    {
        push(named("a"));
        lease("w", 5 * second_ms);
        (void)heard("w");
        passAndLook(6 * second_ms);
        QCOMPARE(listed("w").state, WorkerState::Late);
    }

    void aLeaseThatWasRenewedOrReportedIsNotLate()
    {
        push(named("a"));
        push(named("a"));
        const ClaimedJob renewed = lease("w", 5 * second_ms), reported = lease("w", 5 * second_ms);
        (void)heard("w");
        passAndLook(4'900);
        HeartbeatItem beat;
        beat.id = renewed.id;
        beat.lease = renewed.lease;
        QVERIFY(await<QList<Result<Heartbeat>>>([&](auto done) { m_store->heartbeat({beat}, done); })->first().ok());
        QVERIFY(finish(reported, success()).ok());
        (void)heard("w");
        passAndLook(2 * second_ms); // both ends have passed
        look();
        QCOMPARE(listed("w").state, WorkerState::Up);
    }

    void whatTimedOutInItsHandsCountsAsFailedAndWhatItReportedOnlyOnce()
    {
        push(named("a"));
        push(named("b", 1));
        push(named("b"));
        lease("w", 5 * second_ms);
        lease("w", 5 * second_ms);
        const ClaimedJob reported = lease("w", 5 * second_ms);
        Outcome timeout = failure("The mail server did not answer.");
        timeout.reason = FailureReason::Timeout;
        QVERIFY(finish(reported, timeout).ok());
        pass(6 * second_ms);
        QCOMPARE(sweep().expired, 2);
        Workers workers(*m_kept);
        FailureTally tally(*m_past);
        workers.setWatches(m_watch.get(), &tally);
        workers.ended("w", false, 10);
        QCOMPARE(await<WorkerPage>([&](auto done) { workers.list(10, {}, done); })->workers.value(0).failed, 3);
    }

    void failedJobsOfANameAreCountedWhileTheyAreFailed()
    {
        const JobId first = failed("a", "disk full");
        failed("a", "no route");
        failed("b", "disk full");
        QCOMPARE(sums().failedNow.value("a"), 2);
        QCOMPARE(sums().failedNow.value("b"), 1);
        QVERIFY(sums().complete);
        QVERIFY(retry(first).ok());
        QCOMPARE(sums().failedNow.value("a"), 1);
        Inspector inspector(*m_store);
        FailureTally tally(*m_past);
        inspector.setFailures(&tally);
        const NamePage page = await<NamePage>([&](auto done) { inspector.names(10, {}, done); }).value();
        QCOMPARE(page.names.value(0).failed, 1);
        QCOMPARE(page.names.value(0).totals.failed, 2);
    }

    void moreGroupsThanOnePageAreAddedUpAndReadOnceForAllWhoAsk()
    {
        for (int i = 0; i < 130; ++i)
            failed("a", QByteArray("cause ") + char('a' + i % 26) + char('a' + i / 26));
        FailureTally tally(*m_past);
        int told = 0;
        for (int i = 0; i < 3; ++i)
            tally.sums([&](const Result<FailureTally::Sums> &sums) { told += int(sums->failedNow.value("a")); });
        QTRY_COMPARE(told, 3 * 130);
        failed("a", "one more");
        tally.sums([&](const Result<FailureTally::Sums> &sums) { told = int(sums->failedNow.value("a")); });
        QCOMPARE(told, 130); // as it was read a moment ago
    }

private:
    ClaimedJob lease(const QByteArray &worker, qint64 lease_ms)
    {
        return finishAndClaim({}, {{worker, {}, 1, lease_ms}}).claimed.first().jobs.value(0);
    }
    void look()
    {
        m_watch->look();
        (void)counts(); // replies come in order, and one look asks about its jobs after its page
        (void)counts();
    }
    void passAndLook(qint64 span_ms)
    {
        pass(span_ms);
        look();
    }
    Worker listed(const QByteArray &worker)
    {
        Workers workers(*m_kept);
        workers.setWatches(m_watch.get(), nullptr);
        const auto page = await<WorkerPage>([&](auto done) { workers.list(10, {}, done); });
        for (const Worker &each : page->workers) {
            if (each.worker == worker)
                return each;
        }
        return {};
    }
    Worker heard(const QByteArray &worker)
    {
        (void)await<Done>([&](auto done) { m_kept->note({{worker, true}}, done); });
        return listed(worker);
    }
    FailureTally::Sums sums()
    {
        FailureTally tally(*m_past);
        return await<FailureTally::Sums>([&](auto done) { tally.sums(done); }).value();
    }

    std::unique_ptr<redis::RedisWorkers> m_kept;
    std::unique_ptr<LeaseWatch> m_watch;
};

JUNBAN_TEST(TestWorkerStates)
#include "test_workerstates.moc"
