#include "tests/core/lua/lanesfixture.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// Windows of matchers, and what becomes of jobs that still run when one closes.
class TestClosing : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_lanes.start());
        QTRY_COMPARE(m_lanes.link->state(), redis::LinkState::Up);
    }

    void init() { m_lanes.begin(); }

    void aWindowMayCancelWhatStillRunsAtItsClose()
    {
        ModelLimit limit = closingIn({-1000, 1000, 5000, 6000});
        under(limit);
        m_lanes.push("a", {1, 1, 1});
        const auto jobs = m_lanes.claim(3);
        QCOMPARE(jobs.size(), 3);
        QVERIFY(m_lanes.finish(jobs[2]));
        closeAt(999);
        QVERIFY(!told(jobs[0]));
        // Another closing is told before the first: that one counts.
        limit.boundaries[1] += 500;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        closeAt(1);
        QVERIFY(!told(jobs[0]));
        closeAt(500);
        QVERIFY(told(jobs[0]));
        const ReleaseItem back{jobs[0].id, jobs[0].lease, 0, 0, false};
        const auto released = await<QList<Result<StateNow>>>([&](auto done) { m_lanes.stores[0]->release({back}, done); });
        QCOMPARE(released->first()->state, JobState::Cancelled);
        QCOMPARE(m_lanes.broken(), QByteArray());
        QVERIFY(m_lanes.finish(jobs[1])); // who is done all the same has succeeded
        QCOMPARE(m_lanes.command({"EXISTS", "jq:{lanes}:cclose"}).integer(), 0);
    }

    void aWindowThatOnlyClosesLetsFinishWhatRuns()
    {
        ModelLimit limit = closingIn({-1000, 1000});
        limit.cancelAtClose = false;
        under(limit);
        m_lanes.push("a", {1});
        const ClaimedJob job = started();
        closeAt(1000);
        QCOMPARE(m_lanes.claim(1).size(), 0);
        QVERIFY(!told(job));
    }

    void whoStartedInAWindowIsToldWhenItCloses()
    {
        under(closingIn({-1000, 1000}));
        const ClaimedJob job = started();
        closeAt(999);
        QVERIFY(!told(job));
        closeAt(1);
        QVERIFY(told(job));
        const auto seen = await<Job>([&](auto done) { m_lanes.stores[0]->get(job.id, done); });
        QCOMPARE(seen->events.value(0).what, QByteArray("cancel_requested"));
        QCOMPARE(seen->events.value(0).attempt, 1);
    }

    void aWindowThatCancelsNoMoreLeavesWhatRuns()
    {
        ModelLimit limit = closingIn({-1000, 1000});
        under(limit);
        const ClaimedJob job = started();
        limit.cancelAtClose = false;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        closeAt(1000);
        QVERIFY(!told(job));
        QCOMPARE(m_lanes.command({"EXISTS", "jq:{lanes}:cclose"}).integer(), 0);
    }

    void aClosingThatIsNoneAnyMoreCancelsNothing()
    {
        ModelLimit limit = closingIn({-1000, 1000});
        under(limit);
        const ClaimedJob job = started();
        limit.boundaries = closingIn({-1000, -500, -400}).boundaries; // from now on it stays open
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        closeAt(1000);
        QVERIFY(!told(job));
    }

    void aWindowThatOnlyObservesCancelsNothing()
    {
        ModelLimit limit = closingIn({-1000, 1000});
        under(limit);
        const ClaimedJob job = started();
        limit.mode = "observe";
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        closeAt(1000);
        QVERIFY(!told(job));
    }

    // One call tells the jobs of a window that was changed of their new closing only so far.
    void aLaterClosingIsMetByHoweverManyRun()
    {
        ModelLimit limit = closingIn({-1000, 1000});
        under(limit);
        const int many = limits::script_items_max + 5;
        m_lanes.push("a", QList<int>(many, 1));
        QList<ClaimedJob> jobs = m_lanes.claim(limits::claim_limit_max);
        jobs += m_lanes.claim(many);
        QCOMPARE(jobs.size(), many);
        limit.boundaries[1] += 500;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        closeAt(1000);
        for (const ClaimedJob &job : jobs)
            QVERIFY(!told(job));
        m_lanes.passTime(499);
        QVERIFY(m_lanes.sweep());
        for (const ClaimedJob &job : jobs)
            QVERIFY(!told(job));
        m_lanes.passTime(1);
        for (int slice = 0; slice < 2; ++slice)
            QVERIFY(m_lanes.sweep());
        for (const ClaimedJob &job : jobs)
            QVERIFY(told(job));
    }

    void whoWasAskedToStopBeforeTheCloseIsNotAskedAgain()
    {
        under(closingIn({-1000, 1000}));
        const ClaimedJob job = started();
        const auto asked = await<QList<Result<StateNow>>>([&](auto done) { m_lanes.stores[0]->cancel({{job.id, false}}, done); });
        QVERIFY(asked.ok());
        closeAt(1000);
        const auto seen = await<Job>([&](auto done) { m_lanes.stores[0]->get(job.id, done); });
        QCOMPARE(seen->events.size(), 1); // the operator's, and not the window's too
        QVERIFY(told(job));
    }

private:
    void under(const ModelLimit &limit)
    {
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QVERIFY(m_lanes.setRule([](const JobSpec &) { return QList<CarriedBucket>{{1, {}, 1}}; }));
    }
    // A window that cancels at its close; openings and closings from now on.
    ModelLimit closingIn(const QList<qint64> &boundaries_ms) const
    {
        ModelLimit limit;
        limit.kind = ModelLimit::Window;
        limit.cancelAtClose = true;
        for (const qint64 each : boundaries_ms)
            limit.boundaries.append(m_lanes.now_ms + each);
        return limit;
    }
    ClaimedJob started()
    {
        m_lanes.push("a", {1});
        return m_lanes.claim(1).value(0);
    }
    void closeAt(qint64 ms)
    {
        m_lanes.passTime(ms);
        QVERIFY(m_lanes.sweep());
    }
    // Whether the job's worker is told to stop.
    bool told(const ClaimedJob &job)
    {
        const auto beats = await<QList<Result<Heartbeat>>>([&](auto done) { m_lanes.stores[0]->heartbeat({{job.id, job.lease}}, done); });
        if (!beats.ok() || !beats->first().ok())
            qFatal("the heartbeat was refused");
        return beats->first()->cancel;
    }

    Lanes m_lanes;
};

JUNBAN_TEST(TestClosing)
#include "test_closing.moc"
