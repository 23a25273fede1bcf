#include "tests/core/lua/lanesfixture.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// Edits of constraints with more keys, or more running jobs, than one script call looks at: the sweep goes on with them.
class TestFollow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_lanes.start());
        QTRY_COMPARE(m_lanes.link->state(), redis::LinkState::Up);
    }

    void init() { m_lanes.begin(); }

    void aRaisedMinimumAmongManyKeysIsKept()
    {
        ModelLimit limit;
        limit.kind = ModelLimit::Share;
        limit.capacity = 10;
        limit.borrow = true;
        under(limit);
        push("others", many_keys);
        m_lanes.push("kept", {-1, -1, -1, -1, -1});
        limit.shares["-1"].min = 4;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QVERIFY(sweepsAgain()); // at once, and not in a second
        QVERIFY(sweepUntilFollowed() > 1);
        QVERIFY(!sweepsAgain());
        QCOMPARE(m_lanes.broken(), QByteArray());
        QCOMPARE(m_lanes.claim(20, {"others"}).size(), 6);
        QCOMPARE(m_lanes.claim(20, {"kept"}).size(), 4);
    }

    void anotherClosingIsToldUnderManyKeys()
    {
        ModelLimit limit = closingIn({-1000, 100'000});
        under(limit);
        push("a", many_keys);
        const QList<ClaimedJob> jobs = start(many_keys);
        limit.boundaries[1] = m_lanes.now_ms + 1000;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QVERIFY(sweepUntilFollowed() > 1);
        m_lanes.passTime(999);
        sweepClosings();
        QCOMPARE(toldOf(jobs), 0);
        m_lanes.passTime(1);
        sweepClosings();
        QCOMPARE(toldOf(jobs), many_keys);
        QCOMPARE(m_lanes.broken(), QByteArray());
    }

    void jobsOfMoreLanesThanAreLookedAtAreCountedRoughlyAndReadAFewTogether()
    {
        under(ModelLimit());
        push("a", many_keys);
        QVERIFY(m_lanes.setRule({}));
        const auto stale = [&] { return await<ConstraintStore::Stale>([&](auto done) { m_lanes.constraints->stale(done); }).value(); };
        const qsizetype together = stale().lanes.size();
        QVERIFY(together > 1);
        QCOMPARE(stale().left, many_keys);
        QVERIFY(!m_lanes.readStale(1));
        QCOMPARE(stale().left, many_keys - together);
        QVERIFY(m_lanes.readStale(many_keys));
        QCOMPARE(stale().left, 0);
        QCOMPARE(start(many_keys).size(), many_keys);
    }

    void aClosingThatComesBeforeTheSweepIsMetAllTheSame()
    {
        ModelLimit limit = closingIn({-1000, 100'000});
        under(limit);
        const QList<ClaimedJob> jobs = runInOneBucket(many_jobs);
        limit.boundaries = closingIn({-1000, 500, 600, 100'000}).boundaries;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        m_lanes.passTime(700); // nobody swept meanwhile
        const QList<ClaimedJob> later = runInOneBucket(1);
        QVERIFY(sweepUntilFollowed() > 1);
        sweepClosings();
        QCOMPARE(toldOf(jobs), many_jobs);
        QCOMPARE(toldOf(later), 0); // it started when the window was open again
    }

    void whatFollowsADeletedConstraintIsNothing()
    {
        ModelLimit limit = closingIn({-1000, 1000});
        under(limit);
        const QList<ClaimedJob> jobs = runInOneBucket(many_jobs);
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QVERIFY(m_lanes.setLimit(1, {}));
        QCOMPARE(sweepUntilFollowed(), 1);
        m_lanes.passTime(1000);
        sweepClosings();
        QCOMPARE(toldOf(jobs), 0);
    }

private:
    static constexpr int many_keys = limits::share_keys_max + 1;
    static constexpr int many_jobs = 6 * limits::script_items_max; // more than a small set, which is looked at as a whole

    // Every job carries the bucket of constraint 1 whose key is its value.
    void under(const ModelLimit &limit)
    {
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QVERIFY(m_lanes.setRule([](const JobSpec &spec) {
            return QList<CarriedBucket>{{1, QByteArray::number(Lanes::valueOf(spec)), 1}};
        }));
    }
    ModelLimit closingIn(const QList<qint64> &boundaries_ms) const
    {
        ModelLimit limit;
        limit.kind = ModelLimit::Window;
        limit.cancelAtClose = true;
        for (const qint64 each : boundaries_ms)
            limit.boundaries.append(m_lanes.now_ms + each);
        return limit;
    }
    // A job of each key from 0 on.
    void push(const QByteArray &name, int keys)
    {
        QList<int> values;
        for (int key = 0; key < keys; ++key)
            values.append(key);
        QCOMPARE(m_lanes.push(name, values).size(), keys);
    }
    QList<ClaimedJob> start(qsizetype count)
    {
        QList<ClaimedJob> jobs;
        while (jobs.size() < count) {
            const QList<ClaimedJob> more = m_lanes.claim(limits::claim_limit_max);
            if (more.isEmpty())
                break;
            jobs += more;
        }
        return jobs;
    }
    QList<ClaimedJob> runInOneBucket(int count)
    {
        m_lanes.push("a", QList<int>(count, 7));
        return start(count);
    }
    // How many sweeps it took.
    int sweepUntilFollowed()
    {
        int sweeps = 0;
        while (m_lanes.command({"EXISTS", "jq:{lanes}:follow"}).integer() == 1 && sweeps < 100) {
            ++sweeps;
            if (!m_lanes.sweep())
                return -1;
        }
        return sweeps;
    }
    // Whether a sweep says that there is more to do.
    bool sweepsAgain()
    {
        const auto swept = await<Swept>([&](auto done) { m_lanes.stores[0]->sweep(done); });
        return swept.ok() && swept->more;
    }
    void sweepClosings()
    {
        for (int i = 0; i <= many_keys / limits::script_items_max; ++i)
            QVERIFY(m_lanes.sweep());
    }
    // How many of the jobs' workers are told to stop.
    int toldOf(const QList<ClaimedJob> &jobs)
    {
        QList<HeartbeatItem> items;
        for (const ClaimedJob &job : jobs)
            items.append({job.id, job.lease});
        const auto beats = await<QList<Result<Heartbeat>>>([&](auto done) { m_lanes.stores[0]->heartbeat(items, done); });
        int told = 0;
        for (const Result<Heartbeat> &beat : beats.ok() ? *beats : QList<Result<Heartbeat>>())
            told += beat.ok() && beat->cancel;
        return told;
    }

    Lanes m_lanes;
};

JUNBAN_TEST(TestFollow)
#include "test_follow.moc"
